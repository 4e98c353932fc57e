package mcp

import (
	"encoding/json"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot/tokens"
)

// TestToolsCostFewTokens: every client puts the list of tools before its model, whatever it asks.
func TestToolsCostFewTokens(t *testing.T) {
	var list []*sdk.Tool
	for _, one := range tools() {
		list = append(list, one.describe())
	}
	body, err := json.Marshal(list)
	require.NoError(t, err)
	n := (&tokens.Counter{}).Count(string(body))
	t.Logf("%d tokens, %d bytes", n, len(body))
	require.LessOrEqual(t, n, 4000)
}
