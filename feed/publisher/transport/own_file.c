/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * own_file.c: recognises files that this process made by their device and inode.
 */
#include "config.h"

#include "feed/publisher/transport/own_file.h"

#include <sys/stat.h>
#include <unistd.h>

void publisher_own_file_note(struct publisher_own_file *file)
{
    struct stat st;
    bool there = lstat(file->path, &st) == 0;
    file->device = there ? st.st_dev : 0;
    file->inode = there ? st.st_ino : 0;
}

bool publisher_own_file_stands(const struct publisher_own_file *file)
{
    struct stat st;
    return lstat(file->path, &st) == 0 && st.st_dev == file->device && st.st_ino == file->inode;
}

void publisher_own_file_remove(const struct publisher_own_file *file)
{
    if (publisher_own_file_stands(file))
        unlink(file->path);
}
