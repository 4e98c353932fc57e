package foreign

import (
	"context"
	"fmt"
	"io"
	"io/fs"

	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/turn"
)

// Options say how a file is read.
type Options struct {
	// Redactor takes secrets out of every text; nil is the built-in rules alone.
	Redactor *redact.Redactor
	// Pictures is the folder that a history's screenshot files are looked for in, by
	// their last name alone, also in its subfolder "screenshots"; nil for nowhere.
	Pictures fs.FS
}

// Read hands out the turns of a file of size bytes, oldest first: each has a capture,
// its refs not assigned, and what the file has beside it. The record belongs to each;
// an error of each ends the reading and is returned as it is.
//
// What was damaged or is missing is in the report, which is given along with
// [ErrEmpty] too. Other errors are about the file as a whole and wrap [ErrUnknown],
// [ErrTooLarge] or [ErrNewer] where one of them is the reason; a file of [Session] is
// refused with [ErrUnknown], for package turn reads it.
func Read(ctx context.Context, r io.ReaderAt, size int64, o Options, each func(*turn.Record) error) (*Report, error) {
	format, err := Detect(r, size)
	if err != nil {
		return nil, err
	}
	s, err := newSealer(o.Redactor)
	if err != nil {
		return nil, err
	}
	rep := &Report{Format: format}
	give := func(rec *turn.Record) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if rep.Turns >= MaxTurns {
			rep.damaged("turns over the limit", "there are more than the %d turns that are read", MaxTurns)
			return errEnough
		}
		if err := each(rec); err != nil {
			return err
		}
		rep.Turns++
		return nil
	}
	switch format {
	case Playwright:
		err = readPlaywright(ctx, r, size, rep, s, give)
	case BrowserUse:
		err = readBrowserUse(ctx, r, size, rep, s, o.Pictures, give)
	default:
		return nil, fmt.Errorf("it is a session of our own: %w here", ErrUnknown)
	}
	rep.finish()
	if err == errEnough {
		err = nil
	}
	if err == nil && rep.Turns == 0 {
		err = ErrEmpty
	}
	return rep, err
}
