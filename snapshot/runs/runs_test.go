package runs_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/pagetest"
	"github.com/refscope/refscope/snapshot/runs"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
	"github.com/stretchr/testify/require"
)

// memory is a run in memory.
type memory []*turn.Record

func (m memory) List(context.Context) ([]turn.Summary, []turn.Damage, error) {
	var out []turn.Summary
	for i, r := range m {
		r.N = i + 1
		out = append(out, turn.Summary{Head: turn.Head{N: i + 1}})
	}
	return out, nil, nil
}

func (m memory) Load(_ context.Context, n int) (*turn.Record, error) { return m[n-1], nil }

// number reads e12 and plain numbers, as the doors do.
func number(s string) int {
	n, _ := strconv.Atoi(strings.TrimPrefix(strings.TrimPrefix(s, "@"), "e"))
	return n
}

// shop is one run of a scripted agent on a small shop: what it is shown, given, answers and
// does at each turn, with what differs between any two runs.
type shop struct {
	t     testing.TB
	rng   *rand.Rand
	shift int // the numbers of this session begin here
	turns []*scene
}

// scene is one turn.
type scene struct {
	page     string // notation of the page
	goal     string
	system   string
	limit    int    // lines of the page that the model is given, 0 for all
	image    bool   // with a picture
	target   string // name of the control that the agent asks for
	verb     string
	value    string
	status   string // of the step that led here
	received bool
	fault    string
	look     bool // a turn that only looks once more at the page of the one before
}

// scenes are the turns of a run of n.
func scenes(n int) []*scene {
	var out []*scene
	for i := range n {
		out = append(out, &scene{
			goal: "order two kettles", system: "You are a careful agent.", image: i%2 == 0, verb: "click",
			target: fmt.Sprintf("Choose %d", (i*7)%9), status: "ok", received: true,
			page: fmt.Sprintf("Step %d of the order|$%d.00|PLAIN", i%13, 20+i%5),
		})
	}
	return out
}

// notation is the page of a scene with what differs from run to run.
func (s *shop) notation(sc *scene) string {
	parts := strings.Split(sc.page, "|")
	ads := []string{"Win a boat", "Cheap loans", "Miracle tea"}
	s.rng.Shuffle(len(ads), func(i, j int) { ads[i], ads[j] = ads[j], ads[i] })
	var b strings.Builder
	fmt.Fprintf(&b, "url: http://127.0.0.1:%d/order/%s\nbody\n", 20000+s.rng.IntN(9000), strings.Fields(parts[0])[1])
	fmt.Fprintf(&b, "  h1 %q\n  p \"Order %012x, %02d:%02d:%02d\"\n", parts[0], s.rng.Uint64()>>16, s.rng.IntN(24), s.rng.IntN(60), s.rng.IntN(60))
	fmt.Fprintf(&b, "  div class=sponsored\n")
	for _, ad := range ads[:2+s.rng.IntN(2)] {
		fmt.Fprintf(&b, "    a href=\"/ad/%d\" %q\n", s.rng.IntN(1e6), ad)
	}
	fmt.Fprintf(&b, "  p \"Total %s\"\n", parts[1])
	for k := range 9 {
		i, more := k, ""
		if parts[2] == "SORTED" {
			i = 8 - k
		}
		if parts[2] == "DISABLED" && i == 3 {
			more = " %state=disabled"
		}
		if parts[2] == "GONE" && fmt.Sprint("Choose ", (i+1)%9) == sc.target {
			continue
		}
		fmt.Fprintf(&b, "  button id=%q \"Choose %d\"%s\n", fmt.Sprintf("c%d", i), i, more)
	}
	if parts[2] == "DIALOG" {
		b.WriteString("  div role=dialog aria-label=\"Session expired\"\n    p \"Log in again\"\n    button \"Log in\"\n")
	}
	return b.String()
}

