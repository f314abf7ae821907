/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * bench_recording.c: writes the recording of a day, of a job of 500 nodes of which a tenth changes
 * ten times a second, and reads moments of it. The arguments are another number of hours, and how
 * many of the nodes change.
 */
#include "bench.h"

#include <unistd.h>

#include "feed/viewer/recording/reader.h"
#include "feed/viewer/recording/writer.h"

enum { NODES = 500, HERTZ = 10, SEEKS = 21, HISTORY = 16 << 20, SCREEN = 64 << 20 };
static const uint64_t S_NS = 1000000000, BEGIN_NS = UINT64_C(1700000000000000000);
static char folder[] = BENCH_FOLDER, path[64];
static uint64_t state = 88172645463325252;
static unsigned changed = 50;

static uint64_t next(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static void stamp(struct model_job *job, uint64_t ns)
{
    model_job_set_stamp(job, S_NS + ns, BEGIN_NS + ns);
    model_job_set_values_stamp(job, S_NS + ns);
}

static struct model_job *new_job(void)
{
    static const uint8_t instance[16] = {1};
    struct model_job *job = model_job_new(instance);
    const struct model_function_raw function = {.name = {"train", 5}, .parent = MODEL_NONE};
    char text[64];
    model_job_set_epoch(job, 1);
    model_job_add_class(job, "tensor.Elemwise", 15);
    for (uint32_t i = 0; i < 50; i++) {
        const int size = snprintf(text, sizeof text, "Elemwise{op %u}", (unsigned)i);
        model_job_add_op(job, 0, text, (size_t)size);
    }
    model_job_add_function(job, &function);
    for (uint32_t i = 0; i < NODES; i++) {
        const int size =
            snprintf(text, sizeof text, "Elemwise{op %u}(x%u, y)", (unsigned)(i % 50), (unsigned)i);
        model_job_add_apply(
            job, &(struct model_apply_raw){.text = {text, (size_t)size}, .op = i % 50, .index = i});
    }
    stamp(job, 0);
    model_job_set_complete(job);
    return job;
}

/* One more call of a node: 100 us, with a spread of a few percent. */
static void call(struct model_job *job, uint64_t id)
{
    const struct model_apply_value *was = &model_job_apply_values(job)[id];
    const uint64_t ns = 100000 + next() % 4096 + next() % 4096, timed = MODEL_UNKNOWN;
    const uint64_t calls = was->calls + 1, total_ns = was->total_ns + ns;
    const uint64_t min_ns = ns < was->min_ns ? ns : was->min_ns;
    const uint64_t max_ns = was->max_ns == MODEL_UNKNOWN || ns > was->max_ns ? ns : was->max_ns;
    model_job_set_values(job, 1, &id, &calls, &total_ns, &ns, NULL, false);
    model_job_set_extremes(job, 1, &id, &min_ns, &max_ns, &timed, false);
}

static void write_day(uint64_t ticks)
{
    const struct viewer_recorder_settings settings = {0};
    static const struct model_link live = {.state = MODEL_LIVE};
    struct viewer_recorded recorded;
    char why[512];
    struct model_job *job = new_job();
    struct model_history *history = model_history_new(job, HISTORY);
    struct viewer_recorder *recorder = viewer_recorder_new(path, &settings, why, sizeof why);
    if (!recorder) {
        printf("%s\n", why);
        exit(1);
    }
    viewer_recorder_job(recorder, job, &live);
    const uint64_t start = bench_cpu_ns();
    for (uint64_t tick = 1; tick <= ticks; tick++) {
        for (unsigned i = 0; i < changed; i++)
            call(job, next() % (NODES / changed) + i * (NODES / changed));
        stamp(job, tick * (S_NS / HERTZ));
        model_history_commit(history);
        viewer_recorder_follow(recorder, tick * (S_NS / HERTZ));
    }
    const double cpu_ns = (double)(bench_cpu_ns() - start);
    if (!viewer_recorder_end(&recorder, &recorded, why, sizeof why))
        printf("%s\n", why);
    bench_row("recording: a tick of 500 nodes, a tenth changed", cpu_ns / 1e3 / (double)ticks, "us",
              0, "");
    bench_row("recording: a day of it",
              (double)recorded.bytes / 1e6 * 86400 * HERTZ / (double)ticks, "MB", 0, "300");
    model_history_free(&history);
    model_job_release(&job);
}

/* Opens the recording and reads its last moment before a time. Returns ms. */
static double read_at(uint64_t until_ns, size_t history)
{
    char why[512];
    const uint64_t start = bench_wall_ns();
    struct viewer_recording *recording = viewer_recording_open(path, why, sizeof why);
    const struct viewer_recording_part part = {
        .history = history, .until_ns = until_ns, .most = history > 0 ? 1 << 20 : 0};
    struct model_playback *playback =
        recording ? viewer_recording_read(recording, &part, NULL, why, sizeof why) : NULL;
    if (!playback)
        printf("%s\n", why);
    const double ms = (double)(bench_wall_ns() - start) / 1e6;
    struct model_job *job = playback ? model_playback_job(playback) : NULL;
    struct model_history *past = job ? model_history_of(job) : NULL;
    model_playback_free(&playback);
    model_history_free(&past);
    viewer_recording_close(&recording);
    return ms;
}

int main(int argc, char **argv)
{
    const double hours = argc > 1 ? strtod(argv[1], NULL) : 24;
    const uint64_t ticks = (uint64_t)(hours * 3600 * HERTZ);
    double ms[SEEKS], most = 0;
    if (argc > 2)
        changed = (unsigned)strtoul(argv[2], NULL, 10);
    if (changed < 1 || changed > NODES)
        changed = NODES;
    if (!mkdtemp(folder))
        return 1;
    snprintf(path, sizeof path, "%s/day.ptrec", folder);
    write_day(ticks);
    for (unsigned i = 0; i < SEEKS; i++) {
        ms[i] = read_at(BEGIN_NS + next() % (ticks * (S_NS / HERTZ)), 0);
        most = ms[i] > most ? ms[i] : most;
    }
    bench_row("recording: any moment of it, from the file", bench_median(ms, SEEKS), "ms", 0,
              "200");
    bench_row("recording: the slowest of 21", most, "ms", 0, "200");
    for (unsigned i = 0; i < SEEKS; i++)
        ms[i] = read_at(UINT64_MAX, SCREEN);
    bench_row("recording: the first moment of the screen, with its past", bench_median(ms, SEEKS),
              "ms", 0, "50");
    unlink(path);
    rmdir(folder);
    return 0;
}
