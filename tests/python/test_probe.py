"""The probe for engines: around a stand-in of the rejection sampler it changes no number, writes what went in and came out, stays within its bounds and never raises."""
import errno
import inspect
import json
import os
import subprocess
import sys
import types

import numpy as np
import pytest

import stand_in_samplers as stand_in
import steps_reader
from conftest import ROOT
from vaa.integrations import vllm as plugin
from vaa.integrations.probe_options import ProbeOptions, read_options
from vaa.integrations.step_files import StepFiles

ENGINES = ["vllm_v1", "vllm_ascend_v1"]


def watched(tmp_path, engine="vllm_v1", seed=1, lost=False, **options):
    """(the probe, a stand-in's module with the probe around it)."""
    probe = plugin.EngineProbe(ProbeOptions(str(tmp_path / "dump"), **{"free_mb": 0, **options}))
    module = stand_in.module(engine, seed, lost)
    plugin.watch_rejection_sample(probe, engine, module)
    return probe, module


def files(tmp_path):
    return sorted((tmp_path / "dump").glob("*.vaasteps"), key=lambda path: int(path.name.split(".")[-2]))


def said(tmp_path):
    return [json.loads(line) for path in (tmp_path / "dump").glob("probe-*.log") for line in path.read_text().splitlines()]


@pytest.mark.parametrize("one_hot", [True, False], ids=["one_hot", "q"])
@pytest.mark.parametrize("engine", ENGINES)
def test_output_is_the_same_with_and_without_the_probe(tmp_path, engine, one_hot):
    plain = stand_in.module(engine, seed=3)
    probe, module = watched(tmp_path, engine, seed=3, rows=2)
    draws = np.random.default_rng(5), np.random.default_rng(5)
    for _ in range(60):
        one, two = (stand_in.batch(draw, one_hot=one_hot) for draw in draws)
        kept = [np.copy(x) if isinstance(x, np.ndarray) else x for x in one]
        a, b = plain.rejection_sample(*two), module.rejection_sample(*one)
        assert a.dtype == b.dtype and (a == b).all()
        assert all((x == y).all() for x, y in zip(kept, one) if isinstance(x, np.ndarray)), "what goes in is not written to"
    assert probe.faults.count == 0 and files(tmp_path)


@pytest.mark.parametrize("one_hot", [True, False], ids=["one_hot", "q"])
def test_what_went_in_and_came_out_stands_in_the_file(tmp_path, one_hot):
    probe, module = watched(tmp_path, rows=1)
    given = stand_in.batch(np.random.default_rng(8), one_hot=one_hot, padded=True)
    out = module.rejection_sample(*given)
    probe.close()
    drafts, counts, _, _, q, logits, _, metadata = given
    header, (step,) = steps_reader.read(files(tmp_path)[0])
    assert header == {"format": "vaa.steps/1", "part": 0, "vocab_size": stand_in.VOCABULARY, "draft_probs": "one_hot" if one_hot else "recorded", "policy": "vllm_v1", "engine": "vllm", "rank": 0, "rule": "token"}
    rows = [i for i, n in enumerate(counts) if n]
    assert step["counts"].tolist() == [counts[i] for i in rows] and step["draft"].tolist() == drafts.tolist()
    assert step["temperature"].tolist() == metadata.temperature[rows].tolist()
    assert step["id"].tolist() == [x for i in rows for x in out[i] if x != -1]
    greedy, of_row = np.repeat(metadata.temperature == 0, counts), np.repeat(np.arange(len(counts)), counts)
    p = stand_in.softmax(logits)[np.arange(len(drafts)), drafts] * (drafts >= 0)
    p[greedy] = ((logits.argmax(-1) == drafts) & (drafts >= 0))[greedy]
    assert np.allclose(step["p"], p, rtol=1e-6) and (step["argmax"] == logits.argmax(-1)).all() and step["p"][-1] == 0
    if one_hot:
        assert step["q"] is None
    else:
        assert np.allclose(step["q"][~greedy], q[np.arange(len(drafts)), drafts][~greedy])
    assert [full["row"] for full in step["full"]] == list(range(len(rows)))
    first = stand_in.softmax(logits[: counts[0]])
    assert np.allclose(step["full"][0]["p"].reshape(first.shape), first, rtol=1e-5) and len(step["full"][0]["uniform"]) == 0
    assert of_row[-1] == len(counts) - 1 and len(step["full"][0]["q"]) == (0 if one_hot else first.size)


