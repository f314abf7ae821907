# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""trust.py: files of another user are neither loaded nor obeyed: the environment of a program with
more rights than its caller, and code beside our program. For the reasons see docs/security.md."""
import contextlib
import os
import shlex
import shutil
import struct
import socket
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import shell  # noqa: E402
from shell import PROFTOP, WAIT, tap  # noqa: E402
from proc import listening_ports  # noqa: E402

FOREIGN = 65534  # other users: the caller,
OWNER = 65533  # and the owner of the program, whose rights it has
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
    """For a process about to start."""
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
/* Sanitizers look into /proc/self, which a setuid program may not: so for leaks, and options. */
int __lsan_is_turned_off(void) { return 1; }
const char *__tsan_default_options(void) { return "ignore_noninstrumented_modules=1"; }
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
    """One program links libproftop, and one loads it; the library is beside them."""
    libraries = tap.built(".libs")
    for name in os.listdir(libraries):
        if name.startswith("libproftop") and ".so" in name:
            shutil.copyfile(os.path.join(libraries, name), os.path.join(folder, name))
    source = os.path.join(folder, "opens.c")
    with open(source, "w", encoding="ascii") as file:
        file.write(OPENS)
    forms = (("linked", ["-L" + folder, "-lproftop"]), ("loaded", ["-DPROFTOP_DYNAMIC"]))
    # A path that also applies to libraries that libasan's dlopen() loads.
    path = "-Wl,--disable-new-dtags,-rpath," + folder
    for name, words in forms:
        program = os.path.join(folder, name)
        subprocess.run([*tap.CC, "-std=gnu11", "-Wall", *SANITIZE, "-I" + tap.source("include"),
                        "-I" + tap.built("include"), "-o", program, source, *words, path,
                        "-pthread"], check=True, timeout=WAIT)
        os.chown(program, OWNER, OWNER)
        os.chmod(program, 0o4755)
        yield program


def paths_below(place):
    return sorted(os.path.join(where, name) for where, folders, names in os.walk(place)
                  for name in (*folders, *names))


def a_setuid_program_takes_nothing_from_its_caller():
    """The caller's environment cannot request a feed, choose its directory, or make it listen."""
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
                assert paths_below(theirs) == [], (program, paths_below(theirs))
        finally:
            if not was:
                shutil.rmtree(own, ignore_errors=True)


# ------------------------------------------------------------------- what lies beside a program

HOOK = """
import os
with open(%r, "w") as file:
    file.write("ran as %%d" %% os.geteuid())
"""


class Shared:
    """A copy of the program in a folder that others can write to, with files of theirs beside
    it."""

    def __init__(self, folder):
        self.folder, self.ran = folder, os.path.join(folder, "ran")
        self.top = os.path.join(folder, "top")
        os.makedirs(os.path.join(self.top, "bin"))
        self.program = os.path.join(self.top, "bin", "proftop")
        real = tap.built(".libs", "proftop")
        shutil.copy(real if os.path.exists(real) else PROFTOP, self.program)
        self.env = dict(os.environ, PROFTOP_DIR=os.path.join(folder, "jobs"))
        for name in ("PROFTOP_ADAPTERS", "PYTHONPATH"):
            self.env.pop(name, None)
        os.chmod(self.top, 0o777)

    def plant(self, place, owner=FOREIGN):
        """Adapters of another user."""
        home = os.path.join(self.top, place)
        for name, code in (("start/sitecustomize.py", "sitecustomize"),
                           ("proftop/payload.py", "payload"), ("proftop/examine.py", "examine")):
            path = os.path.join(home, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="ascii") as file:
                file.write(HOOK % (self.ran + "." + code))
        for where, folders, names in os.walk(os.path.join(self.top, place.split("/", 1)[0])):
            for name in (".", *folders, *names):
                os.chown(os.path.join(where, name), owner, owner)
        return home

    def runs(self, *words, **more):
        """The program's output; it must not have run any file of other users."""
        done = subprocess.run([self.program, *words], env={**self.env, **more}, timeout=WAIT,
                              capture_output=True, text=True, check=False)
        there = [name for name in os.listdir(self.folder) if name.startswith("ran")]
        assert not there, (words, there, done.stderr)
        return done


