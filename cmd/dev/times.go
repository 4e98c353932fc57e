package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/refscope/refscope/cmd/dev/house"
	"github.com/refscope/refscope/cmd/dev/setup"
)

// timed is the task by which go test -exec runs the tests of a package, to learn their processor time; no person calls
// it. On Linux it counts what has a session of its own too, a broker and its browser, once that has ended.
const timed = "timed"

// processorFile is where runTimed notes the processor times, in the folder that goes with this program.
func processorFile() string { return filepath.Join(os.Getenv("GOTMPDIR"), "processor-times") }

// measuredBy are the flags of go test that have the tests run by [runTimed]; none where nobody asked for times.
func measuredBy(t *setup.Test) ([]string, error) {
	if !t.Times {
		return nil, nil
	}
	self, err := os.Executable()
	if err != nil || strings.ContainsAny(self+processorFile(), " \t") { // go test takes it as words
		return nil, err
	}
	return []string{"-exec", self + " " + timed + " " + processorFile()}, nil
}

// runTimed runs a test program, notes its processor time and gives its exit code.
func runTimed(file string, words []string) int {
	signal.Ignore(os.Interrupt) // the program's answer to it counts
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	code, used, err := runCounted(cmd)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	dir, err := os.Getwd()
	if err == nil {
		var f *os.File
		if f, err = os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600); err == nil {
			_, err = fmt.Fprintf(f, "%s\t%s\n", dir, used) // one write: they run beside each other
			err = errors.Join(err, f.Close())
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "noting the processor time:", err)
	}
	return code
}

// processorTimes are what runTimed noted, by import path.
func processorTimes(root string) map[string]time.Duration {
	text, _ := os.ReadFile(processorFile()) // where there is none, nothing ran
	out := map[string]time.Duration{}
	for line := range strings.Lines(string(text)) {
		dir, used, _ := strings.Cut(strings.TrimSpace(line), "\t")
		rel, err := filepath.Rel(root, dir)
		d, wrong := time.ParseDuration(used)
		if err == nil && wrong == nil {
			out[house.Module+"/"+filepath.ToSlash(rel)] = d
		}
	}
	return out
}

// sayTimes shows the packages that took longest, and what of it was waiting.
func sayTimes(t *setup.Test, slow []packageTime) {
	used := processorTimes(t.Root)
	var idle time.Duration
	for _, p := range slow {
		cpu, ok := used[p.path]
		if !ok {
			t.Say("      %8s  %s", setup.Seconds(p.took), p.path)
			continue
		}
		idle += max(0, p.took-cpu)
		t.Say("      %8s  %8s busy  %s", setup.Seconds(p.took), setup.Seconds(cpu), p.path)
	}
	if len(used) > 0 && len(slow) > 0 {
		t.Say("      %8s  of these not busy", setup.Seconds(idle))
	}
}

// packageTime is how long the tests of a package took, without their build; 0 where go's cache answered.
type packageTime struct {
	path string
	took time.Duration
}

// slowest are the packages that took longest, at most n, by what go test printed.
func slowest(output string, n int) []packageTime {
	var all []packageTime
	for line := range strings.Lines(output) {
		words := strings.Split(strings.TrimSpace(line), "\t")
		if len(words) < 3 || strings.TrimSpace(words[0]) != "ok" && words[0] != "FAIL" {
			continue
		}
		if took, err := time.ParseDuration(words[2]); err == nil {
			all = append(all, packageTime{words[1], took})
		}
	}
	slices.SortStableFunc(all, func(a, b packageTime) int { return int(b.took - a.took) })
	return all[:min(n, len(all))]
}