def test_candidates_of_several_ranks_are_put_back_into_the_vocabulary(tmp_path):
    probe, module = watched(tmp_path, "vllm_ascend_v1", rows=1)
    probe.runner = types.SimpleNamespace(input_batch=types.SimpleNamespace(req_ids=[f"r{i}" for i in range(8)], num_tokens_no_spec=np.arange(8) + 100, vocab_size=stand_in.VOCABULARY))
    given = stand_in.batch(np.random.default_rng(8))
    ids = np.argsort(-given[5], axis=-1)[:, :6]
    kept = np.take_along_axis(given[5], ids, -1)
    module.rejection_sample(*given[:5], (kept, ids), *given[6:])
    probe.close()
    header, (step,) = steps_reader.read(files(tmp_path)[0])
    whole = np.full_like(given[5], -np.inf)
    np.put_along_axis(whole, ids, kept, -1)
    p = stand_in.softmax(whole)
    random = np.repeat(given[7].temperature != 0, given[1])
    assert header["vocab_size"] == stand_in.VOCABULARY and header["policy"] == "vllm_ascend_v1"
    assert np.allclose(step["p"][random], p[np.arange(len(p)), given[0]][random], rtol=1e-5) and (step["argmax"] == whole.argmax(-1)).all()
    assert np.allclose(step["full"][0]["p"].reshape(-1, stand_in.VOCABULARY), p[: given[1][0]], rtol=1e-5)
    assert step["position"].tolist() == [100, 102, 103, 104, 105, 106, 107] and len(set(step["request"].tolist())) == 7 and (step["request"] >= 0).all()


def test_rows_of_one_shard_of_the_vocabulary_are_written_without_p(tmp_path):
    probe, module = watched(tmp_path, "vllm_ascend_v1", rows=1)
    probe.runner = types.SimpleNamespace(input_batch=types.SimpleNamespace(req_ids=list("abcdefgh"), num_tokens_no_spec=[5] * 8, vocab_size=4 * stand_in.VOCABULARY))
    module.rejection_sample(*stand_in.batch(np.random.default_rng(8)))
    probe.close()
    header, (step,) = steps_reader.read(files(tmp_path)[0])
    assert header["vocab_size"] == 4 * stand_in.VOCABULARY and step["p"] is None and step["argmax"] is None and not step["full"] and probe.faults.count == 0


@pytest.mark.parametrize("declared, want", [({"enable_block_verify": True}, {"rule": "block"}), ({"enable_entropy_verify": True}, {"rule": "entropy", "entropy_alpha": 0.4, "entropy_cap": 0.95}), ({}, {"rule": "token"})])
def test_a_rule_that_is_lossy_on_purpose_is_declared(tmp_path, declared, want):
    probe, module = watched(tmp_path, "vllm_ascend_v1")
    config = types.SimpleNamespace(**{"enable_block_verify": False, "enable_entropy_verify": False, "posterior_threshold": 0.95, "posterior_alpha": 0.4, **declared})
    module.get_ascend_config = lambda: types.SimpleNamespace(rejection_sampler_config=config)
    given = stand_in.batch(np.random.default_rng(8))
    module.rejection_sample(*given, ori_target_logits=given[5] * 0.7)
    probe.close()
    header, (step,) = steps_reader.read(files(tmp_path)[0])
    assert {name: header[name] for name in want} == want
    if want["rule"] == "entropy":
        p = stand_in.softmax(given[5] * np.float32(0.7)).astype(float)
        assert np.allclose(step["entropy"], -(p * np.log(p)).sum(-1), rtol=1e-4)
    else:
        assert step["entropy"] is None


