package vaa

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// endless makes a pipe that is fed records without end.
func endless(t *testing.T) string {
	path := filepath.Join(t.TempDir(), "endless.jsonl")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	stop := make(chan struct{})
	left := make(chan struct{})
	lines := []byte(strings.Repeat(recordLines(), 50))
	go func() {
		defer close(left)
		for {
			select {
			case <-stop:
				return
			default:
			}
			file, err := os.OpenFile(path, os.O_WRONLY, 0)
			for err == nil {
				_, err = file.Write(lines)
			}
			file.Close()
		}
	}()
	t.Cleanup(func() {
		close(stop)
		for {
			file, _ := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
			select {
			case <-left:
				file.Close()
				return
			case <-time.After(10 * time.Millisecond):
				file.Close()
			}
		}
	})
	return path
}

func TestAContextEndsACheck(t *testing.T) {
	path := endless(t)
	for _, threads := range []int{1, 3} {
		best := time.Hour
		for try := 0; try < 5 && best > 100*time.Millisecond; try++ { // the machine may be busy
			ctx, cancel := context.WithCancel(context.Background())
			var cancelled time.Time
			time.AfterFunc(300*time.Millisecond, func() { cancelled = time.Now(); cancel() })
			report, err := Check(ctx, path, &CheckOptions{Run: RunOptions{Threads: threads}})
			if report != nil || !errors.Is(err, context.Canceled) {
				t.Fatal(report, err)
			}
			best = min(best, time.Since(cancelled))
			cancel()
		}
		if best > 100*time.Millisecond {
			t.Error("took", best)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	if _, err := Check(ctx, path, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatal(err)
	}
	if _, err := Check(ctx, path, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatal("a context that is done before", err)
	}
}

func TestErrorsFrom64GoroutinesKeepApart(t *testing.T) {
	checker := mustGet(NewChecker(nil))
	defer checker.Close()
	var group sync.WaitGroup
	for g := 0; g < 64; g++ {
		group.Add(1)
		go func(g int) {
			defer group.Done()
			tally := mustGet(checker.Tally(nil))
			defer tally.Close()
			sample := mustGet(NewSample())
			defer sample.Close()
			for i := 0; i < 40; i++ {
				name := fmt.Sprintf("/no/such/%d/%d", g, i)
				if _, err := OpenRecords(name, nil); status(err) != ErrorNotFound || !strings.Contains(err.Error(), name) {
					t.Error(err)
				}
				if err := sample.SetText(FieldOutputText, strings.Repeat("so ", g*i)); err != nil {
					t.Error(err)
				}
				if _, err := tally.Push(sample); err != nil {
					t.Error(err)
				}
				if g%16 == 0 && i%20 == 0 {
					runtime.GC()
				}
			}
		}(g)
	}
	group.Wait()
}

// What nobody closed is freed by the collector; what is closed while another goroutine works ends well.
func TestClosingWhileWorking(t *testing.T) {
	for i := 0; i < 50; i++ {
		checker, sample := mustGet(NewChecker(nil)), mustGet(NewSample())
		if err := sample.SetText(FieldOutputText, looping()); err != nil {
			t.Fatal(err)
		}
		tally := mustGet(checker.Tally(nil))
		done := make(chan error)
		go func() {
			var err error
			for err == nil {
				_, err = tally.Push(sample)
			}
			done <- err
		}()
		runtime.Gosched()
		checker.Close()
		tally.Close()
		sample.Close()
		if err := <-done; status(err) != ErrorArgument {
			t.Fatal(err)
		}
		mustGet(NewSample()) // left to the collector
	}
	runtime.GC()
}

func resident(t *testing.T) int64 {
	words, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skip(err)
	}
	var all, pages int64
	fmt.Sscan(string(words), &all, &pages)
	return pages * int64(os.Getpagesize())
}

func TestMemoryStaysFlatOver10000Failures(t *testing.T) {
	round := func(count int) {
		for i := 0; i < count; i++ {
			if _, err := OpenRecords("/no/such/run", nil); err == nil {
				t.Fatal("opened")
			}
			if _, err := NewChecker(&CheckerOptions{Flags: []string{"nonsense"}}); err == nil {
				t.Fatal("made")
			}
		}
		runtime.GC()
	}
	round(2000)
	before := resident(t)
	round(10000)
	if grown := resident(t) - before; grown > 16<<20 {
		t.Error("grown by", grown)
	}
}
