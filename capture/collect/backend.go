package collect

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/snapshot"
)

// chunk is how many elements the browser describes in one call, so that the page
// runs in between.
const chunk = 1000

// learn notes an element's backendNodeId.
func (c *columns) learn(k int, id int64) {
	if c.backend == nil {
		c.backend = map[int]int64{}
	}
	c.backend[k] = id
}

// identify asks for the backendNodeIds of the elements at these places of the walk,
// of all where places is nil. The browser answers about the very objects that were
// walked, so an id can never be that of another element. About 10 to 35 µs each.
func identify(ctx context.Context, realm *browser.Realm, cols *columns, places []int) error {
	if places == nil {
		places = make([]int, len(cols.Parent))
		for k := range places {
			places[k] = k
		}
	}
	for at := 0; at < len(places); at += chunk {
		some := places[at:min(at+chunk, len(places))]
		list, err := json.Marshal(some)
		if err != nil {
			return fmt.Errorf("encoding places: %w", err)
		}
		facts, err := realm.Describe(ctx, "globalThis.__refscope.known("+string(list)+")")
		if err != nil {
			return err
		}
		for j, f := range facts {
			if j < len(some) && f.Node != 0 {
				cols.learn(some[j], f.Node)
			}
		}
	}
	return nil
}

// Identify gives every kept node its backendNodeId, the second identity. It is apart
// from Read because it costs the page's main thread about as much as the walk, and
// can run while the picture is made. A frame that is gone by now is a line in Failed.
// It must be called before Release.
func (res *Result) Identify(ctx context.Context) error {
	for _, p := range res.parts {
		if err := res.identifyPart(ctx, p); err != nil {
			if ctx.Err() != nil {
				return fmt.Errorf("asking for backendNodeIds: %w", ctx.Err())
			}
			why := "backendNodeIds could not be asked for: " + why(err)
			if errors.Is(err, browser.ErrNavigated) {
				why = "backendNodeIds could not be asked for: the frame went to another document"
			}
			res.Capture.Failed = append(res.Capture.Failed, snapshot.Failure{Layer: "backend", Frame: p.frame, Why: why})
		}
	}
	return nil
}

func (res *Result) identifyPart(ctx context.Context, p *part) error {
	if p.realm == nil {
		return nil
	}
	var places []int
	for k, id := range p.ids {
		if n := &res.Capture.Nodes[id]; n.Verdict.Kept() && p.cols.backend[k] == 0 {
			places = append(places, k)
		}
	}
	err := identify(ctx, p.realm, p.cols, append([]int{}, places...))
	for k, id := range p.cols.backend {
		if k < len(p.ids) {
			res.Capture.Nodes[p.ids[k]].BackendNodeID = id
		}
	}
	if len(places) == 0 || err != nil {
		return err
	}
	// The registry remembers them, so that the next capture asks about newcomers only.
	ids := make([]int64, len(places))
	for j, k := range places {
		ids[j] = p.cols.backend[k]
	}
	arg, err := json.Marshal([]any{places, ids})
	if err != nil {
		return fmt.Errorf("encoding ids: %w", err)
	}
	_, err = p.realm.Eval(ctx, "globalThis.__refscope.remember("+string(arg)+")")
	return err
}
