/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * json_gate.c: the verdicts of a gate as one line of JSON, docs/diff.schema.
 */
#include <string.h>

#include "model/gate.h"
#include "model/json_writer.h"

struct writing {
    struct model_put out;
    const struct model_gate *gate;
    const struct model_gate_result *result;
};

/* A word of a verdict that is one word for programs, too. */
static const char *const verdicts[MODEL_VERDICTS] = {
    [MODEL_SAME] = "same", [MODEL_CANNOT_TELL] = "cannot_tell", [MODEL_SLOWER] = "slower"};

static void put_word(struct writing *w, const char *key, const char *word)
{
    model_put_key(&w->out, key);
    if (word)
        model_put_quoted(&w->out, word);
    else
        model_put_word(&w->out, "null");
}

static void put_count(struct writing *w, const char *key, uint64_t count)
{
    model_put_key(&w->out, key);
    model_put_known(&w->out, count);
}

static void put_number(struct writing *w, const char *key, double number)
{
    model_put_key(&w->out, key);
    model_put_f64(&w->out, number);
}

static void put_bool(struct writing *w, const char *key, bool value)
{
    model_put_key(&w->out, key);
    model_put_bool(&w->out, value);
}

/* ----------------------------------------------------------------------------------------- runs */

static void put_runs(struct writing *w, const char *key, unsigned side)
{
    model_put_key(&w->out, key);
    model_put_word(&w->out, "[");
    w->out.rows = false;
    for (unsigned i = 0; i < w->result->runs; i++) {
        const struct model_gate_run *run = &w->result->run[i];
        if (run->side != side)
            continue;
        model_put_row(&w->out);
        put_word(w, "operand", run->word);
        put_count(w, "time_ns", run->time_ns);
        model_put_key(&w->out, "instance");
        model_put_hex(&w->out, run->instance);
        put_count(w, "epoch", run->epoch);
        put_bool(w, "counted", !run->again);
        model_put_close(&w->out);
    }
    model_put_word(&w->out, "]");
    w->out.first = false;
}

/* ----------------------------------------------------------------------------------------- rows */

static void put_verdict(struct writing *w, const struct model_gate_row *row)
{
    put_word(w, "verdict", verdicts[row->verdict]);
    put_word(w, "reason", model_gate_reasons[row->reason].word);
    put_count(w, "a_runs", row->runs[MODEL_A]);
    put_count(w, "b_runs", row->runs[MODEL_B]);
}

/* A low end of 0 and a high end without limit are none. */
static void put_ratio(struct writing *w, const struct model_gate_row *row)
{
    put_number(w, "ratio", row->ratio.mid);
    model_put_key(&w->out, "low");
    if (row->ratio.low > 0)
        model_put_f64(&w->out, row->ratio.low);
    else
        model_put_word(&w->out, "null");
    put_number(w, "high", row->ratio.high);
    put_number(w, "plain_ratio", row->plain_ratio);
}

static void put_row(struct writing *w, const struct model_gate_row *row)
{
    const struct model_text *function = model_gate_function(w->gate, row->first);
    model_put_row(&w->out);
    model_put_key(&w->out, "name");
    model_put_text(&w->out, model_gate_name(w->gate, row->first));
    model_put_key(&w->out, "names");
    model_put_word(&w->out, "[");
    for (uint32_t id = row->first; id != MODEL_NONE; id = model_gate_next(w->gate, id)) {
        model_put_word(&w->out, id == row->first ? "" : ",");
        model_put_text(&w->out, model_gate_name(w->gate, id));
    }
    model_put_word(&w->out, "]");
    model_put_key(&w->out, "function");
    model_put_text(&w->out, function);
    put_word(w, "mark", model_gate_mark(row));
    put_verdict(w, row);
    put_number(w, "a", row->figure[MODEL_A]);
    put_number(w, "b", row->figure[MODEL_B]);
    put_ratio(w, row);
    put_number(w, "share", row->share);
    put_word(w, "basis", model_gate_basis_words[row->basis]);
    put_bool(w, "estimated", row->estimated);
    model_put_close(&w->out);
}

/* The pace of all rows together; null if there are too few rows. */
static void put_pace(struct writing *w)
{
    model_put_key(&w->out, "pace");
    if (!w->result->paced) {
        model_put_word(&w->out, "null");
        return;
    }
    model_put_open(&w->out);
    put_verdict(w, &w->result->pace);
    put_ratio(w, &w->result->pace);
    model_put_close(&w->out);
}

static void put_rows(struct writing *w)
{
    model_put_key(&w->out, "rows");
    model_put_word(&w->out, "[");
    w->out.rows = false;
    for (uint32_t i = 0; i < w->result->rows; i++)
        put_row(w, &w->result->row[i]);
    model_put_word(&w->out, "]");
    w->out.first = false;
    model_put_key(&w->out, "not_judged");
    model_put_open(&w->out);
    put_count(w, "small", w->result->small);
    put_count(w, "waiting", w->result->waiting);
    put_count(w, "unknown", w->result->unknown);
    model_put_close(&w->out);
}

void model_json_gate(const struct model_gate *gate, uint64_t time_ns, const struct model_sink *sink)
{
    const struct model_gate_result *result = model_gate_result(gate);
    const struct model_gate_rule *rule = result->rule;
    struct writing w = {.out.sink = sink, .gate = gate, .result = result};
    model_put_word(&w.out, "{\"schema\":\"proftop-gate-1\",\"time_ns\":");
    model_put_u64(&w.out, time_ns);
    w.out.first = false;
    put_word(&w, "verdict", verdicts[result->verdict]);
    put_number(&w, "fail_above", rule->fail_above);
    put_word(&w, "by", model_gate_by_words[rule->by]);
    put_word(&w, "figure", model_gate_figures[result->figure].word);
    put_count(&w, "least", rule->by == MODEL_BY_MEMORY ? rule->min_bytes : rule->min_ns);
    put_bool(&w, "turns", result->turns);
    put_count(&w, "least_runs", result->least_runs);
    put_runs(&w, "a", MODEL_A);
    put_runs(&w, "b", MODEL_B);
    put_pace(&w);
    put_rows(&w);
    model_put_word(&w.out, "}\n");
    model_put_flush(&w.out);
}
