// Package vision applies what the vendors of vision models do to a picture before a
// model sees it, in advance.
//
// Marks are drawn at the size at which they will be looked at. So a picture goes
// through [Model.Fit] and [Resize] before the marks are drawn, and the vendor then
// through [Model.Fit] and [Resize] before the marks are drawn, and the vendor then
// leaves it unchanged: for every model and every picture that it does not refuse,
//
// The rules are one table (file table.go). Each row has a date and the page it was
// read from; names that no row knows get the row "unknown", which fits all others.
// Numbers of tokens are the vendors' published arithmetic, not a count by the
// vendor, and are called estimates wherever they are shown.
//
// All arithmetic is on integers, so that sizes and pixels are equal on every processor
// by construction: a compiler may fuse a floating multiply with an add on one and not
// on another.
package vision

import (
	"cmp"
	"fmt"
	"image"
	"math"
	"slices"
	"strings"
)

// Detail is how closely a model is asked to look: OpenAI's detail and Gemini's
// media resolution.
type Detail string

// The words of the vendors. Auto, and any word that a model does not take, means
// the first of [Model.Details].
const (
	Auto      Detail = "auto"
	Low       Detail = "low"
	Medium    Detail = "medium"     // Gemini
	High      Detail = "high"       // OpenAI, Gemini, Qwen's vl_high_resolution_images
	UltraHigh Detail = "ultra_high" // Gemini 3 and later
	Original  Detail = "original"   // OpenAI, gpt-5.4 and later
)

// ParseDetail reads a detail by name; "" is Auto. The error names the words.
func ParseDetail(s string) (Detail, error) {
	words := []Detail{Auto, Low, Medium, High, UltraHigh, Original}
	switch d := Detail(strings.ToLower(s)); {
	case d == "":
		return Auto, nil
	case slices.Contains(words, d):
		return d, nil
	}
	return "", fmt.Errorf("image detail %q: choose auto, low, medium, high, ultra_high or original", s)
}

// Model is one vision model and the rules for its pictures. The zero value takes
// any picture as it is.
type Model struct {
	Name   string // as it was requested; in the table, the row's name
	Row    string // name of the row in the table
	Vendor string // OpenAI, Anthropic, Google, Alibaba; "" for the unknown model
	Rule   string // what happens to a picture, in one line
	AsOf   string // when the source was read: 2006-01-02 or 2006-01
	Source string // where

	// ImageFirst is whether the vendor advises to put the picture before the text.
	ImageFirst bool

	prefixes []string // of names, longest match wins
	details  []Detail // what it takes, its default first
	limits   Limits
	rule     rule
}

// Limits are the limits above which a vendor refuses, 0 where it states none. Bytes are of the
// picture as it is sent, in base64 where the vendor takes base64.
type Limits struct {
	Side         int // px of the longer side
	Patches      int // patches of 32 px after the vendor's own resize
	Aspect       int // longer side over shorter side
	ImageBytes   int // one picture
	RequestBytes int // a whole request
}

// Estimate is a number of tokens by the vendor's published arithmetic.
type Estimate struct {
	Tokens int    // 0 where there is no estimate
	How    string // how it came about, to be shown with it
}

// rule is one vendor's way with pictures. Sizes are in px with sides of 1 or more;
// the detail is one that the model takes.
type rule interface {
	fit(size image.Point, d Detail) image.Point
	// tokens is the cost of a picture that fits.
	tokens(size image.Point, d Detail) Estimate
}

// Details lists what the model takes as detail, its default first; none where the
// vendor has no such choice.
func (m Model) Details() []Detail { return slices.Clone(m.details) }

// Detail is the one that the model takes a wish for d as: d, or its default where it
// does not take that.
func (m Model) Detail(d Detail) Detail {
	if len(m.details) == 0 || slices.Contains(m.details, d) {
		return d
	}
	return m.details[0]
}

// Word is what a request holds for that detail: [Model.Detail] for OpenAI and Google, ""
// for vendors whose requests have no such word.
func (m Model) Word(d Detail) string {
	if len(m.details) == 0 || m.Vendor == alibaba {
		return ""
	}
	return string(m.Detail(d))
}

// Takes reports whether the model has that detail; every model takes Auto and "".
func (m Model) Takes(d Detail) bool {
	return d == "" || d == Auto || slices.Contains(m.details, d)
}

// Fit is the size in px at which the model sees a picture of that size, as far as the
// vendor publishes it: the size to resize to, so that the vendor does not. Only Qwen
// enlarges. A side is never less than 1 px; a size without extent stays as it is.
func (m Model) Fit(size image.Point, d Detail) image.Point {
	if m.rule == nil || size.X <= 0 || size.Y <= 0 {
		return size
	}
	return m.rule.fit(size, m.Detail(d))
}

