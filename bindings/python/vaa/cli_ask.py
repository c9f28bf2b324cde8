"""The verbs of the command that ask live engines: vaa ask, vaa ladder."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
from typing import Any, Callable, Optional

from ._progress import AskProgress
from .cli_output import refuse_empty

ASK_EXAMPLES = """examples:
  vaa ask --probe --url http://127.0.0.1:8000                                       what the server is and gives
  vaa ask --from outputs/old_run --sample 50 --url http://127.0.0.1:8000 --out new.jsonl   then: vaa check new.jsonl
  vaa ask requests.jsonl --for spec --url http://127.0.0.1:8000 --out spec.jsonl    did speculation run?
  vaa ask --from run --bad repetition_loop --again --repeat 20 --url http://a:8000 --url http://b:8000 --out again.jsonl
  vaa ask requests.jsonl --url https://api.example.com --key-env API_KEY --out out.jsonl --resume"""
LADDER_EXAMPLES = """examples:
  vaa ladder run.jsonl --sample 20 --at 1K,4K-64,4K+64,16K --url http://127.0.0.1:8000 --out ladder.jsonl
  vaa ladder run.jsonl --bad repetition_loop --bisect --url http://reference:8000 --url http://target:8000 --out bisect.jsonl --config config.json"""
EXIT_CODES = """exit codes:
  0  ask: all were answered, and by the path under test; ladder: no difference
  1  ladder: the engines part, beyond what the reference differs from itself
  2  could not ask: bad input, bad usage, no server, nothing answered
  3  ask: some requests failed, or the path under test did not run; ladder: undecided
  130  interrupted: what had arrived is kept, --resume goes on"""


def _connection(parser: argparse.ArgumentParser) -> None:
    server = parser.add_argument_group("server")
    server.add_argument("--url", action="append", metavar="URL", help="base URL, such as http://127.0.0.1:8000; more than one where servers are compared, the reference first")
    server.add_argument("--engine", choices=("auto", "vllm", "vllm_ascend", "sglang", "llamacpp", "mindie", "openai"), help="default: found by asking")
    server.add_argument("--model", metavar="NAME", help="default: the only one that is served")
    server.add_argument("--key-env", metavar="NAME", help="the variable that holds the key, which is never shown")
    server.add_argument("--key-file", metavar="FILE", help="the file that holds the key")
    server.add_argument("--header", action="append", metavar="NAME:VALUE", help="one more header of each request")
    server.add_argument("--ca-file", metavar="FILE", help="certificates to trust; default: those of the system")
    server.add_argument("--proxy", metavar="URL|env", help="default: none; env: that of the environment")
    load = parser.add_argument_group("load")
    load.add_argument("--concurrency", metavar="N", help="requests in flight, 1 to 4096, default 32; with --again a list, such as 1,64")
    load.add_argument("--rate", type=float, metavar="R", help="requests begun a second; default: no limit")
    load.add_argument("--retries", type=int, metavar="N", help="of what may be asked again (refused, lost before the first byte, 408, 429, 502, 503, 504), default 4")
    load.add_argument("--max-retry-wait", type=float, metavar="S", help="longest wait before one, Retry-After included, default 60")
    load.add_argument("--connect-timeout", type=float, metavar="S", help="default 10")
    load.add_argument("--idle-timeout", type=float, metavar="S", help="without a byte, default 300")
    load.add_argument("--timeout", type=float, metavar="S", help="of one request; default: none")


def _output(parser: argparse.ArgumentParser) -> None:
    out = parser.add_argument_group("output")
    out.add_argument("--out", metavar="RECORDS", help="the file that answers are appended to as they arrive")
    there = out.add_mutually_exclusive_group()
    there.add_argument("--resume", action="store_true", help="go on with that file: nothing that was answered is asked again")
    there.add_argument("--force", action="store_true", help="write over that file")
    out.add_argument("--format", choices=("text", "json", "markdown"), default="text", help="of the report")
    out.add_argument("--report", metavar="FILE", help="write the report there instead of the standard output")
    out.add_argument("--lang", choices=("en", "zh"), help="language of the report; by default that of the locale")
    out.add_argument("--color", choices=("auto", "always", "never"), default="auto", help="auto: on a terminal, unless NO_COLOR is set")
    out.add_argument("--quiet", action="store_true", help="no progress and no notes on the standard error")


