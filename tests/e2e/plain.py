# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""plain.py: whatever a job's names, paths and words contain, our files and streams have no control
character for a terminal or an editor. No name breaks a line or a record. JSON keeps the exact names
for its readers."""
import json
import os
import subprocess
import sys
import tempfile
import unicodedata

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import shell  # noqa: E402
from shell import PROFTOP, WAIT, tap  # noqa: E402

JOB = os.path.abspath(tap.built("hostile_job"))
# A title, a colour, a C1 control; right-to-left override, an isolate, a line separator, a byte
# order mark, a tag beyond the first plane; line ends, and an invalid byte.
MARK = "SEVERED"  # follows a line end; it must never begin a line
WILD = ("\x1b]0;title\x07\x1b[31m\x9b2J\u202e\u2066\u2028\ufeff\U000e0041\x7f\r\n%s"
        % MARK).encode() + b"\xff\""
SHOWN = WILD.decode("utf-8", "replace")  # with JSON's replacement for the byte
OBEYED = ("Cc", "Cf", "Zl", "Zp")


class Hostile(shell.Job):
    def __init__(self, folder):
        self.folder = folder
        self.file = os.path.join(folder, "own.json")
        # The registry and the files are in a folder with such a name, too.
        self.place = os.path.join(os.fsencode(folder), b"a\x1b[1m\n" + MARK.encode())
        os.mkdir(self.place, 0o700)
        env = {os.fsencode(k): os.fsencode(v) for k, v in os.environ.items()}
        env.update({b"PROFTOP_DIR": self.place, b"LC_ALL": b"C.UTF-8", b"PROFTOP_KEYS": self.place})
        self.env = env
        super().__init__(env, JOB, WILD, self.file)

    def says(self, *words, code=(0,), **more):
        """The output of proftop for these words, which must be plain."""
        done = subprocess.run([PROFTOP, *map(os.fsencode, map(str_of, words))],
                              env={**self.env, **more}, capture_output=True, timeout=WAIT,
                              check=False)
        assert code is None or done.returncode in code, (words, done)
        for name, data in (("stdout", done.stdout), ("stderr", done.stderr)):
            is_plain((words, name), data)
        return done.stdout.decode()


def str_of(word):
    return word if isinstance(word, (bytes, str)) else str(word)


def is_plain(what, data):
    text = data.decode("utf-8")
    for at, character in enumerate(text):
        obeyed = unicodedata.category(character) in OBEYED and character not in "\n\t"
        assert not obeyed, (what, hex(ord(character)), text[max(at - 60, 0):at + 20])
    broken = [line for line in text.split("\n") if line.startswith(MARK)]
    assert not broken, (what, broken)


def file_is_plain(path):
    with open(path, "rb") as file:
        data = file.read()
    assert data, path
    is_plain(path, data)
    return data.decode()


scratch = tempfile.TemporaryDirectory()


def folder(name):
    path = os.path.join(scratch.name, name)
    os.mkdir(path)
    return path


def reports_are_plain():
    with Hostile(folder("reports")) as job:
        assert job.said == ["ready"], job.said
        report = json.loads(job.says("-b", "--format", "json", "-p", job.pid).split("\n")[0])
        for pane, key, what in (("functions", "name", "function"), ("applies", "name", "apply"),
                                ("counters", "name", "counter"), ("spans", "name", "task")):
            names = [row[key] for row in report[pane]]
            assert what + SHOWN in names, (pane, names)
        assert report["jobs"][0]["program"] == "program" + SHOWN, report["jobs"]
        assert any(notice["text"] == "notice" + SHOWN for notice in report["notices"])
        assert "function" in job.says("-b", "-p", job.pid)
        for words in (("--all",), ("--children", "-p", job.pid), ("--filter", WILD, "-p", job.pid),
                      *[("--pane", pane, "-p", job.pid)
                        for pane in ("class", "op", "apply", "line", "memory", "compile")],
                      *[("--format", name, "-p", job.pid)
                        for name in ("theano", "aesara", "pytensor", "profilemode", "csv", "md",
                                     "prom")]):
            assert job.says("-b", *words, code=None), words
        for name in ("out.txt", "out.json"):
            path = os.path.join(job.folder, name)
            job.says("-b", "-o", path, "--format", "json" if name.endswith("n") else "text", "-p",
                     job.pid)
            file_is_plain(path)
        saved = os.path.join(job.folder, "out.json")
        for words in ((saved, saved), (job.pid, saved)):
            for form in "text", "json":
                assert job.says("diff", "--format", form, *words, code=None)


def lists_are_plain():
    with Hostile(folder("lists")) as job:
        rows = [json.loads(line) for line in job.says("-l", "--format", "json").split("\n") if line]
        assert "program" + SHOWN in [row["program"] for row in rows], rows
        assert "program" in job.says("-l") and "program=" in job.says("-l", "--format", "info")
        for form in "text", "json":
            assert job.says("doctor", "--format", form, code=None)
            assert job.says("doctor", "-p", job.pid, "--format", form, code=None)
        for name in os.listdir(job.place):
            if name.endswith(b".info"):
                file_is_plain(os.path.join(job.place, name))


def dumps_are_plain():
    with Hostile(folder("dumps")) as job:
        for name in ("profile.json", "profile.txt"):
            path = os.path.join(job.folder, name)
            job.says("ctl", "dump", path, "-p", job.pid)
            text = file_is_plain(path)
            assert "op" in text
            if name.endswith("json"):
                saved = json.loads(text)["proftop"]
                assert saved["applies"][0]["op"] == "op" + SHOWN, saved["applies"]
        assert "Profile Statistics" in job.says("ctl", "dump", "-", "-p", job.pid)
        plainer = WILD.replace(b"/", b"").replace(b"\n", b"")
        job.says("ctl", "dump", os.path.join(job.folder.encode(), plainer), "-p", job.pid)
        assert os.path.exists(os.path.join(job.folder.encode(), plainer))
        job.process.stdin.write("dump\n")
        job.process.stdin.flush()
        table = ""
        while not table.endswith("done\n"):
            line = job.process.stdout.readline()
            assert line, table
            table += line
        assert "Profile Statistics" in table, table
        is_plain("dumps", table.encode())
        assert json.loads(file_is_plain(job.file))["proftop"]["applies"][0]["op"] == "op" + SHOWN


def sentences_are_plain():
    """Each sentence quotes the given word, on one line."""
    wild = WILD.replace(b"/", b"")
    with Hostile(folder("sentences")) as job:
        path = os.path.join(job.place, b"none", wild)
        for words in ((wild,), ("-p", wild), ("--sort", wild, "-b", "-p", job.pid), ("--" , wild),
                      (b"--" + wild,), ("-b", "-o", path, "-p", job.pid), ("diff", path, path),
                      ("keygen", wild), ("keygen",), ("keygen",), ("--role", wild, "ctl", "pause"),
                      ("ctl", wild), ("ctl", "dump", path, "-p", job.pid),
                      ("ctl", "functions", wild, "-p", job.pid),
                      ("ctl", "set_config", wild, "-p", job.pid), (b"ipc://" + path,),
                      (b"tcp://" + wild + b":1",), ("doctor", "--", wild),
                      ("run", "-b", "--", wild), ("-b", "--key", wild, "tcp://127.0.0.1:1"),
                      ("-b", "--function", wild, "-p", job.pid),
                      ("-b", "--alias", wild + b"=" + wild, "-p", job.pid),
                      ("-b", "--pane", wild, "-p", job.pid)):
            job.says(*words, "--wait", "0.2", code=None)
        for name in (b"PROFTOP_DIR", b"PROFTOP_ADAPTERS", b"PROFTOP_KEYS", b"TMPDIR"):
            for value in (path, os.path.join(job.place, b"keys"), wild):
                for words in (("-l",), ("doctor",), ("keygen",), ("-b", "--wait", "0.2"),
                              ("run", "-b", "--wait", "0.2", "--", "true")):
                    job.says(*words, code=None, **{name.decode(): value})


tap.run(reports_are_plain, lists_are_plain, dumps_are_plain, sentences_are_plain)
