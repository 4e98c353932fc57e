package core

import (
	"errors"

	"github.com/refscope/refscope/snapshot/address"
	"github.com/refscope/refscope/snapshot/text"
)

// ParseAddress reads what a person typed into the address bar; see
// [address.Parse].
func ParseAddress(typed string) (address.Target, *Problem) {
	t, err := address.Parse(typed)
	if err == nil {
		return t, nil
	}
	p := &Problem{Sentence: text.Cut(text.Line(err.Error()), 200)}
	var e *address.Error
	if errors.As(err, &e) {
		p.Sentence, p.Hint = text.Cut(text.Line(e.Sentence), 200), e.Hint
	}
	return t, p
}
