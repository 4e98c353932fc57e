package launch

import (
	"os"
	"testing"
	"time"
)

func TestRunning(t *testing.T) {
	home := t.TempDir()
	if list := List(home); len(list) != 0 {
		t.Errorf("%+v", list)
	}
	leave, err := Register(home, Running{What: "node agent.mjs", Session: "s", Began: time.Now()})
	if err != nil {
		t.Fatal(err)
	}
	if list := List(home); len(list) != 1 || list[0].PID != os.Getpid() || list[0].What != "node agent.mjs" {
		t.Errorf("%+v", list)
	}
	// One that was killed leaves its note, and nobody holds its lock.
	if err := os.WriteFile(runningFile(home, 1<<22, ".json"), []byte(`{"pid":4194304}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if list := List(home); len(list) != 1 {
		t.Errorf("%+v", list)
	}
	if _, err := os.Stat(runningFile(home, 1<<22, ".json")); err == nil {
		t.Error("the note of a tap that has ended stays")
	}
	if err := Stop(home, 1<<22); err == nil {
		t.Error("a process that is no tap is stopped")
	}
	leave()
	if list := List(home); len(list) != 0 {
		t.Errorf("%+v", list)
	}
}
