"""The verb of the command that holds a sampler against what was asked of it: vaa sampler."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from ._calibrate import calibrate_records
from ._progress import Progress
from ._records import Records
from ._report import VERDICTS
from .cli_output import add_output, refuse_empty

EXAMPLES = """examples:
  vaa ask questions.jsonl --url http://host:8000 --out run.jsonl --top-logprobs 20    a run with ids and lists
  vaa sampler run.jsonl                              is the temperature in force, are the tokens legal, are the draws fair?
  vaa sampler run.jsonl --temperature 0.6 --top-p 0.95 --top-k 20    what was asked, where the run does not record it
  vaa sampler run.jsonl --scored forced.jsonl        by the logprobs of another engine, which scored the same ids"""
EXIT_CODES = """exit codes:
  0  all checks lie inside their margins
  1  one lies beyond: the temperature is ignored, a token is illegal, …
  2  could not tell: bad input, bad usage, no lists of logprobs
  3  undecided: the report says how many more tokens are needed"""


def add_sampler(verbs: Any) -> None:
    """Adds `sampler` to the command."""
    verb = verbs.add_parser("sampler", help="does the sampler draw what was asked?", description="Chosen tokens against listed logprobs: illegal tokens, the temperature in force, whether draws "
                            "are uniform under their law, what seeds do. No seed, no logits, no GPU.", epilog=EXAMPLES + "\n\n" + EXIT_CODES)
    verb.add_argument("run_path", metavar="RUN", help="a run whose answers have token ids and lists of logprobs")
    verb.add_argument("--scored", metavar="RUN", help="teacher-forced samples of its answers, of another engine: their lists count")
    asked = verb.add_argument_group("what was asked, whatever the run records")
    asked.add_argument("--temperature", type=float, metavar="T")
    asked.add_argument("--top-p", type=float, metavar="P", help="1: off")
    asked.add_argument("--top-k", type=int, metavar="K", help="0: off")
    asked.add_argument("--min-p", type=float, metavar="P", help="0: off")
    asked.add_argument("--logprobs", choices=("auto", "raw", "processed"), help="of the model's law, or of the law that is drawn from; auto: as recorded, else by the lists")
    asked.add_argument("--engine", metavar="NAME", help="the profile of its sampler: whether the temperature comes first (docs/sampler.md)")
    asked.add_argument("--vocab-size", type=int, metavar="N", help="ids of the model: the excess of the last one is looked at")
    asked.add_argument("--bos-id", type=int, metavar="ID", help="the excess of BOS is looked at")
    judge = verb.add_argument_group("verdict")
    judge.add_argument("--temperature-margin", type=float, metavar="SHARE", help="by how much a temperature may be off, default 0.1")
    judge.add_argument("--seed", type=int, metavar="N", help="of the randomised PIT, default 0")
    read = verb.add_argument_group("input")
    read.add_argument("--input-format", metavar="NAME", help="instead of finding it by content: vaa formats")
    read.add_argument("--max-line", type=int, metavar="BYTES", help="longest line that is read, default 268435456")
    add_output(verb)
    verb.set_defaults(run=run_sampler, parser=verb)


def run_sampler(args: argparse.Namespace) -> int:
    from .cli import complain, put_report

    refuse_empty(args, ("out", "scored"))
    reading = dict(format=args.input_format, max_line=args.max_line)
    options = {name: getattr(args, name) for name in ("temperature", "top_p", "top_k", "min_p", "logprobs", "engine", "vocab_size", "bos_id", "temperature_margin", "seed")}
    scored = None if args.scored is None else Records(args.scored, **reading)
    with Progress(shown=sys.stderr.isatty() and not args.quiet) as progress:
        report = calibrate_records(Records(args.run_path, **reading), scored=scored, progress=progress.show if progress.shown else None, **options)
    put_report(args, report)
    if args.out and not args.quiet:
        complain(f"{args.run_path}: {VERDICTS[report.exit_code]}, written to {args.out}")
    return report.exit_code
