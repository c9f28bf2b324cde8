"""What the probe writes is read and judged by vaa.reject: a right sampler is not called wrong, a faulty one is named."""
import numpy as np
import pytest

import stand_in_samplers as stand_in
import vaa
from vaa.integrations import vllm as plugin
from vaa.integrations.probe_options import ProbeOptions


def dump(folder, engine, one_hot, steps=600, **fault):
    probe = plugin.EngineProbe(ProbeOptions(str(folder), rows=10, free_mb=0))
    module = stand_in.module(engine, seed=4, **fault)
    plugin.watch_rejection_sample(probe, engine, module)
    draw = np.random.default_rng(6)
    for _ in range(steps):
        module.rejection_sample(*stand_in.batch(draw, one_hot=one_hot))
    probe.close()
    assert probe.faults.count == 0
    return vaa.reject(folder)


@pytest.mark.parametrize("one_hot", [True, False], ids=["one_hot", "q"])
@pytest.mark.parametrize("engine", ["vllm_v1", "vllm_ascend_v1"])
def test_a_right_sampler_is_not_called_wrong(tmp_path, engine, one_hot):
    report = dump(tmp_path, engine, one_hot)
    assert report.verdict in ("pass", "undecided"), report.to_text()
    assert "4,200 rows" in report.to_text()


@pytest.mark.parametrize("engine", ["vllm_v1", "vllm_ascend_v1"])
def test_a_draft_s_probability_that_is_lost_is_named(tmp_path, engine):
    report = dump(tmp_path, engine, True, lost=True)
    assert report.verdict == "fail" and "p(d) restored as 0" in report.to_text() and "vllm-ascend#1632" in report.to_text()


def test_parts_and_servers_are_read_together_and_the_probe_s_log_is_no_part_of_them(tmp_path):
    for node in ("node0", "node1"):
        probe = plugin.EngineProbe(ProbeOptions(str(tmp_path / node), rows=0, parts=100, free_mb=0, server=node))
        module = stand_in.module("vllm_v1")
        plugin.watch_rejection_sample(probe, "vllm_v1", module)
        draw = np.random.default_rng(1)
        for _ in range(40):
            module.rejection_sample(*stand_in.batch(draw))
            for files in probe._files.values():
                files.part_bytes = 4000
        probe.faults.say("something of its own")
        probe.close()
    assert len(list(tmp_path.glob("*/*.vaasteps"))) > 4
    audit = vaa.Audit()
    for node in ("node0", "node1"):
        audit.push_file(tmp_path / node)
    report = audit.report()
    assert "560 rows" in report.to_text() and "node0" in report.to_text() and "node1" in report.to_text(), report.to_text()


class Seeded:
    def __init__(self, seed):
        self.seed = seed

    def initial_seed(self):
        return self.seed


def test_requests_with_the_seed_of_another_stand_in_a_file_of_their_own_and_no_law_is_judged_by_them(tmp_path):
    probe = plugin.EngineProbe(ProbeOptions(str(tmp_path), rows=5, free_mb=0))
    module = stand_in.module("vllm_v1", seed=2)
    plugin.watch_rejection_sample(probe, "vllm_v1", module)
    draw = np.random.default_rng(3)
    rows = 0
    for _ in range(200):
        given = list(stand_in.batch(draw))
        counts, metadata = given[1], given[-1]
        metadata.generators = {0: Seeded(11), 1: Seeded(11), 2: Seeded(-5), 4: Seeded(11)}  # 1 and 4 are not the first of theirs
        rows += sum(counts[row] > 0 for row in (1, 4))
        module.rejection_sample(*given)
    probe.close()
    assert probe.faults.count == 0
    report = vaa.reject(tmp_path)
    ranks = {rank["engine"]: rank["rows"] for rank in report.to_dict()["reject"]["steps"]["ranks"]}
    assert ranks["rank 0, shared seeds"] == rows and len(ranks) == 2
    found = {f["check"]: f["status"] for f in report.to_dict()["reject"]["findings"] if f["engine"] == "rank 0, shared seeds"}
    assert found["acceptance"] == "undecided" and found["row_length"] == "pass" and "known_fault" not in found and "token_law" not in found
    assert report.verdict == "undecided" and "no law is judged by them" in report.to_text(lang="en") and "不据此判断分布" in report.to_text(lang="zh")


def test_a_dump_of_one_seed_does_not_fail_a_right_sampler_that_says_so():
    draw = np.random.default_rng(1)
    wrong = {}
    for shared in (False, True):
        audit = vaa.Audit()
        audit.begin_steps(32, draft_probs="one_hot", policy="vllm_v1", shared_seeds=shared)
        for step in range(30):
            u = draw.random(2)  # of every request
            p = draw.random((64, 2))
            drafts = draw.integers(0, 32, (64, 2))
            ids = []
            for row in range(64):
                accepted = 0 if p[row, 0] < u[0] else 1 if p[row, 1] < u[1] else 2
                ids.append([*drafts[row, :accepted].tolist(), int(drafts[row, accepted] + 1) % 32 if accepted < 2 else 0])
            audit.push_steps(range(64), [1.0] * 64, drafts.tolist(), ids, p=p.tolist(), position=[step] * 64)
        wrong[shared] = audit.report().verdict
    assert wrong == {False: "fail", True: "undecided"}
