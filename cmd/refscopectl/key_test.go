package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/refscope/refscope/capture/agent/apikey/apikeytest"
	"github.com/refscope/refscope/cmd/refscopectl/cli"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
	"github.com/stretchr/testify/require"
)

// setKey runs key set with a key on standard input.
func setKey(t *testing.T, vendor, key string) (int, string) {
	t.Helper()
	var out, errs bytes.Buffer
	a := &cli.App{Stdout: &out, Stderr: &errs, In: strings.NewReader(key + "\n")}
	code := a.Report(dispatch(t.Context(), a, []string{"key", "set", vendor}))
	require.NotContains(t, out.String()+errs.String(), key)
	return code, errs.String()
}

// TestKey: a key is stored from standard input, listed by its vendor alone, and deleted.
func TestKey(t *testing.T) {
	apikeytest.Keyring(t)
	code, errs := setKey(t, "gemini", "canary-1")
	require.Zero(t, code, errs)
	code, out, errs := ctl(t, "key", "list")
	require.Zero(t, code, errs)
	require.Equal(t, "gemini\n", out)
	code, out, errs = ctl(t, "key", "list", "--json")
	require.Zero(t, code, errs)
	require.JSONEq(t, `{"schema":"refscope.keylist/1","stored":["gemini"]}`, out)
	code, _, errs = ctl(t, "key", "delete", "gemini")
	require.Zero(t, code, errs)
	code, _, errs = ctl(t, "key", "delete", "gemini")
	require.Equal(t, 1, code)
	require.Contains(t, errs, "the keyring has no key of gemini")
	code, errs = setKey(t, "other", "canary-2")
	require.Equal(t, 2, code)
	require.Contains(t, errs, "choose from openai, anthropic, gemini")
	code, _, errs = ctl(t, "key", "set", "gemini", "canary-3")
	require.Equal(t, 2, code, "a key is no argument")
	require.NotContains(t, errs, "canary-3")
	code, _, errs = ctl(t, "key", "set")
	require.Equal(t, 2, code)
	require.Contains(t, errs, "write key set VENDOR\n")
}

// TestAskTakesTheKeyOfTheKeyring: for the vendor's own address without a flag, for another endpoint
// only where --key names it, so that no endpoint gets the key of another.
func TestAskTakesTheKeyOfTheKeyring(t *testing.T) {
	apikeytest.Keyring(t)
	code, errs := setKey(t, "openai", "canary-4")
	require.Zero(t, code, errs)
	s, _ := recordSession(t, "shop", 0)
	recordTurn(t, s, func(r *turn.Record) {
		r.Payloads = []turn.Payload{{Dialect: wire.OpenAIChat, Model: "m-1", Way: turn.Request, Wire: true,
			Bytes: []byte(`{"model":"m-1","messages":[{"role":"user","content":"[1]<button>Buy</button>"}]}`)}}
	})
	require.NoError(t, s.Close())
	var got []string
	vendor := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = append(got, r.Header.Get("Authorization"))
		_, _ = w.Write([]byte(`{"choices":[{"message":{"role":"assistant","content":"done"}}]}`))
	}))
	defer vendor.Close()
	args := []string{"ask", "shop#1", "--endpoint", vendor.URL + "/v1"}
	for _, more := range [][]string{nil, {"--key", "keyring:openai"}} {
		code, out, errs := ctl(t, append(args, more...)...)
		require.Zero(t, code, errs)
		require.NotContains(t, out+errs, "canary-4")
	}
	require.Equal(t, []string{"", "Bearer canary-4"}, got)
	code, _, errs = ctl(t, append(args, "--key", "keyring:gemini")...)
	require.Equal(t, 1, code)
	require.Contains(t, errs, "--key keyring:gemini: there is no key")
	code, _, errs = ctl(t, append(args, "--key", "canary-5")...)
	require.Equal(t, 2, code)
	require.NotContains(t, errs, "canary-5")
}

// TestAskRefusesDialectsThatItCannotSpeak: before it looks for a key, which would be another vendor's.
func TestAskRefusesDialectsThatItCannotSpeak(t *testing.T) {
	s, _ := recordSession(t, "shop", 0)
	recordTurn(t, s, func(r *turn.Record) {
		r.Payloads = []turn.Payload{{Dialect: wire.Bedrock, Model: "m-1", Way: turn.Request, Wire: true,
			Bytes: []byte(`{"messages":[{"role":"user","content":[{"text":"Go on"}]}]}`)}}
	})
	require.NoError(t, s.Close())
	code, _, errs := ctl(t, "ask", "shop#1")
	require.Equal(t, 2, code)
	require.Contains(t, errs, "in the dialect bedrock, in which no model is asked")
}
