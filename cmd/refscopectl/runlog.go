package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/capture/step"
	"github.com/refscope/refscope/snapshot/redact"
)

// noteRun writes a command and its answer to ./log/SEQ-TAB-ACTIONS.STATUS.json with
// --debug (seed 17.5). What was typed is not in it, nor what looks like a secret. A file
// that cannot be written is not written: it is never the command's fault.
func (a *app) noteRun(c *step.Command, size int, done *outcome) {
	if !a.debug {
		return
	}
	if err := a.writeRun(c, size, done); err != nil {
		a.log().Debug("the debug log could not be written", "error", err)
	}
}

func (a *app) writeRun(c *step.Command, size int, done *outcome) error {
	const dir = "log"
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	request := json.RawMessage(fmt.Sprintf(`"[%d bytes that could not be read as a command]"`, size))
	if c != nil {
		var err error
		if request, err = c.Redacted(); err != nil {
			return err
		}
	}
	entry := struct {
		Time     string          `json:"timestamp"`
		Request  json.RawMessage `json:"request"`
		Response json.RawMessage `json:"response"`
	}{time.Now().UTC().Format(time.RFC3339Nano), request, done.Body}
	b, err := json.Marshal(entry)
	if err != nil {
		return err
	}
	if b, err = redact.JSON(b, redact.Standard()); err != nil {
		return err
	}
	status := "error"
	if done.OK {
		status = "ok"
	}
	seq, err := nextSeq(dir)
	if err != nil {
		return err
	}
	return export.Write(filepath.Join(dir, fmt.Sprintf("%03d-%s.%s.json", seq, runName(c, done), status)), append(b, '\n'))
}

// runName is the tab and the first three actions: t1-goto-click-fill-plus2.
func runName(c *step.Command, done *outcome) string {
	var parts []string
	var answer struct{ Tab string }
	if json.Unmarshal(done.Body, &answer) == nil && plain(answer.Tab) {
		parts = append(parts, answer.Tab)
	}
	if c == nil {
		return strings.Join(append(parts, "invalid"), "-")
	}
	for i, s := range c.Steps {
		if i == 3 {
			parts = append(parts, fmt.Sprintf("plus%d", len(c.Steps)-3))
			break
		}
		parts = append(parts, s.Action)
	}
	return strings.Join(parts, "-")
}

// plain reports whether a text can stand in a file's name.
func plain(s string) bool {
	return s != "" && len(s) <= 40 && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == ""
}

// nextSeq is the number after the highest of the folder's files.
func nextSeq(dir string) (int, error) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return 0, err
	}
	highest := 0
	for _, f := range files {
		head, _, ok := strings.Cut(f.Name(), "-")
		if n, err := strconv.Atoi(head); ok && err == nil {
			highest = max(highest, n)
		}
	}
	return highest + 1, nil
}
