package payload

import (
	"math"
	"slices"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/text"
)

// maxConsole is how many messages of the console an answer lists (seed 11.14).
const maxConsole = 50

// maxConsoleText is how long one may be, in characters (seed 11.14).
const maxConsoleText = 500

// context writes what the page is like after the steps (seed 14.4).
func (b *body) context(c *snapshot.Capture, o format.Options) {
	percent := 0
	if c.Scroll.MaxY > 0 {
		percent = min(100, whole(100*c.Scroll.Y/c.Scroll.MaxY))
	}
	b.raw(`{"url":`).str(c.URL).raw(`,"title":`).str(c.Title)
	b.raw(`,"scroll":{"y":`).number(whole(c.Scroll.Y)).raw(`,"percent":`).number(percent)
	b.raw(`},"viewport":{"width":`).number(whole(c.Viewport.Width)).raw(`,"height":`).number(whole(c.Viewport.Height)).raw("}")
	t := snapshot.NewTree(c)
	if n := focused(c); n != nil {
		b.raw(`,"activeElement":`).active(n, o)
	}
	if title, ok := modal(c, t, o.Compat); ok {
		b.raw(`,"modal":`).str(title)
	}
	b.raw("}")
}

// focused is the element with the focus, the innermost where frames and shadow hosts
// have it too; nil where that is the page.
func focused(c *snapshot.Capture) *snapshot.Node {
	var found *snapshot.Node
	for i := range c.Nodes {
		n := &c.Nodes[i]
		if n.States.Is("focused") && n.Tag != "body" && n.Tag != "html" {
			found = n
		}
	}
	return found
}

func (b *body) active(n *snapshot.Node, o format.Options) *body {
	b.raw(`{"tag":`).str(n.Tag).optional("selector", n.Path)
	if n.Ref > 0 && !o.Compat {
		b.raw(`,"ref":`).str(refOf(o)(n.Ref))
	}
	b.raw(`,"box":{"x":`).number(whole(n.Box.X())).raw(`,"y":`).number(whole(n.Box.Y()))
	b.raw(`,"width":`).number(whole(n.Box.W())).raw(`,"height":`).number(whole(n.Box.H()))
	b.raw(`},"editable":`).boolean(editable(n))
	if n.Tag == "input" || n.Tag == "textarea" {
		b.optional("type", n.Attr("type")).optional("value", n.Value).optional("placeholder", n.Attr("placeholder"))
	}
	return b.raw("}")
}

// editable reports whether text can be typed into the element.
func editable(n *snapshot.Node) bool {
	if n.States.Is("disabled") || n.States.Is("readonly") {
		return false
	}
	switch n.Tag {
	case "textarea":
		return true
	case "input":
		return !slices.Contains([]string{"button", "checkbox", "color", "file", "hidden", "image", "radio", "range", "reset",
			"submit"}, n.Attr("type"))
	}
	return slices.Contains(n.Interactive, "contenteditable")
}

// modal is the title of the dialog that the page shows, the last one where there are
// several: its name, a heading in it, or "Dialog".
func modal(c *snapshot.Capture, t *snapshot.Tree, compat bool) (title string, ok bool) {
	for i := range c.Nodes {
		n := &c.Nodes[i]
		isModal := n.Tag == "dialog" && n.HasAttr("open") || n.Role == "dialog" && n.States.Is("modal") ||
			n.Role == "alertdialog"
		if !isModal || !n.Visible || !n.Verdict.Rendered() {
			continue
		}
		title, ok = n.Name, true
		if compat {
			title = n.Attr("aria-label")
		}
		if title == "" {
			title = headingIn(c, t, n)
		}
		if title == "" {
			title = "Dialog"
		}
	}
	return title, ok
}

// headingIn is the text of the first heading in the element.
func headingIn(c *snapshot.Capture, t *snapshot.Tree, in *snapshot.Node) string {
	for i := range c.Nodes {
		n := &c.Nodes[i]
		if n.Role == "heading" && n.Verdict.Rendered() && t.Contains(in.I, n.I) {
			if n.Name != "" {
				return n.Name
			}
			return t.Text(n.I)
		}
	}
	return ""
}

// consoleOf are the errors and warnings since before, equal ones once, oldest first.
func consoleOf(c, before *snapshot.Capture) []snapshot.ConsoleEntry {
	type key struct{ level, text, url string }
	seen := map[key]bool{}
	since := math.Inf(1) // ms before the capture
	if before != nil {
		since = float64(c.TakenAt.Sub(before.TakenAt).Milliseconds())
	}
	var out []snapshot.ConsoleEntry
	for _, e := range c.Console {
		k := key{e.Level, e.Text, e.URL}
		if e.Level != "error" && e.Level != "warning" || e.Age > since || seen[k] {
			continue
		}
		seen[k] = true
		out = append(out, e)
	}
	return out
}

func (b *body) console(c *snapshot.Capture, all []snapshot.ConsoleEntry, volatile bool) {
	shown := all[max(0, len(all)-maxConsole):]
	b.raw(`{"total":`).number(len(all)).raw(`,"showing":`).number(len(shown)).raw(`,"messages":`)
	var parts []func()
	for _, e := range shown {
		parts = append(parts, func() {
			b.raw(`{"level":`).str(e.Level).raw(`,"text":`).str(text.Cut(e.Text, maxConsoleText)).optional("url", e.URL)
			if e.Line > 0 {
				b.raw(`,"line":`).number(e.Line)
			}
			if volatile {
				b.raw(`,"timestamp":`).number(int(c.TakenAt.UnixMilli()) - int(e.Age))
			}
			b.raw("}")
		})
	}
	b.list(parts...).raw("}")
}
