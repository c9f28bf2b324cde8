"""vaa tells whether an LLM inference engine still produces what the model should produce, and where it goes wrong.

    import vaa
    report = vaa.check("outputs/20260820_101502")    # a run of AISBench, lm-eval, evalscope, …, or a file
    print(report.verdict, report.to_text())
    result = vaa.check_text("so so so so …", finish_reason="length")
    print(result.flags, result.unknown, result.findings)

Every call that fails raises vaa.Error (.status, .name, .message); a wrong model is a verdict, never an error. None is "not recorded", which is
not the same as empty. Text is str (lone surrogates too) or bytes; ids and numbers are numpy arrays, other buffers, or lists.
"""

from typing import TYPE_CHECKING, Any

from . import stats
from ._border import Error, Task, __version__, formats
from ._align import align, effective_parameters, setup
from ._calibrate import Calibration, calibrate, calibrate_records
from ._check import Checker, Tally, check, check_text, explain, flags
from ._compare import Comparison, compare, compare_records
from ._diff import Diff, Divergence, Hunk, PromptDifference, diff
from ._monitor import Monitor
from ._records import Records
from ._reject import Audit, StepLaw, reject, row_shapes, step_law
from ._replay import Replay, Rows, difr_margins, replay
from ._reply import Metrics, Reply
from ._report import Explanation, Finding, Report, SampleResult
from ._rng import Noise, Rng, generators
from ._sample import Sample
from ._sampler import Engine, Logprobs, Sampler, Temperature, engines
from ._variants import Variants, compare_asks, compare_variants
from ._verifier import Law, Layout, Marginal, PLACES, StepNoise, Verified, Verifier, draft_layout, emitted_rows, flashinfer_counters, policies
from ._vocab import Vocab

__all__ = [
    "Audit", "Calibration", "Checker", "Comparison", "Diff", "Divergence", "Engine", "Error", "Explanation", "Finding", "Law", "Layout", "Logprobs", "Marginal", "Metrics", "Monitor", "Noise", "PLACES", "Records", "Replay", "Reply", "Report", "Rng", "Rows", "Sample", "SampleResult", "Sampler", "StepLaw", "StepNoise", "Tally", "Task", "Temperature", "Variants", "Verified", "Verifier", "Vocab", "__version__", "align", "calibrate", "calibrate_records", "check", "check_text", "compare", "compare_asks", "compare_records", "compare_variants",
    "diff", "difr_margins", "draft_layout", "effective_parameters", "emitted_rows", "engines", "explain", "flags", "flashinfer_counters", "formats", "generators", "policies", "reject", "replay", "row_shapes", "setup", "stats", "step_law",
]

# Loaded when first used: they need libcurl.
if TYPE_CHECKING:
    from ._ask import Asker, AskTask, ask, ask_again, bisect, ladder
_ASKING = ("AskTask", "Asker", "ask", "ask_again", "bisect", "ladder")


def __getattr__(name: str) -> Any:
    if name in _ASKING:
        from . import _ask

        return getattr(_ask, name)
    raise AttributeError(f"module 'vaa' has no attribute {name!r}")


def __dir__() -> "list[str]":
    return sorted({*globals(), *_ASKING})
