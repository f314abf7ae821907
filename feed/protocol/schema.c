/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * schema.c: the contents of frames, defined once. Reader, writer and tests walk these tables.
 */
#include "feed/protocol/frame.h"

/* Letters of later versions share one stream. It is never written and needs no letter. */
const char wire_letters[WIRE_STREAMS + 1] = "HDFANERIQYCSMPT?";

const uint32_t wire_table_max[WIRE_TABLES] = {
    [WIRE_T_CLASS] = WIRE_CLASSES_MAX,      [WIRE_T_OP] = WIRE_OPS_MAX,
    [WIRE_T_FUNCTION] = WIRE_FUNCTIONS_MAX, [WIRE_T_APPLY] = WIRE_APPLIES_MAX,
    [WIRE_T_COUNTER] = WIRE_OTHERS_MAX,     [WIRE_T_SPAN] = WIRE_OTHERS_MAX,
    [WIRE_T_MARKER] = WIRE_OTHERS_MAX,      [WIRE_T_THREAD] = WIRE_THREADS_MAX,
};

#define ROW(name, key, type) [WIRE_F_##name] = {key, WIRE_##type},
const struct wire_field_row wire_fields[WIRE_FIELDS] = {WIRE_FIELD_TABLE(ROW)};

#define U64(key)                                                                                   \
    {                                                                                              \
        key, WIRE_U64, WIRE_T_CLASS                                                                \
    }
#define OPT(key)                                                                                   \
    {                                                                                              \
        key, WIRE_OPT, WIRE_T_CLASS                                                                \
    }
#define I64(key)                                                                                   \
    {                                                                                              \
        key, WIRE_I64, WIRE_T_CLASS                                                                \
    }
#define F64(key)                                                                                   \
    {                                                                                              \
        key, WIRE_F64, WIRE_T_CLASS                                                                \
    }
#define TEXT(key)                                                                                  \
    {                                                                                              \
        key, WIRE_TEXT, WIRE_T_CLASS                                                               \
    }
#define ID(table)                                                                                  \
    {                                                                                              \
        "id", WIRE_ID, table                                                                       \
    }
#define REF(key, table)                                                                            \
    {                                                                                              \
        key, WIRE_REF, table                                                                       \
    }
#define REFOPT(key, table)                                                                         \
    {                                                                                              \
        key, WIRE_REFOPT, table                                                                    \
    }

/* The columns of a group, then a column without a type as the end mark. */
#define GROUP(key, stream, defines, table, ...)                                                    \
    {                                                                                              \
        key, (const struct wire_column_row[]){__VA_ARGS__, {NULL, WIRE_NONE, WIRE_T_CLASS}},       \
            stream, defines, table                                                                 \
    }

