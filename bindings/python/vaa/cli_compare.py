"""The verb of the command that compares two runs: vaa compare."""

from __future__ import annotations

import argparse
import re
import sys
from typing import Any

from ._border import Error
from ._check import Checker
from ._compare import compare_records
from ._progress import Progress
from ._records import Records
from ._report import Report, VERDICTS
from ._vocab import Vocab
from .cli_variants import EXAMPLES as MORE_EXAMPLES, add_variants, ask_next, bisect_code, check_usage, is_variants, read_text, variants_report

EXAMPLES = """examples:
  vaa compare old_run new_run                         did it really get worse, and what did the newly wrong answers die of?
  vaa compare old_run new_run --change quant          with the margins of quantised weights
  vaa compare old_run new_run --primary flags         no scores: are more answers broken?
  vaa compare old_run new_run --baseline 7/1319       is the fault that hit 7 of 1,319 answers fixed?"""
EXIT_CODES = """exit codes:
  0  equivalent, or no difference found
  1  worse, beyond the margin
  2  could not compare: bad input, bad usage, not comparable
  3  undecided: the report says how many more answers would settle it
  130  interrupted
of several runs: 2, else 1, else 3, else 0; with --bisect 125 instead of 2 and 3"""


def add_compare(verbs: Any) -> None:
    """Adds `compare` to the command."""
    compare = verbs.add_parser("compare", help="is a run worse than another, or is it noise?", description="Two runs, one verdict: is the new one worse, the same, or is it noise; what the newly "
                               "wrong answers died of; how many more would settle it.", epilog=EXAMPLES + "\n" + MORE_EXAMPLES + "\n\n" + EXIT_CODES)
    compare.add_argument("old", metavar="OLD", help="the reference: a run folder or a file, as for vaa check")
    compare.add_argument("new", metavar="NEW", nargs="+", help="the target; of several each is held against OLD")
    judge = compare.add_argument_group("verdict")
    judge.add_argument("--change", choices=("none", "schedule", "parallel", "version", "hardware", "quant", "spec"), help="what was changed on purpose: picks the margins; default version")
    judge.add_argument("--primary", choices=("score", "tokens", "flags", "law"), help="what is tested alone; default score where it is recorded, else the law of first tokens with --change spec and repeated sampled answers, else tokens where the reference was held against itself or logprobs cannot be")
    judge.add_argument("--baseline", metavar="k/n", help="broken answers before a fix: is it fixed?")
    judge.add_argument("--flags", action="append", metavar="FLAG", help="only these detectors")
    itself = compare.add_argument_group("noise: what an engine differs from itself by")
    itself.add_argument("--aa", metavar="RUN", help="the reference again, with another batch size or order of requests")
    itself.add_argument("--aa-target", metavar="RUN", help="the target again")
    itself.add_argument("--noise", metavar="FILE", help="the reference's noise, saved before, instead of --aa")
    itself.add_argument("--save-noise", metavar="FILE", help="write the noise that --aa measures")
    itself.add_argument("--vocab", metavar="FILE", help="tokenizer.json of the model: ids outside it and other ids of the same bytes are told")
    add_variants(compare)
    out = compare.add_argument_group("output")
    out.add_argument("--format", choices=("text", "json", "markdown"), default="text")
    out.add_argument("--out", metavar="FILE", help="write there instead of the standard output; the file is complete or not there")
    out.add_argument("--lang", choices=("en", "zh"), help="language of the report; by default that of the locale")
    out.add_argument("--no-text", action="store_true", help="a report that may leave the house")
    out.add_argument("--color", choices=("auto", "always", "never"), default="auto", help="auto: on a terminal, unless NO_COLOR is set")
    out.add_argument("--quiet", action="store_true", help="no progress and no notes on the standard error")
    read = compare.add_argument_group("input")
    read.add_argument("--input-format", metavar="NAME", help="of both, instead of finding it by content: vaa formats")
    for name in ("text", "id", "prompt", "finish-reason", "gold"):
        read.add_argument(f"--{name}-field", metavar="A.0.B", help=f"JSONL of no known format: where the {name.replace('-', ' ')} is")
    read.add_argument("--max-line", type=int, metavar="BYTES", help="longest line that is read, default 268435456")
    read.add_argument("--threads", type=int, metavar="N", help="default: the cores it may use")
    compare.set_defaults(run=run_compare, parser=compare)


