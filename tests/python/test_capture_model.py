"""The language model of the scripted server: what tests of vaa_capture take for granted about it."""
import math
import random

import pytest

import conftest  # noqa: F401  (puts tests/capture on the path)
import toy_vocab as vocab
from generation import Wanted, generate
from toy_model import DECODE, HEAD, PREFILL, Model, Options, Sampling, mix

PROMPT = vocab.apply_template([{"role": "user", "content": "How many marbles are in the jar?"}])


def answer(options=None, prompt=PROMPT, tokens=200, **more):
    more.setdefault("sampling", Sampling())
    more.setdefault("ignore_eos", True)
    return [token for step in generate(Model(options), Wanted(list(prompt), tokens, **more)) for token in step.ids]


def parted(a, b):
    """The first position where two answers differ."""
    return next((place for place, pair in enumerate(zip(a, b)) if pair[0] != pair[1]), None)


def test_mix_is_the_finalizer_of_splitmix64():
    # The first outputs of splitmix64 with seed 1234567, from the reference implementation's published test values.
    expected, state = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821], 1234567
    for value in expected:
        assert mix(state) == value
        state = (state + 0x9E3779B97F4A7C15) % 2**64


def test_text_comes_back_from_its_ids():
    rng = random.Random(1)
    for _ in range(200):
        text = "".join(rng.choice(["the ", "é", "×", "🙂", "中", "café", "\n\n", "\x00", "x", " 12", "th", "不"]) for _ in range(rng.randrange(40)))
        assert vocab.decode(vocab.encode(text)) == text


def test_generated_ids_need_not_come_back_from_their_text():
    ids = answer(tokens=4000)
    assert vocab.encode(vocab.decode(ids)) != ids


@pytest.mark.parametrize("stops", [(), ("zz",), (" the", "里")])
def test_text_that_is_sent_as_it_comes_is_the_text_of_all_ids(stops):
    rng = random.Random(2)
    for _ in range(300):
        ids = [rng.randrange(vocab.SIZE) for _ in range(rng.randrange(60))]
        pieces, place, text = vocab.Detokenizer(stops), 0, ""
        while place < len(ids) and pieces.stop is None:
            size = rng.randrange(1, 5)
            text += pieces.push(ids[place:place + size], place + size >= len(ids))
            place += size
        whole = vocab.decode(ids[:place])
        assert text == (whole if pieces.stop is None else whole[:min(whole.find(stop) for stop in stops if stop in whole)])


def test_equal_options_give_equal_answers_and_another_seed_another():
    assert answer() == answer()
    assert parted(answer(), answer(Options(seed=1))) == 0


def test_an_answer_goes_on_from_any_prefix_of_it():
    ids = answer()
    for cut in (1, 2, 63, 64, 150):
        assert answer(prompt=PROMPT + ids[:cut], tokens=50) == ids[cut:cut + 50]


def test_the_same_text_comes_with_and_without_logprobs():
    plain = answer(tokens=2000)
    assert plain == answer(tokens=2000, logprobs=5)
    assert any(token in vocab.FOLLOW for token in plain), "no character was cut in two"


def test_logprobs_are_those_of_a_distribution():
    model, sequence = Model(), Model().sequence(PROMPT)
    for path in (PREFILL, DECODE):
        found = model.next(sequence, path)
        ids, logits = found.whole()
        assert sorted(ids) == list(range(vocab.SIZE)) and logits == sorted(logits, reverse=True)
        assert math.isclose(math.fsum(math.exp(logit - found.log_sum) for logit in logits), 1, rel_tol=1e-12)
        assert found.top(20) == [(token, found.of(token)[0]) for token in ids[:20]]
        assert [found.of(token)[1] for token in ids] == list(range(1, vocab.SIZE + 1))
        assert found.top(HEAD + 5)[:HEAD] == found.top(HEAD)


@pytest.mark.parametrize("options", [Options(), Options(noise=0.02), Options(fault_from=0)])
def test_greedy_is_the_likeliest_with_and_without_logprobs(options):
    for key in (None, 7):
        ids = answer(options, tokens=400, logprobs=2, noise_key=key)
        assert ids == answer(options, tokens=400, noise_key=key)
        for step in generate(Model(options), Wanted(PROMPT, 50, Sampling(), logprobs=2, noise_key=key)):
            assert step.logprobs[0][1][0] == (step.ids[0], step.logprobs[0][0])


