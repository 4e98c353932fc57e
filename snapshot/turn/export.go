package turn

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"maps"
	"slices"
	"time"
)

// lockPatience is how long an export waits for a writer to finish its turn.
const lockPatience = 2 * time.Second

// Export writes the session as one file; see the package comment. What a writer
// is working on meanwhile is not in it: the file holds the turns that are whole
// when the export begins, and whatever they need.
//
// A part that is damaged or missing is an error, a [*DamagedError]; where damaged
// is true the rest is written, and what is wrong with it is returned. On an error
// what was written so far is of no use.
//
// The same session gives the same bytes, on every machine.
func (s *Store) Export(ctx context.Context, w io.Writer, damaged bool) ([]Damage, error) {
	z := zip.NewWriter(w)
	damage, err := s.each(ctx, damaged, func(name string, b []byte) error {
		const date = 1<<5 | 1 // 1 January 1980, the first day that zip knows
		//lint:ignore SA1019 CreateRaw writes the field as it is and does not look at Modified
		h := &zip.FileHeader{Name: name, Method: zip.Store, ModifiedDate: date, CRC32: crc32.ChecksumIEEE(b),
			CompressedSize64: uint64(len(b)), UncompressedSize64: uint64(len(b))}
		h.SetMode(0o600)
		f, err := z.CreateRaw(h)
		if err == nil {
			_, err = f.Write(b)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return damage, z.Close()
}

// files are the files of a session at one moment, big parts by name only.
type files struct {
	small  map[string][]byte // session.json, ledger, notes, turns
	parts  map[string]int64  // hash → size of the content, -1 where no turn records it
	damage []Damage
}

// each calls put for every file of the session in the order of their names, with
// what they hold; see [Store.Export] for the moment and for damage.
func (s *Store) each(ctx context.Context, damaged bool, put func(name string, b []byte) error) ([]Damage, error) {
	f, err := s.collect(ctx)
	if err != nil {
		return nil, err
	}
	names := slices.Collect(maps.Keys(f.small))
	for hash := range f.parts {
		names = append(names, partsDir+"/"+hash)
	}
	slices.Sort(names)
	r := &partReader{fs: s.fs}
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		b, ok := f.small[name]
		if !ok {
			hash := name[len(partsDir)+1:]
			if b, err = partFile(r, hash, f.parts[hash]); err != nil {
				f.damage = append(f.damage, Damage{Path: name, Why: err.Error()})
			}
		}
		if len(f.damage) > 0 && !damaged {
			return nil, s.gone(&DamagedError{f.damage})
		}
		if b == nil {
			continue
		}
		if err := put(name, b); err != nil {
			return nil, err
		}
	}
	return f.damage, s.gone(nil)
}

// gone is err, or that the session was removed in the meantime.
func (s *Store) gone(err error) error {
	f, oerr := s.fs.Open(sessionFile)
	if errors.Is(oerr, fs.ErrNotExist) {
		return fmt.Errorf("session %s was removed while it was read: %w", s.fs, fs.ErrNotExist)
	}
	if oerr == nil {
		_ = f.Close() // nothing was read from it
	}
	return err
}

// partFile is a part as it lies in its file, and what is wrong with its content. A
// size below 0 is unknown: no turn names the part, it is a base.
func partFile(r *partReader, hash string, size int64) ([]byte, error) {
	most := size
	if size < 0 {
		most = patchMax
	}
	file, err := readPart(r.fs, hash, maxPart)
	if err != nil {
		return nil, err
	}
	content, err := r.unfold(file, hash, most, maxPart, true)
	if err == nil && size >= 0 && int64(len(content)) != size {
		err = fmt.Errorf("it has %d bytes, not the %d that were written", len(content), size)
	}
	return file, err
}

// collect reads the session at one moment. A writer is given a little time to
// finish, for then the ledger and the turns agree; where it does not, the ledger
// is taken up to the last turn that is there.
func (s *Store) collect(ctx context.Context) (*files, error) {
	patience, cancel := context.WithTimeout(ctx, lockPatience)
	unlock, lerr := s.fs.Lock(patience)
	cancel()
	f, err := s.list(errors.Is(lerr, context.DeadlineExceeded))
	if lerr == nil {
		err = errors.Join(err, unlock())
	}
	if err != nil {
		return nil, s.gone(fmt.Errorf("session %s cannot be read: %w", s.fs, err))
	}
	return f, ctx.Err()
}

// list reads everything but the parts. busy: a writer is at work.
func (s *Store) list(busy bool) (*files, error) {
	f := &files{small: map[string][]byte{}, parts: map[string]int64{}, damage: s.sessionDamage()}
	// Notes before turns: they refer to existing turns. Turns before the
	// ledger: it knows them.
	notes, err := readFile(s.fs, notesFile, 0, maxNotes)
	if err == nil {
		f.small[notesFile] = notes[:bytes.LastIndexByte(notes, '\n')+1]
	} else if !errors.Is(err, fs.ErrNotExist) {
		f.damage = append(f.damage, Damage{Path: notesFile, Why: err.Error()})
	}
	turns, err := s.listTurns()
	if err != nil {
		return nil, err
	}
	lost := false // a turn cannot be read, so nobody knows its parts
	for _, n := range turns {
		name := turnDir(n) + "/" + turnFile
		b, err := readFile(s.fs, name, 0, maxText)
		if err == nil {
			f.small[name] = b
			var t *turnDoc
			if t, err = parseTurn(b, n); err == nil {
				f.turn(s.fs, t)
			}
		}
		if err != nil {
			f.damage = append(f.damage, turnDamage(n, err))
			lost = true
		}
	}
	if lost {
		if err := f.all(s.fs); err != nil {
			return nil, err
		}
	}
	last := 0
	if len(turns) > 0 {
		last = turns[len(turns)-1]
	}
	if err := f.ledger(s.fs, last, busy); err != nil {
		f.damage = append(f.damage, Damage{Path: ledgerFile, Why: err.Error()})
	}
	info, err := readFile(s.fs, sessionFile, 0, maxText)
	if err != nil {
		return nil, err
	}
	f.small[sessionFile] = info
	return f, nil
}

// turn takes in the parts of a turn and their bases.
func (f *files) turn(fsys FS, t *turnDoc) {
	for _, p := range t.Parts {
		f.parts[p.SHA256] = p.Size
		base, err := fileBase(fsys, p.SHA256)
		if err != nil || base == "" {
			continue // what is wrong with it shows when it is read
		}
		if _, ok := f.parts[base]; !ok {
			f.parts[base] = -1
		}
	}
}

// all takes in every part that is there.
func (f *files) all(fsys FS) error {
	list, err := fsys.ReadDir(partsDir)
	if err != nil {
		return err
	}
	for _, e := range list {
		if _, ok := f.parts[e.Name()]; !ok && isHash(e.Name()) {
			f.parts[e.Name()] = -1
		}
	}
	return nil
}

// ledger takes in the ledger without what a dead or busy writer left at its end.
func (f *files) ledger(fsys FS, last int, busy bool) error {
	b, err := readFile(fsys, ledgerFile, 0, maxLedger)
	if err != nil {
		return err
	}
	k := newFiledLedger()
	k.read(b)
	switch {
	case last > k.turn: // its end is damaged: nothing is cut off
	case busy && k.turn > last:
		b = b[:endOf(b, last)]
	default:
		b = b[:k.end]
	}
	f.small[ledgerFile] = b
	return nil
}

// endOf is where the batch of turn n ends in a ledger, or of the last turn before
// it: what follows is of later turns.
func endOf(ledger []byte, n int) int {
	end, at := 0, 0
	for l := range bytes.Lines(ledger) {
		at += len(l)
		if e, err := parseLine(bytes.TrimSuffix(l, []byte("\n"))); err == nil && e.closes() {
			if e.T > n {
				break
			}
			end = at
		}
	}
	return end
}