// capture is the page with the numbers of this session.
func (s *shop) capture(sc *scene) *snapshot.Capture {
	c := pagetest.Parse(s.t, s.notation(sc))
	for i := range c.Nodes {
		if c.Nodes[i].Ref > 0 {
			c.Nodes[i].Ref += s.shift
		}
	}
	return c
}

func refOf(c *snapshot.Capture, name string) int {
	for i := range c.Nodes {
		if n := &c.Nodes[i]; n.Ref > 0 && (n.Name == name || n.Text == name) {
			return n.Ref
		}
	}
	panic("no control " + name)
}

// record plays the scenes.
func (s *shop) record() memory {
	var out memory
	var before *snapshot.Capture
	var last *scene
	for _, sc := range s.turns {
		c := s.capture(sc)
		rec := &turn.Record{Capture: c}
		if sc.look {
			rec.Steps = []byte(`{"tool":"browser_snapshot","arguments":{}}`)
			out, before = append(out, rec), c
			continue
		}
		if last != nil {
			rec.Steps = fmt.Appendf(nil, `{"steps":[{%q:{"ref":"e%d","text":%q}}],"tab":"t%d"}`, last.verb, refOf(before, last.target), last.value, s.shift)
			rec.Answer = fmt.Appendf(nil, `{"status":%q,"steps":[{"action":%q,"status":%q,"error":%q,"output":{"clicked":true,"targetReceived":%t,"took":%d}}]}`,
				sc.status, last.verb, sc.status, sc.fault, sc.received, s.rng.IntN(900))
		}
		lines := []string{"Page at " + fmt.Sprintf("%02d:%02d", s.rng.IntN(24), s.rng.IntN(60))}
		for k := range c.Nodes {
			if n := &c.Nodes[k]; n.Verdict.Kept() && n.Name+n.Text != "" {
				lines = append(lines, fmt.Sprintf("[%d] %s %q", n.Ref, n.Role, n.Name+n.Text))
			}
		}
		if sc.limit > 0 {
			lines = lines[:sc.limit]
		}
		content := []any{map[string]any{"type": "text", "text": strings.Join(lines, "\n")}}
		if sc.image {
			content = append(content, map[string]any{"type": "image_url", "image_url": map[string]any{"url": "data:image/png;base64,iVBORw0KGgo="}})
		}
		rec.Payloads = []turn.Payload{
			{Dialect: wire.OpenAIChat, Way: turn.Request, Wire: true, Bytes: marshal(s.t, map[string]any{"model": "m", "messages": []any{
				map[string]any{"role": "system", "content": sc.system},
				map[string]any{"role": "user", "content": sc.goal},
				map[string]any{"role": "user", "content": content},
			}})},
			{Dialect: wire.OpenAIChat, Way: turn.Answer, Wire: true, Bytes: marshal(s.t, map[string]any{"id": fmt.Sprint(s.rng.Uint64()), "choices": []any{map[string]any{"message": map[string]any{
				"role": "assistant", "content": []string{"Let me see.", "I will go on.", "Now the next."}[s.rng.IntN(3)],
				"tool_calls": []any{map[string]any{"id": fmt.Sprint("call_", s.rng.Uint64()), "type": "function", "function": map[string]any{
					"name": sc.verb, "arguments": fmt.Sprintf(`{"ref":%d,"text":%q}`, refOf(c, sc.target), sc.value)}}}}}}})},
		}
		out = append(out, rec)
		before, last = c, sc
	}
	return out
}

func marshal(t testing.TB, v any) []byte {
	b, err := json.Marshal(v)
	require.NoError(t, err)
	return b
}

