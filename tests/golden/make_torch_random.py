"""What real torch draws on the CPU: PYTHON make_torch_random.py adds or renews the entry of its torch in torch_random.json.

The entries of 2.0.1, 2.6.0, 2.7.0, 2.11.0 and 2.12.0, the lines at which something changed, are of make_torch_random.cpp, which needs little but the wheel's libtorch_cpu.so:
    unzip the wheel; c++ -std=c++17 -D_GLIBCXX_USE_CXX11_ABI=0 (1 from 2.7 on) -I torch/include make_torch_random.cpp -L torch/lib -ltorch_cpu -lc10 -Wl,--allow-shlib-undefined
    LD_LIBRARY_PATH=torch/lib:FOLDERS of libcudart.so.12 and libcupti.so.12 ./a.out | python make_torch_random.py -
"""
import base64
import hashlib
import json
import pathlib
import sys

PATH = pathlib.Path(__file__).with_name("torch_random.json")


def generator(seed):
    import torch

    made = torch.Generator()
    made.manual_seed(seed)
    return made


def digest(tensor):
    return hashlib.sha256(tensor.contiguous().numpy().tobytes()).hexdigest()


def entry():
    import torch

    calls = []

    def add(call, seed, values=None, **fields):
        calls.append({"call": call, "seed": seed, **fields, **({} if values is None else {"values": values.double().tolist() if values.is_floating_point() else values.tolist()})})

    for seed in (0, 42, 2**32 + 5, 2**63 - 1, -1):
        for dtype in ("float32", "float64", "float16", "bfloat16"):
            kind = getattr(torch, dtype)
            add("uniform", seed, torch.rand(8, generator=generator(seed), dtype=kind), n=8, dtype=dtype)
            add("exponential", seed, torch.empty(8, dtype=kind).exponential_(generator=generator(seed)), n=8, dtype=dtype)
        for n in (5, 16, 20, 1000):
            values = torch.randn(n, generator=generator(seed))
            add("normal", seed, values[-12:], n=n, dtype="float32")
        add("normal", seed, torch.randn(40, generator=generator(seed), dtype=torch.float64)[-12:], n=40, dtype="float64")
        for low, high in ((0, 1000), (-7, 2**28 - 8), (0, 2**28), (0, 2**31), (-5, 2**32 - 6), (0, 2**32), (-2**62, 2**62)):
            add("randint", seed, torch.randint(low, high, (6,), generator=generator(seed)), low=low, high=high, n=6)
        for name, made in (("uniform", lambda g: torch.rand(20000, generator=g)), ("exponential", lambda g: torch.empty(20000).exponential_(generator=g))):
            add(name, seed, n=20000, dtype="float32", sha256=digest(made(generator(seed))))
        add("uniform", seed, n=20000, dtype="float64", sha256=digest(torch.rand(20000, generator=generator(seed), dtype=torch.float64)))
        for rows, columns, samples, replacement, dtype in ((3, 8, 1, False, "float32"), (2, 500, 1, False, "float32"), (2, 50, 5, False, "float32"), (2, 50, 1, True, "float32"),
                                                           (2, 500, 7, True, "float32"), (2, 500, 7, True, "float64"), (1, 500, 3, False, "float64")):
            weights = (torch.arange(rows * columns, dtype=torch.float64) * 37 % 101 + 1).reshape(rows, columns).to(getattr(torch, dtype))
            add("multinomial", seed, torch.multinomial(weights, samples, replacement, generator=generator(seed)), rows=rows, columns=columns, samples=samples, replacement=replacement, dtype=dtype)
    states = []
    for draws in (0, 1, 623, 624, 1000):
        made = generator(7)
        torch.rand(draws, generator=made)
        torch.randn(3, generator=made)
        state = base64.b64encode(made.get_state().numpy().tobytes()).decode() if draws in (0, 1000) else None
        states.append({"draws": draws, "sha256": digest(made.get_state()), "state": state, "normal_then_uniform": torch.randn(1, generator=made).double().tolist() + torch.rand(2, generator=made).double().tolist()})
    fresh = generator(7).get_state()
    return torch.__version__.split("+")[0], {"generator": "torch_cpu", "calls": calls, "states": states, "fresh_state_sha256": digest(fresh)}


def main():
    known = json.loads(PATH.read_text()) if PATH.exists() else {}
    version, made = next(iter(json.load(sys.stdin).items())) if sys.argv[1:] == ["-"] else entry()
    known[version] = made
    lines = []
    for version in sorted(known, key=lambda v: [int("".join(c for c in part if c.isdigit()) or 0) for part in v.split(".")]):
        body = known[version]
        calls = ",\n   ".join(json.dumps(call) for call in body["calls"])
        rest = "".join(f',\n  {json.dumps(key)}: {json.dumps(body[key])}' for key in body if key not in ("generator", "calls"))
        lines.append(f'{json.dumps(version)}: {{"generator": {json.dumps(body["generator"])}, "calls": [\n   {calls}]{rest}}}')
    PATH.write_text("{" + ",\n ".join(lines) + "}\n")


if __name__ == "__main__":
    main()
