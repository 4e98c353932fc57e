package turn

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxNumber bounds the refs and turns that are read, so that no file can make a
// sum overflow: numbers given out from there on have as much room again.
const maxNumber = 1 << 29

// maxName is how many bytes of a name the ledger keeps.
const maxName = 120

// Ledger names which element has which ref number. See the package comment for
// the rules. It is not safe for concurrent use.
type Ledger struct {
	docs   []document
	docOf  map[document]int // index in docs
	refs   map[int]*Entry
	byUID  map[uidKey]int
	byNode map[nodeKey]int
	// high is the highest number given out, turn the last turn that was closed.
	high, turn int
	// round counts the assignments; see Entry.given.
	round int
	// snaps are the snapshots that an agent requested; the first has the number 1.
	snaps []snap

	// pending are the lines of the turn that is being taken, seen its refs.
	pending []line
	seen    map[int]bool

	lost int // see Lost
}

// Lost is how many lines, or runs of lines, of the ledger were damaged or are missing when [Store.Ledger] read it:
// their refs are missing in it.
func (l *Ledger) Lost() int { return l.lost }

// document is one document of one tab.
type document struct{ target, frame, loader string }

// uidKey is the identity of an element: document and uid in its registry.
type uidKey struct {
	doc int
	uid int
}

// nodeKey is the second identity: a backendNodeId is unique in its renderer
// process, and a document has only one of those.
type nodeKey struct {
	target, loader string
	node           int64
}

// Entry is the ledger's record of one ref number.
type Entry struct {
	Ref         int
	First, Last int // turns in which it was seen
	Tag         string
	Role        string // at first sight
	Name        string // at first sight, at most 120 bytes; a line without a name has its text here
	In          int    // ref of the nearest element around it that has one, at first sight; 0 for none
	Changes     []Change
	ReplacedBy  int // ref of the element that took its place, 0 for none
	Replaces    int
	// Target, Frame, Loader and UID are its identity, BackendNodeID the second one.
	Target, Frame, Loader string
	UID                   int
	BackendNodeID         int64

	doc     int
	now     string // name
	nowRole string
	nowIn   int
	given   int // the round of the assignment that gave it last
}

// Now are its role and name when it was seen last; a line without a name has its text here.
func (e Entry) Now() (role, name string) { return e.nowRole, e.now }

// ChangedIn reports whether a change of it was noted in a turn, the latest.
func (e Entry) ChangedIn(turn int) bool {
	return len(e.Changes) > 0 && e.Changes[len(e.Changes)-1].Turn >= turn
}

// Before are its role and name as they were before a turn: what was noted in that turn or later is undone.
func (e Entry) Before(turn int) (role, name string) {
	role, name = e.nowRole, e.now
	for _, c := range slices.Backward(e.Changes) {
		switch {
		case c.Turn < turn:
		case c.What == "role":
			role = c.Old
		case c.What == "name":
			name = c.Old
		}
	}
	return role, name
}

// Change is one thing that became different about an element.
type Change struct {
	Turn int
	What string // "name", "role" or "in"
	Old  string
	New  string
}

// NewLedger is an empty ledger in memory, for work that is not kept.
func NewLedger() *Ledger {
	return &Ledger{docOf: map[document]int{}, refs: map[int]*Entry{}, byUID: map[uidKey]int{},
		byNode: map[nodeKey]int{}, seen: map[int]bool{}}
}

// expect makes room for so many newcomers: it costs half of numbering a page to grow for one after the other.
func (l *Ledger) expect(n int) {
	l.pending = slices.Grow(l.pending, n)
	if len(l.refs) == 0 {
		l.refs, l.byUID, l.byNode = make(map[int]*Entry, n), make(map[uidKey]int, n), make(map[nodeKey]int, n)
		if len(l.seen) == 0 {
			l.seen = make(map[int]bool, n)
		}
	}
}

