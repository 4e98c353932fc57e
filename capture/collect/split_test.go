package collect_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/chrometest"
)

// A card number in four elements, and a password beside the word for it, are secrets as in one text; what a page
// shows masked stays as it is.
func TestSecretsInSeveralElements(t *testing.T) {
	c := read(t, chrome.Open(t, chrometest.Page(t, `<!doctype html><p>Card <span>4242</span> <span>4242</span> <span>4242</span> <span>4242</span> ok
		<p><b>Password:</b> <code>hunter2Secret!</code><p>**** **** **** <b>4242</b><p>4242<br>4242<br>4242<br>4242
		<table><tr><td>4242<td>4242<td>4242<td>4242</table>`)))
	var all []string
	for _, n := range c.Nodes {
		if n.Text != "" {
			all = append(all, n.Text)
		}
	}
	text := strings.Join(all, " ")
	require.NotContains(t, text, "hunter2Secret")
	require.Contains(t, text, "[redacted: card]")
	require.Contains(t, text, "**** **** ****")
	require.Equal(t, 1+4+4, strings.Count(text, "4242"), text)
}