def test_synthetic_acceptance_is_declared_with_its_rates(tmp_path):
    probe, module = watched(tmp_path)
    module.rejection_sample(*stand_in.batch(np.random.default_rng(8)), synthetic_mode=True, synthetic_conditional_rates=[0.8, 0.5, 0.5])
    probe.close()
    header, _ = steps_reader.read(files(tmp_path)[0])
    assert header["rule"] == "synthetic" and np.allclose(header["synthetic_rates"], [0.8, 0.4, 0.2])


def test_files_are_rotated_and_only_so_many_stay(tmp_path):
    header = {"vocab_size": 4, "draft_probs": "one_hot", "rank": 3}
    out = StepFiles(str(tmp_path / "dump"), "steps-rank3-1", header, 2000, 3, 0)
    for _ in range(40):
        assert out.write(b"STEP" + bytes(500))
    out.close()
    assert [path.name for path in files(tmp_path)] == [f"steps-rank3-1.{part}.vaasteps" for part in range(11, 14)] and out.written == 40
    assert all(path.stat().st_size <= 2000 for path in files(tmp_path))


def test_a_full_disk_leaves_whole_records_and_is_counted(tmp_path, monkeypatch):
    probe, module = watched(tmp_path, rows=0)
    draw = np.random.default_rng(2)
    module.rejection_sample(*stand_in.batch(draw))
    (written,) = probe._files.values()
    file, size = written._file, files(tmp_path)[0].stat().st_size

    class Full:
        def __getattr__(self, name):
            return getattr(file, name)

        def write(self, data):
            file.write(bytes(data[:10]))
            raise OSError(errno.ENOSPC, "No space left on device")

    written._file = Full()
    for _ in range(8):
        assert module.rejection_sample(*stand_in.batch(draw)).shape == (8, 4)
    assert files(tmp_path)[0].stat().st_size == size and probe.lost() == 8
    assert 1 < probe.faults.count < 8 and "No space left" in said(tmp_path)[-1]["said"], "after a fault some steps are passed over"
    written._file = file
    while probe.lost() < 40 and written.written < 2:
        module.rejection_sample(*stand_in.batch(draw))
    probe.close()
    assert len(steps_reader.read(files(tmp_path)[0])[1]) == 2


def test_a_disk_that_must_stay_free_is_left_alone(tmp_path):
    probe, module = watched(tmp_path, free_mb=1 << 29)
    assert module.rejection_sample(*stand_in.batch(np.random.default_rng(1))).shape == (8, 4)
    assert not files(tmp_path) and "are kept free" in said(tmp_path)[0]["said"]


@pytest.mark.skipif(os.geteuid() == 0 and not os.path.exists("/dev/full"), reason="no /dev/full")
def test_a_folder_that_cannot_be_made_stops_nothing(tmp_path):
    (tmp_path / "dump").write_text("a file")
    probe, module = watched(tmp_path)
    for _ in range(300):
        assert module.rejection_sample(*stand_in.batch(np.random.default_rng(1))).shape == (8, 4)
    assert probe.lost() == 300


def test_whatever_goes_wrong_in_the_probe_stays_there(tmp_path):
    probe, module = watched(tmp_path)
    given = stand_in.batch(np.random.default_rng(1))
    given[7].temperature = None  # all of it is asked for by the probe alone, before the sampler sees it
    with pytest.raises(TypeError):
        module.rejection_sample(*given)  # the sampler's own fault is raised as it was
    probe.before = lambda call: 1 / 0
    for _ in range(150):
        assert module.rejection_sample(*stand_in.batch(np.random.default_rng(1))).shape == (8, 4)
    assert probe.off and "ZeroDivisionError" in said(tmp_path)[-2]["said"] and "nothing more is written" in said(tmp_path)[-1]["said"]


