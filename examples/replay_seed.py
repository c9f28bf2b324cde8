"""The numbers that an engine draws for a seed, on any machine: python examples/replay_seed.py"""
import numpy

import vaa

logits = numpy.array([2.0, 1.5, 0.3, -1.0, 1.9, 0.0, 1.2, -0.5], dtype="float32")
weights = numpy.exp(logits / 0.8)
probs = (weights / weights.sum()).astype("float32")

print("1. torch on the CPU: torch.manual_seed(42); torch.rand(3)")
print("  ", vaa.Rng("torch_cpu", 42).uniform(3))

print("2. Hugging Face on the CPU: torch.multinomial(probs, 1) five times, with the wheels of torch 2.6 and of 2.7")
for name in ("torch_cpu_mkl", "torch_cpu"):
    rng = vaa.Rng(name, 42)
    print("  ", name, [int(rng.multinomial(probs)[0]) for _ in range(5)])

print("3. vLLM on CUDA, SamplingParams(seed=42): argmax of p / q, token by token, q fresh each time")
rng = vaa.Rng("torch_cuda", 42)
for step in range(3):
    q, band = rng.exponential(len(probs))
    order = numpy.argsort(-(numpy.log(probs) - numpy.log(q)))
    margin = (numpy.log(probs) - numpy.log(q))[order[0]] - (numpy.log(probs) - numpy.log(q))[order[1]]
    unsure = (band / q)[order[:2]].sum()
    print(f"   step {step}: token {order[0]}, ahead of {order[1]} by {margin:.3f} nats, of which the device's logarithm can take {unsure:.1e}")

print("4. vLLM's second model runner at position 17, and vllm-ascend's: the same seed, other noise")
for variant in ("log1p", "vllm_ascend"):
    noise, band = vaa.Rng("vllm_v2", 42, variant=variant).gumbel_at(17, list(range(8)))
    print(f"   {variant}: token {numpy.argmax(logits / 0.8 + noise)}")

print("5. llama.cpp with --seed 42: the uniforms of the first tokens")
print("  ", vaa.Rng("llama_cpp", 42).uniform(3, "float64"))

print("6. Ascend A2 and A3: the noise was dumped from the device and is handed over")
captured = vaa.Rng("captured", variant="exponential")
captured.give(0, [0.9, 0.25, 1.7, 0.4, 0.8, 2.2, 0.1, 0.6])
print("   token", numpy.argmax(logits / 0.8 + captured.gumbel_row(0, 8).values))
