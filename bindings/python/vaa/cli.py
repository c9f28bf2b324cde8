"""The command `vaa`."""

from __future__ import annotations

import argparse
import difflib
import os
import re
import select
import shutil
import sys
from typing import Any, NoReturn, Optional, Sequence

from . import _cvaa
from ._border import Error, __version__, formats, option_json
from ._check import Checker, flags
from ._progress import Progress
from .cli_align import add_align
from .cli_ask import add_verbs
from .cli_replay import add_replay
from .cli_sampler import add_sampler
from .cli_compare import add_compare
from .cli_reject import add_reject
from ._records import Records
from ._report import VERDICTS, Report
from .cli_output import as_given, refuse_empty

EXIT_CODES = """exit codes:
  0  passes: nothing above what healthy engines show
  1  fails
  2  could not check: bad input, bad usage, nothing to judge
  3  undecided: more samples are needed, the report says how many
  130  interrupted
of several inputs the worst counts: 2, then 1, then 3, then 0"""
EXAMPLES = """examples:
  vaa check outputs/default/20260820_101502          a run folder of AISBench
  vaa check results/model --format markdown --out report.md
  vaa check answers.jsonl --text-field choices.0.text --id-field id
  vaa check run.jsonl --format jsonl > findings.jsonl   one line a sample
  vaa check new_run --baseline old_run                is it worse than the run before?
  vaa check new_run --baseline 3/1319                 … than a known rate?
  vaa check run --expect accuracy=71.5/198x4          … than a published score?
  vaa check run --fail-on repetition_loop:0.005 --fail-on any
  vaa check run --export repetition_loop --export-out again.jsonl"""
_WORST = (2, 1, 3, 0)


class _Parser(argparse.ArgumentParser):
    """Usage errors are one line, with what was probably meant."""

    def __init__(self, **options: Any) -> None:
        super().__init__(allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter, **options)

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:  # names the verb's options when one is unknown
        known, rest = self.parse_known_args(args, namespace)
        if rest:
            parser = getattr(known, "parser", self)
            names = [name for action in parser._actions for name in action.option_strings]
            self.error(f"{rest[0]}: no such option{_meant(rest[0].split('=')[0], names)}")
        return known

    def error(self, message: str) -> NoReturn:
        wrong = re.search(r"invalid choice: '(.*?)' \(choose from (.*)\)", message)
        if wrong:
            choices = re.findall(r"[\w-]+", wrong.group(2))
            what = re.sub(r"^argument ", "", message.split(": invalid choice")[0])
            message = f"{what}: {wrong.group(1)!r} is not one of {', '.join(choices)}{_meant(wrong.group(1), choices)}"
        complain(re.sub(r"^argument ", "", message) + f"; see {self.prog} --help")
        sys.exit(125 if {"compare", "--bisect"} <= set(sys.argv) else 2)  # git bisect run would take 2 for a bad commit


def _meant(word: str, known: Sequence[str]) -> str:
    close = difflib.get_close_matches(word, known, 1)
    return f"; did you mean {close[0]}?" if close else ""


