package action

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
)

// ThrownError is an exception in a script that was run in the page's own world.
type ThrownError struct{ Text string }

func (e *ThrownError) Error() string { return "the script threw " + e.Text }

// Evaluate runs an expression in the page's own world of a frame ("" for the main one)
// and gives its value as JSON, nothing for undefined. A promise is awaited. It is for
// scripts of ours: what an agent sends is for [Page.Run], which bounds its value.
func (p *Page) Evaluate(ctx context.Context, frame, expression string) (json.RawMessage, error) {
	realm, err := p.enter(ctx, frame)
	if err != nil {
		return nil, err
	}
	res, err := evaluate(ctx, realm, expression, true)
	if err != nil {
		return nil, err
	}
	if res.Result.Number != "" {
		return json.Marshal(res.Result.Number)
	}
	return res.Result.Value, nil
}

// sortedKeys are a map's keys in order.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
