package vaa_test

import (
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
