package tap

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/observation"
	"github.com/refscope/refscope/snapshot/pagetest"
	"github.com/refscope/refscope/snapshot/testpages"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/wire"
	"github.com/stretchr/testify/require"
)

// sitePage is page n of a site whose pages share their head and foot.
func sitePage(t *testing.T, n int) *snapshot.Capture {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "url: https://shop.example/page/%d\ntitle: Page %d\nbody\n", n, n)
	for k, s := range []string{"Home", "Kettles", "Toasters", "Mixers", "Offers of the week", "Your account", "Basket",
		"Everything for the modern kitchen", "Delivery and returns explained", "Gift cards for friends of cooking",
		"Terms and conditions of the shop", "Cookies and your privacy here"} {
		fmt.Fprintf(&b, "  a href=\"/%d\" \"%s\"\n", k, s)
	}
	for k := range 6 {
		fmt.Fprintf(&b, "  button \"Choose %s %s\"\n", []string{"red", "blue", "green", "white", "black", "brass"}[(n+k)%6],
			[]string{"kettle", "spoon", "ladle", "mixer", "whisk", "board", "knife", "bowl", "plate", "glass"}[n%10])
	}
	return pagetest.Parse(t, b.String())
}

// TestPairWithPagesThatLeft: a request about a page that is not open any more is about no page, in each text
// format, though pages of the site share half of their texts; and it is about its own where that is open.
func TestPairWithPagesThatLeft(t *testing.T) {
	const site = 10
	pages := make([]Page, site)
	for n := range pages {
		pages[n] = Page{Tab: fmt.Sprint(n), Capture: sitePage(t, n)}
	}
	tried := 0
	for _, f := range []dump.Format{format.DDDK, format.Aria, format.Wraith} {
		for n := range pages {
			d, err := format.Render(pages[n].Capture, f, format.Options{})
			require.NoError(t, err)
			r := &wire.Request{Messages: []wire.Message{{Role: "user",
				Parts: []wire.Part{{Kind: wire.Text, Text: "Buy a kettle. The page:\n" + d.Text}}}}}
			got, how := Pair(r, pages)
			require.NotNil(t, got, "%s of page %d: %+v", f, n, how)
			require.Equal(t, fmt.Sprint(n), got.Tab, "%s of page %d: %+v", f, n, how)
			for other := range pages {
				if other != n {
					tried++
					got, how = Pair(r, pages[other:other+1])
					require.Nil(t, got, "%s of page %d, and page %d is open: %+v", f, n, other, how)
				}
			}
		}
	}
	require.Greater(t, tried, 200)
}

// TestPairsThePageThatAsks: of pages that are alike, a request that a page makes is about that one, and about none where
// its words are those of another.
func TestPairsThePageThatAsks(t *testing.T) {
	a, b, other := sitePage(t, 1), sitePage(t, 1), sitePage(t, 2)
	b.Nodes[len(b.Nodes)-1].Attrs = map[string]string{"aria-busy": "true"}
	b.Scroll.Y = 40
	pages := []Page{{Tab: "a", Capture: a}, {Tab: "b", Capture: b}, {Tab: "other", Capture: other}}
	d, err := format.Render(a, format.DDDK, format.Options{})
	require.NoError(t, err)
	r := &wire.Request{Messages: []wire.Message{{Role: "user", Parts: []wire.Part{{Kind: wire.Text, Text: d.Text}}}}}
	none, how := pairAsked(r, pages, "")
	require.Nil(t, none, "%+v", how)
	for _, tab := range []string{"a", "b"} {
		got, how := pairAsked(r, pages, tab)
		require.NotNil(t, got, "%s: %+v", tab, how)
		require.Equal(t, tab, got.Tab)
	}
	none, how = pairAsked(r, pages, "other")
	require.Nil(t, none, "%+v", how)
	b.Scroll.Y, b.Nodes[len(b.Nodes)-1].Attrs = a.Scroll.Y, a.Nodes[len(a.Nodes)-1].Attrs
	got, how := pairAsked(r, pages, "b")
	require.NotNil(t, got, "%+v", how)
	require.Equal(t, "b", got.Tab, "of two that are the same, too")
}