def test_steps_are_thinned_out(tmp_path):
    probe, module = watched(tmp_path, every=5, rows=0)
    draw = np.random.default_rng(2)
    for _ in range(20):
        module.rejection_sample(*stand_in.batch(draw))
    probe.close()
    assert len(steps_reader.read(files(tmp_path)[0])[1]) == 4


def test_one_row_in_so_many_is_written_in_full(tmp_path):
    probe, module = watched(tmp_path, rows=20)
    draw = np.random.default_rng(2)
    for _ in range(400):
        module.rejection_sample(*stand_in.batch(draw))
    probe.close()
    steps = [step for path in files(tmp_path) for step in steps_reader.read(path)[1]]
    rows, full = sum(len(step["counts"]) for step in steps), sum(len(step["full"]) for step in steps)
    assert rows == 2800 and abs(full - 140) < 4 * 140**0.5


def test_two_ranks_write_files_of_their_own(tmp_path):
    for rank in (0, 1):
        probe, module = watched(tmp_path, seed=rank)
        config = types.SimpleNamespace(model_config=types.SimpleNamespace(model="/data/weights/toy-8b/"), parallel_config=types.SimpleNamespace(data_parallel_rank=rank), speculative_config=types.SimpleNamespace(method="eagle3"))
        probe.runner = types.SimpleNamespace(vllm_config=config)
        module.rejection_sample(*stand_in.batch(np.random.default_rng(1)))
        probe.close()
    headers = [steps_reader.read(path)[0] for path in sorted((tmp_path / "dump").glob("*.vaasteps"))]
    assert [header["rank"] for header in headers] == [0, 1] and headers[0]["model"] == "toy-8b" and headers[0]["method"] == "eagle3"


def test_ranks_that_share_a_model_write_once(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "vllm.distributed.parallel_state", types.SimpleNamespace(get_tensor_model_parallel_rank=lambda: 1))
    _, module = watched(tmp_path)
    module.rejection_sample(*stand_in.batch(np.random.default_rng(1)))
    assert not (tmp_path / "dump").exists()


def test_a_signature_that_is_not_known_is_left_alone_and_said(tmp_path):
    probe = plugin.EngineProbe(ProbeOptions(str(tmp_path / "dump")))
    module = types.ModuleType("vllm.v1.sample.rejection_sampler")
    module.rejection_sample = original = lambda draft_token_ids, somewhere_else: 1
    plugin.watch_rejection_sample(probe, "vllm_v1", module)
    assert module.rejection_sample is original and "not watched, it has no num_draft_tokens, draft_probs, sampling_metadata" in said(tmp_path)[0]["said"]


def test_warm_ups_are_not_written(tmp_path):
    probe, module = watched(tmp_path)

    class GPUModelRunner:
        def _sample(self, given):
            return module.rejection_sample(*given)

    runners = types.ModuleType("vllm.v1.worker.gpu_model_runner")
    runners.GPUModelRunner = GPUModelRunner
    plugin.watch_runner(probe, "GPUModelRunner", runners)
    module.rejection_sample(*stand_in.batch(np.random.default_rng(1)))
    assert not (tmp_path / "dump").exists()
    runner = GPUModelRunner()
    runner.input_batch = types.SimpleNamespace(req_ids=list("abcdefgh"), num_tokens_no_spec=list(range(8)), vocab_size=stand_in.VOCABULARY)
    runner._sample(stand_in.batch(np.random.default_rng(1)))
    probe.close()
    assert probe.runner is None and steps_reader.read(files(tmp_path)[0])[1][0]["position"].tolist() == [0, 2, 3, 4, 5, 6, 7]


