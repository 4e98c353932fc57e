package payload

import (
	"time"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/css"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/text"
)

// maxConsole is how many messages of the console an answer lists (seed 11.14).
const maxConsole = 50

// maxConsoleText is how long one may be, in characters (seed 11.14).
const maxConsoleText = 500

// maxTools is how many of the tools that the page offers to agents an answer lists.
const maxTools = 20

// context writes what the page is like after the steps (seed 14.4).
func (b *body) context(c *snapshot.Capture, o format.Options) {
	percent := 0
	if c.Scroll.MaxY > 0 {
		percent = min(100, whole(100*c.Scroll.Y/c.Scroll.MaxY))
	}
	b.String("url", c.URL).String("title", c.Title)
	b.Open("scroll", '{').Int("y", whole(c.Scroll.Y)).Int("percent", percent).Close("}")
	b.Open("viewport", '{').Int("width", whole(c.Viewport.Width)).Int("height", whole(c.Viewport.Height)).Close("}")
	if n := focused(c); n != nil {
		b.active(n, css.NewShortest(c).Of(n), o)
	}
	if title, ok := modal(c, snapshot.NewTree(c), o.Compat); ok {
		b.String("modal", title)
	}
	if len(c.Tools) > 0 && !o.Compat {
		b.Open("pageTools", '[')
		for _, tool := range c.Tools[:min(len(c.Tools), maxTools)] {
			b.Open("", '{').String("name", tool.Name).Optional("description",
				text.Start(tool.Description, maxConsoleText)).
				Optional("inputSchema", text.Start(tool.InputSchema, maxConsoleText)).Close("}")
		}
		b.Close("]")
	}
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

func (b *body) active(n *snapshot.Node, selector string, o format.Options) {
	b.Open("activeElement", '{').String("tag", n.Tag).Optional("selector", selector)
	if n.Ref > 0 && !o.Compat {
		b.String("ref", refOf(o)(n.Ref))
	}
	b.Open("box", '{').Int("x", whole(n.Box.X())).Int("y", whole(n.Box.Y()))
	b.Int("width", whole(n.Box.W())).Int("height", whole(n.Box.H())).Close("}").Bool("editable", editable(n))
	if n.Tag == "input" || n.Tag == "textarea" {
		b.Optional("type", n.Attr("type")).Optional("value", n.Value).Optional("placeholder", n.Attr("placeholder"))
	}
	b.Close("}")
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
		return snapshot.IsTextType(n.Attr("type"))
	}
	return n.Editable()
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
	var since time.Time
	if before != nil {
		since = before.TakenAt
	}
	var out []snapshot.ConsoleEntry
	for _, e := range c.ConsoleSince(since) {
		k := key{e.Level, e.Text, e.URL}
		if e.Level != "error" && e.Level != "warning" || seen[k] {
			continue
		}
		seen[k] = true
		out = append(out, e)
	}
	return out
}

func (b *body) console(c *snapshot.Capture, all []snapshot.ConsoleEntry, volatile bool) {
	shown := all[max(0, len(all)-maxConsole):]
	b.Int("total", len(all)).Int("showing", len(shown)).Open("messages", '[')
	for _, e := range shown {
		b.Open("", '{').String("level", e.Level).String("text", text.Cut(e.Text, maxConsoleText)).Optional("url", e.URL)
		b.Positive("line", e.Line)
		if volatile {
			b.Int("timestamp", int(c.TakenAt.UnixMilli())-int(e.Age))
		}
		b.Close("}")
	}
	b.Close("]")
}
