# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""apart.py: the loop of a feed, and libzmq, are in a separate library. libproftop loads it only for
a feed that is on, from its own folder, and only from the same build. Without it a feed is off."""
import ctypes
import glob
import os
import re
import shutil

import adopting
from adopting import compile_c, do, environment, here, linked, path, tap

LOOP = os.path.basename(glob.glob(os.path.join(adopting.LIBRARIES, "libproftop-feed-*.so"))[0])
SIZE = 512  # of the buffer for a reason


def said(*words, library=adopting.LIBRARIES, **more):
    """The program's output as a table."""
    program = path("loaded")
    if not os.path.exists(program):
        compile_c("loaded", here("loaded.c"), *linked(), standard="gnu99")
    out = do(program, *words, env=environment(library=library, **{"PROFTOP": "1", **more}),
             cwd=os.path.dirname(adopting.LIBRARIES))
    return dict(re.findall(r"^(\w+) (.*)$", out, re.M))


def alone(name, *loop):
    """A folder with libproftop, and a given file in place of its loop."""
    folder = path(name)
    os.makedirs(folder)
    shutil.copy(os.path.join(adopting.LIBRARIES, "libproftop.so.0"), folder)
    for text in loop:
        with open(path(name + ".c"), "w", encoding="utf-8") as file:
            file.write(text)
        compile_c(os.path.join(name, LOOP), "-shared", "-fPIC", path(name + ".c"))
    return folder


def it_is_loaded_for_a_feed():
    assert said() == {"on": "1", "zmq": "1", "loop": "1"}


def a_feed_that_is_off_loads_nothing():
    off = said(PROFTOP="0")
    assert "PROFTOP=0" in off.pop("reason"), off
    assert off == {"on": "0", "zmq": "0", "loop": "0"}


def it_lies_beside_libproftop():
    """Also if libproftop was loaded by a relative path that is no longer valid."""
    assert said("away") == {"on": "1", "zmq": "1", "loop": "1"}
    assert said("away", library=".libs")["on"] == "1"


def no_descriptor_is_needed():
    """The feed's thread has descriptors of its own."""
    assert said("full")["on"] == "1"


def without_it_a_feed_is_off():
    off = said(library=alone("alone"))
    assert re.match(r"the feed's library cannot be loaded: .*%s" % re.escape(LOOP),
                    off.pop("reason")), off
    assert off == {"on": "0", "zmq": "0", "loop": "0"}


def library_writable_by_others_is_not_loaded():
    """As in a folder like /tmp, where a file beside libproftop may be another user's."""
    folder = alone("shared")
    loop, library = os.path.join(folder, LOOP), os.path.join(folder, "libproftop.so.0")
    shutil.copy(os.path.join(adopting.LIBRARIES, LOOP), loop)
    cases = [(0o755, None, None, True), (0o757, None, None, False), (0o775, None, None, False),
             (0o775, 0o775, None, True)]
    if os.geteuid() == 0:
        cases.append((0o755, None, 65534, False))
    for mode, librarys, owner, good in cases:
        os.chmod(loop, mode)
        os.chmod(library, librarys or 0o755)
        if owner:
            os.chown(loop, owner, owner)
        found = said(library=folder)
        assert found["on"] == "01"[good], (oct(mode), owner, found)
        assert good or re.match(r"/.*%s is not loaded: others" % re.escape(LOOP),
                                found["reason"]), found


def loop_of_another_build_is_refused():
    """Either way: our loop refuses a core of another size, and libproftop refuses another loop."""
    loop = ctypes.CDLL(os.path.join(adopting.LIBRARIES, LOOP)).proftop_feed_loop \
        if not adopting.SANITIZE else None
    if loop is not None:
        loop.restype = ctypes.c_bool
        loop.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p]
        why = ctypes.create_string_buffer(SIZE)
        assert not loop(None, 1, why)
        assert b"is not of libproftop's build" in why.value, why.value
    folder = alone("other", "#include <stdio.h>\n"
                   "int proftop_feed_loop(void *core, unsigned long size, char *why);\n"
                   "int proftop_feed_loop(void *core, unsigned long size, char *why)\n"
                   '{ return core && sprintf(why, "asked for %lu", size) < 0; }\n')
    off = said(library=folder)
    assert re.match(r"asked for \d{4,}$", off.pop("reason")), off
    assert off == {"on": "0", "zmq": "0", "loop": "1"}


# In a sanitized build the feed's thread shares the program's descriptors.
tap.run(it_is_loaded_for_a_feed, a_feed_that_is_off_loads_nothing, it_lies_beside_libproftop,
        *([] if adopting.SANITIZE else [no_descriptor_is_needed]),
        without_it_a_feed_is_off, library_writable_by_others_is_not_loaded,
        loop_of_another_build_is_refused)
