package collect_test

import (
	"encoding/json"
	"testing"

	"github.com/refscope/refscope/capture/chrometest"
	"github.com/stretchr/testify/require"
)

// A one-time code leaves in no text of the page, wherever else it stands (B-11): the one in a field, and the one in
// boxes for a character each.
func TestACodeLeavesNowhere(t *testing.T) {
	c := read(t, chrome.Open(t, chrometest.Page(t, `<!doctype html><title>Code 493817</title>
		<input id=otp autocomplete=one-time-code value=493817><input id=pin name=pin value=2026>
		<p>Your code is 493817, keep it.</p><p>Order 1493817 of 2026</p><a href="/x?c=493817" title="493817">Link</a>
		<div><input maxlength=1 value=7><input maxlength=1 value=1><input maxlength=1 value=5><input maxlength=1 value=9></div>
		<p>Or is it 7159?</p>`)))
	b, err := json.Marshal(c)
	require.NoError(t, err)
	require.NotContains(t, string(b), `is 493817`)
	require.NotContains(t, string(b), `"493817`)
	require.NotContains(t, string(b), `Code 493817`)
	require.NotContains(t, string(b), `=493817`)
	require.NotContains(t, string(b), "7159")
	require.Contains(t, string(b), "Order 1493817 of 2026", "another number, and a year, stay")
}
