package turn

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Store is one session folder. It is safe for concurrent use, and several
// processes may have the same folder open: one writes at a time, all can read.
type Store struct {
	fs   FS
	info Info
	// broken explains why session.json cannot be read; the turns still can.
	broken error
	// mu is held by the goroutine that appends; a channel, so that waiting for
	// it ends with a context.
	mu chan struct{}
	// book is the ledger as this process last read or wrote it, guarded by mu;
	// nil where the file has to be read again.
	book *filedLedger
	// bases are the newest turns as this process last read or wrote them, guarded
	// by mu; nil where they have to be read again.
	bases *baseFinder
	// alone: no other process knows the folder, since [Build] is filling it.
	alone bool
}

// Info is session.json.
type Info struct {
	Format  string    `json:"format"`  // the version of the session's files
	ID      string    `json:"id"`      // what tells it from every other session
	Created time.Time `json:"created"` // when it was made
	// Tool is the program that made the session and its version.
	Tool string `json:"tool,omitempty"`
}

func newStore(fsys FS) *Store { return &Store{fs: fsys, mu: make(chan struct{}, 1)} }

// Same reports whether two stores are of the same session in the same folder: the one that was opened first has read
// its ledger.
func (s *Store) Same(other *Store) bool {
	return s.Path() == other.Path() && s.info.ID == other.info.ID && s.broken == nil && other.broken == nil
}

// Path is the session folder.
func (s *Store) Path() string { return s.fs.String() }

// Create makes a session in a folder that is empty or not there. It fails with
// [ErrExists] where the folder is a session, and with [ErrNotSession] where it
// holds other things: those are never touched. tool names the program and its
// version, for session.json.
func Create(ctx context.Context, fsys FS, tool string) (*Store, error) {
	info := Info{Format: sessionFormat, ID: strings.ToLower(rand.Text()),
		Created: time.Now().UTC().Truncate(time.Millisecond), Tool: clip(tool, 100)}
	if err := create(ctx, fsys, info); err != nil {
		if errors.Is(err, ErrExists) || errors.Is(err, ErrNotSession) {
			return nil, err
		}
		return nil, explainWrite(fsys, err)
	}
	return Open(fsys)
}