// faults change one scene. They name the cause, and how many turns later it first shows.
var faults = []struct {
	cause runs.Cause
	apply func(sc *scene)
}{
	{runs.Page, func(sc *scene) { sc.page = strings.Replace(sc.page, ".00", ".50", 1) }},
	{runs.Page, func(sc *scene) { sc.page = strings.Replace(sc.page, "PLAIN", "DIALOG", 1) }},
	{runs.Page, func(sc *scene) { sc.page = strings.Replace(sc.page, "PLAIN", "DISABLED", 1) }},
	{runs.Page, func(sc *scene) { sc.page = strings.Replace(sc.page, "PLAIN", "GONE", 1) }},
	{runs.Page, func(sc *scene) { sc.page = strings.Replace(sc.page, "PLAIN", "SORTED", 1) }},
	{runs.Payload, func(sc *scene) { sc.limit = 6 }},
	{runs.Payload, func(sc *scene) { sc.system += " Be quick." }},
	{runs.Payload, func(sc *scene) { sc.image = !sc.image }},
	{runs.Answer, func(sc *scene) {
		sc.target = map[bool]string{true: "Choose 7", false: "Choose 8"}[sc.target == "Choose 8"]
	}},
	{runs.Answer, func(sc *scene) { sc.verb = "hover" }},
	{runs.Answer, func(sc *scene) { sc.value = "three" }},
	{runs.Actuation, func(sc *scene) { sc.received = false }},
	{runs.Actuation, func(sc *scene) { sc.status, sc.fault = "error", "timed out after 5000 ms" }},
}

// Where a page was not recorded with both turns, none is said to be the same or another one.
func TestTurnsWithoutAPage(t *testing.T) {
	play := func(pages bool, say string) memory {
		list := scenes(2)
		list[1].system += say
		out := (&shop{t: t, rng: rand.New(rand.NewPCG(1, 7)), turns: list}).record()
		for i := 0; !pages && i < len(out); i++ {
			out[i].Capture = &snapshot.Capture{}
		}
		return out
	}
	verdict := func(a, b memory) string { return compare(t, a, b).Verdict() }
	require.Equal(t, "The model was given different input for the same page.",
		verdict(play(true, ""), play(true, " Be quick.")))
	require.Equal(t, "The model was given different input; no page was recorded to compare.",
		verdict(play(false, ""), play(false, " Be quick.")))
	require.Equal(t, "The runs do not diverge.", verdict(play(false, ""), play(false, "")))
	require.NotContains(t, verdict(play(true, ""), play(false, "")), " page.")
}

// read reads two runs with one reader.
func read(t testing.TB, a, b memory) (x, y []*runs.Turn) {
	r := runs.NewReader(number)
	x, err := r.Read(t.Context(), a)
	require.NoError(t, err)
	y, err = r.Read(t.Context(), b)
	require.NoError(t, err)
	return x, y
}

func compareTurns(t testing.TB, x, y []*runs.Turn) *runs.Comparison {
	c, err := runs.Compare(t.Context(), x, y)
	require.NoError(t, err)
	return c
}

func compare(t testing.TB, a, b memory) *runs.Comparison {
	x, y := read(t, a, b)
	return compareTurns(t, x, y)
}

// byIndex is what one gets without alignment: the first place at which the turns with that index
// differ, by the same rules; -1 for none.
func byIndex(t testing.TB, x, y []*runs.Turn) int {
	for i := range min(len(x), len(y)) {
		if compareTurns(t, x[i:i+1], y[i:i+1]).Divergence() != nil {
			return i
		}
	}
	return -1
}

