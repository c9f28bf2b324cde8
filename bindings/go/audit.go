package vaa

import (
	"context"

	"github.com/vaa-eval/vaa-go/internal/cvaa"
)

// AuditOptions are those of the audit of speculative decoding by counters. Zero values are the defaults.
type AuditOptions struct {
	Floor          float64 `json:"floor,omitempty"`            // a share of drafts with something accepted below it is none; 0: 0.01
	Margin         float64 `json:"margin,omitempty"`           // a fall of the acceptance rate up to it is none; 0: 0.05
	TokensPerDraft int     `json:"tokens_per_draft,omitempty"` // the most that a draft has, where drafts are not counted; 0: 8
	Configured     bool    `json:"configured,omitempty"`       // speculation is known to be configured, though no counter says so
}

// EvidenceOptions are those of a file for an audit.
type EvidenceOptions struct {
	TimeS       *float64 // when a metrics page was scraped, Unix time; nil: what the file, its name or its date say
	Server      string   // its name; "": by file and folder
	Speculation *bool    // of records that do not say it themselves; nil: not known
	Format      string   // of records; "": by content
}

// Audit holds what is known of drafts: scrapes of /metrics, logs, answers. It belongs to one goroutine at a time.
type Audit struct{ handle *handle }

// NewAudit begins one. opts may be nil.
func NewAudit(opts *AuditOptions) (*Audit, error) {
	if opts == nil {
		opts = &AuditOptions{}
	}
	words, err := options(opts)
	if err != nil {
		return nil, err
	}
	var out, slot uintptr
	if err := take(cvaa.VaaAuditNew(cvaa.OfString(words), &out, &slot), slot); err != nil {
		return nil, err
	}
	return &Audit{newHandle(out, cvaa.VaaAuditFree)}, nil
}

// Close frees it.
func (a *Audit) Close() error { a.handle.close(); return nil }

// PushFile takes a file or folder, found by content: metrics pages, a log, records. opts may be nil: nothing is known of it. A context that is done ends it within 100 ms with the context's error.
func (a *Audit) PushFile(ctx context.Context, path string, opts *EvidenceOptions) error {
	words, err := evidence(opts)
	if err != nil {
		return err
	}
	p := a.handle.hold()
	defer a.handle.release(p)
	return underTask(ctx, nil, func(task uintptr, slot *uintptr) int32 {
		return cvaa.VaaAuditPushFile(p, cvaa.OfString(path), cvaa.OfString(words), task, slot)
	})
}

func evidence(opts *EvidenceOptions) (string, error) {
	given := map[string]any{}
	if opts != nil {
		if opts.TimeS != nil {
			given["time_s"] = *opts.TimeS
		}
		if opts.Server != "" {
			given["server"] = opts.Server
		}
		if opts.Speculation != nil {
			given["speculation"] = map[bool]string{true: "on", false: "off"}[*opts.Speculation]
		}
		if opts.Format != "" {
			given["format"] = opts.Format
		}
	}
	return options(given)
}

// PushPage takes one metrics page of a server ("" where there is one only), scraped at timeS (Unix time; NaN: not known, then pages are in the order of the calls).
func (a *Audit) PushPage(server, page string, timeS float64) error {
	p := a.handle.hold()
	defer a.handle.release(p)
	var slot uintptr
	return take(cvaa.VaaAuditPushPage(p, cvaa.OfString(server), cvaa.OfString(page), timeS, &slot), slot)
}

// PushLog takes the next bytes of a server's log, cut anywhere; last: its end.
func (a *Audit) PushLog(server string, text []byte, last bool) error {
	p := a.handle.hold()
	defer a.handle.release(p)
	var slot uintptr
	end := int32(0)
	if last {
		end = 1
	}
	return take(cvaa.VaaAuditPushLog(p, cvaa.OfString(server), cvaa.OfString(string(text)), end, &slot), slot)
}

// PushSample takes one answer. speculation: whether it was made with speculation, where the sample does not record it; nil: not known.
func (a *Audit) PushSample(sample *Sample, speculation *bool) error {
	known := int32(-1)
	if speculation != nil {
		known = map[bool]int32{true: 1, false: 0}[*speculation]
	}
	p, s := a.handle.hold(), sample.handle.hold()
	defer a.handle.release(p)
	defer sample.handle.release(s)
	var slot uintptr
	return take(cvaa.VaaAuditPushSample(p, s, known, &slot), slot)
}

// Report is the report on all that was pushed.
func (a *Audit) Report() (*Report, error) {
	p := a.handle.hold()
	defer a.handle.release(p)
	var out, slot uintptr
	if err := take(cvaa.VaaAuditReport(p, &out, &slot), slot); err != nil {
		return nil, err
	}
	return &Report{newHandle(out, cvaa.VaaReportFree)}, nil
}

// Reject says whether speculative decoding is right, as far as the counters in the files tell. opts may be nil.
func Reject(ctx context.Context, paths []string, opts *AuditOptions) (*Report, error) {
	audit, err := NewAudit(opts)
	if err != nil {
		return nil, err
	}
	defer audit.Close()
	for _, path := range paths {
		if err := audit.PushFile(ctx, path, nil); err != nil {
			return nil, err
		}
	}
	return audit.Report()
}