// TestPairsOfSavedPages: a request about one saved page is never about another that is open in its place, and is about
// its own where that is open, or about none where the request has too little of it.
func TestPairsOfSavedPages(t *testing.T) {
	captures := testpages.Captures(t)
	names := slices.Sorted(maps.Keys(captures))
	tried, own := 0, 0
	for _, f := range []dump.Format{format.DDDK, format.Aria, format.Wraith, format.Semantic} {
		for _, name := range names {
			d, err := format.Render(captures[name], f, format.Options{})
			require.NoError(t, err)
			r := &wire.Request{Messages: []wire.Message{{Role: "user",
				Parts: []wire.Part{{Kind: wire.Text, Text: "Buy a kettle. The page:\n" + d.Text}}}}}
			if got, _ := Pair(r, []Page{{Tab: name, Capture: captures[name]}}); got != nil {
				own++
			}
			for _, other := range names {
				if captures[other].URL == captures[name].URL {
					continue
				}
				tried++
				got, how := Pair(r, []Page{{Tab: other, Capture: captures[other]}})
				require.Nil(t, got, "%s of %s, and %s is open: %+v", f, name, other, how)
			}
		}
	}
	t.Logf("none of %d with another page; %d with their own", tried, own)
	require.Greater(t, own*10, 9*4*len(names), "most are about their own page")
}

// A list that has the cells of a table, each in a line of its own, is of the page with that table, whose rows are called
// as all of their cells are.
func TestPairsATableByItsCells(t *testing.T) {
	var page, list strings.Builder
	page.WriteString("url: https://shop.example/table\ntitle: Stock\nbody\n  table\n")
	for n := range 12 {
		fmt.Fprintf(&page, "    tr %%role=row %%from=content %%name=\"Blue kettle %d in the cellar Edit\"\n      td \"Blue kettle %d\"\n"+
			"      td \"in the cellar\"\n      td\n        button \"Edit\"\n", n, n)
		fmt.Fprintf(&list, "- row [ref=e%d]\n  - cell \"Blue kettle %d\" [ref=e%d]\n  - cell \"in the cellar\" [ref=e%d]\n", 4*n,
			n, 4*n+1, 4*n+2)
	}
	c := pagetest.Parse(t, page.String())
	r := &wire.Request{Messages: []wire.Message{{Role: "tool", Parts: []wire.Part{{Kind: wire.Result, Text: list.String()}}}}}
	got, how := Pair(r, []Page{{Tab: "1", Capture: c}})
	require.NotNil(t, got, "%+v", how)
}

// A list of what can be operated on a page of prose has few words of it. It is of the page where each line is of one of
// its elements, though of some that are alike it is not known which; and of no page that lacks one of them.
func TestPairsAListOfAPageOfProse(t *testing.T) {
	prose := func(n int) *snapshot.Capture {
		var b strings.Builder
		fmt.Fprintf(&b, "url: https://press.example/%d\ntitle: Story %d\nbody\n", n, n)
		for k := range 40 {
			fmt.Fprintf(&b, "  p \"Of story %d this is the paragraph of number %d, which says what nobody else says.\"\n", n, k)
		}
		for k := range 24 {
			fmt.Fprintf(&b, "  a href=\"/%d\" %%name=\"Topic %d\" \"Topic %d\"\n", k, k, k)
		}
		fmt.Fprintf(&b, "  button %%name=\"Reply to %d\" \"Reply to %d\"\n", n, n)
		for range 3 {
			b.WriteString("  button %name=Like \"Like\"\n")
		}
		return pagetest.Parse(t, b.String())
	}
	var list strings.Builder
	for k := range 24 {
		fmt.Fprintf(&list, "- link \"Topic %d\" [ref=e%d]\n", k, 100+k)
	}
	list.WriteString("- button \"Reply to 1\" [ref=e200]\n- button \"Like\" [ref=e201]\n")
	r := &wire.Request{Messages: []wire.Message{{Role: "tool", Parts: []wire.Part{{Kind: wire.Result, Text: list.String()}}}}}
	got, how := Pair(r, []Page{{Tab: "1", Capture: prose(1)}, {Tab: "2", Capture: prose(2)}})
	require.NotNil(t, got, "%+v", how)
	require.Equal(t, "1", got.Tab)
	got, how = Pair(r, []Page{{Tab: "2", Capture: prose(2)}})
	require.Nil(t, got, "%+v", how)
}

