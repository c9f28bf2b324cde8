"""The probe around torch tensors, where there is torch: not a bit of the result nor of a generator changes, and the noise that it writes is the one that was used. And around vLLM's own module, where there is one."""
import types

import numpy as np
import pytest

import steps_reader
from stand_in_samplers import VOCABULARY
from vaa.integrations import vllm as plugin
from vaa.integrations.probe_options import ProbeOptions

torch = pytest.importorskip("torch")


def stand_in():
    """The steps of vLLM V1 in plain torch, on any device."""
    out = types.ModuleType("vllm.v1.sample.rejection_sampler")

    def generate_uniform_probs(num_tokens, num_draft_tokens, generators, device):
        u = torch.rand(num_tokens, dtype=torch.float64, device=device)
        at = 0
        for row, n in enumerate(num_draft_tokens):
            if n and row in generators:
                u[at : at + n].uniform_(generator=generators[row])
            at += n
        return u

    def sample_recovered_tokens(max_spec_len, num_draft_tokens, cu_num_draft_tokens, draft_token_ids, draft_probs, target_probs, sampling_metadata, device, use_fp64_gumbel=False):
        noise = torch.empty(len(num_draft_tokens), target_probs.shape[-1], dtype=torch.float64 if use_fp64_gumbel else torch.float32, device=device)
        noise.exponential_()
        for row, generator in sampling_metadata.generators.items():
            if num_draft_tokens[row] > 0:
                noise[row].exponential_(generator=generator)
        out.last_noise = noise
        rest = target_probs.clone()
        if draft_probs is None:
            rest.scatter_(1, draft_token_ids.long()[:, None], 0)
        else:
            rest = (rest - draft_probs).clamp_min(0)
        return (rest / noise.repeat_interleave(torch.tensor(num_draft_tokens, device=device), 0)).argmax(-1).int()

    def rejection_sample(draft_token_ids, num_draft_tokens, max_spec_len, cu_num_draft_tokens, draft_probs, target_logits, bonus_token_ids, sampling_metadata, synthetic_mode=False, synthetic_conditional_rates=None, use_fp64_gumbel=False):
        device = target_logits.device
        u = out.generate_uniform_probs(len(draft_token_ids), num_draft_tokens, sampling_metadata.generators, device)
        out.last_uniforms = u
        p = target_logits.softmax(-1)
        recovered = out.sample_recovered_tokens(max_spec_len, num_draft_tokens, cu_num_draft_tokens, draft_token_ids, draft_probs, p, sampling_metadata, device, use_fp64_gumbel)
        result = torch.full((len(num_draft_tokens), max_spec_len + 1), -1, dtype=torch.int32, device=device)
        at = 0
        for row, n in enumerate(num_draft_tokens):
            place = 0
            while place < n:
                i = at + place
                q = 1 if draft_probs is None else draft_probs[i, draft_token_ids[i]]
                if p[i, draft_token_ids[i]] / q < u[i]:
                    result[row, place] = recovered[i]
                    break
                result[row, place] = draft_token_ids[i]
                place += 1
            if place == n:
                result[row, n] = bonus_token_ids[row, 0]
            at += n
        target_logits.zero_()  # some engines write into it
        return result

    out.generate_uniform_probs, out.sample_recovered_tokens, out.rejection_sample = generate_uniform_probs, sample_recovered_tokens, rejection_sample
    return out


def step(seed, one_hot, requests=6, device="cpu"):
    draw = torch.Generator().manual_seed(seed)
    counts = torch.randint(0, 4, (requests,), generator=draw).tolist()
    counts[0] = 2
    n = sum(counts)
    logits = torch.randn(n, VOCABULARY, generator=draw) * 2
    q = None if one_hot else (logits + torch.randn(n, VOCABULARY, generator=draw)).softmax(-1)
    drafts = (logits.topk(2).indices[torch.arange(n), torch.randint(0, 2, (n,), generator=draw)] if q is None else torch.multinomial(q, 1, generator=draw)[:, 0]).int()
    generators = {row: torch.Generator(device).manual_seed(row + seed) for row in range(0, requests, 2)}
    sampling = types.SimpleNamespace(all_greedy=False, all_random=True, temperature=torch.full((requests,), 0.7).to(device), generators=generators)
    bonus = torch.randint(0, VOCABULARY, (requests, 1), generator=draw).int()
    move = lambda x: None if x is None else x.to(device)  # noqa: E731
    return [move(drafts), counts, 3, torch.tensor(counts).cumsum(0).int().to(device), move(q), move(logits), move(bonus), sampling]


