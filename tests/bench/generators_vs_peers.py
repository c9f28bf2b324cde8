"""Random numbers beside numpy and torch on the CPU, one process, one thread: python generators_vs_peers.py. Best of 30 in microseconds; ratio: the peer's time over ours."""
import time

import numpy
import torch

import vaa

VOCABULARY, MANY = 129280, 4 << 20


def best(call, times=30):
    least = float("inf")
    for _ in range(times):
        began = time.perf_counter()
        call()
        least = min(least, time.perf_counter() - began)
    return least * 1e6


def line(what, ours, peer, theirs):
    a, b = best(ours), best(theirs)
    print(f"{what:62} {a:10.1f} {peer:34} {b:10.1f} {b / a:7.1f}")


def main():
    torch.set_num_threads(1)
    cpu, cuda = vaa.Rng("torch_cpu", 1), vaa.Rng("torch_cuda", 1, sm_count=132)
    state, mt = numpy.random.RandomState(1), numpy.random.Generator(numpy.random.MT19937(1))
    row, table, wide = torch.empty(VOCABULARY), torch.empty(MANY), torch.empty(VOCABULARY, dtype=torch.float64)
    line("MT19937, 129,280 uniform float64", lambda: cpu.uniform(VOCABULARY, "float64"), "numpy RandomState.random_sample", lambda: state.random_sample(VOCABULARY))
    line("", lambda: cpu.uniform(VOCABULARY, "float64"), "numpy Generator(MT19937) float64", lambda: mt.random(VOCABULARY))
    line("", lambda: cpu.uniform(VOCABULARY, "float64"), "torch CPU uniform_ float64", wide.uniform_)
    line("MT19937, 129,280 uniform float32", lambda: cpu.uniform(VOCABULARY), "numpy Generator(MT19937) float32", lambda: mt.random(VOCABULARY, dtype="float32"))
    line("", lambda: cpu.uniform(VOCABULARY), "torch CPU uniform_", row.uniform_)
    line("Philox as CUDA draws it, 129,280 uniform float32 (1 word in 4)", lambda: cuda.uniform(VOCABULARY), "torch CPU uniform_", row.uniform_)
    line("the same, 4,194,304 (all words)", lambda: cuda.uniform(MANY), "torch CPU uniform_", table.uniform_)
    line("MT19937, 129,280 exponential float32, without a band's use", lambda: cpu.exponential(VOCABULARY), "torch CPU exponential_", row.exponential_)
    line("Philox, 129,280 exponential float32 with band", lambda: cuda.exponential(VOCABULARY), "torch CPU exponential_", row.exponential_)
    v2 = vaa.Rng("vllm_v2", 1)
    line("vLLM V2 Gumbel row of 129,280 with band", lambda: v2.gumbel_row(7, VOCABULARY), "torch CPU exponential_", row.exponential_)
    print(f"torch {torch.__version__}, numpy {numpy.__version__}")


if __name__ == "__main__":
    main()
