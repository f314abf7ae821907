# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""completion.py: bash, zsh and fish complete the options of proftop, their values, commands and
controls."""
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import shell  # noqa: E402
from shell import PROFTOP, WAIT, tap  # noqa: E402

# A line, and what its last word may be completed to; the second list may not be among them.
LINES = (
    ("proftop --color ", ["auto", "never", "8", "256"], ["--color"]),
    ("proftop --co", ["--color", "--count"], ["--pane"]),
    ("proftop --pane m", ["memory"], ["class"]),
    ("proftop --sort perc", ["percent"], ["calls"]),
    ("proftop do", ["doctor"], ["run"]),
    ("proftop ctl pa", ["pause"], ["resume"]),
    ("proftop -b --format mx", ["mxnet", "mxnet-json"], ["json"]),
)
scratch = tempfile.TemporaryDirectory()
os.environ.update(PROFTOP_DIR=scratch.name, XDG_RUNTIME_DIR=scratch.name, LC_ALL="C.UTF-8",
                  HOME=scratch.name, PATH=os.path.dirname(PROFTOP) + ":" + os.environ["PATH"])


def script_of(name):
    """The path of the completion of a shell."""
    path = os.path.join(scratch.name, "_proftop" if name == "zsh" else "proftop." + name)
    with open(path, "wb") as file:
        file.write(subprocess.run([PROFTOP, "--print-completion", name], check=True, timeout=WAIT,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE).stdout)
    return path


def needs(name):
    if shutil.which(name) is None:
        raise tap.Skip("there is no %s (Debian: %s)" % (name, name))


def printed(*words):
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=WAIT, check=False)
    assert done.returncode == 0 and not done.stderr, done
    return done.stdout.split("\n")


def bash_completes():
    needs("bash")
    path = script_of("bash")
    for line, among, others in LINES:
        words = line.split(" ")
        found = printed("bash", "-c", 'source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); '
                        '_proftop; printf "%s\\n" "${COMPREPLY[@]}"', path, *words)
        assert set(among) <= set(found) and not set(others) & set(found), (line, found)
    # Behind run stands another command.
    found = printed("bash", "-c", 'source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); '
                    '_proftop; printf "%s\\n" "${COMPREPLY[@]}"', path, "proftop", "run", "-o", "x",
                    "bas")
    assert "bash" in found and "--batch" not in found, found


def fish_completes():
    needs("fish")
    path = script_of("fish")
    for line, among, others in LINES:
        found = [word.split("\t")[0] for word in printed(
            "fish", "--no-config", "-c", "source %s; complete -C '%s'" % (path, line))]
        assert set(among) <= set(found) and not set(others) & set(found), (line, found)


class Zsh:
    """A zsh in a terminal, which shows lists of completions at once."""
    PROMPT = "=>>> "

    def __init__(self):
        self.read = ""
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.execvpe("zsh", ["zsh", "-f", "-i"], dict(os.environ, TERM="dumb", COLUMNS="200"))
        self.say("PS1='=>''>> '; LISTMAX=10000; fpath=(%s $fpath); autoload -Uz compinit && "
                 "compinit -u -D; zstyle ':completion:*' list-prompt ''\n" % scratch.name)
        self.until(self.PROMPT)

    def say(self, text):
        os.write(self.terminal, text.encode())

    def until(self, text):
        """Reads to this text. Returns everything before it."""
        while text not in self.read:
            ready, _, _ = select.select([self.terminal], [], [], WAIT)
            assert ready, (text, self.read)
            self.read += os.read(self.terminal, 65536).decode("utf-8", "replace").replace("\r", "")
        before, _, self.read = self.read.partition(text)
        return before

    def end(self):
        os.close(self.terminal)
        os.waitpid(self.pid, 0)


def zsh_completes():
    needs("zsh")
    script_of("zsh")
    zsh = Zsh()
    try:
        for line, among, others in LINES:
            if len(among) == 1:  # inserted by Tab; a list is shown by ^D
                zsh.say(line + "\t")
                zsh.until(line.rpartition(" ")[0] + " " + among[0])
                zsh.say("\x15\n")
            else:
                zsh.say(line + "\x04")
                found = zsh.until("\n" + zsh.PROMPT + line.strip())  # shown again behind the list
                zsh.say("\x15\n")
                words = re.findall(r"[\w-]+", found.replace(line.strip(), ""))
                assert set(among) <= set(words) and not set(others) & set(words), (line, found)
            zsh.until(zsh.PROMPT)
    finally:
        zsh.end()


tap.run(bash_completes, fish_completes, zsh_completes)
