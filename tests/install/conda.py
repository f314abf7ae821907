# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""conda.py: the recipe is one that py-rattler-build understands, of this version. To build it takes
the packages of conda-forge, which nobody has tried."""
import json
import os
import re
import subprocess

from installing import SHOWS_S, need, tap

RECIPE = tap.source("script", "distributions", "recipe.yaml")
MEMBERS = dict(word.split("=", 1) for word in os.environ.get("PROFTOP_TEST_MEMBERS", "").split())
RENDER = """
import json, sys
from rattler_build import Stage0Recipe, VariantConfig
recipe = Stage0Recipe.from_file(sys.argv[1])
made = recipe.render(VariantConfig.from_yaml("c_stdlib: [sysroot]\\nc_stdlib_version: ['2.17']"))
print(json.dumps([one.recipe.to_dict() for one in made]))
"""


def the_recipe_is_understood():
    python = need(MEMBERS.get("checkers"), "PROFTOP_TEST_MEMBERS checkers=PYTHON")
    done = subprocess.run([python, "-c", RENDER, need(RECIPE, "the recipe")], timeout=SHOWS_S,
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    made, = json.loads(done.stdout)
    with open(tap.source("configure.ac"), encoding="ascii") as file:
        version = re.search(r"AC_INIT\(\[proftop\], \[([\d.]+)\]", file.read())[1]
    assert (made["package"]["name"], made["package"]["version"]) == ("proftop", version), made


tap.run(the_recipe_is_understood)
