"""10,000 random rows with ties beside vLLM V1's steps in real torch (vllm_v1_torch.py): the same sets, the same draws, the same tokens, and a replay in which nothing departs."""

import pathlib
import shutil
import subprocess

import numpy
import pytest

import vaa
from test_sampler import ROWS, VOCABULARY, random_rows

SEED = 20261130
LEAST = 1e-36  # as in vllm_v1_torch.py


@pytest.fixture(scope="module")
def beside_torch(tmp_path_factory):
    """(rows, what torch made of them); skipped where the system's Python has no torch."""
    python = shutil.which("python3", path="/usr/bin")
    if not python or subprocess.run([python, "-c", "import torch, numpy"], capture_output=True).returncode:
        pytest.skip("the system's Python has no torch (Debian: python3-torch)")
    folder = tmp_path_factory.mktemp("torch")
    logits, params, prompt, output, _ = random_rows(ROWS, 31)
    params["temperature"] = numpy.where(params["temperature"] == 0.005, 0.01, params["temperature"])  # vLLM raises it before it samples
    lists = {f"{name}{ending}": value for name, ids in (("prompt", prompt), ("output", output))
             for ending, value in (("", numpy.concatenate(ids).astype(numpy.int64)), ("_ends", numpy.cumsum([len(one) for one in ids])))}
    numpy.savez(folder / "rows.npz", logits=logits, seed=SEED, **params, **lists)
    subprocess.run([python, pathlib.Path(__file__).with_name("vllm_v1_torch.py"), folder / "rows.npz", folder / "picked.npz"], check=True)
    with numpy.load(folder / "picked.npz") as made:
        made = dict(made)
    return (logits, params, prompt, output), made, numpy.split(made["kept"], made["ends"][:-1])


def test_the_draws_are_torchs_own(beside_torch):
    _, made, _ = beside_torch
    rng = vaa.Rng("torch_cpu", SEED)
    assert all((rng.exponential(VOCABULARY).values[:4] == row).all() for row in made["drawn"])


def test_kept_sets_and_tokens_are_those_of_torch(beside_torch):
    (logits, params, prompt, output), made, kept = beside_torch
    sampler, rng = vaa.Sampler("vllm_v1", rounding="fp32", threads=2), vaa.Rng("torch_cpu", SEED)
    noise = numpy.array([rng.exponential(VOCABULARY).values for _ in range(ROWS)])
    said = {"prompt": prompt, "output": output, "params": params}
    ours, tokens = [numpy.flatnonzero(law > LEAST) for law in sampler.probs(logits, **said)], sampler.draw(logits, noise, **said)
    other = [r for r in range(ROWS) if ours[r].tolist() != kept[r].tolist()]
    # The order in which a device adds up masses is its own: at a boundary within some float32 steps of top-p either set is right.
    assert len(other) < ROWS / 1000 and all(made["margins"][r] < 1e-6 for r in other), [(r, made["margins"][r]) for r in other][:5]
    same = numpy.setdiff1d(numpy.arange(ROWS), other)
    assert (tokens[same] != made["picked"][same]).sum() <= 2
    ties = sum(len(ids) > len(set(logits[r][ids])) for r, ids in enumerate(kept))
    assert ties > ROWS / 3


def test_a_replay_of_torchs_tokens_departs_nowhere(beside_torch):
    """Of rows of one set of parameters and no history, as one sequence."""
    (logits, params, _, _), made, _ = beside_torch
    plain = [r for r in range(ROWS) if params["temperature"][r] == 0]
    replay = vaa.Replay("vllm_v1", temperature=0)
    bare = [r for r in plain if params["repetition_penalty"][r] == 1 and params["frequency_penalty"][r] == params["presence_penalty"][r] == 0]
    assert len(bare) > 100 and (replay.push(logits[bare], made["picked"][bare]).state == 0).all()
    states = []
    rng = vaa.Rng("torch_cpu", SEED)
    for r in range(1500):
        noise = rng.exponential(VOCABULARY).values
        if params["temperature"][r] == 0:
            continue
        asked = {name: float(values[r]) for name, values in params.items() if "penalty" not in name}
        penalised = any(params[name][r] != off for name, off in (("repetition_penalty", 1), ("frequency_penalty", 0), ("presence_penalty", 0)))
        if not penalised:
            states.append(vaa.Replay("vllm_v1", **{**asked, "top_k": int(asked["top_k"])}).push(logits[r:r + 1], made["picked"][r:r + 1], [noise]).state[0])
    assert len(states) > 50 and max(states) <= 1