// A request whose newest messages only say that a tool has acted, or whose answer acts, is about the page that the
// browser shows, if that is the only one; one that says more, or asks for no action, needs evidence.
func TestPairsThePageThatIsActedOn(t *testing.T) {
	click := wire.Part{Kind: wire.Call, ID: "1", Name: "puppeteer_click", Arguments: []byte(`{"selector":"#go"}`)}
	note := wire.Part{Kind: wire.Call, ID: "1", Name: "todo_write", Arguments: []byte(`{"items":["a"]}`)}
	goTo := func(url string) wire.Part {
		return wire.Part{Kind: wire.Call, ID: "1", Name: "puppeteer_navigate", Arguments: fmt.Appendf(nil, `{"url":%q}`, url)}
	}
	acting := &wire.Answer{Calls: []wire.ToolCall{{Name: click.Name, Arguments: click.Arguments}}}
	one := []Page{{Tab: "1", Capture: sitePage(t, 1)}}
	left := Page{Tab: "1", Capture: sitePage(t, 1), Gone: true}
	other, unread := Page{Tab: "2", Capture: sitePage(t, 2)}, Page{Tab: "2", Err: errNotYet}
	long := strings.Repeat("Somebody else sells kettles, and this is all about them. ", 5)
	for name, c := range map[string]struct {
		call   wire.Part
		said   string
		answer *wire.Answer
		pages  []Page
		paired bool
	}{
		"after a click":                {call: click, said: "Clicked: #go", pages: one, paired: true},
		"before one":                   {call: note, said: "ok", answer: acting, pages: one, paired: true},
		"no action":                    {call: note, said: "ok", answer: &wire.Answer{Text: "done"}, pages: one},
		"an answer that did not come":  {call: note, said: "ok", pages: one},
		"a text that may be of a page": {call: click, said: long, answer: acting, pages: one},
		"a list of few elements": {call: click, said: "- link \"Cart\" [ref=e1]\n- button \"Pay\" [ref=e2]\n" +
			"- button \"Back\" [ref=e3]", answer: acting, pages: one},
		"the address of another page":      {call: click, said: "Page URL: https://shop.example/page/9", pages: one},
		"several pages":                    {call: click, said: "ok", pages: append(one, other)},
		"a page that could not be read":    {call: click, said: "ok", pages: append(one, unread)},
		"a page that the browser has left": {call: click, said: "ok", pages: []Page{left}},
		"no page":                          {call: click, said: "ok"},
		"after opening it":                 {call: goTo(one[0].Capture.URL), said: "Navigated", pages: one, paired: true},
		"after opening another":            {call: goTo("https://shop.example/page/9"), said: "Navigated", pages: one},
	} {
		r := &wire.Request{Messages: []wire.Message{
			{Role: "user", Parts: []wire.Part{{Kind: wire.Text, Text: "Buy it."}}},
			{Role: "assistant", Parts: []wire.Part{c.call}},
			{Role: "tool", Parts: []wire.Part{{Kind: wire.Result, ID: "1", Text: c.said}}}}}
		got, how := pairActed(r, c.answer, c.pages, "")
		require.Equal(t, c.paired, got != nil, "%s: %+v", name, how)
		require.Equal(t, c.paired, how.Paired, name)
	}

	_, how := PairShown(&wire.Request{}, []Page{left}, "")
	require.Equal(t, "the browser had left the page before the next one was captured", how.Why)

	// What was said of another page before the last answer is not said of this one.
	say := func(call wire.Part, said string) []wire.Message {
		return []wire.Message{{Role: "assistant", Parts: []wire.Part{call}},
			{Role: "tool", Parts: []wire.Part{{Kind: wire.Result, ID: "1", Text: said}}}}
	}
	r := &wire.Request{Messages: slices.Concat(say(note, "Page URL: https://shop.example/page/9\n"+long), say(click, "Clicked: #go"))}
	got, how := pairActed(r, nil, one, "")
	require.NotNil(t, got, "%+v", how)
}

