# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""kinds.py: classes of a framework, and their subclasses."""


def with_subclasses(*classes):
    """The classes and all their subclasses, each once. More may be derived later."""
    found = list(dict.fromkeys(classes))
    known = set(found)
    for cls in found:
        fresh = [sub for sub in cls.__subclasses__() if sub not in known]
        known.update(fresh)
        found.extend(fresh)
    return found