func create(ctx context.Context, fsys FS, info Info) (err error) {
	if err := fsys.Mkdir("."); err != nil {
		return err
	}
	if err := onlyOurs(fsys); err != nil {
		return err
	}
	unlock, err := fsys.Lock(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if err := onlyOurs(fsys); err != nil { // another process may have been here first
		return err
	}
	if err := noTurns(fsys); err != nil {
		return err
	}
	for _, d := range []string{turnsDir, partsDir, tmpDir} {
		if err := fsys.Mkdir(d); err != nil {
			return err
		}
	}
	if err := freshLedger(fsys, info.ID); err != nil {
		return err
	}
	b, err := sealFile(info)
	if err != nil {
		return err
	}
	// session.json comes last: with it the folder is a session, without it a
	// leftover that the next Create takes over.
	if err := placeFile(fsys, "session", sessionFile, b); err != nil {
		return err
	}
	return fsys.SyncDir(".")
}

// freshLedger writes a ledger of one line, in place of one that may be there.
func freshLedger(fsys FS, session string) error {
	b, err := sealLine(line{K: kindLedger, S: 1, Format: ledgerFormat, Session: session})
	if err != nil {
		return err
	}
	if err := placeFile(fsys, "ledger", ledgerFile, b); err != nil {
		return err
	}
	return fsys.SyncDir(".")
}

// onlyOurs reports an error where the folder is a session or holds what a
// session folder does not.
func onlyOurs(fsys FS) error {
	list, err := fsys.ReadDir(".")
	if err != nil {
		return err
	}
	for _, e := range list {
		if e.Name() == sessionFile {
			return fmt.Errorf("%s %w", fsys, ErrExists)
		}
	}
	for _, e := range list {
		switch e.Name() {
		case ledgerFile, notesFile, lockFile, turnsDir, partsDir, tmpDir:
		default:
			return fmt.Errorf("%s %w and not empty (it holds %q): choose a new folder", fsys, ErrNotSession, e.Name())
		}
	}
	return nil
}

// noTurns reports an error where a folder without session.json holds turns: it is
// a session that lost the file, and not what a dead Create left.
func noTurns(fsys FS) error {
	list, err := fsys.ReadDir(turnsDir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && len(list) > 0 {
		err = fmt.Errorf("%s %w: it has turns but no %s: choose a new folder", fsys, ErrNotSession, sessionFile)
	}
	return err
}

// missingError is a session that is not there.
type missingError struct{ where string }

func (e *missingError) Error() string { return "session " + e.where + " does not exist" }
func (e *missingError) Unwrap() error { return fs.ErrNotExist }

// Open opens a session folder for reading and writing; it needs no right to
// write until [Store.Append] is called. Where session.json is damaged but turns
// are there, it opens for reading, and List and Check report the damage.
//
// Errors: [fs.ErrNotExist] where there is no such folder, [ErrNotSession] where
// it is something else, [ErrNewer] where this program is too old for it.
func Open(fsys FS) (*Store, error) {
	s := newStore(fsys)
	b, err := readFile(fsys, sessionFile, 0, maxText)
	if errors.Is(err, fs.ErrNotExist) {
		if _, derr := fsys.ReadDir("."); errors.Is(derr, fs.ErrNotExist) {
			return nil, &missingError{fmt.Sprint(fsys)}
		}
		return nil, fmt.Errorf("%s %w: it has no %s", fsys, ErrNotSession, sessionFile)
	}
	if err != nil && errors.Is(err, fs.ErrPermission) {
		return nil, fmt.Errorf("session %s cannot be read: %w", fsys, err)
	}
	if err == nil {
		err = s.parseInfo(b)
	}
	if errors.Is(err, ErrNewer) {
		return nil, fmt.Errorf("session %s %w", fsys, err)
	}
	if err != nil {
		if _, derr := fsys.ReadDir(turnsDir); derr != nil {
			return nil, fmt.Errorf("%s %w: its %s: %w", fsys, ErrNotSession, sessionFile, err)
		}
		s.broken = err
	}
	return s, nil
}

// parseInfo reads session.json. Sessions of the first versions have no checksum; they have only the members that we
// know, so that one whose checksum was damaged is not taken for them.
func (s *Store) parseInfo(b []byte) error {
	var head struct {
		Format string `json:"format"`
		CRC    string `json:"crc"`
	}
	if err := json.Unmarshal(b, &head); err != nil {
		return err
	}
	if head.CRC != "" {
		if err := unseal(b, &head); err != nil {
			return err
		}
	}
	if err := checkFormat(head.Format, sessionFormat); err != nil {
		return err
	}
	if head.CRC == "" {
		d := json.NewDecoder(bytes.NewReader(b))
		d.DisallowUnknownFields()
		return d.Decode(&s.info)
	}
	return json.Unmarshal(b, &s.info)
}

// OpenOrCreate opens the session, or makes it where there is none.
func OpenOrCreate(ctx context.Context, fsys FS, tool string) (*Store, error) {
	s, err := Open(fsys)
	if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, ErrNotSession) {
		return s, err
	}
	s, err = Create(ctx, fsys, tool)
	if errors.Is(err, ErrExists) {
		return Open(fsys)
	}
	return s, err
}

// tmpName is a new name under tmp/.
func tmpName(what string) string { return tmpDir + "/" + what + "-" + rand.Text()[:12] }

// turnDir is the folder of turn n.
func turnDir(n int) string { return fmt.Sprintf("%s/%04d", turnsDir, n) }

// parseTurnDir reads the last element of a turn folder's name, in the one way
// in which turnDir spells it.
func parseTurnDir(name string) (int, bool) {
	if len(name) < 4 || len(name) > 9 || strings.Trim(name, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(name)
	return n, err == nil && n > 0 && fmt.Sprintf("%04d", n) == name
}

// turnNumbers lists the turns that are there, in order, readable or not. Where
// the folder turns is missing there are none.
func (s *Store) turnNumbers() ([]int, error) {
	all, err := s.listTurns()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return all, err
}

// listTurns lists the folder turns.
func (s *Store) listTurns() ([]int, error) {
	list, err := s.fs.ReadDir(turnsDir)
	var all []int
	for _, e := range list {
		if n, ok := parseTurnDir(e.Name()); ok {
			all = append(all, n)
		}
	}
	// Sorted by name is sorted by number up to 9999 only.
	slices.Sort(all)
	return all, err
}

func (s *Store) readTurn(n int) (*turnDoc, []byte, error) {
	b, err := readFile(s.fs, turnDir(n)+"/"+turnFile, 0, maxText)
	if err != nil {
		return nil, nil, err
	}
	t, err := parseTurn(b, n)
	return t, b, err
}

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
			return fmt.Errorf("session %s is no longer there: %w", s.fs, fs.ErrNotExist)
		}
		if err != nil {
			return fmt.Errorf("session %s cannot be read: %w", s.fs, err)
		}
		for _, n := range turns {
			if n <= after {
				continue
			}
			after = n
			sum := Summary{Head: Head{N: n}}
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