def add_verbs(verbs: Any) -> None:
    """Adds `ask` and `ladder` to the command."""
    ask = verbs.add_parser("ask", help="ask a live engine, and record what the checks need", description="Asks OpenAI-compatible servers what a file of requests or a run holds, and records "
                           "token ids, finish reasons, times and the engine's counters.", epilog=ASK_EXAMPLES + "\n\n" + EXIT_CODES)
    what = ask.add_argument_group("what is asked")
    ask.add_argument("file", nargs="?", metavar="FILE", help="OpenAI batch lines, or any run that vaa check reads")
    what.add_argument("--from", dest="run_path", metavar="RUN", help="the same; says that it is a run")
    what.add_argument("--bad", metavar="FLAG|any", help="only answers of the run with this flag")
    what.add_argument("--sample", type=int, metavar="N", help="that many of them, drawn at random")
    what.add_argument("--sample-seed", type=int, metavar="S", help="of the draw, default 1")
    what.add_argument("--repeat", type=int, metavar="K", help="ask each K times")
    what.add_argument("--for", dest="purpose", choices=("quality", "compare", "spec", "cache"), help="what the records are for: which fields requests get, so that the path under test is left alone; default quality")
    what.add_argument("--again", action="store_true", help="judge the answers at once: k of n bad on each URL and at each concurrency")
    what.add_argument("--stop-after", type=int, metavar="N", help="with --again: stop a case on a URL after that many bad answers")
    what.add_argument("--probe", action="store_true", help="only say what the servers are and give")
    what.add_argument("--dry-run", action="store_true", help="print the requests that would be sent, and send none of them")
    change = ask.add_argument_group("instead of what the input says")
    for name, kind in (("max-tokens", int), ("temperature", float), ("top-p", float), ("top-k", int), ("seed", int), ("top-logprobs", int)):
        change.add_argument(f"--{name}", type=kind, metavar="N" if kind is int else "X")
    change.add_argument("--no-stream", action="store_true", help="whole answers, not streamed")
    _connection(ask)
    _output(ask)
    ask.set_defaults(run=run_ask, parser=ask)

    ladder = verbs.add_parser("ladder", help="from which token do two engines part?", description="Cuts recorded answers at absolute positions and asks for the next tokens: the first tests "
                              "prefill at that position, the others decode, graph and all.", epilog=LADDER_EXAMPLES + "\n\n" + EXIT_CODES)
    ladder.add_argument("file", metavar="RUN", help="records with token ids (vaa ask makes them)")
    which = ladder.add_argument_group("which answers, where")
    which.add_argument("--bad", metavar="FLAG|any", help="answers with this flag")
    which.add_argument("--ids", metavar="A,B", help="these answers")
    which.add_argument("--sample", type=int, metavar="N", help="that many of them, drawn at random")
    which.add_argument("--sample-seed", type=int, metavar="S", help="of the draw, default 1")
    which.add_argument("--at", metavar="P,P,…", help="absolute positions, the prompt counted in, such as 1K,4K-64,4K+64 (K is 1024)")
    which.add_argument("--tokens", type=int, metavar="N", help="greedy tokens after each cut, default 32")
    which.add_argument("--reencode", action="store_true", help="where ids are not recorded: take them from the server's /tokenize, and mark them")
    halve = ladder.add_argument_group("bisection")
    halve.add_argument("--bisect", action="store_true", help="halve to the first position from which the second URL parts from the first")
    halve.add_argument("--low", metavar="P", help="positions to search between")
    halve.add_argument("--high", metavar="P")
    halve.add_argument("--repeat", type=int, metavar="K", help="times the reference is held against itself, default 4")
    halve.add_argument("--config", metavar="FILE", help="the model's config.json, whose structural numbers are named where one fits")
    halve.add_argument("--structure", action="append", metavar="NAME=N", help="one more such number, such as a block or capture size")
    _connection(ladder)
    _output(ladder)
    ladder.set_defaults(run=run_ladder, parser=ladder)


def _asker(args: argparse.Namespace, concurrency: Optional[int]) -> Any:
    from ._ask import Asker

    refuse_empty(args, ("out", "report", "key_env", "key_file", "ca_file", "proxy", "model"))
    if not args.url:
        args.parser.error("--url: is needed, such as --url http://127.0.0.1:8000")
    headers = {}
    for header in args.header or ():
        name, colon, value = header.partition(":")
        if not colon or not name.strip():
            args.parser.error(f"--header: {header.partition('=')[0]!r} is not NAME:VALUE")
        headers[name.strip()] = value.strip()
    return Asker(args.url, engine=args.engine, model=args.model, key_env=args.key_env, key_file=args.key_file, headers=headers or None, ca_file=args.ca_file, proxy=args.proxy,
                 concurrency=concurrency, rate=args.rate, connect_timeout_s=args.connect_timeout, idle_timeout_s=args.idle_timeout, timeout_s=args.timeout, retries=args.retries,
                 max_retry_wait_s=args.max_retry_wait)


def _concurrencies(args: argparse.Namespace) -> list[int]:
    try:
        return [int(one) for one in args.concurrency.split(",")] if args.concurrency is not None else []
    except ValueError:
        args.parser.error(f"--concurrency: {args.concurrency!r} is no number or list of numbers")


def _existing(args: argparse.Namespace) -> dict[str, Any]:
    if not args.out:
        args.parser.error("--out: is needed: the file that answers are appended to")
    if args.report and os.path.realpath(args.report) in {os.path.realpath(path) for path in (args.file, getattr(args, "run_path", None), args.out) if path}:
        args.parser.error(f"--report: {args.report} is read or gets the answers")
    return {"resume": args.resume or None, "force": args.force or None}


