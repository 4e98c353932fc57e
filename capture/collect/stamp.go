package collect

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"

	"github.com/refscope/refscope/snapshot"
)

// stampElements writes the attributes that pages and agents of the seed's kind go by
// (S-15): data-llm-id, data-llm-in-shadow, data-has-click-listener. Rows are place,
// number, 1 in a shadow tree, 1 with a click listener. An id of another writer
// stays, and its number is given to no other element of the document: two would have it.
// The answer is how many elements have an id of another writer, and how many have none for its sake.
//
//go:embed js/stamp.js
var stampElements string

// Stamp writes every ref's number into the page, as data-llm-id on its element: the
// one thing that a capture changes in a page, and only when it is requested. It is to
// be called when the capture has its numbers, before Release.
func (res *Result) Stamp(ctx context.Context) error {
	for _, p := range res.parts {
		if p.realm == nil {
			continue
		}
		var rows [][4]int
		for k, id := range p.ids {
			n := &res.Capture.Nodes[id]
			if n.Verdict != snapshot.VerdictRef || n.Ref == 0 {
				continue
			}
			rows = append(rows, [4]int{k, n.Ref, bit(n.Shadow != ""), bit(p.cols.Evidence[k]&evidenceListener != 0)})
		}
		if len(rows) == 0 {
			continue
		}
		list, err := json.Marshal(rows)
		if err != nil {
			return fmt.Errorf("encoding the numbers to stamp: %w", err)
		}
		answer, err := p.realm.Eval(ctx, "("+stampElements+")("+string(list)+")")
		if err != nil {
			return fmt.Errorf("stamping data-llm-id into frame %d: %w", p.frame, err)
		}
		var count [2]int
		if err := json.Unmarshal([]byte(answer), &count); err != nil {
			return fmt.Errorf("stamping data-llm-id into frame %d: %w", p.frame, err)
		}
		for i, why := range []string{"elements carry a data-llm-id of another program: it stays",
			"elements are not stamped: another program has given their numbers to other elements"} {
			if count[i] > 0 {
				res.Capture.Failed = append(res.Capture.Failed, snapshot.Failure{Layer: "stamp", Frame: p.frame,
					Why: fmt.Sprintf("%d %s", count[i], why)})
			}
		}
	}
	return nil
}

// evidenceListener is the bit of a listener in the column of evidence.
const evidenceListener = 16

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}
