package vaa

import (
	"math"
	"strconv"

	"github.com/vaa-eval/vaa-go/internal/cvaa"
)

// ReplayOptions are what a run was sampled with; zero values are the engine's defaults. Engine is the name of its sampler, or rules as JSON (docs/sampler.md).
type ReplayOptions struct {
	Engine            string   `json:"-"`
	Temperature       *float64 `json:"temperature,omitempty"`
	TopK              int      `json:"top_k,omitempty"`
	TopP              float64  `json:"top_p,omitempty"`
	MinP              float64  `json:"min_p,omitempty"`
	TypicalP          float64  `json:"typical_p,omitempty"`
	RepetitionPenalty float64  `json:"repetition_penalty,omitempty"`
	FrequencyPenalty  float64  `json:"frequency_penalty,omitempty"`
	PresencePenalty   float64  `json:"presence_penalty,omitempty"`
	PenaltyLastN      *int     `json:"penalty_last_n,omitempty"`
	Generator         string   `json:"generator,omitempty"` // "": rows bring their noise, or it is not known
	Seed              string   `json:"seed,omitempty"`      // decimal or 0x…, exact
	SMCount           int      `json:"sm_count,omitempty"`
	ThreadsPerSM      int      `json:"threads_per_sm,omitempty"`
	Torch             string   `json:"torch,omitempty"`
	Triton            string   `json:"triton,omitempty"`
	Variant           string   `json:"variant,omitempty"`
	NoiseType         string   `json:"noise_type,omitempty"` // float32 (""), float64
	NoisePosition     int64    `json:"noise_position,omitempty"`
	Precision         string   `json:"precision,omitempty"`        // fp32 (""), exact, fp16, bf16
	LogitsPrecision   string   `json:"logits_precision,omitempty"` // exact ("": these logits are the engine's own), fp32, fp16, bf16
	Tolerance         float64  `json:"tolerance,omitempty"`
	Clip              float64  `json:"clip,omitempty"`         // 0: 0.5
	MaxDeparted       float64  `json:"max_departed,omitempty"` // 0: 0.005
	MaxIllegal        float64  `json:"max_illegal,omitempty"`  // 0: 0.0005
	MaxRows           *int     `json:"max_rows,omitempty"`
	Vocabulary        int      `json:"vocabulary,omitempty"` // for PushTop
}

// RowState is what became of a row.
type RowState int

const (
	RowSame RowState = iota
	RowWithin
	RowDeparted
	RowUnknown
)

// ReplayedRow is one row of a replay. Token is -1 where it is not known; Rank 0: the engine's token was taken away; Margin is infinite for such a one and NaN where it is not known.
type ReplayedRow struct {
	State              RowState
	Token              int32
	Rank               int64
	Margin, Band, DiFR float64
	Position           int64
}

// Replay samples a run again, teacher-forced. It belongs to one goroutine at a time.
type Replay struct{ handle *handle }

// NewReplay begins one.
func NewReplay(opts ReplayOptions) (*Replay, error) {
	words, err := options(opts)
	if err != nil {
		return nil, err
	}
	var engine, out, slot uintptr
	status := cvaa.VaaEngineNew(cvaa.OfString(opts.Engine), &engine, &slot)
	if err := take(status, slot); err != nil {
		return nil, err
	}
	defer cvaa.VaaEngineFree(engine)
	status = cvaa.VaaReplayNew(engine, cvaa.OfString(words), &out, &slot)
	if err := take(status, slot); err != nil {
		return nil, err
	}
	return &Replay{newHandle(out, cvaa.VaaReplayFree)}, nil
}

// Close frees the replay.
func (r *Replay) Close() error { r.handle.close(); return nil }

// Begin starts the next sequence; seed "" is that of the options.
func (r *Replay) Begin(seed string, prompt []int32) error {
	p := r.handle.hold()
	defer r.handle.release(p)
	var slot uintptr
	return take(cvaa.VaaReplayBegin(p, cvaa.OfString(seed), cvaa.OfInt32s(prompt), &slot), slot)
}

// Push takes rows of logits, one behind the other, the engine's token of each, and their noise, or nil.
func (r *Replay) Push(logits []float32, vocabulary int, tokens []int32, noise []float64) ([]ReplayedRow, error) {
	rows := len(tokens)
	if vocabulary <= 0 || len(logits) != rows*vocabulary {
		return nil, &Error{Status: ErrorArgument, Message: "logits: has " + strconv.Itoa(len(logits)) + " numbers, must have " + strconv.Itoa(rows) + " rows of " + strconv.Itoa(vocabulary)}
	}
	given, err := noiseRows(noise, rows)
	if err != nil {
		return nil, err
	}
	p := r.handle.hold()
	defer r.handle.release(p)
	var slot uintptr
	out := make([]float64, rows*replayColumns)
	status := cvaa.VaaReplayPush(p, cvaa.OfFloat32Rows(logits, rows, vocabulary, vocabulary), cvaa.OfInt32s(tokens), given, cvaa.IntoFloat64Rows(out, rows, replayColumns, replayColumns), &slot)
	if err := take(status, slot); err != nil {
		return nil, err
	}
	return rowsOf(out), nil
}

// PushTop takes rows of which the likeliest ids and their raw logprobs are known: those of row i at [ends[i-1], ends[i]).
func (r *Replay) PushTop(ids []int32, logprobs []float64, ends []int64, tokens []int32, noise []float64) ([]ReplayedRow, error) {
	given, err := noiseRows(noise, len(tokens))
	if err != nil {
		return nil, err
	}
	p := r.handle.hold()
	defer r.handle.release(p)
	var slot uintptr
	rows := len(ends)
	out := make([]float64, rows*replayColumns)
	status := cvaa.VaaReplayPushTop(p, cvaa.OfInt32s(ids), cvaa.OfFloat64s(logprobs), cvaa.OfInt64s(ends), cvaa.OfInt32s(tokens), given, cvaa.IntoFloat64Rows(out, rows, replayColumns, replayColumns), &slot)
	if err := take(status, slot); err != nil {
		return nil, err
	}
	return rowsOf(out), nil
}

// Report is what the rows say so far.
func (r *Replay) Report() (*Report, error) {
	p := r.handle.hold()
	defer r.handle.release(p)
	var out, slot uintptr
	status := cvaa.VaaReplayReport(p, &out, &slot)
	if err := take(status, slot); err != nil {
		return nil, err
	}
	return &Report{newHandle(out, cvaa.VaaReportFree)}, nil
}

const replayColumns = 7 // VAA_REPLAY_COLUMNS

func noiseRows(noise []float64, rows int) (cvaa.F64Rows, error) {
	if len(noise) == 0 || rows == 0 {
		return cvaa.OfFloat64Rows(nil, 0, 0, 0), nil
	}
	if len(noise)%rows != 0 {
		return cvaa.F64Rows{}, &Error{Status: ErrorArgument, Message: "noise: has " + strconv.Itoa(len(noise)) + " numbers, no whole rows for " + strconv.Itoa(rows) + " tokens"}
	}
	return cvaa.OfFloat64Rows(noise, rows, len(noise)/rows, len(noise)/rows), nil
}

func rowsOf(numbers []float64) []ReplayedRow {
	rows := make([]ReplayedRow, len(numbers)/replayColumns)
	for i := range rows {
		n := numbers[i*replayColumns:]
		token := int32(-1)
		if !math.IsNaN(n[1]) {
			token = int32(n[1])
		}
		rows[i] = ReplayedRow{RowState(n[0]), token, int64(n[2]), n[3], n[4], n[5], int64(n[6])}
	}
	return rows
}