def run_compare(args: argparse.Namespace) -> int:
    from .cli import complain

    try:
        return bisect_code(_compare(args)) if args.bisect else _compare(args)
    except Error as fault:
        complain(_as_given(args, fault))
    except OSError as fault:
        if not args.bisect:
            raise
        complain(str(fault))
    return bisect_code(2) if args.bisect else 2


def save_noise(args: argparse.Namespace, report: Report) -> None:
    """Writes the profile that the comparison measured; the file is complete or not there."""
    if report.to_dict()["comparison"].get("noise") is None:
        args.parser.error(f"--save-noise: {args.old} and {args.aa} do not both record token ids, so no noise was measured")
    report.write(args.save_noise, format="noise")


def _as_given(args: argparse.Namespace, fault: Error) -> str:
    """What the library says of an option, with the name and the file that the command knows it by."""
    for name, option, path in (("noise", "", args.noise), ("matrix", "", args.matrix), ("reference_again", "--aa", None), ("target_again", "--aa-target", None)):
        if fault.message.startswith(name + ": "):
            return f"{path}: {fault.message}" if path else f"{option}: {fault.message[len(name) + 2:]}"
    return fault.message


def _compare(args: argparse.Namespace) -> int:
    from .cli import complain, cores, put_report

    for name in ("old", "new", "out", "baseline", "aa", "aa_target", "noise", "save_noise", "vocab"):  # a variable of a script that was never set
        if getattr(args, name) == "" or (name == "new" and "" in args.new):
            args.parser.error(f"{name.upper() if name in ('old', 'new') else '--' + name.replace('_', '-')}: is empty")
    if args.aa and args.noise:
        args.parser.error("--noise: is given beside --aa, allowed is one of the two")
    if args.save_noise and not args.aa:
        args.parser.error("--save-noise: needs --aa RUN, which measures the noise")
    for name in ("aa_target", "save_noise"):
        if getattr(args, name) and is_variants(args):
            args.parser.error(f"--{name.replace('_', '-')}: is for one NEW without --matrix")
    if args.baseline and not re.fullmatch(r"\d+/\d+", args.baseline):
        args.parser.error(f"--baseline: {args.baseline!r} is not k/n, such as 7/1319")
    check_usage(args)
    reading = dict(format=args.input_format, text_field=args.text_field, id_field=args.id_field, prompt_field=args.prompt_field, finish_reason_field=args.finish_reason_field,
                   gold_field=args.gold_field, max_line=args.max_line)
    options = dict(change=args.change, primary=args.primary, baseline=args.baseline, text=False if args.no_text else None, threads=cores() if args.threads is None else args.threads)
    if args.noise:
        options["noise"] = read_text(args, "--noise", args.noise)
    if args.aa:
        options["aa"] = Records(args.aa, **reading)
    if args.aa_target:
        options["aa_target"] = Records(args.aa_target, **reading)
    checker = Checker(flags=args.flags, vocab=Vocab(args.vocab) if args.vocab else None)
    with Progress(shown=sys.stderr.isatty() and not args.quiet) as progress:
        show = progress.show if progress.shown else None
        if is_variants(args):
            report = variants_report(args, lambda path: Records(path, **reading), checker, show, options)
        else:
            old, new = Records(args.old, **reading), Records(args.new[0], **reading)
            report = compare_records(old, new, checker=checker, progress=show, **options)
    if args.save_noise:
        save_noise(args, report)
    put_report(args, report)
    if args.out and not args.quiet:
        complain(f"{', '.join(args.new)}: {VERDICTS[report.exit_code]}, written to {args.out}")
    if args.ask:
        ask_next(args, report, old)
    return report.exit_code
