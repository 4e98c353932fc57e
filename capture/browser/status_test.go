package browser

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot/network"
)

// TestStatusInEitherOrder: a request that Chrome refuses for its answer has the answer's status, whether the network
// tells of the answer before Chrome refuses it or after.
func TestStatusInEitherOrder(t *testing.T) {
	answer, refusal := &answerExtra{Status: 200}, &requestFailure{ErrorText: "net::ERR_FAILED"}
	for name, order := range map[string][]func(*recorded){
		"told first":    {func(q *recorded) { q.tell(answer) }, func(q *recorded) { q.failed(refusal) }},
		"refused first": {func(q *recorded) { q.failed(refusal) }, func(q *recorded) { q.tell(answer) }},
	} {
		q := &recorded{}
		for _, do := range order {
			do(q)
		}
		require.Equal(t, 200, q.Status, name)
		require.Equal(t, network.Failed, q.State, name)
	}
}
