"""Calls that wait for a module: an engine imports its own in its own order, and a probe changes nothing of that."""
import importlib.abc
import importlib.util
import sys
from typing import Any, Callable, Dict


class AfterImport(importlib.abc.MetaPathFinder):
    """In sys.meta_path: `calls` of name and function, each called with the module once it is there; of those that are there already at once."""

    def __init__(self, calls: Dict[str, Callable[[Any], None]]) -> None:
        self._calls = {name: call for name, call in calls.items() if name not in sys.modules}
        for name, call in calls.items():
            if name in sys.modules:
                call(sys.modules[name])

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        call = self._calls.pop(name, None)
        spec = importlib.util.find_spec(name) if call else None  # by the finders behind this one
        if call is None or spec is None or spec.loader is None:
            return spec
        load = spec.loader.exec_module

        def load_and_call(module: Any) -> None:
            load(module)
            call(module)

        spec.loader.exec_module = load_and_call  # type: ignore[method-assign]
        return spec
