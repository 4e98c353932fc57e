package collect

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/refscope/refscope/snapshot"
)

//go:embed js/markup.js
var markupJS string // the markup of a node as pieces

// Markup is an element's markup, its own tags included unless inner is set, as
// outerHTML and innerHTML have it (HTML 13.3), redacted as the capture is (B-11): what
// the capture withholds of an element is replaced by "[redacted: …]", and what looks
// like a secret or is held by a password field is taken out of all other texts,
// attributes and comments. Fields inside a template, which nobody has looked at, lose
// their values.
//
// limit is how many characters (UTF-16 units) are read; cut reports that there was
// more, and then the open tags are closed. The element must be of this reading, and it
// must come before Release.
func (res *Result) Markup(ctx context.Context, el Element, inner bool, limit int) (html string, cut bool, err error) {
	w, pieces, cut, err := res.pieces(ctx, el, inner, limit)
	if err != nil {
		return "", false, fmt.Errorf("reading the markup: %w", err)
	}
	w.seal(ctx, res, pieces)
	return w.write(pieces), cut, nil
}

// pieces are the markup's pieces without what the capture withholds.
func (res *Result) pieces(ctx context.Context, el Element, inner bool,
	limit int) (*markupWriter, []piece, bool, error) {
	options, err := json.Marshal(map[string]any{"inner": inner, "limit": limit})
	if err != nil {
		return nil, nil, false, err
	}
	text, err := el.Realm.Call(ctx, "function(node) { return node ? ("+markupJS+")(node, "+string(options)+") : ''; }",
		[]int64{el.Node})
	if err != nil {
		return nil, nil, false, err
	}
	if text == "" {
		return nil, nil, false, errNotThere
	}
	var answer struct {
		Pieces []piece `json:"pieces"`
		Cut    bool    `json:"cut"`
	}
	if err := json.Unmarshal([]byte(text), &answer); err != nil {
		return nil, nil, false, err
	}
	w := &markupWriter{known: res.nodesOf(el.Realm.Frame, el.Realm.Loader)}
	w.withhold(answer.Pieces)
	w.joinedSecrets(ctx, answer.Pieces, res)
	return w, answer.Pieces, answer.Cut, nil
}

// nodesOf are the nodes of a frame's document by their uids.
func (res *Result) nodesOf(frame, loader string) map[int]*snapshot.Node {
	out := map[int]*snapshot.Node{}
	c := res.Capture
	for i := range c.Nodes {
		n := &c.Nodes[i]
		if n.Frame >= 0 && n.Frame < len(c.Frames) && c.Frames[n.Frame].ID == frame &&
			c.Frames[n.Frame].Loader == loader &&
			n.UID != 0 {
			out[n.UID] = n
		}
	}
	return out
}

// Kinds of pieces; see js/markup.js.
const (
	pieceStart = iota + 1
	pieceEnd
	pieceText
	pieceComment
	pieceDoctype
)

// piece is one stretch of markup.
type piece struct {
	kind  int
	uid   int
	text  string // tag name, text, comment
	raw   bool
	void  bool     // a start tag without an end tag
	attrs []string // names and values in turn
}

// UnmarshalJSON reads the array that the script makes.
func (p *piece) UnmarshalJSON(b []byte) error {
	var list []json.RawMessage
	if err := json.Unmarshal(b, &list); err != nil {
		return err
	}
	if len(list) < 2 {
		return fmt.Errorf("a piece of %d entries", len(list))
	}
	if err := json.Unmarshal(list[0], &p.kind); err != nil {
		return err
	}
	var flag int
	into := []any{&p.text}
	switch p.kind {
	case pieceStart:
		into = []any{&p.uid, &p.text, &p.attrs, &flag}
	case pieceText:
		into = append(into, &flag)
	}
	for i, v := range into {
		if i+1 >= len(list) {
			return fmt.Errorf("a piece of kind %d with %d entries", p.kind, len(list))
		}
		if err := json.Unmarshal(list[i+1], v); err != nil {
			return err
		}
	}
	p.void, p.raw = p.kind == pieceStart && flag == 1, p.kind == pieceText && flag == 1
	return nil
}

// markupWriter puts pieces together.
type markupWriter struct {
	known map[int]*snapshot.Node // by uid
	clean map[string]string
}

// withhold replaces what the capture has kept out of elements.
func (w *markupWriter) withhold(pieces []piece) {
	type element struct {
		node *snapshot.Node // nil where nobody has looked at it
		tag  string
		kept bool // the profile withholds it, or one around it
	}
	var open []element
	for i := range pieces {
		p := &pieces[i]
		var around element
		if len(open) > 0 {
			around = open[len(open)-1]
		}
		switch p.kind {
		case pieceStart:
			e := element{node: w.known[p.uid], tag: p.text}
			e.kept = around.kept || e.node != nil && slices.Contains(e.node.Redacted, "element")
			withholdAttrs(p, e.node, e.kept)
			if !p.void {
				open = append(open, e)
			}
		case pieceEnd:
			open = open[:max(0, len(open)-1)]
		case pieceText, pieceComment:
			switch {
			case around.kept:
				p.text = "[redacted]"
			case around.tag != "textarea":
			case around.node == nil:
				p.text = "[redacted: not looked at]"
			case slices.Contains(around.node.Redacted, "value"):
				p.text = around.node.Value
			}
		}
	}
}