const struct wire_group_row wire_groups[WIRE_GROUPS] = {
    [WIRE_G_CLASS] = GROUP("class", WIRE_DEFS, true, WIRE_T_CLASS, TEXT("name")),
    [WIRE_G_OP] = GROUP("op", WIRE_DEFS, true, WIRE_T_OP, REF("class", WIRE_T_CLASS), TEXT("text")),
    [WIRE_G_FUNCTION] =
        GROUP("function", WIRE_DEFS, true, WIRE_T_FUNCTION, TEXT("name"), TEXT("file"), U64("line"),
              REFOPT("parent", WIRE_T_APPLY), U64("group"), U64("source")),
    [WIRE_G_APPLY] = GROUP("apply", WIRE_DEFS, true, WIRE_T_APPLY, REF("function", WIRE_T_FUNCTION),
                           REF("op", WIRE_T_OP), U64("index"), TEXT("text"), TEXT("where"),
                           U64("source"), U64("kind"), U64("impl"), U64("excl")),
    [WIRE_G_THREAD] = GROUP("thread", WIRE_DEFS, true, WIRE_T_THREAD, TEXT("name"), U64("tid")),
    [WIRE_G_COUNTER] = GROUP("counter", WIRE_DEFS, true, WIRE_T_COUNTER, TEXT("domain"),
                             TEXT("name"), TEXT("scope"), TEXT("unit"), U64("kind")),
    [WIRE_G_SPAN] =
        GROUP("span", WIRE_DEFS, true, WIRE_T_SPAN, TEXT("domain"), TEXT("name"), U64("kind")),
    [WIRE_G_MARKER] = GROUP("marker", WIRE_DEFS, true, WIRE_T_MARKER, TEXT("domain"), TEXT("name")),
    [WIRE_G_DISPLAY] =
        GROUP("display", WIRE_DEFS, false, WIRE_T_CLASS, REF("op", WIRE_T_OP), TEXT("text")),
    [WIRE_G_WAITS] = GROUP("waits", WIRE_DEFS, false, WIRE_T_CLASS, ID(WIRE_T_APPLY), U64("what")),
    [WIRE_G_CALLS] = GROUP("calls", WIRE_FUNCTIONS, false, WIRE_T_CLASS, ID(WIRE_T_FUNCTION),
                           OPT("calls"), OPT("ns"), OPT("vm"), OPT("open")),
    [WIRE_G_SAMPLED] = GROUP("sampled", WIRE_FUNCTIONS, false, WIRE_T_CLASS, ID(WIRE_T_FUNCTION),
                             U64("timed"), U64("half")),
    [WIRE_G_COMPILE] =
        GROUP("compile", WIRE_FUNCTIONS, false, WIRE_T_CLASS, ID(WIRE_T_FUNCTION), OPT("total"),
              OPT("rewrite"), OPT("validate"), OPT("link"), OPT("open")),
    [WIRE_G_V] = GROUP("v", WIRE_APPLIES, false, WIRE_T_CLASS, ID(WIRE_T_APPLY), U64("calls"),
                       U64("total"), OPT("last")),
    [WIRE_G_X] = GROUP("x", WIRE_APPLIES, false, WIRE_T_CLASS, ID(WIRE_T_APPLY), OPT("min"),
                       OPT("max"), OPT("timed")),
    [WIRE_G_ERR] = GROUP("err", WIRE_APPLIES, false, WIRE_T_CLASS, ID(WIRE_T_APPLY), U64("half")),
    [WIRE_G_OPEN] = GROUP("open", WIRE_APPLIES, false, WIRE_T_CLASS, ID(WIRE_T_APPLY), U64("ns")),
    [WIRE_G_NOW] = GROUP("now", WIRE_NOW, false, WIRE_T_CLASS, ID(WIRE_T_THREAD),
                         REFOPT("apply", WIRE_T_APPLY), U64("since")),
    [WIRE_G_NOTICE] =
        GROUP("notice", WIRE_NOTICES, false, WIRE_T_CLASS, U64("wall"), U64("level"), TEXT("text")),
    [WIRE_G_PHASE] = GROUP("phase", WIRE_REWRITES, false, WIRE_T_CLASS, U64("phase"), U64("rev"),
                           REF("function", WIRE_T_FUNCTION), U64("parent"), U64("kind"),
                           TEXT("name"), U64("calls"), OPT("total"), OPT("validate"), OPT("before"),
                           OPT("after"), OPT("open")),
    [WIRE_G_DETAIL] =
        GROUP("detail", WIRE_DETAILS, false, WIRE_T_CLASS, REF("apply", WIRE_T_APPLY), U64("rev"),
              OPT("flops"), OPT("bytes"), OPT("thunk"), TEXT("device"), TEXT("where"), U64("impl"),
              U64("onein"), U64("inputs"), U64("outputs"), TEXT("made")),
    [WIRE_G_VALUE] = GROUP("value", WIRE_DETAILS, false, WIRE_T_CLASS, TEXT("dtype"), TEXT("shape"),
                           OPT("bytes"), REFOPT("source", WIRE_T_APPLY), U64("output"),
                           U64("alias"), U64("result"), TEXT("strides")),
    [WIRE_G_LIBRARY] = GROUP("library", WIRE_DETAILS, false, WIRE_T_CLASS,
                             REF("apply", WIRE_T_APPLY), TEXT("where")),
    [WIRE_G_METRIC] =
        GROUP("metric", WIRE_DETAILS, false, WIRE_T_CLASS, TEXT("name"), TEXT("unit"), U64("how")),
    [WIRE_G_M] = GROUP("m", WIRE_DETAILS, false, WIRE_T_CLASS, REF("apply", WIRE_T_APPLY),
                       U64("metric"), U64("adds"), U64("value")),
    [WIRE_G_P] = GROUP("p", WIRE_PERCENTILES, false, WIRE_T_CLASS, REF("op", WIRE_T_OP),
                       U64("bucket"), U64("count")),
    [WIRE_G_LAST] = GROUP("last", WIRE_HELLO, false, WIRE_T_CLASS, ID(WIRE_T_FUNCTION), U64("seq")),
    [WIRE_G_INT] = GROUP("int", WIRE_COUNTERS, false, WIRE_T_CLASS, ID(WIRE_T_COUNTER),
                         I64("value"), I64("min"), I64("max"), U64("updates"), F64("mean")),
    [WIRE_G_REAL] = GROUP("real", WIRE_COUNTERS, false, WIRE_T_CLASS, ID(WIRE_T_COUNTER),
                          F64("value"), F64("min"), F64("max"), U64("updates"), F64("mean")),
    [WIRE_G_MEMORY] = GROUP("memory", WIRE_COUNTERS, false, WIRE_T_CLASS, ID(WIRE_T_COUNTER),
                            U64("bytes"), U64("peak"), OPT("limit"), U64("updates")),
    [WIRE_G_USAGE] = GROUP("usage", WIRE_COUNTERS, false, WIRE_T_CLASS, ID(WIRE_T_COUNTER),
                           U64("min"), F64("mean")),
    [WIRE_G_RUNS] = GROUP("runs", WIRE_SPANS, false, WIRE_T_CLASS, ID(WIRE_T_SPAN), U64("calls"),
                          U64("total"), U64("self"), OPT("last"), OPT("open")),
    [WIRE_G_EDGES] = GROUP("edges", WIRE_SPANS, false, WIRE_T_CLASS, ID(WIRE_T_SPAN), U64("min"),
                           U64("max"), U64("first"), U64("until")),
    [WIRE_G_BY] = GROUP("by", WIRE_SPANS, false, WIRE_T_CLASS, REF("span", WIRE_T_SPAN),
                        REFOPT("thread", WIRE_T_THREAD), U64("calls"), U64("total")),
    [WIRE_G_SLOW] = GROUP("slow", WIRE_SPANS, false, WIRE_T_CLASS, REF("span", WIRE_T_SPAN),
                          U64("number"), U64("ns")),
    [WIRE_G_MARK] = GROUP("mark", WIRE_MARKERS, false, WIRE_T_CLASS, U64("number"),
                          REF("marker", WIRE_T_MARKER), U64("scope"), U64("mono"),
                          REFOPT("thread", WIRE_T_THREAD), REFOPT("task", WIRE_T_SPAN)),
    [WIRE_G_WINDOW] = GROUP("window", WIRE_TIMELINE, false, WIRE_T_CLASS, U64("trace"),
                            U64("begin"), OPT("until"), U64("why"), U64("base"), U64("events"),
                            U64("dropped"), U64("missed"), U64("untimed")),
    [WIRE_G_APPLIED] =
        GROUP("applied", WIRE_TIMELINE, false, WIRE_T_CLASS, REF("apply", WIRE_T_APPLY), U64("ago"),
              U64("ns"), REFOPT("thread", WIRE_T_THREAD), U64("how")),
    [WIRE_G_CALLED] =
        GROUP("called", WIRE_TIMELINE, false, WIRE_T_CLASS, REF("function", WIRE_T_FUNCTION),
              U64("ago"), U64("ns"), REFOPT("thread", WIRE_T_THREAD), U64("how")),
    [WIRE_G_RAN] =
        GROUP("ran", WIRE_TIMELINE, false, WIRE_T_CLASS, REF("span", WIRE_T_SPAN), U64("ago"),
              U64("ns"), REFOPT("thread", WIRE_T_THREAD), U64("how"), U64("frame")),
    [WIRE_G_MARKED] = GROUP("marked", WIRE_TIMELINE, false, WIRE_T_CLASS,
                            REF("marker", WIRE_T_MARKER), U64("ago"), U64("scope"),
                            REFOPT("thread", WIRE_T_THREAD), REFOPT("task", WIRE_T_SPAN)),
    [WIRE_G_VALUED] = GROUP("valued", WIRE_TIMELINE, false, WIRE_T_CLASS,
                            REF("counter", WIRE_T_COUNTER), U64("ago"), I64("int"), F64("real")),
    [WIRE_G_PART] = GROUP("part", WIRE_REPLY, false, WIRE_T_CLASS, TEXT("text")),
};