def watched(tmp_path, module, **options):
    probe = plugin.EngineProbe(ProbeOptions(str(tmp_path / "dump"), **{"free_mb": 0, **options}))
    plugin.watch_rejection_sample(probe, "vllm_v1", module)
    return probe


def states(sampling):
    return [torch.get_rng_state(), *(g.get_state() for g in sampling.generators.values())]


def dumped(tmp_path):
    return [s for path in sorted((tmp_path / "dump").glob("*.vaasteps")) for s in steps_reader.read(path)[1]]


@pytest.mark.parametrize("noise", [0, 1])
@pytest.mark.parametrize("one_hot", [True, False], ids=["one_hot", "q"])
def test_results_and_generators_are_the_same_to_the_bit(tmp_path, one_hot, noise):
    plain, module = stand_in(), stand_in()
    probe = watched(tmp_path, module, rows=2, noise=noise)
    for seed in range(40):
        one, two = step(seed, one_hot), step(seed, one_hot)
        torch.manual_seed(seed)
        a, after = plain.rejection_sample(*two), states(two[7])
        torch.manual_seed(seed)
        b = module.rejection_sample(*one)
        assert torch.equal(a, b) and all(torch.equal(x, y) for x, y in zip(after, states(one[7])))
    probe.close()
    assert probe.faults.count == 0 and len(dumped(tmp_path)) == 40


@pytest.mark.parametrize("fp64", [False, True], ids=["f32", "f64"])
def test_the_noise_that_is_written_is_the_one_that_was_used(tmp_path, fp64):
    module = stand_in()
    probe = watched(tmp_path, module, rows=1, noise=1)
    for seed in range(5):
        given = step(seed, True)
        logits, counts = given[5].clone(), given[1]
        module.rejection_sample(*given, use_fp64_gumbel=fp64)
        probe.close()
        last = dumped(tmp_path)[-1]
        rows, begin = [i for i, n in enumerate(counts) if n], np.cumsum([0, *counts])
        assert np.allclose(last["p"], logits.softmax(-1)[torch.arange(len(logits)), given[0].long()].numpy(), rtol=1e-6), "read before the sampler wrote into its rows"
        for full, row in zip(last["full"], rows):
            assert (full["noise"] == module.last_noise[row].double().numpy()).all() and (full["uniform"] == module.last_uniforms[begin[row] : begin[row + 1]].numpy()).all()
        for path in (tmp_path / "dump").glob("*.vaasteps"):
            assert steps_reader.read(path)[0]["noise"] == "race"
            path.unlink()
        probe._files.clear()


def test_a_stream_that_cannot_be_read_is_refused_with_the_reason(tmp_path, monkeypatch):
    from vaa.integrations import race_noise

    monkeypatch.setattr(race_noise, "UNREADABLE", ("npu", "cpu"))
    module = stand_in()
    probe = watched(tmp_path, module, rows=1, noise=1)
    for seed in range(3):
        module.rejection_sample(*step(seed, True))
    probe.close()
    assert all(len(full["noise"]) == 0 for s in dumped(tmp_path) for full in s["full"]) and probe.faults.count == 1
    (log,) = (tmp_path / "dump").glob("probe-*.log")
    assert "noise: the random stream of device cpu cannot be read back" in log.read_text()


def test_vllm_s_own_sampler_is_left_as_it_is(tmp_path):
    cpu = pytest.importorskip("vllm.platforms.cpu")
    cpu.CpuPlatform.register_triton_kernel_overrides()  # as its CPU worker does
    real = pytest.importorskip("vllm.v1.sample.rejection_sampler")
    original = real.rejection_sample
    before = {name: getattr(real, name) for name in ("rejection_sample", "generate_uniform_probs", "sample_recovered_tokens")}
    results, probe = [], None
    try:
        for turn in range(2):
            if turn:
                probe = watched(tmp_path, real, rows=2, noise=1)
                assert real.rejection_sample is not original
            made = []
            for seed in range(30):
                given = step(seed, seed % 2 == 0)
                torch.manual_seed(seed)
                made.append((real.rejection_sample(*given), *states(given[7])))
            results.append(made)
    finally:
        for name, function in before.items():
            setattr(real, name, function)
    assert all(torch.equal(a, b) for x, y in zip(*results) for a, b in zip(x, y))
    probe.close()
    assert probe.faults.count == 0 and len(dumped(tmp_path)) == 30
