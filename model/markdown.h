/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * markdown.h: a summary of a report in Markdown, as GitHub renders it
 * (https://github.github.com/gfm/), for an issue or an assistant: what the job is, where its time
 * goes, what waits, what changed, memory, what was lost, and the framework's advice.
 *
 * It is made to be shown to others. It leaves out host, user, process ids, arguments and settings,
 * and of each path in a name all but the last part. Texts of the job stand in code spans: none of
 * them can be markup, a link, a mention or a tag.
 */
#ifndef MODEL_MARKDOWN_H
#define MODEL_MARKDOWN_H

#include "model/json.h"

/* Most bytes: of all, of a name, and of a sentence of the job. */
enum { MODEL_MARKDOWN_MOST = 8000, MODEL_MARKDOWN_NAME = 80, MODEL_MARKDOWN_TEXT = 400 };

/* Writes the summary: at most MODEL_MARKDOWN_MOST bytes, whole lines of valid UTF-8. What had no
 * room is counted at the end. Returns false if out of memory. */
bool model_markdown_write(const struct model_report *report, const struct model_sink *sink);

/* Writes a name as a code span; `-` if it is empty. The bytes are in screen form (text.h). `cell`:
 * it stands in a table. Cuts it to `most` bytes, MODEL_MARKDOWN_TEXT at most, and paths to their
 * last part. Returns the bytes written; `out` holds MODEL_MARKDOWN_SPAN. */
enum { MODEL_MARKDOWN_SPAN = 4 * MODEL_MARKDOWN_TEXT };
size_t model_markdown_span(const char *bytes, size_t size, size_t most, bool cell,
                           char out[MODEL_MARKDOWN_SPAN]);

#endif
