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
