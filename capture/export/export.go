// Package export makes the exported files of a recorded turn: the marked picture with its
// manifest and legend, and the exact payload of a dialect. The command line and the
// window both use it, so what one shows is what the other writes.
package export

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// ErrNoPicture is the error of a picture that was not taken.
var ErrNoPicture = errors.New("the turn has no picture")

// Write writes a whole file or none: beside its place under a temporary name, then
// renamed. A file that was there keeps its mode; a new one is for its owner alone (0600), as
// what is exported holds a page as a person saw it. A device or a pipe, such as /dev/null, is written to and never
// replaced. Its error names the file that was requested.
func Write(name string, data []byte) error {
	return WriteBy(name, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// WritePrivate is [Write] for a file that only its owner may read, whatever was there.
func WritePrivate(name string, data []byte) error {
	return WritePrivateBy(name, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// WriteBy is [Write] for what need not be in memory as a whole. An error of write
// is returned as it is, and there is no file then.
func WriteBy(name string, write func(io.Writer) error) error { return writeBy(name, false, write) }

// WritePrivateBy is [WriteBy] with the mode of [WritePrivate].
func WritePrivateBy(name string, write func(io.Writer) error) error {
	return writeBy(name, true, write)
}

func writeBy(name string, private bool, write func(io.Writer) error) error {
	if there, err := os.Stat(name); err == nil && !there.Mode().IsRegular() && !there.IsDir() {
		return writeInto(name, write)
	}
	dir, base := filepath.Split(name)
	temporary := filepath.Join(dir, "."+base+"."+strings.ToLower(rand.Text()))
	f, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("writing %s: %w", name, Cause(err))
	}
	if err := write(f); err != nil {
		_ = f.Close() // best effort, as below: the error of write is what matters
		_ = os.Remove(f.Name())
		if path, ok := errors.AsType[*os.PathError](err); ok && path.Path == f.Name() {
			return fmt.Errorf("writing %s: %w", name, Cause(err))
		}
		return err
	}
	if before, serr := os.Stat(name); serr == nil && before.Mode().IsRegular() && !private {
		err = f.Chmod(before.Mode().Perm())
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

// writeInto writes to a device or a pipe, which stays.
func writeInto(name string, write func(io.Writer) error) error {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("writing %s: %w", name, Cause(err))
	}
	if err := write(f); err != nil {
		_ = f.Close() // the error of write is what matters
		return err
	}
	if err := f.Close(); err != nil {
		return fmt.Errorf("writing %s: %w", name, Cause(err))
	}
	return nil
}

// Cause is the innermost error: the operating system's own word, without the paths
// that wrap it, and without the full stop that ends it on Windows: a sentence goes on after it.
func Cause(err error) error {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			break
		}
		err = inner
	}
	if err != nil && strings.HasSuffix(err.Error(), ".") {
		return unstopped{err}
	}
	return err
}

// unstopped is an error without the full stop at its end.
type unstopped struct{ error }

func (u unstopped) Error() string { return strings.TrimRight(u.error.Error(), ".") }

func (u unstopped) Unwrap() error { return u.error }
