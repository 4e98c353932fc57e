package collect

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/trace"
	"github.com/refscope/refscope/snapshot"
)

// said is what a custom element says of itself by ElementInternals, as the browser's accessibility tree has it.
type said struct {
	Role   string          `json:"role,omitempty"`
	Name   string          `json:"name,omitempty"` // only one that its author gave, as by aria-label
	Value  string          `json:"value,omitempty"`
	States snapshot.States `json:"states,omitempty"`
}

// internals asks the browser's accessibility tree about the n custom elements that the walk has chosen, and about those
// that it chooses further (js/internals.js). news: what they say is not what the world knew, so that the document is to
// be walked again; left is how many were not asked about, as there are too many. Each costs about half a millisecond.
func internals(ctx context.Context, realm *browser.Realm, n int) (news bool, left int, err error) {
	for n > 0 {
		asked, err := realm.Describe(ctx, "globalThis.__refscope.speakers")
		if err != nil {
			return false, 0, err
		}
		all, errs := make([]*said, len(asked)), make([]error, len(asked))
		var work sync.WaitGroup
		slots := make(chan struct{}, 32)
		for k, f := range asked {
			slots <- struct{}{}
			work.Go(func() {
				defer func() { <-slots }()
				all[k], errs[k] = saidBy(ctx, realm, f.Node)
			})
		}
		work.Wait()
		if err := errors.Join(errs...); err != nil {
			return false, 0, err
		}
		list, err := json.Marshal(all)
		if err != nil {
			return false, 0, fmt.Errorf("encoding what elements say: %w", err)
		}
		text, err := realm.Eval(ctx, "globalThis.__refscope.tell("+string(list)+")")
		if err != nil {
			return false, 0, err
		}
		var answer struct {
			More, Left int
			News       bool
		}
		if err := json.Unmarshal([]byte(text), &answer); err != nil {
			return false, 0, fmt.Errorf("decoding what is to be asked further: %w", err)
		}
		n, left, news = answer.More, answer.Left, answer.News
	}
	return news, left, nil
}

// saidBy is what the tree has of one element, nil for nothing that its tag and attributes do not say: a custom element
// has no role, state or value by itself.
func saidBy(ctx context.Context, realm *browser.Realm, node int64) (*said, error) {
	tree, err := cdp.Call(ctx, realm.Session(), accessibility.GetPartialAXTree, accessibility.GetPartialAXTreeParams{
		BackendNodeID: cdp.BackendNodeID(node), FetchRelatives: new(false)})
	if _, ok := errors.AsType[*cdproto.Error](err); ok { // it is gone, which the page's mutations tell
		return nil, nil
	}
	if err != nil || len(tree.Nodes) == 0 || tree.Nodes[0].Ignored {
		return nil, err
	}
	n := tree.Nodes[0]
	s := &said{Role: axRole(axText(n.Role)), Value: axText(n.Value), States: snapshot.States{}}
	for _, p := range n.Properties {
		name, value, holds := axState(p)
		leveled := s.Role == "heading" || s.Role == "treeitem"
		if holds && name != "focused" && (name != "level" || leveled) {
			s.States[name] = value
		}
	}
	if s.Role == "" && len(s.States) == 0 {
		return nil, nil
	}
	if n.Name != nil {
		for _, from := range n.Name.Sources {
			if !from.Superseded && from.Value != nil {
				if from.NativeSource == "" && (from.Attribute == "aria-label" || from.Attribute == "aria-labelledby") {
					s.Name = axText(from.Value)
				}
				break
			}
		}
	}
	return s, nil
}

// speak has the document say what its custom elements say by ElementInternals: it is walked again where that is news.
// What has changed since the first walk counts as changed in the reading.
func (r *reader) speak(ctx context.Context, src source, d *reading, clock *trace.Clock) error {
	news, left, err := internals(ctx, src.realm, d.cols.Speakers)
	clock.Part(ctx, "element internals")
	switch {
	case errors.Is(err, browser.ErrNavigated):
		return err
	case err != nil:
		d.failed = append(d.failed, snapshot.Failure{Layer: "internals",
			Why: "what custom elements say by ElementInternals could not be asked for: " + err.Error()})
	case left > 0:
		d.failed = append(d.failed, snapshot.Failure{Layer: "internals",
			Why: fmt.Sprintf("%d custom elements were not asked what they say by ElementInternals, as there are "+
				"too many", left)})
	}
	if news {
		before := d.cols.Doc.Mutations
		if d.cols, err = r.columns(ctx, src, clock); err != nil {
			return err
		}
		d.cols.Doc.Mutations = before
	}
	return nil
}
