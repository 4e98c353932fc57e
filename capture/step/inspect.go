package step

import (
	"context"
	"errors"
	"strings"

	"github.com/refscope/refscope/capture/collect"
)

// inspected are the kinds of elements that inspect counts (seed 11.5).
var inspected = []string{"a", "button", "input", "textarea", "select", "h1", "h2", "h3", "img", "form"}

type inspectParams struct {
	_         struct{} `form:"true" want:"true or an object"`
	Selectors []string `json:"selectors,omitempty" what:"elements to count by CSS selector"`
	Limit
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

// inspectOutput is what inspect gives.
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

func inspect(ctx context.Context, e *Env, p *inspectParams) (any, error) {
	els := make([][]collect.Element, len(p.Selectors))
	for i, s := range p.Selectors {
		var err error
		if els[i], err = e.all(ctx, s); err != nil {
			return nil, err
		}
	}
	v, err := e.read(ctx, nil)
	if err != nil {
		return nil, err
	}
	out := &inspectOutput{Title: v.c.Title, URL: v.c.Frames[v.frame].URL, Elements: map[string]int{}}
	if v.frame == 0 {
		out.URL = v.c.URL
	}
	for _, tag := range inspected {
		out.Elements[tag] = 0
	}
	for i := range v.c.Nodes {
		n := &v.c.Nodes[i]
		if n.Frame != v.frame {
			continue
		}
		if _, counted := out.Elements[n.Tag]; counted {
			out.Elements[n.Tag]++
		}
		if v.frame > 0 && n.Tag == "title" && out.Title == v.c.Title {
			out.Title = cut(squash(v.text(n)), 1000)
		}
	}
	room := newRoom()
	for i, s := range p.Selectors {
		nodes, err := v.nodes(ctx, els[i][:min(p.or(0), len(els[i]))])
		if err != nil {
			return nil, err
		}
		c := custom{Count: len(els[i])}
		for _, n := range nodes {
			if n != nil {
				c.Texts = append(c.Texts, room.take(squash(v.text(n))))
			}
		}
		if out.Custom == nil {
			out.Custom = map[string]custom{}
		}
		out.Custom[s] = c
	}
	return out, nil
}
