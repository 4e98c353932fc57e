package collect

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/refscope/refscope/snapshot"
)

// Where roles, names and states come from.
const (
	SourcePage = "page"            // the collector, by specification; the default
	SourceAX   = snapshot.SourceAX // Chrome's own accessibility tree
)

// errSource names a source that does not exist.
var errSource = errors.New(`choose "page" or "ax"`)

// checkSource accepts the empty source, which is the page.
func checkSource(source string) error {
	switch source {
	case "", SourcePage, SourceAX:
		return nil
	}
	return fmt.Errorf("unknown source %q for roles and names: %w", source, errSource)
}

// useAX replaces the roles, names, descriptions, values and states of the kept nodes by
// those of Chrome's accessibility tree (S-5). Which nodes are kept,
// their boxes and their evidence are unchanged, so that the two captures of a
// page can be compared node by node. A node that Chrome ignores, such as one under
// aria-hidden, has no role and no name then.
//
// It must come before Release: nodes are found by their backendNodeIds, and texts are
// cleaned of secrets with the page's help.
func (res *Result) useAX(ctx context.Context) error {
	if err := res.Identify(ctx); err != nil {
		return err
	}
	res.Capture.Source = snapshot.SourceAX
	var told []*snapshot.Node
	var texts []string
	for _, p := range res.parts {
		if p.realm == nil {
			continue
		}
		tree, err := cdp.Call(ctx, p.realm.Session(), accessibility.GetFullAXTree,
			accessibility.GetFullAXTreeParams{FrameID: cdp.FrameID(p.realm.Frame)})
		if err != nil {
			if ctx.Err() != nil {
				return fmt.Errorf("reading the accessibility tree: %w", ctx.Err())
			}
			res.Capture.Failed = append(res.Capture.Failed, snapshot.Failure{Layer: "ax", Frame: p.frame,
				Why: "the accessibility tree could not be read, so names are the page's: " + why(err)})
			continue
		}
		known := make(map[int64]*accessibility.Node, len(tree.Nodes))
		for _, n := range tree.Nodes {
			if id := int64(n.BackendDOMNodeID); id != 0 && known[id] == nil {
				known[id] = n
			}
		}
		for _, id := range p.ids {
			n := &res.Capture.Nodes[id]
			if !n.Verdict.Kept() || n.BackendNodeID == 0 {
				continue
			}
			told = append(told, n)
			texts = append(texts, axFacts(n, known[n.BackendNodeID])...)
		}
	}
	// Chrome's texts have not passed through the redaction in the page.
	for k, text := range res.Seal(ctx, texts) {
		n := told[k/3]
		switch k % 3 {
		case 0:
			n.Name = text
		case 1:
			n.Description = text
		case 2:
			if len(n.Redacted) == 0 {
				n.Value = text
			}
		}
		if n.Name == "" {
			n.NameFrom = ""
		}
	}
	return nil
}

// axFacts sets a node's role and states and gives its name, description and value,
// which are still to be cleaned.
func axFacts(n *snapshot.Node, from *accessibility.Node) []string {
	states := snapshot.States{}
	for _, own := range []string{"open", "inert", "current", "sort"} { // not in Chrome's tree
		if v, ok := n.States[own]; ok {
			states[own] = v
		}
	}
	n.Role, n.NameFrom, n.States = "", "", nil
	if len(states) > 0 {
		n.States = states
	}
	if from == nil || from.Ignored {
		return []string{"", "", n.Value}
	}
	n.Role = axRole(axText(from.Role))
	n.NameFrom = "ax"
	for _, p := range from.Properties {
		if name, value, holds := axState(p); holds {
			states[name] = value
			n.States = states
		}
	}
	value := n.Value
	if from.Value != nil {
		value = axText(from.Value)
	}
	return []string{axText(from.Name), axText(from.Description), value}
}

// axRole is the ARIA name of a role in Chrome's tree; "" for what ARIA has no role
// for.
func axRole(role string) string {
	switch role {
	case "PopUpButton", "ComboBoxSelect", "ComboBoxMenuButton":
		return "combobox"
	case "ListBox":
		return "listbox"
	case "ListBoxOption", "MenuListOption":
		return "option"
	case "DisclosureTriangle", "DisclosureTriangleGrouped":
		return "button"
	case "Date", "DateTime", "InputTime", "ColorWell":
		return "textbox"
	case "RootWebArea":
		return "document"
	case "image":
		return "img"
	case "Iframe", "IframePresentational":
		return "iframe"
	case "generic", "none", "":
		return ""
	}
	// A name of Chrome's own, such as LabelText, starts with a capital.
	if role != strings.ToLower(role) {
		return ""
	}
	return role
}

// axState is a property as a state of ours, and whether it is one that holds.
func axState(p *accessibility.Property) (name string, value any, holds bool) {
	if p == nil || p.Value == nil {
		return "", nil, false
	}
	var v any
	if json.Unmarshal(p.Value.Value, &v) != nil {
		return "", nil, false
	}
	switch p.Name {
	case "checked", "pressed", "expanded", "selected": // false is information too
		switch v {
		case "true":
			v = true
		case "false":
			v = false
		}
		return string(p.Name), v, true
	case "busy", "disabled", "focused", "multiselectable", "readonly", "required", "modal":
		return string(p.Name), true, v == true
	case "invalid":
		if v == "true" {
			v = true
		}
		return "invalid", v, v != "false"
	case "hasPopup":
		return "haspopup", v, v != "false"
	case "level":
		return "level", v, true
	}
	return "", nil, false
}

// axText is a value as text; numbers, such as a slider's, as they are written.
func axText(v *accessibility.Value) string {
	if v == nil || len(v.Value) == 0 {
		return ""
	}
	var text string
	if json.Unmarshal(v.Value, &text) == nil {
		return text
	}
	return string(v.Value)
}
