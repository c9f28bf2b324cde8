"""The generators of rng.json and the group rng of verification.json: from a vector's input to the fields that it expects."""

from __future__ import annotations

import math
import struct
from typing import Any, Callable, Iterable, Mapping, Optional

from ._rng import Rng

Vector = Mapping[str, Any]
Fields = Optional[dict[str, Any]]


def _hex(words: Iterable[int], digits: int) -> list[str]:
    return [f"0x{int(word):0{digits}x}" for word in words]


def _bits32(value: float) -> str:
    return f"0x{struct.unpack('<I', struct.pack('<f', value))[0]:08x}"


def _bits64(value: float) -> str:
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016x}"


def _words(texts: Iterable[str], size: str) -> bytes:
    return b"".join(struct.pack("<" + size, int(text, 16)) for text in texts)


def _block(generator: str, size: str, digits: int, bits: int) -> Callable[[Vector], Fields]:
    def run(vector: Vector) -> Fields:
        given = vector["input"]
        rng = Rng(generator, state=_words(given["ctr"], size) + _words(given["key"], size))
        return {"out": _hex(rng.raw(len(given["ctr"]), bits), digits)}

    return run


def _torch_cpu(vector: Vector) -> Fields:
    given, want = vector["input"], vector["output"]
    rng = Rng("torch_cpu", given["seed"], torch="2.7")  # narrow floats are drawn another way from 2.12 on
    kind = vector["id"].rsplit("_seed_", 1)[0]
    if kind == "mt19937_u32":
        words = _hex(rng.raw(1000), 8)
        return {"first8": words[:8], "n1000": words[999]}
    if kind == "torch_cpu_random64":
        return {"first4": _hex(rng.raw(4, 64), 16)}
    if kind == "torch_cpu_rand_f64":
        values = rng.uniform(given["n"], "float64").tolist()
        return {"values": values, "bits": [_bits64(x) for x in values]}
    if kind in ("torch_cpu_rand_f32", "torch_cpu_exponential_f32", "torch_cpu_rand_bf16"):
        values = (rng.exponential(given["n"]).values if "exponential" in kind else rng.uniform(given["n"], "bfloat16" if "bf16" in kind else "float32")).tolist()
        return {"values": values, "bits": [_bits32(x) for x in values]}
    if kind.startswith("torch_cpu_randint"):
        return {"values": rng.randint(given["low"], given["high"], len(want["values"])).tolist()}
    if kind == "torch_cpu_randn_scalar":
        return {"values": [x for n in given["calls"] for x in rng.normal(n).tolist()]}
    if kind.startswith("torch_cpu_randn_vec"):
        return {"values": rng.normal(given["n"]).tolist()}
    if kind == "torch_cpu_multinomial1":
        import numpy

        weights = numpy.array(given["p"], dtype="float32")
        return {"indices": [int(rng.multinomial(weights)[0]) for _ in want["indices"]]}
    if kind == "torch_cpu_uniform_transposed":  # draws follow memory, so memory order is the plain stream
        return {"memory_order_values": rng.uniform(math.prod(given["shape"])).tolist()}
    return None


def _torch_cuda(vector: Vector) -> Fields:
    given, want, kind = vector["input"], vector["output"], vector["id"].rsplit("_seed_", 1)[0]
    if kind == "curand_philox_blocks":
        rng = Rng("torch_cuda", given["seed"])
        threads = list(range(len(want["blocks"])))
        return {"blocks": [list(block) for block in zip(*(_hex(rng.raw_at(given["offset"] + k, threads), 8) for k in range(4)))]}
    if kind == "torch_cuda_rand_f64":
        values = Rng("torch_cuda", given["seed"]).uniform(given["n"], "float64").tolist()
        return {"values": values, "bits": [_bits64(x) for x in values]}
    if kind == "torch_cuda_rand_f32":
        rng = Rng("torch_cuda", given["seed"])
        fields: dict[str, Any] = {}
        for call in range(1, given["calls"] + 1):
            fields[f"call{call}"] = values = rng.uniform(given["n"]).tolist()
            fields[f"call{call}_bits"] = [_bits32(x) for x in values]
        return fields
    if kind == "torch_cuda_large_n_mapping":
        draws = {(row["sms"], row["threads_per_sm"]): Rng("torch_cuda", given["seed"], sm_count=row["sms"], threads_per_sm=row["threads_per_sm"]).raw(given["n"]) for row in want["rows"]}
        return {"rows": [{**row, "word": _hex([draws[row["sms"], row["threads_per_sm"]][row["i"]]], 8)[0]} for row in want["rows"]]}
    if kind == "torch_cuda_counter_increment":
        rows = []
        for row in want["rows"]:
            rng = Rng("torch_cuda", 0, sm_count=row["sms"])
            rng.uniform(row["n"])
            rows.append({**row, "inc": struct.unpack("<QQ", rng.save())[1]})
        return {"rows": rows}
    return None


