package collect

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/refscope/refscope/snapshot"
)

// maxMutations are kept in a capture: the latest of all frames.
const maxMutations = 50

// event is one change as the observer in the page noted it: [age in ms, type,
// category, what, text].
type event struct {
	age                        float64
	kind, category, what, text string
}

// UnmarshalJSON reads the observer's five entries.
func (e *event) UnmarshalJSON(data []byte) error {
	fields := []any{&e.age, &e.kind, &e.category, &e.what, &e.text}
	if err := json.Unmarshal(data, &fields); err != nil {
		return fmt.Errorf("a noted change: %w", err)
	}
	return nil
}

// mutations joins what the observers of all frames noted, oldest first. They note
// changes from the load event of their document on, so a page that only loads has
// none; what was typed, and what lies in password, code and card fields, they never
// note (browser/observer.js).
func (r *reader) mutations() []snapshot.Mutation {
	var all []snapshot.Mutation
	for _, p := range r.parts {
		for _, e := range p.cols.Doc.Events {
			all = append(all, snapshot.Mutation{Age: e.age, Type: e.kind, Category: e.category, What: e.what, Text: r.redactor.Clean(e.text)})
		}
	}
	slices.SortStableFunc(all, func(a, b snapshot.Mutation) int { return cmp.Compare(b.Age, a.Age) })
	if len(all) > maxMutations {
		all = all[len(all)-maxMutations:]
	}
	return all
}
