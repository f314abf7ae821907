/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * process_tree.h: which of the jobs found is a worker of which. Viewer only.
 */
#ifndef FEED_VIEWER_DISCOVERY_PROCESS_TREE_H
#define FEED_VIEWER_DISCOVERY_PROCESS_TREE_H

#include "feed/viewer/discovery/discover.h"

/* Fills `parent` where the job itself could not say it: its process descends from that of another
 * job here, or it belongs to the same `proftop run` as a job that began earlier and has neither
 * rank nor role. Then puts the jobs, which are in order already, into the order of the tree:
 * workers behind their job, `depth` saying how deep. A parent that is not among them makes a root.
 */
void viewer_process_tree(struct viewer_jobs *jobs);

/* Fills `parent` of processes that publish nothing and descend from one of the jobs here. */
void viewer_process_tree_adopt(const struct viewer_jobs *jobs, struct viewer_jobs *silent);

#endif