def _vllm_v1(vector: Vector) -> Fields:
    import numpy

    given, want = vector["input"], vector["output"]
    n = given["vocab"]
    logits = (16 * (((numpy.arange(n, dtype="uint64") * 2654435761) % 2**32) / 2**32)).astype("float32").astype("float64")
    rng = Rng("torch_cuda", given["seed"], sm_count=132)
    steps = []
    for step in range(len(want["steps"])):
        offset = struct.unpack("<QQ", rng.save())[1]
        u = rng.uniform(n)
        # In double, as the vector's margins are: the device's own noise lies within the band of exponential.
        score = logits - numpy.log(-numpy.log(u.astype("float64")))
        first, second = (int(i) for i in numpy.argsort(-score)[:2])
        steps.append({"step": step, "offset": offset, "token": first, "u_token": float(u[first]), "u_token_bits": _bits32(u[first]), "runner_up": second,
                      "margin_nats": float(score[first] - score[second]), "u_first4": u[:4].tolist()})
    return {"steps": steps}


def _triton(vector: Vector) -> Fields:
    rows, words = [], [0, 1, 2, 3]
    for row in vector["output"]["rows"]:
        narrow, new, old = (Rng("triton", row["seed"], variant=variant, triton=triton) for variant, triton in (("offset32", "new"), ("offset64", "new"), ("offset64", "old")))
        value = float(narrow.uniform_at(row["offset"], [0])[0])
        rows.append({**row, "int32_offset": _hex(narrow.raw_at(row["offset"], words), 8), "int64_offset_old_triton": _hex(old.raw_at(row["offset"], words), 16),
                     "int64_offset_new_triton": _hex(new.raw_at(row["offset"], words), 8), "rand_int32": value, "rand_int32_bits": _bits32(value)})
    return {"rows": rows}


def _vllm_v2(vector: Vector) -> Fields:
    rows = []
    for row in vector["output"]["rows"]:
        pos, token = row["pos"], [row["token"]]
        rng = Rng("vllm_v2", row["seed"], triton=row["triton"])
        u = float(rng.uniform_at(pos, token)[0])
        key = int(Rng("triton", row["seed"], triton=row["triton"]).raw_at(pos, [0])[0])
        rows.append({**row, "gumbel_seed": f"0x{key:0{8 if row['triton'] == 'new' else 16}x}", "u": u, "u_bits": _bits32(u), "gumbel_log1p": float(rng.gumbel_at(pos, token).values[0]),
                     "gumbel_vllm_ascend": float(Rng("vllm_v2", row["seed"], variant="vllm_ascend").gumbel_at(pos, token).values[0])})
    return {"rows": rows}


def _sglang(vector: Vector) -> Fields:
    rows = []
    for row in vector["output"]["rows"]:
        rng = Rng("sglang", row["seed"])
        rows.append({**row, "hash": _hex(rng.raw_at(row["pos"], [row["col"]]), 8)[0], "gumbel_f64": float(rng.gumbel_at(row["pos"], [row["col"]]).values[0])})
    return {"rows": rows}


def _sglang_legacy(vector: Vector) -> Fields:
    return {"rows": [{**row, "u24": int(Rng("sglang_legacy", row["seed"]).raw_at(row["pos"], [row["col"]])[0])} for row in vector["output"]["rows"]]}


def _vllm_cpu(vector: Vector) -> Fields:
    rows = []
    for row in vector["output"]["rows"]:
        rng = Rng("vllm_cpu", row["seed"])
        rows.append({**row, "bits": _hex(rng.raw_at(0, [row["token"]]), 16)[0], "gumbel": float(rng.gumbel_at(0, [row["token"]]).values[0])})
    return {"rows": rows}


def _llama_cpp(vector: Vector) -> Fields:
    rows = []
    for row in vector["output"]["rows"]:
        values = Rng("llama_cpp", row["seed"]).uniform(len(row["values"]), "float64").tolist()
        rows.append({"seed": row["seed"], "values": values, "bits": [_bits64(x) for x in values]})
    return {"rows": rows}


