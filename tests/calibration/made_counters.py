"""Made counters of speculative decoding: engines that serve requests whose drafts have rates of their own, scraped every 10 s, in the form of vLLM's pages and logs.

    python tests/calibration/made_counters.py FOLDER     writes the files of examples/spec_decode
"""
from __future__ import annotations

import dataclasses
import datetime
import json
import pathlib
import sys
from typing import Callable, Iterator, Optional

import numpy as np

START = 1787220000  # 2026-08-20 10:00:00 UTC


@dataclasses.dataclass
class Load:
    """What engines are asked. Rates of requests are Beta-distributed about `rate`, `spread` apart: draft tokens of one request are alike, and requests last over several scrapes."""

    engines: int = 1
    windows: int = 60
    drafts: float = 400        # of an engine in a window, on average
    positions: int = 3
    rate: float = 0.7          # of the first position; later ones are accepted with rate x carry
    carry: float = 0.9
    spread: float = 0.1
    request_drafts: int = 200  # of one request, on average
    requests: int = 8          # at once on an engine
    full_length: bool = True


Fault = Callable[[int, int, float], float]  # engine, window, rate of the request -> rate


def no_fault(engine: int, window: int, rate: float) -> float:
    return rate


class MadeEngine:
    """The counters of one engine, window by window."""

    def __init__(self, load: Load, index: int, seed: int, fault: Fault = no_fault) -> None:
        self.load, self.index, self.fault = load, index, fault
        self.random = np.random.default_rng([seed, index])
        self.drafts = self.draft_tokens = self.accepted = self.generated = 0
        self.at_position = np.zeros(load.positions, dtype=np.int64)
        self.requests = [self.request() for _ in range(load.requests)]

    def request(self) -> "list[float]":
        load = self.load
        mean, spread = load.rate, load.spread
        size = mean * (1 - mean) / spread ** 2 - 1
        return [self.random.beta(mean * size, (1 - mean) * size), self.random.geometric(1 / load.request_drafts)]

    def window(self, number: int) -> None:
        load = self.load
        drafts = self.random.poisson(load.drafts / load.requests, size=load.requests)
        for i, n in enumerate(drafts):
            while n > 0:
                rate, left = self.requests[i]
                now = min(n, left)
                self.count(int(now), self.fault(self.index, number, rate))
                n -= now
                self.requests[i] = self.request() if now == left else [rate, left - now]

    def count(self, n: int, rate: float) -> None:
        load = self.load
        lengths = np.full(n, load.positions) if load.full_length else self.random.integers(1, load.positions + 1, size=n)
        self.drafts += n
        self.draft_tokens += int(lengths.sum())
        alive = np.ones(n, dtype=bool)
        for position in range(load.positions):
            alive &= (lengths > position) & (self.random.random(n) < (rate if position == 0 else rate * load.carry))
            self.at_position[position] += int(alive.sum())
            self.accepted += int(alive.sum())
        self.generated = self.accepted + self.drafts

    def page(self) -> str:
        labels = f'engine="{self.index}",model_name="toy-8b"'
        lines = []
        for name, value in (("spec_decode_num_drafts", self.drafts), ("spec_decode_num_draft_tokens", self.draft_tokens), ("spec_decode_num_accepted_tokens", self.accepted), ("generation_tokens", self.generated)):
            lines.append(f"vllm:{name}_total{{{labels}}} {float(value)}")
        for position, value in enumerate(self.at_position):
            lines.append(f'vllm:spec_decode_num_accepted_tokens_per_pos_total{{{labels},position="{position}"}} {float(value)}')
        return "\n".join(lines) + "\n"


def pages(load: Load, seed: int, fault: Fault = no_fault) -> "Iterator[tuple[float, str]]":
    """(Unix time, page) of one server with all its engines; the first before anything was asked."""
    engines = [MadeEngine(load, i, seed, fault) for i in range(load.engines)]
    yield START, "".join(engine.page() for engine in engines)
    for number in range(load.windows):
        for engine in engines:
            engine.window(number)
        yield START + 10 * (number + 1), "".join(engine.page() for engine in engines)


# Faults, each as a law of what is accepted.
def rejects_all(engine: int, window: int, rate: float) -> float:
    return 0.0


def rejects_all_from(first: int) -> Fault:
    return lambda engine, window, rate: 0.0 if window >= first else rate


def falls_on(rank: int, first: int, by: float) -> Fault:
    return lambda engine, window, rate: max(0.0, rate - by) if engine == rank and window >= first else rate


def lower_on(rank: int, by: float) -> Fault:
    return lambda engine, window, rate: max(0.0, rate - by) if engine == rank else rate


def accepts_all(engine: int, window: int, rate: float) -> float:
    return 1.0


