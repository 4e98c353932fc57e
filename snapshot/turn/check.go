package turn

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"github.com/refscope/refscope/snapshot"
)

// Check reads everything in the session and describes what is not as it was written:
// every turn with its parts, every ledger line, whether the ledger and the
// captures agree on who has which number. What a crash may leave is listed as
// notes. [Whole] reports whether the session is well.
//
// It needs no lock. A writer at work shows, at most, as notes.
func (s *Store) Check(ctx context.Context) ([]Damage, error) {
	// Parts first, then turns, then the ledger: the reverse of the order in which
	// a writer writes would show half a turn as damage; this shows an orphan.
	parts, err := s.fs.ReadDir(partsDir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("session %s cannot be read: %w", s.fs, err)
	}
	turns, err := s.turnNumbers()
	if err != nil {
		return nil, fmt.Errorf("session %s cannot be read: %w", s.fs, err)
	}
	c := checker{s: s, r: &partReader{fs: s.fs}, used: map[string]bool{}, good: map[string]bool{},
		damage: s.sessionDamage()}
	c.ledger(turns)
	for _, n := range turns {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		c.turn(n)
	}
	c.burned(turns)
	c.notes(turns)
	c.orphans(parts)
	c.strays()
	return c.damage, nil
}

type checker struct {
	s      *Store
	r      *partReader
	book   *filedLedger    // nil where the ledger cannot be read
	used   map[string]bool // parts that turns name, and their bases
	good   map[string]bool // parts of roles we do not know that were verified
	damage []Damage
}

func (c *checker) add(n int, path, format string, args ...any) {
	c.damage = append(c.damage, Damage{Turn: n, Path: path, Why: fmt.Sprintf(format, args...)})
}

func (c *checker) note(path, format string, args ...any) {
	c.damage = append(c.damage, Damage{Path: path, Why: fmt.Sprintf(format, args...), Note: true})
}

func (c *checker) ledger(turns []int) {
	k, err := readBook(c.s.fs)
	if errors.Is(err, fs.ErrNotExist) {
		err = errors.New("it is missing")
	}
	if err != nil {
		c.add(0, ledgerFile, "%v", err)
		return
	}
	c.book = k
	last := 0
	if len(turns) > 0 {
		last = turns[len(turns)-1]
	}
	torn := k.tailSize > 0
	if torn && last > k.turn {
		k.keepTail()
		torn = false
	}
	for _, w := range k.damage {
		c.add(0, ledgerFile, "%s", w)
	}
	if k.session != c.s.info.ID && c.s.broken == nil {
		c.add(0, ledgerFile, "it belongs to the session %.40q, not to %.40q", k.session, c.s.info.ID)
	}
	if torn {
		c.note(ledgerFile, "%d bytes at its end are of a turn that was never finished; the next turn cuts them off",
			k.tailSize)
	}
}

func (c *checker) turn(n int) {
	t, b, err := c.s.readTurn(n)
	if err != nil {
		c.damage = append(c.damage, turnDamage(n, err))
		return
	}
	path := turnDir(n) + "/" + turnFile
	if c.book != nil {
		switch sum, ok := c.book.sums[n]; {
		case !ok:
			c.add(n, ledgerFile, "it has no line for this turn")
		case sum != hashOf(b):
			c.add(n, path, "it is not the one that the ledger names: it was exchanged")
		}
	}
	for _, p := range t.Parts {
		c.used[p.SHA256] = true
		if base, err := fileBase(c.s.fs, p.SHA256); err == nil && base != "" {
			c.used[base] = true
		}
		if p.known() || c.good[p.SHA256] {
			continue
		}
		if _, err := c.r.read(p.SHA256, p.Size, p.limit()); err != nil {
			c.add(n, partsDir+"/"+p.SHA256, "its %.40q: %v", p.Role, err)
		} else {
			c.good[p.SHA256] = true
		}
	}
	rec, damage := loadParts(c.r, t)
	c.damage = append(c.damage, damage...)
	if rec == nil {
		return
	}
	if got := count(rec.Capture); got != t.Counts {
		c.add(n, path, "its counts %+v are not those of its capture, %+v", t.Counts, got)
	}
	c.refs(n, rec.Capture, t.Highest)
}

// refs compares the numbers in a capture with the ledger, and names the first
// that differs.
func (c *checker) refs(n int, cp *snapshot.Capture, highest int) {
	if c.book == nil {
		return
	}
	path := turnDir(n)
	for i := range cp.Nodes {
		node := &cp.Nodes[i]
		if !node.Verdict.Kept() {
			continue
		}
		e := c.book.refs[node.Ref]
		switch {
		case node.Ref > highest:
			c.add(n, path, "node %d has the ref %d, above the highest, %d", i, node.Ref, highest)
		case e == nil:
			c.add(n, ledgerFile, "it does not know ref %d of node %d", node.Ref, i)
		case e.Tag != keptName(node.Tag) || e.First > n,
			e.BackendNodeID != 0 && node.BackendNodeID != 0 && e.BackendNodeID != node.BackendNodeID:
			c.add(n, ledgerFile, "ref %d is another element there than node %d of this turn", node.Ref, i)
		default:
			continue
		}
		return
	}
}

// burned notes the turns that the ledger closed and that are not there.
func (c *checker) burned(turns []int) {
	if c.book == nil {
		return
	}
	for _, n := range slices.Sorted(maps.Keys(c.book.sums)) {
		if _, ok := slices.BinarySearch(turns, n); ok {
			continue
		}
		// A turn may have come since the turns were listed.
		if c.s.hasTurn(n) {
			continue
		}
		c.note(ledgerFile, "turn %d is not there: it was never finished, or was removed; its numbers are not used "+
			"again", n)
	}
}

func (c *checker) orphans(parts []fs.DirEntry) {
	for _, e := range parts {
		switch {
		case !isHash(e.Name()):
			c.note(partsDir+"/"+e.Name(), "it does not belong here")
		case !c.used[e.Name()]:
			c.note(partsDir+"/"+e.Name(), "no turn names this part")
		}
	}
}

// strays notes files that do not belong to the session.
func (c *checker) strays() {
	if list, err := c.s.fs.ReadDir(tmpDir); err == nil {
		for _, e := range list {
			c.note(tmpDir+"/"+e.Name(), "a writer is at work or left this behind")
		}
	}
	if list, err := c.s.fs.ReadDir(turnsDir); err == nil {
		for _, e := range list {
			if _, ok := parseTurnDir(e.Name()); !ok {
				c.note(turnsDir+"/"+e.Name(), "it does not belong here")
			}
		}
	} else {
		c.add(0, turnsDir, "it cannot be read: %v", err)
	}
	if list, err := c.s.fs.ReadDir("."); err == nil {
		for _, e := range list {
			switch e.Name() {
			case sessionFile, ledgerFile, notesFile, lockFile, turnsDir, partsDir, tmpDir:
			default:
				c.note(e.Name(), "it does not belong here")
			}
		}
	}
}
