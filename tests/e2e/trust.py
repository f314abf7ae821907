# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""trust.py: what belongs to another user is neither loaded nor obeyed: the environment of a program
that has more rights than its caller, and code beside a program of ours. docs/security.md says
why."""
import contextlib
import os
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import shell  # noqa: E402
from shell import PROFTOP, WAIT, tap  # noqa: E402
from proc import listening_ports  # noqa: E402

FOREIGN = 65534  # users that are not ours: the one who calls,
OWNER = 65533  # and the one whose rights the program has that he calls
SANITIZE = shlex.split(os.environ.get("SANITIZE_FLAGS", ""))


def need_root():
    if os.geteuid() != 0:
        raise tap.Skip("only root can be several users")


@contextlib.contextmanager
def open_folder():
    """A folder that all can enter, whatever the umask."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        yield folder


def as_user(user):
    """For a process that is about to begin."""
    def become():
        os.setgroups([])
        os.setgid(user)
        os.setuid(user)
    return become


# ------------------------------------------------------------------- programs with more rights

OPENS = """
#include <proftop.h>
#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    struct proftop_options options = {.size = sizeof options, .program = argv[0]};
    options.flags = argc > 1 ? PROFTOP_IF_ASKED : 0;
    struct proftop *feed = proftop_open(&options);
    printf("%d %d %s\\n", (int)geteuid(), proftop_is_on(feed), proftop_reason(feed));
    fflush(stdout);
    while (getchar() != EOF)
        continue;
    proftop_close(feed);
    return 0;
}
"""


def make_programs(folder):
    """One that links libproftop and one that loads it, which lies beside them."""
    libraries = tap.built(".libs")
    for name in os.listdir(libraries):
        if name.startswith("libproftop") and ".so" in name:
            shutil.copyfile(os.path.join(libraries, name), os.path.join(folder, name))
    source = os.path.join(folder, "opens.c")
    with open(source, "w", encoding="ascii") as file:
        file.write(OPENS)
    forms = (("linked", ["-L" + folder, "-lproftop"]), ("loaded", ["-DPROFTOP_DYNAMIC"]))
    for name, words in forms:
        program = os.path.join(folder, name)
        subprocess.run([*tap.CC, "-std=gnu11", "-Wall", *SANITIZE, "-I" + tap.source("feed"), "-o",
                        program, source, *words, "-Wl,-rpath," + folder, "-pthread"], check=True,
                       timeout=WAIT)
        os.chown(program, OWNER, OWNER)
        os.chmod(program, 0o4755)
        yield program


def what_is_there(place):
    return sorted(os.path.join(where, name) for where, folders, names in os.walk(place)
                  for name in (*folders, *names))


def a_setuid_program_takes_nothing_from_its_caller():
    """Not that a feed is asked for, nor where its files go, nor that it listens."""
    need_root()
    own = "/tmp/proftop-%d" % OWNER
    was = os.path.exists(own)
    with open_folder() as folder:
        if os.statvfs(folder).f_flag & os.ST_NOSUID:
            raise tap.Skip("%s is mounted nosuid" % folder)
        theirs = os.path.join(folder, "theirs")
        os.mkdir(theirs)
        os.chmod(theirs, 0o1777)
        env = {"PATH": os.environ["PATH"], "PROFTOP": "1", "PROFTOP_RUN": "0" * 32,
               "PROFTOP_DIR": theirs + "/jobs", "XDG_RUNTIME_DIR": theirs, "TMPDIR": theirs,
               "HOME": theirs, "PROFTOP_KEYS": theirs + "/keys", "PROFTOP_INSECURE": "1",
               "PROFTOP_BIND": "tcp://127.0.0.1:*", "SLURM_PROCID": "3", "SLURM_NTASKS": "8"}
        try:
            for program in make_programs(folder):
                for words, on in (("asked",), "0"), ((), "1"):
                    with subprocess.Popen([program, *words], env=env, preexec_fn=as_user(FOREIGN),
                                          stdin=subprocess.PIPE, stdout=subprocess.PIPE) as job:
                        said = job.stdout.readline().decode().split(None, 2)
                        if said[0] == str(FOREIGN):
                            raise tap.Skip("this process may gain no rights by exec")
                        assert said[:2] == [str(OWNER), on], said
                        assert on == "1" or said[2].startswith("nobody asked"), said
                        assert on == "0" or listening_ports(job.pid) == []
                        names = os.listdir(own) if on == "1" else []
                        assert on == "0" or any(name.startswith("%d-" % job.pid) for name in names)
                        for name in names:
                            if name.endswith(".info") and name.startswith("%d-" % job.pid):
                                with open(os.path.join(own, name), encoding="ascii") as file:
                                    text = file.read()
                                assert "rank=" not in text and "run=" not in text, text
                        job.stdin.close()
                        assert job.wait(WAIT) == 0
                assert what_is_there(theirs) == [], (program, what_is_there(theirs))
        finally:
            if not was:
                shutil.rmtree(own, ignore_errors=True)


tap.run(a_setuid_program_takes_nothing_from_its_caller)