// Tokens estimates what a picture of that size costs; it is resized first.
func (m Model) Tokens(size image.Point, d Detail) Estimate {
	if m.rule == nil || size.X <= 0 || size.Y <= 0 {
		return Estimate{How: "not estimated: " + howUnknown}
	}
	return m.rule.tokens(m.Fit(size, d), m.Detail(d))
}

// Check is why the vendor would refuse a picture of that size, nil where it would
// not. Pass the size that is sent: a picture that was fitted first is rarely refused.
func (m Model) Check(size image.Point, d Detail) error {
	if size.X <= 0 || size.Y <= 0 {
		return fmt.Errorf("picture of %d x %d px for %s: it has no size", size.X, size.Y, m.Name)
	}
	refused := func(format string, args ...any) error {
		return fmt.Errorf("picture of %d x %d px for %s: refused%s; cut it into tiles",
			size.X, size.Y, m.Name, fmt.Sprintf(format, args...))
	}
	l, long, short := m.limits, max(size.X, size.Y), min(size.X, size.Y)
	if l.Side > 0 && long > l.Side {
		return refused(" over %d px a side", l.Side)
	}
	if l.Aspect > 0 && long > l.Aspect*short {
		return refused(" over %d times as long as wide", l.Aspect)
	}
	if n := patches(m.Fit(size, d), 32); l.Patches > 0 && n > l.Patches {
		return refused(", it has %d patches of 32 px and %d are the most", n, l.Patches)
	}
	return nil
}

// CheckBytes is why the vendor would refuse a picture of so many bytes as a file,
// nil where it would not. The limits are on its base64, a third more.
func (m Model) CheckBytes(n int) error {
	sent := (n + 2) / 3 * 4
	l := m.limits
	if most := min(orMore(l.ImageBytes), orMore(l.RequestBytes)); sent > most {
		return fmt.Errorf("picture of %d bytes for %s: refused, it is %d bytes in base64 and %d are the most; cut it "+
			"into tiles",
			n, m.Name, sent, most)
	}
	return nil
}

// orMore is the limit, or no limit where it is 0.
func orMore(limit int) int {
	return cmp.Or(limit, math.MaxInt)
}

// Lookup finds a model by name. Case, a path before the name (models/, openai/), a
// cloud's own prefix (us.anthropic.) and the point in Claude's versions do not count.
// A name belongs to the row with the longest prefix that it equals or extends by
// "-", "@" or ":", so that dated versions are found: gpt-4o-2024-08-06 is gpt-4o,
// gpt-4o-mini has a row of its own, and gpt-5.9 is nothing; a prefix that ends in a
// point is extended by anything (gemini-3.). A name that is not there gets the rules
// that fit every model, and ok is false.
func Lookup(name string) (m Model, ok bool) {
	s := strings.ToLower(strings.TrimSpace(name))
	s = s[strings.LastIndexByte(s, '/')+1:]
	if i := strings.Index(s, "anthropic."); i >= 0 {
		s = s[i+len("anthropic."):]
	}
	if strings.HasPrefix(s, "claude-") {
		s = strings.ReplaceAll(s, ".", "-")
	}
	longest := 0
	for _, row := range table() {
		for _, p := range row.prefixes {
			rest, ok := strings.CutPrefix(s, p)
			whole := rest == "" || p[len(p)-1] == '.' || strings.IndexByte("-@:", rest[0]) >= 0
			if ok && len(p) > longest && whole {
				m, longest = row, len(p)
			}
		}
	}
	if longest == 0 {
		m = unknown()
	}
	m.Name = name
	return m, longest > 0
}

// Models lists the rows of the table, the unknown model last.
func Models() []Model { return append(table(), unknown()) }

// patches is how many squares of that side cover a picture.
func patches(size image.Point, side int) int { return ceilDiv(size.X, side) * ceilDiv(size.Y, side) }

func ceilDiv(a, b int) int { return (a + b - 1) / b }

// scaled is the size times num/den, sides rounded to the nearest px, 1 at least.
func scaled(size image.Point, num, den int) image.Point {
	by := func(v int) int { return max(1, (2*v*num+den)/(2*den)) }
	return image.Pt(by(size.X), by(size.Y))
}

// root is the integer square root, rounded down.
func root(n int) int {
	if n < 2 {
		return max(n, 0)
	}
	x := n
	for y := (x + 1) / 2; y < x; y = (x + n/x) / 2 {
		x = y
	}
	return x
}
