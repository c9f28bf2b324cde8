"""Rows of 129,280 logits through the sampler and through torch's CPU operators, in one process and turn by turn, one thread; processor time, the best of 9 turns.

    python tests/bench/sampler_vs_torch.py build/bench/tests/bench/libsoftmax_rows.so     needs the packages vaa and torch
"""

import ctypes
import sys
import time

import numpy
import torch

import vaa

V, TURNS = 129_280, 9
torch.set_num_threads(1)


def turns(**calls):
    """Milliseconds of each call, the best of its turns."""
    best = dict.fromkeys(calls, float("inf"))
    for _ in range(TURNS):
        for name, call in calls.items():
            repeat = 1
            while True:
                began = time.process_time()
                for _ in range(repeat):
                    call()
                spent = time.process_time() - began
                if spent > 0.02:
                    break
                repeat *= 2
            best[name] = min(best[name], 1e3 * spent / repeat)
    return best


def show(title, best, peer="torch"):
    for name, value in best.items():
        if name != peer:
            print(f"{title}, {name}: {value:.3f} ms, torch {best[peer]:.3f} ms, time ratio {value / best[peer]:.2f}, {best[peer] / value:.1f} times as fast")


def vllm_steps(logits, k, p, noise):
    """Temperature, top-k and top-p by a sort, softmax, and the race: vLLM V1's steps by the contract."""
    z = logits / 0.6
    ordered, places = z.sort(dim=-1)
    ordered.masked_fill_(ordered < ordered[:, V - k].unsqueeze(1), -torch.inf)
    drop = ordered.softmax(-1).cumsum(-1) <= 1 - p
    drop[:, -1] = False
    ordered.masked_fill_(drop, -torch.inf)
    z = z.scatter(-1, places, ordered)
    return (z.softmax(-1) / noise).argmax(-1)


def main():
    random = numpy.random.default_rng(1)
    rows = {"a language model's row": random.normal(0, 2.5, (1, V)) - 2 * numpy.log1p(random.permutation(V))[None] + 14, "a flat row": random.normal(0, 1, (1, V))}
    kernels = ctypes.CDLL(sys.argv[1])
    print(f"torch {torch.__version__}, {torch.backends.cpu.get_cpu_capability() if hasattr(torch.backends, 'cpu') else '?'}")
    for title, row in rows.items():
        logits = row.astype(numpy.float32)
        tensor = torch.from_numpy(logits)
        single, double = numpy.empty(V, numpy.float32), numpy.empty(V)
        z, n, a, b = logits.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(V), single.ctypes.data_as(ctypes.c_void_p), double.ctypes.data_as(ctypes.c_void_p)
        show(f"softmax, {title}", turns(float=lambda: kernels.softmax_float(z, n, a), double=lambda: kernels.softmax_double(z, n, b), torch=lambda: tensor.softmax(-1)))
        numpy.testing.assert_allclose(single, tensor.softmax(-1)[0].numpy(), rtol=1e-4)
        numpy.testing.assert_allclose(double, tensor.double().softmax(-1)[0].numpy(), rtol=1e-13)

        noise = random.exponential(1, (1, V))
        noise_tensor = torch.from_numpy(noise).float()
        for k, p in ((20, 0.95), (1000, 0.95), (50_000, 0.95)):
            sampler = vaa.Sampler("vllm_v1", temperature=0.6, top_k=k, top_p=p)
            show(f"temperature, top-k {k}, top-p {p}, {title}", turns(
                kept=lambda: sampler.kept(logits), draw=lambda: sampler.draw(logits, noise), probs=lambda: sampler.probs(logits), torch=lambda: vllm_steps(tensor, k, p, noise_tensor)))
        only_p = vaa.Sampler("vllm_v1", temperature=0.6, top_p=0.95)
        show(f"temperature, top-p 0.95, {title}", turns(draw=lambda: only_p.draw(logits, noise), torch=lambda: vllm_steps(tensor, V, 0.95, noise_tensor)))


main()
