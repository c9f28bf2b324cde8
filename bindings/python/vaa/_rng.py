"""The random numbers that engines sample with."""

from __future__ import annotations

import base64
import threading
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Sequence, Union

from . import _cvaa
from ._border import load, option_json, text_of

if TYPE_CHECKING:
    import numpy

    Array = numpy.ndarray[Any, Any]
    Ids = Union[Sequence[int], Array]

_WIDTHS = {"float32": 0, "float16": 1, "bfloat16": 2}


class Noise(NamedTuple):
    """Numbers, and how far the engine's own may lie from each: 0 is bit-equal."""

    values: "Array"
    band: "Array"


def generators() -> list[dict[str, Any]]:
    """The generators: name, title, draws (the calls that it has), exact, band, unknown, confirmed (by what)."""
    return load(text_of(_cvaa.vaa_rng_generators()))


class Rng:
    """The generator of an engine, with a seed (-2^63 to 2^64 - 1) or a saved state: vaa.Rng("torch_cpu", 42).uniform(8) is torch.rand(8) after torch.manual_seed(42).

    sm_count, threads_per_sm: the device of torch_cuda, needed for more than 32,768 numbers at once. torch: its version, such as "2.6". triton: "new" or "old". variant: a form of the noise.
    A call that the generator does not have raises vaa.Error, which names those that do; vaa.generators() says what is exact. A second thread that calls waits for the first.
    """

    def __init__(self, generator: str, seed: Union[int, str, None] = None, *, state: Any = None, sm_count: Optional[int] = None, threads_per_sm: Optional[int] = None,
                 torch: Optional[str] = None, triton: Optional[str] = None, variant: Optional[str] = None, **options: Any) -> None:
        if state is not None:
            options["state"] = base64.b64encode(bytes(memoryview(state))).decode()
        if seed is not None:
            options["seed"] = seed if isinstance(seed, str) else seed.__index__()
        options.update(generator=generator, sm_count=sm_count, threads_per_sm=threads_per_sm, torch=torch, triton=triton, variant=variant)
        self._handle = _cvaa.vaa_rng_new(option_json(options))
        self._lock = threading.Lock()

    def raw(self, n: int, bits: int = 32) -> "Array":
        """The next n words of 32 or 64 bits, unsigned."""
        if bits not in (32, 64):
            raise ValueError(f"bits: is {bits}, must be 32 or 64")
        return self._filled(n, f"uint{bits}", lambda out: (_cvaa.vaa_rng_raw_u32 if bits == 32 else _cvaa.vaa_rng_raw_u64)(self._handle, out.view(f"int{bits}")))

    def uniform(self, n: int, dtype: str = "float32") -> "Array":
        """As torch.rand(n, dtype=…): [0, 1). dtype is float32, float64, float16 or bfloat16; numbers of the last two come as float32."""
        if dtype == "float64":
            return self._filled(n, dtype, lambda out: _cvaa.vaa_rng_uniform_f64(self._handle, out))
        width = _width(dtype)
        return self._filled(n, "float32", lambda out: _cvaa.vaa_rng_uniform_f32(self._handle, width, out))

    def exponential(self, n: int, dtype: str = "float32") -> Noise:
        """As torch.empty(n, dtype=…).exponential_()."""
        import numpy

        if dtype == "float64":
            band = numpy.empty(_count(n))
            return Noise(self._filled(n, dtype, lambda out: _cvaa.vaa_rng_exponential_f64(self._handle, out, band)), band)
        width, band = _width(dtype), numpy.empty(_count(n), dtype="float32")
        return Noise(self._filled(n, "float32", lambda out: _cvaa.vaa_rng_exponential_f32(self._handle, width, out, band)), band)

    def normal(self, n: int, dtype: str = "float32") -> "Array":
        """As torch.randn(n, dtype=…)."""
        if dtype not in ("float32", "float64"):
            raise ValueError(f"dtype: is {dtype!r}, must be float32 or float64")
        call = _cvaa.vaa_rng_normal_f32 if dtype == "float32" else _cvaa.vaa_rng_normal_f64
        return self._filled(n, dtype, lambda out: call(self._handle, out))

    def randint(self, low: int, high: int, n: int) -> "Array":
        """As torch.randint(low, high, (n,))."""
        return self._filled(n, "int64", lambda out: _cvaa.vaa_rng_randint(self._handle, low, high, out))

    def multinomial(self, probs: "Array", samples: int = 1, replacement: bool = False) -> "Array":
        """As torch.multinomial(probs, samples, replacement): float32 or float64 weights, one row or several."""
        import numpy

        rows = numpy.asarray(probs)
        if rows.dtype not in (numpy.float32, numpy.float64) or rows.ndim not in (1, 2):
            raise TypeError(f"probs: is {rows.ndim}-D of {rows.dtype}, must be 1-D or 2-D of float32 or float64")
        table = numpy.ascontiguousarray(rows.reshape(-1, rows.shape[-1]))
        call = _cvaa.vaa_rng_multinomial_f32 if rows.dtype == numpy.float32 else _cvaa.vaa_rng_multinomial_f64
        flat = self._filled(len(table) * _count(samples), "int64", lambda out: call(self._handle, table, int(bool(replacement)), out))
        return flat.reshape((*rows.shape[:-1], samples))

    def skip(self, units: int) -> None:
        """Moves on by words, or by units of the offset (rounded up to fours) where there is one."""
        with self._lock:
            _cvaa.vaa_rng_skip(self._handle, units)

    def save(self) -> bytes:
        """The state: of torch_cpu the bytes of torch.Generator.get_state(), of torch_cuda those of a CUDA one."""
        with self._lock:
            return bytes(memoryview(_cvaa.vaa_rng_save(self._handle)))

    def load(self, state: Any) -> None:
        """A state back: bytes, or an array of uint8."""
        with self._lock:
            _cvaa.vaa_rng_load(self._handle, bytes(memoryview(state)))

    def raw_at(self, position: int, columns: "Ids") -> "Array":
        """The bits of each column at a position."""
        return self._filled(len(columns), "uint64", lambda out: _cvaa.vaa_rng_raw_at(self._handle, position, columns, out.view("int64")))

    def uniform_at(self, position: int, columns: "Ids") -> "Array":
        """The uniform of each column at a position."""
        return self._filled(len(columns), "float64", lambda out: _cvaa.vaa_rng_uniform_at(self._handle, position, columns, out))

    def gumbel_at(self, position: int, columns: "Ids") -> Noise:
        """The Gumbel noise of each column (a token's id unless the generator's title says otherwise) at a position."""
        import numpy

        band = numpy.empty(len(columns))
        return Noise(self._filled(len(columns), "float64", lambda out: _cvaa.vaa_rng_gumbel_at(self._handle, position, columns, out, band)), band)

    def gumbel_of(self, uniforms: Any) -> Noise:
        """The Gumbel noise that the generator's form makes of uniforms, of 0 and 1 too, which it may never draw."""
        import numpy

        values = numpy.ascontiguousarray(uniforms, dtype="float64").reshape(-1)
        band = numpy.empty(len(values))
        return Noise(self._filled(len(values), "float64", lambda out: _cvaa.vaa_rng_gumbel_of(self._handle, values, out, band)), band)

    def gumbel_row(self, position: int, vocabulary: int) -> Noise:
        """The Gumbel noise of columns 0 to vocabulary - 1: argmax(logits / T + noise) is the engine's token."""
        import numpy

        band = numpy.empty(_count(vocabulary))
        return Noise(self._filled(vocabulary, "float64", lambda out: _cvaa.vaa_rng_gumbel_row(self._handle, position, out, band)), band)

    def give(self, position: int, noise: Any) -> None:
        """Hands a captured generator the noise of a position."""
        with self._lock:
            _cvaa.vaa_rng_give(self._handle, position, noise)

    def _filled(self, n: int, dtype: str, fill: Any) -> "Array":
        import numpy

        out = numpy.empty(_count(n), dtype=dtype)
        with self._lock:
            fill(out)
        return out


def _count(n: int) -> int:
    if not 0 <= n <= 2**32:
        raise ValueError(f"n: is {n}, must be in [0, 2^32]")
    return n


def _width(dtype: str) -> int:
    if dtype not in _WIDTHS:
        raise ValueError(f"dtype: is {dtype!r}, must be one of float32, float64, float16, bfloat16")
    return _WIDTHS[dtype]
