package redact

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLearned(t *testing.T) {
	for name, c := range map[string]struct {
		value, why string
		want       Reach
	}{
		"a chosen password": {"Tr0ub4dor&3", "password", Anywhere},
		"a common word":     {"banana", "password", Whole},
		"a code":            {" 493817 ", whyCode, Word},
		"a code of four":    {"4711", whyCode, Word},
		"a year":            {"2026", whyCode, Whole},
		"letters alone":     {"abcdef", whyCode, Whole},
		"too short":         {"471", whyCode, Whole},
		"a card's number":   {"471100", "card", Whole},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, Learned(c.value, c.why).Reach)
		})
	}
	code := Learned("493817", whyCode)
	require.Equal(t, "code [redacted: one-time code], not 1493817", Standard().Clean("code 493817, not 1493817", code))
}
