/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * http_listen.h: the socket of the HTTP server, in the file system or over tcp.
 */
#ifndef TUI_CLI_HTTP_LISTEN_H
#define TUI_CLI_HTTP_LISTEN_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <sys/un.h>

struct tui_listen {
    int fd;
    char where[160];                                        /* for the user */
    char path[sizeof(((struct sockaddr_un *)0)->sun_path)]; /* "": over tcp */
    dev_t device;                                           /* of the socket in the file system */
    ino_t inode;
};

/* Opens a socket that does not block, see tui_http_open(). Returns false with a sentence. */
bool tui_listen_open(struct tui_listen *to, const char *where, bool anywhere, char *why,
                     size_t capacity);
/* Closes it, and removes its file if it is still its own. */
void tui_listen_close(struct tui_listen *listen);

/* True if the text can be an address for tui_listen_open(). */
bool tui_listen_is_address(const char *where);

#endif
