package wire_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot/wire"
)

// What is written as an error of a dialect is read as one.
func TestErrorBodyIsReadBack(t *testing.T) {
	for _, dialect := range []string{wire.OpenAIChat, wire.OpenAIResponses, wire.Anthropic, wire.Gemini} {
		a, err := wire.ReadAnswer(dialect, wire.ErrorBody(dialect, 502, "not \"reached\""))
		require.NoError(t, err, dialect)
		require.Equal(t, "not \"reached\"", a.Error, dialect)
	}
}