// clone is the ledger without what is not yet written.
func (l *Ledger) clone() *Ledger {
	out := &Ledger{docs: slices.Clone(l.docs), docOf: maps.Clone(l.docOf), refs: make(map[int]*Entry, len(l.refs)),
		byUID: maps.Clone(l.byUID), byNode: maps.Clone(l.byNode), high: l.high, turn: l.turn, round: l.round,
		snaps: slices.Clone(l.snaps), seen: map[int]bool{}}
	for ref, e := range l.refs {
		one := *e
		one.Changes = slices.Clone(e.Changes)
		out.refs[ref] = &one
	}
	return out
}

// Following is the ledger as it is once the turn that is being taken is written, for whoever takes the next one while
// the disk is still at work. What it is given is written with that one: see [Ledger.Adopt].
func (l *Ledger) Following() *Ledger {
	out := l.clone()
	if len(l.seen) > 0 {
		_ = out.applySeen(line{T: l.NextTurn(), Seen: ranges(l.seen)}) // ranges of ours can be read
	}
	out.turn, out.lost = l.turn+1, l.lost
	return out
}

// NextTurn is the number of the turn that is being taken.
func (l *Ledger) NextTurn() int { return l.turn + 1 }

// Highest is the highest ref number given out so far.
func (l *Ledger) Highest() int { return l.high }

// Entry returns the record of a ref number.
func (l *Ledger) Entry(ref int) (Entry, bool) {
	e, ok := l.refs[ref]
	if !ok {
		return Entry{}, false
	}
	out := *e
	d := l.docs[e.doc]
	out.Target, out.Frame, out.Loader = d.target, d.frame, d.loader
	out.Changes = slices.Clone(e.Changes)
	return out, true
}

// Link records that the element by took the place of the element old: the page
// replaced it, and a step found its substitute.
func (l *Ledger) Link(old, by, turn int) error {
	if old == by || l.refs[old] == nil || l.refs[by] == nil {
		return fmt.Errorf("ledger: ref %d cannot be replaced by %d: no two such elements", old, by)
	}
	return l.note(line{K: kindLink, T: turn, R: old, By: by})
}

// Adopt takes over what run, a ledger that [Store.Ledger] has read from this session, recorded since then: its
// numbers were given there, where the page was read, and are written with the next turn of this one. It is an
// error where this ledger has given one of them to another element meanwhile; l must not be used then.
func (l *Ledger) Adopt(run *Ledger) error {
	high := l.high
	for _, e := range run.pending {
		switch r := l.refs[e.R]; {
		case e.K == kindDoc && e.D <= len(l.docs) && l.docs[e.D-1] == document{e.Target, e.Frame, e.Loader}:
			continue
		case e.K == kindRef && r != nil && r.doc == e.D-1 && r.UID == e.UID && r.BackendNodeID == e.Node &&
			r.Tag == e.Tag:
			continue // the other has given it to the same element
		case e.K == kindRef && e.R <= high:
			return fmt.Errorf("ref %d was given to another element", e.R)
		}
		e.T = l.NextTurn()
		if err := l.note(e); err != nil {
			return err
		}
	}
	for ref := range run.seen {
		l.seen[ref] = true
	}
	return nil
}

// note applies a line and keeps it to be written.
func (l *Ledger) note(e line) error {
	if err := l.apply(e); err != nil {
		return err
	}
	l.pending = append(l.pending, e)
	return nil
}

// apply applies a line to the ledger. It is how a ledger is read and how
// it changes in memory, so the two cannot differ.
func (l *Ledger) apply(e line) error {
	switch e.K {
	case kindDoc:
		if e.D != len(l.docs)+1 {
			return fmt.Errorf("document %d does not follow %d", e.D, len(l.docs))
		}
		d := document{e.Target, e.Frame, e.Loader}
		l.docs = append(l.docs, d)
		l.docOf[d] = e.D - 1
	case kindRef:
		return l.applyRef(e)
	case kindKey:
		r := l.refs[e.R]
		if r == nil || e.D < 1 || e.D > len(l.docs) {
			return fmt.Errorf("key of ref %d, which is not known", e.R)
		}
		r.doc, r.UID = e.D-1, e.UID
		if e.Node != 0 {
			r.BackendNodeID = e.Node
		}
		l.index(r)
	case kindChange:
		r := l.refs[e.R]
		if r == nil {
			return fmt.Errorf("change of ref %d, which is not known", e.R)
		}
		r.change(e)
	case kindLink:
		old, by := l.refs[e.R], l.refs[e.By]
		if old == nil || by == nil {
			return fmt.Errorf("link of ref %d to %d, which are not both known", e.R, e.By)
		}
		old.ReplacedBy, by.Replaces = e.By, e.R
	case kindSnap:
		if e.N != len(l.snaps)+1 {
			return fmt.Errorf("snapshot %d does not follow %d", e.N, len(l.snaps))
		}
		l.snaps = append(l.snaps, snap{e.High, e.Hash})
	case kindTurn:
		l.turn, l.high = max(l.turn, e.T), max(l.high, e.High)
		return l.applySeen(e)
	}
	return nil // a kind of a later version
}

