"""The verb of the command that audits speculative decoding: vaa reject."""

from __future__ import annotations

import argparse
import re
import sys
import time
from typing import Any

from ._border import Error
from ._progress import Progress
from ._reject import Audit
from ._report import VERDICTS, Report
from .cli_output import add_output

EXAMPLES = """examples:
  vaa reject scrapes/                          pages of /metrics, one a file or several one behind the other
  vaa reject serve.log.gz scrapes/             logs of vLLM, SGLang, TensorRT-LLM and pages, together
  vaa reject answers.jsonl --plain plain.jsonl what requests record of their drafts, at T = 0 and T > 0, with and without speculation
  vaa reject probe/                            verify steps that a probe inside the engine wrote (docs/reject-dump.md)
  vaa reject --url http://127.0.0.1:8000 --every 10s --for 10m
a page's time is what the file, its name or its date say"""
EXIT_CODES = """exit codes:
  0  neither counters nor steps show anything wrong
  1  they do
  2  could not tell: nothing of speculation is counted, bad input, bad usage
  3  undecided: more drafts are needed, the report says how many
  130  interrupted while files were read; with --url Ctrl-C ends the scrapes, and the report follows"""


def seconds(text: str) -> float:
    """"10s", "5m", "1h" or a number of seconds."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)(s|m|h)?", text)
    value = float(found.group(1)) * {"s": 1, "m": 60, "h": 3600, None: 1}[found.group(2)] if found else 0
    if not 0.1 <= value <= 7 * 86400:
        raise argparse.ArgumentTypeError(f"{text} is no time such as 10s, 5m or 1h, from 0.1s to 168h")
    return value


def add_reject(verbs: Any) -> None:
    """Adds `reject` to the command."""
    verb = verbs.add_parser("reject", help="is speculative decoding right?", description="Whether drafts are made and accepted as they should be, by what engines count: per engine and data-parallel rank, "
                            "over time, by position, by temperature; and by verify steps, whether their laws are right.", epilog=EXAMPLES + "\n\n" + EXIT_CODES)
    verb.add_argument("paths", nargs="*", metavar="PATH", help="a metrics page, a log, records, a dump of verify steps, or a folder of these: found by content; .gz and .zst too")
    verb.add_argument("--plain", action="append", default=[], metavar="RUN", help="a run without speculation, whose records do not say so")
    verb.add_argument("--speculative", action="append", default=[], metavar="RUN", help="a run with speculation, whose records do not say so")
    verb.add_argument("--server", metavar="NAME", help="all files are of this one server, whatever their names and folders")
    live = verb.add_argument_group("live")
    live.add_argument("--url", metavar="URL", action="append", default=[], help="scrape this server's /metrics; several times for several servers")
    live.add_argument("--every", type=seconds, default=10.0, metavar="TIME", help="between two scrapes: 10s, 5m, 1h, or a number of seconds; default 10s")
    live.add_argument("--for", dest="duration", type=seconds, default=600.0, metavar="TIME", help="end after this time, default 10m; Ctrl-C ends it earlier, with a report")
    live.add_argument("--key-env", metavar="NAME", help="environment variable that holds the key")
    live.add_argument("--key-file", metavar="FILE", help="file that holds the key")
    live.add_argument("--save", metavar="FILE", help="append the pages there, for later")
    judge = verb.add_argument_group("verdict")
    judge.add_argument("--floor", type=float, metavar="SHARE", help="a share of drafts with something accepted below it is none, default 0.01")
    judge.add_argument("--margin", type=float, metavar="SHARE", help="a fall of the acceptance rate up to it is none, default 0.05")
    judge.add_argument("--law-margin", type=float, metavar="SHARE", help="by how much a probability of verify steps may be off, default 0.01")
    judge.add_argument("--tokens-per-draft", type=int, metavar="N", help="the most that a draft has, where drafts are not counted, default 8")
    judge.add_argument("--configured", action="store_true", help="speculation is known to be configured, though no counter says so")
    add_output(verb)
    verb.set_defaults(run=run_reject, parser=verb)


def run_reject(args: argparse.Namespace) -> int:
    if not (args.paths or args.plain or args.speculative or args.url):
        args.parser.error("PATH: a file, a folder or --url is needed")
    if args.save and not args.url:
        args.parser.error("--save: needs --url")
    audit = Audit(floor=args.floor, margin=args.margin, law_margin=args.law_margin, tokens_per_draft=args.tokens_per_draft, configured=args.configured or None)
    with Progress(shown=sys.stderr.isatty() and not args.quiet) as progress:
        for speculation, group in ((None, args.paths), (False, args.plain), (True, args.speculative)):
            for path in group:
                audit.push_file(path, server=args.server, speculation=speculation, progress=progress.show if progress.shown else None)
    if args.url and not watch(audit, args):
        return 2
    return put(args, audit.report())


def watch(audit: Audit, args: argparse.Namespace) -> bool:
    """Scrapes the servers until the time is over or Ctrl-C. False where no page came at all."""
    from ._ask import Asker
    from .cli import complain

    asker = Asker(args.url, key_env=args.key_env, key_file=args.key_file)
    names = args.url if len(args.url) > 1 else [""]
    pages = failed = 0
    due = time.monotonic()
    end = due + args.duration + args.every / 100
    try:
        while True:
            for index, name in enumerate(names):
                try:
                    page = asker.metrics(index)
                    audit.push_page(page, time_s=time.time(), server=name)
                    pages += 1
                except Error as fault:
                    failed += 1
                    if failed == 1 and not args.quiet:
                        complain(f"{fault.message}; trying on")
                    continue
                if args.save:
                    with open(args.save if not index else f"{args.save}.{index + 1}", "a", encoding="utf-8") as file:
                        file.write(f"# time {int(time.time())}\n{page}" + ("" if page.endswith("\n") else "\n"))
            due += args.every
            if due > end:
                break
            time.sleep(max(0.0, due - time.monotonic()))
    except KeyboardInterrupt:
        if not args.quiet:
            complain("interrupted: the report is on what came until now")
    if failed and not args.quiet:
        complain(f"{failed} of {failed + pages} scrapes failed")
    return pages > 0


def put(args: argparse.Namespace, report: Report) -> int:
    from .cli import complain, put_report

    put_report(args, report)
    if args.out and not args.quiet:
        complain(f"{VERDICTS[report.exit_code]}, written to {args.out}")
    return report.exit_code
