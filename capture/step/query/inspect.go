package query

import (
	"context"
	"errors"
	"strings"

	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/capture/step/stepdef"
	"github.com/refscope/refscope/snapshot/text"
)

// inspected are the kinds of elements that inspect counts (seed 11.5).
var inspected = []string{"a", "button", "input", "textarea", "select", "h1", "h2", "h3", "img", "form"}

type inspectParams struct {
	_         struct{} `form:"true" want:"true or an object"`
	Selectors []string `json:"selectors,omitempty" finds:"selector" what:"elements to count by CSS selector"`
	stepdef.Limit
}

// CheckParams refuses an empty selector.
func (p *inspectParams) CheckParams() error {
	for _, s := range p.Selectors {
		if strings.TrimSpace(s) == "" {
			return errors.New("selectors: one is empty")
		}
	}
	return nil
}

// inspectOutput is the output of inspect.
type inspectOutput struct {
	Title    string            `json:"title"`
	URL      string            `json:"url"`
	Elements map[string]int    `json:"elements"`
	Custom   map[string]custom `json:"custom,omitempty"`
}

type custom struct {
	Count int      `json:"count"`
	Texts []string `json:"texts,omitempty"`
}

func inspect(ctx context.Context, e *stepdef.Env, p *inspectParams) (any, error) {
	els := make([][]collect.Element, len(p.Selectors))
	for i, s := range p.Selectors {
		var err error
		if els[i], err = e.All(ctx, s); err != nil {
			return nil, err
		}
	}
	v, err := e.Read(ctx, nil)
	if err != nil {
		return nil, err
	}
	out := &inspectOutput{Title: v.Capture.Title, URL: v.Capture.Frames[v.Frame].URL, Elements: map[string]int{}}
	if v.Frame == 0 {
		out.URL = v.Capture.URL
	}
	for _, tag := range inspected {
		out.Elements[tag] = 0
	}
	for i := range v.Capture.Nodes {
		n := &v.Capture.Nodes[i]
		if n.Frame != v.Frame {
			continue
		}
		if _, counted := out.Elements[n.Tag]; counted {
			out.Elements[n.Tag]++
		}
		if v.Frame > 0 && n.Tag == "title" && out.Title == v.Capture.Title {
			out.Title = text.Start(text.CollapseSpace(v.Text(n)), 1000)
		}
	}
	budget := stepdef.NewBudget()
	for i, s := range p.Selectors {
		nodes, err := v.Nodes(ctx, els[i][:min(p.Or(0), len(els[i]))])
		if err != nil {
			return nil, err
		}
		c := custom{Count: len(els[i])}
		for _, n := range nodes {
			if n != nil {
				c.Texts = append(c.Texts, budget.Take(text.CollapseSpace(v.Text(n))))
			}
		}
		if out.Custom == nil {
			out.Custom = map[string]custom{}
		}
		out.Custom[s] = c
	}
	return out, nil
}