def audit(load: Load, seed: int, fault: Fault = no_fault, **options: object) -> "Optional[dict]":
    import vaa

    made = vaa.Audit(**options)
    for time_s, page in pages(load, seed, fault):
        made.push_page(page, time_s=time_s)
    return made.report().to_dict()


def log_lines(load: Load, seed: int, fault: Fault = no_fault) -> "Iterator[str]":
    """What vLLM logs of the same: a line of throughput and one of speculation for each engine, every 10 s."""
    engines = [MadeEngine(load, i, seed, fault) for i in range(load.engines)]
    for number in range(load.windows):
        clock = datetime.datetime.fromtimestamp(START + 10 * (number + 1), datetime.timezone.utc).strftime("%m-%d %H:%M:%S")
        for engine in engines:
            before = (engine.drafts, engine.draft_tokens, engine.accepted, engine.at_position.copy(), engine.generated)
            engine.window(number)
            drafts, drafted, accepted, at, generated = (engine.drafts - before[0], engine.draft_tokens - before[1], engine.accepted - before[2], engine.at_position - before[3], engine.generated - before[4])
            head = f"(APIServer pid=1) INFO {clock}"
            yield f"{head} [loggers.py:248] Engine {engine.index:03d}: Avg prompt throughput: 0.0 tokens/s, Avg generation throughput: {generated / 10:.1f} tokens/s, Running: {load.requests} reqs, Waiting: 0 reqs"
            if drafts:
                yield (f"{head} [metrics.py:101] SpecDecoding metrics: Mean acceptance length: {1 + accepted / drafts:.2f}, Accepted throughput: {accepted / 10:.2f} tokens/s, Drafted throughput: {drafted / 10:.2f} tokens/s, "
                       f"Accepted: {accepted} tokens, Drafted: {drafted} tokens, Per-position acceptance rate: {', '.join(f'{x / drafts:.3f}' for x in at)}, Avg Draft acceptance rate: {100 * accepted / drafted:.1f}%")


def answers(load: Load, seed: int, count: int, fault: "Optional[Callable[[float, float], float]]" = None) -> "Iterator[dict]":
    """Records of `count` questions at T = 0 and at T = 0.6, as a server with speculation gives them; fault(temperature, rate) -> rate. Without the draft token, of which p is the rate, T > 0 answers wrong more often."""
    random = np.random.default_rng(seed)
    for temperature in (0.0, 0.6):
        for i in range(count):
            engine = MadeEngine(load, i, seed + int(10 * temperature))
            rate = engine.requests[0][0]
            law = fault(temperature, rate) if fault else rate
            engine.count(40 + int(random.integers(0, 40)), law)
            right = random.random() < (0.8 if law > 0 else 0.35)
            yield {"schema": "vaa.record/1", "id": f"q{i:03d}", "model": "toy-8b", "prompt": {"text": f"Question {i}"}, "output": {"text": f"The answer is {i if right else i + 1}."}, "finish_reason": "stop",
                   "sampling": {"temperature": temperature}, "usage": {"completion_tokens": engine.generated}, "score": {"gold": str(i), "extracted": str(i if right else i + 1), "correct": bool(right)},
                   "spec": {"steps": engine.drafts, "draft_tokens": engine.draft_tokens, "accepted_tokens": engine.accepted}}


def without_speculation(record: dict) -> dict:
    record = dict(record)
    del record["spec"]
    return record


def write_examples(folder: pathlib.Path) -> None:
    """The case of vllm-ascend#1632: greedy requests first, sampled ones from the tenth scrape on, of which the faulty engine rejects every draft."""
    load = Load(engines=2, windows=30, drafts=300)
    for name, fault in (("faulty", rejects_all_from(10)), ("fixed", no_fault)):
        place = folder / name
        place.mkdir(parents=True, exist_ok=True)
        with (place / "metrics.prom").open("w", encoding="utf-8") as file:
            for time_s, page in pages(load, 3, fault):
                file.write(f"# time {time_s}\n{page}")
        (place / "server.log").write_text("\n".join(log_lines(load, 3, fault)) + "\n", encoding="utf-8")
        zero = None if name == "fixed" else lambda temperature, rate: 0.0 if temperature > 0 else rate
        with (place / "answers.jsonl").open("w", encoding="utf-8") as file:
            for record in answers(load, 5, 40, zero):
                file.write(json.dumps(record) + "\n")
    with (folder / "plain.jsonl").open("w", encoding="utf-8") as file:
        for record in answers(load, 6, 40):
            file.write(json.dumps(without_speculation(record)) + "\n")


if __name__ == "__main__":
    write_examples(pathlib.Path(sys.argv[1]))