@contextlib.contextmanager
def shared():
    need_root()
    with open_folder() as folder:
        yield Shared(folder)


SHOW_PATH = "-c", "import os; print(os.environ.get('PYTHONPATH', ''))"


def adapters_of_others_are_not_put_into_a_path():
    for place in ("libexec/proftop/python", "bin/adapters/python"):
        with shared() as w:
            home = w.plant(place)
            theirs = "%s belongs to user %d, neither to root nor to this user" % (
                os.path.join(w.top, place.split("/")[0]), FOREIGN)
            done = w.runs("run", "-b", "--wait", "1", "--", sys.executable, *SHOW_PATH)
            assert w.top not in done.stdout, done
            assert "%s can be written by everybody" % w.top in done.stderr, done.stderr
            assert "the command runs without them" in done.stderr, done.stderr
            os.chmod(w.top, 0o755)  # still owned by them
            done = w.runs("run", "-b", "--wait", "1", "--", sys.executable, *SHOW_PATH)
            assert w.top not in done.stdout and theirs in done.stderr, done
            done = w.runs("run", "-b", "--wait", "1", "--", sys.executable, *SHOW_PATH,
                          PROFTOP_ADAPTERS=home)
            assert w.top not in done.stdout and theirs in done.stderr, done
            assert theirs in w.runs("doctor").stdout
            done = w.runs("doctor", "--", sys.executable)
            assert theirs in done.stdout + done.stderr, done


def nor_are_those_that_would_find_their_library():
    """The extension looks for libproftop relative to its own place: in `lib`, which anybody may
    create, or has created, in a folder like /tmp."""
    with shared() as w:
        home = w.plant("libexec/proftop/python", owner=0)
        os.chmod(w.top, 0o1777)
        lib = os.path.join(w.top, "lib")
        for owner, says in (None, "%s can be written by everybody (mode 1777)" % w.top), \
                (FOREIGN, "%s belongs to user %d" % (lib, FOREIGN)), (0, None):
            if owner is not None:
                os.makedirs(lib, exist_ok=True)
                with open(os.path.join(lib, "libproftop.so.0"), "wb"):
                    pass
                os.chown(lib, owner, owner)
            done = w.runs("run", "-b", "--wait", "1", "--", sys.executable, "-S", *SHOW_PATH)
            assert (home in done.stdout) == (says is None), done
            assert says is None or says in done.stderr, done


def nor_is_a_process_entered_by_them():
    with shared() as w, subprocess.Popen(
            [sys.executable, "-c", "print(flush=True); input()"], env=w.env,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE) as job:
        job.stdout.readline()
        os.chmod(w.top, 0o755)
        inject = os.path.join(w.top, "libexec", "proftop", "proftop-inject")
        os.makedirs(os.path.dirname(inject))
        with open(inject, "w", encoding="ascii") as file:
            file.write("#!/bin/sh\necho ran >%s.inject\n" % w.ran)
        os.chmod(inject, 0o755)
        os.chown(inject, FOREIGN, FOREIGN)
        done = w.runs("-b", "-p", str(job.pid))
        shell.one_sentence(done, done.returncode, "proftop-inject, which attaches to processes, is "
                           "not used: %s belongs to user %d" % (inject, FOREIGN))
        assert done.returncode != 0
        shutil.copy(tap.built("proftop-inject"), inject)
        os.chown(inject, 0, 0)
        home = w.plant("libexec/proftop/python")
        for path in inject, os.path.dirname(inject), os.path.dirname(os.path.dirname(inject)):
            os.chown(path, 0, 0)
        done = w.runs("-b", "-p", str(job.pid))
        shell.one_sentence(done, done.returncode, "cannot be entered",
                           "%s belongs to user %d" % (home, FOREIGN))
        assert done.returncode != 0 and job.poll() is None
        job.stdin.close()


