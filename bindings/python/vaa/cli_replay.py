"""The verb of the command that samples a run again: vaa replay."""

from __future__ import annotations

import argparse
from typing import Any

from ._replay import replay
from ._report import VERDICTS
from ._sampler import Engine, engines
from .cli_output import add_output, as_given, refuse_empty

EXAMPLES = """examples:
  vaa replay logits.npy --ids ids.json --engine vllm_v1 --generator torch_cuda --seed 42 --temperature 0.7 --top-p 0.95 --sm-count 132
  vaa replay logits.safetensors --ids ids.npy --engine vllm_v1 --temperature 0      greedy: nothing is drawn
  vaa replay logits.npy --ids ids.json --noise q.npy --engine vllm_ascend_torch     noise dumped from the device
  vaa replay run.jsonl --engine vllm_v2 --generator vllm_v2 --vocabulary 151936     a run with token ids and lists of logprobs"""
EXIT_CODES = """exit codes:
  0  the tokens are those that rules, parameters and noise give
  1  they depart from them, more often than --max-departed
  2  could not tell: bad input, bad usage, streams not aligned
  3  undecided: the report says how many rows would do"""
_REALS = (("temperature", "T"), ("top-p", "P"), ("min-p", "P"), ("typical-p", "P"), ("repetition-penalty", "R"), ("frequency-penalty", "F"), ("presence-penalty", "S"))
_OPTIONS = ("generator", "seed", "sm_count", "threads_per_sm", "torch", "triton", "variant", "noise_type", "noise_position", "temperature", "top_p", "min_p", "typical_p", "repetition_penalty",
            "frequency_penalty", "presence_penalty", "top_k", "penalty_last_n", "precision", "logits_precision", "tolerance", "clip", "max_departed", "max_illegal", "max_rows", "vocabulary")


def add_replay(verbs: Any) -> None:
    """Adds `replay` to the command."""
    verb = verbs.add_parser("replay", help="do rules, parameters and seed give the engine's tokens?", description="Samples a run again from its logits or listed logprobs, with the rules of the engine and its noise: "
                            "which tokens depart, by how much, and what else would have picked them.", epilog=EXAMPLES + "\n\n" + EXIT_CODES)
    verb.add_argument("logits", metavar="LOGITS", help="rows [n, V] of float numbers (.npy, .safetensors), or a run with token ids and lists of raw logprobs")
    verb.add_argument("--engine", metavar="NAME", required=True, help=f"how it samples: {', '.join(engines())}; or a JSON object of rules (docs/sampler.md)")
    read = verb.add_argument_group("the sequence")
    read.add_argument("--ids", metavar="FILE", help="the engine's token of each row: .npy, .safetensors, a JSON list, numbers")
    read.add_argument("--prompt-ids", metavar="FILE", help="what came before: penalties and noise by position need it")
    read.add_argument("--tensor", metavar="NAME", help="of LOGITS, where it holds several")
    read.add_argument("--ids-tensor", metavar="NAME", help="of --ids, where it holds several")
    read.add_argument("--input-format", metavar="NAME", help="of a run, instead of finding it by content: vaa formats")
    noise = verb.add_argument_group("noise")
    noise.add_argument("--generator", metavar="NAME", help="what the engine draws with: docs/generators.md")
    noise.add_argument("--seed", metavar="N", help="-2^63 to 2^64 - 1, exact, or 0x…; of a run that of each sample, where it is recorded")
    noise.add_argument("--noise", metavar="FILE", help="captured numbers, a row each (.npy, .safetensors), in place of a generator")
    noise.add_argument("--sm-count", type=int, metavar="N", help="multiprocessors of the device, for torch_cuda")
    noise.add_argument("--threads-per-sm", type=int, metavar="N")
    noise.add_argument("--torch", metavar="VERSION", help="such as 2.6")
    noise.add_argument("--triton", choices=("new", "old"))
    noise.add_argument("--variant", metavar="NAME", help="form of the noise")
    noise.add_argument("--noise-type", choices=("float32", "float64"))
    noise.add_argument("--noise-position", type=int, metavar="N", help="added to the position that a generator by place is asked for")
    asked = verb.add_argument_group("parameters; of a run those that it records")
    for name, letter in _REALS:
        asked.add_argument(f"--{name}", type=float, metavar=letter)
    asked.add_argument("--top-k", type=int, metavar="K")
    asked.add_argument("--penalty-last-n", type=int, metavar="N")
    judge = verb.add_argument_group("bands and verdict")
    for name in ("precision", "logits-precision"):
        judge.add_argument(f"--{name}", choices=("exact", "fp32", "fp16", "bf16"), help="how the engine computes; default fp32" if name == "precision" else "to what it rounded the logits; default exact: these are its own")
    judge.add_argument("--tolerance", type=float, metavar="LOGIT", help="by how much its logits may differ from these")
    judge.add_argument("--clip", type=float, metavar="LOGIT", help="what one token adds to the mean margin at most, default 0.5")
    judge.add_argument("--max-departed", type=float, metavar="SHARE", help="rows that may depart, default 0.005")
    judge.add_argument("--max-illegal", type=float, metavar="SHARE", help="tokens that the rules had taken away, default 0.0005")
    judge.add_argument("--max-rows", type=int, metavar="N", help="rows kept in the table of the report, default 10000")
    judge.add_argument("--vocabulary", type=int, metavar="V", help="its size, for lists of logprobs")
    add_output(verb, quiet="no notes on the standard error")
    verb.set_defaults(run=run_replay, parser=verb)


def run_replay(args: argparse.Namespace) -> int:
    from .cli import complain, put_report

    refuse_empty(args, ("out", "ids", "prompt_ids", "noise", "seed"))
    options = {name: getattr(args, name) for name in _OPTIONS}
    try:
        engine = Engine(args.engine)
        report = replay(args.logits, args.ids, engine=engine, prompt=args.prompt_ids or (), noise=args.noise, tensor=args.tensor, ids_tensor=args.ids_tensor, format=args.input_format, **options)
    except ValueError as fault:
        complain(as_given(args, fault))
        return 2
    put_report(args, report)
    if args.out and not args.quiet:
        complain(f"{args.logits}: {VERDICTS[report.exit_code]}, written to {args.out}")
    return report.exit_code
