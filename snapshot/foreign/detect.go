package foreign

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Detect tells which format a file of size bytes has, by its content alone: a zip with
// a session.json is a session, one with a .trace file a Playwright trace; JSON whose
// first level has a "history" is one of browser-use. Errors are [ErrUnknown], and
// [ErrTooLarge]; a zip whose directory cannot be read is said to be damaged.
func Detect(r io.ReaderAt, size int64) (Format, error) {
	if size > MaxFile {
		return "", fmt.Errorf("%w: %d bytes, at most %d are read", ErrTooLarge, size, int64(MaxFile))
	}
	head := make([]byte, 4096)
	n, err := r.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("reading the file: %w", err)
	}
	head = head[:n]
	switch {
	case bytes.HasPrefix(head, []byte("PK\x03\x04")), bytes.HasPrefix(head, []byte("PK\x05\x06")):
		return detectZip(r, size)
	case isHistory(io.NewSectionReader(r, 0, size)):
		return BrowserUse, nil
	}
	return "", ErrUnknown
}

func detectZip(r io.ReaderAt, size int64) (Format, error) {
	z, err := openZip(r, size)
	if err != nil {
		return "", err
	}
	trace := false
	for _, f := range z.File {
		switch {
		case f.Name == "session.json" || strings.HasSuffix(f.Name, "/session.json") && strings.Count(f.Name, "/") == 1:
			return Session, nil
		case strings.HasSuffix(f.Name, traceSuffix):
			trace = true
		}
	}
	if trace {
		return Playwright, nil
	}
	return "", ErrUnknown
}

// openZip reads a zip's directory.
func openZip(r io.ReaderAt, size int64) (*zip.Reader, error) {
	z, err := zip.NewReader(r, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, fmt.Errorf("its zip directory cannot be read (%w): the file is cut off or damaged: get it again", err)
	}
	if len(z.File) > MaxEntries {
		return nil, fmt.Errorf("%w: %d files in the zip, at most %d are read", ErrTooLarge, len(z.File), MaxEntries)
	}
	return z, nil
}

// isHistory reports whether JSON begins an object that has a "history" list before
// anything that is nested.
func isHistory(r io.Reader) bool {
	d := json.NewDecoder(newBounded(skipBOM(r), 1<<20))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return false
	}
	for range 16 {
		key, err := d.Token()
		if err != nil {
			return false
		}
		value, err := d.Token()
		if err != nil {
			return false
		}
		if key == "history" {
			return value == json.Delim('[')
		}
		if _, nested := value.(json.Delim); nested {
			return false
		}
	}
	return false
}
