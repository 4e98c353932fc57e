package turn

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/refscope/refscope/snapshot"
)

// List returns what is known about every turn without opening its parts, in order,
// and the visible damage: turns that cannot be read, parts that
// are not there. A turn with damage stays in the list where its turn.json can
// be read. The list needs no lock; a turn is in it once it is whole.
func (s *Store) List(ctx context.Context) ([]Summary, []Damage, error) {
	turns, err := s.turnNumbers()
	if err != nil {
		return nil, nil, fmt.Errorf("session %s cannot be read: %w", s.fs, err)
	}
	damage := s.sessionDamage()
	list := make([]Summary, 0, len(turns))
	docs := make([]*turnDoc, 0, len(turns))
	for _, n := range turns {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		t, _, err := s.readTurn(n)
		if err != nil {
			damage = append(damage, turnDamage(n, err))
			continue
		}
		list, docs = append(list, t.summary()), append(docs, t)
	}
	// Parts are listed after the turns: theirs were there before them.
	there, err := s.partNames()
	if err != nil {
		return nil, nil, fmt.Errorf("session %s cannot be read: %w", s.fs, err)
	}
	for _, t := range docs {
		for _, p := range t.Parts {
			if !there[p.SHA256] {
				damage = append(damage, Damage{Turn: t.N, Path: partsDir + "/" + p.SHA256,
					Why: fmt.Sprintf("its %.40s is missing", p.Role)})
			} else if p.Base != "" && !there[p.Base] {
				damage = append(damage, Damage{Turn: t.N, Path: partsDir + "/" + p.Base,
					Why: fmt.Sprintf("the base of its %.40s is missing", p.Role)})
			}
		}
	}
	return list, damage, nil
}

// Load reads one turn and verifies it. Where the capture can be read and another
// part cannot, it returns the record without that part together with a
// [*DamagedError]; where there is no such turn, [ErrNoTurn].
func (s *Store) Load(ctx context.Context, n int) (*Record, error) {
	t, err := s.openTurn(ctx, n)
	if err != nil {
		return nil, err
	}
	rec, damage := loadParts(&partReader{fs: s.fs}, t)
	if len(damage) > 0 {
		return rec, &DamagedError{damage}
	}
	return rec, nil
}

// openTurn reads turn.json.
func (s *Store) openTurn(ctx context.Context, n int) (*turnDoc, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	t, _, err := s.readTurn(n)
	if errors.Is(err, fs.ErrNotExist) && !s.hasTurn(n) {
		return nil, fmt.Errorf("session %s, number %d: %w", s.fs, n, ErrNoTurn)
	}
	if err != nil {
		return nil, &DamagedError{[]Damage{turnDamage(n, err)}}
	}
	return t, nil
}

// loadParts reads the parts of a turn that make up a record; the record is nil
// where the capture cannot be read.
func loadParts(r *partReader, t *turnDoc) (*Record, []Damage) {
	var damage []Damage
	rec := &Record{N: t.N, Note: t.Note, Action: t.Action, Meta: t.Meta, Lacks: t.Lacks, Parts: t.parts()}
	at := map[int]int{} // number of a payload in turn.json → its index in the record
	payload := 0
	for _, p := range t.Parts {
		if !p.known() {
			continue
		}
		if p.Role == rolePayload {
			payload++
		}
		content, err := r.read(p.SHA256, p.Size, p.limit())
		i, whole := at[p.Of]
		switch {
		case err != nil:
		case p.Role != roleSpans:
			err = rec.take(p, content)
		case whole:
			rec.Payloads[i].Redacted, err = decodeSpans(content, len(rec.Payloads[i].Bytes))
		}
		if err != nil {
			damage = append(damage, partDamage(t.N, p, err))
		} else if p.Role == rolePayload {
			at[payload] = len(rec.Payloads) - 1
		}
	}
	if rec.Capture == nil {
		return nil, damage
	}
	return rec, damage
}

func decodeCapture(b []byte) (*snapshot.Capture, error) {
	if err := checkWeight(b); err != nil {
		return nil, err
	}
	var c snapshot.Capture
	if err := json.Unmarshal(b, &c); err != nil {
		return nil, err
	}
	if err := validate(&c); err != nil {
		return nil, err
	}
	return &c, nil
}

// Ledger is the session's ledger as it is now, to look refs up. It is a copy of
// the caller's own and needs no lock on the session.
func (s *Store) Ledger(ctx context.Context) (*Ledger, error) {
	select {
	case s.mu <- struct{}{}:
		defer func() { <-s.mu }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if err := s.readOn(); err != nil {
		return nil, fmt.Errorf("session %s: its ledger cannot be read: %w", s.fs, err)
	}
	out := s.book.clone()
	out.lost = len(s.book.damage)
	return out, nil
}

func (s *Store) hasTurn(n int) bool {
	turns, err := s.turnNumbers()
	return err == nil && slices.Contains(turns, n)
}

func (s *Store) partNames() (map[string]bool, error) {
	list, err := s.fs.ReadDir(partsDir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	names := make(map[string]bool, len(list))
	for _, e := range list {
		names[e.Name()] = true
	}
	return names, nil
}

func (s *Store) sessionDamage() []Damage {
	if s.broken == nil {
		return nil
	}
	return []Damage{{Path: sessionFile, Why: s.broken.Error()}}
}

func turnDamage(n int, err error) Damage {
	d := Damage{Turn: n, Path: turnDir(n) + "/" + turnFile, Why: err.Error()}
	if errors.Is(err, fs.ErrNotExist) {
		d.Why = "it is missing"
	}
	return d
}

func partDamage(n int, p partDoc, err error) Damage {
	return Damage{Turn: n, Path: partsDir + "/" + p.SHA256, Why: fmt.Sprintf("its %s: %v", p.Role, err)}
}