// A seeded divergence is found at its turn with its cause, and two equal runs have none,
// although times, ids, numbers of elements, wording and advertisements differ between any two, and
// every other run looks once more at a page on its way there.
func TestSeededDivergences(t *testing.T) {
	pairs := testneed.Cases(13, 130, 130)
	turns, causes, index := 0, 0, 0
	for k := range pairs {
		rng := rand.New(rand.NewPCG(uint64(k), 7))
		n := 6 + rng.IntN(10)
		play := func(shift int, list []*scene) memory {
			return (&shop{t: t, rng: rng, shift: shift, turns: list}).record()
		}
		require.Nil(t, compare(t, play(0, scenes(n)), play(rng.IntN(40), scenes(n))).Divergence(), "equal runs, seed %d", k)

		list, at, fault := scenes(n), 1+rng.IntN(n-2), faults[k%len(faults)]
		fault.apply(list[at])
		switch rng.IntN(4) {
		case 0: // all goes wrong from there
			for _, sc := range list[at+1:] {
				sc.page = "Step 99 failed|$0.00|DIALOG"
			}
		case 1: // it ends early
			list = list[:min(at+2, n)]
		case 2: // one more try at the end
			list = append(list, list[n-1])
		}
		in := at // of the second run
		if k%2 == 1 {
			again := *list[rng.IntN(at)]
			again.look = true
			list, in = slices.Insert(list, slices.IndexFunc(list, func(sc *scene) bool { return sc.page == again.page })+1, &again), at+1
		}
		x, y := read(t, play(0, scenes(n)), play(rng.IntN(40), list))
		got := compareTurns(t, x, y).Divergence()
		if got != nil && got.A == at+1 && got.B == in+1 {
			turns++
			if got.Cause == fault.cause {
				causes++
			}
		}
		if got == nil || got.A != at+1 || got.Cause != fault.cause {
			t.Logf("seed %d: wanted turn %d, %s; got %+v", k, at+1, fault.cause, got)
		}
		if byIndex(t, x, y) == in {
			index++
		}
	}
	t.Logf("right turn %d of %d, right cause %d; by index %d", turns, pairs, causes, index)
	require.GreaterOrEqual(t, float64(turns), 0.97*float64(pairs))
	require.GreaterOrEqual(t, float64(causes), 0.94*float64(pairs))
}

// BenchmarkFiveHundred reads and compares two runs of 500 turns.
func BenchmarkFiveHundred(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	play := func(shift int) memory {
		return (&shop{t: b, rng: rng, shift: shift, turns: scenes(500)}).record()
	}
	x, y := play(0), play(9)
	for b.Loop() {
		compare(b, x, y)
	}
}

// TestFrameCountersOfTwentyPairs: two runs of one script differ in Playwright's counters of frames alone, whichever
// they are, in the page's text and in the calls: none of twenty pairs differs.
func TestFrameCountersOfTwentyPairs(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 5))
	page := func(counter int) string {
		return fmt.Sprintf("### Ran Playwright code\nawait page.click()\n### Page\n- Page URL: http://shop/\n"+
			"- iframe [ref=e2]:\n  - button \"Pay\" [ref=f%[1]de8]\n  - textbox \"Code\" [active] [ref=f%[1]de9]\n"+
			"  - iframe [ref=f%[1]de10]:\n    - link \"Help\" [ref=f%[2]de3]\n", counter, counter+1)
	}
	compare := func(refA, refB string, a, b int) *runs.Row {
		reader := runs.NewReader(number)
		left, err := reader.Read(t.Context(), tapped(t, refA, page(a)))
		require.NoError(t, err)
		right, err := reader.Read(t.Context(), tapped(t, refB, page(b)))
		require.NoError(t, err)
		got, err := runs.Compare(t.Context(), left, right)
		require.NoError(t, err)
		return got.Divergence()
	}
	for range 20 {
		a, b := 1+rng.IntN(99), 1+rng.IntN(99)
		spell := func(counter int) string { return fmt.Sprintf("f%de8", counter) }
		require.Nil(t, compare(spell(a), spell(b), a, b), "f%de8 and f%de8", a, b)
	}
}

// tapped is a run that a tap recorded: two requests to a model, the second with what its tool answered.
func tapped(t *testing.T, ref, result string) memory {
	t.Helper()
	body := func(messages ...map[string]any) []byte {
		data, err := json.Marshal(map[string]any{"model": "m", "messages": messages})
		require.NoError(t, err)
		return data
	}
	user := map[string]any{"role": "user", "content": "Pay the order"}
	call := map[string]any{"role": "assistant", "tool_calls": []any{map[string]any{"id": "c1", "type": "function",
		"function": map[string]any{"name": "browser_click", "arguments": `{"element":"Pay","target":"` + ref + `"}`}}}}
	tool := map[string]any{"role": "tool", "tool_call_id": "c1", "content": result}
	c := pagetest.Parse(t, "button Pay")
	request := func(b []byte) turn.Payload {
		return turn.Payload{Dialect: wire.OpenAIChat, Way: turn.Request, Bytes: b}
	}
	return memory{
		{Capture: c, Payloads: []turn.Payload{request(body(user))}},
		{Capture: c, Payloads: []turn.Payload{request(body(user, call, tool))}},
	}
}

