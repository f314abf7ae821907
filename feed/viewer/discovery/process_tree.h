/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * process_tree.h: finds which of the jobs are workers of which. Viewer only.
 */
#ifndef FEED_VIEWER_DISCOVERY_PROCESS_TREE_H
#define FEED_VIEWER_DISCOVERY_PROCESS_TREE_H

#include "feed/viewer/discovery/jobs.h"

/* Fills `parent` where the job itself did not name it: its process descends from that of another
 * job here, or it belongs to the same `proftop run` as an earlier job and has neither rank nor
 * role. Then turns the sorted list into the order of the tree: workers behind their job, `depth`
 * their level. A job whose parent is not in the list is a root. */
void viewer_process_tree(struct viewer_jobs *jobs);

/* Fills `parent` of unpublished processes that descend from one of the jobs here. */
void viewer_process_tree_adopt(const struct viewer_jobs *jobs, struct viewer_jobs *silent);

#endif
