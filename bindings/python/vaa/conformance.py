"""python -m vaa.conformance FILE… [--strict]: holds vaa against files of numeric truths and judged texts.

Files, or all .json and .jsonl files of a folder, are JSON with a list `vectors` (each of a `kind`, `group` or `generator`), the RoPE tables, or JSON lines of texts that must or must not be flagged. What
this version knows is judged; every other kind and flag is named and counted as unknown. Failures come first, then `N passed, N failed, N unknown`, then what is unknown. Exit code: 1 where
something failed, or with --strict something is unknown; 2 where a file cannot be read.
"""

from __future__ import annotations

import argparse
import collections
import json
import os
import sys
from typing import Any, Optional, Sequence

from ._border import Error
from ._check import check_text, flags
from ._diff_vectors import run as run_diff
from ._reject_vectors import KINDS as REJECT
from ._replay_vectors import run as run_difr
from ._rng_vectors import GENERATORS, run_gumbel
from ._sampler_vectors import KINDS as SAMPLER, expected, plain
from ._stats_vectors import GROUPS as STATISTICS
from ._vectors import mismatches
from ._verifier_vectors import KINDS as VERIFIER
from .cli import complain


class Score:
    """What came out so far. Failures are printed as they come."""

    def __init__(self) -> None:
        self.passed = 0
        self.failed = 0
        self.missed = 0
        self.unknown: collections.Counter[str] = collections.Counter()

    def fail(self, where: str, why: str) -> None:
        self.failed += 1
        print(f"failed: {where}: {why}")


def judge_text(case: dict[str, Any], known: frozenset[str], score: Score) -> None:
    """One line of quality_cases.jsonl. must_flag: among the findings of any severity; must_not_flag: not among those of fail and warn; class clean: none of those."""
    text = case["text"]
    if isinstance(text, dict):
        gen = text["gen"]
        text = gen["prefix"] + gen["unit"] * gen["times"] + gen["suffix"]
    result = check_text(text, prompt=case.get("prompt"), finish_reason=case.get("finish_reason"))
    found = {finding["flag"] for finding in result["findings"]}
    must, must_not, clean = set(case["must_flag"]), set(case["must_not_flag"]), case["class"] == "clean"
    for flag in sorted((must | must_not) - known):
        score.unknown[f"flag {flag}"] += 1
    if not clean and not ((must | must_not) & known):
        return
    missing = sorted((must & known) - found)
    wrong = sorted(result.flags if clean else must_not & result.flags)
    if missing and case.get("level", "core") == "stretch":
        score.missed += 1
        missing = []
    lost = misplaced(case.get("expect") or {}, [finding for finding in result["findings"] if finding["flag"] in must]) if must & known else ""
    if missing or wrong or lost:
        lacks = [f"{flag} (unknown)" if flag in result.unknown else flag for flag in missing]
        score.fail(case["case"], "; ".join(filter(None, (lacks and "not found: " + ", ".join(lacks), wrong and "found: " + ", ".join(wrong), lost))))
    else:
        score.passed += 1


