package payload

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot/tokens"
)

// TestSectionsAreCounted: with a counter, the tokens of a section are those of its
// decoded text, and each section reports whether the count is the model's own.
func TestSectionsAreCounted(t *testing.T) {
	var c tokens.Counter
	in := testInput(t)
	for _, dialect := range Dialects() {
		in.Counter = nil
		estimated, err := Build(dialect, in)
		require.NoError(t, err)
		in.Counter = &c
		p, err := Build(dialect, in)
		require.NoError(t, err)
		require.Equal(t, estimated.SHA256, p.SHA256, "counting changes no byte")
		how := HowBorrowed
		if dialect == "openai-chat" || dialect == "openai-responses" {
			how = HowCounted
		}
		for _, s := range p.Sections {
			if s.Name == "image" {
				require.Equal(t, HowImage, s.TokensHow)
				continue
			}
			text := string(p.Body[s.Start:s.End])
			if text[0] == '"' {
				require.NoError(t, json.Unmarshal([]byte(text), &text))
			}
			require.Equal(t, c.Count(text), s.Tokens, "%s %s", dialect, s.Name)
			require.Equal(t, how, s.TokensHow)
		}
	}
}