func (l *Ledger) applyRef(e line) error {
	switch {
	case e.R < 1:
		return fmt.Errorf("ref %d is out of range", e.R)
	case l.refs[e.R] != nil:
		return fmt.Errorf("ref %d a second time", e.R)
	case e.D < 1 || e.D > len(l.docs):
		return fmt.Errorf("ref %d in document %d, which is not known", e.R, e.D)
	}
	r := &Entry{Ref: e.R, First: e.T, Last: e.T, Tag: e.Tag, doc: e.D - 1, UID: e.UID, BackendNodeID: e.Node}
	if e.Role != nil {
		r.Role = *e.Role
	}
	if e.Name != nil {
		r.Name = *e.Name
	}
	if e.In != nil {
		r.In = *e.In
	}
	r.now, r.nowRole, r.nowIn = r.Name, r.Role, r.In
	l.refs[e.R] = r
	l.high = max(l.high, e.R)
	l.index(r)
	return nil
}

// index makes an element findable by both of its identities. The newest holder
// of a key wins: a uid that a new registry gave out again means the new element.
func (l *Ledger) index(r *Entry) {
	if r.UID != 0 {
		l.byUID[uidKey{r.doc, r.UID}] = r.Ref
	}
	if r.BackendNodeID != 0 {
		d := l.docs[r.doc]
		l.byNode[nodeKey{d.target, d.loader, r.BackendNodeID}] = r.Ref
	}
}

func (r *Entry) change(e line) {
	if e.Name != nil {
		r.Changes = append(r.Changes, Change{e.T, "name", r.now, *e.Name})
		r.now = *e.Name
	}
	if e.Role != nil {
		r.Changes = append(r.Changes, Change{e.T, "role", r.nowRole, *e.Role})
		r.nowRole = *e.Role
	}
	if e.In != nil {
		r.Changes = append(r.Changes, Change{e.T, "in", fmt.Sprint(r.nowIn), fmt.Sprint(*e.In)})
		r.nowIn = *e.In
	}
}

func (l *Ledger) applySeen(e line) error {
	return eachRange(e.Seen, func(lo, hi int) {
		// A range of a damaged ledger may be far wider than what is known.
		if hi-lo >= len(l.refs) {
			for ref, r := range l.refs {
				if ref >= lo && ref <= hi {
					r.Last = max(r.Last, e.T)
				}
			}
			return
		}
		for ref := lo; ref <= hi; ref++ {
			if r := l.refs[ref]; r != nil {
				r.Last = max(r.Last, e.T)
			}
		}
	})
}

// keptName is the stored form of a name: valid UTF-8, cut to maxName bytes.
func keptName(s string) string {
	if utf8.ValidString(s) && len(s) <= maxName {
		return s
	}
	return clip(strings.ToValidUTF8(s, "\uFFFD"), maxName)
}

// Kinds of ledger lines; see the package comment.
const (
	kindLedger = "ledger"
	kindDoc    = "doc"
	kindRef    = "ref"
	kindKey    = "key"
	kindChange = "change"
	kindLink   = "link"
	kindSnap   = "snap"
	kindTurn   = "turn"
)

// maxLine is the longest ledger line, in bytes. The longest real ones are the
// ranges of a turn in which every other one of 100,000 refs is seen.
const maxLine = 4 << 20

