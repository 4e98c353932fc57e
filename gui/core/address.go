package core

import (
	"errors"

	"github.com/refscope/refscope/snapshot/address"
)

// ParseAddress reads what a person typed into the address bar; see
// [address.Parse].
func ParseAddress(text string) (address.Target, *Problem) {
	t, err := address.Parse(text)
	if err == nil {
		return t, nil
	}
	p := &Problem{Sentence: Plain(err.Error(), 200)}
	var e *address.Error
	if errors.As(err, &e) {
		p.Sentence, p.Hint = Plain(e.Sentence, 200), e.Hint
	}
	return t, p
}