def complain(message: str) -> None:
    """One line on the standard error; what a terminal would obey is escaped."""
    try:
        words = " ".join(str(message).split("\n"))
        print("vaa: " + "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in words), file=sys.stderr, flush=True)
    except OSError:
        pass


def cores() -> int:
    """The cores that this process may use: its affinity, and the quota of its control group."""
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        with open("/sys/fs/cgroup/cpu.max", encoding="ascii") as file:
            quota, period = file.read().split()
        if quota != "max":
            count = min(count, max(1, -(-int(quota) // int(period))))
    except (OSError, ValueError):
        pass
    return max(1, min(count, 1024))


def system_language() -> str:
    """"zh" where the locale's messages are Chinese, else "en"."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if os.environ.get(name):
            return "zh" if os.environ[name].lower().startswith("zh") else "en"
    return "en"


def _parser() -> _Parser:
    parser = _Parser(prog="vaa", description="Tells whether an LLM inference engine still produces what the model should produce.", epilog=EXAMPLES)
    parser.add_argument("--version", action="version", version=f"vaa {__version__}")
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True)

    check = verbs.add_parser("check", help="which answers of a run are broken, and how", description="Which answers of a run are broken, how, where in the text, "
                             "and what the wrong answers died of.", epilog=EXAMPLES + "\n\n" + EXIT_CODES)
    check.add_argument("paths", nargs="+", metavar="PATH", help="a run folder or a file (.jsonl, .json, .sse; .gz and .zst of them): vaa formats")
    out = check.add_argument_group("output")
    out.add_argument("--format", choices=("text", "json", "jsonl", "markdown"), default="text", help="text (default); jsonl has one line a sample")
    out.add_argument("--out", metavar="FILE", help="write there instead of the standard output; the file is complete or not there")
    out.add_argument("--lang", choices=("en", "zh"), help="language of the report; by default that of the locale")
    out.add_argument("--no-text", action="store_true", help="no prompt, answer or excerpt anywhere: a report that may leave the house")
    out.add_argument("--color", choices=("auto", "always", "never"), default="auto", help="auto: on a terminal, unless NO_COLOR is set")
    out.add_argument("--quiet", action="store_true", help="no progress and no notes on the standard error")
    out.add_argument("--max-rows", type=int, metavar="N", help="samples that the report keeps a row of, default 10000")
    out.add_argument("--export", metavar="FLAG", help="write the prompts of samples with that flag (or any) as request lines")
    out.add_argument("--export-out", metavar="FILE", help="where to; default FLAG.requests.jsonl")
    judge = check.add_argument_group("verdict")
    judge.add_argument("--baseline", metavar="RUN|k/n", help="compare with another run, or k broken of n, instead of what healthy engines show")
    judge.add_argument("--expect", metavar="METRIC=V[/n[xk]]", help="compare the score with a published one over n questions of k repeats")
    judge.add_argument("--fail-on", action="append", metavar="FLAG[:RATE]|any", help="fail when a sample has the flag, or more than RATE of them do")
    judge.add_argument("--require", action="append", metavar="FLAG", help="exit 2 where the flag could not be tested")
    judge.add_argument("--flags", action="append", metavar="FLAG", help="only these detectors")
    read = check.add_argument_group("input")
    read.add_argument("--input-format", metavar="NAME", help="instead of finding it by content: vaa formats")
    for name in ("text", "id", "prompt", "finish-reason", "gold"):
        read.add_argument(f"--{name}-field", metavar="A.0.B", help=f"JSONL of no known format: where the {name.replace('-', ' ')} is")
    read.add_argument("--max-line", type=int, metavar="BYTES", help="longest line that is read, default 268435456")
    read.add_argument("--threads", type=int, metavar="N", help="default: the cores it may use")
    check.set_defaults(run=run_check, parser=check)

    add_compare(verbs)
    add_align(verbs)
    add_sampler(verbs)
    add_replay(verbs)
    add_reject(verbs)
    add_verbs(verbs)
    for name, what, run in (("formats", "the input formats that are read", run_formats), ("flags", "the flags that answers can get", run_flags)):
        verb = verbs.add_parser(name, help=what, description=what.capitalize() + ".")
        verb.add_argument("--format", choices=("text", "json"), default="text")
        verb.add_argument("--lang", choices=("en", "zh"))
        verb.set_defaults(run=run, parser=verb)
    explain = verbs.add_parser("explain", help="what stands behind a flag, and the next run to make", description="What is tested for a flag, what that was measured on, "
                               "what looks like it and is not, what causes it in engines, and the next run to make.")
    explain.add_argument("flags", nargs="*", metavar="FLAG", help="none: a line for each; in Markdown and JSON all of them in full")
    explain.add_argument("--format", choices=("text", "json", "markdown"), default="text")
    explain.add_argument("--lang", choices=("en", "zh"), help="by default that of the locale")
    explain.set_defaults(run=run_explain, parser=explain)
    version = verbs.add_parser("version", help="the version")
    version.set_defaults(run=lambda args: print(f"vaa {__version__}") or 0, parser=version)
    return parser


def run_check(args: argparse.Namespace) -> int:
    if len(args.paths) > 1 and (args.out or args.export):
        args.parser.error(f"{'--out' if args.out else '--export'}: takes one PATH, {len(args.paths)} are given")
    if args.export_out and not args.export:
        args.parser.error("--export-out: needs --export FLAG")
    refuse_empty(args, ("out", "export", "export_out", "baseline", "expect"))
    if args.out and args.export and os.path.realpath(args.out) == os.path.realpath(_export_path(args)):
        args.parser.error(f"--export-out: {_export_path(args)} is the file of --out")
    checker = Checker(flags=args.flags)
    codes = []
    for path in args.paths:
        try:
            codes.append(_check_one(checker, path, args))
        except Error as fault:
            if args.format == "jsonl" and not args.out and _reader_left():
                raise BrokenPipeError from None
            complain(fault.message if len(args.paths) == 1 or path in fault.message else f"{path}: {fault.message}")
            codes.append(2)
    return next(code for code in _WORST if code in codes)


def _check_one(checker: Checker, path: str, args: argparse.Namespace) -> int:
    options = dict(threads=cores() if args.threads is None else args.threads, max_rows=args.max_rows, text=False if args.no_text else None, expect=args.expect,
                   fail_on=args.fail_on, require=args.require)
    if args.baseline:
        known = re.fullmatch(r"\d+/\d+", args.baseline) and not os.path.exists(args.baseline)
        options["baseline" if known else "baseline_path"] = args.baseline
    if args.export:
        options.update(export_flag=args.export, export_path=_export_path(args))
    if args.format == "jsonl":
        sys.stdout.flush()
        options.update({"samples_path": args.out} if args.out else {"samples_fd": 1})
    records = Records(path, format=args.input_format, text_field=args.text_field, id_field=args.id_field, prompt_field=args.prompt_field,
                      finish_reason_field=args.finish_reason_field, gold_field=args.gold_field, max_line=args.max_line)
    with Progress(shown=sys.stderr.isatty() and not args.quiet) as progress:
        report = checker.check_records(records, progress=progress.show if progress.shown else None, **options)
    if args.format != "jsonl":
        put_report(args, report)
    if (args.out or args.format == "jsonl") and not args.quiet:
        complain(f"{path}: {VERDICTS[report.exit_code]}{f', written to {args.out}' if args.out else ''}")
    if args.export and not args.quiet:
        complain(f"{path}: requests written to {options['export_path']}")
    return report.exit_code


def render_options(args: argparse.Namespace, to_file: bool) -> dict[str, Any]:
    """Those of Report.render, from --format, --lang and --color."""
    render: dict[str, Any] = {"format": args.format, "lang": args.lang or system_language()}
    if args.format == "text":
        render.update(color=args.color == "always" or (args.color == "auto" and not to_file and _colored()), width=100 if to_file else _width())
    return render


def put_report(args: argparse.Namespace, report: Report) -> None:
    """The report to the file of --out, or to the standard output, as --format, --lang and --color say."""
    render = render_options(args, to_file=bool(args.out))
    if args.out:
        report.write(args.out, **render)
        return
    words = report.render(**render)
    sys.stdout.write(words if words.endswith("\n") else words + "\n")
    sys.stdout.flush()


def _export_path(args: argparse.Namespace) -> str:
    return args.export_out or f"{args.export}.requests.jsonl"


def _colored() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _width() -> int:
    return min(max(shutil.get_terminal_size((100, 24)).columns, 40), 500) if sys.stdout.isatty() else 100


def _reader_left() -> bool:
    """True where the standard output is a pipe that nobody reads any more."""
    try:
        poll = select.poll()
        poll.register(1, 0)
        return any(events & (select.POLLERR | select.POLLHUP) for _, events in poll.poll(0))
    except OSError:
        return False


def run_formats(args: argparse.Namespace) -> int:
    if args.format == "json":
        print(_cvaa.vaa_text_str(_cvaa.vaa_records_formats()))
        return 0
    _table([(one["name"], one["title"], one["files"]) for one in formats()])
    return 0


def run_flags(args: argparse.Namespace) -> int:
    if args.format == "json":
        print(_cvaa.vaa_text_str(_cvaa.vaa_flags()))
        return 0
    lang = args.lang or system_language()
    _table([(one["name"], one["severity"], f"{one['ceiling']:.1%}", one["summary"][lang]) for one in flags()])
    return 0


def run_explain(args: argparse.Namespace) -> int:
    if "" in args.flags:
        args.parser.error("FLAG: is empty")
    options = option_json({"format": args.format, "lang": args.lang or system_language(), **({"color": _colored(), "width": _width()} if args.format == "text" else {})})
    told = [_cvaa.vaa_text_str(_cvaa.vaa_explain(name, options)).rstrip("\n") for name in args.flags or [""]]
    if args.format == "json" and len(told) > 1:
        print("[" + ", ".join(told) + "]")
    else:
        print("\n\n".join(told))
    return 0


def _table(rows: Sequence[Sequence[Any]]) -> None:
    """Columns as wide as what is in them, the last one open."""
    rows = [[str(cell) for cell in row] for row in rows]
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]) - 1)] if rows else []
    for row in rows:
        print("  ".join([cell.ljust(width) for cell, width in zip(row, widths)] + [row[-1]]))


def _fill_closed_streams() -> None:
    """Standard streams that were closed from the start are None in Python, and the next file that is opened would get their number: the input would be file 1,
    to which results are written. What is written to them fails instead."""
    filled = os.open(os.devnull, os.O_RDONLY)
    while filled <= 2:
        filled = os.open(os.devnull, os.O_RDONLY)
    os.close(filled)
    if sys.stdout is None:
        sys.stdout = open(1, "w", closefd=False)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")


def _drop_output() -> None:
    """What is left for the standard output goes nowhere: Python would complain, and exit with 120, when it flushes at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def main(argv: Optional[Sequence[str]] = None) -> int:
    """Runs the command; the exit code."""
    _fill_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    args = argparse.Namespace()
    try:
        args = _parser().parse_args(argv)
        code: int = args.run(args)
        sys.stdout.flush()
        return code
    except Error as fault:
        complain(as_given(args, fault))
        return 2
    except BrokenPipeError:
        _drop_output()
        return 141
    except OSError as fault:
        _drop_output()
        complain(f"{fault.filename or 'standard output'}: {(fault.strerror or str(fault)).lower()}")
        return 2
    except KeyboardInterrupt:
        complain("interrupted")
        return 130


if __name__ == "__main__":
    sys.exit(main())
