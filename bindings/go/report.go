package vaa

import (
	"encoding/json"
	"strings"

	"github.com/vaa-eval/vaa-go/internal/cvaa"
)

// Verdict is what a report concludes; also the exit code of the command.
type Verdict int32

const (
	Pass       Verdict = 0 // nothing above what healthy engines show
	Fail       Verdict = 1
	NotChecked Verdict = 2 // nothing could be judged
	Undecided  Verdict = 3 // more samples are needed; the report says how many
)

func (v Verdict) String() string {
	names := [...]string{"pass", "fail", "not_checked", "undecided"}
	if v < 0 || int(v) >= len(names) {
		return "unknown"
	}
	return names[v]
}

// Finding is one flag on one sample with its evidence; a nil number does not apply or is not known.
type Finding struct {
	Flag         string   `json:"flag"`
	Severity     string   `json:"severity"`   // fail, warn, info
	Confidence   string   `json:"confidence"` // certain, suspected
	Part         string   `json:"part"`       // text, reasoning, sample
	Reason       string   `json:"reason"`
	OnsetByte    *int64   `json:"onset_byte"`
	LengthBytes  *int64   `json:"length_bytes"`
	OnsetChar    *int64   `json:"onset_char"`
	LengthChars  *int64   `json:"length_chars"`
	OnsetToken   *int64   `json:"onset_token"`
	LengthTokens *int64   `json:"length_tokens"`
	PeriodBytes  *int64   `json:"period_bytes"`
	PeriodChars  *int64   `json:"period_chars"`
	PeriodTokens *int64   `json:"period_tokens"`
	Count        *int64   `json:"count"`
	Measure      *float64 `json:"measure"`   // the number that decided; docs/detectors.md says what it is for each flag
	Threshold    *float64 `json:"threshold"` // what the measure was held against
	Excerpt      string   `json:"excerpt"`
}

// Source is where a sample was read from; nil is not recorded.
type Source struct {
	Format *string `json:"format"`
	File   *string `json:"file"`
	Line   *int64  `json:"line"`
}

// Result is what was found on one sample.
type Result struct {
	ID            *string   `json:"id"`
	Repeat        int64     `json:"repeat"`
	Dataset       *string   `json:"dataset"`
	Flags         []string  `json:"flags"`    // of the findings of severity fail and warn
	Findings      []Finding `json:"findings"` // of every severity
	Unknown       []string  `json:"unknown"`  // flags that could not be tested for want of input
	RequestFailed bool      `json:"request_failed"`
	Correct       *bool     `json:"correct"`
	OutputBytes   *int64    `json:"output_bytes"`
	OutputChars   *int64    `json:"output_chars"`
	OutputTokens  *int64    `json:"output_tokens"`
	Source        Source    `json:"source"`
}

// Report is the verdict on a run and what it rests on. It never changes and is shared by goroutines.
type Report struct{ handle *handle }

// ReportFromJSON is the report whose document was written as JSON (Render, Write, the command).
func ReportFromJSON(document string) (*Report, error) {
	var out, slot uintptr
	status := cvaa.VaaReportFromJson(cvaa.OfString(document), &out, &slot)
	if err := take(status, slot); err != nil {
		return nil, err
	}
	return &Report{newHandle(out, cvaa.VaaReportFree)}, nil
}

// Close frees the report.
func (r *Report) Close() error { r.handle.close(); return nil }

// Verdict is what the report concludes; NotChecked for a closed report.
func (r *Report) Verdict() Verdict {
	p := r.handle.hold()
	defer r.handle.release(p)
	if p == 0 {
		return NotChecked
	}
	return Verdict(cvaa.VaaReportVerdict(p))
}

// RenderOptions are the options of Render and Write.
type RenderOptions struct {
	Format string `json:"format,omitempty"` // json (default), text, markdown
	Lang   string `json:"lang,omitempty"`   // en (default), zh
	Color  bool   `json:"color,omitempty"`  // text only
	Width  int    `json:"width,omitempty"`  // columns, text only; 0: 100
}

// Render is the report in words.
func (r *Report) Render(opts RenderOptions) (string, error) {
	words, err := options(opts)
	if err != nil {
		return "", err
	}
	p := r.handle.hold()
	defer r.handle.release(p)
	var out, slot uintptr
	status := cvaa.VaaReportRender(p, cvaa.OfString(words), &out, &slot)
	if err := take(status, slot); err != nil {
		return "", err
	}
	return text(out), nil
}

// JSON is the document (docs/report.schema.json).
func (r *Report) JSON() (string, error) { return r.Render(RenderOptions{}) }

// Markdown is the report in English.
func (r *Report) Markdown() (string, error) { return r.Render(RenderOptions{Format: "markdown"}) }

// Text is the report for a terminal, in English.
func (r *Report) Text() (string, error) { return r.Render(RenderOptions{Format: "text"}) }

// Write renders into a file, which then holds all of it, or what it held before.
func (r *Report) Write(path string, opts RenderOptions) error {
	words, err := options(opts)
	if err != nil {
		return err
	}
	p := r.handle.hold()
	defer r.handle.release(p)
	var slot uintptr
	status := cvaa.VaaReportWrite(p, cvaa.OfString(path), cvaa.OfString(words), &slot)
	return take(status, slot)
}

// Number is a number of the document by JSON pointer, such as "/counts/samples"; true and false are 1 and 0.
func (r *Report) Number(pointer string) (float64, error) {
	p := r.handle.hold()
	defer r.handle.release(p)
	var number float64
	var slot uintptr
	status := cvaa.VaaReportNumber(p, cvaa.OfString(pointer), &number, &slot)
	return number, take(status, slot)
}

// Column is a copy of a numeric column of a table; null is NaN.
func (r *Report) Column(table, column string) ([]float64, error) {
	p := r.handle.hold()
	defer r.handle.release(p)
	var view cvaa.F64s
	var slot uintptr
	status := cvaa.VaaReportColumn(p, cvaa.OfString(table), cvaa.OfString(column), &view, &slot)
	if err := take(status, slot); err != nil {
		return nil, err
	}
	return cvaa.Float64s(view), nil
}

// Samples has one result a sample, in input order, the first MaxRows of them.
func (r *Report) Samples() ([]Result, error) {
	p := r.handle.hold()
	lines := cvaa.Text(cvaa.VaaReportSamples(p))
	r.handle.release(p)
	results := []Result{}
	for _, line := range strings.Split(lines, "\n") {
		if line == "" {
			continue
		}
		var result Result
		if err := json.Unmarshal([]byte(line), &result); err != nil {
			return nil, &Error{Status: ErrorInternal, Message: err.Error()}
		}
		results = append(results, result)
	}
	return results, nil
}