def misplaced(expect: dict[str, Any], findings: Sequence[dict[str, Any]]) -> str:
    """What no finding has of `expect`: the period in characters, and the onset to within three periods or a tenth; "" where one has all of it."""
    period, onset = expect.get("period_chars"), expect.get("onset_chars_about")
    if period is None:  # the onset of what no loop shows is looked at by those who find it
        return ""
    for finding in findings:
        near = onset is None or abs(finding.get("onset_char", -1) - onset) <= max(3 * period, onset // 10)
        if finding.get("period_chars") == period and near:
            return ""
    places = [(finding.get("onset_char"), finding.get("period_chars")) for finding in findings if "period_chars" in finding]
    return f"no loop of period {period} from about {onset}, but {places}"


# Kinds of sampling.json and groups of verification.json: from a vector's inputs to the fields that it expects, None where inputs of this shape are not known.
KINDS = {**SAMPLER, **VERIFIER, **REJECT}
GROUPS = {**STATISTICS, "diff": run_diff, "difr": run_difr, "rng": run_gumbel}


def judge_vector(vector: dict[str, Any], score: Score) -> None:
    """One vector of a list `vectors`."""
    name = next((f"{key} {vector[key]}" for key in ("kind", "group", "generator") if key in vector), "vector without a kind")
    if "generator" in vector and "output" in vector:
        run = GENERATORS.get(vector["generator"])
        got = run(vector) if run else None
        vector = {**vector, "expected": vector["output"]}
    elif "kind" in vector and "expect" in vector:
        run_kind = KINDS.get(vector["kind"])
        got = run_kind(plain(vector["input"])) if run_kind else None
        vector = expected(vector)
    else:
        runner = GROUPS.get(vector.get("group", ""))
        got = runner(vector["inputs"]) if runner else None
    if got is None:
        score.unknown[name] += 1
        return
    faults = mismatches(got, vector)
    if faults:
        score.fail(vector["id"], "; ".join(faults))
    else:
        score.passed += 1


def judge_document(document: Any, path: str, score: Score) -> None:
    """A file of vectors. Kinds and groups come with the parts of vaa that they test."""
    if isinstance(document, dict) and isinstance(document.get("vectors"), list):
        for place, vector in enumerate(document["vectors"]):
            try:
                judge_vector(vector, score)
            except (AttributeError, Error, KeyError, IndexError, TypeError, ValueError) as fault:
                score.fail(f"{path}: vectors[{place}]", f"{type(fault).__name__}: {fault}")
    elif isinstance(document, dict) and "variants" in document:
        score.unknown["kind rope"] += 1 + len(document["variants"])
    else:
        raise ValueError("is of no shape that the vectors have")


def judge_file(path: str, known: frozenset[str], score: Score) -> None:
    """One file, told apart by its content."""
    with open(path, encoding="utf-8", errors="surrogatepass") as file:
        content = file.read()
    try:
        document = json.loads(content)
    except ValueError:
        document = None
    if document is not None and not (isinstance(document, dict) and "must_flag" in document):
        judge_document(document, path, score)
        return
    lines = [(number, line) for number, line in enumerate(content.split("\n"), 1) if line.strip()]
    if not any(_is_case(line) for _, line in lines):
        raise ValueError("is of no shape that the vectors have")
    for number, line in lines:
        try:
            judge_text(json.loads(line), known, score)
        except (KeyError, TypeError, ValueError) as fault:
            score.fail(f"{path}:{number}", f"is no case: {type(fault).__name__}: {fault}")


def files_of(path: str) -> list[str]:
    """The file, or the vector files of a folder in byte order of their names."""
    if not os.path.isdir(path):
        return [path]
    names = sorted(name for name in os.listdir(path) if name.endswith((".json", ".jsonl")))
    if not names:
        raise ValueError("is a folder without .json and .jsonl files")
    return [os.path.join(path, name) for name in names]


def _is_case(line: str) -> bool:
    try:
        case = json.loads(line)
    except ValueError:
        return False
    return isinstance(case, dict) and "must_flag" in case


def main(argv: Optional[Sequence[str]] = None) -> int:
    """Runs the files; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m vaa.conformance", description="Holds vaa against files of numeric truths and judged texts.")
    parser.add_argument("files", nargs="+", metavar="FILE", help="a vector file, or a folder of them")
    parser.add_argument("--strict", action="store_true", help="exit 1 where something is unknown")
    args = parser.parse_args(argv)
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")
    known = frozenset(flag["name"] for flag in flags())
    score = Score()
    unreadable = False
    paths = []
    for path in args.files:
        try:
            paths += files_of(path)
        except (OSError, ValueError) as fault:
            complain(f"{path}: {fault}")
            unreadable = True
    for path in paths:
        try:
            judge_file(path, known, score)
        except OSError as fault:
            complain(f"{path}: {(fault.strerror or str(fault)).lower()}")
            unreadable = True
        except ValueError as fault:
            complain(f"{path}: {fault}")
            unreadable = True
    unknown = sum(score.unknown.values())
    print(f"{score.passed} passed, {score.failed} failed, {unknown} unknown")
    if score.missed:
        print(f"missed, as level stretch may be: {score.missed}")
    for name, count in sorted(score.unknown.items()):
        print(f"unknown: {name}: {count}")
    return 2 if unreadable else 1 if score.failed or (args.strict and unknown) else 0


if __name__ == "__main__":
    sys.exit(main())
