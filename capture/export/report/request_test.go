package report

import (
	"image/color"
	"regexp"
	"strings"
	"testing"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
	"github.com/stretchr/testify/require"
)

// asked is a turn as the tap records it: the page was sent as an aria snapshot, with before it the result of the tool
// of the turn before, and the answer clicks the button with a name.
func asked(t testing.TB, c *snapshot.Capture, before, button string) *turn.Record {
	t.Helper()
	turn.NewLedger().Assign("tab", 1, c)
	doc, err := format.Render(c, format.Aria, format.Options{})
	require.NoError(t, err)
	_, rest, ok := strings.Cut(doc.Text, `"`+button+`" [ref=`)
	require.True(t, ok, doc.Text)
	ref, _, _ := strings.Cut(rest, "]")
	call := func(id, arguments string) map[string]any {
		return map[string]any{"id": id, "type": "function", "function": map[string]any{"name": "browser_click", "arguments": arguments}}
	}
	messages := []any{map[string]any{"role": "system", "content": "You operate a browser."},
		map[string]any{"role": "user", "content": "Buy the <b>kettle</b>."}}
	if before != "" {
		messages = append(messages, map[string]any{"role": "assistant", "tool_calls": []any{call("c0", `{"ref":"e1"}`)}},
			map[string]any{"role": "tool", "tool_call_id": "c0", "content": before})
	}
	messages = append(messages, map[string]any{"role": "user", "content": doc.Text})
	return &turn.Record{Capture: c, Picture: picture(t, color.RGBA{R: 200, G: 220, B: 240, A: 255}), Action: "ask openai m: x",
		Payloads: []turn.Payload{
			{Dialect: wire.OpenAIChat, Way: turn.Request, Wire: true, Bytes: marshal(map[string]any{"model": "m", "messages": messages})},
			{Dialect: wire.OpenAIChat, Way: turn.Answer, Wire: true, Bytes: marshal(map[string]any{"choices": []any{map[string]any{
				"message": map[string]any{"role": "assistant", "content": nil, "tool_calls": []any{call("c1", `{"ref":"`+ref+`"}`)}}}}})}}}
}

// cart is a page with a button, covered or not.
func cart(covered bool, name string) *snapshot.Capture {
	buy := element{tag: "button", role: "button", name: name, box: snapshot.Box{20, 40, 80, 24}}
	if covered {
		buy.coveredBy = 1
	}
	return capture("https://shop.example/basket/cart", "Cart", buy,
		element{tag: "dialog", role: "dialog", name: "Sign in", box: snapshot.Box{0, 20, 400, 60}})
}

// A report of an agent's session tells what each answer wanted, where it lands, why it could not work, and what
// happened next; the numbers on the picture are the agent's own.
func TestAnAgentsTurnIsAStory(t *testing.T) {
	store := recordSession(t,
		asked(t, cart(false, "Buy"), "", "Buy"),
		asked(t, cart(true, "Buy"), "Clicked.", "Buy"),
		asked(t, cart(false, "Buy now"), "### Error\nTimeout 5000ms exceeded: <dialog> intercepts pointer events", "Buy now"))
	html, _ := write(t, store, Options{Name: "agent"})
	p := sound(t, html)
	says := p.text.String()

	story, _, found := strings.Cut(html, `<section class="card what"`)
	require.True(t, found)
	_, story, found = strings.Cut(story, `id="story"`)
	require.True(t, found)
	steps := strings.Split(story, "<li ")[1:]
	require.Len(t, steps, 3)
	require.Regexp(t, `^class="good".*click \S+, button “Buy”.*basket/cart`, strings.ReplaceAll(steps[0], "\n", " "))
	require.Contains(t, steps[1], `class="bad"`)
	require.Contains(t, steps[1], "the point is covered by")
	require.Contains(t, steps[1], "Timeout 5000ms exceeded: &lt;dialog&gt;", "the tool's error is what happened next")
	require.Contains(t, steps[2], `class="good"`)

	require.Equal(t, 3, strings.Count(html, `<g class="aim `), "each answer lands on the picture")
	require.Equal(t, 1, strings.Count(html, `<g class="aim bad"`))
	require.Contains(t, says, "The tool said: Clicked.")
	require.Contains(t, says, "The agent looked at 1 address in 3 turns.")
	require.Contains(t, says, "The numbers are the agent's own.")
	require.Contains(t, says, "Buy the <b>kettle</b>.", "a message is shown as what it is")
	require.Contains(t, html, `href="#t2sent">Page · `, "a page in a message is one line, and leads to its text")
	require.Regexp(t, `data-r="\d+">\s*- button &#34;Buy&#34; \[ref=\S+\]`, html, "the text is there as it was sent")
	require.Regexp(t, `<code class="own">\S+</code>`, html)
}

// What a person sees and the newest text lacks is counted, listed and hatched on the picture.
func TestAReportShowsWhatTheModelWasNotTold(t *testing.T) {
	page := capture("https://shop.example/basket/cart", "Cart",
		element{tag: "button", role: "button", name: "Buy", box: snapshot.Box{20, 40, 80, 24}},
		element{tag: "button", role: "button", name: "Help <i>", box: snapshot.Box{200, 40, 80, 24}},
		element{tag: "button", role: "button", name: "Pay", box: snapshot.Box{20, 100, 80, 24}})
	whole := asked(t, page, "", "Buy")
	cut := asked(t, page, "", "Buy")
	lines := regexp.MustCompile(`\\n *- button \\"Help [^\n]*?\[ref=\w+\]`)
	require.Regexp(t, lines, string(cut.Payloads[0].Bytes))
	cut.Payloads[0].Bytes = lines.ReplaceAll(cut.Payloads[0].Bytes, nil)
	html, _ := write(t, recordSession(t, whole, cut), Options{Name: "agent"})
	says := sound(t, html).text.String()
	require.Contains(t, says, "The model was told 100.0 % of what a person sees in the window: 3 of 3 elements.")
	require.Contains(t, says, "The model was told 66.6 % of what a person sees in the window: 2 of 3 elements.")
	require.Equal(t, 1, strings.Count(says, "Seen by a person, and not told: 1"))
	require.Equal(t, 1, strings.Count(html, `<path class="hatch" d="M200 40h80v24h-80z" fill="url(#missed)"/>`))
	require.NotContains(t, html, "Help <i>")
}

// A session without a model's request has no story, and its report is as it was.
func TestNoRequestNoStory(t *testing.T) {
	html, _ := write(t, recordSession(t, &turn.Record{Capture: cart(false, "Buy")}), Options{})
	require.NotContains(t, html, `id="story"`)
	require.NotContains(t, html, `<g class="aim `)
	require.Contains(t, html, "The session shows 1 address in 1 turn.", "no agent is known")
}

// A request without a page has its vendor's address, which is no page that the agent looked at.
func TestAVendorIsNoSite(t *testing.T) {
	b := &builder{shown: []int{1, 2}, cards: []card{{N: 1, URL: "https://vendor.example/v1"}, {N: 2, URL: "https://shop.example/"}},
		summaries: map[int]turn.Summary{1: {Head: turn.Head{N: 1, URL: "https://vendor.example/v1"}},
			2: {Head: turn.Head{N: 2, URL: "https://shop.example/", Counts: turn.Counts{Nodes: 3}}}}}
	h := b.head()
	require.Contains(t, h.Words[0], "1 address in 2 turns")
	require.Contains(t, h.Facts, fact{"Sites", "shop.example"})
}
