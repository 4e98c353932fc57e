package audit

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/observation"
	"github.com/refscope/refscope/snapshot/observation/tie"
	"github.com/refscope/refscope/snapshot/testpages"
)

// given is an agent's text, tied to a page.
func given(t testing.TB, c *snapshot.Capture, lines ...string) *observation.Text {
	t.Helper()
	read := observation.Read(strings.Join(lines, "\n"))
	require.NotNil(t, read)
	tie.New(c).Tie(read)
	return read
}

// noted gives elements Playwright's own refs, by their names.
func noted(c *snapshot.Capture, refs map[string]string) {
	for i := range c.Nodes {
		if ref, ok := refs[c.Nodes[i].Name]; ok {
			c.Nodes[i].NoteAgentRef(snapshot.Playwright, ref)
		}
	}
}

// TestAsSent: a control that a person sees and the text lacks is missing; a line about what nobody sees is told; words
// that stand anywhere in the text are told, also on lines of their own.
func TestAsSent(t *testing.T) {
	c := page(t, `button %ref=1 %role=button %name="Save" %by=native "Save"`,
		`button %ref=2 %role=button %name="Delete all" %by=native "Delete all"`,
		`a %ref=3 %role=link %name="Skip" %by=native %verdict=clipped %hidden "Skip"`,
		`p "Two words"`, `p "7"`)
	noted(c, map[string]string{"Save": "e1", "Skip": "e3"})
	got := AsSent(c, given(t, c, `- button "Save" [ref=e1]`, `- link "Skip" [ref=e3]`, "Two", "words", "7"))
	require.Equal(t, observation.Aria, got.Format)
	require.Equal(t, 4, got.Seen, got.Text())
	require.Equal(t, 3, got.Told, got.Text())
	require.InDelta(t, 0.75, got.Share, 1e-9)
	require.Len(t, got.Missing, 1)
	require.Equal(t, 2, got.Missing[0].Ref)
	require.Equal(t, missedControl, got.Missing[0].Kind)
	require.Equal(t, notListed, got.Missing[0].Reason)
	require.Len(t, got.Unseen, 1)
	require.Equal(t, "e3", got.Unseen[0].Ref)
	require.Equal(t, 2, got.Unseen[0].Line)
	require.Contains(t, got.Text(), "75.0 %")
	require.Contains(t, got.Text(), `control "Delete all"`)
}

// TestAsSentWithoutTheAgent: the panel of an agent that works in the page is not missing from its text, and what it lays
// over the page hides nothing of it.
func TestAsSentWithoutTheAgent(t *testing.T) {
	for _, mark := range []string{"", "data-page-agent-ignore", "data-browser-use-ignore", "id"} {
		c := page(t, `button %ref=1 %role=button %name="Save" %by=native "Save"`,
			`a %ref=2 %role=link %name="Skip" %by=native "Skip"`, `div`, `  p "Now I click"`)
		noted(c, map[string]string{"Save": "e1", "Skip": "e2"})
		panel := &c.Nodes[len(c.Nodes)-2]
		if panel.Attrs = map[string]string{mark: "true"}; mark == "id" {
			panel.Attrs = map[string]string{mark: "playwright-highlight-container"}
		}
		save := slices.IndexFunc(c.Nodes, func(n snapshot.Node) bool { return n.Name == "Save" })
		c.Nodes[save].Occlusion = &snapshot.Occlusion{State: snapshot.Covered, Coverer: &panel.I}
		got := AsSent(c, given(t, c, `- button "Save" [ref=e1]`, `- link "Skip" [ref=e2]`))
		if mark == "" {
			require.Equal(t, 1, got.Missed, got.Text())
			require.Len(t, got.Unseen, 1, got.Text())
			continue
		}
		require.Zero(t, got.Missed, got.Text())
		require.Empty(t, got.Unseen, got.Text())
		require.Equal(t, 2, got.Told, got.Text())
	}
}

