package turn

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Kinds of lines of the file notes; see the package comment.
const (
	kindNotes = "notes" // the first line
	kindNote  = "note"
	kindUndo  = "undo" // takes a note back
)

const (
	maxNotes   = 256 << 20 // bytes of the file that are read
	maxVerdict = 40
	maxBy      = 100
)

// Annotation is a comment on a turn, made after it was taken.
type Annotation struct {
	// N is the annotation's number in its session, from 1; [Store.Annotate] sets it.
	N int `json:"note"`
	// Turn is the number of a turn that is there, 0 for the session as a whole.
	Turn int `json:"-"`
	// At is when it was made; [Store.Annotate] takes now where it is zero.
	At time.Time `json:"at"`
	// By is its author, at most 100 bytes.
	By string `json:"by,omitempty"`
	// Verdict is one word about the turn, such as "pass" or "fail", at most 40
	// bytes; empty where the annotation judges nothing. The last one of a turn counts.
	Verdict string `json:"verdict,omitempty"`
	// Text is the note, at most 64 KiB.
	Text string `json:"text,omitempty"`
	// Ref is the ref number of the element that it is about, 0 where it is about the
	// turn as a whole. A verdict of an element is none of its turn.
	Ref int `json:"ref,omitempty"`
}

// noteLine is one line of the file notes.
type noteLine struct {
	K string `json:"k"`
	S int    `json:"s"`

	Format  string `json:"format,omitempty"`
	Session string `json:"session,omitempty"`

	T       int        `json:"t,omitempty"`
	At      *time.Time `json:"at,omitempty"`
	By      string     `json:"by,omitempty"`
	Verdict string     `json:"verdict,omitempty"`
	Text    string     `json:"text,omitempty"`
	Ref     int        `json:"ref,omitempty"`
	Of      int        `json:"of,omitempty"` // the note that is taken back
}

