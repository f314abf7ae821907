# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""uncalled.py: makes every call without a feed. No call does anything, and none fails."""
import proftop

proftop.set_config(profile_all=True, filename="never.json")
proftop.set_state("run")
domain = proftop.Domain("d")
counter = domain.new_counter("n", 5)
counter += 1
counter.decrement()
for span in (domain.new_task("t"), domain.new_frame("f"), proftop.Event("e")):
    span.stop(span.start())
    span.start()
    span.stop()
    span.stop()
domain.new_marker("m").mark()
with proftop.scope("s") as name:
    assert name, name
proftop.pause()
proftop.resume()
assert proftop.dumps() == "", proftop.dumps()
proftop.dump()
proftop.profiler_set_state("run")
print(domain.reason)