// line is one line of the ledger.
type line struct {
	K string `json:"k"`
	S int    `json:"s"`

	Format  string `json:"format,omitempty"`
	Session string `json:"session,omitempty"`

	T      int     `json:"t,omitempty"`
	R      int     `json:"r,omitempty"`
	By     int     `json:"by,omitempty"`
	D      int     `json:"d,omitempty"`
	Target string  `json:"target,omitempty"`
	Frame  string  `json:"frame,omitempty"`
	Loader string  `json:"loader,omitempty"`
	UID    int     `json:"uid,omitempty"`
	Node   int64   `json:"node,omitempty"`
	Tag    string  `json:"tag,omitempty"`
	Role   *string `json:"role,omitempty"`
	Name   *string `json:"name,omitempty"`
	In     *int    `json:"in,omitempty"`
	High   int     `json:"high,omitempty"`
	Seen   string  `json:"seen,omitempty"`
	Sum    string  `json:"sum,omitempty"`
	N      int     `json:"n,omitempty"`
	Hash   string  `json:"hash,omitempty"`
}

// closes reports whether the line closes a batch.
func (e line) closes() bool { return e.K == kindTurn || e.K == kindLedger }

// parseLine reads one line without its line break.
func parseLine(b []byte) (line, error) {
	if len(b) > maxLine {
		return line{}, fmt.Errorf("it is longer than %d bytes", maxLine)
	}
	var e line
	if err := unseal(b, &e); err != nil {
		return line{}, err
	}
	if e.K == "" || e.S < 1 {
		return line{}, errors.New("it has no kind or no number")
	}
	for _, n := range []int{e.S, e.T, e.R, e.By, e.D, e.High, e.N} {
		if n < 0 || n > maxNumber {
			return line{}, fmt.Errorf("its number %d is out of range", n)
		}
	}
	return e, nil
}

// ranges writes numbers compactly: 1-3,7.
func ranges(set map[int]bool) string {
	all := make([]int, 0, len(set))
	for n := range set {
		all = append(all, n)
	}
	slices.Sort(all)
	var b strings.Builder
	for i := 0; i < len(all); {
		j := i
		for j+1 < len(all) && all[j+1] == all[j]+1 {
			j++
		}
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(all[i]))
		if j > i {
			b.WriteByte('-')
			b.WriteString(strconv.Itoa(all[j]))
		}
		i = j + 1
	}
	return b.String()
}

// eachRange reads what ranges wrote.
func eachRange(s string, f func(lo, hi int)) error {
	if s == "" {
		return nil
	}
	for r := range strings.SplitSeq(s, ",") {
		from, to, two := strings.Cut(r, "-")
		if !two {
			to = from
		}
		lo, err1 := strconv.Atoi(from)
		hi, err2 := strconv.Atoi(to)
		if err1 != nil || err2 != nil || lo < 1 || hi < lo || hi > maxNumber {
			return fmt.Errorf("%.20q is no range of refs", r)
		}
		f(lo, hi)
	}
	return nil
}

// filedLedger is a ledger as it is in its file.
type filedLedger struct {
	*Ledger
	session       string
	sums          map[int]string // turn → SHA-256 of its turn.json
	seq           int            // number of the last line read
	end           int64          // bytes up to the end of the last closed batch
	lastCommitted []byte         // the line that closed it, to recognise the file again
	damage        []string       // lines that cannot be read, inside what is closed
	fatal         error          // the file cannot be used at all

	tail       []line   // lines after the last closed batch
	tailSize   int64    // bytes after the last closed batch
	tailDamage []string // lines in it that cannot be read
	tailOpen   bool     // its last line has no line break
}

func newFiledLedger() *filedLedger { return &filedLedger{Ledger: NewLedger(), sums: map[int]string{}} }

