# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""check_flops.py: the flops that ops report, compared with the framework's own profile; and ops
without a figure."""
import re
import sys

sys.dont_write_bytecode = True
import watching  # noqa: E402
from watching import Place, tap  # noqa: E402

FLOPS = 2 * 64 * 128 * 256
# A row with <Mflops> and <Gflops/s>, as printed by the frameworks and by us: the first figure, and
# the name.
ROW = re.compile(r"^ +[\d.]+% +[\d.]+% .* +\d+ +\d+ +([\d.]+) +[\d.]+ (\w+)", re.M)
PROFILE = "profile=True,profile_memory=True"


def told(known):
    """Maps the name of each op to its flops per call, or None."""
    return {row["name"].split("(")[0].split("{")[0]: row["detail"]["flops"]
            for row in watching.applies(known, watching.function(known, "f"))}


def flops_are_those_of_the_print():
    for name in watching.there():
        python, package, flags, folder = watching.member(name)
        with Place() as place:
            env = watching.family(flags, PROFILE, "linker=vm", name=folder)
            done, known = watching.watched_by(python, place, watching.job("flops"), package, **env)
        theirs = ROW.findall(done.stderr.decode())
        assert set(theirs) == {("%.1f" % (FLOPS / 2**20), "Product")}, (name, done.stderr)
        ours = told(known)
        assert ours.pop("Product") == FLOPS and set(ours.values()) == {None}, (name, ours)
        _, report = watching.summed_up(name, watching.job("flops"), PROFILE, "linker=vm")
        assert ROW.findall(report) == theirs[:1], (name, report)


def invalid_flops_are_unknown():
    for name in watching.there():
        python, package, flags, folder = watching.member(name)
        with Place() as place:
            _, known = watching.beside_alone(python, place, watching.job("flops"), package, "odd",
                                             **watching.family(flags, name=folder))
        ours = told(known)
        assert {"Raises", "Negative", "Text", "Endless", "Number"} <= set(ours), (name, ours)
        assert set(ours.values()) == {None}, (name, ours)


def sizes_that_are_fixed_are_enough():
    """Numba reads no values while it runs."""
    python = watching.need_member(watching.NUMBA)
    with Place() as place:
        _, known = watching.watched_by(python, place, watching.job("flops"), "pytensor", "fixed",
                                       **watching.family(name=watching.NUMBA))
    assert told(known)["Product"] == FLOPS, told(known)


def looks_take_a_thousandth_at_most():
    """A request takes any time, here 2 ms and more. The next one follows after a thousand times as
    long. Its time counts in our overhead."""
    with Place() as place:
        done, known = watching.watched(place, watching.job("flops"), "pytensor", "costly",
                                       flags="linker=cvm")
    assert done.returncode == 0, done
    asked, told, again, end = map(int, done.stdout.split())
    assert again - told >= 0.999 * 1000 * (told - asked), done.stdout
    paid = told - asked + end - again
    assert paid < known["jobs"][0]["overhead_ns"] < 2 * paid, (paid, known["jobs"][0])


tap.run(flops_are_those_of_the_print, invalid_flops_are_unknown,
        sizes_that_are_fixed_are_enough, looks_take_a_thousandth_at_most)
