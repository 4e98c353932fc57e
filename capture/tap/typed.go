package tap

import (
	"bytes"
	"cmp"
	"encoding/json"
	"image"
	"slices"

	"github.com/refscope/refscope/overlay/vision"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/find"
	"github.com/refscope/refscope/snapshot/observation"
	"github.com/refscope/refscope/snapshot/observation/tie"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/wire"
)

// Typed are the values that an answer types into fields whose content is withheld, such as a password's: they stand
// in it before any page holds them. Such is a field by the words that the answer has for it, by the line that lists it,
// and by its element on one of the pages, that with the focus where the answer names none. listed is what the model
// knows of the page, nil where it was told nothing.
func Typed(asked *wire.Request, a *wire.Answer, listed *observation.Text, pages []Page) []redact.Secret {
	if a == nil {
		return nil
	}
	kinds := map[string]string{} // of secrets, by the refs of their fields
	var secret []func(ref string) string
	focused := ""
	if listed != nil {
		for _, l := range listed.Lines {
			if slices.Contains(fieldRoles, l.Role) && l.Ref != "" {
				kinds[l.Ref] = redact.Control{Tag: "input", Attrs: l.Attrs, Label: l.Name}.Secret(redact.Standard())
			}
		}
	}
	for _, p := range pages {
		if p.Capture == nil {
			continue
		}
		some := false
		for i := range p.Capture.Nodes {
			n := &p.Capture.Nodes[i]
			why := holds(n)
			if some = some || why != ""; n.States.Is("focused") {
				focused = cmp.Or(focused, why)
			}
		}
		if !some {
			continue
		}
		made := tie.New(p.Capture)
		if listed != nil {
			now := listed.Again()
			made.Tie(now)
			for _, l := range now.Lines {
				if l.Ref != "" && kinds[l.Ref] == "" {
					kinds[l.Ref] = holds(made.Tree().Node(l.Node))
				}
			}
		}
		secret = append(secret, func(ref string) string {
			node, _ := made.Held(ref)
			return holds(made.Tree().Node(node))
		})
	}
	kind := func(ref string) string {
		why := kinds[ref]
		for _, of := range secret {
			why = cmp.Or(why, of(ref))
		}
		return why
	}
	var out []redact.Secret
	for _, c := range a.Calls {
		var v any
		if json.Unmarshal(c.Arguments, &v) == nil {
			out = append(out, typedIn(v, kind)...)
		}
	}
	for _, t := range a.Typings(asked) {
		why := cmp.Or(redact.NamedSecret(t.Words), redact.NamedSecret(t.Selector))
		switch {
		case why != "":
		case t.Ref != "":
			why = kind(t.Ref)
		case t.Selector != "":
			why = selected(pages, t.Selector)
		case t.Point != nil:
			why = pointed(pages, asked, t.Action)
		case t.Action == wire.Action{Verb: t.Verb}:
			why = focused
		}
		if why != "" {
			out = append(out, redact.Secret{Value: t.Text, Why: why})
		}
	}
	return out
}

// selected is what the elements hold that a selector means on the pages, of whichever library it is.
func selected(pages []Page, selector string) (why string) {
	for _, p := range pages {
		if p.Capture == nil {
			continue
		}
		found, _ := find.Locate(p.Capture, selector) // one that cannot be read finds nothing
		others, _ := find.LocatePuppeteer(p.Capture, selector)
		for _, n := range slices.Concat(found, others) {
			why = cmp.Or(why, holds(n))
		}
	}
	return why
}

// shownIn are the sizes of the newest pictures of a request, as they were sent and as its model sees them.
func shownIn(asked *wire.Request) (sizes [][2]float64) {
	const most = 4
	if asked == nil {
		return nil
	}
	all := asked.Images()
	model, _ := vision.Lookup(asked.Model)
	for _, p := range all[max(0, len(all)-most):] {
		sent, _, err := image.DecodeConfig(bytes.NewReader(p.Data))
		if err != nil {
			continue
		}
		seen := model.Fit(image.Pt(sent.Width, sent.Height), vision.Detail(p.Detail))
		for _, size := range []image.Point{image.Pt(sent.Width, sent.Height), seen} {
			sizes = append(sizes, [2]float64{float64(size.X), float64(size.Y)})
		}
	}
	return sizes
}

// pointed is what an element holds that lies at the point of an action in any of the spaces which that may be in.
func pointed(pages []Page, asked *wire.Request, a wire.Action) string {
	shown := shownIn(asked)
	for _, p := range pages {
		if p.Capture == nil {
			continue
		}
		v := p.Capture.Viewport
		spaces := append([][2]float64{{v.Width, v.Height}, {v.Width * v.Scale, v.Height * v.Scale}}, shown...)
		if asked != nil && asked.Display != [2]int{} {
			spaces = append(spaces, [2]float64{float64(asked.Display[0]), float64(asked.Display[1])})
		}
		if a.Thousandths {
			spaces = [][2]float64{{1000, 1000}}
		}
		for i := range p.Capture.Nodes {
			n := &p.Capture.Nodes[i]
			why, b := holds(n), n.VisibleBox()
			for _, s := range spaces {
				x, y := a.Point[0]/s[0]*v.Width, a.Point[1]/s[1]*v.Height
				if why != "" && n.InViewport && x >= b.X() && x <= b.Right() && y >= b.Y() && y <= b.Bottom() {
					return why
				}
			}
		}
	}
	return ""
}

// fieldRoles are the roles and tags of lines about fields that are typed into.
var fieldRoles = []string{"textbox", "searchbox", "spinbutton", "combobox", "input", "textarea"}

// holds is what an element holds that is withheld, "" for nothing.
func holds(n *snapshot.Node) string {
	switch {
	case n == nil:
		return ""
	case n.Tag == "input" && n.Attr("type") == "password", slices.Contains(n.Redacted, "value"):
		return "password"
	}
	return redact.Control{Tag: n.Tag, Attrs: n.Attrs, Label: n.Name}.Secret(redact.Standard())
}

// typedIn are the texts that stand in an object beside the ref of an element with a secret of that kind.
func typedIn(v any, kind func(ref string) string) []redact.Secret {
	var out []redact.Secret
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			out = append(out, typedIn(one, kind)...)
		}
	case map[string]any:
		why := ""
		for key, value := range v {
			if s, text := value.(string); text && wire.HoldsElement(key) {
				why = cmp.Or(why, kind(s))
			}
			out = append(out, typedIn(value, kind)...)
		}
		for _, key := range []string{"text", "value", "content", "input"} {
			if s, ok := v[key].(string); ok && why != "" && s != "" {
				out = append(out, redact.Secret{Value: s, Why: why})
			}
		}
	}
	return out
}
