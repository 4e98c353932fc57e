// Package pagetest is the one notation for pages that tests build by hand, and pages for
// tests of several packages: hostile ones and large ones. It serves tests alone.
//
// Start with [Parse], which explains the notation. [Hostile] and [HostileTexts] are pages
// that try to forge lines, [Shop] and [Nested] are large or deep, and [EachGolden] runs a
// test on every page of a package's testdata.
package pagetest

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
)

// Parse reads a capture from a compact notation, one element or text a line,
// two spaces a level:
//
//	url: https://a.example/      title:, viewport: 1280x720, scroll: 0/600, event: 2300 added text Saved
//	body
//	  p
//	    "Price is "
//	    a href="/terms" @10,20,40,16 "terms"
//
// A token is attr="v" or attr=v, a bare attr, @x,y,w,h for the box, "…" for text
// at the element's start, or %fact=v:
//
//	role, name, value, verdict, shadow       as in the capture
//	from                                     where the name is from
//	by=native,role                           evidence of being interactive
//	state=checked,expanded=false,level=2     states
//	ref                                      the number, where it matters
//	frame, frame=why                         its children are the document; it cannot be read
//	covered=ID, hit=share, click=x,y         occlusion
//	scroll=depth,more,range                  and three more for sideways
//	hidden, boundary, redacted, layer=fixed
//	out                                      outside the viewport
//
// What is interactive, kept and numbered follows from these as in the collector, in a
// simpler form.
func Parse(t testing.TB, src string) *snapshot.Capture {
	t.Helper()
	c := &snapshot.Capture{
		Schema: snapshot.Schema, URL: "https://a.example/", Settled: true,
		Viewport: snapshot.Viewport{Width: 1280, Height: 720, Scale: 1},
		Frames:   []snapshot.Frame{{ID: "main", Parent: -1, Owner: -1, Readable: true}},
		Timings:  snapshot.Timings{Walk: 11.6, Hit: 2.1},
	}
	p := &pageParser{t: t, c: c, ids: map[string]int{}}
	for _, line := range strings.Split(src, "\n") {
		if trimmed := strings.TrimSpace(line); trimmed != "" && !strings.HasPrefix(trimmed, "#") {
			p.line(line, trimmed)
		}
	}
	p.finish()
	return c
}

type pageParser struct {
	t       testing.TB
	c       *snapshot.Capture
	open    []int // node index by level
	ids     map[string]int
	covered []func()
}

func (p *pageParser) line(line, trimmed string) {
	if key, rest, ok := strings.Cut(trimmed, ": "); ok && p.head(key, rest) {
		return
	}
	level := (len(line) - len(strings.TrimLeft(line, " "))) / 2
	require.LessOrEqual(p.t, level, len(p.open), "indent of %q", line)
	p.open = p.open[:level]
	parent := -1
	if level > 0 {
		parent = p.open[level-1]
	}
	toks := tokens(p.t, trimmed)
	if strings.HasPrefix(toks[0], `"`) {
		p.run(parent, toks[0])
		return
	}
	n := snapshot.Node{I: len(p.c.Nodes), Parent: parent, Tag: toks[0], Visible: true, InViewport: true}
	if parent >= 0 {
		up := &p.c.Nodes[parent]
		n.Frame, n.Shadow, n.Box = up.Frame, up.Shadow, snapshot.Box{}
		for i, f := range p.c.Frames {
			if f.Owner == parent {
				n.Frame, n.Shadow = i, ""
			}
		}
		// The run that waits for its child is before this one.
		if r := len(up.Runs) - 1; r >= 0 && up.Runs[r].Before < 0 {
			up.Runs[r].Before = n.I
		}
	}
	p.c.Nodes = append(p.c.Nodes, n)
	p.open = append(p.open, n.I)
	for _, tok := range toks[1:] {
		p.token(n.I, tok)
	}
}

func (p *pageParser) head(key, v string) bool {
	c := p.c
	switch key {
	case "url":
		c.URL = v
	case "title":
		c.Title = unquote(p.t, v)
	case "source":
		c.Source = v
	case "viewport":
		_, err := fmt.Sscanf(v, "%gx%g", &c.Viewport.Width, &c.Viewport.Height)
		require.NoError(p.t, err)
	case "scroll":
		_, err := fmt.Sscanf(v, "%g/%g", &c.Scroll.Y, &c.Scroll.MaxY)
		require.NoError(p.t, err)
	case "event":
		f := strings.SplitN(v, " ", 4)
		age, err := strconv.ParseFloat(f[0], 64)
		require.NoError(p.t, err)
		c.Mutations = append(c.Mutations, snapshot.Mutation{Age: age, Type: f[1], Category: f[2], Text: f[3]})
	default:
		return false
	}
	return true
}

