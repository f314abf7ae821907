/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * fuzz_http.c: judges any bytes as a request of HTTP. A verdict depends on the request alone, not
 * on what follows it; and only a request of the one path is good.
 */
#include "config.h"

#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "tui/cli/http_request.h"

static void check(bool good)
{
    if (!good)
        abort();
}

static const char *const statuses[] = {"200 OK",
                                       "400 Bad Request",
                                       "403 Forbidden",
                                       "404 Not Found",
                                       "405 Method Not Allowed",
                                       "431 Request Header Fields Too Large",
                                       "505 HTTP Version Not Supported"};

static bool is_status(const char *status)
{
    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++)
        if (strcmp(status, statuses[i]) == 0)
            return true;
    return false;
}

/* Returns the fewest bytes that are a whole request. */
static size_t least_whole(const char *bytes, size_t size, const struct tui_http_allowed *allowed)
{
    struct tui_http_verdict verdict;
    size_t least = 0, most = size;
    while (least < most) {
        const size_t middle = least + (most - least) / 2;
        if (tui_http_judge(bytes, middle, allowed, &verdict))
            most = middle;
        else
            least = middle + 1;
    }
    return least;
}

static void judge(const char *bytes, size_t size, const struct tui_http_allowed *allowed)
{
    struct tui_http_verdict verdict, least;
    if (!tui_http_judge(bytes, size, allowed, &verdict))
        return;
    check(is_status(verdict.status));
    check(verdict.status[0] != '2' ||
          (strncmp(bytes + strspn(bytes, " \t\v\f\r"), verdict.head ? "HEAD" : "GET", 3) == 0 &&
           memmem(bytes, size, allowed->path, strlen(allowed->path)) != NULL));
    const size_t whole = least_whole(bytes, size, allowed);
    check(whole > 0 && tui_http_judge(bytes, whole, allowed, &least));
    check(strcmp(least.status, verdict.status) == 0 && least.head == verdict.head);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct tui_http_allowed strict = {"/metrics", false}, any = {"/metrics", true};
    if (size > HTTP_REQUEST)
        size = HTTP_REQUEST;
    judge((const char *)data, size, &strict);
    judge((const char *)data, size, &any);
    return 0;
}
