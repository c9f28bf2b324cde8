package vaa

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// scoredFile has n records of which every k-th is wrong.
func scoredFile(t *testing.T, n, k int) string {
	t.Helper()
	var lines strings.Builder
	for i := 0; i < n; i++ {
		fmt.Fprintf(&lines, `{"schema": "vaa.record/1", "id": "%d", "output": {"text": "Step %d of %d is done."}, "finish_reason": "stop", "score": {"metric": "accuracy", "correct": %t}}`+"\n", i, i, k, i%k != 0)
	}
	path := filepath.Join(t.TempDir(), "run.jsonl")
	if err := os.WriteFile(path, []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestCompareTwoRuns(t *testing.T) {
	report, err := Compare(context.Background(), scoredFile(t, 900, 10), scoredFile(t, 900, 3), &CompareOptions{Run: CompareRunOptions{Threads: 2}})
	if err != nil {
		t.Fatal(err)
	}
	defer report.Close()
	if report.Verdict() != Fail {
		t.Fatalf("verdict %v", report.Verdict())
	}
	wrong := &CompareOptions{Run: CompareRunOptions{ComparisonOptions: ComparisonOptions{Change: "kernel"}}}
	if _, err := Compare(context.Background(), scoredFile(t, 3, 2), scoredFile(t, 3, 2), wrong); status(err) != ErrorOption || !strings.Contains(err.Error(), "schedule") {
		t.Fatalf("error %v", err)
	}
}

func TestCompareWhatIsPushed(t *testing.T) {
	checker, err := NewChecker(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer checker.Close()
	comparison, err := checker.Comparison(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer comparison.Close()
	report, err := comparison.Report()
	if err != nil {
		t.Fatal(err)
	}
	defer report.Close()
	if report.Verdict() != NotChecked { // nothing was pushed
		t.Fatalf("verdict %v", report.Verdict())
	}
}
