package redact

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What is one secret to a reader is one, in however many elements it lies.
func TestCleanParts(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"Card |4242| |4242| |4242| |4242| ok", "Card |[redacted: card]||||||| ok"},
		{"4242|4242|4242|4242", "[redacted: card]|||"},
		{"a |4242|\n   |4242|\n   |4242|\n   |4242", "a |[redacted: card]||||||"},
		{"Password: |hunter2Secret!", "Password: |[redacted: password]"},
		{"sk_live_|abcdEFGH1234|567890", "[redacted: token]||"},
		{"Total |2019| |2020", ""}, {"**** **** **** |4242", ""}, {"Password: |[redacted: password]", ""}, {"", ""},
	} {
		got := Standard().CleanParts(strings.Split(c.in, "|"))
		require.Equal(t, c.want, strings.Join(got, "|"), c.in)
		if got != nil {
			require.Nil(t, Standard().CleanParts(got), "once is enough")
		}
	}
}