// The empty page with which a browser begins is no page of a call; one that was written into it is.
func TestPairShownOnAnEmptyPage(t *testing.T) {
	empty := pagetest.Parse(t, "url: about:blank\nbody\n")
	got, how := PairShown(&wire.Request{}, []Page{{Tab: "1", Capture: empty}}, "")
	require.Nil(t, got)
	require.Contains(t, how.Why, "shows an empty page")
	got, how = PairShown(&wire.Request{}, []Page{{Tab: "1", Capture: pagetest.Parse(t, "url: about:blank\nbody\n  button \"Go\"\n")}}, "")
	require.NotNil(t, got, "%+v", how)
	got, _ = PairShown(&wire.Request{}, []Page{{Tab: "1", Capture: empty}, {Tab: "2", Capture: sitePage(t, 1)}}, "")
	require.Equal(t, "2", got.Tab)
}

// An answer that says which page it is about by address and title, and lists nothing of it, is about that page where it
// is open, and about no other.
func TestPairBySaidAddress(t *testing.T) {
	pages := []Page{{Tab: "0", Capture: sitePage(t, 0)}, {Tab: "1", Capture: sitePage(t, 1)}}
	ask := func(said string) *wire.Request {
		return &wire.Request{Messages: []wire.Message{{Role: "tool", Parts: []wire.Part{{Kind: wire.Result, Text: said}}}}}
	}
	got, how := Pair(ask("### Page\n- Page URL: https://shop.example/page/1\n- Page Title: Page 1\n"), pages)
	require.NotNil(t, got, "%+v", how)
	require.Equal(t, "1", got.Tab)
	got, how = Pair(ask("### Page\n- Page URL: https://shop.example/page/2\n- Page Title: Page 1\n"), pages)
	require.Nil(t, got, "%+v", how)
	got, how = Pair(ask("Go to https://shop.example/page/1 next"), pages)
	require.Nil(t, got, "an address that is only mentioned: %+v", how)
}

// TestPairByTheAddressOfAList: a list of few elements, with few words of the page, is about the page whose address its
// root has, and about none where an element of it is not there.
func TestPairByTheAddressOfAList(t *testing.T) {
	c := sitePage(t, 1)
	ask := func(url, button string) *wire.Request {
		return &wire.Request{Messages: []wire.Message{{Role: "tool", Parts: []wire.Part{{Kind: wire.Result, Text: "## Latest " +
			"page snapshot\nuid=1_0 RootWebArea url=\"" + url + "\"\n  uid=1_1 textbox required\n  uid=1_2 button \"" +
			button + "\"\n"}}}}}
	}
	pages := []Page{{Tab: "1", Capture: c}}
	got, how := Pair(ask(c.URL, "Choose blue spoon"), pages)
	require.NotNil(t, got, "%+v", how)
	got, how = Pair(ask(c.URL+"/other", "Choose blue spoon"), pages)
	require.Nil(t, got, "%+v", how)
	got, how = Pair(ask(c.URL, "Another"), pages)
	require.Nil(t, got, "%+v", how)
	got, how = Pair(ask(c.URL+"#spoons", "Choose blue spoon"), pages)
	require.NotNil(t, got, "%+v", how)

	// Of a long one most are enough, also where none of them is in view.
	for i := range c.Nodes {
		c.Nodes[i].InViewport = false
	}
	r := ask(c.URL, "Choose blue spoon")
	for i := range c.Nodes {
		if n := &c.Nodes[i]; n.Tag == "a" {
			r.Messages[0].Parts[0].Text += "  uid=2_" + fmt.Sprint(i) + ` link "` + cmp.Or(n.Name, n.Text) + "\"\n"
		}
	}
	got, how = Pair(r, pages)
	require.NotNil(t, got, "%+v", how)
	withheld := *c
	withheld.URL += "?page=1&token=[redacted]"
	got, how = Pair(ask(c.URL+"?page=1&token=1234", "Choose blue spoon"), []Page{{Tab: "1", Capture: &withheld}})
	require.NotNil(t, got, "%+v", how)
	elsewhere := &wire.Request{Messages: []wire.Message{{Role: "tool", Parts: []wire.Part{{Kind: wire.Result,
		Text: strings.Replace(r.Messages[0].Parts[0].Text, c.URL, c.URL+"?page=2", 1)}}}}}
	got, how = Pair(elsewhere, pages)
	require.Nil(t, got, "the same elements at another address: %+v", how)
	r.Messages[0].Parts[0].Text += "  uid=3_1 link \"Another page\"\n"
	got, how = Pair(r, pages)
	require.NotNil(t, got, "%+v", how)
	for k := range 3 {
		r.Messages[0].Parts[0].Text += fmt.Sprintf("  uid=3_%d link \"Other %d of another page\"\n", k+2, k)
	}
	got, how = Pair(r, pages)
	require.Nil(t, got, "%+v", how)
}