// joinedSecrets takes out what lies in several elements that are read as one, as in a capture.
func (w *markupWriter) joinedSecrets(ctx context.Context, pieces []piece, res *Result) {
	var parts, all []int
	textsOf := func(parts []int) []string {
		texts := make([]string, len(parts))
		for i, k := range parts {
			texts[i] = pieces[k].text
		}
		return texts
	}
	put := func(parts []int, texts []string) {
		for i, s := range texts {
			pieces[parts[i]].text = s
		}
	}
	flush := func() {
		if len(parts) > 1 {
			put(parts, res.redactor.CleanParts(textsOf(parts)))
		}
		all = append(all, parts...)
		parts = parts[:0]
	}
	var inline []bool // of the elements that are open
	for i := range pieces {
		p := &pieces[i]
		switch p.kind {
		case pieceStart:
			n := w.known[p.uid]
			in := n != nil && !n.Block && n.Tag != "br" && !snapshot.IsFormControl(n.Tag)
			if !in {
				flush()
			}
			if !p.void {
				inline = append(inline, in)
			}
		case pieceEnd:
			if last := len(inline) - 1; last >= 0 {
				if !inline[last] {
					flush()
				}
				inline = inline[:last]
			}
		case pieceText:
			parts = append(parts, i)
		}
	}
	flush()
	put(all, sealBy(ctx, res.sealers, "sealParts", textsOf(all), true))
}

func withholdAttrs(p *piece, n *snapshot.Node, kept bool) {
	for k := 0; k+1 < len(p.attrs); k += 2 {
		name := strings.ToLower(p.attrs[k])
		switch {
		case kept: // its shape stays
			if name != "class" && name != "type" && name != "role" {
				p.attrs[k+1] = "[redacted]"
			}
		case n == nil:
			if name == "value" && (p.text == "input" || p.text == "option") {
				p.attrs[k+1] = "[redacted: not looked at]"
			}
		case slices.Contains(n.Redacted, "attr:"+name):
			p.attrs[k+1] = n.Attr(name)
		case name == "value" && slices.Contains(n.Redacted, "value"):
			p.attrs[k+1] = n.Value
		}
	}
}

// seal cleans all texts at once: the page is asked for each list of them.
func (w *markupWriter) seal(ctx context.Context, res *Result, pieces []piece) {
	w.clean = map[string]string{}
	var list []string
	add := func(s string) {
		if strings.TrimSpace(s) == "" {
			return
		}
		if _, ok := w.clean[s]; !ok {
			w.clean[s] = s
			list = append(list, s)
		}
	}
	for _, p := range pieces {
		if p.kind == pieceText || p.kind == pieceComment {
			add(p.text)
		}
		for k := 1; k < len(p.attrs); k += 2 {
			add(p.attrs[k])
		}
	}
	for i, s := range res.Seal(ctx, list) {
		w.clean[list[i]] = s
	}
}

func (w *markupWriter) cleaned(s string) string {
	if t, ok := w.clean[s]; ok {
		return t
	}
	return s
}

func (w *markupWriter) write(pieces []piece) string {
	text := strings.NewReplacer("&", "&amp;", "\u00a0", "&nbsp;", "<", "&lt;", ">", "&gt;")
	value := strings.NewReplacer("&", "&amp;", "\u00a0", "&nbsp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")
	var b strings.Builder
	for _, p := range pieces {
		switch p.kind {
		case pieceStart:
			b.WriteString("<" + p.text)
			for k := 0; k+1 < len(p.attrs); k += 2 {
				b.WriteString(" " + p.attrs[k] + `="` + value.Replace(w.cleaned(p.attrs[k+1])) + `"`)
			}
			b.WriteByte('>')
		case pieceEnd:
			b.WriteString("</" + p.text + ">")
		case pieceText:
			s := w.cleaned(p.text)
			if !p.raw {
				s = text.Replace(s)
			}
			b.WriteString(s)
		case pieceComment:
			b.WriteString("<!--" + w.cleaned(p.text) + "-->")
		case pieceDoctype:
			b.WriteString("<!DOCTYPE " + p.text + ">")
		}
	}
	return b.String()
}

// Text is the text content of an element, sealed: for what is never drawn, such as a
// script or the title, of which the capture has no text. limit is in UTF-16 units.
func (res *Result) Text(ctx context.Context, el Element, limit int) (text string, cut bool, err error) {
	_, pieces, cut, err := res.pieces(ctx, el, true, limit)
	if err != nil {
		return "", false, fmt.Errorf("reading the text: %w", err)
	}
	var b strings.Builder
	for _, p := range pieces {
		if p.kind == pieceText {
			b.WriteString(p.text)
		}
	}
	return res.Seal(ctx, []string{b.String()})[0], cut, nil
}
