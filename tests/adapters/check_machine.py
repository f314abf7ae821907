# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""check_machine.py: the compiler, the BLAS and the threads of a job are facts of the job, as far as
the job itself has found them out, on each member of Theano's family."""
import json
import sys

sys.dont_write_bytecode = True
import watching  # noqa: E402
from watching import Place, job, tap  # noqa: E402

FLAGS = {"pytensor-3.0": "linker=cvm"}  # its default, Numba, needs none of these


def facts_are_what_the_job_has_found_out():
    """Querying them would make the framework try compilers. The job therefore sends only what it
    knows without proftop."""
    unknown = 0
    for name in watching.there():
        python, package, flags, folder = watching.member(name)
        with Place() as place:
            env = dict(watching.family(flags, FLAGS.get(name, ""), name=folder),
                       MKL_NUM_THREADS="3")
            words = (job("blas"), package)
            done, known = watching.beside_alone(python, place, *words, **env)
        first, last = map(json.loads, done.stdout.splitlines())
        unknown += None in first.values()
        facts = dict(line.split("=", 1) for line in known["jobs"][0]["facts"])
        told = {flag: facts.get(flag) for flag in last}
        assert told == last, (name, told, last)
        assert last["cxx"] and facts["MKL_NUM_THREADS"] == "3", (name, facts)
        threads = {value for fact, value in facts.items() if fact.startswith("threads.")}
        assert facts["OMP_NUM_THREADS"] == "1" and threads == {"1"}, (name, facts)
    assert unknown, "each had found out all: nothing shows that we do not ask"


tap.run(facts_are_what_the_job_has_found_out)