// Of two tabs with one address and the same texts that one is meant which has the agent's own refs.
func TestPairsTabsByRefs(t *testing.T) {
	tab := func(first int) *snapshot.Capture {
		c := sitePage(t, 1)
		c.Scroll.Y = float64(first) // another state
		for i := range c.Nodes {
			if n := &c.Nodes[i]; n.Tag == "a" {
				n.AgentRefs = map[string]string{snapshot.Playwright: fmt.Sprint("e", first+i)}
			}
		}
		return c
	}
	pages := []Page{{Tab: "1", Capture: tab(0)}, {Tab: "2", Capture: tab(1000)}}
	for _, p := range pages {
		list := "### Page\n- Page URL: " + p.Capture.URL + "\n### Snapshot\n```yaml\n"
		for i := range p.Capture.Nodes {
			if n := &p.Capture.Nodes[i]; n.Tag == "a" {
				list += fmt.Sprintf("- link %q [ref=%s]\n", cmp.Or(n.Name, n.Text), n.AgentRefs[snapshot.Playwright])
			}
		}
		ask := &wire.Request{Messages: []wire.Message{{Role: "tool", Parts: []wire.Part{{Kind: wire.Result, Text: list + "```\n"}}}}}
		got, how := Pair(ask, pages)
		require.NotNil(t, got, "%+v", how)
		require.Equal(t, p.Tab, got.Tab)
	}
}

// An address in the instructions is a sample, and says nothing against the page; one in a message does.
func TestAddressesInInstructions(t *testing.T) {
	page := sitePage(t, 1)
	words := make([]string, 0, len(page.Nodes))
	for _, n := range page.Nodes {
		words = append(words, n.Name, n.Text)
	}
	request := func(instructions, said string) *wire.Request {
		return &wire.Request{Messages: []wire.Message{
			{Role: "system", Parts: []wire.Part{{Kind: wire.Text, Text: instructions}}},
			{Role: "user", Parts: []wire.Part{{Kind: wire.Text, Text: said + "\n" + strings.Join(words, "\n")}}}}}
	}
	const sample = `For instance {"type": "Navigate", "url": "https://www.example.com"}`
	got, how := Pair(request(sample, ""), []Page{{Tab: "1", Capture: page}})
	require.NotNil(t, got, how.Why)
	got, how = Pair(request("", sample), []Page{{Tab: "1", Capture: page}})
	require.Nil(t, got)
	require.Equal(t, "the request names the address of another page", how.Why)
}

// What a tool gives as JSON is read as its texts are: a line break behind the page's address is none of the address.
func TestAddressesInJSON(t *testing.T) {
	page := sitePage(t, 1)
	told := "url: " + page.URL + "\n\n- heading \"Überschrift\" [level=1] [ref=e1]\n- button \"Next\" [ref=e2]"
	inJSON, err := json.Marshal(map[string]any{"success": true, "snapshot": told})
	require.NoError(t, err)
	twice, err := json.Marshal(map[string]string{"text": string(inJSON)})
	require.NoError(t, err)
	for _, said := range []string{told, string(inJSON), string(twice), "The tool answered: " + string(inJSON)} {
		words, _, err := newest(&wire.Request{Messages: []wire.Message{
			{Role: "tool", Parts: []wire.Part{{Kind: wire.Result, Text: said}}}}})
		require.NoError(t, err)
		require.Equal(t, []string{text.Letters(page.URL)}, words.addresses, said)
		require.Contains(t, words.all, text.Letters("Next"))
		require.Equal(t, !strings.HasPrefix(said, "The"), !strings.Contains(words.all, text.Letters(`\n- button`)), said)
	}
}

