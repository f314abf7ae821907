/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * train.c: the demo job. A small network learns to classify points by the arm of a spiral.
 *
 * Two threads run functions. The loader makes batches (`batch`). The trainer computes the loss and
 * its gradients (`train`), updates the weights (`update`) and tests unseen points (`evaluate`). The
 * main thread prints and waits for signals. The result depends only on the options. */
#include "spirals.h"
#include "graph.h"
#include "example_options.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    POINTS = 3072,       /* training set */
    UNSEEN = 768,        /* test set */
    RING = 64,           /* maximum batches that the loader is ahead */
    EVALUATE_EVERY = 50, /* steps */
    LAYERS = 3,
    PARAMETERS = 2 * LAYERS
};

struct settings {
    uint64_t steps; /* 0: until stopped */
    uint64_t hidden;
    uint64_t batch;
    uint64_t seed;
    const char *truth;
    bool quiet;
};

struct batch {
    struct matrix points;
    struct matrix labels;
};

/* Weights and biases, their velocities, and the gradients that `train` writes. */
struct parameters {
    char names[PARAMETERS][8];
    struct matrix values[PARAMETERS];
    struct matrix velocities[PARAMETERS];
    struct matrix gradients[PARAMETERS];
};

struct job {
    struct settings settings;
    struct proftop *feed;
    struct truth *truth;
    struct engine engine;
    struct function batch, train, update, evaluate;
    struct parameters parameters;
    struct matrix points, labels, unseen, unseen_labels;
    struct matrix chosen, noise; /* the loader's choice of points, and the noise that it adds */
    struct variable *train_points, *train_labels;
    struct worker loader, trainer;

    pthread_mutex_t lock; /* guards all that follows */
    pthread_cond_t moved;
    struct batch ring[RING];
    uint64_t made, used; /* batches */
    bool stop;
    bool done;
    bool evaluated;
    uint64_t steps;
    float loss, accuracy, sureness; /* the last two after the first evaluation */
};

static struct matrix new_matrix(size_t rows, size_t cols)
{
    return (struct matrix){rows, cols, graph_need(rows * cols, sizeof(float))};
}

/* ----------------------------------------------------------------------------------- functions */

static void build_batch(struct job *job)
{
    struct function *f = &job->batch;

    function_init(f, &job->engine, "batch");
    struct variable *points = function_input(f, "points", job->points);
    struct variable *labels = function_input(f, "labels", job->labels);
    struct variable *chosen = function_input(f, "chosen", job->chosen);
    struct variable *noise = function_input(f, "noise", job->noise);
    struct variable *rows = function_apply(f, OP_ROWS, 0, points, chosen);
    struct variable *scaled = function_apply(f, OP_MUL, 0, noise, function_constant(f, 0.02f));

    function_output(f, function_apply(f, OP_ADD, 0, rows, scaled));
    function_output(f, function_apply(f, OP_ROWS, 0, labels, chosen));
    function_compile(f, "train.c", __LINE__);
}

/* Builds the network, from points to the probability of each class. Also returns its parameters. */
static struct variable *build_network(struct job *job, struct function *f, struct variable *input,
                                      struct variable *in[PARAMETERS])
{
    const enum op_code activation[LAYERS] = {OP_RELU, OP_TANH, OP_SOFTMAX};
    struct variable *value = input;

    for (size_t i = 0; i < LAYERS; i++) {
        for (size_t j = 2 * i; j < 2 * i + 2; j++)
            in[j] = function_input(f, job->parameters.names[j], job->parameters.values[j]);
        value = function_apply(f, OP_DOT, 0, value, in[2 * i]);
        value = function_apply(f, OP_ADD, 0, value, in[2 * i + 1]);
        value = function_apply(f, activation[i], 0, value, NULL);
    }
    return value;
}

