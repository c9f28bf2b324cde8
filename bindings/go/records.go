package vaa

import (
	"encoding/json"
	"errors"

	"github.com/vaa-eval/vaa-go/internal/cvaa"
)

// RecordsOptions are the options of OpenRecords; the zero value finds everything by content.
type RecordsOptions struct {
	Format            string `json:"format,omitempty"`     // a name of Formats
	TextField         string `json:"text_field,omitempty"` // paths such as choices.0.text, for JSONL of no known format
	IDField           string `json:"id_field,omitempty"`
	PromptField       string `json:"prompt_field,omitempty"`
	FinishReasonField string `json:"finish_reason_field,omitempty"`
	GoldField         string `json:"gold_field,omitempty"`
	MaxLine           int64  `json:"max_line,omitempty"` // bytes; 0: 256 MB
}

// Records is an input: a file, or a run folder read as a whole. It has no position and is shared by goroutines.
type Records struct{ handle *handle }

// OpenRecords opens a file or folder. opts may be nil.
func OpenRecords(path string, opts *RecordsOptions) (*Records, error) {
	if opts == nil {
		opts = &RecordsOptions{}
	}
	words, err := options(opts)
	if err != nil {
		return nil, err
	}
	var out, slot uintptr
	status := cvaa.VaaRecordsOpen(cvaa.OfString(path), cvaa.OfString(words), &out, &slot)
	if err := take(status, slot); err != nil {
		return nil, err
	}
	return &Records{newHandle(out, cvaa.VaaRecordsFree)}, nil
}

// Close frees the records when no cursor reads from them any more.
func (r *Records) Close() error { r.handle.close(); return nil }

// Format is the name of the format that was found.
func (r *Records) Format() string {
	p := r.handle.hold()
	defer r.handle.release(p)
	return cvaa.Text(cvaa.VaaRecordsFormat(p))
}

// Run is the run header (vaa.run/1, JSON).
func (r *Records) Run() string {
	p := r.handle.hold()
	defer r.handle.release(p)
	return cvaa.Text(cvaa.VaaRecordsRun(p))
}

// Cursor is one pass over records, in input order.
type Cursor struct{ handle *handle }

// Cursor begins a pass.
func (r *Records) Cursor() (*Cursor, error) {
	held := r.handle.hold()
	var out, slot uintptr
	status := cvaa.VaaCursorNew(held, &out, &slot)
	if err := take(status, slot); err != nil {
		r.handle.release(held)
		return nil, err
	}
	records := r.handle
	return &Cursor{handle: newHandle(out, func(pointer uintptr) {
		cvaa.VaaCursorFree(pointer)
		records.release(held)
	})}, nil
}

// Close frees the cursor.
func (c *Cursor) Close() error { c.handle.close(); return nil }

// Next fills the sample with the next one; false at the end, where the sample is left cleared.
func (c *Cursor) Next(sample *Sample) (bool, error) {
	p, s := c.handle.hold(), sample.handle.hold()
	defer c.handle.release(p)
	defer sample.handle.release(s)
	var more int32
	var slot uintptr
	status := cvaa.VaaCursorNext(p, s, &more, &slot)
	return more != 0, take(status, slot)
}

// Problem is a line that could not be read.
type Problem struct {
	File    string `json:"file"`
	Line    int64  `json:"line"`
	Message string `json:"message"`
}

// Problems is how many lines could not be read so far, and the first 100 of them.
func (c *Cursor) Problems() (count int64, first []Problem, err error) {
	p := c.handle.hold()
	defer c.handle.release(p)
	var out, slot uintptr
	status := cvaa.VaaCursorProblems(p, &out, &slot)
	if err := take(status, slot); err != nil {
		return 0, nil, err
	}
	var found struct {
		Count int64     `json:"count"`
		Lines []Problem `json:"lines"`
	}
	err = json.Unmarshal([]byte(text(out)), &found)
	return found.Count, found.Lines, err
}

// Each calls visit with every sample in input order until it returns an error, which Each returns; ErrStop ends the pass without one. The sample is used again.
func (r *Records) Each(visit func(*Sample) error) error {
	cursor, err := r.Cursor()
	if err != nil {
		return err
	}
	defer cursor.Close()
	sample, err := NewSample()
	if err != nil {
		return err
	}
	defer sample.Close()
	for {
		more, err := cursor.Next(sample)
		if err != nil || !more {
			return err
		}
		if err := visit(sample); err != nil {
			if errors.Is(err, ErrStop) {
				return nil
			}
			return err
		}
	}
}

// ErrStop ends Records.Each.
var ErrStop = errors.New("vaa: stop")
