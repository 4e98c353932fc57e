package turn

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"
)

// notesEvery is how often the file of notes is looked at. It is one call of stat, and a
// remark of a person need not be there within a frame.
const notesEvery = 300 * time.Millisecond

// FollowNotes calls fn with all annotations of the session, at once and again whenever
// somebody adds one or takes one back, whichever process does. It returns when ctx is
// done, with ctx's error. Damage to the file hides no annotation that can be read and
// does not end it. It needs no lock, and calls fn from its own goroutine only.
func (s *Store) FollowNotes(ctx context.Context, fn func([]Annotation)) error {
	tick := time.NewTicker(notesEvery)
	defer tick.Stop()
	seen := "?"
	for {
		now, err := s.notesState()
		if err != nil {
			return fmt.Errorf("session %s cannot be read: %w", s.fs, err)
		}
		if now != seen { // taken before the file is read, so what comes now ends the next wait
			seen = now
			list, _ := s.annotations()
			fn(list)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// notesState tells one state of the file of notes from another; "" where there is none.
func (s *Store) notesState() (string, error) {
	f, err := s.fs.Open(notesFile)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	st, err := f.Stat()
	if err = errors.Join(err, f.Close()); err != nil {
		return "", err
	}
	return fmt.Sprint(st.Size(), st.ModTime().UnixNano()), nil
}