func unquote(t testing.TB, s string) string {
	if !strings.HasPrefix(s, `"`) {
		return s
	}
	u, err := strconv.Unquote(s)
	require.NoError(t, err, s)
	return u
}

// tokens splits at spaces outside quotes.
func tokens(t testing.TB, s string) []string {
	var out []string
	for s != "" {
		i, quoted := 0, false
		for i < len(s) && (quoted || s[i] != ' ') {
			if s[i] == '\\' && quoted {
				i++
			} else if s[i] == '"' {
				quoted = !quoted
			}
			i++
		}
		require.LessOrEqual(t, i, len(s), "unclosed quote")
		out = append(out, s[:i])
		s = strings.TrimLeft(s[i:], " ")
	}
	return out
}

func (p *pageParser) run(parent int, tok string) {
	text := unquote(p.t, tok)
	n := &p.c.Nodes[parent]
	n.Runs = append(n.Runs, snapshot.Run{Text: text, Before: -1})
	n.Text = strings.TrimSpace(n.Text + text)
}

func (p *pageParser) token(i int, tok string) {
	if strings.HasPrefix(tok, `"`) {
		p.run(i, tok)
		return
	}
	n := &p.c.Nodes[i]
	key, v, _ := strings.Cut(tok, "=")
	v = unquote(p.t, v)
	switch {
	case tok[0] == '@':
		_, err := fmt.Sscanf(tok, "@%g,%g,%g,%g", &n.Box[0], &n.Box[1], &n.Box[2], &n.Box[3])
		require.NoError(p.t, err, tok)
		n.InViewport = !n.Box.Intersect(p.c.Viewport.Box()).Empty()
	case tok[0] == '%':
		p.fact(i, key[1:], v)
	default:
		if n.Attrs == nil {
			n.Attrs = map[string]string{}
		}
		n.Attrs[key] = v
		switch key {
		case "id":
			p.ids[v] = i
		case "role":
			n.Role = v
		case "value":
			n.Value = v
		}
	}
}

func (p *pageParser) fact(i int, key, v string) {
	n := &p.c.Nodes[i]
	switch key {
	case "role":
		n.Role = v
	case "name":
		n.Name = v
	case "value":
		n.Value = v
	case "by":
		n.Interactive = strings.Split(v, ",")
	case "verdict":
		n.Verdict = snapshot.Verdict(v)
	case "from":
		n.NameFrom = v
	case "hidden":
		n.Visible, n.Verdict = false, snapshot.VerdictDisplayNone
	case "ref":
		r, err := strconv.Atoi(v)
		require.NoError(p.t, err)
		n.Ref = r
	case "shadow":
		n.Shadow = v
	case "layer":
		n.Layer = &snapshot.Layer{Position: v}
	case "boundary":
		n.Boundary = true
	case "out":
		n.InViewport = false
	case "redacted":
		n.Redacted = []string{"value"}
	case "state":
		n.States = snapshot.States{}
		for _, s := range strings.Split(v, ",") {
			k, val, ok := strings.Cut(s, "=")
			switch {
			case !ok:
				n.States[k] = true
			case val == "false":
				n.States[k] = false
			default:
				if f, err := strconv.ParseFloat(val, 64); err == nil {
					n.States[k] = f
				} else {
					n.States[k] = val
				}
			}
		}
	case "frame":
		p.c.Frames = append(p.c.Frames, snapshot.Frame{
			ID: fmt.Sprint(len(p.c.Frames)), Parent: n.Frame, URL: n.Attr("src"), Owner: i, Readable: v == "", Why: v,
		})
	case "scroll":
		f := strings.Split(v, ",")
		d, _ := strconv.ParseFloat(f[0], 64)
		r, _ := strconv.ParseFloat(f[2], 64)
		n.Scroller = &snapshot.ScrollFact{Depth: d, HasMore: f[1] == "true", Range: r}
		if len(f) > 3 {
			n.Scroller.DepthX, _ = strconv.ParseFloat(f[3], 64)
			n.Scroller.HasMoreX = f[4] == "true"
			n.Scroller.RangeX, _ = strconv.ParseFloat(f[5], 64)
		}
	case "covered", "hit", "click":
		if n.Occlusion == nil {
			x, y := n.Box.Center()
			n.Occlusion = &snapshot.Occlusion{State: snapshot.Clear, VisibleShare: 1, HitShare: 1,
				Click: [2]float64{x, y}}
		}
		switch key {
		case "hit":
			_, err := fmt.Sscanf(v, "%g", &n.Occlusion.HitShare)
			require.NoError(p.t, err)
		case "click":
			_, err := fmt.Sscanf(v, "%g,%g", &n.Occlusion.Click[0], &n.Occlusion.Click[1])
			require.NoError(p.t, err)
		default:
			n.Occlusion.State, n.Occlusion.HitShare = snapshot.Covered, 0
			p.covered = append(p.covered, func() {
				if by, ok := p.ids[v]; ok {
					p.c.Nodes[i].Occlusion.Coverer = &by
				}
			})
		}
	default:
		p.t.Fatalf("unknown fact %q", key)
	}
}

