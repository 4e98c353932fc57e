package turn

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
)

// Follow calls fn for every turn with a number above after, in order: at once for
// those that are there, then for each new one as soon as it is whole, whichever
// process writes it (N-13). It returns when ctx is done, with ctx's error, when fn
// returns an error, with that, or when the session can no longer be read.
//
// A turn whose turn.json is damaged comes with a [*DamagedError] and a summary
// that has only its number; it hides no others. Follow needs no lock and no right
// to write, and calls fn from its own goroutine only.
//
// It lists turns/ whenever [FS.Wait] returns; a folder is looked at ten times a second.
func (s *Store) Follow(ctx context.Context, after int, fn func(Summary, error) error) error {
	state := ""
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		// The state is that before the list, so a turn that comes now ends the next wait.
		var err error
		if state, err = s.fs.Wait(ctx, turnsDir, state); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		turns, err := s.listTurns()
		if errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("session %s is no longer there: %w", s.fs, err)
		}
		if err != nil {
			return fmt.Errorf("session %s cannot be read: %w", s.fs, err)
		}
		for _, n := range turns {
			if n <= after {
				continue
			}
			after = n
			sum := Summary{N: n}
			t, _, err := s.readTurn(n)
			if err == nil {
				sum = t.summary()
			} else {
				err = &DamagedError{[]Damage{turnDamage(n, err)}}
			}
			if err := fn(sum, err); err != nil {
				return err
			}
		}
	}
}
