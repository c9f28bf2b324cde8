"""What holds for any text, ids and options (hypothesis)."""

import json
import math

import numpy as np
from hypothesis import given, settings, strategies as st

import vaa

anything = st.text(st.characters(), max_size=300) | st.text("ab\0 \ud800\udfff\ufffd", max_size=300)
repeated = st.builds(lambda head, unit, times: head + unit * times, st.text(max_size=30), st.text(min_size=1, max_size=12), st.integers(1, 80))
ids = st.lists(st.integers(-(2**31), 2**31 - 1), max_size=200)


@settings(deadline=None, max_examples=200)
@given(anything | repeated)
def test_a_text_and_its_bytes_give_the_same(text):
    data = text.encode("utf-8", "surrogatepass")
    one, other = vaa.check_text(text), vaa.check_text(data)
    assert dict(one) == dict(other)
    assert one.output_bytes == len(data)
    for finding in one.findings:
        if finding.onset_byte is not None:
            assert 0 <= finding.onset_byte <= len(data) and finding.onset_byte + (finding.length_bytes or 0) <= len(data)
    assert not one.flags & one.unknown


@settings(deadline=None, max_examples=100)
@given(anything, ids)
def test_a_sample_keeps_what_it_is_given(text, numbers):
    sample = vaa.Sample(text=text, token_ids=numbers)
    assert sample["output.text"] == text and sample["output.token_ids"].tolist() == numbers
    again = vaa.Sample.from_json(sample.to_json())
    # In JSON a high and a low surrogate side by side are one character.
    joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    assert again["output.text"] == joined and again["output.token_ids"].tolist() == numbers
    assert vaa.Sample(token_ids=np.array(numbers, "int64"))["output.token_ids"].tolist() == numbers


@settings(deadline=None, max_examples=100)
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False, max_value=0), max_size=50))
def test_logprobs_go_through_a_record_bit_by_bit(numbers):
    sample = vaa.Sample(logprobs=numbers)
    assert sample["output.logprobs"].tolist() == numbers
    assert vaa.Sample.from_json(sample.to_json())["output.logprobs"].tolist() == numbers


@settings(deadline=None, max_examples=60)
@given(st.lists(repeated | anything, max_size=8))
def test_a_tally_counts_what_single_checks_find(texts):
    tally = vaa.Checker().tally()
    for text in texts:
        pushed = tally.push(vaa.Sample(text=text))
        alone = vaa.check_text(text)
        assert pushed.flags == alone.flags and pushed.unknown == alone.unknown and len(pushed.findings) >= len(alone.findings)
    report = tally.report()
    assert report.number("/counts/samples") == len(texts)
    assert [s.flags for s in report.samples] == [vaa.check_text(text).flags for text in texts]
    json.loads(report.to_json())


@settings(deadline=None, max_examples=100)
@given(st.dictionaries(st.text(max_size=8), st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.lists(st.text(max_size=4), max_size=2),
                       min_size=1, max_size=3))
def test_any_options_are_taken_or_refused(options):
    try:
        vaa.Checker(**options)
    except vaa.Error as error:
        assert error.name == "VAA_ERROR_OPTION" and error.message and "\n" not in error.message
    else:
        assert all(value is None or key in ("flags", "max_excerpt") or (isinstance(value, float) and math.isnan(value)) for key, value in options.items())
