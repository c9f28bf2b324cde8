package vaa

import (
	"context"

	"github.com/vaa-eval/vaa-go/internal/cvaa"
)

// CalibrationOptions say what was asked of a sampler, whatever samples record; nil and "": as they record it.
type CalibrationOptions struct {
	Temperature       *float64 `json:"temperature,omitempty"`
	TopP              *float64 `json:"top_p,omitempty"`    // 1: off
	TopK              *int     `json:"top_k,omitempty"`    // 0: off
	MinP              *float64 `json:"min_p,omitempty"`    // 0: off
	Logprobs          string   `json:"logprobs,omitempty"` // auto (""), raw, processed
	Engine            string   `json:"engine,omitempty"`   // its sampler's profile, or rules as JSON
	VocabSize         int      `json:"vocab_size,omitempty"`
	BOS               *int     `json:"bos_id,omitempty"`
	TemperatureMargin float64  `json:"temperature_margin,omitempty"` // 0: a temperature may be 10 % off
	Seed              int64    `json:"seed,omitempty"`               // of the randomised PIT
	// Progress is called now and then, from another goroutine, with bytes done and in all (0: not known) and samples.
	Progress func(done, total, samples int64) `json:"-"`
	// Teacher-forced samples of the run's answers, from another engine. nil: the run's own lists count.
	Scored *Records `json:"-"`
}

// Calibrate says whether the sampler of the run at path draws what was asked, by chosen tokens and listed logprobs. opts may be nil. A context that is done ends it within 100 ms with the context's error.
func Calibrate(ctx context.Context, path string, opts *CalibrationOptions) (*Report, error) {
	records, err := OpenRecords(path, nil)
	if err != nil {
		return nil, err
	}
	defer records.Close()
	return records.Calibrate(ctx, opts)
}

// Calibrate is Calibrate of an input that is open. opts may be nil.
func (r *Records) Calibrate(ctx context.Context, opts *CalibrationOptions) (*Report, error) {
	if opts == nil {
		opts = &CalibrationOptions{}
	}
	words, err := options(opts)
	if err != nil {
		return nil, err
	}
	p := r.handle.hold()
	defer r.handle.release(p)
	var scored, out uintptr
	if opts.Scored != nil {
		scored = opts.Scored.handle.hold()
		defer opts.Scored.handle.release(scored)
	}
	err = underTask(ctx, opts.Progress, func(task uintptr, slot *uintptr) int32 {
		return cvaa.VaaCalibrateRecords(p, scored, cvaa.OfString(words), task, &out, slot)
	})
	if err != nil {
		return nil, err
	}
	return &Report{newHandle(out, cvaa.VaaReportFree)}, nil
}
