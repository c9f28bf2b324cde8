"""What `vaa compare` does beside one comparison: several runs, A/B/A, switches, what to ask next, git bisect."""

from __future__ import annotations

import argparse
import os
from typing import Any, Callable, Optional

from ._check import Checker
from ._records import Records
from ._report import Report
from ._variants import compare_asks, variants_of

EXAMPLES = """  vaa compare ref a b c                                   each against ref: one row each
  vaa compare ref a b c --matrix switches.csv             which switch goes with the broken answers?
  vaa compare ref changed ref_again --again               A/B/A: the change, or drift in time?
  vaa compare old_run new_run --ask requests.jsonl        writes what to ask to settle what is undecided
  git bisect run sh -c 'make && ./serve_and_ask.sh && vaa compare good/run.jsonl now/run.jsonl --bisect --quiet'"""
_SKIP = 125  # git bisect: this commit cannot be tested


def add_variants(compare: argparse.ArgumentParser) -> None:
    """Adds the options to `vaa compare`."""
    several = compare.add_argument_group("several runs")
    several.add_argument("--matrix", metavar="FILE", help="which switches were on in which run, the reference too: JSON {\"run\": {\"switch\": true}} or CSV/TSV, \"run,switch,…\"")
    several.add_argument("--again", action="store_true", help="A/B/A: NEW is the change and the reference run once more")
    after = compare.add_argument_group("afterwards")
    after.add_argument("--ask", metavar="FILE", help="write the requests that would settle what is undecided, for vaa ask")
    after.add_argument("--bisect", action="store_true", help="exit codes of git bisect run: 0, 1, and 125 (skip) for 2 and 3")


def bisect_code(code: int) -> int:
    """0 good, 1 bad, else skip."""
    return code if code in (0, 1) else _SKIP


def check_usage(args: argparse.Namespace) -> None:
    """Exits with a message where the options do not go together."""
    error = args.parser.error
    if args.again and len(args.new) != 2:
        error(f"--again: takes two NEW, the change and the reference once more; {len(args.new)} are given")
    if args.ask is not None and len(args.new) != 1:
        error(f"--ask: is for one NEW, {len(args.new)} are given")
    for name in ("matrix", "ask"):
        if getattr(args, name) == "":
            error(f"--{name}: is empty")
    if args.ask and args.out and os.path.realpath(args.ask) == os.path.realpath(args.out):
        error(f"--ask: {args.ask} is the file of --out")
    if args.ask and os.path.exists(args.ask) and any(os.path.exists(path) and os.path.samefile(args.ask, path) for path in (args.old, *args.new)):
        error(f"--ask: {args.ask} is a run that is compared")


def is_variants(args: argparse.Namespace) -> bool:
    return len(args.new) > 1 or args.matrix is not None


def read_text(args: argparse.Namespace, option: str, path: str) -> str:
    """The file of an option, which must be UTF-8 and hold something."""
    with open(path, "rb") as file:
        held = file.read()
    if held[:2] in (b"\xff\xfe", b"\xfe\xff"):
        args.parser.error(f"{option}: {path}: is UTF-16, must be UTF-8")
    try:
        text = held.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        args.parser.error(f"{option}: {path}: line {held.count(10, 0, fault.start) + 1} is not UTF-8")
    if not text.strip():
        args.parser.error(f"{option}: {path}: is empty")
    return text


def variants_report(args: argparse.Namespace, read: Callable[[str], Records], checker: Checker, progress: Optional[Callable[..., None]], options: dict[str, Any]) -> Report:
    matrix = None
    if args.matrix is not None:
        matrix = read_text(args, "--matrix", args.matrix)
    shown = (lambda path: os.path.basename(path.rstrip("/")) or path) if args.no_text else (lambda path: path)
    return variants_of(args.old, args.new, read, checker, matrix=matrix, again=args.again, shown=shown, progress=progress, **options)


def ask_next(args: argparse.Namespace, report: Report, reference: Records) -> None:
    """--ask: writes the file, and says on the standard error what to run."""
    from .cli import complain, system_language

    plan = compare_asks(report, reference, args.ask)
    lang = "zh" if (args.lang or system_language()) == "zh" else "en"
    words = {"en": {"none": "nothing is undecided that a request would settle", "wrote": f"{plan['lines']} request{'s' if plan['lines'] != 1 else ''} written to {args.ask}",
                    "left": f"{plan['left_out']} more first divergences were left out"},
             "zh": {"none": "没有可以通过请求确定的未决之处", "wrote": f"已将 {plan['lines']} 个请求写入 {args.ask}", "left": f"另有 {plan['left_out']} 个首次分歧未写入"}}[lang]
    if plan["lines"] or not plan["steps"]:
        complain(words["wrote"] if plan["lines"] else plan["missing"][lang] or words["none"])
    if plan["left_out"]:
        complain(words["left"])
    if plan["lines"] and plan["missing"][lang]:
        complain(plan["missing"][lang])
    for step in plan["steps"]:
        complain(step[lang] + (("：" if lang == "zh" else ": ") + step["command"] if step["command"] else ""))
