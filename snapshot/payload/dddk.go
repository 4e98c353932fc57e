package payload

import (
	"fmt"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot/dump"
)

// The dddk dialect: the message array that the in-page agent sends and mirrors as
// lastLlmMessages: system, history, the user's task, and as the last user message
// the env block, which is the page's dump and nothing else.
//
// MaxPromptTokens works as in the original: 3.5 characters a token, 3,000 tokens
// kept free for the answer. What does not fit goes in this order: the oldest
// messages of the history first, then lines at the end of the dump. The system
// prompt and the task stay.

const (
	charsPerToken = 3.5
	reserveTokens = 3_000
)

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
	b.raw(`[{"role":"system","content":`).text("system", p.system).raw("},")
	b.history(history)
	if in.Query != "" {
		b.raw(`{"role":"user","content":`).text("query", in.Query).raw("},")
	}
	b.raw(`{"role":"user","content":`).text("dump", p.dump).raw("}]")
	return nil
}

// fitPrompt trims history and dump to MaxPromptTokens and records what it took.
func fitPrompt(b *body, in Input, p *page) ([]Message, error) {
	budget := int(float64(in.MaxPromptTokens-reserveTokens) * charsPerToken)
	fixed := utf8.RuneCountInString(p.system) + utf8.RuneCountInString(in.Query)
	if budget <= fixed {
		return nil, fmt.Errorf("max prompt tokens %d: the system prompt and the task alone need %d, with %d kept free for the answer",
			in.MaxPromptTokens, int(float64(fixed)/charsPerToken)+1+reserveTokens, reserveTokens)
	}
	used := fixed + utf8.RuneCountInString(p.dump)
	for _, m := range in.History {
		used += utf8.RuneCountInString(m.Content)
	}
	history := in.History
	for used > budget && len(history) > 0 {
		used -= utf8.RuneCountInString(history[0].Content)
		history = history[1:]
	}
	if n := len(in.History) - len(history); n > 0 {
		b.trimmed = append(b.trimmed, fmt.Sprintf("history: the oldest %d of %d messages", n, len(in.History)))
	}
	if used <= budget {
		return history, nil
	}
	o := in.DumpOptions
	before := utf8.RuneCountInString(p.dump)
	o.MaxChars = budget - fixed
	d, err := dump.Render(in.Capture, in.Dump, o)
	if err != nil {
		return nil, err
	}
	p.dump = d.Text
	b.trimmed = append(b.trimmed, fmt.Sprintf("dump: %d of %d characters left", utf8.RuneCountInString(p.dump), before))
	return history, nil
}
