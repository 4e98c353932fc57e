package turn

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"
	"time"

	"github.com/refscope/refscope/snapshot"
)

const (
	// maxLedger is the largest ledger that is read, in bytes.
	maxLedger = 1 << 30
	// leftoverAge is how old a leftover in tmp/ must be before it is removed. Under
	// the lock nobody else writes; the age is for file systems whose locks lie.
	leftoverAge = time.Hour
)

// Append writes one turn. It waits for the session's lock until ctx is done,
// then calls fill with the session's ledger; fill assigns the refs of its
// capture with [Ledger.Assign] under the number [Ledger.NextTurn] and returns
// the record. While fill runs no other process can write to the session, so it
// should do nothing slow.
//
// When Append returns without error the turn is whole on disk and will survive
// a crash. On an error there is no such turn, and the session is as it was; only
// numbers may be burned. The one exception is named in the error: the turn is
// there, but the disk did not confirm it.
func (s *Store) Append(ctx context.Context, fill func(l *Ledger) (*Record, error)) (rec *Record, err error) {
	unlock, err := s.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	done := false
	defer func() {
		if !done { // also where fill panics: what is in memory is not what is on disk
			s.book, s.bases = nil, nil
		}
	}()
	if err := s.prepare(); err != nil {
		return nil, explainWrite(s.fs, err)
	}
	rec, err = fill(s.book.Ledger)
	if err != nil {
		return nil, err
	}
	if err := s.ready(rec); err != nil {
		return nil, fmt.Errorf("session %s: turn %d: %w", s.fs, s.book.NextTurn(), err)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	out, err := s.write(rec)
	if err != nil {
		return nil, explainWrite(s.fs, err)
	}
	done = true
	return out, nil
}

// lock waits until nobody else writes to the session, in this process or another.
func (s *Store) lock(ctx context.Context) (unlock func() error, err error) {
	if s.broken != nil {
		return nil, fmt.Errorf("session %s is open for reading only: its %s is damaged: %w", s.fs,
			sessionFile, s.broken)
	}
	select {
	case s.mu <- struct{}{}:
	case <-ctx.Done():
		return nil, explainWrite(s.fs, ctx.Err())
	}
	if s.alone {
		return func() error { <-s.mu; return nil }, nil
	}
	release, err := s.fs.Lock(ctx)
	if err != nil {
		<-s.mu
		return nil, explainWrite(s.fs, err)
	}
	return func() error {
		err := release()
		<-s.mu
		return explainWrite(s.fs, err)
	}, nil
}

// prepare brings the ledger up to date, cuts off what a dead writer left, and
// lists the turns that are there. The lock is held. Where nobody else can write,
// what the turn before left in memory is what is on disk.
func (s *Store) prepare() error {
	if !s.alone || s.book == nil || s.bases == nil {
		if err := s.reread(); err != nil {
			return err
		}
	}
	s.book.pending, s.book.seen = nil, map[int]bool{}
	return nil
}

// reread is prepare where another process may have written since.
func (s *Store) reread() error {
	s.sweep()
	turns, err := s.turnNumbers()
	if err != nil {
		return err
	}
	if err := s.loadBook(); err != nil {
		return err
	}
	k := s.book
	last := 0
	if len(turns) > 0 {
		last = turns[len(turns)-1]
	}
	if last > k.turn && k.tailSize > 0 {
		k.keepTail()
	}
	// A ledger that lost lines must not lead to a number being given twice: the
	// turns know the highest as well.
	floor := turns
	if len(k.damage) == 0 && last <= k.turn {
		floor = turns[len(turns)-min(1, len(turns)):]
	}
	for _, n := range floor {
		if t, _, err := s.readTurn(n); err == nil {
			k.high = max(k.high, t.Highest)
		}
	}
	k.turn = max(k.turn, last)
	s.bases = &baseFinder{s: s, r: &partReader{fs: s.fs}, turns: turns}
	return nil
}

// loadBook reads what the ledger has gained since it was last read; one that is missing is made. The lock is held.
func (s *Store) loadBook() error {
	err := s.readOn()
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := freshLedger(s.fs, s.info.ID); err != nil {
		return err
	}
	return s.readOn()
}

// readOn reads what the ledger has gained since it was last read.
func (s *Store) readOn() error {
	if k := s.book; k != nil && k.lastCommitted != nil {
		from := k.end - int64(len(k.lastCommitted)) - 1
		b, err := readFile(s.fs, ledgerFile, from, maxLedger)
		if rest, ok := bytes.CutPrefix(b, append(bytes.Clone(k.lastCommitted), '\n')); err == nil && ok {
			k.read(rest)
			return k.fatal
		}
	}
	s.book = nil
	k, err := readBook(s.fs)
	if err != nil {
		return err
	}
	s.book = k
	return nil
}

func readBook(fsys FS) (*filedLedger, error) {
	b, err := readFile(fsys, ledgerFile, 0, maxLedger)
	if err != nil {
		return nil, err
	}
	k := newFiledLedger()
	k.read(b)
	if k.fatal != nil {
		return nil, fmt.Errorf("its ledger: %w", k.fatal)
	}
	return k, nil
}

// ready checks a record before anything is written, and fills its meta.
func (s *Store) ready(rec *Record) error {
	n := s.book.NextTurn()
	switch {
	case rec == nil || rec.Capture == nil:
		return errors.New("there is no capture")
	case rec.N != 0 && rec.N != n:
		return fmt.Errorf("the record has the number %d", rec.N)
	case len(rec.Note) > maxNote:
		return fmt.Errorf("the note has %d bytes, more than the %d allowed", len(rec.Note), maxNote)
	case len(rec.Action) > maxAction:
		return fmt.Errorf("the action has %d bytes, more than the %d allowed", len(rec.Action), maxAction)
	}
	if len(rec.Picture) > 0 {
		if err := checkPicture(rec.Picture); err != nil {
			return err
		}
	}
	if err := rec.checkBeside(); err != nil {
		return err
	}
	if err := validate(rec.Capture); err != nil {
		return err
	}
	for i := range rec.Capture.Nodes {
		node := &rec.Capture.Nodes[i]
		if node.Verdict.Kept() && s.book.refs[node.Ref] == nil {
			return fmt.Errorf("node %d has no ref of this session's ledger: call Assign first", node.I)
		}
	}
	for _, e := range s.book.pending {
		if e.T != n {
			return fmt.Errorf("refs were assigned for turn %d", e.T)
		}
	}
	return nil
}

// write writes the parts, the ledger's batch and the turn.
func (s *Store) write(rec *Record) (*Record, error) {
	k, c := s.book, rec.Capture
	out := *rec
	out.N = k.NextTurn()
	out.Meta = fillMeta(rec.Meta, c)
	head := Head{N: out.N, Time: c.TakenAt, Action: rec.Action, Note: rec.Note, URL: clip(c.URL, maxURL),
		Title: clip(c.Title, maxTitle), Counts: count(c), Lacks: rec.Lacks}
	doc := turnDoc{Format: turnFormat, Head: head, Highest: k.high, Meta: out.Meta}
	files, err := s.partFiles(rec, &doc)
	if err != nil {
		return nil, err
	}
	out.Parts = doc.parts()
	tj, err := sealFile(doc)
	if err != nil {
		return nil, err
	}
	if len(tj) > maxText {
		return nil, fmt.Errorf("%s would have %d bytes, more than the %d allowed", turnFile, len(tj), maxText)
	}
	if err := s.place(out.N, files, tj); err != nil {
		return nil, err
	}
	if s.alone {
		s.bases.add(&doc)
	} else {
		s.bases = nil // the next turn reads them again
	}
	return &out, nil
}

// place makes the parts, the ledger's batch and the turn durable, in three waits for the disk: what one wait has in it
// is in no order, and the turn appears, at once, when all else is durable. In a folder that nobody else knows yet, all
// is written where it belongs at once.
func (s *Store) place(n int, files map[string][]byte, tj []byte) error {
	tmp := turnDir(n)
	if !s.alone {
		tmp = tmpName(fmt.Sprintf("turn-%04d", n))
	}
	first := []func() error{func() error { return s.buildTurn(tmp, tj) }}
	for hash, file := range files {
		name := partsDir + "/" + hash
		first = append(first, func() error {
			if s.alone {
				return writeFile(s.fs, name, file)
			}
			return placeFile(s.fs, "part", name, file)
		})
	}
	err := together(first...)
	if err == nil {
		err = together(
			func() error { return s.fs.SyncDir(partsDir) },
			func() error { return s.writeLedger(n, hashOf(tj)) })
	}
	if err == nil && !s.alone {
		err = s.fs.Rename(tmp, turnDir(n))
	}
	if err != nil {
		s.removeTurn(tmp)
		return err
	}
	if err := s.fs.SyncDir(turnsDir); err != nil {
		return fmt.Errorf("turn %d is there, but the disk did not confirm it: %w", n, err)
	}
	return nil
}

// together does several things at the same time, and waits for all: a disk confirms many files as soon as one.
func together(do ...func() error) error {
	errs := make([]error, len(do))
	var work sync.WaitGroup
	for i := range do {
		work.Go(func() { errs[i] = do[i]() })
	}
	work.Wait()
	for _, err := range errs {
		if err != nil {
			return err // the first says enough: a full disk has one for each
		}
	}
	return nil
}

// buildTurn builds the turn's folder under tmp/.
func (s *Store) buildTurn(tmp string, tj []byte) error {
	if err := s.fs.Mkdir(tmp); err != nil {
		return err
	}
	if err := writeFile(s.fs, tmp+"/"+turnFile, tj); err != nil {
		return err
	}
	return s.fs.SyncDir(tmp)
}

// removeTurn removes a turn's folder under tmp/, best effort.
func (s *Store) removeTurn(tmp string) {
	_ = s.fs.Remove(tmp + "/" + turnFile)
	_ = s.fs.Remove(tmp)
}

// partFiles names what the record holds in doc, and gives the files, by their hashes, that are not there yet.
func (s *Store) partFiles(rec *Record, doc *turnDoc) (map[string][]byte, error) {
	all, err := rec.contents()
	if err != nil {
		return nil, err
	}
	files, known := map[string][]byte{}, map[string]partDoc{}
	for _, c := range all {
		hash := hashOf(c.bytes)
		p := c.partDoc
		if same, ok := known[hash]; ok { // an answer is a payload too
			p.SHA256, p.Size, p.Base, p.Since = hash, same.Size, same.Base, same.Since
			doc.Parts = append(doc.Parts, p)
			continue
		}
		p, file, err := s.pack(s.bases.r, p, hash, c.bytes, s.bases.find(doc, p, len(c.bytes)))
		if err != nil {
			return nil, err
		}
		if known[hash] = p; file != nil {
			files[hash] = file
		}
		doc.Parts = append(doc.Parts, p)
	}
	return files, nil
}

// writeLedger appends the turn's batch and makes it durable.
func (s *Store) writeLedger(n int, sum string) error {
	k := s.book
	b, err := k.encode(n, sum)
	if err != nil {
		return err
	}
	if k.tailOpen && k.tailSize == 0 && k.lastCommitted == nil { // a damaged last line stays, closed
		b = append([]byte{'\n'}, b...)
	}
	f, err := s.fs.Append(ledgerFile, k.end)
	if err != nil {
		return err
	}
	if err := writeSyncClose(f, b); err != nil {
		return err
	}
	k.seq += len(k.pending) + 1
	k.end += int64(len(b))
	k.lastCommitted = bytes.Clone(b[bytes.LastIndexByte(b[:len(b)-1], '\n')+1 : len(b)-1])
	k.turn, k.sums[n] = n, sum
	k.tail, k.tailDamage, k.tailSize, k.tailOpen = nil, nil, 0, false
	return nil
}

// sweep removes old leftovers of dead writers from tmp/. It is a courtesy: what
// it cannot remove stays, and harms nobody.
func (s *Store) sweep() {
	list, err := s.fs.ReadDir(tmpDir)
	if err != nil {
		return
	}
	for _, e := range list {
		st, err := e.Info()
		if err != nil || !isTmp(e.Name()) || time.Since(st.ModTime()) < leftoverAge {
			continue
		}
		name := tmpDir + "/" + e.Name()
		if e.IsDir() {
			s.removeTurn(name)
		} else {
			_ = s.fs.Remove(name)
		}
	}
}

// isTmp reports whether a name under tmp/ is one that tmpName made.
func isTmp(name string) bool {
	for _, p := range []string{"part-", "turn-", "session-", "ledger-"} {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}

func fillMeta(m Meta, c *snapshot.Capture) Meta {
	if m.Chrome == "" {
		m.Chrome = clip(c.Chrome, 100)
	}
	m.Settled, m.Torn = c.Settled, c.Moment.Torn
	m.Viewport, m.Scroll, m.Timings = c.Viewport, c.Scroll, c.Timings
	m.Tool, m.Target = clip(m.Tool, 100), clip(m.Target, 200)
	return m
}