// TestAsSentOfALineSetIn: short words on a line that is about no element of its own are told where it is set in under
// the element's line.
func TestAsSentOfALineSetIn(t *testing.T) {
	c := page(t, `div %ref=1 %role=button %name="Free" %by=native "over" "50"`)
	noted(c, map[string]string{"Free": "e1"})
	others := []string{`- link "Off" [ref=e2]`, `- link "On" [ref=e3]`}
	told := AsSent(c, given(t, c, append(others, `- button "Free" [ref=e1]:`, `  - text: over$50`)...))
	require.Empty(t, told.Missing, told.Text())
	told = AsSent(c, given(t, c, append(others, `- button "Free" [ref=e1]`, `- text: over$50`)...))
	require.NotEmpty(t, told.Missing, "it is set in under nothing")
}

// TestAsSentOfWhatAFilterLeavesOut: a filter of ours is none of the agent's: each element in what it leaves out is told
// where the agent's text tells it.
func TestAsSentOfWhatAFilterLeavesOut(t *testing.T) {
	c := page(t, `li %verdict=filtered`, `  a %role=link %name="One" %by=native %verdict=filtered "One"`,
		`  button %role=button %name="Buy it" %by=native %verdict=filtered "Buy it"`, `  b %verdict=filtered "bold"`)
	noted(c, map[string]string{"One": "e2", "Buy it": "e3"})
	got := AsSent(c, given(t, c, `- listitem:`, `  - link "One" [ref=e2]`, `  - text: "1"`,
		`  - button "Buy it" [ref=e3]`))
	require.Equal(t, 3, got.Seen, got.Text())
	require.Equal(t, 2, got.Told, got.Text())
	require.Len(t, got.Missing, 1)
	require.Equal(t, "bold", got.Missing[0].Text)
	require.Equal(t, notListed, got.Missing[0].Reason)
}

// TestAsSentInDoubt: of a line that may be one of two controls neither is called missing, and that is counted.
func TestAsSentInDoubt(t *testing.T) {
	c := page(t, `button %ref=1 %role=button %name="Keep Heron gooseneck kettle" %by=native "♥"`,
		`button %ref=2 %role=button %name="Keep Heron gooseneck pot" %by=native "♥"`)
	got := AsSent(c, given(t, c, "[0]<button type=button aria-label=Keep Heron goos...>♥ />", "[1]<a >Elsewhere />"))
	require.Empty(t, got.Missing, got.Text())
	require.Equal(t, 2, got.Untied)
}

// TestAsSentOnPages: for each format of ours as if an agent had sent it, on every page: the sums agree, nothing is both
// told and missing, and no line about what a person sees is called unseen.
func TestAsSentOnPages(t *testing.T) {
	testpages.EachCapture(t, func(t *testing.T, c *snapshot.Capture) {
		for _, f := range []dump.Format{format.DDDK, format.Aria, format.Wraith} {
			d, err := format.Render(c, f, format.Options{Common: dump.Common{MaxChars: -1}})
			require.NoError(t, err)
			read := observation.Read(d.Text)
			if read == nil {
				continue
			}
			tie.New(c).Tie(read)
			got := AsSent(c, read)
			require.LessOrEqual(t, got.Told, got.Seen)
			require.Equal(t, got.Seen-got.Told, got.Missed)
			require.LessOrEqual(t, len(got.Missing), got.Missed)
			missing := map[int]bool{}
			for _, m := range got.Missing {
				require.False(t, missing[m.Node], "%s: %d twice", f, m.Node)
				missing[m.Node] = true
				require.NotEmpty(t, m.Explanation)
			}
			for _, u := range got.Unseen {
				require.False(t, missing[u.Node], "%s: line %d is of what a person sees", f, u.Line)
				require.NotEmpty(t, u.Explanation)
			}
		}
	})
}

// TestAsSentOfAWithheldValue: the mark in the place of a value that was withheld is nothing that a person sees, so that
// an agent's text lacks no word of it.
func TestAsSentOfAWithheldValue(t *testing.T) {
	c := page(t, `input type="text" %ref=1 %role=textbox %name="Card" %by=native`,
		`button %ref=2 %role=button %name="Pay" %by=native "Pay"`)
	c.Nodes[1].Value = "[redacted: card]"
	noted(c, map[string]string{"Card": "e1", "Pay": "e2"})
	got := AsSent(c, given(t, c, `- textbox "Card" [ref=e1]: "[redacted]"`, `- button "Pay" [ref=e2]`))
	require.Equal(t, 2, got.Told, got.Text())
	require.Empty(t, got.Missing, got.Text())
}
