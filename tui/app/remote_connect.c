/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * remote_connect.c: connects to the named machines.
 */
#include "config.h"

#include "tui/app/remote_connect.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "feed/viewer/remote/slurm.h"
#include "tui/app/app.h"
#include "tui/cli/sentence.h"

/* With --wait, machines are waited for as long as it says, but at least LEAST_S, the time ssh needs
 * to begin. Without --wait: PATIENCE_S, or without limit if ssh may ask for a password. The screen
 * adds machines that answer later. */
enum { PATIENCE_S = 30, LEAST_S = 5 };

/* True if there is a terminal. ssh asks on the terminal, wherever proftop's own streams lead. */
static bool has_terminal_to_ask(void)
{
    int fd = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

static int begin(struct tui_session *session, bool quiet, char *why, size_t capacity)
{
    const struct tui_options *options = session->options;
    for (unsigned i = 0; i < options->host_count; i++)
        if (!viewer_tunnel_host(options->hosts[i], why, capacity))
            return TUI_EXIT_USAGE;
    if (!options->slurm) {
        session->remote =
            viewer_machines_new(options->hosts, options->host_count, quiet, why, capacity);
        return session->remote ? TUI_EXIT_FINE : TUI_EXIT_NO_JOB;
    }
    struct viewer_nodes nodes;
    if (!viewer_slurm_nodes(options->slurm, &nodes, why, capacity))
        return TUI_EXIT_NO_JOB;
    const char **names = calloc(nodes.count, sizeof *names);
    for (size_t i = 0; names && i < nodes.count; i++)
        names[i] = nodes.name[i];
    if (names)
        session->remote = viewer_machines_new(names, nodes.count, quiet, why, capacity);
    else
        snprintf(why, capacity, "there is no memory left for the nodes of the job");
    if (session->remote)
        viewer_machines_batch(session->remote, nodes.batch);
    free(names);
    viewer_nodes_release(&nodes);
    return session->remote ? TUI_EXIT_FINE : TUI_EXIT_NO_JOB;
}

/* Prints the machines that have no jobs to show, with the reason. The list (-l) prints them
 * itself. */
static void print_troubles(const struct viewer_machines *remote)
{
    const char *trouble;
    for (size_t i = 0; (trouble = viewer_machines_trouble(remote, i)) != NULL; i++)
        if (*trouble)
            tui_sentence(stderr, "proftop: %s", trouble);
}

int tui_remote_open(struct tui_session *session)
{
    char why[512] = "";
    bool quiet = !has_terminal_to_ask();
    const struct tui_options *options = session->options;
    const uint64_t least_ns = LEAST_S * (uint64_t)TUI_NS_PER_S;
    const uint64_t wait_ns = options->wait_ns > least_ns ? options->wait_ns : least_ns;
    const uint64_t patience_ns =
        options->wait_given ? wait_ns : PATIENCE_S * (uint64_t)TUI_NS_PER_S;
    uint64_t begun_ns = session->now_ns;
    int code = begin(session, quiet, why, sizeof why);
    const bool patient = !quiet && !options->wait_given; /* a password may be being typed */
    while (code == TUI_EXIT_FINE && !viewer_machines_settled(session->remote)) {
        unsigned events = tui_session_wait(session, false,
                                           patient ? session->now_ns + TUI_NS_PER_S
                                                   : begun_ns + patience_ns);
        if (events & TUI_EVENT_QUIT)
            code = 128 + session->signal;
        if (events & TUI_EVENT_STOP)
            raise(SIGSTOP);
        if (patient || session->now_ns - begun_ns < patience_ns)
            continue;
        viewer_machines_give_up(session->remote, (double)patience_ns / TUI_NS_PER_S);
        break;
    }
    if (code == TUI_EXIT_FINE && *viewer_machines_hopeless(session->remote)) {
        snprintf(why, sizeof why, "%s", viewer_machines_hopeless(session->remote));
        code = TUI_EXIT_NO_JOB;
    } else if (code == TUI_EXIT_FINE && options->command != TUI_COMMAND_LIST) {
        print_troubles(session->remote);
    }
    if (*why)
        tui_sentence(stderr, "proftop: %s", why);
    return code;
}
