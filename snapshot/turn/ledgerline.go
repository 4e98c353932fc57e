package turn

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

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

// book is a ledger as it stands in its file.
type book struct {
	*Ledger
	session string
	sums    map[int]string // turn → SHA-256 of its turn.json
	seq     int            // number of the last line read
	end     int64          // bytes up to the end of the last closed batch
	mark    []byte         // the line that closed it, to recognise the file again
	wrong   []string       // lines that cannot be read, inside what is closed
	fatal   error          // the file cannot be used at all

	tail     []line   // lines after the last closed batch
	tailSize int64    // bytes after the last closed batch
	tailBad  []string // lines in it that cannot be read
	tailOpen bool     // its last line has no line break
}

func newBook() *book { return &book{Ledger: NewLedger(), sums: map[int]string{}} }

// read takes in the bytes that follow end.
func (k *book) read(data []byte) {
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
		k.settle(bad)
		bad = nil
		k.end += off
		off = 0
		k.mark = slices.Clone(b)
		if k.fatal != nil {
			return
		}
	}
	k.tailBad, k.tailSize = bad, off
	k.tailOpen = len(data) > 0 && data[len(data)-1] != '\n'
}

// keepTail takes the lines after the last closed batch for damage to a batch
// that was closed: what can be read of them counts, and nothing is cut off.
func (k *book) keepTail() {
	k.settle(k.tailBad)
	k.end += k.tailSize
	k.tailBad, k.tailSize, k.mark = nil, 0, nil
}

// settle applies the batch in tail, among which the bad lines could not be read.
func (k *book) settle(why []string) {
	k.wrong = append(k.wrong, why...)
	bad := len(why)
	defer func() { k.seq += bad }() // bad lines after the last good one
	for _, e := range k.tail {
		switch lost := e.S - k.seq - 1; {
		case lost < 0:
			k.wrong = append(k.wrong, fmt.Sprintf("line %d: it stands there a second time", e.S))
			continue
		case lost > bad:
			k.wrong = append(k.wrong, fmt.Sprintf("line %d: %d lines before it are missing", e.S, lost-bad))
			bad = 0
		default:
			bad -= lost
		}
		k.seq = e.S
		if e.K == kindLedger {
			k.session = e.Session
			if err := checkFormat(e.Format, LedgerFormat); err != nil {
				k.fatal = err
				return
			}
		}
		if e.K == kindTurn {
			k.sums[e.T] = e.Sum
		}
		if err := k.apply(e); err != nil {
			k.wrong = append(k.wrong, fmt.Sprintf("line %d: %v", e.S, err))
		}
	}
	k.tail = nil
}

// encode is the pending batch, closed for turn n, as bytes.
func (k *book) encode(n int, sum string) ([]byte, error) {
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
