"""The noise of vLLM's recovered tokens, Exp(1) for each id of each request: not handed out, so it is drawn once more from copies of the generators as they were before."""
from typing import Any, Callable, Dict, List

UNREADABLE = ("npu",)


class Uncovered(Exception):
    """Why the noise cannot be had."""


def noise_after(given: Dict[str, Any], rows: List[int]) -> Callable[[], Dict[int, Any]]:
    """Takes the states before the draws of sample_recovered_tokens; what it returns gives the noise of these rows. `given`: that function's arguments."""
    import torch

    target = given["target_probs"]
    device = torch.device(given.get("device", target.device))
    if device.type in UNREADABLE:
        raise Uncovered(f"the random stream of device {device.type} cannot be read back: its exponential noise is made by an operator of its own that takes no copy of a generator. Steps are written without noise")
    if device.type not in ("cpu", "cuda"):
        raise Uncovered(f"device {device.type} is not known. Steps are written without noise")
    usual = torch.default_generator if device.type == "cpu" else torch.cuda.default_generators[device.index or torch.cuda.current_device()]
    seeded = given["sampling_metadata"].generators
    drafted = given["num_draft_tokens"]
    shape = (len(drafted), int(target.shape[-1]))
    dtype = torch.float64 if given.get("use_fp64_gumbel") else torch.float32
    states = {row: seeded[row].get_state() for row in rows if row in seeded and drafted[row] > 0}
    unseeded = usual.get_state() if any(row not in states for row in rows) else None

    def generator(state: Any) -> Any:
        return torch.Generator(device=device).set_state(state)

    def again() -> Dict[int, Any]:
        out = {}
        if unseeded is not None:
            whole = torch.empty(shape, dtype=dtype, device=device).exponential_(generator=generator(unseeded))
            out = {row: whole[row] for row in rows if row not in states}
        for row, state in states.items():
            out[row] = torch.empty(shape[1], dtype=dtype, device=device).exponential_(generator=generator(state))
        return out

    return again
