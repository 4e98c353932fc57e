package profiles

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
)

// account is a page with an advertisement, a balance and a number that occurs twice.
func account() *snapshot.Capture {
	c := pageOf(
		region{parent: -1, tag: "html"},
		region{parent: 0, tag: "nav", class: "ads"},
		region{parent: 1, tag: "a", name: "Buy now"},
		region{parent: 0, tag: "p", class: "sum"},
		region{parent: 3, tag: "b"},
		region{parent: 0, tag: "button", name: "Pay 47.11 EUR now"},
		region{parent: 0, tag: "p"},
		region{parent: 0, tag: "p"},
	)
	say := func(i int, text string) {
		c.Nodes[i].Text, c.Nodes[i].Runs = text, []snapshot.Run{{Text: text, Before: -1}}
	}
	say(2, "Buy now")
	say(4, "47.11 EUR")
	c.Nodes[4].Attrs["title"] = "balance of Ada"
	say(6, "customer ACME-12345678, again")
	say(7, "147.11 EUR stays")
	c.Nodes[7].Verdict = snapshot.VerdictDisplayNone
	c.Title, c.URL = "ACME-87654321", "https://shop.example/?c=ACME-00000001"
	c.Page.Preview = "Pay 47.11 EUR now"
	c.Verdicts = c.CountVerdicts()
	c.Verdicts[snapshot.VerdictSkippedTag]++ // so the recording lacks an element, and the page is not described again
	return c
}

const trialProfile = `---
filter:
  - .ads
  - a:hover
redact:
  - selector: .sum
  - pattern: ACME-(\d{8})
  - pattern: '('
wait:
  for: .never
---
# shop.example
`

func TestTry(t *testing.T) {
	c := account()
	before, err := json.Marshal(c)
	require.NoError(t, err)
	p, _ := Parse(trialProfile)
	got := p.Try(c)
	after, err := json.Marshal(c)
	require.NoError(t, err)
	require.Equal(t, string(before), string(after), "the capture stays as it is")

	require.Len(t, got.Rules, 6)
	require.Equal(t, RuleTrial{3, FilterRule, ".ads", 1, 2, ""}, got.Rules[0])
	require.Contains(t, got.Rules[1].Problem, ":hover")
	require.Equal(t, RuleTrial{6, SelectorRule, ".sum", 1, 2, ""}, got.Rules[2])
	require.Equal(t, RuleTrial{7, PatternRule, `ACME-(\d{8})`, 3, 0, ""}, got.Rules[3])
	require.NotEmpty(t, got.Rules[4].Problem)
	require.Equal(t, RuleTrial{10, WaitRule, ".never", 0, 0, ""}, got.Rules[5])
	require.Equal(t, []string{".ads"}, got.Drop)
	require.Equal(t, []Redacted{
		{4, 5, "b", true, "text", 6, "[redacted]"},
		{4, 5, "b", true, "attr:title", 6, "[redacted: profile]"},
		{5, 6, "button", true, "name", 0, "Pay [redacted] now"},
		{6, 7, "p", true, "text", 7, "customer ACME-[redacted], again"},
		{-1, 0, "", true, "title", 7, "ACME-[redacted]"},
		{-1, 0, "", true, "url", 7, "https://shop.example/?c=ACME-[redacted]"},
	}, got.Redacted)
	require.Equal(t, "[redacted]", got.Capture.Nodes[4].Text)
	require.Equal(t, []string{"element", "text", "attr:title"}, got.Capture.Nodes[4].Redacted)
	require.Equal(t, "customer ACME-[redacted], again", got.Capture.Nodes[6].Text)
	require.Equal(t, "147.11 EUR stays", got.Capture.Nodes[7].Text, "a part of a word is another word")
	require.Equal(t, "Pay [redacted] now", got.Capture.Page.Preview)

	again := p.Try(got.Capture)
	require.Empty(t, again.Redacted, "what is redacted stays as it is")

	none, _ := Parse("# x\n")
	got = none.Try(c)
	require.Empty(t, got.Rules)
	require.Empty(t, got.Redacted)
	require.Equal(t, c.Nodes, got.Capture.Nodes)
}
