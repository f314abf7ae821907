# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""groups.py: which functions belong together: those that the job gave one profile, or one mode.

A profile joins only if the job made it: `profile=True` makes one for each function. A mode joins
only if the job made it: the modes that a framework keeps by their names are those of everybody. A
function that was given both is in the group of its profile.
"""
import sys
import weakref
from collections import Counter


class Groups:
    """The number of each object that joins functions, as long as it lives."""

    def __init__(self, package):
        self.modes = package + ".compile.mode"
        self.numbers = {}  # id: (weak reference, number)
        self.made = weakref.WeakSet()  # profiles that the framework made, as far as that is asked
        self.last = 0

    def number_of(self, thing):
        if self.joins(thing):
            return self.numbers[id(thing)][1]
        key = id(thing)
        try:
            reference = weakref.ref(thing, lambda gone: self.numbers.pop(key, None))
        except TypeError:
            return 0
        self.last += 1
        self.numbers[key] = reference, self.last
        return self.last

    def joins(self, thing):
        """Whether it has a number."""
        known = self.numbers.get(id(thing))
        return bool(known) and known[0]() is thing

    def is_of_one(self, profile, function):
        """Whether it is as the framework makes one of profile=True: by the name of the function. To
        what the job made the framework may have added functions that are gone."""
        message = getattr(profile, "message", None)
        return (message is not None and message == getattr(function, "name", None)
                and not self.joins(profile))

    def is_kept(self, mode):
        """Whether the framework keeps this mode by itself, by a name or as the default."""
        module = sys.modules.get(self.modes)
        for value in list(vars(module).values()) if module else ():
            kept = value.values() if isinstance(value, dict) else (value,)
            if any(one is mode for one in kept):
                return True
        return False

    def asked(self, given):
        """Of a function that is asked for with these arguments; 0: none."""
        profile, mode = given.get("profile"), given.get("mode")
        if hasattr(profile, "fct_callcount") and profile not in self.made:
            return self.number_of(profile)
        if hasattr(mode, "linker") and not self.is_kept(mode):
            return self.number_of(mode)
        return 0

    def found(self, functions):
        """Joins functions that were made before we came: what they were given is not known, so
        a profile has to be that of several."""
        profiles = [getattr(function, "profile", None) for function in functions]
        times = Counter(id(profile) for profile in profiles if profile)
        return {id(function): self.asked({
            "profile": profile if times[id(profile)] > 1 else None,
            "mode": getattr(getattr(function, "maker", None), "mode", None)})
            for function, profile in zip(functions, profiles)}
