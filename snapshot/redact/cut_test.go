package redact_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot/redact"
)

// A match ends where an escape in the spelling of a body ends its line, and counts only where what is left of it is one
// by itself: the lines below stay, and digits of two lines make no card.
func TestAMatchIsCutByItsSpelling(t *testing.T) {
	for name, c := range map[string]struct{ body, want string }{
		"a token, and the line below it": {
			`{"text":"token=ghp_0123456789abcdefghijABCDEFGHIJ012345\nnext line stays"}`,
			`{"text":"token=[redacted: token]\nnext line stays"}`},
		"digits of two lines are no card": {
			`{"text":"4111 1111 1111\n1111 are two numbers"}`,
			`{"text":"4111 1111 1111\n1111 are two numbers"}`},
		"a secret of no looks, and the line below it": {
			`{"text":"password=Zq8rtw31x\nnext line stays"}`,
			`{"text":"password=[redacted: password]\nnext line stays"}`},
		"a secret at the end of the text": {
			`{"text":"Authorization: Bearer mF9abcdefghijklmnopq\nAccept: all"}`,
			`{"text":"Authorization: Bearer [redacted: token]\nAccept: all"}`},
		"a card, and digits of the next line": {
			`{"text":"4111111111111111\n22"}`,
			`{"text":"[redacted: card]\n22"}`},
		"a card on one line is one": {
			`{"text":"4111 1111 1111 1111\nnext"}`,
			`{"text":"[redacted: card]\nnext"}`},
	} {
		t.Run(name, func(t *testing.T) {
			got, _ := redact.Body([]byte(c.body), redact.Standard())
			require.Equal(t, c.want, string(got))
		})
	}
}