def nor_does_a_job_run_their_program():
    """`proftop.summary()` and `python -m proftop` run the program beside their adapters."""
    with shared() as w:
        home = os.path.join(w.top, "libexec", "proftop", "python", "proftop")
        os.makedirs(home)
        shutil.copy(tap.source("adapters", "python", "proftop", "public.py"), home)
        script = "import public; print(public.program())"
        for mode, owner, good in (0o755, 0, True), (0o757, 0, False), (0o755, FOREIGN, False):
            os.chmod(w.top, 0o755)
            os.chmod(w.program, mode)
            os.chown(w.program, owner, owner)
            done = subprocess.run([sys.executable, "-c", script], cwd=home, text=True,
                                  env=dict(w.env, PATH="/nowhere"), capture_output=True,
                                  timeout=WAIT, check=False)
            assert (done.returncode == 0) == good, done
            said = done.stdout if good else done.stderr
            assert w.program in said and (good or "is not run" in said), said


def both_checks_have_the_same_rules():
    """trust.c of the adapters and public.py of the program, in one folder: modes, owners and groups
    of a folder on the path to either."""
    with shared() as w:
        home = w.plant("libexec/proftop/python", owner=0)
        os.makedirs(os.path.join(w.top, "lib"))
        shutil.copy(tap.source("adapters", "python", "proftop", "public.py"),
                    os.path.join(home, "proftop"))
        for mode, owner, group, good in (
                (0o755, 0, 0, True), (0o775, 0, 0, True), (0o1777, 0, 0, True),
                (0o755, 0, FOREIGN, True), (0o775, 0, FOREIGN, False), (0o777, 0, 0, False),
                (0o755, FOREIGN, 0, False)):
            os.chown(w.top, owner, group)
            os.chmod(w.top, mode)
            loads = home in w.runs("run", "-b", "--wait", "1", "--", sys.executable, "-S",
                                   *SHOW_PATH).stdout
            done = subprocess.run([sys.executable, "-c", "import public; public.program()"],
                                  cwd=os.path.join(home, "proftop"), capture_output=True,
                                  env=dict(w.env, PATH="/nowhere"), timeout=WAIT, check=False)
            assert loads == (done.returncode == 0) == good, (oct(mode), owner, group, loads, done)


def access_list(*entries):
    """Packs (tag, permissions, id) entries in the kernel's format: acl(5)."""
    return struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)


def nor_one_that_an_access_list_lets_others_change():
    """Its mode lets the group of root write, which has no other members."""
    nobody = 2 ** 32 - 1
    with shared() as w:
        home = os.path.join(w.top, "libexec", "proftop", "python", "proftop")
        os.makedirs(home)
        shutil.copy(tap.source("adapters", "python", "proftop", "public.py"), home)
        os.chmod(w.top, 0o755)
        os.chown(w.program, 0, 0)
        os.chmod(w.program, 0o755)
        try:
            os.setxattr(w.program, "system.posix_acl_access", access_list(
                (0x01, 7, nobody), (0x02, 7, FOREIGN), (0x04, 5, nobody), (0x10, 7, nobody),
                (0x20, 5, nobody)))
        except OSError as error:
            raise tap.Skip("no access lists here: %s" % error) from error
        done = subprocess.run([sys.executable, "-c", "import public; public.program()"], cwd=home,
                              env=dict(w.env, PATH="/nowhere"), capture_output=True, text=True,
                              timeout=WAIT, check=False)
        assert done.returncode != 0 and "is not run" in done.stderr, done


tap.run(a_setuid_program_takes_nothing_from_its_caller,
        adapters_of_others_are_not_put_into_a_path,
        nor_are_those_that_would_find_their_library, nor_is_a_process_entered_by_them,
        nor_does_a_job_run_their_program, both_checks_have_the_same_rules,
        nor_one_that_an_access_list_lets_others_change)
