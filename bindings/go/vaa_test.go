package vaa

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
)

const loop = "The answer follows. "

func looping() string { return loop + strings.Repeat("and so it goes on ", 60) }

// recordLines are three records: well, looping and cut, empty.
func recordLines() string {
	return `{"schema": "vaa.record/1", "id": "a", "output": {"text": "All is well here."}, "finish_reason": "stop"}
{"schema": "vaa.record/1", "id": "b", "output": {"text": "` + looping() + `"}, "finish_reason": "length"}
{"schema": "vaa.record/1", "id": "c", "output": {"text": ""}, "finish_reason": "stop"}
`
}

func recordFile(t testing.TB) string {
	path := filepath.Join(t.TempDir(), "records.jsonl")
	if err := os.WriteFile(path, []byte(recordLines()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func status(err error) Status {
	var fault *Error
	if errors.As(err, &fault) {
		return fault.Status
	}
	return 0
}

func TestEmptyAndMissingTextAreDifferent(t *testing.T) {
	empty := mustGet(NewChecker(nil))
	defer empty.Close()
	result, err := CheckText("", nil)
	if err != nil || !reflect.DeepEqual(result.Flags, []string{"empty"}) {
		t.Fatal(result, err)
	}
	sample, err := NewSample()
	if err != nil {
		t.Fatal(err)
	}
	defer sample.Close()
	missing, err := empty.CheckSample(sample)
	if err != nil || len(missing.Flags) != 0 || !contains(missing.Unknown, "empty") || contains(result.Unknown, "empty") {
		t.Fatal(missing, err)
	}
}

func contains(words []string, word string) bool {
	for _, w := range words {
		if w == word {
			return true
		}
	}
	return false
}

func TestAFindingHasItsEvidence(t *testing.T) {
	length := "length"
	result, err := CheckText(looping(), &TextOptions{FinishReason: &length})
	if err != nil || !contains(result.Flags, "repetition_loop") || contains(result.Flags, "truncated") {
		t.Fatal(result, err)
	}
	for _, f := range result.Findings {
		if f.Flag != "repetition_loop" {
			continue
		}
		if f.Severity != "fail" || f.Confidence != "certain" || f.Part != "text" || f.PeriodChars == nil || *f.PeriodChars != 18 || f.PeriodTokens != nil ||
			f.OnsetByte == nil || *f.OnsetByte > 40 || !strings.Contains(f.Excerpt, "so it goes") {
			t.Fatalf("%+v", f)
		}
	}
	ids := make([]int32, 400)
	result, err = CheckText("", &TextOptions{TokenIDs: ids, Logprobs: make([]float64, 400), FinishReason: &length})
	if err != nil || !contains(result.Flags, "repetition_loop") {
		t.Fatal(result, err)
	}
	for _, text := range []string{"a\x00b", "a\xffb", "\xed\xa0\x80"} {
		if result, err := CheckText(text, nil); err != nil || len(result.Flags) == 0 || *result.OutputBytes != int64(len(text)) {
			t.Fatalf("%q %+v %v", text, result, err)
		}
	}
}

func TestCheckARun(t *testing.T) {
	path := recordFile(t)
	report, err := Check(context.Background(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer report.Close()
	samples, err := report.Samples()
	if err != nil || len(samples) != 3 || *samples[1].ID != "b" || !contains(samples[1].Flags, "repetition_loop") || !contains(samples[2].Flags, "empty") {
		t.Fatalf("%+v %v", samples, err)
	}
	if n, err := report.Number("/counts/samples"); err != nil || n != 3 {
		t.Fatal(n, err)
	}
	if _, err := report.Number("/nowhere"); !errors.Is(err, &Error{Status: ErrorNotFound}) {
		t.Fatal(err)
	}
	if _, err := report.Column("no", "such"); status(err) != ErrorNotFound {
		t.Fatal(err)
	}
	document, markdown, text := mustGet(report.JSON()), mustGet(report.Markdown()), mustGet(report.Text())
	if !strings.HasPrefix(document, "{") || markdown == text || report.Verdict().String() == "unknown" {
		t.Fatal(document)
	}
	out := filepath.Join(t.TempDir(), "report.json")
	if err := report.Write(out, RenderOptions{}); err != nil || !strings.HasPrefix(string(mustGet(os.ReadFile(out))), document[:20]) {
		t.Fatal(err)
	}
	if _, err := report.Render(RenderOptions{Format: "pdf"}); status(err) != ErrorOption {
		t.Fatal(err)
	}
	threads := mustGet(Check(context.Background(), path, &CheckOptions{Run: RunOptions{Threads: 3, Progress: func(done, total, samples int64) {}}}))
	defer threads.Close()
	if mustGet(threads.JSON()) != document {
		t.Fatal("threads change the report")
	}
	no := false
	bare := mustGet(Check(context.Background(), path, &CheckOptions{Run: RunOptions{TallyOptions: TallyOptions{Text: &no}}}))
	defer bare.Close()
	if strings.Contains(mustGet(bare.JSON()), "so it goes") {
		t.Fatal("text is left")
	}
	for name, opts := range map[string]*CheckOptions{
		"format": {Records: RecordsOptions{Format: "nonsense"}}, "flags": {Checker: CheckerOptions{Flags: []string{"nonsense"}}},
		"threads": {Run: RunOptions{Threads: 5000}}, "fail_on": {Run: RunOptions{TallyOptions: TallyOptions{FailOn: []string{"nonsense"}}}},
	} {
		if _, err := Check(context.Background(), path, opts); err == nil || !strings.Contains(err.Error(), name) {
			t.Error(name, err)
		}
	}
	if _, err := Check(context.Background(), "/no/such/run", nil); status(err) != ErrorNotFound || !strings.Contains(err.Error(), "/no/such/run") {
		t.Fatal(err)
	}
}

func TestPushByPush(t *testing.T) {
	checker := mustGet(NewChecker(nil))
	tally := mustGet(checker.Tally(nil))
	defer tally.Close()
	checker.Close() // the tally keeps it
	sample := mustGet(NewSample())
	defer sample.Close()
	if _, err := tally.Result(sample); err == nil {
		t.Fatal("a result before a push")
	}
	records := mustGet(OpenRecords(recordFile(t), nil))
	var got []int
	if err := records.Each(func(s *Sample) error {
		pushed, err := tally.Push(s)
		got = append(got, len(pushed.Findings))
		if err == nil {
			var result *Result
			if result, err = tally.Result(s); err == nil && len(result.Findings) != len(pushed.Findings) {
				err = fmt.Errorf("%d findings, %d in words", len(pushed.Findings), len(result.Findings))
			}
		}
		return err
	}); err != nil || len(got) != 3 || got[0] != 0 || got[1] == 0 || got[2] == 0 {
		t.Fatal(got, err)
	}
	if records.Format() != "vaa" || !strings.HasPrefix(records.Run(), "{") {
		t.Fatal(records.Format(), records.Run())
	}
	if err := records.Each(func(*Sample) error { return ErrStop }); err != nil {
		t.Fatal(err)
	}
	cursor := mustGet(records.Cursor())
	records.Close() // the cursor keeps them
	runtime.GC()
	for i := 0; i < 3; i++ {
		if more, err := cursor.Next(sample); err != nil || !more {
			t.Fatal(i, err)
		}
	}
	if more, err := cursor.Next(sample); err != nil || more || sample.Has(FieldID) {
		t.Fatal(more, err)
	}
	if count, first, err := cursor.Problems(); err != nil || count != 0 || len(first) != 0 {
		t.Fatal(count, first, err)
	}
	cursor.Close()
	report := mustGet(tally.Report())
	defer report.Close()
	if n := mustGet(report.Number("/counts/samples")); n != 3 {
		t.Fatal(n)
	}
	if _, err := records.Cursor(); status(err) != ErrorArgument {
		t.Fatal("closed records gave a cursor", err)
	}
}

func TestWhatIsClosedIsAnError(t *testing.T) {
	sample, checker, report := mustGet(NewSample()), mustGet(NewChecker(nil)), mustGet(Check(context.Background(), recordFile(t), nil))
	tally := mustGet(checker.Tally(nil))
	for i := 0; i < 2; i++ {
		sample.Close()
		checker.Close()
		report.Close()
		tally.Close()
	}
	if err := sample.SetText(FieldID, "a"); status(err) != ErrorArgument {
		t.Error(err)
	}
	if sample.Has(FieldID) {
		t.Error("has")
	}
	sample.Clear()
	if _, err := checker.Tally(nil); status(err) != ErrorArgument {
		t.Error(err)
	}
	if _, err := tally.Push(sample); status(err) != ErrorArgument {
		t.Error(err)
	}
	if _, err := tally.Report(); status(err) != ErrorArgument {
		t.Error(err)
	}
	if _, err := report.JSON(); status(err) != ErrorArgument {
		t.Error(err)
	}
	if samples, err := report.Samples(); err != nil || len(samples) != 0 || report.Verdict() != NotChecked {
		t.Error(samples, err)
	}
	if _, err := report.Column("a", "b"); status(err) != ErrorArgument {
		t.Error(err)
	}
}

func TestVocabulary(t *testing.T) {
	vocab := mustGet(NewVocab([]string{"a", "\xff", "", "世", "<eos>"}, []int32{4}))
	if vocab.Size() != 5 || mustGet(vocab.Decode([]int32{0, 3, 1, 4}, false)) != "a世\xff" || mustGet(vocab.Decode([]int32{4}, true)) != "<eos>" {
		t.Fatal("decode")
	}
	if _, err := vocab.Decode([]int32{5}, false); status(err) != ErrorArgument {
		t.Fatal(err)
	}
	checker := mustGet(NewChecker(&CheckerOptions{Vocab: vocab}))
	defer checker.Close()
	vocab.Close()
	if vocab.Size() != 0 {
		t.Fatal("closed")
	}
	if _, err := NewChecker(&CheckerOptions{Vocab: vocab}); status(err) != ErrorArgument {
		t.Fatal(err)
	}
	if result, err := CheckText("", &TextOptions{Checker: checker}); err != nil || !contains(result.Flags, "empty") {
		t.Fatal(result, err)
	}
	if _, err := OpenVocab("/no/such/file"); err == nil {
		t.Fatal("opened")
	}
}

func TestListsAndVersion(t *testing.T) {
	flags, formats := mustGet(Flags()), mustGet(Formats())
	if len(flags) < 10 || flags[0].Name == "" || flags[0].Summary.Chinese == "" || len(formats) < 5 || formats[0].Name == "" || strings.Count(Version(), ".") != 2 {
		t.Fatal(flags, formats, Version())
	}
	if ErrorOption.String() != "VAA_ERROR_OPTION" {
		t.Fatal(ErrorOption)
	}
}

func TestFlagsAreExplained(t *testing.T) {
	told := mustGet(Explain("repetition_loop", "en"))
	if told.Name != "repetition_loop" || told.Severity != "fail" || !strings.Contains(told.Causes, "vllm-ascend#11849") || told.Next == "" {
		t.Fatal(told)
	}
	if chinese := mustGet(Explain("repetition_loop", "zh")); chinese.Title != "循环重复" || chinese.Rule == told.Rule {
		t.Fatal(chinese)
	}
	if all := mustGet(Explanations("en")); len(all) < len(mustGet(Flags())) || all[0].Name != told.Name {
		t.Fatal(all)
	}
	if _, err := Explain("repetitionloop", "en"); status(err) != ErrorNotFound || !strings.Contains(err.Error(), "did you mean repetition_loop?") {
		t.Fatal(err)
	}
	if _, err := Explain("", "en"); status(err) != ErrorNotFound {
		t.Fatal(err)
	}
	if _, err := Explain("empty", "de"); status(err) != ErrorOption {
		t.Fatal(err)
	}
}

func BenchmarkPush(b *testing.B) {
	checker := mustGet(NewChecker(nil))
	tally, sample := mustGet(checker.Tally(nil)), mustGet(NewSample())
	if err := sample.SetText(FieldOutputText, "ok"); err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		if _, err := tally.Push(sample); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSetIDs(b *testing.B) {
	sample := mustGet(NewSample())
	ids := make([]int32, 4096)
	for i := 0; i < b.N; i++ {
		if err := sample.SetIDs(FieldOutputTokenIDs, ids); err != nil {
			b.Fatal(err)
		}
	}
}
