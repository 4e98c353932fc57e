package foreign

import (
	"bufio"
	"errors"
	"fmt"
	"io"
)

// errLimit is the error of a reader that gave as much as it may.
var errLimit = errors.New("over the limit")

// bounded gives at most left bytes, then [errLimit] where more follow.
type bounded struct {
	r    io.Reader
	left int64
}

func newBounded(r io.Reader, limit int64) *bounded { return &bounded{r, limit} }

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		var one [1]byte
		if n, err := b.r.Read(one[:]); n == 0 {
			return 0, err
		}
		return 0, errLimit
	}
	if int64(len(p)) > b.left {
		p = p[:b.left]
	}
	n, err := b.r.Read(p)
	b.left -= int64(n)
	return n, err
}

// eachLine calls fn with each line that is not empty, numbered from 1, and tooLong
// instead where a line is longer than max bytes. What fn gets is valid only in the
// call. It stops at the first error of fn or of the reader.
func eachLine(r io.Reader, max int, fn func(n int, line []byte) error, tooLong func(n int)) error {
	in := bufio.NewReaderSize(r, 64<<10)
	var line []byte
	for n := 1; ; n++ {
		line = line[:0]
		long := false
		var err error
		for {
			var piece []byte
			piece, err = in.ReadSlice('\n')
			if !long {
				if line = append(line, piece...); len(line) > max+1 {
					long = true
				}
			}
			if !errors.Is(err, bufio.ErrBufferFull) {
				break
			}
		}
		for len(line) > 0 && (line[len(line)-1] == '\n' || line[len(line)-1] == '\r') {
			line = line[:len(line)-1]
		}
		switch {
		case long:
			tooLong(n)
		case len(line) > 0:
			if ferr := fn(n, line); ferr != nil {
				return ferr
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("after line %d: %w", n, err)
		}
	}
}

// skipBOM is the reader behind a byte order mark.
func skipBOM(r io.Reader) io.Reader {
	in := bufio.NewReader(r)
	if b, err := in.Peek(3); err == nil && string(b) == "\xEF\xBB\xBF" {
		_, _ = in.Discard(3) // they are in the buffer
	}
	return in
}