def test_sampling_is_seeded_and_follows_the_distribution():
    model = Model()
    found = model.next(model.sequence(PROMPT), PREFILL)
    ids, logits = found.whole()
    chosen = [Sampling(1.0, key=mix(key)).choose(ids, logits, 5) for key in range(4000)]
    assert chosen[:200] == [Sampling(1.0, key=mix(key)).choose(ids, logits, 5) for key in range(200)]
    for token in ids[:3]:
        share = math.exp(found.of(token)[0])
        assert abs(chosen.count(token) / 4000 - share) < 5 * math.sqrt(share * (1 - share) / 4000)
    assert {Sampling(1.0, key=mix(key), top_k=2).choose(ids, logits, 5) for key in range(200)} == set(ids[:2])
    assert {Sampling(1.0, key=mix(key), top_p=1e-6).choose(ids, logits, 5) for key in range(200)} == {ids[0]}
    assert {Sampling(1.0, key=mix(key), min_p=1.0).choose(ids, logits, 5) for key in range(200)} == {ids[0]}


@pytest.mark.parametrize("position", [0, 1, len(PROMPT), len(PROMPT) + 1, len(PROMPT) + 64, 190])
def test_a_fault_changes_nothing_before_its_position(position):
    good, bad = answer(), answer(Options(fault_from=position))
    clean = max(0, position - len(PROMPT))
    assert parted(good, bad) == clean
    assert sum(a == b for a, b in zip(good[clean:], bad[clean:])) < 20


def test_a_fault_may_be_in_one_path_only():
    start = len(PROMPT)
    good = answer()
    assert parted(good, answer(Options(fault_from=start, fault_path="prefill"))) == 0
    assert parted(good, answer(Options(fault_from=start, fault_path="decode"))) == 1
    assert answer(Options(fault_from=start + 1, fault_path="prefill")) == good, "only the first id of an answer comes out of prefill"
    with pytest.raises(ValueError, match="fault_path: 'both_' is none of both, prefill, decode"):
        Options(fault_path="both_")


def test_a_window_forgets_what_is_older():
    width = len(PROMPT) + 50
    assert parted(answer(), answer(Options(window=width))) == 51, "position width sees all ids, width + 1 not the first"


def test_noise_flips_near_ties_and_nothing_else():
    good = answer(tokens=2000, logprobs=2)
    quiet = Options(noise=0.004)
    for key in range(8):
        bad = answer(quiet, tokens=2000, noise_key=key)
        place = parted(good, bad)
        if place is None:
            continue
        found = Model().next(Model().sequence(PROMPT + good[:place]), DECODE)
        assert found.logits[0] - found.logits[1] <= 2 * 0.004 and bad[place] == found.ids[1]
    assert answer(quiet, tokens=2000) == good, "without a key there is no noise"


def test_a_loop_repeats_its_last_ids():
    ids = answer(loops=True)
    assert ids[:24] == answer()[:24] and all(ids[place] == ids[place - 6] for place in range(24, 200))


def test_drafting_changes_the_steps_and_not_the_ids():
    steps = list(generate(Model(), Wanted(PROMPT, 300, Sampling(), ignore_eos=True, draft=3)))
    assert [token for step in steps for token in step.ids] == answer(tokens=300)
    assert steps[0].accepted is None and all(len(step.ids) == step.accepted + 1 for step in steps[1:-1])
    accepted = [step.accepted for step in steps[1:]]
    assert set(accepted) == {0, 1, 2, 3} and abs(sum(a > 0 for a in accepted) / len(accepted) - 0.7) < 5 * math.sqrt(0.21 / len(accepted))


def test_answers_end():
    ended = [answer(prompt=PROMPT + [300 + n % 200, 270 + n // 200], tokens=5000, ignore_eos=False) for n in range(400)]
    assert all(ids[-1] == vocab.EOS and vocab.EOS not in ids[:-1] for ids in ended)
    mean = sum(map(len, ended)) / len(ended)
    assert abs(mean - 96) < 5 * 96 / math.sqrt(len(ended))
    assert all(len(answer(prompt=PROMPT + [n + 300], tokens=5000, ignore_eos=False, min_tokens=200)) > 200 for n in range(20))
