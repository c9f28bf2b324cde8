package vaa

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

func TestASampleKeepsWhatItIsGiven(t *testing.T) {
	s, err := NewSample()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	type mixed struct {
		name *string
		ids  [4]int32
	}
	word := "x"
	own := &mixed{&word, [4]int32{1, 2, 3, 4}}
	for _, err := range []error{
		s.SetText(FieldOutputText, "a\x00\xff"), s.SetText(FieldPromptText, ""), s.SetInt(FieldRepeat, math.MaxInt64), s.SetFloat(FieldTemperature, 0.6),
		s.SetIDs(FieldOutputTokenIDs, own.ids[1:3]), s.SetFloats(FieldOutputLogprobs, []float64{-0.5, math.Inf(-1)}), s.SetInts(FieldOutputTopEnds, nil),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if text := mustGet(s.Text(FieldOutputText)); text == nil || *text != "a\x00\xff" {
		t.Fatal(text)
	}
	if text, err := s.Text(FieldPromptText); err != nil || text == nil || *text != "" {
		t.Fatal("an empty text is recorded", text, err)
	}
	if text, err := s.Text(FieldOutputReasoning); err != nil || text != nil || s.Has(FieldOutputReasoning) {
		t.Fatal("a missing text is not", text, err)
	}
	if ids, err := s.IDs(FieldOutputTokenIDs); err != nil || !reflect.DeepEqual(ids, []int32{2, 3}) {
		t.Fatal(ids, err)
	}
	if ids, err := s.IDs(FieldPromptTokenIDs); err != nil || ids != nil {
		t.Fatal(ids, err)
	}
	if ends, err := s.Ints(FieldOutputTopEnds); err != nil || ends == nil || len(ends) != 0 {
		t.Fatal(ends, err)
	}
	if logprobs, err := s.Floats(FieldOutputLogprobs); err != nil || !reflect.DeepEqual(logprobs, []float64{-0.5, math.Inf(-1)}) {
		t.Fatal(logprobs, err)
	}
	if n, err := s.Int(FieldRepeat); err != nil || *n != math.MaxInt64 {
		t.Fatal(n, err)
	}
	if x, err := s.Float(FieldTemperature); err != nil || *x != 0.6 {
		t.Fatal(x, err)
	}
	if err := s.Unset(FieldRepeat); err != nil || s.Has(FieldRepeat) {
		t.Fatal(err)
	}
	if err := s.SetText(FieldRepeat, "a"); status(err) != ErrorArgument || !strings.Contains(err.Error(), "repeat") {
		t.Fatal(err)
	}
	if _, err := s.Text(FieldRepeat); status(err) != ErrorArgument {
		t.Fatal(err)
	}
	if err := s.SetText(Field(999), "a"); status(err) != ErrorArgument {
		t.Fatal(err)
	}
	if err := s.SetText(FieldOutputText, "世界"); err != nil {
		t.Fatal(err)
	}
	record, err := s.JSON()
	if err != nil || !strings.Contains(record, "世界") {
		t.Fatal(record, err)
	}
	s.Clear()
	if s.Has(FieldOutputText) {
		t.Fatal("cleared")
	}
	if err := s.SetJSON(record); err != nil || !s.Has(FieldOutputText) {
		t.Fatal(err)
	}
	if err := s.SetJSON("{"); status(err) != ErrorFormat {
		t.Fatal(err)
	}
}

func mustGet[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// The constants of fields.go are those of the header, where that is at hand, and all have a name.
func TestFieldsAreThoseOfTheHeader(t *testing.T) {
	own := mustGet(os.ReadFile("fields.go"))
	ours := regexp.MustCompile(`Field\w+ +Field = (\d+)`).FindAllSubmatch(own, -1)
	if len(ours) < 60 {
		t.Fatal(len(ours))
	}
	for _, one := range ours {
		var number int32
		fmt.Sscan(string(one[1]), &number)
		if Field(number).String() == "" {
			t.Errorf("%d has no name", number)
		}
	}
	header, err := os.ReadFile("../../include/vaa/sample.h")
	if err != nil {
		t.Skip("the header is not beside the module")
	}
	theirs := regexp.MustCompile(`VAA_FIELD_\w+ = (\d+)`).FindAllSubmatch(header, -1)
	if len(theirs) != len(ours) {
		t.Fatal(len(theirs), len(ours))
	}
	for i := range theirs {
		if !bytes.Equal(theirs[i][1], ours[i][1]) {
			t.Errorf("%s is not %s", theirs[i][0], ours[i][0])
		}
	}
}
