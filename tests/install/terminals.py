# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""terminals.py: the program of a wheel, with libc alone in an otherwise empty root: it knows the
usual terminals by itself, and names one that it does not know. PROFTOP_TEST_WHEEL names the
wheel."""
import os
import re
import shutil
import tempfile
import zipfile

from installing import ROW, SHOWS_S, do, need, on_terminal, tap

WHEEL = os.environ.get("PROFTOP_TEST_WHEEL")
KNOWN = ("xterm", "xterm-256color", "screen", "screen-256color", "tmux", "tmux-256color", "linux",
         "vt100")


def empty_root(folder):
    """The program, the job of the demo, and what they are linked with."""
    with zipfile.ZipFile(need(WHEEL, "the wheel")) as packed:
        packed.extractall(folder + "/unpacked")
    for where, _, names in os.walk(folder + "/unpacked"):
        for name in names:
            path = os.path.join(where, name)
            part = re.search(r"\.data/(?:data/(lib|libexec)|scripts)/", path + "/")
            if part and re.match(r"(proftop|proftop-demo|libproftop.*\.so.*)$", name):
                to = os.path.join(folder, "root", "usr", "bin" if not part[1] else
                                  os.path.relpath(path, path[:part.start(1)]))
                to = os.path.join(to, name) if not part[1] else to
                os.makedirs(os.path.dirname(to), exist_ok=True)
                shutil.copy(path, to)
                os.chmod(to, 0o755)
    root = folder + "/root"
    for program in ("bin/proftop", "libexec/proftop/proftop-demo"):
        said = do(["ldd", os.path.join(root, "usr", program)], SHOWS_S)
        for library in re.findall(r"(/\S+) \(0x", said):
            if not library.startswith(folder):
                os.makedirs(root + os.path.dirname(library), exist_ok=True)
                shutil.copy(library, root + library)
    for name in ("proc", "tmp", "dev"):
        os.makedirs(os.path.join(root, name))
    open(root + "/dev/null", "w", encoding="ascii").close()  # the machine's is mounted there
    return root


def usual_terminals_are_known_in_an_empty_root():
    with tempfile.TemporaryDirectory(prefix="proftop-empty-") as folder:
        root = empty_root(folder)
        files = [name for _, _, names in os.walk(root) for name in names]
        assert len(files) < 20 and not [name for name in files if "xterm" in name], files
        command = ["unshare", "--user", "--map-root-user", "--mount", "--pid", "--fork",
                   "--kill-child", "--mount-proc=%s/proc" % root, "sh", "-c",
                   'mount --bind /dev/null "$0/dev/null" && exec chroot "$0" "$@"', root]
        for name in KNOWN:
            seen = on_terminal([*command, "/usr/bin/proftop", "demo"], {"TERM": name})
            assert ROW in seen and b"\x1b[" in seen, (name, seen[-1000:])
        seen = on_terminal([*command, "/usr/bin/proftop", "demo"], {"TERM": "unheard-of"})
        assert b"unheard-of" in seen and ROW not in seen, seen[-1000:]


tap.run(usual_terminals_are_known_in_an_empty_root)
