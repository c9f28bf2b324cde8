"""Rules of CONVENTIONS that a program can see: layers over #include, file length, unique file names, who may see the public headers."""
import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1])
LIB = ROOT / "lib"

# A layer may include those that it reaches; `beside` of its own row are siblings it may use.
MAY = {
    "base": set(),
    "text": {"base"},
    "stats": {"base"},
    "arrays": {"base"},
    "engines": {"arrays", "stats", "text", "base"},
    "records": {"arrays", "stats", "text", "base"},
    "report": {"arrays", "stats", "text", "base"},
}
MIDDLE = ["quality", "tokens", "sampler", "reject", "align", "dump"]
for layer in MIDDLE:
    MAY[layer] = {"engines", "records", "report", "arrays", "stats", "text", "base"}
MAY["reject"] = MAY["reject"] | {"sampler"}
MAY["compare"] = MAY["quality"] | set(MIDDLE)
MAY["render"] = {"report", "arrays", "stats", "text", "base"}
MAY["capi"] = set(MAY) - {"capi"}
MAY["capture"] = {"base"}

# Files that are generated, or are one table.
LONG = {"unicode_tables.cpp"}
LIMIT = 400


# A type is told from its templates by its name alone: two of one name in one namespace make one std::vector of two layouts.
SCOPES = re.compile(r"namespace\s*([\w:]*)\s*\{|(?<!enum )(?<!<)\b(?:struct|class|enum class|enum)\s+(\w+)(?:\s*final)?(?:\s*:(?!:)[^;{(]*)?\s*\{|[{}]")


def types(text):
    """Full names of the types that a file defines outside of functions, types and unnamed namespaces."""
    scopes = []
    for found in SCOPES.finditer(re.sub(r"//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\])'", "", text)):
        if found.group() == "}":
            if scopes:
                scopes.pop()
            continue
        if found.group(2) and None not in scopes and "" not in scopes:
            yield "::".join([*scopes, found.group(2)])
        scopes.append(found.group(1) if found.group(1) is not None else None)


def main() -> int:
    faults = []
    names = collections.defaultdict(list)
    defined = collections.defaultdict(set)
    for path in sorted(p for p in LIB.rglob("*") if p.suffix in (".h", ".cpp")):
        relative = path.relative_to(LIB)
        layer = relative.parts[0]
        text = path.read_text(encoding="utf-8")
        lines = text.splitlines()
        names[path.name].append(str(relative))
        for name in types(text):
            defined[name].add(str(relative))
        if layer not in MAY:
            faults.append(f"lib/{relative}: {layer} is no layer")
            continue
        if len(lines) > LIMIT and path.name not in LONG:
            faults.append(f"lib/{relative}: {len(lines)} lines, at most {LIMIT}")
        for number, line in enumerate(lines, 1):
            found = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
            if not found:
                continue
            target = found.group(1)
            top = target.split("/")[0]
            if top == "vaa":
                if layer not in ("capi", "capture") and str(relative) not in ("base/views.h", "base/failure.h"):
                    faults.append(f"lib/{relative}:{number}: includes {target}; only capi, base/views.h and base/failure.h do")
            elif "/" not in target:
                faults.append(f"lib/{relative}:{number}: includes {target} without its layer")
            elif top != layer and top not in MAY[layer]:
                faults.append(f"lib/{relative}:{number}: {layer} includes {target}; it may use {', '.join(sorted(MAY[layer]))}")
    # A header of one noun stands in include/vaa, in lib and in capi under the same name, so those three count as one.
    for name, places in names.items():
        inner = [p for p in places if not p.startswith("capi/")]
        if len(inner) > 1:
            faults.append(f"{name} stands in {', '.join(inner)}: a file name is unique")
    for name, places in sorted(defined.items()):
        if len(places) > 1:
            faults.append(f"{name} is defined in {', '.join(sorted(places))}: the name of a type is unique in its namespace")
    for fault in faults:
        print(fault)
    print(f"{len(names)} files, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
