package core

import (
	"fmt"
	"time"

	"github.com/refscope/refscope/snapshot/conversation"
	"github.com/refscope/refscope/snapshot/text"
)

// Spent is which model answered a turn, how long that took, and the tokens in and out, as far as that is known.
func Spent(q *conversation.Story) []string {
	var out []string
	if q.Model != "" {
		out = append(out, q.Model)
	}
	switch {
	case q.Took >= time.Minute:
		out = append(out, q.Took.Round(time.Second).String())
	case q.Took >= 50*time.Millisecond: // less was never the time of a model
		out = append(out, fmt.Sprintf("%.1f s", q.Took.Seconds()))
	}
	if q.Usage.Input > 0 {
		out = append(out, text.Count(q.Usage.Input, "token in", "tokens in"))
	}
	if q.Usage.Output > 0 {
		out = append(out, text.Thousands(q.Usage.Output)+" out")
	}
	if q.Usage.Cost > 0 {
		out = append(out, Dollars(q.Usage.Cost))
	}
	return out
}

// Dollars is an amount in US dollars, as finely as it is small.
func Dollars(v float64) string {
	if v < 0.1 {
		return fmt.Sprintf("$%.4f", v)
	}
	return fmt.Sprintf("$%.2f", v)
}