/* The mean over the points of -log(probability of the right class). */
static struct variable *build_loss(struct function *f, struct variable *probability,
                                   struct variable *labels)
{
    struct variable *right = function_apply(f, OP_ONE_HOT, SPIRALS_ARMS, labels, NULL);
    struct variable *tiny = function_constant(f, 1e-7f);
    struct variable *above_zero = function_apply(f, OP_ADD, 0, probability, tiny);
    struct variable *logs = function_apply(f, OP_LOG, 0, above_zero, NULL);
    /* In this order a large op runs first. The first op after a wait finds cold caches, and their
     * cost is a small share of a large op's time, so that a measuring error is still visible. */
    struct variable *picked = function_apply(f, OP_MUL, 0, logs, right);
    struct variable *sum = function_apply(f, OP_SUM, 0, picked, NULL);
    struct variable *count = function_constant(f, (float)labels->value.rows);
    struct variable *share = function_apply(f, OP_DIV, 0, function_constant(f, -1), count);

    return function_apply(f, OP_MUL, 0, sum, share);
}

static void build_train(struct job *job)
{
    struct function *f = &job->train;
    struct variable *in[PARAMETERS];

    function_init(f, &job->engine, "train");
    job->train_points = function_input(f, "x", job->ring[0].points);
    job->train_labels = function_input(f, "y", job->ring[0].labels);
    struct variable *probability = build_network(job, f, job->train_points, in);
    struct variable *loss = build_loss(f, probability, job->train_labels);
    function_output(f, loss);
    function_grad(f, loss, in, PARAMETERS);
    function_compile(f, "train.c", __LINE__);
    for (size_t i = 0; i < PARAMETERS; i++)
        job->parameters.gradients[i] = f->outputs[1 + i]->value;
}

static void build_update(struct job *job)
{
    struct function *f = &job->update;

    function_init(f, &job->engine, "update");
    for (size_t i = 0; i < PARAMETERS; i++) {
        char name[16];
        snprintf(name, sizeof name, "v_%s", job->parameters.names[i]);
        struct variable *velocity = function_input(f, name, job->parameters.velocities[i]);
        snprintf(name, sizeof name, "g_%s", job->parameters.names[i]);
        struct variable *gradient = function_input(f, name, job->parameters.gradients[i]);
        struct variable *value =
            function_input(f, job->parameters.names[i], job->parameters.values[i]);
        velocity = function_apply(f, OP_MOMENTUM, 0.9f, velocity, gradient);
        function_output(f, function_apply(f, OP_SGD, 0.05f, value, velocity));
    }
    function_compile(f, "train.c", __LINE__);
}

static void build_evaluate(struct job *job)
{
    struct function *f = &job->evaluate;
    struct variable *in[PARAMETERS];

    function_init(f, &job->engine, "evaluate");
    struct variable *points = function_input(f, "unseen", job->unseen);
    struct variable *labels = function_input(f, "unseen_labels", job->unseen_labels);
    struct variable *probability = build_network(job, f, points, in);
    struct variable *guess = function_apply(f, OP_ARGMAX_COLS, 0, probability, NULL);
    struct variable *hits = function_apply(f, OP_EQ, 0, guess, labels);
    struct variable *sum = function_apply(f, OP_SUM, 0, hits, NULL);

    struct variable *surest = function_apply(f, OP_MAX_COLS, 0, probability, NULL);
    struct variable *sureness = function_apply(f, OP_SUM, 0, surest, NULL);
    struct variable *points_count = function_constant(f, UNSEEN);

    function_output(f, function_apply(f, OP_DIV, 0, sum, points_count));
    function_output(f, function_apply(f, OP_DIV, 0, sureness, points_count));
    function_compile(f, "train.c", __LINE__);
}

