package conversation

import (
	"fmt"
	"strings"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/doctor"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
)

// Stored finds the request that [Read] can read among the payloads that a turn keeps, and its answer; nil for none.
func Stored(kept []turn.Payload) (asked, answer *turn.Payload) {
	at := doctor.Request(kept)
	if at < 0 {
		return nil, nil
	}
	asked = &kept[at]
	if i := doctor.Answer(kept, at); i >= 0 {
		answer = &kept[i]
	}
	return asked, answer
}

// Repeats reports whether a message is as in the request before, and neither the instructions nor the task, which a
// reader wants to see in each turn.
func (c *Conversation) Repeats(i int) bool {
	task := i == 1 && c.Messages[0].Role != "user" && c.Messages[1].Role == "user"
	return c.Before > 0 && i < c.Same && i > 0 && !task
}

// Speaker is who says a message, for people. It is safe to show.
func (m *Message) Speaker() string {
	names := map[string]string{"system": "System", "developer": "Developer", "user": "User", "assistant": "Assistant",
		"tool": "Tool", "model": "Assistant", "function": "Tool"}
	who := names[m.Role]
	if who == "" {
		who = text.Cut(text.Line(m.Role), 24)
	}
	if m.Answer {
		return who + " · the answer to this request"
	}
	for _, p := range m.Parts {
		if p.Tool != "" {
			return who + " · " + text.Cut(text.Line(p.Tool), 48)
		}
	}
	return who
}

// Verb is the verb of an action in short: without what a tool's name has around it. It is safe to show.
func Verb(verb string) string {
	// As a client calls a server's tool: mcp__playwright__browser_click.
	if parts := strings.SplitN(verb, "__", 3); len(parts) == 3 && parts[0] == "mcp" {
		verb = parts[2]
	}
	verb = strings.TrimPrefix(strings.TrimPrefix(verb, "browser_"), "page_")
	for _, end := range []string{"_element_by_index", "_by_index", "_element"} {
		verb = strings.TrimSuffix(verb, end)
	}
	return text.Cut(text.Line(verb), 40)
}

// PageWords say how much a text of a page is, in one line; Page is not nil.
func (p *Part) PageWords() string {
	numbers := map[string]bool{}
	for _, line := range p.Page.Lines {
		if line.Ref != "" {
			numbers[line.Ref] = true
		}
	}
	lines := strings.Count(strings.TrimRight(p.Page.Body(), "\n"), "\n") + 1
	out := "Page · " + text.Count(lines, "line", "lines") + " · " +
		text.Count(p.Tokens, "token", "tokens")
	if n := len(numbers); n > 0 {
		out += " · " + text.Count(n, "number", "numbers")
	}
	return out
}

// PictureWords are about an image: its size as it was sent, and as the vendor's model sees it.
func (p *Part) PictureWords() string {
	pic := p.Picture
	switch {
	case pic == nil:
		return "a picture of " + text.Count(len(p.Data), "byte", "bytes")
	case pic.Problem != "":
		return "a picture that cannot be read: " + text.Cut(text.Line(pic.Problem), 120)
	case pic.URL != "" && pic.Width == 0:
		return "a picture elsewhere: " + text.Cut(text.Line(pic.URL), 400)
	}
	out := fmt.Sprintf("%d × %d px sent\nseen by the model at %d × %d", pic.Width, pic.Height, pic.SeenWidth,
		pic.SeenHeight)
	if pic.Tokens > 0 {
		out += "\n" + text.Count(pic.Tokens, "token", "tokens")
	}
	return out
}

// Place is where an action means, CSS px of the viewport: its point, or that of its element; false for nowhere in view.
func Place(c *snapshot.Capture, t *doctor.Target) ([2]float64, bool) {
	if t.CSS != nil {
		return *t.CSS, true
	}
	n := c.Node(t.Node)
	if n == nil || !n.InViewport {
		return [2]float64{}, false
	}
	if n.Occlusion != nil {
		return n.Occlusion.Click, true
	}
	x, y := n.VisibleBox().Center()
	return [2]float64{x, y}, true
}