// TestPairsTheScreenBehindAZoom: a zoom shows a part of the screen, which is like many places: the picture before it
// tells the page.
func TestPairsTheScreenBehindAZoom(t *testing.T) {
	screen := image.NewGray(image.Rect(0, 0, 640, 400))
	draw.Draw(screen, screen.Rect, image.White, image.Point{}, draw.Src)
	for k := range 40 {
		at := image.Pt(k*97%600, k*53%380)
		draw.Draw(screen, image.Rectangle{at, at.Add(image.Pt(9+k%7*4, 5+k%5*3))}, image.Black, image.Point{}, draw.Src)
	}
	picture := func(img image.Image) []byte {
		var b bytes.Buffer
		require.NoError(t, png.Encode(&b, img))
		return b.Bytes()
	}
	c := sitePage(t, 1)
	c.Viewport = snapshot.Viewport{Width: 640, Height: 400, Scale: 1}
	part := picture(screen.SubImage(image.Rect(300, 200, 330, 220)))
	call := func(id, action string) wire.Message {
		return wire.Message{Role: "assistant", Parts: []wire.Part{{Kind: wire.Call, ID: id, Name: "computer",
			Arguments: json.RawMessage(fmt.Sprintf(`{"action":%q}`, action))}}}
	}
	shown := func(id string, data []byte) wire.Message {
		return wire.Message{Role: "user", Parts: []wire.Part{{Kind: wire.Image, ID: id, Data: data}}}
	}
	for action, paired := range map[string]bool{"zoom": true, "screenshot": false} {
		got, how := Pair(&wire.Request{Messages: []wire.Message{call("a", "screenshot"), shown("a", picture(screen)),
			call("b", action), shown("b", part)}}, []Page{{Tab: "1", Capture: c, Picture: picture(screen)}})
		require.Equal(t, paired, got != nil, "%s: %+v", action, how)
	}
}

