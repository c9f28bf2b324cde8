"""The simulated model of tests/calibration has the law that it says, and a little of its simulation in every run; docs/compare.md holds the whole table."""

import json
import math
import sys

import numpy as np
import pytest

import vaa
from conftest import ROOT

sys.path.insert(0, str(ROOT / "tests" / "calibration"))
import made_model  # noqa: E402
import made_records  # noqa: E402
from compare_tokens_simulation import simulate  # noqa: E402
from token_families import WRONG_WEIGHTS, Case, families  # noqa: E402


def together(a, b):
    """Mask of positions before the first token in which answers differ, and the index of that token (the length where there is none)."""
    length = np.minimum(a.lengths, b.lengths)
    other = (a.ids != b.ids) & (np.arange(a.ids.shape[1]) < length[:, None])
    parted = np.where(other.any(axis=1), other.argmax(axis=1), length)
    return np.arange(a.ids.shape[1]) < parted[:, None], parted, other.any(axis=1)


def gap(answers):
    return answers.list_logprobs[..., 0] - answers.list_logprobs[..., 1]


def test_gaps_have_their_law():
    model = made_model.Model(1)
    logits, ids, _ = model.logits(np.repeat(model.prompts(64)[:, None], 512, axis=1))
    gaps = logits[..., 0] - logits[..., 1]
    # P(gap < 1) = 1/4 (1 - 1/e), P(gap > 6) = 3/4 / e + 1/4 e^-6; 32,768 positions: four standard errors are 0.01
    assert abs((gaps < 1).mean() - 0.25 * (1 - np.exp(-1))) < 0.01
    assert abs((gaps > 6).mean() - 0.75 * np.exp(-1) - 0.25 * np.exp(-6)) < 0.011
    assert (np.diff(logits, axis=-1) <= 0).all()
    ranked = np.sort(ids, axis=-1)
    assert (ranked[..., 1:] != ranked[..., :-1]).all() and ids.min() == made_model.STOP and ids.max() < made_model.VOCABULARY


@pytest.mark.parametrize("clustered", [False, True])
def test_noise_changes_gaps_by_its_ratio(clustered):
    case = Case(0, 2, prompts=400, length=128)
    reference = case.answers(clustered=clustered)
    for ratio in (1.0, 2.0):
        target = case.answers(ratio, clustered)
        alike, _, _ = together(reference, target)
        alike &= gap(reference) > 0.5  # of nearer ones only those that did not flip are here
        assert abs((gap(reference) - gap(target))[alike].std() / (ratio * made_model.SWING) - 1) < 0.08


def test_tokens_flip_as_the_gaps_say():
    case = Case(0, 3, prompts=400, length=128)
    a, b = case.answers(), case.answers()
    alike, parted, other = together(a, b)
    at_risk = alike.copy()
    at_risk[np.flatnonzero(other), parted[other]] = True
    expected = sum(0.5 * math.erfc(g / made_model.SWING / 2**0.5) for g in gap(a)[at_risk])
    assert abs(other.sum() - expected) < 4 * expected**0.5
    # 0.25 x 0.05 / sqrt(2 pi): the density of Exp(1) near 0, times the half mean of the noise
    assert abs(expected / at_risk.sum() - 0.25 * made_model.SWING / np.sqrt(2 * np.pi)) < 0.0008


def test_the_text_is_the_same_until_a_token_differs_and_another_one_after_it():
    case = Case(0, 4)
    a, b = case.answers(), case.answers(3.0)
    _, parted, other = together(a, b)
    later = [(a.ids[i, t + 1 :] == b.ids[i, t + 1 :]).mean() for i, t in enumerate(parted) if other[i] and t < 500]
    assert len(later) > 30 and np.mean(later) < 0.01
    assert (case.answers(ratio=np.sqrt(0.5)).ids == case.answers(ratio=np.sqrt(0.5)).ids).all()  # no noise at all


def test_bf16_logits_lie_on_their_grid():
    case = Case(0, 5)
    gaps = gap(case.answers(bf16=True))
    assert 0.001 < (gaps == 0).mean() < 0.05
    near = gaps[gaps < 2]
    assert np.abs(near * 16 - np.rint(near * 16)).max() < 1e-3  # logits from 8 on: steps of 1/16 and 1/8


