package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/refscope/refscope/capture/export"
)

// dash is standard input in the place of a TARGET, and standard output in that of a file that is written.
const dash = "-"

// mostPiped is the most that is read as one page or capture, in bytes.
const mostPiped = 256 << 20

// pipedTarget is standard input as a file that can be opened as a TARGET: a capture where it begins as JSON, else a
// page. The file is removed when the command is over.
func (a *app) pipedTarget(ctx context.Context) (string, error) {
	if a.pipedFile != "" { // it is named twice
		return a.pipedFile, nil
	}
	if a.nothingPiped() {
		return "", usagef("-: nothing is piped in: write COMMAND | refscopectl snap -, or name a target")
	}
	body, err := io.ReadAll(io.LimitReader(a.stdin(ctx), mostPiped+1))
	if err != nil {
		return "", fmt.Errorf("reading standard input: %w", err)
	}
	switch {
	case len(bytes.TrimSpace(body)) == 0:
		return "", usagef("-: standard input is empty: pipe a page or a capture in")
	case len(body) > mostPiped:
		return "", usagef("-: standard input is longer than %d bytes: write it to a file", mostPiped)
	}
	name := "stdin.html"
	if bytes.HasPrefix(bytes.TrimSpace(body), []byte("{")) {
		name = "stdin.json"
	}
	dir, err := os.MkdirTemp("", "refscope-stdin-")
	if err != nil {
		return "", fmt.Errorf("keeping standard input: %w", err)
	}
	a.temporary = append(a.temporary, dir)
	a.pipedFile = filepath.Join(dir, name)
	return a.pipedFile, export.WritePrivate(a.pipedFile, body)
}

// written is a file that a command writes: where its name is -, it goes to standard output.
type written struct {
	name *string
	ext  string // of what goes there
}

// toOutput has the one of the files whose name is - written elsewhere meanwhile; finish, which gets the error of the
// command, prints it.
func (a *app) toOutput(command string, files ...written) (finish func(error) error, err error) {
	var one *written
	for i := range files {
		switch {
		case *files[i].name != dash:
		case one != nil:
			return nil, usagef("%s: - is standard output: name a file for one of the two", command)
		default:
			one = &files[i]
		}
	}
	if one == nil {
		return func(err error) error { return err }, nil
	}
	if a.json {
		return nil, usagef("%s: - is standard output, where --json prints: name a file", command)
	}
	if f, ok := a.stdout.(*os.File); ok && terminal(f) && one.ext != ".json" && one.ext != ".txt" {
		return nil, usagef("%s: -: a terminal cannot show that: name a file, or pipe it to a command", command)
	}
	dir, err := os.MkdirTemp("", "refscope-stdout-")
	if err != nil {
		return nil, fmt.Errorf("%s: -: %w", command, err)
	}
	a.temporary = append(a.temporary, dir)
	file := filepath.Join(dir, "stdout"+one.ext)
	*one.name = file
	return func(err error) error {
		if err != nil {
			return err
		}
		f, err := os.Open(file)
		if err != nil {
			return usagef("%s: -: several files were made, and standard output is one: name a file", command)
		}
		defer f.Close()
		_ = os.RemoveAll(dir) // a reader that leaves early ends this program; what cannot be removed now is later
		if _, err := io.Copy(a.stdout, f); err != nil {
			return fmt.Errorf("%s: -: %w", command, err)
		}
		return nil
	}, nil
}

// tidy removes what was kept for the time of the command.
func (a *app) tidy() {
	for _, dir := range a.temporary {
		if err := os.RemoveAll(dir); err != nil {
			a.log().Debug("a temporary folder stays", "error", err)
		}
	}
}
