package vaa

import (
	"errors"
	"math"
	"strings"
	"testing"
)

func TestReplayRows(t *testing.T) {
	temperature := 0.7
	replay, err := NewReplay(ReplayOptions{Engine: "vllm_v1", Temperature: &temperature, TopK: 3})
	if err != nil {
		t.Fatal(err)
	}
	defer replay.Close()
	if err := replay.Begin("", []int32{1, 2}); err != nil {
		t.Fatal(err)
	}
	logits := []float32{3, 2.2, 1, 0.5, 3, 2.2, 1, 0.5}
	noise := []float64{0.9, 0.25, 1.7, 0.4, 0.9, 0.25, 1.7, 0.4}
	rows, err := replay.Push(logits, 4, []int32{0, 3}, noise)
	if err != nil {
		t.Fatal(err)
	}
	want := (2.2-3)/0.7 - math.Log(0.25) + math.Log(0.9)
	if rows[0].State != RowDeparted || rows[0].Token != 1 || rows[0].Rank != 2 || math.Abs(rows[0].Margin-want) > 1e-6 || rows[0].Position != 2 {
		t.Error(rows[0], want)
	}
	if rows[1].State != RowDeparted || rows[1].Rank != 0 || !math.IsInf(rows[1].Margin, 1) || rows[1].Position != 3 {
		t.Error(rows[1])
	}
	report, err := replay.Report()
	if err != nil {
		t.Fatal(err)
	}
	defer report.Close()
	if n, err := report.Number("/replay/illegal"); n != 1 || err != nil || report.Verdict() != Fail {
		t.Error(n, err, report.Verdict())
	}
}

func TestReplayListsAndRefusals(t *testing.T) {
	zero := 0.0
	replay, err := NewReplay(ReplayOptions{Engine: "vllm_v1", Temperature: &zero, Vocabulary: 9})
	if err != nil {
		t.Fatal(err)
	}
	defer replay.Close()
	rows, err := replay.PushTop([]int32{4, 2, 4, 2}, []float64{-0.5, -1, -0.5, -1}, []int64{2, 4}, []int32{4, 2}, nil)
	if err != nil || rows[0].State != RowSame || rows[1].State != RowDeparted || rows[1].Margin != 0.5 {
		t.Error(rows, err)
	}
	var fault *Error
	if _, err := replay.Push([]float32{1, 2, 3}, 2, []int32{0}, nil); !errors.As(err, &fault) || fault.Status != ErrorArgument {
		t.Error(err)
	}
	if _, err := NewReplay(ReplayOptions{Engine: "nothing"}); err == nil || !strings.Contains(err.Error(), "known: hf") {
		t.Error(err)
	}
	if _, err := NewReplay(ReplayOptions{Engine: "vllm_v1", Generator: "torch_cpu", Seed: "18446744073709551616"}); err == nil {
		t.Error("a seed of 2^64 was taken")
	}
}
