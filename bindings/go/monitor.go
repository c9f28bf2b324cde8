package vaa

import (
	"encoding/json"

	"github.com/vaa-eval/vaa-go/internal/cvaa"
)

// MonitorOptions are the options of NewMonitor. Lengths are in bytes for text and in tokens for ids; 0 is the default.
type MonitorOptions struct {
	MinCount     int    `json:"min_count,omitempty"`     // copies of a unit that are a loop: 10, where they have
	MinCover     int    `json:"min_cover,omitempty"`     // this length together: 600 bytes or 150 tokens
	LongCover    int    `json:"long_cover,omitempty"`    // length from which 4 copies are a loop: 4000 or 1000
	SymbolsCover int    `json:"symbols_cover,omitempty"` // length from which 100 copies of what is no words are a loop: 4096 or 1024
	MaxPeriod    int    `json:"max_period,omitempty"`    // the longest unit that is looked for: 16384
	Prompt       string `json:"prompt,omitempty"`        // a repetition that it asks for, or holds itself, is no loop
	Counters     bool   `json:"counters,omitempty"`      // also loops whose numbers change; text only
	Vocab        *Vocab `json:"-"`                       // may be nil; tells words from rules and numbers in ids
}

// MonitorState says what a stream is.
type MonitorState int32

const (
	MonitorNothing   MonitorState = 0
	MonitorSuspected MonitorState = 1 // the end repeats: a loop if the limit cut the answer now
	MonitorLoop      MonitorState = 2 // stop it; stays until Reset
)

// Monitor takes the token ids or the text of one answer in chunks and says after each whether it repeats itself for good. It belongs to one goroutine at a time.
type Monitor struct{ handle *handle }

// NewMonitor makes a monitor. opts may be nil.
func NewMonitor(opts *MonitorOptions) (*Monitor, error) {
	if opts == nil {
		opts = &MonitorOptions{}
	}
	h, err := withVocab(opts, opts.Vocab, cvaa.VaaMonitorNew, cvaa.VaaMonitorFree)
	if err != nil {
		return nil, err
	}
	return &Monitor{h}, nil
}

// Close frees the monitor.
func (m *Monitor) Close() error { m.handle.close(); return nil }

// PushIDs takes the next token ids. ErrorArgument where text came before.
func (m *Monitor) PushIDs(chunk []int32) (MonitorState, error) {
	p := m.handle.hold()
	defer m.handle.release(p)
	var state int32
	var slot uintptr
	status := cvaa.VaaMonitorPushIds(p, cvaa.OfInt32s(chunk), &state, &slot)
	return MonitorState(state), take(status, slot)
}

// PushText takes the next piece of text, cut anywhere. ErrorArgument where ids came before.
func (m *Monitor) PushText(chunk string) (MonitorState, error) {
	p := m.handle.hold()
	defer m.handle.release(p)
	var state int32
	var slot uintptr
	status := cvaa.VaaMonitorPushText(p, cvaa.OfString(chunk), &state, &slot)
	return MonitorState(state), take(status, slot)
}

// State is that after the last push.
func (m *Monitor) State() (MonitorState, error) { return m.PushText("") }

// Finding is the loop in numbers: onset, length so far, unit and copies, in tokens or in bytes and characters; nil where nothing is found.
func (m *Monitor) Finding() (*RawFinding, error) {
	p := m.handle.hold()
	defer m.handle.release(p)
	var found cvaa.Findings
	var slot uintptr
	status := cvaa.VaaMonitorFindings(p, &found, &slot)
	if err := take(status, slot); err != nil {
		return nil, err
	}
	for _, f := range cvaa.AllOf(found) {
		raw := RawFinding(f)
		return &raw, nil
	}
	return nil, nil
}

// MonitorReport is what a monitor knows, in words. Tokens or Bytes is nil where the other kind is pushed.
type MonitorReport struct {
	State         string
	Tokens, Bytes *int64
	Finding       *Finding // nil: nothing is found
}

// Report tells state, how much came, and the finding in words.
func (m *Monitor) Report() (*MonitorReport, error) {
	p := m.handle.hold()
	defer m.handle.release(p)
	var out, slot uintptr
	status := cvaa.VaaMonitorReport(p, &out, &slot)
	if err := take(status, slot); err != nil {
		return nil, err
	}
	report := new(MonitorReport)
	if err := json.Unmarshal([]byte(text(out)), report); err != nil {
		return nil, &Error{Status: ErrorInternal, Message: err.Error()}
	}
	return report, nil
}

// Reset makes it ready for another stream.
func (m *Monitor) Reset() {
	p := m.handle.hold()
	defer m.handle.release(p)
	cvaa.VaaMonitorReset(p)
}
