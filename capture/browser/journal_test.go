package browser_test

import (
	"strings"
	"testing"
	"time"

	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/snapshot"
	"github.com/stretchr/testify/require"
)

// TestWhatIsSaidIsRedacted: console lines and dialogs hold no secret from the moment
// that they can be read, whatever way they came in (N-10, B-11).
func TestWhatIsSaidIsRedacted(t *testing.T) {
	const token = "ghp_ABCDEFghijkl0123456789ABCDEFghijkl01"
	page := strings.ReplaceAll(`<title>d</title><script>
		console.log("log", "TOKEN");
		console.log("line one\nTOKEN\n4242 4242 4242 4242");
		console.error(new Error("failed with TOKEN"));
		console.warn("x".repeat(1990) + " TOKEN");
		console.info("order A-123456 and \u{1f600}");
		console.log({toString() { return "TOKEN" }}, ["TOKEN"], 4242424242424242);
		alert("your code: TOKEN"); confirm("Authorization: Basic dXNlcjpwYXNz"); prompt("TOKEN?", "TOKEN");
	</script><script>throw new Error("thrown TOKEN")</script>
	<script>Promise.reject("rejected TOKEN"); setTimeout(() => console.log("late"), 0)</script>`, "TOKEN", token)
	tab := chrome.Open(t, chrometest.Page(t, page)+"?access_token=abcdef123456")
	said := func() string {
		var b strings.Builder
		for _, e := range tab.Console(time.Now()) {
			b.WriteString(e.Level + ": " + e.Text + " at " + e.URL + "\n")
		}
		for _, d := range tab.Dialogs(time.Now()) {
			b.WriteString(d.Type + ": " + d.Message + " at " + d.URL + "\n")
		}
		return b.String()
	}
	require.Eventually(t, func() bool { s := said(); return strings.Contains(s, "late") && strings.Contains(s, "rejected") }, 10*time.Second, 10*time.Millisecond)
	all := said()
	for _, secret := range []string{token, "ghp_", "dXNlcjpwYXNz", "4242 4242", "4242424242424242", "abcdef123456"} {
		require.NotContains(t, all, secret)
	}
	for _, kept := range []string{"log [redacted: token]", "line one\n[redacted: token]\n[redacted: card]", "failed with [redacted: token]", "thrown [redacted: token]",
		"alert: your code: [redacted: token]", "prompt: [redacted: token]?", "order A-123456 and \U0001f600", "access_token=[redacted]"} {
		require.Contains(t, all, kept)
	}
	require.Len(t, tab.Dialogs(time.Now()), 3)

	// A profile's patterns hold for lines that are older than the profile.
	r, err := snapshot.NewRedactor(`A-\d{6}`)
	require.NoError(t, err)
	tab.Redact(r)
	require.NotContains(t, said(), "A-123456")
	require.Contains(t, said(), "order [redacted] and")
}
