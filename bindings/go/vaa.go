// Package vaa tells whether an LLM inference engine still produces what the model should produce, and where it goes wrong.
//
//	report, err := vaa.Check(ctx, "outputs/20260820_101502", nil) // a run of AISBench, lm-eval, evalscope, …, or a file
//	if err != nil { … }
//	defer report.Close()
//	fmt.Println(report.Verdict())
//
// An error means that vaa could not tell; a wrong model is a verdict. A nil pointer or slice is "not recorded", which is not the same as empty. Objects
// that are configured (Checker, Vocab, Records, Report) are shared by goroutines; those that work (Sample, Cursor, Tally) belong to one at a time. Every object
// has a Close; what still borrows it keeps it alive.
//
// The package needs libvaa, found by pkg-config ("vaa"); with the tag vaa_static it is linked from libvaa.a ("vaa-static").
package vaa

import (
	"encoding/json"
	"fmt"

	"github.com/vaa-eval/vaa-go/internal/cvaa"
)

const abiVersion = 1

func init() {
	if got := cvaa.VaaAbiVersion(); got != abiVersion {
		panic(fmt.Sprintf("vaa: the library has ABI %d, the Go package needs %d: install both from one version", got, abiVersion))
	}
}

// Version is that of the library.
func Version() string { return cvaa.Text(cvaa.VaaVersion()) }

// Format is an input format that vaa reads.
type Format struct {
	Name    string `json:"name"`
	Title   string `json:"title"`
	Files   string `json:"files"`
	FoundBy string `json:"found_by"`
}

// Formats lists the input formats.
func Formats() ([]Format, error) {
	var out, slot uintptr
	status := cvaa.VaaRecordsFormats(&out, &slot)
	if err := take(status, slot); err != nil {
		return nil, err
	}
	var formats []Format
	return formats, json.Unmarshal([]byte(text(out)), &formats)
}

// Words is a text in two languages.
type Words struct {
	English string `json:"en"`
	Chinese string `json:"zh"`
}

// Flag is something that an answer can be flagged with.
type Flag struct {
	Name     string  `json:"name"`
	Severity string  `json:"severity"` // the highest it gives: "fail", "warn", "info"
	Ceiling  float64 `json:"ceiling"`  // the rate that healthy engines reach
	Title    Words   `json:"title"`
	Summary  Words   `json:"summary"`
}

// Flags lists the flags.
func Flags() ([]Flag, error) {
	var out, slot uintptr
	status := cvaa.VaaFlags(&out, &slot)
	if err := take(status, slot); err != nil {
		return nil, err
	}
	var flags []Flag
	return flags, json.Unmarshal([]byte(text(out)), &flags)
}

// options writes the JSON that the library reads; null pointer: no options.
func options(given any) (string, error) {
	words, err := json.Marshal(given)
	if err != nil {
		return "", &Error{Status: ErrorOption, Message: err.Error()}
	}
	return string(words), nil
}
