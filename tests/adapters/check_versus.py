# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""check_versus.py: `proftop diff` of ended PyTensor jobs: with and without a rewrite, and with two
linkers."""
import functools
import json
import os
import subprocess
import sys

sys.dont_write_bytecode = True
import watching  # noqa: E402
from watching import PROFTOP, Place, tap  # noqa: E402

TABLES = ("classes", "ops", "applies")


PLACE = Place()


@functools.lru_cache(None)
def save(name, *words, flags="", calls=5, seed="1"):
    """A report of the job, run with these options of `run`. Tests share the reports that they only
    read."""
    path = PLACE.file(name)
    command = [PROFTOP, "run", *words, "-n", "0", "-d", "60", "--format", "json", "-o", path, "--",
               watching.need_python(), watching.job("products"), str(calls)]
    done = subprocess.run(command, timeout=watching.SECONDS, capture_output=True,
                          env=PLACE.env(flags, PYTHONHASHSEED=seed,
                                        PROFTOP_ADAPTERS=watching.ADAPTERS),
                          check=False, text=True)
    assert done.returncode == 0, done.stderr
    return path


def compare(*words):
    done = subprocess.run([PROFTOP, "diff", *words], capture_output=True, check=False, text=True,
                          env=dict(os.environ, LC_ALL="C.UTF-8"), timeout=watching.SECONDS)
    assert done.returncode == 0 and not done.stderr, done
    return done.stdout


def known(*words):
    found = json.loads(compare("--format", "json", *words))
    for table in TABLES:
        assert sum(row["delta_ns"] for row in found[table]) == \
            found["totals"]["ops_ns"]["delta"] != 0, table
    return found


def named(row):
    return row["a_names"], row["b_names"]


def a_rewrite_left_out():
    """Fusion makes one node of three. The in-place form is another form of the same product."""
    fused = save("usual.json")
    plain = save("plain.json", flags="optimizer_excluding=fusion:inplace", calls=10)
    found, text = known(fused, plain), compare(fused, plain)
    ops = {row["name"]: row for row in found["ops"]}
    gone = [name for name, row in ops.items() if row["mark"] == "gone"]
    assert len(gone) == 1 and gone[0].startswith("Composite{"), gone
    new = {name for name, row in ops.items() if row["mark"] == "new"}
    assert new == {"Add", "Mul", "Tanh"}, ops
    gemv = next(row for name, row in ops.items() if name.startswith("Gemv"))
    assert named(gemv) == (["Gemv{inplace}"], ["Gemv{no_inplace}"]) and gemv["paired"], gemv
    assert found["totals"]["calls"] == {"a": 5, "b": 10, "delta": 5, "ratio": 2,
                                        "estimated": False}
    assert "functions were called 5 times in A and 10 times in B" in text, text
    # Without a screen no name is cut.
    assert "Gemv{no_inplace}(AllocEmpty{dtype='float64'}.0, 1.0, x, v, 0.0)" in text, text


def another_linker():
    """The graph as written, in Python, compared with the default, the C virtual machine."""
    python = save("python.json", "--linker", "py", "--optimizer", "None")
    usual = save("usual.json")
    found, text = known(python, usual), compare(python, usual)
    rows = {row["name"]: row for row in found["applies"]}
    product, vector = rows["dot(x, w)"], rows["dot(x, v)"]
    assert product["b_names"][0].startswith("Gemm{"), product
    assert (product["a_impl"], product["b_impl"], product["mark"]) == ("Py", "C", None), product
    assert vector["b_names"][0].startswith("Gemv{") and vector["a_impl"] == "Py", vector
    dot = next(row for row in found["ops"] if row["name"] == "dot")
    assert dot["paired"] and dot["mark"] is None and len(dot["b_names"]) == 2, dot
    assert any("dot -> Gemm" in line and "Py -> C" in line for line in text.splitlines()), text


def seeds_match():
    """Another hash seed reverses the order of the nodes."""
    found = known(save("usual.json"), save("turned.json", seed="2"))
    for table in TABLES:
        for row in found[table]:
            assert row["mark"] is None and row["a_calls"] == row["b_calls"], row
            assert named(row)[0] == named(row)[1], row


with PLACE:
    tap.run(a_rewrite_left_out, another_linker, seeds_match)
