"""256 requests of 3 drafts over 129,280 ids through the verifier and through vLLM V1's steps in torch's CPU operators, in one process and turn by turn, on the same threads; the best of the turns, processor time on
one thread, elapsed time on several.

    python tests/bench/verifier_vs_torch.py [THREADS] [build/bench/tests/bench/libsoftmax_rows.so]     needs the packages vaa and torch, and 3 GB
"""

import ctypes
import sys
import time

import numpy
import torch

import vaa

REQUESTS, DRAFTS, V, TURNS = 256, 3, 129_280, 5
ROWS = REQUESTS * DRAFTS
THREADS = int(sys.argv[1]) if len(sys.argv) > 1 else 1
CLOCK = time.process_time if THREADS == 1 else time.perf_counter
torch.set_num_threads(THREADS)


def turns(**calls):
    """Seconds of each call, the best of its turns."""
    best = dict.fromkeys(calls, float("inf"))
    for _ in range(TURNS):
        for name, call in calls.items():
            began = CLOCK()
            call()
            best[name] = min(best[name], CLOCK() - began)
    return best


def law(random, rows):
    """Rows that fall off like a language model's, of float32."""
    out = random.standard_exponential((rows, V), numpy.float32)
    out **= 4
    out /= out.sum(1, keepdims=True)
    return out


def vllm_v1(drafts, p, q, uniforms, noise, bonus):
    """The rule of vLLM V1 in whole-batch operators: recovered tokens of every position first, one noise vector a request, then the tests."""
    if q is None:
        residual = p.clone()
        residual[torch.arange(ROWS), drafts] = 0
        draft_q = torch.ones(ROWS)
    else:
        residual = torch.clamp(p - q, min=0)
        draft_q = q.gather(1, drafts[:, None])[:, 0]
    recovered = (residual.view(REQUESTS, DRAFTS, V) / noise[:, None]).argmax(-1)
    accepted = (draft_q > 0) & ((p.gather(1, drafts[:, None])[:, 0] / draft_q).double() >= uniforms)
    prefix = accepted.view(REQUESTS, DRAFTS).int().cumprod(1)
    length = prefix.sum(1)
    out = torch.full((REQUESTS, DRAFTS + 1), -1)
    out[:, :DRAFTS] = torch.where(prefix.bool(), drafts.view(REQUESTS, DRAFTS), -1)
    last = torch.where(length < DRAFTS, recovered.gather(1, length.clamp(max=DRAFTS - 1)[:, None])[:, 0], bonus)
    out[torch.arange(REQUESTS), length] = last
    return out


def main():
    random = numpy.random.default_rng(1)
    p, q = law(random, ROWS), law(random, ROWS)
    noise = random.standard_exponential((REQUESTS, V), numpy.float32).clip(2.0**-24)  # the least that torch draws on a GPU
    uniforms, bonus = random.random(ROWS), random.integers(0, V, REQUESTS)
    counts = numpy.full(REQUESTS, DRAFTS)
    soft = numpy.array([numpy.searchsorted(numpy.cumsum(row, dtype=numpy.float64), u) for row, u in zip(q, random.random(ROWS))]).clip(0, V - 1)
    hot = p.argmax(1)
    held = {"p": torch.from_numpy(p), "noise": torch.from_numpy(noise), "uniforms": torch.from_numpy(uniforms), "bonus": torch.from_numpy(bonus)}
    arrays = [torch.from_numpy(a) for a in (p, q, noise)]
    gigabytes = sum(a.nbytes for a in (p, q, noise)) / 1e9
    every, read = (vaa.Verifier("vllm_v1", input="probs", check=check, threads=THREADS) for check in ("all", "read"))
    given = {"num_drafts": counts, "uniforms": uniforms, "noise": noise, "bonus": bonus}
    print(f"torch {torch.__version__}, {torch.backends.cpu.get_cpu_capability()}, {THREADS} threads, {gigabytes:.2f} GB of p, q and noise")

    best = turns(verifier=lambda: every.run(soft, p, draft_probs=q, **given), read_alone=lambda: read.run(soft, p, draft_probs=q, **given),
                 torch=lambda: vllm_v1(torch.from_numpy(soft), q=torch.from_numpy(q), **held), sum=lambda: [a.sum() for a in arrays])
    assert every.run(soft, p, draft_probs=q, **given).ids.tolist() == vllm_v1(torch.from_numpy(soft), q=torch.from_numpy(q), **held).tolist()
    for name in ("verifier", "read_alone"):
        print(f"rows of q, {name}: {1e3 * best[name]:.1f} ms, torch {1e3 * best['torch']:.0f} ms, {best['torch'] / best[name]:.1f} times as fast; "
              f"{gigabytes / best[name]:.1f} GB/s, a sum of the same arrays {gigabytes / best['sum']:.1f} GB/s, {best['sum'] / best[name]:.2f} of it")

    best = turns(verifier=lambda: every.run(hot, p, **given), read_alone=lambda: read.run(hot, p, **given), torch=lambda: vllm_v1(torch.from_numpy(hot), q=None, **held))
    assert every.run(hot, p, **given).ids.tolist() == vllm_v1(torch.from_numpy(hot), q=None, **held).tolist()
    for name in ("verifier", "read_alone"):
        print(f"one-hot, {name}: {1e3 * best[name]:.1f} ms, torch {1e3 * best['torch']:.0f} ms, {best['torch'] / best[name]:.0f} times as fast")

    logits = numpy.log(p.clip(1e-30))
    of_logits, accept = vaa.Verifier("vllm_v1", threads=THREADS), {**given, "uniforms": numpy.zeros(ROWS)}
    calls = {"verifier": lambda: of_logits.run(hot, logits, **accept)}  # all accepted, so that every row is looked at
    if len(sys.argv) > 2:
        kernel, out = ctypes.CDLL(sys.argv[2]).softmax_double, numpy.empty(V)
        pointers = [ctypes.c_void_p(row.ctypes.data) for row in logits]
        calls["softmax by doubles, one thread"] = lambda: [kernel(z, ctypes.c_size_t(V), ctypes.c_void_p(out.ctypes.data)) for z in pointers]
    for name, seconds in turns(**calls).items():
        print(f"from logits, {name}: {1e3 * seconds:.1f} ms, {1e3 * seconds / ROWS:.3f} ms a row")


main()
