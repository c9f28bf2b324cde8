"""The probe of vLLM V1 and vLLM-Ascend (docs/probe.md): an entry point of the group vllm.general_plugins, so each worker loads it; without VAA_PROBE it does nothing."""
import functools
import importlib.metadata
import inspect
import os
import sys
from typing import Any, Dict, Optional

from .after_import import AfterImport
from .probe_options import read_options
from .race_noise import Uncovered, noise_after
from .step_arrays import Target
from .step_files import FaultFile
from .step_probe import Call, StepProbe

_NEEDED = ("draft_token_ids", "num_draft_tokens", "draft_probs", "sampling_metadata")
_TARGETS = ("target_logits", "target_logits_or_tuple", "target_probs")


class EngineProbe(StepProbe):
    """Knows where vLLM keeps what the rejection sampler is not given."""

    runner: Any = None                # whose step it is, while it samples
    runners = 0                       # classes that say so
    call: Optional[Call] = None       # whose recovered tokens are being drawn

    def read(self, engine: str, module: Any, given: Dict[str, Any]) -> Optional[Call]:
        """None: not to be written, because no request is behind it (a warm-up) or another rank says the same."""
        if (self.runners and self.runner is None) or _tensor_rank() != 0 or not self.wanted():
            return None
        target = next(given[name] for name in _TARGETS if name in given)
        rows, ids = target if isinstance(target, tuple) else (target, None)
        sampling = given["sampling_metadata"]
        counts = [int(n) for n in given["num_draft_tokens"]]
        call = Call(Target(rows, ids, "target_probs" in given), given["draft_token_ids"], counts, given["draft_probs"], None if sampling.all_greedy else sampling.temperature, bool(sampling.all_greedy))
        batch = getattr(self.runner, "input_batch", None)
        if batch is not None:
            call.requests, call.positions = list(batch.req_ids)[: len(counts)], [int(n) for n in batch.num_tokens_no_spec[: len(counts)]]
            call.vocab_size = int(getattr(batch, "vocab_size", call.vocab_size))
            call.whole = ids is not None or call.target.width >= call.vocab_size
            if ids is None and call.whole:
                call.vocab_size = call.target.width
        call.shared = self.sharing(getattr(sampling, "generators", None) or {}, call.requests)
        call.rule = _rule_of(module, given, call)
        call.header = _header_of(engine, self.runner)
        return self.before(call)

    def wants_noise(self) -> bool:
        return bool(self.options.noise and self.call is not None and self.call.drawn and not self.noise_refused)


def _tensor_rank() -> int:
    state = sys.modules.get("vllm.distributed.parallel_state")
    try:
        return int(state.get_tensor_model_parallel_rank()) if state else 0
    except Exception:  # noqa: BLE001: no group yet
        return 0


def _rule_of(module: Any, given: Dict[str, Any], call: Call) -> Dict[str, Any]:
    """What is declared of the rule in force."""
    if given.get("synthetic_mode"):
        rates, kept, out = [float(r) for r in given["synthetic_conditional_rates"]], 1.0, []
        for rate in rates:
            kept *= rate
            out.append(kept)
        return {"rule": "synthetic", "synthetic_rates": out}
    config = getattr(module, "get_ascend_config", None)
    if config is None:
        return {"rule": "token"}
    config = getattr(config(), "rejection_sampler_config", None)
    if getattr(config, "enable_entropy_verify", False):
        raw = given.get("ori_target_logits")
        call.entropy_of = Target(raw, None, False) if raw is not None else None
        return {"rule": "entropy", "entropy_alpha": float(config.posterior_alpha), "entropy_cap": float(config.posterior_threshold)}
    return {"rule": "block" if getattr(config, "enable_block_verify", False) and given.get("max_spec_len", 0) >= 3 else "token"}


def _header_of(engine: str, runner: Any) -> Dict[str, Any]:
    name = {"vllm_v1": "vllm", "vllm_ascend_v1": "vllm-ascend"}[engine]
    out: Dict[str, Any] = {"policy": engine, "engine": name}
    if _version(name):
        out["engine_version"] = _version(name)
    config = getattr(runner, "vllm_config", None)
    model, parallel, speculative = (getattr(config, part, None) for part in ("model_config", "parallel_config", "speculative_config"))
    if model is not None:
        out["model"] = os.path.basename(str(model.model).rstrip("/"))[:64]
    if speculative is not None:
        out["method"] = str(speculative.method)[:64]
    out["rank"] = int(getattr(parallel, "data_parallel_rank", 0) or 0)
    return out


@functools.lru_cache(maxsize=None)
def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return ""