// TestPairsWhatTheVendorHolds: a request that goes on from an answer by its ID, and holds no more than “ok”, is
// about the page of the messages that the vendor has; what is then typed into a field that those list is known to be secret.
func TestPairsWhatTheVendorHolds(t *testing.T) {
	c := sitePage(t, 1)
	d, err := format.Render(c, format.Aria, format.Options{})
	require.NoError(t, err)
	output, err := json.Marshal(d.Text + "\n- textbox \"Password\" [ref=77]\n")
	require.NoError(t, err)
	read := func(follows, items string) *wire.Request {
		r, err := wire.ReadRequest(wire.OpenAIResponses, []byte(fmt.Sprintf(`{"model":"m","instructions":"Go.",`+
			`"previous_response_id":%q,"input":[%s]}`, follows, items)))
		require.NoError(t, err)
		return r
	}
	answer := func(id, call, arguments string) *wire.Answer {
		return &wire.Answer{Dialect: wire.OpenAIResponses, ID: id, Calls: []wire.ToolCall{{ID: call, Name: "type",
			Arguments: json.RawMessage(arguments)}}}
	}
	var tap links
	tap.remember(read("", `{"role":"user","content":"Buy a kettle."}`), answer("r0", "c0", `{}`))
	first := tap.follow(read("r0", `{"type":"function_call_output","call_id":"c0","output":`+string(output)+`}`))
	tap.remember(first, answer("r1", "c1", `{"ref":"3","text":"Ada"}`))
	pages := []Page{{Tab: "1", Capture: c}}
	next := read("r1", `{"type":"function_call_output","call_id":"c1","output":"ok"}`)
	page, how := pairActed(next, nil, pages, "")
	require.Nil(t, page, "alone it says nothing: %+v", how)
	whole := tap.follow(next)
	page, how = pairActed(whole, nil, pages, "")
	require.NotNil(t, page, "%+v", how)
	var roles []string
	for _, m := range whole.Messages {
		roles = append(roles, m.Role)
	}
	require.Equal(t, []string{"system", "user", "assistant", "tool", "assistant", "tool"}, roles)
	for _, r := range []*wire.Request{whole, next} {
		typed := Typed(r, answer("r2", "c2", `{"ref":"77","text":"wild-horses-9"}`),
			observation.Known(observation.InMessages(r)), pages)
		require.Equal(t, r == whole, len(typed) > 0 && typed[0].Value == "wild-horses-9")
	}
	for _, field := range []string{`"conv7"`, `{"id":"conv7"}`} {
		said := func(words string) *wire.Request {
			r, err := wire.ReadRequest(wire.OpenAIResponses,
				[]byte(`{"model":"m","conversation":`+field+`,"input":"`+words+`"}`))
			require.NoError(t, err)
			return r
		}
		tap.remember(said("Buy a kettle."), answer("r7", "c7", `{}`))
		require.Equal(t, []string{"Buy a kettle.", "ok"}, tap.follow(said("ok")).Texts())
	}
	referred := tap.follow(read("", `{"type":"item_reference","id":"fc_1"},`+
		`{"type":"function_call_output","call_id":"c1","output":"ok"}`))
	require.Equal(t, []string{"Go.", "item fc_1", "ok"}, referred.Texts())
	require.Equal(t, "type", referred.Messages[1].Calls()[0].Name)
	said := func(follows, words string) *wire.Request {
		r, err := wire.ReadRequest(wire.Interactions,
			[]byte(`{"model":"m","previous_interaction_id":"`+follows+`","input":"`+words+`"}`))
		require.NoError(t, err)
		return r
	}
	tap.remember(said("", "Buy a pot."), &wire.Answer{Dialect: wire.Interactions, ID: "v1_a"})
	require.Equal(t, []string{"Buy a pot.", "ok"}, tap.follow(said("v1_a", "ok")).Texts())
	other := read("r9", `{"role":"user","content":"ok"}`)
	require.Same(t, other, tap.follow(other), "what came before did not go through the tap")
}

// TestWhatIsRememberedOfAConversationIsBounded: one that goes on and on leaves its newest messages.
func TestWhatIsRememberedOfAConversationIsBounded(t *testing.T) {
	var tap links
	for n := range 300 {
		r := tap.follow(&wire.Request{Dialect: wire.OpenAIResponses, Thread: "a", Messages: []wire.Message{{Role: "user",
			Parts: []wire.Part{{Kind: wire.Text, Text: fmt.Sprint(n, strings.Repeat(" Buy a kettle.", 10_000))}}}}})
		require.True(t, strings.HasPrefix(r.Texts()[len(r.Texts())-1], fmt.Sprint(n)))
		require.Greater(t, len(r.Messages), min(n, 10))
		require.LessOrEqual(t, len(strings.Join(r.Texts(), "")), maxLinkedTo/2)
		tap.remember(r, &wire.Answer{Text: "ok"})
	}
}

// TestWhatIsRememberedOfRequestsIsBounded: requests with much text leave the newest.
func TestWhatIsRememberedOfRequestsIsBounded(t *testing.T) {
	var tap links
	long := strings.Repeat("Buy a kettle. ", 300_000)
	for n := range 3 * maxLinks {
		words := "Go on."
		if n%maxLinks < 8 {
			words = long
		}
		tap.remember(&wire.Request{Dialect: wire.OpenAIResponses, Messages: []wire.Message{{Role: "user",
			Parts: []wire.Part{{Kind: wire.Text, Text: words}, {Kind: wire.Image, Data: []byte("picture")}}}}},
			&wire.Answer{ID: fmt.Sprint("r", n)})
		size := 0
		for _, l := range tap.list {
			size += len(strings.Join(l.asked.Texts(), ""))
			require.Empty(t, l.asked.Images())
		}
		require.LessOrEqual(t, size, maxLinkedTo)
		require.LessOrEqual(t, len(tap.list), maxLinks)
		require.Equal(t, fmt.Sprint("r", n), tap.list[len(tap.list)-1].answer.ID)
	}
}
