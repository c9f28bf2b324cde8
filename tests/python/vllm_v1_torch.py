"""vLLM V1's sampler in plain torch, by the order and rules of docs/sampler.md: rows of a .npz in, what was kept and picked out. Run by a Python that has torch:

    python3 vllm_v1_torch.py ROWS.npz PICKED.npz

float32 throughout, rows one by one as a batch of one is sampled; noise of torch's own CPU generator, one exponential_ over the vocabulary a row."""
import sys

import numpy
import torch

LEAST = 1e-36  # a probability that float32 holds as a normal number


def penalise(z, p, prompt, output):
    count = torch.bincount(output, minlength=z.shape[0]) if len(output) else torch.zeros(z.shape[0], dtype=torch.int64)
    seen = count > 0
    if len(prompt):
        seen = seen | (torch.bincount(prompt, minlength=z.shape[0]) > 0)
    r = torch.where(seen, p["repetition_penalty"], torch.tensor(1.0))
    z = torch.where(z > 0, z / r, z * r)
    z = z - p["frequency_penalty"] * count
    return z - p["presence_penalty"] * (count > 0)


def keep(z, p):
    """min-p, top-k with all ties, top-p over an ascending sort: what is dropped becomes -infinity."""
    if p["min_p"] > 0:
        law = z.softmax(-1)
        z = z.masked_fill(law < p["min_p"] * law.max(), -torch.inf)
    ordered, places = z.sort(dim=-1, descending=False, stable=True)
    k = int(p["top_k"])
    if 0 < k < z.shape[0]:
        ordered = ordered.masked_fill(ordered < ordered[z.shape[0] - k], -torch.inf)
    drop = torch.zeros_like(ordered, dtype=torch.bool)
    margin = torch.tensor(1.0)
    if p["top_p"] < 1:
        mass = ordered.softmax(-1).cumsum(-1)
        drop = mass <= 1 - p["top_p"]
        drop[-1] = False
        margin = (mass - (1 - p["top_p"])).abs().min()
    return torch.empty_like(z).scatter(0, places, ordered.masked_fill(drop, -torch.inf)), float(margin)


def main():
    torch.set_num_threads(1)
    rows = numpy.load(sys.argv[1])
    logits = torch.from_numpy(rows["logits"])
    names = ("temperature", "top_k", "top_p", "min_p", "repetition_penalty", "frequency_penalty", "presence_penalty")
    params = {name: torch.from_numpy(rows[name].astype(numpy.float32)) for name in names}
    said = [torch.split(torch.from_numpy(rows[name]), numpy.diff(rows[name + "_ends"], prepend=0).tolist()) for name in ("prompt", "output")]
    generator = torch.Generator()
    generator.manual_seed(int(rows["seed"]))
    kept, picked, margins, drawn = [], [], [], []
    for r in range(logits.shape[0]):
        p = {name: values[r] for name, values in params.items()}
        z = penalise(logits[r].clone(), p, said[0][r], said[1][r])
        greedy = float(p["temperature"]) < 1e-5
        q = torch.empty_like(z).exponential_(generator=generator)
        if greedy:
            ids, margin, token = z.argmax().reshape(1), 1.0, int(z.argmax())
        else:
            z, margin = keep(z / p["temperature"], p)
            law = z.softmax(-1)
            ids = torch.nonzero(law > LEAST).reshape(-1)
            token = int((law / q).argmax())
        kept.append(ids.numpy())
        picked.append(token)
        margins.append(margin)
        drawn.append(q[:4].numpy())
    numpy.savez(sys.argv[2], kept=numpy.concatenate(kept), ends=numpy.cumsum([len(ids) for ids in kept]), picked=picked, margins=margins, drawn=drawn)


if __name__ == "__main__":
    main()