def test_a_model_runner_that_is_not_read_is_said(tmp_path, monkeypatch):
    module = types.ModuleType("vllm.v1.worker.gpu.spec_decode.rejection_sampler")
    module.rejection_sample = original = lambda target_logits: target_logits + 1
    monkeypatch.setitem(sys.modules, module.__name__, module)
    probe = plugin.EngineProbe(ProbeOptions(str(tmp_path / "dump")))
    sys.meta_path.remove(plugin.watch(probe))
    assert probe.faults.count == 0 and module.rejection_sample(1) == 2 and module.rejection_sample is original
    assert "VLLM_USE_V2_MODEL_RUNNER=0" in said(tmp_path)[0]["said"]


@pytest.mark.parametrize("engine", ENGINES)
def test_arguments_are_those_of_the_real_samplers(engine):
    recorded = json.loads((ROOT / "tests/golden/engines/rejection_signatures.json").read_text())
    newest = recorded[engine][-1]
    own = inspect.signature(stand_in.module(engine).rejection_sample).parameters
    assert list(own) == newest["parameters"], newest["version"]
    for release in recorded[engine]:
        assert set(plugin._NEEDED) <= set(release["parameters"]) and set(plugin._TARGETS) & set(release["parameters"]), release["version"]


@pytest.mark.parametrize("name, value", [("VAA_PROBE_EVERY", "0"), ("VAA_PROBE_ROWS", "-1"), ("VAA_PROBE_NOISE", "yes"), ("VAA_PROBE_PARTS", "1e9"), ("VAA_PROBE_PART_MB", "٣")])
def test_options_that_are_wrong_are_named_and_nothing_is_probed(tmp_path, name, value):
    with pytest.raises(ValueError, match=f"{name}: is .*allowed are"):
        read_options({"VAA_PROBE": str(tmp_path), name: value})
    run("import vaa.integrations.vllm as p; p.register(); assert p._probe is None", VAA_PROBE=str(tmp_path), **{name: value})
    (log,) = tmp_path.glob("probe-*.log")
    assert f"no probe: {name}" in log.read_text(encoding="utf-8")


def run(code, **variables):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("VAA_PROBE")} | variables
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and done.stdout == "" and done.stderr == "", done.stderr
    return done


def test_without_the_variable_nothing_happens_and_vllm_is_not_needed(tmp_path):
    run("import sys, vaa.integrations.vllm as p\nbefore = list(sys.meta_path)\np.register()\nassert p._probe is None and sys.meta_path == before and not {'vllm', 'torch'} & set(sys.modules)")
    run("import sys, vaa.integrations.vllm as p\np.register()\np.register()\nassert p._probe is not None and not {'vllm', 'torch'} & set(sys.modules)", VAA_PROBE=str(tmp_path / "dump"))
    assert not (tmp_path / "dump").exists()


def test_modules_are_watched_when_the_engine_imports_them(tmp_path):
    package = tmp_path / "vllm" / "v1" / "sample"
    package.mkdir(parents=True)
    for folder in (tmp_path / "vllm", tmp_path / "vllm" / "v1", package):
        (folder / "__init__.py").write_text("")
    (package / "rejection_sampler.py").write_text("def rejection_sample(draft_token_ids, num_draft_tokens, max_spec_len, cu_num_draft_tokens, draft_probs, target_logits, bonus_token_ids, sampling_metadata):\n    return bonus_token_ids\n")
    code = "\n".join(["import sys, numpy as np", f"sys.path.insert(0, {str(tmp_path)!r})", "import vaa.integrations.vllm as p", "p.register()", "from vllm.v1.sample import rejection_sampler as r", "assert r.rejection_sample._vaa_probe",
                      "from types import SimpleNamespace as S", "r.rejection_sample(np.zeros(1, np.int32), [1], 1, np.ones(1), None, np.zeros((1, 4), np.float32), np.ones((1, 2), np.int32), S(all_greedy=False, temperature=np.ones(1, np.float32)))"])
    run(code, VAA_PROBE=str(tmp_path / "dump"), VAA_PROBE_FREE_MB="0")
    header, (step,) = steps_reader.read(files(tmp_path)[0])
    assert header["vocab_size"] == 4 and step["p"].tolist() == [0.25] and step["id"].tolist() == [1, 1]
