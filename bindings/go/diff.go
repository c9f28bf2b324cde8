package vaa

import (
	"sync"

	"github.com/vaa-eval/vaa-go/internal/cvaa"
)

// DiffOptions are the options of NewDiff; the zero value is the default.
type DiffOptions struct {
	Window int64  `json:"window,omitempty"` // ids that must agree for a re-convergence, default 32
	LCS    *bool  `json:"lcs,omitempty"`    // compute the longest common subsequence too, default true
	Vocab  *Vocab `json:"-"`                // with it SameBytes is known
}

// Divergence is how two token sequences differ. -1 does not apply or is not known (NaN for the ratios); indices count from 0.
type Divergence struct {
	ReferenceSize, TargetSize             int64
	FirstDivergence                       int64 // -1: they are the same
	Prefix, Suffix                        int64 // ids that agree at the beginning, and at the end behind the prefix
	Levenshtein                           int64 // -1: more than MoreThan
	LCS, Indel                            int64
	MoreThan                              int64
	ReconvergeReference, ReconvergeTarget int64 // the first place behind the divergence where Window ids agree
	PrefixRatio                           float64
	NormalizedLevenshtein                 float64
	NormalizedIndel                       float64
	LengthOnly                            bool  // the shorter side is the beginning of the longer one
	SameBytes                             *bool // other ids that stand for the same bytes; nil is not known
}

// Hunk says that reference[ReferenceAt:][:ReferenceSize] stands where target[TargetAt:][:TargetSize] does.
type Hunk struct{ ReferenceAt, ReferenceSize, TargetAt, TargetSize int64 }

// PromptDifference is why two prompts differ.
type PromptDifference struct {
	Which  string // "same", "bos_twice", "bos_missing", "generation_prompt", "cut_right", "cut_left", "other_segmentation", "block_inserted", "block_replaced", "other"
	Longer string // the side that has more there: "", "reference", "target"
	Hunk   Hunk   // the block that differs
}

// Diff compares pairs of token sequences and keeps its memory. It may be used by several goroutines; they take turns.
type Diff struct {
	mutex  sync.Mutex
	handle *handle
}

// NewDiff makes a Diff. opts may be nil.
func NewDiff(opts *DiffOptions) (*Diff, error) {
	if opts == nil {
		opts = &DiffOptions{}
	}
	h, err := withVocab(opts, opts.Vocab, cvaa.VaaDiffNew, cvaa.VaaDiffFree)
	if err != nil {
		return nil, err
	}
	return &Diff{handle: h}, nil
}

// Close frees the Diff.
func (d *Diff) Close() error { d.handle.close(); return nil }

// with calls C on the object, one goroutine at a time.
func (d *Diff) with(call func(p uintptr, slot *uintptr) int32) error {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	p := d.handle.hold()
	defer d.handle.release(p)
	var slot uintptr
	status := call(p, &slot)
	return take(status, slot)
}

// Run compares two sequences. maxDistance: edits up to which the distance is computed; -1: any.
func (d *Diff) Run(reference, target []int32, maxDistance int64) (*Divergence, error) {
	var record cvaa.Divergence
	err := d.with(func(p uintptr, slot *uintptr) int32 {
		return cvaa.VaaDiffRun(p, cvaa.OfInt32s(reference), cvaa.OfInt32s(target), maxDistance, &record, slot)
	})
	if err != nil {
		return nil, err
	}
	r := cvaa.OfDivergence(&record)
	out := &Divergence{r.ReferenceSize, r.TargetSize, r.FirstDivergence, r.Prefix, r.Suffix, r.Levenshtein, r.LCS, r.Indel, r.MoreThan, r.ReconvergeReference, r.ReconvergeTarget,
		r.PrefixRatio, r.NormalizedLevenshtein, r.NormalizedIndel, r.LengthOnly != 0, nil}
	if r.SameBytes >= 0 {
		same := r.SameBytes == 1
		out.SameBytes = &same
	}
	return out, nil
}

// Hunks gives a shortest script: between hunks the ids are the same, and the larger sides of all add up to the Levenshtein distance.
func (d *Diff) Hunks(reference, target []int32) ([]Hunk, error) {
	var hunks []Hunk
	err := d.with(func(p uintptr, slot *uintptr) int32 {
		var lent cvaa.I64s
		status := cvaa.VaaDiffHunks(p, cvaa.OfInt32s(reference), cvaa.OfInt32s(target), &lent, slot)
		if status == 0 {
			for n := cvaa.Int64s(lent); len(n) >= 4; n = n[4:] {
				hunks = append(hunks, Hunk{n[0], n[1], n[2], n[3]})
			}
		}
		return status
	})
	return hunks, err
}

// Prompt tells why two prompts differ. Prompts that differ end the comparison of a pair: what follows them says nothing of the engine.
func (d *Diff) Prompt(reference, target []int32) (*PromptDifference, error) {
	var record cvaa.PromptDifference
	err := d.with(func(p uintptr, slot *uintptr) int32 {
		return cvaa.VaaDiffPrompt(p, cvaa.OfInt32s(reference), cvaa.OfInt32s(target), &record, slot)
	})
	if err != nil {
		return nil, err
	}
	r := cvaa.OfPrompts(&record)
	return &PromptDifference{cvaa.Text(cvaa.VaaPromptClassName(r.Which)), [...]string{"", "reference", "target"}[r.Longer], Hunk{r.ReferenceAt, r.ReferenceSize, r.TargetAt, r.TargetSize}}, nil
}
