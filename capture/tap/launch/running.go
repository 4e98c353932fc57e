package launch

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/gofrs/flock"
)

// Running is a tap that runs in a process of its own, with a command or a server of tools behind it.
type Running struct {
	PID int `json:"pid"`
	// What is run, without what may be secret in its arguments.
	What    string    `json:"what"`
	Session string    `json:"session"` // path of its session folder
	Began   time.Time `json:"began"`
}

// The folder of the notes about taps that run, below the home folder: PID.json, and PID.lock, which the tap holds
// locked as long as it lives, however it ends.
const runningDir = "taps"

func runningFile(home string, pid int, suffix string) string {
	return filepath.Join(home, runningDir, strconv.Itoa(pid)+suffix)
}

// Register notes that this process is a tap, for [List] and [Stop], until leave is called or it ends.
func Register(home string, r Running) (leave func(), err error) {
	r.PID = os.Getpid()
	if err := os.MkdirAll(filepath.Join(home, runningDir), 0o700); err != nil {
		return nil, fmt.Errorf("noting that a tap runs: %w", err)
	}
	lock := flock.New(runningFile(home, r.PID, ".lock"))
	if ok, err := lock.TryLock(); !ok {
		return nil, errors.Join(errors.New("noting that a tap runs: its note is held by another"), err)
	}
	leave = func() {
		_ = os.Remove(runningFile(home, r.PID, ".json")) // List removes what is left
		_ = lock.Unlock()
		_ = os.Remove(runningFile(home, r.PID, ".lock"))
	}
	raw, err := json.Marshal(r)
	if err == nil {
		err = os.WriteFile(runningFile(home, r.PID, ".json"), raw, 0o600)
	}
	if err != nil {
		leave()
		return nil, fmt.Errorf("noting that a tap runs: %w", err)
	}
	return leave, nil
}

// List are the taps that run, the oldest first. Notes of those that have ended are removed.
func List(home string) []Running {
	notes, _ := filepath.Glob(filepath.Join(home, runningDir, "*.json"))
	var out []Running
	for _, note := range notes {
		pid, err := strconv.Atoi(strings.TrimSuffix(filepath.Base(note), ".json"))
		if err != nil {
			continue
		}
		if !lives(home, pid) {
			_ = os.Remove(note)
			_ = os.Remove(runningFile(home, pid, ".lock"))
			continue
		}
		var r Running
		raw, err := os.ReadFile(note)
		if err == nil && json.Unmarshal(raw, &r) == nil && r.PID == pid {
			out = append(out, r)
		}
	}
	slices.SortFunc(out, func(a, b Running) int { return a.Began.Compare(b.Began) })
	return out
}

// lives reports whether the tap of that note holds its lock.
func lives(home string, pid int) bool {
	lock := flock.New(runningFile(home, pid, ".lock"))
	ok, err := lock.TryLock()
	if ok {
		_ = lock.Unlock()
	}
	return err == nil && !ok
}

// Stop ends a tap that runs, with the command behind it, which gets the signal that a person would send.
func Stop(home string, pid int) error {
	if !lives(home, pid) {
		return errors.New("this tap has ended")
	}
	p, err := os.FindProcess(pid)
	if err != nil {
		return fmt.Errorf("stopping a tap: %w", err)
	}
	defer p.Release()
	if runtime.GOOS == "windows" {
		return p.Kill()
	}
	return p.Signal(syscall.SIGTERM)
}
