package vaa

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/vaa-eval/vaa-go/internal/cvaa"
)

// VariantsOptions are those of several runs against one reference.
type VariantsOptions struct {
	Reference string `json:"reference,omitempty"` // its name; "": reference
	Matrix    string `json:"matrix,omitempty"`    // which switches were on in which run: the text of a JSON, CSV or TSV file
	Again     bool   `json:"again,omitempty"`     // A/B/A: the change, the reference once more, the change against that
}

// Variants gathers reports of comparisons against one reference: which runs are worse when so many were looked at, and which switch goes with the fault. It belongs to one goroutine at a time.
type Variants struct{ handle *handle }

// NewVariants begins. opts may be nil.
func NewVariants(opts *VariantsOptions) (*Variants, error) {
	if opts == nil {
		opts = &VariantsOptions{}
	}
	words, err := options(opts)
	if err != nil {
		return nil, err
	}
	var out, slot uintptr
	if err := take(cvaa.VaaVariantsNew(cvaa.OfString(words), &out, &slot), slot); err != nil {
		return nil, err
	}
	return &Variants{newHandle(out, cvaa.VaaVariantsFree)}, nil
}

// Close frees it.
func (v *Variants) Close() error { v.handle.close(); return nil }

// Push takes the report of one run against the reference, under its name.
func (v *Variants) Push(name string, report *Report) error {
	p, r := v.handle.hold(), report.handle.hold()
	defer v.handle.release(p)
	defer report.handle.release(r)
	var slot uintptr
	return take(cvaa.VaaVariantsPush(p, cvaa.OfString(name), r, &slot), slot)
}

// Report is what they say together.
func (v *Variants) Report() (*Report, error) {
	p := v.handle.hold()
	defer v.handle.release(p)
	var out, slot uintptr
	if err := take(cvaa.VaaVariantsReport(p, &out, &slot), slot); err != nil {
		return nil, err
	}
	return &Report{newHandle(out, cvaa.VaaReportFree)}, nil
}

// CompareVariants holds each of runs against the reference, one row each. opts.Again takes two runs, the change and the reference once more. Both options may be nil.
func CompareVariants(ctx context.Context, reference string, runs []string, opts *VariantsOptions, compare *CompareOptions) (*Report, error) {
	given := VariantsOptions{}
	if opts != nil {
		given = *opts
	}
	if given.Reference == "" {
		given.Reference = reference
	}
	if given.Again && len(runs) != 2 {
		return nil, fmt.Errorf("again: takes two runs, the change and the reference once more; %d are given", len(runs))
	}
	variants, err := NewVariants(&given)
	if err != nil {
		return nil, err
	}
	defer variants.Close()
	push := func(name, reference, target string) error {
		report, err := Compare(ctx, reference, target, compare)
		if err != nil {
			return err
		}
		defer report.Close()
		return variants.Push(name, report)
	}
	for _, run := range runs {
		if err := push(run, reference, run); err != nil {
			return nil, err
		}
	}
	if given.Again {
		if err := push(runs[0]+" against "+runs[1], runs[1], runs[0]); err != nil {
			return nil, err
		}
	}
	return variants.Report()
}

// AskPlan says what was written to settle a comparison, and what to run next.
type AskPlan struct {
	Settles string // tokens, answers, nothing
	Lines   int64
	LeftOut int64 `json:"left_out"`
	Steps   []struct{ En, Zh, Command string }
	Missing struct{ En, Zh string }
}

// Asks writes the requests that would settle the comparison into a file that asks take; nothing is written where there is nothing to ask. The reference is read once more.
func (r *Report) Asks(ctx context.Context, reference *Records, path string) (*AskPlan, error) {
	p, from := r.handle.hold(), reference.handle.hold()
	defer r.handle.release(p)
	defer reference.handle.release(from)
	var out uintptr
	err := underTask(ctx, nil, func(task uintptr, slot *uintptr) int32 {
		return cvaa.VaaCompareAsks(p, from, cvaa.OfString(path), task, &out, slot)
	})
	if err != nil {
		return nil, err
	}
	plan := &AskPlan{}
	return plan, json.Unmarshal([]byte(text(out)), plan)
}
