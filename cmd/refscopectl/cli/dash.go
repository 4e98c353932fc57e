package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/refscope/refscope/capture/export"
)

// Dash is standard input in the place of a TARGET, and standard output in that of a file that is written.
const Dash = "-"

// mostPiped is the most that is read as one page or capture, in bytes.
const mostPiped = 256 << 20

// pipedTarget is standard input as a file that can be opened as a TARGET: a capture where it begins as JSON, else a
// page. The file is removed when the command is over.
func (a *App) pipedTarget(ctx context.Context) (string, error) {
	if a.pipedFile != "" { // it is named twice
		return a.pipedFile, nil
	}
	if a.NothingPiped() {
		return "", Usagef("-: nothing is piped in: write COMMAND | refscopectl snap -, or name a target")
	}
	body, err := io.ReadAll(io.LimitReader(a.Stdin(ctx), mostPiped+1))
	if err != nil {
		return "", fmt.Errorf("reading standard input: %w", err)
	}
	switch {
	case len(bytes.TrimSpace(body)) == 0:
		return "", Usagef("-: standard input is empty: pipe a page or a capture in")
	case len(body) > mostPiped:
		return "", Usagef("-: standard input is longer than %d bytes: write it to a file", mostPiped)
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

// Written is a file that a command writes: where its name is -, it goes to standard output.
type Written struct {
	Name *string
	Ext  string // of what goes there
}

// ToOutput has the one of the files whose name is - written elsewhere meanwhile; finish, which gets the error of the
// command, prints it.
func (a *App) ToOutput(command string, files ...Written) (finish func(error) error, err error) {
	var one *Written
	for i := range files {
		switch {
		case *files[i].Name != Dash:
		case one != nil:
			return nil, Usagef("%s: - is standard output: name a file for one of the two", command)
		default:
			one = &files[i]
		}
	}
	if one == nil {
		return func(err error) error { return err }, nil
	}
	if a.JSON {
		return nil, Usagef("%s: - is standard output, where --json prints: name a file", command)
	}
	if Terminal(a.Stdout) && one.Ext != ".json" && one.Ext != ".txt" {
		return nil, Usagef("%s: -: a terminal cannot show that: name a file, or pipe it to a command", command)
	}
	dir, err := os.MkdirTemp("", "refscope-stdout-")
	if err != nil {
		return nil, fmt.Errorf("%s: -: %w", command, err)
	}
	a.temporary = append(a.temporary, dir)
	file := filepath.Join(dir, "stdout"+one.Ext)
	*one.Name = file
	return func(err error) error {
		if err != nil {
			return err
		}
		f, err := os.Open(file)
		if err != nil {
			return Usagef("%s: -: several files were made, and standard output is one: name a file", command)
		}
		defer f.Close()
		_ = os.RemoveAll(dir) // a reader that leaves early ends this program; what cannot be removed now is later
		if _, err := io.Copy(a.Stdout, f); err != nil {
			return fmt.Errorf("%s: -: %w", command, err)
		}
		return nil
	}, nil
}

// Tidy removes what was kept for the time of the command.
func (a *App) Tidy() {
	for _, dir := range a.temporary {
		if err := os.RemoveAll(dir); err != nil {
			a.Log().Debug("a temporary folder stays", "error", err)
		}
	}
}
