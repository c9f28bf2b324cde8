"""What the probe of rejection samplers costs: PYTHONPATH=tests/python python tests/bench/probe_cost.py [--vocabulary 129280] [--requests 64] [--device cpu]

Steps of vLLM V1 in plain torch (tests/python/test_probe_torch.py), three one-hot drafts a request, with the probe and without in one run; and the parts that do not depend on the vocabulary: reading arguments, copying, writing.
"""
import argparse
import pathlib
import statistics
import tempfile
import time
import types

import torch

from vaa.integrations.probe_options import ProbeOptions
from vaa.integrations.step_arrays import Target
from vaa.integrations.step_probe import Call
from vaa.integrations.vllm import EngineProbe


def median_us(work, times):
    taken = []
    for _ in range(times):
        begin = time.perf_counter()
        work()
        taken.append(time.perf_counter() - begin)
    return statistics.median(taken) * 1e6


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vocabulary", type=int, default=129280)
    parser.add_argument("--requests", type=int, default=64)
    parser.add_argument("--device", default="cpu")
    args = parser.parse_args()
    drafts = 3 * args.requests
    logits = torch.randn(drafts, args.vocabulary, device=args.device)
    ids = torch.randint(0, args.vocabulary, (drafts,), dtype=torch.int32, device=args.device)
    output = torch.cat([ids.view(-1, 3)[:, :2], torch.full((args.requests, 2), -1, dtype=torch.int32, device=args.device)], 1)
    temperature = torch.full((args.requests,), 0.6, device=args.device)
    batch = types.SimpleNamespace(req_ids=[f"cmpl-{i}" for i in range(args.requests)], num_tokens_no_spec=list(range(args.requests)), vocab_size=args.vocabulary)
    with tempfile.TemporaryDirectory() as folder:
        probe = EngineProbe(ProbeOptions(folder, rows=0, free_mb=0))
        probe.runner = types.SimpleNamespace(input_batch=batch)

        def call():
            out = Call(Target(logits, None, False), ids, [3] * args.requests, None, temperature, False)
            out.requests, out.positions, out.header = batch.req_ids, batch.num_tokens_no_spec, {"rank": 0}
            return out

        def softmax():
            logits.softmax(-1)
            if args.device != "cpu":
                torch.accelerator.synchronize()

        read = probe.before(call())
        print(f"{args.requests} requests x 3 drafts, {args.vocabulary} ids, {args.device}, {torch.get_num_threads()} threads")
        print(f"softmax of the target's rows, which the sampler does anyway   {median_us(softmax, 21):10.0f} us")
        print(f"p(d) and the likeliest tokens, before the sampler              {median_us(lambda: probe.before(call()), 21):10.0f} us")
        print(f"one copy to the host, and the record                           {median_us(lambda: probe.after(read, output), 301):10.0f} us")
        (files,) = probe._files.values()
        begin, steps = files._size, files.written
        for _ in range(100):
            probe.after(read, output)
        print(f"bytes a draft token                                            {(files._size - begin) / (files.written - steps) / drafts:10.1f}")


if __name__ == "__main__":
    main()