static void build(struct job *job)
{
    size_t hidden = (size_t)job->settings.hidden, batch = (size_t)job->settings.batch;
    const size_t widths[LAYERS + 1] = {SPIRALS_AXES, hidden, hidden, SPIRALS_ARMS};
    struct random random = {job->settings.seed};

    job->points = new_matrix(POINTS, SPIRALS_AXES);
    job->labels = new_matrix(POINTS, 1);
    spirals_make(&random, job->points, job->labels);
    job->unseen = new_matrix(UNSEEN, SPIRALS_AXES);
    job->unseen_labels = new_matrix(UNSEEN, 1);
    spirals_make(&random, job->unseen, job->unseen_labels);
    job->chosen = new_matrix(batch, 1);
    job->noise = new_matrix(batch, SPIRALS_AXES);
    for (size_t i = 0; i < RING; i++)
        job->ring[i] = (struct batch){new_matrix(batch, SPIRALS_AXES), new_matrix(batch, 1)};

    for (size_t i = 0; i < PARAMETERS; i++) {
        bool bias = i % 2;
        size_t rows = bias ? 1 : widths[i / 2], cols = widths[i / 2 + 1];
        snprintf(job->parameters.names[i], sizeof job->parameters.names[i], "%c%zu",
                 bias ? 'b' : 'w', i / 2 + 1);
        job->parameters.velocities[i] = new_matrix(rows, cols);
        struct matrix value = job->parameters.values[i] = new_matrix(rows, cols);
        for (size_t j = 0; !bias && j < rows * cols; j++)
            value.data[j] = random_normal(&random) / (float)rows * 4.0f;
    }
    build_batch(job);
    build_train(job);
    build_update(job);
    build_evaluate(job);
}

static void release(struct job *job)
{
    struct function *functions[] = {&job->batch, &job->train, &job->update, &job->evaluate};
    struct matrix *matrices[] = {&job->points,        &job->labels, &job->unseen,
                                 &job->unseen_labels, &job->chosen, &job->noise};

    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        function_release(functions[i]);
    for (size_t i = 0; i < sizeof matrices / sizeof *matrices; i++)
        free(matrices[i]->data);
    for (size_t i = 0; i < RING; i++) {
        free(job->ring[i].points.data);
        free(job->ring[i].labels.data);
    }
    for (size_t i = 0; i < PARAMETERS; i++) {
        free(job->parameters.values[i].data);
        free(job->parameters.velocities[i].data);
    }
}

/* ------------------------------------------------------------------------------------- threads */

/* Waits until the ring has space. Returns false if the job stops instead. Once full, the ring is
 * left alone until half of it is used, so that the loader wakes for several batches at a time. */
static bool wait_for_room(struct job *job)
{
    pthread_mutex_lock(&job->lock);
    if (job->made - job->used == RING)
        while (!job->stop && job->made - job->used > RING / 2)
            pthread_cond_wait(&job->moved, &job->lock);
    bool stop = job->stop;
    pthread_mutex_unlock(&job->lock);
    return !stop;
}

/* Waits until the ring has a batch. Returns false if the job stops instead. */
static bool wait_for_batch(struct job *job)
{
    pthread_mutex_lock(&job->lock);
    while (!job->stop && job->made == job->used)
        pthread_cond_wait(&job->moved, &job->lock);
    bool stop = job->stop;
    pthread_mutex_unlock(&job->lock);
    return !stop;
}

static void *load(void *argument)
{
    struct job *job = argument;
    struct random random = {job->settings.seed ^ 0x10ad};

    proftop_thread_name(job->feed, "loader");
    function_warm(&job->batch);
    for (uint64_t step = 0; !job->settings.steps || step < job->settings.steps; step++) {
        if (!wait_for_room(job))
            break;
        for (size_t i = 0; i < job->chosen.rows; i++)
            job->chosen.data[i] = (float)(random_next(&random) % POINTS);
        for (size_t i = 0; i < job->noise.rows * job->noise.cols; i++)
            job->noise.data[i] = random_normal(&random);
        function_run(&job->batch, &job->loader);

        struct batch *batch = &job->ring[step % RING];
        const struct matrix *points = &job->batch.outputs[0]->value;
        const struct matrix *labels = &job->batch.outputs[1]->value;
        memcpy(batch->points.data, points->data, points->rows * points->cols * sizeof(float));
        memcpy(batch->labels.data, labels->data, labels->rows * sizeof(float));
        pthread_mutex_lock(&job->lock);
        job->made++;
        pthread_cond_signal(&job->moved);
        pthread_mutex_unlock(&job->lock);
    }
    return NULL;
}