// TestTapped: refs that differ by Playwright's counter of frames are the same; a tool that says that it failed
// is a difference of actuation, not of what the model was given.
func TestTapped(t *testing.T) {
	page := "### Page\n- Page URL: http://shop/\n- button \"Pay\" [ref=%s]\n- text: Error: is what this page is about\n"
	done := "### Ran Playwright code\nawait page.click()\n" + page
	for name, c := range map[string]struct {
		refs    [2]string
		results [2]string
		want    runs.Cause
	}{
		"the same":           {[2]string{"e8", "e8"}, [2]string{done, done}, ""},
		"another counter":    {[2]string{"f16e8", "f19e8"}, [2]string{done, done}, ""},
		"a click that fails": {[2]string{"e8", "e8"}, [2]string{done, "### Error\nTimeoutError: locator.click: Timeout 5000ms exceeded."}, runs.Actuation},
		"below Result":       {[2]string{"e8", "e8"}, [2]string{done, "### Result\nTimeoutError: locator.click: Timeout 5000ms exceeded."}, runs.Actuation},
		"another tool's":     {[2]string{"e8", "e8"}, [2]string{done, "Error: element is not visible"}, runs.Actuation},
	} {
		t.Run(name, func(t *testing.T) {
			reader := runs.NewReader(number)
			var sides [2][]*runs.Turn
			for i := range sides {
				result := c.results[i]
				if strings.Contains(result, "%s") {
					result = fmt.Sprintf(result, c.refs[i])
				}
				var err error
				sides[i], err = reader.Read(t.Context(), tapped(t, c.refs[i], result))
				require.NoError(t, err)
			}
			got, err := runs.Compare(t.Context(), sides[0], sides[1])
			require.NoError(t, err)
			if c.want == "" {
				require.Nil(t, got.Divergence())
				return
			}
			require.NotNil(t, got.Divergence())
			require.Equal(t, c.want, got.Divergence().Cause, got.Divergence().Details)
		})
	}
}