def _flashinfer(vector: Vector) -> Fields:
    rows = []
    for row in vector["output"]["rows"]:
        rng, batch = Rng("flashinfer", vector["input"]["seed"]), list(range(row["batch"]))
        rng.skip(row["batch"] * (1 if row["call"] == "sampling_from_probs" else 32))
        rounds = [rng.uniform_at(k, batch).tolist() for k in range(2)]
        rows.append({**row, "philox_offset_used": struct.unpack("<QQ", rng.save())[1], "u": rounds[0], "u_round0": rounds[0], "u_round1": rounds[1]})
    return {"rows": rows}


def _npu(vector: Vector) -> Fields:
    given = vector["input"]
    u = Rng("npu_sim78", given["seed"]).uniform(given["n"])
    q = Rng("npu_sim78", given["seed"]).exponential(given["n"]).values
    return {"rows": [{"i": row["i"], "u": float(u[row["i"]]), "q_ideal": float(q[row["i"]])} for row in vector["output"]["rows"]]}


def _tf(vector: Vector) -> Fields:
    rng = Rng("tf_philox", vector["input"]["seed"])
    columns = [row["i"] for row in vector["output"]["rows"]]
    words, values = rng.raw_at(vector["input"]["offset"], columns), rng.uniform_at(vector["input"]["offset"], columns)
    return {"rows": [{"i": i, "word": _hex([word], 8)[0], "u23": float(u)} for i, word, u in zip(columns, words, values)]}


def _mkl(vector: Vector) -> Fields:
    rows = []
    for row in vector["output"]["rows"]:
        n, word = len(row["mcg31"]), int(Rng("torch_cpu_mkl", row["seed"]).raw(1)[0])
        integers = Rng("mkl_mcg31", word).raw(n).tolist()
        # The ideal is of the integer; MKL itself rounds u to float32 first, and so does torch_cpu_mkl.
        rows.append({"seed": row["seed"], "mt_u32": _hex([word], 8)[0], "mcg31": integers, "u": Rng("mkl_mcg31", word).uniform(n).tolist(),
                     "q_ideal": [-math.log(x / (2**31 - 1)) for x in integers]})
    return {"rows": rows}


def _xorwow(vector: Vector) -> Fields:
    rows = []
    for row in vector["output"]["rows"]:
        n = len(row["words"])
        rows.append({"seed": row["seed"], "words": _hex(Rng("tensorrt_llm", row["seed"]).raw(n), 8), "u": Rng("tensorrt_llm", row["seed"]).uniform(n).tolist()})
    return {"rows": rows}


# By the field `generator` of a vector; None where a vector of this shape is not known.
GENERATORS: dict[str, Callable[[Vector], Fields]] = {
    "TORCH_CPU_MT19937": _torch_cpu, "PHILOX4X32_10": _block("philox4x32", "I", 8, 32), "PHILOX4X64_10": _block("philox4x64", "Q", 16, 64),
    "JAX_THREEFRY2X32": _block("threefry2x32", "I", 8, 32), "TORCH_CUDA_PHILOX": _torch_cuda, "VLLM_V1_EXPRACE_CUDA": _vllm_v1, "TRITON_PHILOX": _triton,
    "VLLM_V2_TRITON_GUMBEL": _vllm_v2, "SGLANG_MURMUR_GUMBEL": _sglang, "SGLANG_LEGACY_HASH": _sglang_legacy, "VLLM_CPU_SPLITMIX": _vllm_cpu, "LLAMACPP_MT19937": _llama_cpp,
    "FLASHINFER_PHILOX": _flashinfer, "NPU_SIM_THREAD_PHILOX": _npu, "TF_PHILOX_STATELESS_V2": _tf, "TORCH_CPU_MKL_MCG31": _mkl, "TRTLLM_XORWOW": _xorwow,
}


def run_gumbel(v: Mapping[str, Any]) -> Fields:
    """The group rng of verification.json."""
    if v.keys() != {"seed", "pos", "ids", "logits", "temperature"}:
        return None
    import numpy

    scaled = numpy.array(v["logits"]) / v["temperature"]
    noise = {variant: Rng("vllm_v2", v["seed"], variant=variant).gumbel_at(v["pos"], v["ids"]).values for variant in ("log1p", "vllm_ascend")}
    picked = {variant: v["ids"][int(numpy.argmax(scaled + noise[variant]))] for variant in noise}
    return {"gumbel_seed": int(Rng("triton", v["seed"]).raw_at(v["pos"], [0])[0]), "u_f32": Rng("vllm_v2", v["seed"]).uniform_at(v["pos"], v["ids"]).tolist(),
            "g_upstream": noise["log1p"].tolist(), "g_ascend": noise["vllm_ascend"].tolist(), "argmax_upstream": picked["log1p"], "argmax_ascend": picked["vllm_ascend"]}
