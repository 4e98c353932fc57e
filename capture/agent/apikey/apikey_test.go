package apikey_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/refscope/refscope/capture/agent/apikey"
	"github.com/refscope/refscope/capture/agent/apikey/apikeytest"
	"github.com/refscope/refscope/snapshot/wire"
	"github.com/stretchr/testify/require"
	"github.com/zalando/go-keyring"
)

// TestFind: the environment goes before the keyring, and each vendor has a key of its own.
func TestFind(t *testing.T) {
	apikeytest.Keyring(t)
	ctx, anthropic := t.Context(), apikey.Of(wire.Anthropic)
	_, err := anthropic.Find(ctx)
	require.ErrorIs(t, err, apikey.ErrNone)

	require.NoError(t, anthropic.Store(ctx, "first"))
	require.NoError(t, anthropic.Store(ctx, "stored"))
	key, err := anthropic.Find(ctx)
	require.NoError(t, err)
	require.Equal(t, "stored", key)
	_, err = apikey.Of(wire.Gemini).Find(ctx)
	require.ErrorIs(t, err, apikey.ErrNone)

	t.Setenv("ANTHROPIC_API_KEY", "environment")
	key, err = anthropic.Find(ctx)
	require.NoError(t, err)
	require.Equal(t, "environment", key)
	key, err = anthropic.Keyring(ctx)
	require.NoError(t, err)
	require.Equal(t, "stored", key)

	stored, err := apikey.Stored(ctx)
	require.NoError(t, err)
	require.Equal(t, []apikey.Vendor{anthropic}, stored)
	require.NoError(t, anthropic.Delete(ctx))
	require.ErrorIs(t, anthropic.Delete(ctx), apikey.ErrNone)
	stored, err = apikey.Stored(ctx)
	require.NoError(t, err)
	require.Empty(t, stored)
}

func TestOf(t *testing.T) {
	for dialect, want := range map[string]string{wire.OpenAIChat: "openai", wire.OpenAIResponses: "openai",
		wire.Anthropic: "anthropic", wire.Gemini: "gemini"} {
		require.Equal(t, want, apikey.Of(dialect).Name, dialect)
		v, ok := apikey.Named(want)
		require.True(t, ok)
		require.Equal(t, apikey.Of(dialect), v)
	}
	_, ok := apikey.Named("other")
	require.False(t, ok)
}

func TestStoreRefuses(t *testing.T) {
	apikeytest.Keyring(t)
	v := apikey.Of(wire.Gemini)
	for name, key := range map[string]string{"an empty key": "", "a line break": "a\nb", "a long key": strings.Repeat("k", 2561)} {
		require.Error(t, v.Store(t.Context(), key), name)
	}
	_, err := v.Keyring(t.Context())
	require.ErrorIs(t, err, apikey.ErrNone)
}

// TestNoKeyring: a machine without one gets a sentence of one line.
func TestNoKeyring(t *testing.T) {
	apikeytest.Keyring(t)
	keyring.MockInitWithError(errors.New("the name\norg.freedesktop.secrets was not provided"))
	_, err := apikey.Stored(t.Context())
	require.EqualError(t, err, "the keyring of the operating system cannot be used: the name "+
		"org.freedesktop.secrets was not provided")
}
