/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * found_job.c: a job to find, with a worker on request: found_job [fork | exec | start COMMAND...].
 * Each process prints its pid, or the reason why its feed is off, and works until stdin ends.
 */
#include <poll.h>
#include <proftop.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../fork.h"

static struct proftop *feed;
static proftop_id function, apply;

static void publish(const char *program)
{
    static struct proftop_function_info f;
    static struct proftop_apply_info a;
    struct proftop_options options = {.size = sizeof options, .program = program};
    feed = proftop_open(&options);
    f.size = sizeof f;
    f.name = "step";
    a.size = sizeof a;
    a.function = function = proftop_function(feed, &f);
    a.op = proftop_op(feed, proftop_class(feed, "Dot"), "dot");
    apply = proftop_apply(feed, &a);
    if (proftop_is_on(feed))
        printf("%ld\n", (long)getpid());
    else
        printf("%s\n", proftop_reason(feed));
    fflush(stdout);
}

static void work(void)
{
    struct pollfd end = {.fd = STDIN_FILENO, .events = POLLIN};
    while (poll(&end, 1, 1) == 0) {
        struct proftop_token call = proftop_call_begin(feed, function);
        struct proftop_token token = proftop_begin(feed, apply);
        proftop_end(feed, apply, token);
        proftop_call_end(feed, function, call);
    }
    proftop_close(feed);
}

int main(int count, char **words)
{
    const char *how = count > 1 ? words[1] : "";
    publish(strcmp(how, "worker") == 0 ? how : "found");
    const bool starts = strcmp(how, "start") == 0;
    const bool forks = starts || strcmp(how, "fork") == 0 || strcmp(how, "exec") == 0;
    pid_t child = forks ? fork_beside_threads() : -1;
    if (child == 0) {
        if (starts)
            execv(words[2], words + 2);
        if (strcmp(how, "exec") == 0)
            execl(words[0], words[0], "worker", (char *)NULL);
        proftop_close(feed);
        publish("worker");
    }
    work();
    if (child > 0)
        waitpid(child, NULL, 0);
    return 0;
}
