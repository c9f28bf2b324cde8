"""What a user of the installed wheel does: no compiler, no network, nothing of the source tree."""

import json
import subprocess
import sys

import numpy

import vaa

assert "site-packages" in vaa.__file__, vaa.__file__
assert vaa.check_text("").flags == {"empty"} and "empty" in vaa.check_text(None).unknown
loop = vaa.check_text(None, token_ids=numpy.full(400, 7), finish_reason="length")
assert "repetition_loop" in loop.flags, loop
tally = vaa.Checker().tally()
for i in range(3):
    tally.push(vaa.Sample(text="so " * 400, id=str(i), token_ids=numpy.arange(9, dtype="int32")))
report = tally.report()
document = report.to_dict()
assert report.number("/counts/samples") == 3
assert vaa.Sample(token_ids=[1, 2])["output.token_ids"].dtype == numpy.int32
done = subprocess.run([sys.executable, "-m", "vaa", "formats", "--format", "json"], capture_output=True, text=True, check=True)
assert len(json.loads(done.stdout)) > 5
try:
    vaa.check("/no/such/run")
except vaa.Error as error:
    assert error.status == 3
else:
    raise AssertionError("no error")
assert "vaa._capture" not in sys.modules  # nobody loads libcurl who asks nothing
try:
    vaa.Asker("http://127.0.0.1:9", retries=0).servers()
except vaa.Error as error:
    assert error.name == "VAA_ERROR_IO" and "127.0.0.1:9" in error.message, error
else:
    raise AssertionError("no error")
print("consumer: good, numpy", numpy.__version__)
