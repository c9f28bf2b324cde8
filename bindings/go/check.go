package vaa

import (
	"context"
	"encoding/json"
	"time"

	"github.com/vaa-eval/vaa-go/internal/cvaa"
)

// CheckerOptions are the options of NewChecker.
type CheckerOptions struct {
	Flags      []string `json:"flags,omitempty"`       // nil: all
	MaxExcerpt *int     `json:"max_excerpt,omitempty"` // bytes of an excerpt, 0 to 4096; nil: 120
	Vocab      *Vocab   `json:"-"`                     // may be nil
}

// TallyOptions are what a run is judged by.
type TallyOptions struct {
	Baseline string   `json:"baseline,omitempty"` // "k/n": a known number of broken answers and of all
	Expect   string   `json:"expect,omitempty"`   // "metric=71.5[/n[xk]]": a published score
	FailOn   []string `json:"fail_on,omitempty"`  // "flag[:rate]" or "any"
	Require  []string `json:"require,omitempty"`  // flags that must have been testable
	MaxRows  *int     `json:"max_rows,omitempty"` // samples kept for Report.Samples; nil: 10000
	Text     *bool    `json:"text,omitempty"`     // false leaves every text out
}

// RunOptions are those of a check over files.
type RunOptions struct {
	TallyOptions
	Threads      int    `json:"threads,omitempty"`       // 0: 1
	SamplesPath  string `json:"samples_path,omitempty"`  // a file for one JSON line a sample
	ExportPath   string `json:"export_path,omitempty"`   // a file for the requests of samples with ExportFlag
	ExportFlag   string `json:"export_flag,omitempty"`   // a flag, or any
	BaselinePath string `json:"baseline_path,omitempty"` // a run to compare with
	// Progress is called now and then, from another goroutine, with bytes done and in all (0: not known) and samples.
	Progress func(done, total, samples int64) `json:"-"`
}

// CheckOptions are the options of Check.
type CheckOptions struct {
	Records RecordsOptions
	Checker CheckerOptions
	Run     RunOptions
}

// Check reads a file or run folder and judges it. opts may be nil. A context that is done ends it within 100 ms with the context's error; no partial file is left.
func Check(ctx context.Context, path string, opts *CheckOptions) (*Report, error) {
	if opts == nil {
		opts = &CheckOptions{}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	records, err := OpenRecords(path, &opts.Records)
	if err != nil {
		return nil, err
	}
	defer records.Close()
	checker, err := NewChecker(&opts.Checker)
	if err != nil {
		return nil, err
	}
	defer checker.Close()
	return checker.Check(ctx, records, &opts.Run)
}

// Checker holds the configured detectors. Shared by goroutines.
type Checker struct{ handle *handle }

// NewChecker makes a checker. opts may be nil.
func NewChecker(opts *CheckerOptions) (*Checker, error) {
	if opts == nil {
		opts = &CheckerOptions{}
	}
	h, err := withVocab(opts, opts.Vocab, cvaa.VaaCheckerNew, cvaa.VaaCheckerFree)
	if err != nil {
		return nil, err
	}
	return &Checker{h}, nil
}

// Close frees the checker when no tally borrows it any more.
func (c *Checker) Close() error { c.handle.close(); return nil }

// Check judges all samples of an input. opts may be nil.
func (c *Checker) Check(ctx context.Context, records *Records, opts *RunOptions) (*Report, error) {
	if opts == nil {
		opts = &RunOptions{}
	}
	words, err := options(opts)
	if err != nil {
		return nil, err
	}
	p, r := c.handle.hold(), records.handle.hold()
	defer c.handle.release(p)
	defer records.handle.release(r)
	var out uintptr
	err = underTask(ctx, opts.Progress, func(task uintptr, slot *uintptr) int32 {
		return cvaa.VaaCheckRecords(p, r, cvaa.OfString(words), task, &out, slot)
	})
	if err != nil {
		return nil, err
	}
	return &Report{newHandle(out, cvaa.VaaReportFree)}, nil
}

// underTask makes a call that a context can end and that tells of its progress; its error is the context's where that ended it.
func underTask(ctx context.Context, progress func(done, total, samples int64), call func(task uintptr, slot *uintptr) int32) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	var task, slot uintptr
	if err := take(cvaa.VaaTaskNew(&task, &slot), slot); err != nil {
		return err
	}
	defer cvaa.VaaTaskFree(task)
	stop := watch(ctx, task, progress)
	status := call(task, &slot)
	stop()
	err := take(status, slot)
	if err != nil && Status(status) == ErrorCancelled && ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// watch cancels the task when the context is done and tells of progress, until the function that it returns has returned.
func watch(ctx context.Context, task uintptr, progress func(done, total, samples int64)) (stop func()) {
	if ctx.Done() == nil && progress == nil {
		return func() {}
	}
	finished, left := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(left)
		var tick <-chan time.Time
		if progress != nil {
			ticker := time.NewTicker(100 * time.Millisecond)
			defer ticker.Stop()
			tick = ticker.C
		}
		done := ctx.Done()
		for {
			select {
			case <-done:
				cvaa.VaaTaskCancel(task)
				done = nil
			case <-tick:
				progress(cvaa.VaaTaskDone(task), cvaa.VaaTaskTotal(task), cvaa.VaaTaskSamples(task))
			case <-finished:
				return
			}
		}
	}()
	return func() {
		close(finished)
		<-left
	}
}

// Explanation is what stands behind a flag or a check of a whole run, in one language.
type Explanation struct {
	Name        string  `json:"name"`
	Kind        string  `json:"kind"`     // "flag", "run"
	Severity    string  `json:"severity"` // the highest it gives; "" of a check of a run
	Ceiling     float64 `json:"ceiling"`  // the rate that healthy engines reach
	Title       string  `json:"title"`
	Summary     string  `json:"summary"`
	Rule        string  `json:"rule"`        // what is tested
	Calibration string  `json:"calibration"` // what it was measured on
	Traps       string  `json:"traps"`
	Causes      string  `json:"causes"` // seen in engines
	Next        string  `json:"next"`   // the run to make
}

// Explain tells what stands behind a flag; lang is "en" or "zh". An unknown name is ErrorNotFound and names the nearest.
func Explain(name, lang string) (*Explanation, error) {
	if name == "" {
		return nil, &Error{Status: ErrorNotFound, Message: "name: is empty"}
	}
	var told Explanation
	if err := explain(name, lang, &told); err != nil {
		return nil, err
	}
	return &told, nil
}

// Explanations tells of all flags and checks of a run; lang is "en" or "zh".
func Explanations(lang string) ([]Explanation, error) {
	var told []Explanation
	err := explain("", lang, &told)
	return told, err
}

func explain(name, lang string, into any) error {
	words, err := options(map[string]string{"lang": lang})
	if err != nil {
		return err
	}
	var out, slot uintptr
	status := cvaa.VaaExplain(cvaa.OfString(name), cvaa.OfString(words), &out, &slot)
	if err := take(status, slot); err != nil {
		return err
	}
	return json.Unmarshal([]byte(text(out)), into)
}