def _judged(args: argparse.Namespace, call: Callable[..., Any], **options: Any) -> int:
    """Runs the call with a progress bar, prints its report; the exit code."""
    from .cli import complain, render_options

    try:
        with AskProgress(shown=sys.stderr.isatty() and not args.quiet) as progress:
            report = call(progress=progress.show if progress.shown else None, **options)
    except KeyboardInterrupt:
        complain(f"interrupted; what had arrived is kept in {args.out}: the same command with --resume goes on")
        return 130
    words = render_options(args, to_file=bool(args.report))
    if args.report:
        report.write(args.report, **words)
    else:
        sys.stdout.write(report.render(**words).rstrip("\n") + "\n")
    return report.exit_code


def run_ask(args: argparse.Namespace) -> int:
    many = _concurrencies(args)
    if args.probe:
        return _probe(args, _asker(args, None))
    if bool(args.file) == bool(args.run_path):
        args.parser.error("FILE: is needed, or --from RUN" if not args.file else "--from: FILE is given already")
    if len(many) > 1 and not args.again:
        args.parser.error("--concurrency: a list of numbers needs --again")
    if args.stop_after is not None and not args.again:
        args.parser.error("--stop-after: needs --again")
    if args.url and len(args.url) > 1 and not args.again:
        args.parser.error(f"--url: {len(args.url)} are given, which needs --again")
    source = args.file or args.run_path
    options: dict[str, Any] = dict(flag=args.bad, sample=args.sample, seed=args.sample_seed, repeat=args.repeat, max_tokens=args.max_tokens, temperature=args.temperature, top_p=args.top_p,
                                   top_k=args.top_k, request_seed=args.seed, top_logprobs=args.top_logprobs, stream=False if args.no_stream else None)
    asker = _asker(args, many[0] if len(many) == 1 else None)
    if args.dry_run:
        return _dry_run(asker, source, args, options)
    options.update(_existing(args))
    if args.again:
        return _judged(args, lambda **given: asker.ask_again(source, args.out, **given), stop_after=args.stop_after, concurrencies=many or None, **{"for": args.purpose}, **options)
    return _judged(args, lambda **given: asker.ask(source, args.out, **given), purpose=args.purpose, **options)


def run_ladder(args: argparse.Namespace) -> int:
    many = _concurrencies(args)
    if len(many) > 1:
        args.parser.error("--concurrency: takes one number here")
    options: dict[str, Any] = dict(flag=args.bad, ids=args.ids.split(",") if args.ids else None, sample=args.sample, seed=args.sample_seed, tokens=args.tokens, reencode=args.reencode or None)
    if not args.bisect:
        for name in ("low", "high", "repeat", "config", "structure"):
            if getattr(args, name) is not None:
                args.parser.error(f"--{name}: needs --bisect")
        if not args.at:
            args.parser.error("--at: is needed, such as --at 1K,4K-64,4K+64; or --bisect")
    elif args.at:
        args.parser.error("--at: --bisect finds the positions itself; --low and --high bound them")
    elif not args.url or len(args.url) != 2:
        args.parser.error("--bisect: needs two --url, the reference first")
    options.update(_existing(args))
    asker = _asker(args, many[0] if many else None)
    if args.bisect:
        return _judged(args, lambda **given: asker.bisect(args.file, args.out, **given), low=args.low, high=args.high, repeat=args.repeat, config=args.config, structure=args.structure, **options)
    return _judged(args, lambda **given: asker.ladder(args.file, args.out, args.at.split(","), **given), **options)


_GIVES = {"en": {True: "yes", False: "no", None: "not known"}, "zh": {True: "是", False: "否", None: "未知"}}


def _probe(args: argparse.Namespace, asker: Any) -> int:
    from .cli import system_language

    servers = asker.servers()
    lang = args.lang or system_language()
    if args.format == "json":
        print(_plain(json.dumps(servers, ensure_ascii=False, indent=1), "\n"))
        return 0
    for server in servers:
        lines = [server["url"], f"  engine         {server['engine']} {server['version'] or ''}".rstrip()]
        lines.append(f"  model          {server['model']}" + (f" (of {', '.join(server['models'])})" if len(server["models"]) > 1 else ""))
        if server["max_model_len"] is not None:
            lines.append(f"  max_model_len  {server['max_model_len']}")
        lines += [f"  {name:<13}  {_GIVES[lang][given]}" for name, given in server["gives"].items()]
        lines += [f"  ! {problem}" for problem in server["problems_zh" if lang == "zh" else "problems"]]
        print("\n".join(_plain(line) for line in lines))
    return 0


def _plain(text: str, allowed: str = "") -> str:
    """What a server says of itself, without what a terminal would obey."""
    return "".join(char if char.isprintable() or char in allowed else json.dumps(char)[1:-1] for char in text)


def _dry_run(asker: Any, source: str, args: argparse.Namespace, options: dict[str, Any]) -> int:
    if args.out:
        asker.ask(source, args.out, purpose=args.purpose, dry_run=True, force=args.force or None, **options)
        return 0
    # Through a file of its own: the standard output may be a file that others write to, too.
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "requests.jsonl")
        asker.ask(source, path, purpose=args.purpose, dry_run=True, **options)
        with open(path, encoding="utf-8", errors="surrogateescape") as lines:
            shutil.copyfileobj(lines, sys.stdout)
    return 0