/* Stores the values that the main thread prints. The lock must be held. */
static void note_progress(struct job *job, uint64_t steps, bool evaluated)
{
    job->steps = steps;
    job->evaluated = evaluated;
    job->loss = job->train.outputs[0]->value.data[0];
    job->accuracy = job->evaluate.outputs[0]->value.data[0];
    job->sureness = job->evaluate.outputs[1]->value.data[0];
}

static void *train(void *argument)
{
    struct job *job = argument;
    uint64_t step = 0;
    bool evaluated = false;

    proftop_thread_name(job->feed, "trainer");
    function_warm(&job->train);
    function_warm(&job->update);
    function_warm(&job->evaluate);
    while ((!job->settings.steps || step < job->settings.steps) && wait_for_batch(job)) {
        struct batch *batch = &job->ring[step % RING];
        job->train_points->value.data = batch->points.data;
        job->train_labels->value.data = batch->labels.data;
        function_run(&job->train, &job->trainer);
        function_run(&job->update, &job->trainer);
        if (++step % EVALUATE_EVERY == 0) {
            function_run(&job->evaluate, &job->trainer);
            evaluated = true;
        }
        pthread_mutex_lock(&job->lock);
        job->used++;
        note_progress(job, step, evaluated);
        pthread_cond_signal(&job->moved);
        pthread_mutex_unlock(&job->lock);
    }
    function_run(&job->evaluate, &job->trainer);

    pthread_mutex_lock(&job->lock);
    note_progress(job, step, true);
    job->done = true;
    pthread_mutex_unlock(&job->lock);
    kill(getpid(), SIGUSR1); /* wakes the main thread: only it handles this signal */
    return NULL;
}

static void print_progress(uint64_t steps, float loss, bool evaluated, float accuracy)
{
    if (!steps)
        printf("step 0\n");
    else if (!evaluated)
        printf("step %" PRIu64 "  loss %.4f\n", steps, (double)loss);
    else
        printf("step %" PRIu64 "  loss %.4f  accuracy %.1f %%\n", steps, (double)loss,
               (double)accuracy * 100);
    fflush(stdout);
}

/* Prints a line per second until the trainer is done; INT and TERM stop it. */
static void watch(struct job *job, const sigset_t *signals)
{
    const struct timespec second = {1, 0};
    bool done = false;

    while (!done) {
        int caught = sigtimedwait(signals, NULL, &second);
        bool timed_out = caught == -1 && errno == EAGAIN;
        pthread_mutex_lock(&job->lock);
        if (caught == SIGINT || caught == SIGTERM) {
            job->stop = true;
            pthread_cond_broadcast(&job->moved);
        }
        done = job->done;
        bool evaluated = job->evaluated;
        uint64_t steps = job->steps;
        float loss = job->loss, accuracy = job->accuracy;
        pthread_mutex_unlock(&job->lock);
        if (timed_out && !job->settings.quiet)
            print_progress(steps, loss, evaluated, accuracy);
    }
}

/* A checksum of all bits of all weights. */
static uint64_t digest(const struct parameters *parameters)
{
    struct random mix = {0};

    for (size_t i = 0; i < PARAMETERS; i++) {
        const struct matrix *value = &parameters->values[i];
        for (size_t j = 0; j < value->rows * value->cols; j++) {
            uint32_t bits;
            memcpy(&bits, &value->data[j], sizeof bits);
            mix.state = random_next(&mix) ^ bits;
        }
    }
    return random_next(&mix);
}