def watch_rejection_sample(probe: EngineProbe, engine: str, module: Any) -> None:
    """Puts the probe around `rejection_sample` of the module; where its arguments are other ones, says so and leaves it."""
    original = getattr(module, "rejection_sample", None)
    if original is None or hasattr(original, "_vaa_probe"):
        return
    signature = inspect.signature(original)
    missing = [name for name in _NEEDED if name not in signature.parameters]
    if missing or not any(name in signature.parameters for name in _TARGETS):
        probe.faults.say(f"{module.__name__}.rejection_sample{signature}: not watched, it has no {', '.join(missing) or ' or '.join(_TARGETS)}")
        return

    @functools.wraps(original)
    def rejection_sample(*args: Any, **kwargs: Any) -> Any:
        call = probe.guarded("before the sampler", lambda: probe.read(engine, module, signature.bind(*args, **kwargs).arguments))
        probe.call = call
        try:
            out = original(*args, **kwargs)
        finally:
            probe.call = None
        if call is not None:
            probe.guarded("after the sampler", lambda: probe.after(call, out))
        return out

    rejection_sample._vaa_probe = True  # type: ignore[attr-defined]
    module.rejection_sample = rejection_sample
    if probe.options.noise:
        _watch_noise(probe, module)


def _watch_noise(probe: EngineProbe, module: Any) -> None:
    """Uniforms are what the module's own function returns; the recovered tokens' noise is drawn once more, by copies of the generators as they were."""
    uniforms, recovered = getattr(module, "generate_uniform_probs", None), getattr(module, "sample_recovered_tokens", None)
    if uniforms is None or recovered is None:
        probe.faults.say(f"noise: {module.__name__} has no generate_uniform_probs or no sample_recovered_tokens: not written")
        return

    def refuse(why: str) -> None:
        probe.noise_refused = why
        probe.faults.say(f"noise: {why}")

    @functools.wraps(uniforms)
    def generate_uniform_probs(*args: Any, **kwargs: Any) -> Any:
        out = uniforms(*args, **kwargs)
        if probe.wants_noise():
            probe.call.uniforms = probe.guarded("uniforms", lambda: out.clone())
        return out

    signature = inspect.signature(recovered)

    @functools.wraps(recovered)
    def sample_recovered_tokens(*args: Any, **kwargs: Any) -> Any:
        call, again = probe.call, None
        if probe.wants_noise():
            try:
                again = noise_after(signature.bind(*args, **kwargs).arguments, call.drawn)
            except Uncovered as why:
                refuse(str(why))
            except Exception as fault:  # noqa: BLE001
                refuse(f"{type(fault).__name__}: {fault}")
        out = recovered(*args, **kwargs)
        if again is not None:
            call.noise = probe.guarded("noise", again)
        return out

    module.generate_uniform_probs, module.sample_recovered_tokens = generate_uniform_probs, sample_recovered_tokens


def watch_runner(probe: EngineProbe, name: str, module: Any) -> None:
    """Tells the probe whose step it is: requests and positions are the runner's."""
    runner = getattr(module, name, None)
    original = getattr(runner, "__dict__", {}).get("_sample")
    if original is None or hasattr(original, "_vaa_probe"):
        return

    @functools.wraps(original)
    def _sample(self: Any, *args: Any, **kwargs: Any) -> Any:
        before, probe.runner = probe.runner, self
        try:
            return original(self, *args, **kwargs)
        finally:
            probe.runner = before

    _sample._vaa_probe = True  # type: ignore[attr-defined]
    runner._sample = _sample
    probe.runners += 1


def say_not_read(probe: EngineProbe, module: Any) -> None:
    """At its first call, and then is out of the way: the module is imported where V1 runs, too."""
    original = module.rejection_sample

    @functools.wraps(original)
    def rejection_sample(*args: Any, **kwargs: Any) -> Any:
        module.rejection_sample = original
        probe.faults.say(f"{module.__name__}: the rejection sampler of model runner V2 is not read; VLLM_USE_V2_MODEL_RUNNER=0 has V1 run, where the engine can")
        return original(*args, **kwargs)

    module.rejection_sample = rejection_sample


def watch(probe: EngineProbe) -> AfterImport:
    """Around the modules that are imported, and around the others once they are."""
    def guarded(what: Any, *arguments: Any) -> Any:
        return lambda module: probe.guarded(f"watching {module.__name__}", lambda: what(probe, *arguments, module))

    finder = AfterImport({
        "vllm.v1.sample.rejection_sampler": guarded(watch_rejection_sample, "vllm_v1"),
        "vllm_ascend.sample.rejection_sampler": guarded(watch_rejection_sample, "vllm_ascend_v1"),
        "vllm.v1.worker.gpu_model_runner": guarded(watch_runner, "GPUModelRunner"),
        "vllm_ascend.worker.model_runner_v1": guarded(watch_runner, "NPUModelRunner"),
        "vllm.v1.worker.gpu.spec_decode.rejection_sampler": guarded(say_not_read),
    })
    sys.meta_path.insert(0, finder)
    return finder


_probe: Optional[EngineProbe] = None


def register() -> None:
    """The entry point. Raises nothing, prints nothing."""
    global _probe
    if _probe is not None:
        return
    try:
        options = read_options(os.environ)
    except ValueError as wrong:
        FaultFile(os.environ["VAA_PROBE"]).say(f"no probe: {wrong}")
        return
    if options is None:
        return
    _probe = EngineProbe(options)
    _probe.guarded("register", lambda: watch(_probe))
