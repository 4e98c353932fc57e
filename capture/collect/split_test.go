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

// A code for one time is often a block or a line of its own, in large letters, and the text before says what it is; a
// number of another kind stays.
func TestCodeInTheNextBlock(t *testing.T) {
	c := read(t, chrome.Open(t, chrometest.Page(t, `<!doctype html><p>Your code is</p><h2>834921</h2><p>Thank you.</p>
		<div>Enter the code<br><b>77</b>31</div><section><p>Ihr Anmeldecode lautet:<div><a href="#x">550 918</a></div></section>
		<p>Orders today</p><h3>834922</h3><p>Password</p><p>8 to 16</p><p>Your code is valid until</p><p>2027</p><p>Area code</p><p>4155</p>`)))
	var all []string
	for _, n := range c.Nodes {
		all = append(all, n.Text, n.Name)
	}
	text := strings.Join(all, " | ")
	for _, code := range []string{"834921", "31", "550 918"} {
		require.NotContains(t, text, code)
	}
	for _, number := range []string{"834922", "8 to 16", "2027", "4155"} {
		require.Contains(t, text, number)
	}
}
