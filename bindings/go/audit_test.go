package vaa

import (
	"context"
	"math"
	"os"
	"strings"
	"testing"
)

const speculation = "../../examples/spec_decode/"

func TestRejectNamesTheFaultySampler(t *testing.T) {
	for _, name := range []string{"metrics.prom", "server.log"} {
		faulty, err := Reject(context.Background(), []string{speculation + "faulty/" + name}, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer faulty.Close()
		fixed, err := Reject(context.Background(), []string{speculation + "fixed/" + name}, &AuditOptions{Floor: 0.02})
		if err != nil {
			t.Fatal(err)
		}
		defer fixed.Close()
		if faulty.Verdict() != Fail || fixed.Verdict() != Pass {
			t.Fatalf("%s: %v, %v", name, faulty.Verdict(), fixed.Verdict())
		}
	}
	if _, err := Reject(context.Background(), []string{speculation + "nowhere"}, nil); status(err) != ErrorNotFound {
		t.Fatalf("error %v", err)
	}
}

func TestAuditTakesPagesLogsAndRecords(t *testing.T) {
	audit, err := NewAudit(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer audit.Close()
	if err := audit.PushPage("", "<html>", math.NaN()); status(err) != ErrorFormat {
		t.Fatalf("error %v", err)
	}
	if err := audit.PushPage("", "vllm:spec_decode_num_drafts_total 0\n", math.NaN()); err != nil {
		t.Fatal(err)
	}
	log, err := os.ReadFile(speculation + "fixed/server.log")
	if err != nil {
		t.Fatal(err)
	}
	if err := audit.PushLog("node", log, true); err != nil {
		t.Fatal(err)
	}
	off := false
	if err := audit.PushFile(context.Background(), speculation+"plain.jsonl", &EvidenceOptions{Speculation: &off}); err != nil {
		t.Fatal(err)
	}
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	if err := audit.PushFile(cancelled, speculation+"plain.jsonl", nil); err != context.Canceled {
		t.Fatalf("error %v", err)
	}
	report, err := audit.Report()
	if err != nil {
		t.Fatal(err)
	}
	defer report.Close()
	words, err := report.Render(RenderOptions{Format: "text", Lang: "zh"})
	if err != nil || !strings.Contains(words, "node") {
		t.Fatalf("%v: %s", err, words)
	}
}