// finish gives roles, evidence, verdicts and numbers where the page does not.
func (p *pageParser) finish() {
	for _, f := range p.covered {
		f()
	}
	t := snapshot.NewTree(p.c)
	atomic := map[int]bool{}
	for i := range p.c.Nodes {
		n := &p.c.Nodes[i]
		if n.Interactive == nil {
			n.Interactive = evidence(n)
		}
		if n.Role == "" {
			n.Role = nativeRole(n)
		}
		n.Block = !Inline(n.Tag)
		up := t.Node(n.Parent)
		if up != nil && (atomic[up.I] || up.Verdict == snapshot.VerdictRef && (len(up.Interactive) > 0 ||
			snapshot.IsHeading(up.Tag) || up.Tag == "pre")) {
			atomic[n.I] = true
		}
		if up != nil && up.Verdict != "" && !up.Verdict.Rendered() {
			n.Verdict = up.Verdict
		}
		if n.Verdict != "" {
			continue
		}
		switch {
		case n.Tag == "option":
			n.Verdict = snapshot.VerdictInsideAtomic
		case atomic[n.I] && len(n.Interactive) == 0:
			n.Verdict = snapshot.VerdictInsideAtomic
		case n.Numbered():
			n.Verdict = snapshot.VerdictRef
		case n.Text != "" || n.Line(false) && n.Value != "":
			n.Verdict = snapshot.VerdictContent
		default:
			n.Verdict = snapshot.VerdictWrapper
		}
	}
	ref := 0
	for _, v := range []snapshot.Verdict{snapshot.VerdictRef, snapshot.VerdictContent} {
		for i := range p.c.Nodes {
			if n := &p.c.Nodes[i]; n.Verdict == v && n.Ref == 0 {
				ref++
				n.Ref = ref
			}
			p.c.Nodes[i].BackendNodeID = int64(1_000 + i)
		}
	}
	p.c.Verdicts = p.c.CountVerdicts()
}

func evidence(n *snapshot.Node) []string {
	switch n.Tag {
	case "a":
		if !n.HasAttr("href") {
			return nil
		}
		return []string{"native"}
	case "button", "input", "select", "textarea", "summary":
		return []string{"native"}
	case "label":
		return []string{"label"}
	}
	if snapshot.IsWidget(n.Attr("role")) {
		return []string{"role"}
	}
	if n.HasAttr("tabindex") {
		return []string{"tabindex"}
	}
	return nil
}

func nativeRole(n *snapshot.Node) string {
	switch n.Tag {
	case "a":
		return "link"
	case "button":
		return "button"
	case "input":
		switch n.Attr("type") {
		case "checkbox", "radio":
			return n.Attr("type")
		case "submit", "button":
			return "button"
		case "range":
			return "slider"
		case "search":
			return "searchbox"
		case "number":
			return "spinbutton"
		}
		return "textbox"
	case "textarea":
		return "textbox"
	case "select":
		return "combobox"
	case "dialog":
		return "dialog"
	case "h1", "h2", "h3", "h4", "h5", "h6":
		return "heading"
	}
	return ""
}

// Inline reports whether the tag usually flows in a line of text. Any other
// tag separates words, although the page has no space there.
func Inline(tag string) bool {
	switch tag {
	case "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font",
		"i", "ins", "kbd", "label", "mark", "q", "rp", "rt", "ruby", "s", "samp", "small", "span", "strike",
		"strong", "sub", "sup", "time", "tt", "u", "var", "wbr", "slot", "nobr":
		return true
	}
	return false
}
