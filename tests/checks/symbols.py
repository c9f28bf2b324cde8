"""The symbols that a library exports are those of a list, all of the version node, and each is declared in a public header: symbols.py LIBRARY LIST HEADER…"""
import pathlib
import re
import subprocess
import sys

library, listed, headers = sys.argv[1], pathlib.Path(sys.argv[2]), [pathlib.Path(name) for name in sys.argv[3:]]
output = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
exported = {}
for line in output.splitlines():
    name, _, version = line.split()[-1].partition("@@")
    if not name.startswith("VAA_"):
        exported[name.split("@")[0]] = version
want = [line for line in listed.read_text().split() if line]
declared = set()
for header in headers:
    declared |= set(re.findall(r"VAA_API\s+[^;(]*?\b(vaa_\w+)\s*\(", header.read_text()))

faults = []
if want != sorted(want):
    faults.append(f"{listed.name} is not sorted")
faults += [f"{name}: exported, not in {listed.name}" for name in sorted(set(exported) - set(want))]
faults += [f"{name}: in {listed.name}, not exported" for name in sorted(set(want) - set(exported))]
faults += [f"{name}: exported, declared in no public header" for name in sorted(set(exported) - declared)]
faults += [f"{name}: declared, not exported" for name in sorted(declared - set(exported))]
faults += [f"{name}: version node is {version or 'none'}, not VAA_0.1" for name, version in exported.items() if version != "VAA_0.1"]
print("\n".join(faults) or f"{len(exported)} symbols")
sys.exit(1 if faults else 0)
