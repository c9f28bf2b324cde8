"""The verb of the command that holds two setups against each other: vaa align."""

from __future__ import annotations

import argparse
from typing import Any

from ._align import align, setup
from ._report import VERDICTS
from .cli_output import add_output

EXAMPLES = """examples:
  vaa align old/serve.sh new/serve.sh --generation-config /models/qwen     do two launches sample alike?
  vaa align gpu_run npu_run                                             what two runs record of how they sampled
  vaa align vllm.json sglang.json --request body.json                   the same request to two engines
a setup is a file such as {"engine": "vllm", "entry": "chat", "launch": "vllm serve …", "generation_config": {…}, "request": {…}}"""
EXIT_CODES = """exit codes:
  0  no difference changes the law of answers
  1  one does
  2  could not tell: bad input, bad usage
  3  what could matter is not known: the report says what is missing"""


def add_align(verbs: Any) -> None:
    """Adds `align` to the command."""
    verb = verbs.add_parser("align", help="would two setups sample alike, and why not?", description="What two engines really use for a request, field by field with where each value comes "
                            "from, and the differences that change the law of answers.", epilog=EXAMPLES + "\n\n" + EXIT_CODES)
    verb.add_argument("reference", metavar="REF", help="a setup file, a shell script that starts an engine (read, never run), or a run")
    verb.add_argument("target", metavar="TGT", help="the same of the other side")
    both = verb.add_argument_group("what the files do not say; of both, or with --ref- or --tgt- of one side")
    for side, of in (("", "both"), ("ref-", "REF"), ("tgt-", "TGT")):
        hidden = None if side == "" else argparse.SUPPRESS
        both.add_argument(f"--{side}engine", metavar="NAME", help=hidden or "vllm, vllm_ascend, sglang, llama_cpp, hf, trtllm, mindie, openai")
        both.add_argument(f"--{side}entry", metavar="NAME", help=hidden or "chat (default), completions, offline")
        both.add_argument(f"--{side}generation-config", metavar="PATH", help=hidden or "the model's generation_config.json, or its folder")
        both.add_argument(f"--{side}request", metavar="FILE", help=hidden or "the request's body")
        both.add_argument(f"--{side}sampler", metavar="NAME", help=hidden or "the profile of the sampler, where it is not the engine's usual one")
    add_output(verb, quiet="no notes on the standard error")
    verb.set_defaults(run=run_align, parser=verb)


def run_align(args: argparse.Namespace) -> int:
    from .cli import complain, put_report

    sides = []
    for prefix, path in (("ref", args.reference), ("tgt", args.target)):
        given = {}
        for name in ("engine", "entry", "generation_config", "request", "sampler"):
            own = getattr(args, f"{prefix}_{name}")
            given[name] = getattr(args, name) if own is None else own
        try:
            sides.append(setup(path, **given))
        except (OSError, ValueError) as fault:
            complain(f"{fault.filename}: {fault.strerror}" if isinstance(fault, OSError) else str(fault))
            return 2
    report = align(*sides)
    put_report(args, report)
    if args.out and not args.quiet:
        complain(f"{args.target}: {VERDICTS[report.exit_code]}, written to {args.out}")
    return report.exit_code
