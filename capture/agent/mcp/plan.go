package mcp

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/refscope/refscope/capture/element"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/css"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/format/aria"
)

// plan is what a call is translated to: steps of package step, and how the answer is made.
type plan struct {
	steps   []map[string]any
	command map[string]any // of run_steps: the members beside the steps, which are those of the call
	// opensTab: the steps open a tab. tabless: they need none. look: the page is read though no step needs it.
	opensTab, tabless, look bool
	ref                     refText            // that the call names, "" for none
	expect                  json.RawMessage    // what an action is to lead to; nil for what is usual
	view                    *view              // the page as text, after what was done; nil for none
	picture                 *screenshotRequest // the marked picture; nil for none
}

// screenshotRequest is how the picture is made.
type screenshotRequest struct {
	model string
	plain bool // without marks
}

// refText is a ref in any spelling, as a string or a number.
type refText = element.Text

// Arguments that several tools share.
type (
	targetArgs struct {
		Ref      refText `json:"ref,omitempty" jsonschema:"its number, @e12 or 12"`
		Selector string  `json:"selector,omitempty" jsonschema:"CSS selector, instead of ref or where that is gone"`
	}
	showArgs struct {
		Snapshot bool `json:"snapshot,omitempty" jsonschema:"then list the elements"`
	}
	expectArgs struct {
		Expect json.RawMessage `json:"expect,omitempty" jsonschema:"see instructions"`
	}
	actArgs struct {
		Force bool `json:"force,omitempty" jsonschema:"even if hidden, disabled or covered"`
		showArgs
		expectArgs
	}
	viewArgs struct {
		Format       string `json:"format,omitempty" jsonschema:"text format of the page" enum:"formats"`
		Detail       string `json:"detail,omitempty" jsonschema:"of the format aria" enum:"full,interactive,summary"`
		_            string `about:"of the format aria: only that part: body, role=NAME or a CSS selector"`
		Root         string `json:"root,omitempty"`
		Query        string `json:"query,omitempty" jsonschema:"only what is relevant to this, in words"`
		_            string `about:"cut the text there; a note marks the cut"`
		MaxChars     int    `json:"max_chars,omitempty" min:"100" max:"16777216"`
		ViewportOnly bool   `json:"viewport_only,omitempty" jsonschema:"only what is in view (wraith, aria, domtool)"`
	}
)

func (a *targetArgs) empty() bool { return a.Ref == "" && a.Selector == "" }

// ready are the parameters that control how an element is waited for: without force, one that cannot be acted on is
// an error with the reason.
func (a *actArgs) ready() map[string]any {
	if a.Force {
		return map[string]any{"force": true}
	}
	return map[string]any{"strict": true}
}

// plan is a plan of one step, on an element where on is not nil.
func (a *actArgs) plan(s *clientSession, name string, params map[string]any, on *targetArgs) (*plan, error) {
	p := &plan{steps: []map[string]any{{name: params}}, expect: a.Expect}
	switch {
	case on == nil:
	case on.Ref != "":
		p.ref, params["ref"] = on.Ref, on.Ref
		if on.Selector != "" {
			params["fallback"] = on.Selector
		}
	case on.Selector != "":
		params["selector"], params["only"] = on.Selector, true
	default:
		return nil, errors.New("name the element by ref, its number in the snapshot, or by selector")
	}
	return p, p.show(s, a.Snapshot, viewArgs{})
}

// view is how the page is written.
type view struct {
	format  dump.Format
	options format.Options
	root    string // of aria: body, role=NAME or a CSS selector
}

// show lets the answer have the page as text, where it is wanted. It refuses what does not go together.
func (p *plan) show(s *clientSession, wanted bool, a viewArgs) error {
	name := dump.Format(a.Format)
	if name == "" {
		name = s.owner.opt.Format
	}
	if a.Root != "" && !plainRoot(a.Root) {
		if _, err := css.Parse(a.Root); err != nil {
			return fmt.Errorf("root: %w", err)
		}
	}
	switch {
	case (a.Detail != "" || a.Root != "") && name != format.Aria:
		return errors.New(`detail and root belong to format "aria": name it, or leave them out`)
	case name == format.Filtered && a.Query == "":
		return errors.New(`format "filtered" needs a query`)
	case !wanted:
		return nil
	}
	p.view = &view{format: name, root: a.Root, options: format.Options{
		Common: dump.Common{Query: a.Query, MaxChars: a.MaxChars, ViewportOnly: a.ViewportOnly, MarkCovered: true},
	}}
	p.view.options.Aria.Detail, p.view.options.Aria.Spell = aria.Detail(a.Detail), refSpelling
	return nil
}

// of are the options for one capture.
func (v *view) of(c *snapshot.Capture) (format.Options, error) {
	o := v.options
	var err error
	switch {
	case v.root == "":
	case plainRoot(v.root):
		o.Aria.Root, err = aria.Root(c, v.root)
	default:
		sel, perr := css.Parse(v.root)
		if perr != nil {
			return o, perr
		}
		err = fmt.Errorf("root %q: nothing on the page matches it", v.root)
		for _, n := range sel.All(css.NewTree(c)) {
			o.Aria.Root, err = &n.I, nil
			break
		}
	}
	return o, err
}

func plainRoot(root string) bool { return root == "body" || strings.HasPrefix(root, "role=") }