// read takes in the bytes that follow end.
func (k *filedLedger) read(data []byte) {
	k.tail = nil
	var bad []string
	rest, off := data, int64(0)
	for len(rest) > 0 {
		b, after, whole := bytes.Cut(rest, []byte("\n"))
		size := int64(len(b))
		if whole {
			size++
		}
		rest, off = after, off+size
		if len(b) == 0 {
			continue
		}
		e, err := parseLine(b)
		if err == nil && !whole {
			err = errors.New("it is cut off")
		}
		if err != nil {
			bad = append(bad, fmt.Sprintf("line %d: %v", k.seq+len(k.tail)+len(bad)+1, err))
			continue
		}
		k.tail = append(k.tail, e)
		if !e.closes() {
			continue
		}
		k.applyBatch(bad)
		bad = nil
		k.end += off
		off = 0
		k.lastCommitted = slices.Clone(b)
		if k.fatal != nil {
			return
		}
	}
	k.tailDamage, k.tailSize = bad, off
	k.tailOpen = len(data) > 0 && data[len(data)-1] != '\n'
}

// keepTail takes the lines after the last closed batch for damage to a batch
// that was closed: what can be read of them counts, and nothing is cut off.
func (k *filedLedger) keepTail() {
	k.applyBatch(k.tailDamage)
	k.end += k.tailSize
	k.tailDamage, k.tailSize, k.lastCommitted = nil, 0, nil
}

// applyBatch applies the batch in tail, among which the bad lines could not be read.
func (k *filedLedger) applyBatch(why []string) {
	k.damage = append(k.damage, why...)
	bad := len(why)
	defer func() { k.seq += bad }() // bad lines after the last good one
	for _, e := range k.tail {
		switch lost := e.S - k.seq - 1; {
		case lost < 0:
			k.damage = append(k.damage, fmt.Sprintf("line %d: it is there a second time", e.S))
			continue
		case lost > bad:
			k.damage = append(k.damage, fmt.Sprintf("line %d: %d lines before it are missing", e.S, lost-bad))
			bad = 0
		default:
			bad -= lost
		}
		k.seq = e.S
		if e.K == kindLedger {
			k.session = e.Session
			if err := checkFormat(e.Format, ledgerFormat); err != nil {
				k.fatal = err
				return
			}
		}
		if e.K == kindTurn {
			k.sums[e.T] = e.Sum
		}
		if err := k.apply(e); err != nil {
			k.damage = append(k.damage, fmt.Sprintf("line %d: %v", e.S, err))
		}
	}
	k.tail = nil
}

// encode is the pending batch, closed for turn n, as bytes.
func (k *filedLedger) encode(n int, sum string) ([]byte, error) {
	closing := line{K: kindTurn, T: n, High: k.high, Seen: ranges(k.seen), Sum: sum}
	var b []byte
	seq := k.seq
	for _, e := range append(slices.Clone(k.pending), closing) {
		seq++
		e.S = seq
		l, err := sealLine(e)
		if err != nil {
			return nil, err
		}
		if len(l) > maxLine {
			return nil, fmt.Errorf("a ledger line would have %d bytes, more than the %d allowed", len(l), maxLine)
		}
		b = append(b, l...)
	}
	return b, nil
}

// snap is a snapshot that an agent requested.
type snap struct {
	from int    // the highest number that agents had seen before it
	hash string // the state of the page that it showed
}

// Snapshot records that the last capture was assigned for a snapshot that an agent
// requested, and gives its number, 1 for the session's first. from is the highest ref
// that agents had seen before; hash identifies the state of the page, for
// [Ledger.SnapshotHash]. What an agent did not ask for is not recorded.
func (l *Ledger) Snapshot(turn, from int, hash string) (int, error) {
	n := len(l.snaps) + 1
	return n, l.note(line{K: kindSnap, T: turn, N: n, High: from, Hash: hash})
}

// SnapshotHash is the state of the page that snapshot n showed; false where there is no
// such snapshot.
func (l *Ledger) SnapshotHash(n int) (string, bool) {
	if n < 1 || n > len(l.snaps) {
		return "", false
	}
	return l.snaps[n-1].hash, true
}

// Generation is the number of the snapshot that first gave a ref, the 3 of s3e12; 1
// for what was numbered before the first. It never changes.
func (l *Ledger) Generation(ref int) int {
	n := len(l.snaps)
	for n > 1 && l.snaps[n-1].from >= ref {
		n--
	}
	return max(1, n)
}