static void print_end(const struct job *job)
{
    const struct worker *workers[] = {&job->trainer, &job->loader};
    const char *const names[] = {"trainer", "loader"};

    if (!job->steps)
        printf("end: steps 0\n");
    else
        printf("end: steps %" PRIu64 ", loss %.6f, accuracy %.2f %%, sureness %.4f, "
               "weights %016" PRIx64 "\n",
               job->steps, (double)job->loss, (double)job->accuracy * 100, (double)job->sureness,
               digest(&job->parameters));
    if (job->settings.quiet)
        return;
    for (size_t i = 0; i < 2; i++)
        printf("%s: loop time %" PRIu64 " ns, calls %" PRIu64 "\n", names[i], workers[i]->loop_ns,
               workers[i]->calls);
    printf("loop time %" PRIu64 " ns, calls %" PRIu64 "\n",
           job->trainer.loop_ns + job->loader.loop_ns, job->trainer.calls + job->loader.calls);
}

static void run_threads(struct job *job, const sigset_t *signals)
{
    pthread_t loader, trainer;

    pthread_mutex_init(&job->lock, NULL);
    pthread_cond_init(&job->moved, NULL);
    if (pthread_create(&loader, NULL, load, job) || pthread_create(&trainer, NULL, train, job))
        graph_die("no thread can be started: raise the limit on processes");
    watch(job, signals);
    pthread_join(trainer, NULL);
    pthread_join(loader, NULL);
    pthread_cond_destroy(&job->moved);
    pthread_mutex_destroy(&job->lock);
}

static void read_settings(struct settings *settings, int count, char **words)
{
    *settings = (struct settings){.hidden = 64, .batch = 256, .seed = 1};
    const struct option_row rows[] = {
        {"steps", "N", OPTION_NUMBER, &settings->steps, 0, UINT64_MAX, "stop after N; 0: never"},
        {"hidden", "N", OPTION_NUMBER, &settings->hidden, 1, 4096, "width of the hidden layers"},
        {"batch", "N", OPTION_NUMBER, &settings->batch, 1, 65536, "points in a batch"},
        {"seed", "N", OPTION_NUMBER, &settings->seed, 0, UINT64_MAX, "of the random numbers"},
        {"truth", "FILE", OPTION_TEXT, &settings->truth, 0, 0, "write its own counts as JSON"},
        {"quiet", NULL, OPTION_FLAG, &settings->quiet, 0, 0, "print the result alone"},
        {0},
    };
    options_read(rows, "trains a small network and publishes what it runs", count, words);
}

/* Returns false, after a message, if the truth cannot be written. */
static bool save_truth(const struct job *job)
{
    if (!job->truth || !truth_write(job->truth, job->settings.truth))
        return true;
    fprintf(stderr, "train: the truth cannot be written to %s: %s\n", job->settings.truth,
            strerror(errno));
    return false;
}

int main(int count, char **words)
{
    static struct job job; /* large; the threads share it */
    struct proftop_options options = {.size = sizeof options, .framework = "example graph engine"};
    sigset_t signals;
    int status = 0;

    read_settings(&job.settings, count, words);
    /* Block the signals before any thread exists, so that only the main thread takes them. */
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);

    job.feed = proftop_open(&options);
    if (!proftop_is_on(job.feed) && !job.settings.quiet)
        fprintf(stderr, "train: not published: %s\n", proftop_reason(job.feed));
    if (job.settings.truth && !(job.truth = truth_new()))
        graph_die("out of memory for the truth");
    /* Empty for now. A wrong path is reported before the work, not after it. */
    if (!save_truth(&job))
        return 1;
    engine_init(&job.engine, job.feed, job.truth);
    build(&job);
    if (job.truth) {
        job.loader.truth = truth_thread_new(job.truth);
        job.trainer.truth = truth_thread_new(job.truth);
        if (!job.loader.truth || !job.trainer.truth)
            graph_die("out of memory for the truth");
    }
    run_threads(&job, &signals);
    print_end(&job);
    proftop_close(job.feed);
    if (!save_truth(&job))
        status = 1;
    truth_free(job.truth);
    release(&job);
    return status;
}
