package view

import (
	"testing"

	"github.com/refscope/refscope/capture/agent/apikey"
	"github.com/refscope/refscope/capture/agent/apikey/apikeytest"
	"github.com/refscope/refscope/snapshot/wire"
	"github.com/stretchr/testify/require"
)

// TestKeyOfTheKeyring: the vendor's own key, and for a vendor without one an error that describes what to do.
func TestKeyOfTheKeyring(t *testing.T) {
	apikeytest.Keyring(t)
	require.NoError(t, apikey.Of(wire.OpenAIChat).Store(t.Context(), "canary-4"))
	key, err := (&askFlags{}).keyFor(t.Context(), apikey.Of(wire.OpenAIChat))
	require.NoError(t, err)
	require.Equal(t, "canary-4", key)
	_, err = (&askFlags{}).keyFor(t.Context(), apikey.Of(wire.Gemini))
	require.ErrorContains(t, err, "set GEMINI_API_KEY, store a key with refscopectl key set gemini")
}
