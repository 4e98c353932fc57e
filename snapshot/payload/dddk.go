package payload

import (
	"fmt"

	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/tokens"
)

// The dddk dialect: the message array that the in-page agent sends and mirrors as
// lastLlmMessages (seed "DOM dump format", debug exposure): system, history, the user's
// task, and as the last user message the env block, which is the page's dump and
// nothing else.
//
//	[{"role":"system","content":…},{"role":…,"content":…},…,
//	 {"role":"user","content":TASK},{"role":"user","content":DUMP}]
//
// MaxPromptTokens counts as the original does (engines.md 1.0): UTF-16 units of all
// contents over 3.5, rounded up, and 3,000 tokens kept free for the answer. The seed limits
// the array without naming what is dropped first; here it is the oldest
// messages of the history, then lines at the end of the dump, which reports it itself. The
// system prompt, the task and the dump's header stay: where these alone are too much, that
// is an error and no payload.

// reserveTokens are kept free for the answer.
const reserveTokens = 3_000

func dddk(b *body, in Input) error {
	p, err := pageOf(in)
	if err != nil {
		return err
	}
	history := in.History
	if in.MaxPromptTokens > 0 {
		if history, err = fitPrompt(b, in, &p); err != nil {
			return err
		}
	}
	b.Open("", '[')
	b.message("", "system", "system", p.system)
	if err := b.history("", history, "system", "user", "assistant"); err != nil {
		return err
	}
	if in.Query != "" {
		b.message("", "user", "query", in.Query)
	}
	b.message("", "user", "environment", p.dump)
	b.Close("]")
	return nil
}

// fitPrompt trims history and dump to MaxPromptTokens and records what it took.
func fitPrompt(b *body, in Input, p *page) ([]Message, error) {
	units := func(s string) int { return tokens.Measure(s).UTF16 }
	budget := (in.MaxPromptTokens - reserveTokens) * 7 / 2 // UTF-16 units
	fixed := units(p.system) + units(in.Query)
	used := fixed + units(p.dump)
	for _, m := range in.History {
		used += units(m.Content)
	}
	history := in.History
	for used > budget && len(history) > 0 {
		used -= units(history[0].Content)
		history = history[1:]
	}
	if n := len(in.History) - len(history); n > 0 {
		b.trimmed = append(b.trimmed, fmt.Sprintf("history: the oldest %d of %d messages", n, len(in.History)))
	}
	if used <= budget {
		return history, nil
	}
	if in.Sent != "" {
		return nil, fmt.Errorf("max prompt tokens %d: the text as it was sent alone is longer, and it is not cut",
			in.MaxPromptTokens)
	}
	o := in.DumpOptions
	o.MaxTokens, o.CountTokens = max(budget-fixed, 1), units
	d, err := format.Render(in.Capture, in.Dump, o)
	if err != nil {
		return nil, err
	}
	if used = fixed + units(d.Text); used > budget {
		return nil, fmt.Errorf(
			"max prompt tokens %d: the system prompt, the task and the dump's header alone need %d, "+
				"with %d kept free for the answer",
			in.MaxPromptTokens, (2*used+6)/7+reserveTokens, reserveTokens)
	}
	b.trimmed = append(b.trimmed, fmt.Sprintf("dump: %d of %d UTF-16 units left", units(d.Text), units(p.dump)))
	p.dump = d.Text
	return history, nil
}