def test_lists_hold_probabilities_with_the_chosen_token_first():
    for temperature in (0.0, 0.6):
        answers = Case(0, 6, listed=20).answers(temperature=temperature)
        assert (answers.list_ids[..., 0] == answers.ids).all() and (answers.list_logprobs[..., 0] == answers.logprobs).all()
        assert (np.diff(answers.list_logprobs[..., 1:], axis=-1) <= 0).all()
        mass = np.exp(answers.list_logprobs.astype(float)).sum(axis=-1)
        assert 0.99 < mass.mean() and mass.max() < 1 + 1e-5


def test_wrong_weights_have_the_stated_distance():
    model = made_model.Model(7, listed=20)
    keys = np.repeat(model.prompts(200)[:, None], 128, axis=1)
    logits, _, at = model.logits(keys)
    wrong = logits + np.float32(WRONG_WEIGHTS) * made_model.normal(made_model.mixed(at[..., None] + np.arange(101, 101 + model.computed, dtype=np.uint64)))
    p, q = model.logprobs(logits).astype(float), model.logprobs(wrong).astype(float)
    kl = (np.exp(p) * (p - q)).sum(axis=-1).mean()
    assert abs(kl - 0.01) < 0.001


def test_renormalised_lists_add_to_one():
    answers = Case(0, 10).answers(renormalised=True)
    assert abs(np.exp(answers.list_logprobs.astype(float)).sum(axis=-1) - 1).max() < 1e-5


def test_every_family_writes_records_that_are_read(tmp_path):
    for name, family in families().items():
        size = {**family.size, "prompts": min(8, family.size.get("prompts", 8))}
        if "ladder" in name:
            size["prompts"] = 64
        for role, lines in family.write(Case(0, 8, **size)).items():
            if lines is None:
                continue
            path = tmp_path / f"{role}.jsonl"
            path.write_text("".join(lines), encoding="utf-8")
            samples = list(vaa.Records(path))
            assert len(samples) == len(lines) - 1, (name, role)
            record = json.loads(samples[0].to_json())
            if "speculation" in name and role == "target":
                assert record["output"]["token_ids"] and record["output"]["logprobs"] is None, name
                continue
            part = record["prompt"] if "forced" in name else record["output"]
            assert len(part["token_ids"]) == len(part["logprobs"]) == len(part["top_logprobs"]), (name, role)


def test_runs_of_a_seed_are_the_same():
    write = families()["scores by chance"].write
    assert write(Case(3, 9, prompts=4, length=32)) == write(Case(3, 9, prompts=4, length=32)) != write(Case(4, 9, prompts=4, length=32))
    assert made_records.prompt_ids(1) != made_records.prompt_ids(2)


@pytest.mark.parametrize("name", ["noise 1.0 x A/A, version", "400 x 128 tokens, other hardware, noise 1.5 x A/A", "no A/A, bf16 logits", "A/A to the bit", "ladder, noise 1.3 x A/A", "scores by chance", "speculation, right, 64 x 8"])
def test_noise_inside_its_margin_is_not_called_worse(name):
    assert simulate(name, 3, 1).verdicts["worse"] == 0


@pytest.mark.parametrize("name, kind", [("noise 3.0 x A/A, version", "numeric_drift"), ("wrong weights, KL 0.01", "numeric_drift"), ("target differs from itself", "batch_or_schedule_dependent"),
                                        ("cut at 200 tokens", "length_change"), ("speculation, p(d) restored as 0", "speculation_changes_law"), ("speculation, verified by argmax", "speculation_changes_law")])
def test_what_is_worse_is_found_and_named(name, kind):
    tally = simulate(name, 2, 1)
    assert tally.verdicts["worse"] == 2 and tally.kinds[kind] == 2, (tally.verdicts, tally.kinds)


def test_runs_that_are_the_same_and_runs_of_other_prompts_are_told_apart():
    assert simulate("all runs to the bit", 1, 1).verdicts == {"identical": 1}
    other = simulate("BOS twice", 1, 1)
    assert other.verdicts == {"not_comparable": 1} and other.kinds == {"input_mismatch": 1}
