"""Options that the verbs with one report share."""

from __future__ import annotations

import argparse
import re
from typing import Any, Sequence


def add_output(verb: Any, quiet: str = "no progress and no notes on the standard error") -> None:
    """Adds the group "output": in which form, where, in which language."""
    out = verb.add_argument_group("output")
    out.add_argument("--format", choices=("text", "json", "markdown"), default="text")
    out.add_argument("--out", metavar="FILE", help="write there instead of the standard output; the file is complete or not there")
    out.add_argument("--lang", choices=("en", "zh"), help="language of the report; by default that of the locale")
    out.add_argument("--color", choices=("auto", "always", "never"), default="auto", help="auto: on a terminal, unless NO_COLOR is set")
    out.add_argument("--quiet", action="store_true", help=quiet)


def refuse_empty(args: argparse.Namespace, names: Sequence[str]) -> None:
    """Ends the command where an option is "": a variable of a script that was never set."""
    for name in names:
        if getattr(args, name) == "":
            args.parser.error(f"--{name.replace('_', '-')}: is empty")


def as_given(args: argparse.Namespace, fault: Exception) -> str:
    """What a function of the library says of an option of its own, with the name that the command has for it."""
    said = re.match(r"vaa_\w+: (\w+): ", str(fault))
    return f"--{said[1].replace('_', '-')}: {str(fault)[said.end():]}" if said and hasattr(args, said[1]) else str(fault)
