/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * command_table.h: THE table of commands that change what a job collects. The API has each but
 * functions as proftop_NAME(); the wire, `proftop ctl` and the screen use the name itself. The
 * job's dispatch (publish/commands.c) and the viewer's parser, help, manual and list
 * (tui/cli/controls.c) are made from it.
 */
#ifndef FEED_SHARED_COMMAND_TABLE_H
#define FEED_SHARED_COMMAND_TABLE_H

/* Ways in which the viewer carries out a command. */
enum shared_command_way {
    SHARED_COMMAND_ASKS,   /* sends a request to the job's feed */
    SHARED_COMMAND_SHOWN,  /* same; takes no words, and the screen offers it too */
    SHARED_COMMAND_SAVES,  /* writes a file here: its words are not sent to the job */
    SHARED_COMMAND_ENTERS, /* attaches to the process itself, without a request to its feed */
};

/* Most words of a command on the command line, and most on the wire. */
enum { SHARED_COMMAND_WORDS = 24, SHARED_COMMAND_WIRE_WORDS = 22 };

/* COMMAND(name, names of its words on the command line, their least and most number, least and most
 * number of its words on the wire, help, the resulting state as said of a job, way) */
#define SHARED_COMMANDS(COMMAND)                                                                   \
    COMMAND(pause, "", 0, 0, 0, 0, "stop counting; the job itself goes on",                        \
            "is paused: it counts nothing until it is resumed", SHARED_COMMAND_SHOWN)              \
    COMMAND(resume, "", 0, 0, 0, 0, "end any number of pauses", "is not paused any more",          \
            SHARED_COMMAND_SHOWN)                                                                  \
    COMMAND(reset, "", 0, 0, 0, 0, "begin all counts anew, for every viewer",                      \
            "counts from 0 again", SHARED_COMMAND_SHOWN)                                           \
    COMMAND(set_state, "run|stop", 1, 1, 1, 1, "stop keeps totals and adds nothing until run",     \
            "is in that state", SHARED_COMMAND_ASKS)                                               \
    COMMAND(set_config, "KEY=VALUE ...", 1, SHARED_COMMAND_WORDS, 2, SHARED_COMMAND_WIRE_WORDS,    \
            "set keys of the collection (profile_api, dump_period, ...): all of them or none",     \
            "has these values", SHARED_COMMAND_ASKS)                                               \
    COMMAND(dump, "[FILE]", 0, 1, 0, 5,                                                            \
            "write here what it has counted: a trace if FILE ends in .json (profile.json), else "  \
            "a table",                                                                             \
            "", SHARED_COMMAND_SAVES)                                                              \
    COMMAND(functions, "[PATTERN,...]", 0, 1, 0, 1,                                                \
            "count only functions of these names, and what runs in them; without a pattern all",   \
            "counts these functions", SHARED_COMMAND_ASKS)

/* Commands that `proftop ctl` does not offer: `proftop trace` alone sends them. */
#define SHARED_MORE_COMMANDS(COMMAND) COMMAND(trace, "", 0, 0, 1, 2, "", "", SHARED_COMMAND_ASKS)

#endif
