package vaa

import (
	"encoding/json"
	"sync"

	"github.com/vaa-eval/vaa-go/internal/cvaa"
)

// Tally is a run in the making: push samples, get their findings, ask for the report. It belongs to one goroutine at a time.
type Tally struct{ handle *handle }

// Tally begins a run. opts may be nil.
func (c *Checker) Tally(opts *TallyOptions) (*Tally, error) {
	if opts == nil {
		opts = &TallyOptions{}
	}
	words, err := options(opts)
	if err != nil {
		return nil, err
	}
	checker := c.handle
	held := checker.hold()
	var out, slot uintptr
	status := cvaa.VaaTallyNew(held, cvaa.OfString(words), &out, &slot)
	if err := take(status, slot); err != nil {
		checker.release(held)
		return nil, err
	}
	return &Tally{newHandle(out, func(pointer uintptr) {
		cvaa.VaaTallyFree(pointer)
		checker.release(held)
	})}, nil
}

// Close frees the tally.
func (t *Tally) Close() error { t.handle.close(); return nil }

// Pushed is what was found on a pushed sample: numbers only, -1 (Measure and Threshold: NaN) where one does not apply. Tally.Result has the words.
type Pushed struct {
	Findings []RawFinding
	Unknown  uint64 // bit i: flag i of Flags could not be tested
}

// RawFinding is vaa_finding. Flag is an index into Flags; severity: 1 info, 2 warn, 3 fail; confidence: 1 suspected, 2 certain; part: 0 text, 1 reasoning, 2 sample.
type RawFinding struct {
	Flag, Severity, Confidence, Part       int32
	OnsetByte, LengthBytes                 int64
	OnsetChar, LengthChars                 int64
	OnsetToken, LengthTokens               int64
	PeriodBytes, PeriodChars, PeriodTokens int64
	Count                                  int64
	Measure, Threshold                     float64
}

// Push judges a sample and counts it. Linear in the sample.
func (t *Tally) Push(sample *Sample) (Pushed, error) {
	p, s := t.handle.hold(), sample.handle.hold()
	defer t.handle.release(p)
	defer sample.handle.release(s)
	var found cvaa.Findings
	var slot uintptr
	status := cvaa.VaaTallyPush(p, s, &found, &slot)
	if status != 0 {
		return Pushed{}, take(status, slot)
	}
	pushed := Pushed{Unknown: cvaa.Unknown(found)}
	for _, f := range cvaa.AllOf(found) {
		pushed.Findings = append(pushed.Findings, RawFinding(f))
	}
	return pushed, nil
}

// Result is the last push in words, with excerpts; sample is what was pushed.
func (t *Tally) Result(sample *Sample) (*Result, error) {
	p, s := t.handle.hold(), sample.handle.hold()
	defer t.handle.release(p)
	defer sample.handle.release(s)
	var out, slot uintptr
	status := cvaa.VaaTallyLine(p, s, &out, &slot)
	if err := take(status, slot); err != nil {
		return nil, err
	}
	result := new(Result)
	if err := json.Unmarshal([]byte(text(out)), result); err != nil {
		return nil, &Error{Status: ErrorInternal, Message: err.Error()}
	}
	return result, nil
}

// Report is the report on all samples so far.
func (t *Tally) Report() (*Report, error) {
	p := t.handle.hold()
	defer t.handle.release(p)
	var out, slot uintptr
	status := cvaa.VaaTallyReport(p, &out, &slot)
	if err := take(status, slot); err != nil {
		return nil, err
	}
	return &Report{newHandle(out, cvaa.VaaReportFree)}, nil
}

// CheckSample is what is found on one sample.
func (c *Checker) CheckSample(sample *Sample) (*Result, error) {
	none := 0
	tally, err := c.Tally(&TallyOptions{MaxRows: &none})
	if err != nil {
		return nil, err
	}
	defer tally.Close()
	if _, err := tally.Push(sample); err != nil {
		return nil, err
	}
	return tally.Result(sample)
}

// TextOptions is what is known beside the text; nil is not recorded.
type TextOptions struct {
	Prompt, Reasoning, FinishReason *string
	TokenIDs                        []int32   // of the output
	Logprobs                        []float64 // of each of them, in nats; NaN where one is not known
	Checker                         *Checker  // nil: all detectors, no vocabulary
}

var allDetectors = sync.OnceValues(func() (*Checker, error) { return NewChecker(nil) })

// CheckText tells whether an answer is broken. opts may be nil. For an answer whose text is not recorded (which is not the same as "") use Checker.CheckSample.
func CheckText(text string, opts *TextOptions) (*Result, error) {
	if opts == nil {
		opts = &TextOptions{}
	}
	checker := opts.Checker
	if checker == nil {
		var err error
		if checker, err = allDetectors(); err != nil {
			return nil, err
		}
	}
	sample, err := NewSample()
	if err != nil {
		return nil, err
	}
	defer sample.Close()
	if err := sample.SetText(FieldOutputText, text); err != nil {
		return nil, err
	}
	for field, value := range map[Field]*string{FieldPromptText: opts.Prompt, FieldOutputReasoning: opts.Reasoning, FieldFinishReason: opts.FinishReason} {
		if value != nil {
			if err := sample.SetText(field, *value); err != nil {
				return nil, err
			}
		}
	}
	if opts.TokenIDs != nil {
		if err := sample.SetIDs(FieldOutputTokenIDs, opts.TokenIDs); err != nil {
			return nil, err
		}
	}
	if opts.Logprobs != nil {
		if err := sample.SetFloats(FieldOutputLogprobs, opts.Logprobs); err != nil {
			return nil, err
		}
	}
	return checker.CheckSample(sample)
}
