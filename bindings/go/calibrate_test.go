package vaa

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Of two tokens one nat apart the lesser is drawn one time in three: temperature 1.44.
func TestCalibrateARun(t *testing.T) {
	var lines strings.Builder
	for i := 0; i < 600; i++ {
		token, list := 7, "[[7, -0.4], [9, -1.4]]"
		if i%3 == 1 {
			token, list = 9, "[[9, -1.4], [7, -0.4]]"
		}
		fmt.Fprintf(&lines, `{"schema": "vaa.record/1", "id": "%d", "output": {"token_ids": [%d], "top_logprobs": [%s]}, "sampling": {"temperature": 0.6, "top_p": 1, "top_k": 0, "min_p": 0, "logprobs_mode": "raw_logprobs"}}`+"\n", i, token, list)
	}
	path := filepath.Join(t.TempDir(), "run.jsonl")
	if err := os.WriteFile(path, []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	report, err := Calibrate(context.Background(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer report.Close()
	if report.Verdict() != Fail {
		t.Fatalf("verdict %v", report.Verdict())
	}
	asked := 1.44
	again, err := Calibrate(context.Background(), path, &CalibrationOptions{Temperature: &asked})
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if again.Verdict() == Fail {
		t.Fatalf("verdict %v", again.Verdict())
	}
	wrong := -1.0
	if _, err := Calibrate(context.Background(), path, &CalibrationOptions{Temperature: &wrong}); status(err) != ErrorOption {
		t.Fatalf("error %v", err)
	}
}
