package vaa

import (
	"fmt"
	"strings"
	"sync"
	"testing"
)

// loopingIDs are `before` ids that are all different and then `length` of a unit of `period`.
func loopingIDs(before, period, length int) []int32 {
	var ids []int32
	for i := 0; i < before; i++ {
		ids = append(ids, int32(100000+i))
	}
	for i := 0; i < length; i++ {
		ids = append(ids, int32(i%period))
	}
	return ids
}

func TestMonitorStopsIDs(t *testing.T) {
	monitor := mustGet(NewMonitor(nil))
	defer monitor.Close()
	ids := loopingIDs(600, 30, 1000)
	if state := mustGet(monitor.PushIDs(ids[:899])); state != MonitorSuspected {
		t.Fatal(state)
	}
	if state := mustGet(monitor.PushIDs(ids[899:900])); state != MonitorLoop {
		t.Fatal(state)
	}
	found := mustGet(monitor.Finding())
	if found == nil || found.OnsetToken != 600 || found.LengthTokens != 300 || found.PeriodTokens != 30 || found.Count != 10 || found.OnsetByte != -1 || found.Severity != 3 {
		t.Fatalf("%+v", found)
	}
	if _, err := monitor.PushText("a"); status(err) != ErrorArgument || !strings.Contains(err.Error(), "text after ids") {
		t.Fatal(err)
	}
	report := mustGet(monitor.Report())
	if report.State != "loop" || report.Bytes != nil || *report.Tokens != 900 || report.Finding.Flag != "repetition_loop" || *report.Finding.PeriodTokens != 30 {
		t.Fatalf("%+v", report)
	}
	monitor.Reset()
	if state := mustGet(monitor.State()); state != MonitorNothing || mustGet(monitor.Finding()) != nil {
		t.Fatal(state)
	}
}

func TestMonitorStopsText(t *testing.T) {
	monitor := mustGet(NewMonitor(&MonitorOptions{MinCount: 20}))
	defer monitor.Close()
	for i, want := range map[int]MonitorState{1: MonitorSuspected} {
		if state := mustGet(monitor.PushText("It began. " + strings.Repeat("然后我们继续，", 10*i))); state != want {
			t.Fatal(state)
		}
	}
	// Cut within a character.
	for _, piece := range []string{"然后我们继\xe7", "\xbb", "\xad，"} {
		mustGet(monitor.PushText(piece))
	}
	if state := mustGet(monitor.PushText(strings.Repeat("然后我们继续，", 20))); state != MonitorLoop {
		t.Fatal(state)
	}
	if found := mustGet(monitor.Finding()); found.OnsetChar != 10 || found.PeriodChars != 7 || found.Count != 31 || found.OnsetToken != -1 {
		t.Fatalf("%+v", found)
	}
	asked := mustGet(NewMonitor(&MonitorOptions{Prompt: "Write it 100 times."}))
	defer asked.Close()
	if state := mustGet(asked.PushText(strings.Repeat("I will not chew gum. ", 100))); state != MonitorSuspected {
		t.Fatal(state)
	}
}

func TestMonitorRefuses(t *testing.T) {
	for name, opts := range map[string]*MonitorOptions{"min_count": {MinCount: 2}, "max_period": {MaxPeriod: 1 << 20}} {
		if _, err := NewMonitor(opts); status(err) != ErrorOption || !strings.Contains(err.Error(), name) {
			t.Error(name, err)
		}
	}
	vocab := mustGet(NewVocab([]string{"a"}, nil))
	vocab.Close()
	if _, err := NewMonitor(&MonitorOptions{Vocab: vocab}); status(err) != ErrorArgument {
		t.Error(err)
	}
	monitor := mustGet(NewMonitor(nil))
	monitor.Close()
	if _, err := monitor.PushIDs(nil); status(err) != ErrorArgument {
		t.Error(err)
	}
	if _, err := monitor.Finding(); status(err) != ErrorArgument {
		t.Error(err)
	}
	monitor.Reset()
}

// One monitor a goroutine over one vocabulary: each finds its own loop.
func TestManyMonitorsAtOnce(t *testing.T) {
	tokens := make([]string, 256)
	for i := range tokens {
		tokens[i] = fmt.Sprintf(" word%d", i)
	}
	vocab := mustGet(NewVocab(tokens, nil))
	defer vocab.Close()
	var group sync.WaitGroup
	for g := 1; g <= 64; g++ {
		group.Add(1)
		go func(g int) {
			defer group.Done()
			monitor := mustGet(NewMonitor(&MonitorOptions{Vocab: vocab}))
			defer monitor.Close()
			for round := 0; round < 3; round++ {
				ids, stopped := loopingIDs(100*g, g, 2000), 0
				for at := 0; at < len(ids) && stopped == 0; at++ {
					if mustGet(monitor.PushIDs(ids[at:at+1])) == MonitorLoop {
						stopped = at + 1
					}
				}
				if want := 100*g + max(150, 10*g); stopped != want {
					t.Errorf("period %d: stopped at %d, want %d", g, stopped, want)
				}
				monitor.Reset()
			}
		}(g)
	}
	group.Wait()
}

func BenchmarkMonitorPush(b *testing.B) {
	monitor := mustGet(NewMonitor(nil))
	ids := loopingIDs(1<<16, 1, 0)
	for i := 0; i < b.N; i++ {
		mustGet(monitor.PushIDs(ids[i%len(ids) : i%len(ids)+1]))
	}
}