// TestSettingsAreNoPage: what a filter, a redaction, a limit or a viewport leaves out of the page of one run is no
// other page: the comparison says in a note how the pages were captured.
func TestSettingsAreNoPage(t *testing.T) {
	page := func(change func(c *snapshot.Capture)) memory {
		c := &snapshot.Capture{Schema: snapshot.Schema, URL: "https://tea.example/", Chrome: "Chrome/1",
			Viewport: snapshot.Viewport{Width: 1280, Height: 720, Scale: 1},
			Frames: []snapshot.Frame{{ID: "f", Parent: -1, Owner: -1, Loader: fmt.Sprint(rand.Int()),
				Readable: true}}}
		for i, tag := range []string{"body", "a", "p", "button", "button"} {
			n := snapshot.Node{I: i, Parent: min(i, 1) - 1, Tag: tag, Path: fmt.Sprintf("%s:nth-child(%d)", tag, i),
				Verdict: snapshot.VerdictWrapper}
			if i > 0 {
				n.Ref, n.Name, n.Verdict = i, "Word "+strconv.Itoa(i), snapshot.VerdictRef
				n.Role = map[string]string{"a": "link", "button": "button", "p": "paragraph"}[tag]
			}
			c.Nodes = append(c.Nodes, n)
		}
		if change != nil {
			change(c)
		}
		return memory{{Capture: c}}
	}
	hide := func(v snapshot.Verdict) func(c *snapshot.Capture) {
		return func(c *snapshot.Capture) {
			n := &c.Nodes[3]
			n.Verdict, n.Ref, n.Name, n.Role = v, 0, "", ""
		}
	}
	small := func(more func(c *snapshot.Capture)) func(c *snapshot.Capture) {
		return func(c *snapshot.Capture) {
			c.Viewport.Width = 500
			more(c)
		}
	}
	cut := func(c *snapshot.Capture) {
		c.Nodes = c.Nodes[:4]
		c.Failed = []snapshot.Failure{{Layer: snapshot.LayerWalk, Why: "too many"}}
	}
	for _, c := range []struct {
		name   string
		change func(c *snapshot.Capture)
		note   string // %s for which run
	}{
		{"filter", hide(snapshot.VerdictFiltered), `left out by a filter in the %s: button “Word 3”`},
		{"redaction", func(c *snapshot.Capture) {
			c.Nodes[2].Name, c.Nodes[2].Redacted = "[redacted]", []string{"name"}
		}, `withheld in the %s: paragraph “Word 2”`},
		{"limit", cut, `not read in the %s, which was cut at its limit: button “Word 4”`},
		{"viewport", small(hide(snapshot.VerdictDisplayNone)), `hidden in the viewport of the %s: button “Word 3”`},
		{"viewport alone", small(func(*snapshot.Capture) {}), "viewport "},
	} {
		t.Run(c.name, func(t *testing.T) {
			plain, set := page(nil), page(c.change)
			for which, pair := range map[string][2]memory{"second": {plain, set}, "first": {set, plain}} {
				got := compare(t, pair[0], pair[1])
				require.Equal(t, "The runs do not diverge.", got.Verdict())
				require.Len(t, got.Notes, 1)
				require.Contains(t, got.Notes[0], strings.ReplaceAll(c.note, "%s", which))
			}
			other := page(func(p *snapshot.Capture) {
				c.change(p)
				p.Nodes[1].Name = "Another"
			})
			got := compare(t, plain, other)
			require.Equal(t, []string{`link “Another”: name "Word 1" → "Another"`}, got.Divergence().Details)
			require.Len(t, got.Notes, 1)
		})
	}
	hidden := compare(t, page(nil), page(hide(snapshot.VerdictDisplayNone)))
	require.Equal(t, []string{"only in the first: button “Word 3”"}, hidden.Divergence().Details,
		"the page hides it")
	require.Empty(t, hidden.Notes)
	many := compare(t, append(page(nil), page(nil)...), append(page(cut), page(cut)...))
	require.Contains(t, many.Notes[0], " (and likewise in 1 more pair of turns)")
}

// TestARequestThatOneRunAloneHas: an answered one is a divergence, as nobody recorded steps of a run that was tapped.
// What the vendor refused is no decision.
func TestARequestThatOneRunAloneHas(t *testing.T) {
	asks := func(answers ...string) memory {
		var out memory
		for i, a := range answers {
			out = append(out, &turn.Record{Capture: &snapshot.Capture{}, Payloads: []turn.Payload{
				{Dialect: wire.OpenAIChat, Way: turn.Request, Wire: true, Bytes: fmt.Appendf(nil,
					`{"model":"m","messages":[{"role":"user","content":"step %d"}]}`, i)},
				{Dialect: wire.OpenAIChat, Way: turn.Answer, Wire: true, Bytes: []byte(a)}}})
		}
		return out
	}
	say := func(s string) string {
		return `{"choices":[{"index":0,"message":{"role":"assistant","content":"` + s + `"}}]}`
	}
	short, long := asks(say("one")), asks(say("one"), say("and done"))
	got := compare(t, short, long)
	require.Equal(t, "The agent answered differently to the same input.", got.Verdict())
	require.Equal(t, []string{"only the second run answered: and done"}, got.Divergence().Details)
	require.Equal(t, "The runs do not diverge.", compare(t, short,
		asks(say("one"), `{"error":{"message":"rate limit"}}`)).Verdict())
}
