package vaa

import (
	"context"

	"github.com/vaa-eval/vaa-go/internal/cvaa"
)

// ComparisonOptions are what two runs are judged by.
type ComparisonOptions struct {
	Change   string `json:"change,omitempty"`   // what was changed on purpose: none, schedule, parallel, version ("": this), hardware, quant, spec
	Primary  string `json:"primary,omitempty"`  // score, tokens, flags or law: what is tested alone; "": score where it is recorded
	Baseline string `json:"baseline,omitempty"` // "k/n": broken answers before a fix
	Text     *bool  `json:"text,omitempty"`     // false leaves every text out
	Noise    string `json:"noise,omitempty"`    // the text of a saved vaa.noise/1 profile: the reference against itself
	// Samples of second runs of the two are pushed too.
	ReferenceAgain bool `json:"reference_again,omitempty"`
	TargetAgain    bool `json:"target_again,omitempty"`
}

// CompareRunOptions are those of a comparison of files.
type CompareRunOptions struct {
	ComparisonOptions
	Threads int `json:"threads,omitempty"` // 0: 1
	// Progress is called now and then, from another goroutine, with bytes done and in all (0: not known) and samples.
	Progress func(done, total, samples int64) `json:"-"`
	// Second runs of the two, so that the engines' own noise is known. nil: none.
	AgainstItself, TargetAgainstItself *Records `json:"-"`
}

// CompareOptions are the options of Compare.
type CompareOptions struct {
	Records RecordsOptions // of both
	Checker CheckerOptions
	Run     CompareRunOptions
}

// Compare says whether the run at target is worse than the one at reference, the same, or whether it is noise. opts may be nil. A context that is done ends it within 100 ms with the context's
// error.
func Compare(ctx context.Context, reference, target string, opts *CompareOptions) (*Report, error) {
	if opts == nil {
		opts = &CompareOptions{}
	}
	old, err := OpenRecords(reference, &opts.Records)
	if err != nil {
		return nil, err
	}
	defer old.Close()
	fresh, err := OpenRecords(target, &opts.Records)
	if err != nil {
		return nil, err
	}
	defer fresh.Close()
	checker, err := NewChecker(&opts.Checker)
	if err != nil {
		return nil, err
	}
	defer checker.Close()
	return checker.Compare(ctx, old, fresh, &opts.Run)
}

// Compare compares two inputs. opts may be nil.
func (c *Checker) Compare(ctx context.Context, reference, target *Records, opts *CompareRunOptions) (*Report, error) {
	if opts == nil {
		opts = &CompareRunOptions{}
	}
	words, err := options(opts)
	if err != nil {
		return nil, err
	}
	p, a, b := c.handle.hold(), reference.handle.hold(), target.handle.hold()
	defer c.handle.release(p)
	defer reference.handle.release(a)
	defer target.handle.release(b)
	var out uintptr
	again := [2]uintptr{}
	for i, records := range []*Records{opts.AgainstItself, opts.TargetAgainstItself} {
		if records != nil {
			again[i] = records.handle.hold()
			defer records.handle.release(again[i])
		}
	}
	err = underTask(ctx, opts.Progress, func(task uintptr, slot *uintptr) int32 {
		return cvaa.VaaCompareRecords(p, a, b, again[0], again[1], cvaa.OfString(words), task, &out, slot)
	})
	if err != nil {
		return nil, err
	}
	return &Report{newHandle(out, cvaa.VaaReportFree)}, nil
}

// Comparison is two runs in the making: push samples of both, ask for the report. It belongs to one goroutine at a time.
type Comparison struct{ handle *handle }

// Comparison begins one. opts may be nil.
func (c *Checker) Comparison(opts *ComparisonOptions) (*Comparison, error) {
	if opts == nil {
		opts = &ComparisonOptions{}
	}
	words, err := options(opts)
	if err != nil {
		return nil, err
	}
	checker := c.handle
	held := checker.hold()
	var out, slot uintptr
	status := cvaa.VaaComparisonNew(held, cvaa.OfString(words), &out, &slot)
	if err := take(status, slot); err != nil {
		checker.release(held)
		return nil, err
	}
	return &Comparison{newHandle(out, func(pointer uintptr) {
		cvaa.VaaComparisonFree(pointer)
		checker.release(held)
	})}, nil
}

// Close frees the comparison.
func (c *Comparison) Close() error { c.handle.close(); return nil }

// PushReference takes a sample of the reference.
func (c *Comparison) PushReference(sample *Sample) error { return c.push(0, sample) }

// PushTarget takes a sample of the target.
func (c *Comparison) PushTarget(sample *Sample) error { return c.push(1, sample) }

// PushReferenceAgain takes a sample of the reference's second run.
func (c *Comparison) PushReferenceAgain(sample *Sample) error { return c.push(2, sample) }

// PushTargetAgain takes a sample of the target's second run.
func (c *Comparison) PushTargetAgain(sample *Sample) error { return c.push(3, sample) }

func (c *Comparison) push(side int32, sample *Sample) error {
	p, s := c.handle.hold(), sample.handle.hold()
	defer c.handle.release(p)
	defer sample.handle.release(s)
	var slot uintptr
	return take(cvaa.VaaComparisonPush(p, side, s, &slot), slot)
}

// Report is the verdict on what was pushed.
func (c *Comparison) Report() (*Report, error) {
	p := c.handle.hold()
	defer c.handle.release(p)
	var out, slot uintptr
	if err := take(cvaa.VaaComparisonReport(p, &out, &slot), slot); err != nil {
		return nil, err
	}
	return &Report{newHandle(out, cvaa.VaaReportFree)}, nil
}
