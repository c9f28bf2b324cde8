package vaa_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	vaa "github.com/vaa-eval/vaa-go"
)

func TestDiff(t *testing.T) {
	diff, err := vaa.NewDiff(&vaa.DiffOptions{Window: 3})
	if err != nil {
		t.Fatal(err)
	}
	defer diff.Close()
	reference, target := []int32{1, 2, 3, 10, 11, 20, 21, 22, 23, 24}, []int32{1, 2, 3, 12, 13, 14, 20, 21, 22, 23, 24}
	d, err := diff.Run(reference, target, -1)
	if err != nil {
		t.Fatal(err)
	}
	if d.FirstDivergence != 3 || d.Suffix != 5 || d.Levenshtein != 3 || d.LCS != 8 || d.Indel != 5 || d.ReconvergeReference != 5 || d.ReconvergeTarget != 6 || d.SameBytes != nil || d.LengthOnly {
		t.Errorf("%+v", d)
	}
	if d, err = diff.Run(reference, target, 2); err != nil || d.Levenshtein != -1 || d.MoreThan != 2 {
		t.Errorf("%+v %v", d, err)
	}
	hunks, err := diff.Hunks(reference, target)
	if err != nil || len(hunks) != 1 || hunks[0] != (vaa.Hunk{ReferenceAt: 3, ReferenceSize: 2, TargetAt: 3, TargetSize: 3}) {
		t.Errorf("%v %v", hunks, err)
	}
	prompt, err := diff.Prompt([]int32{1, 5, 6}, []int32{1, 1, 5, 6})
	if err != nil || prompt.Which != "bos_twice" || prompt.Longer != "target" {
		t.Errorf("%+v %v", prompt, err)
	}
	if _, err := diff.Run(reference, target, -2); err == nil {
		t.Error("a distance of -2 is taken")
	}
}

// referenceLine is a line of tests/golden/diff_reference.txt, which make_diff_reference.py describes.
type referenceLine struct {
	prompt            bool
	expected          [9]int64
	reference, target []int32
}

func referenceLines(t *testing.T) []referenceLine {
	t.Helper()
	bytes, err := os.ReadFile("../../tests/golden/diff_reference.txt")
	if err != nil {
		t.Fatal(err)
	}
	var lines []referenceLine
	for _, text := range strings.Split(strings.TrimSpace(string(bytes)), "\n") {
		var numbers []int64
		for _, word := range strings.Fields(text) {
			number, err := strconv.ParseInt(word, 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			numbers = append(numbers, number)
		}
		line := referenceLine{prompt: numbers[0] == 1}
		copy(line.expected[:], numbers[1:10])
		numbers = numbers[10:]
		for _, ids := range []*[]int32{&line.reference, &line.target} {
			size := numbers[0]
			for _, id := range numbers[1 : 1+size] {
				*ids = append(*ids, int32(id))
			}
			numbers = numbers[1+size:]
		}
		lines = append(lines, line)
	}
	return lines
}

func TestDiffGivesTheNumbersOfAnIndependentProgram(t *testing.T) {
	diff, err := vaa.NewDiff(&vaa.DiffOptions{Window: 3})
	if err != nil {
		t.Fatal(err)
	}
	defer diff.Close()
	classes := []string{"same", "bos_twice", "bos_missing", "generation_prompt", "cut_right", "cut_left", "", "block_inserted", "block_replaced", "other"}
	sides := []string{"", "reference", "target"}
	for _, line := range referenceLines(t) {
		e := line.expected
		if line.prompt {
			p, err := diff.Prompt(line.reference, line.target)
			block := vaa.Hunk{ReferenceAt: e[2], ReferenceSize: e[3], TargetAt: e[4], TargetSize: e[5]}
			if err != nil || p.Which != classes[e[0]] || p.Longer != sides[e[1]] || p.Hunk != block {
				t.Errorf("%+v %v, expected %v", p, err, e)
			}
			continue
		}
		d, err := diff.Run(line.reference, line.target, -1)
		if err != nil {
			t.Fatal(err)
		}
		var lengthOnly int64
		if d.LengthOnly {
			lengthOnly = 1
		}
		got := [9]int64{d.FirstDivergence, d.Prefix, d.Suffix, d.Levenshtein, d.LCS, d.Indel, d.ReconvergeReference, d.ReconvergeTarget, lengthOnly}
		if got != e {
			t.Errorf("%v, expected %v", got, e)
		}
	}
}