// Annotate adds a note or a verdict to a turn that is there, without touching the
// turn. It waits for the session's lock until ctx is done, and returns the
// annotation with its number and time. When it returns without error the
// annotation is on disk and will survive a crash; on an error there is none.
//
// It fails with [ErrNoTurn] where there is no such turn.
func (s *Store) Annotate(ctx context.Context, a Annotation) (_ Annotation, err error) {
	if err := a.check(); err != nil {
		return a, fmt.Errorf("session %s: %w", s.fs, err)
	}
	unlock, err := s.lock(ctx)
	if err != nil {
		return a, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if a.Turn != 0 && !s.hasTurn(a.Turn) {
		return a, fmt.Errorf("session %s, number %d: %w", s.fs, a.Turn, ErrNoTurn)
	}
	if a.At.IsZero() {
		a.At = time.Now()
	}
	a.At = a.At.UTC().Truncate(time.Millisecond)
	line := noteLine{K: kindNote, T: a.Turn, At: &a.At, By: a.By, Verdict: a.Verdict, Text: a.Text, Ref: a.Ref}
	if a.N, err = s.writeNote(line, nil); err != nil {
		return a, explainWrite(s.fs, err)
	}
	return a, nil
}

// Retract takes an annotation back: from then on [Store.Annotations] leaves it out. The
// line stays in the file, so its author and text are never lost. by is who retracts it.
//
// It fails with [ErrNoNote] where there is no such annotation, or none any more.
func (s *Store) Retract(ctx context.Context, n int, by string) (err error) {
	if len(by) > maxBy || !utf8.ValidString(by) {
		return fmt.Errorf("session %s: %q is not a name of an author", s.fs, by)
	}
	unlock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	at := time.Now().UTC().Truncate(time.Millisecond)
	there := func(k *noteBook) error {
		if !slices.ContainsFunc(k.list, func(a Annotation) bool { return a.N == n }) {
			return fmt.Errorf("number %d: %w", n, ErrNoNote)
		}
		return nil
	}
	if _, err := s.writeNote(noteLine{K: kindUndo, At: &at, By: by, Of: n}, there); err != nil {
		return explainWrite(s.fs, err)
	}
	return nil
}

func (a *Annotation) check() error {
	switch {
	case a.Turn < 0 || a.Turn > maxNumber:
		return fmt.Errorf("annotation of turn %d: %w", a.Turn, ErrNoTurn)
	case a.Ref < 0 || a.Ref > maxNumber || a.Ref > 0 && a.Turn == 0:
		return fmt.Errorf("the annotation is about element %d of turn %d, which cannot be", a.Ref, a.Turn)
	case a.Text == "" && a.Verdict == "":
		return errors.New("the annotation is empty: give it a text or a verdict")
	case len(a.Text) > maxNote:
		return fmt.Errorf("the annotation has %d bytes, more than the %d allowed", len(a.Text), maxNote)
	case len(a.Verdict) > maxVerdict:
		return fmt.Errorf("the verdict has %d bytes, more than the %d allowed", len(a.Verdict), maxVerdict)
	case len(a.By) > maxBy:
		return fmt.Errorf("the annotation's author has %d bytes, more than the %d allowed", len(a.By), maxBy)
	case !utf8.ValidString(a.Text) || !utf8.ValidString(a.Verdict) || !utf8.ValidString(a.By):
		return errors.New("the annotation is not UTF-8")
	}
	return nil
}

// writeNote appends one line, unless check objects to the lines that there are, and
// gives its number as an annotation. The lock is held.
func (s *Store) writeNote(l noteLine, check func(*noteBook) error) (int, error) {
	b, err := readFile(s.fs, notesFile, 0, maxNotes)
	if errors.Is(err, fs.ErrNotExist) {
		if b, err = sealLine(noteLine{K: kindNotes, S: 1, Format: notesFormat, Session: s.info.ID}); err != nil {
			return 0, err
		}
		if err := placeFile(s.fs, "notes", notesFile, b); err != nil {
			return 0, err
		}
		err = s.fs.SyncDir(".")
	}
	if err != nil {
		return 0, err
	}
	k := readNotes(b)
	if k.fatal != nil {
		return 0, fmt.Errorf("its %s: %w", notesFile, k.fatal)
	}
	if k.seq >= maxNumber {
		return 0, fmt.Errorf("its %s has used up all numbers", notesFile)
	}
	if check != nil {
		if err := check(k); err != nil {
			return 0, err
		}
	}
	n := max(1, k.seq)
	l.S = n + 1
	line, err := sealLine(l)
	if err != nil {
		return 0, err
	}
	f, err := s.fs.Append(notesFile, k.end)
	if err != nil {
		return 0, err
	}
	return n, writeSyncClose(f, line)
}

// Annotations are all annotations of the session that were not taken back, in the
// order in which they were made, and what is wrong with the file that keeps them.
// Lines that cannot be read hide no others. It needs no lock.
func (s *Store) Annotations(ctx context.Context) ([]Annotation, []Damage, error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	list, damage := s.annotations()
	return list, damage, nil
}

func (s *Store) annotations() ([]Annotation, []Damage) {
	b, err := readFile(s.fs, notesFile, 0, maxNotes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, []Damage{{Path: notesFile, Why: err.Error()}}
	}
	k := readNotes(b)
	if k.session != s.info.ID && s.broken == nil && k.fatal == nil {
		k.wrong = append(k.wrong, fmt.Sprintf("it belongs to the session %.40q, not to %.40q", k.session, s.info.ID))
	}
	if k.fatal != nil {
		k.wrong = append(k.wrong, k.fatal.Error())
	}
	var damage []Damage
	for _, w := range k.wrong {
		damage = append(damage, Damage{Path: notesFile, Why: w})
	}
	if torn := int64(len(b)) - k.end; torn > 0 && k.fatal == nil {
		damage = append(damage, Damage{Path: notesFile, Note: true,
			Why: fmt.Sprintf("%d bytes at its end are of a note that was never finished; the next note cuts them off",
				torn)})
	}
	return k.list, damage
}

// noteBook is the file notes as it was read.
type noteBook struct {
	session string
	list    []Annotation
	seq     int      // number of the last line
	bad     int      // lines since then that cannot be read
	end     int64    // bytes up to the end of the last line that is closed by a line break
	wrong   []string // lines that cannot be read
	fatal   error    // the file cannot be used at all
}

// readNotes reads all lines. What follows the last line break is what a dead
// writer left.
func readNotes(b []byte) *noteBook {
	k := &noteBook{}
	for number := 1; len(b) > 0 && k.fatal == nil; number++ {
		l, rest, whole := bytes.Cut(b, []byte("\n"))
		if !whole {
			break
		}
		k.end += int64(len(l) + 1)
		b = rest
		var e noteLine
		err := unseal(l, &e)
		if err != nil {
			k.bad++
		} else {
			err = k.line(e)
		}
		if err != nil {
			k.wrong = append(k.wrong, fmt.Sprintf("line %d: %v", number, err))
		}
	}
	k.seq, k.bad = k.seq+k.bad, 0
	return k
}

// line takes in one line.
func (k *noteBook) line(e noteLine) error {
	switch lost := e.S - k.seq - 1; {
	case e.S < 1 || e.S > maxNumber:
		return fmt.Errorf("its number %d is out of range", e.S)
	case lost < 0:
		return fmt.Errorf("number %d is there a second time", e.S)
	case lost > k.bad:
		k.wrong = append(k.wrong, fmt.Sprintf("%d lines before number %d are missing", lost-k.bad, e.S))
	}
	k.seq, k.bad = e.S, 0
	switch e.K {
	case kindNotes:
		k.session = e.Session
		k.fatal = checkFormat(e.Format, notesFormat)
	case kindNote:
		a := Annotation{N: e.S - 1, Turn: e.T, By: e.By, Verdict: e.Verdict, Text: e.Text, Ref: e.Ref}
		if e.At != nil {
			a.At = *e.At
		}
		if err := a.check(); err != nil {
			return err
		}
		k.list = append(k.list, a)
	case kindUndo: // of one that cannot be read, or was taken back by two at once: nothing to do
		k.list = slices.DeleteFunc(k.list, func(a Annotation) bool { return a.N == e.Of })
	}
	return nil // a kind of a later version
}

// notes checks the annotations.
func (c *checker) notes(turns []int) {
	list, damage := c.s.annotations()
	c.damage = append(c.damage, damage...)
	there := make(map[int]bool, len(turns))
	for _, n := range turns {
		there[n] = true
	}
	for _, a := range list {
		if a.Turn > 0 && !there[a.Turn] && !c.s.hasTurn(a.Turn) {
			c.note(notesFile, "note %d is about turn %d, which is not there", a.N, a.Turn)
		}
	}
}

// Judgement is the meaning of a verdict: people and programs have many words for three
// things.
type Judgement int

const (
	// Unjudged: no verdict, or a word that is none of those below.
	Unjudged Judgement = iota
	// Good: pass, passed, ok, good.
	Good
	// Questionable: question, warn, warning, unclear.
	Questionable
	// Bad: fail, failed, bad, wrong.
	Bad
)

// Judge returns the judgement of a verdict, in upper or lower case.
func Judge(verdict string) Judgement {
	switch strings.ToLower(verdict) {
	case "pass", "passed", "ok", "good":
		return Good
	case "question", "warn", "warning", "unclear":
		return Questionable
	case "fail", "failed", "bad", "wrong":
		return Bad
	}
	return Unjudged
}

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

// notesState identifies a state of the file of notes; "" where there is none.
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
