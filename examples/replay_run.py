"""An engine and five of its faults, replayed from logits and seed: python examples/replay_run.py"""
import numpy

import vaa

SEED, VOCABULARY, ROWS = 42, 1000, 700
ASKED = dict(temperature=0.7, top_k=20, repetition_penalty=1.2)
logits = numpy.random.default_rng(1).normal(0, 3, (ROWS, VOCABULARY)).astype("float32")
prompt = list(range(200))


def engine(seed=SEED, draws_before=0, see_prompt=True, **parameters):
    """Tokens as vLLM V1 picks them on torch's CPU generator."""
    sampler, rng, output = vaa.Sampler("vllm_v1", **{**ASKED, **parameters}), vaa.Rng("torch_cpu", seed), []
    for _ in range(draws_before):
        rng.exponential(VOCABULARY)
    for row in logits:
        output.append(int(sampler.draw(row, rng.exponential(VOCABULARY).values, prompt=prompt if see_prompt else [], output=output)[0]))
    return output


for what, tokens in (("sound", engine()), ("temperature ignored", engine(temperature=1.0)), ("top_k 21", engine(top_k=21)), ("prompt not penalised", engine(see_prompt=False)),
                     ("one draw ahead", engine(draws_before=1)), ("another seed", engine(seed=43))):
    report = vaa.replay(logits, tokens, engine="vllm_v1", generator="torch_cpu", seed=SEED, prompt=prompt, **ASKED)
    print(f"{what}: {report.verdict}: {report.to_dict()['verdict']['reason']}")
