// Package export makes what a recorded turn hands out: the marked picture with its
// manifest and legend, and the exact payload of a dialect. The command line and the
// window both come here, so what one shows is what the other writes.
package export

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// ErrNoPicture is the error of a picture that was not taken.
var ErrNoPicture = errors.New("the turn has no picture")

// Write writes a whole file or none: beside its place under a temporary name, then
// renamed. Its error names the file that was asked for.
func Write(name string, data []byte) error {
	return WriteBy(name, func(w io.Writer) error {
		_, err := bytes.NewReader(data).WriteTo(w)
		return err
	})
}

// WriteBy is [Write] for what need not be in memory as a whole. An error of write
// is returned as it is, and there is no file then.
func WriteBy(name string, write func(io.Writer) error) error {
	dir, base := filepath.Split(name)
	if dir == "" {
		dir = "."
	}
	f, err := os.CreateTemp(dir, "."+base+".*")
	if err != nil {
		return fmt.Errorf("writing %s: %w", name, Cause(err))
	}
	if err := write(f); err != nil {
		_ = f.Close() // best effort, as below: the error of write is what matters
		_ = os.Remove(f.Name())
		var path *os.PathError
		if errors.As(err, &path) && path.Path == f.Name() {
			return fmt.Errorf("writing %s: %w", name, Cause(err))
		}
		return err
	}
	if err == nil {
		err = f.Chmod(0o644)
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // best effort: the error below is what matters
		return fmt.Errorf("writing %s: %w", name, Cause(err))
	}
	return nil
}

// Cause is the innermost error: the operating system's own word, without the paths
// that wrap it.
func Cause(err error) error {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err
		}
		err = inner
	}
}
