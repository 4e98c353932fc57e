package observation_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot/observation"
	"github.com/refscope/refscope/snapshot/wire"
)

var update = flag.Bool("update", false, "rewrite the goldens")

// The requests of testdata: one text each, all its lines, and none of the samples in the instructions.
func TestRequestsOfAgents(t *testing.T) {
	for name, c := range map[string]struct {
		dialect string
		format  observation.Format
	}{
		"playwright":    {wire.OpenAIChat, observation.Aria},
		"devtools":      {wire.OpenAIChat, observation.DevTools},
		"stagehand":     {wire.OpenAIResponses, observation.Stagehand},
		"page-agent":    {wire.OpenAIChat, observation.BrowserUse},
		"agent-browser": {wire.OpenAIChat, observation.AgentBrowser},
		"playwriter":    {wire.OpenAIChat, observation.Playwriter},
		"agent-tars":    {wire.OpenAIChat, observation.AgentTARS},
		"openator":      {wire.OpenAIChat, observation.BrowserUse},
	} {
		t.Run(name, func(t *testing.T) {
			body, err := os.ReadFile(filepath.Join("testdata", name+".json"))
			require.NoError(t, err)
			sections, err := wire.Sections(c.dialect, body)
			require.NoError(t, err)
			texts := observation.Find(sections)
			require.Len(t, texts, 1)
			require.Equal(t, c.format, texts[0].Format)
			require.False(t, texts[0].Guessed)
			var out strings.Builder
			for _, l := range texts[0].Lines {
				fmt.Fprintf(&out, "%s %s %q %q %v\n", l.Ref, l.Role, l.Name, l.Value, l.States)
			}
			golden := filepath.Join("testdata", name+".golden")
			if *update {
				require.NoError(t, os.WriteFile(golden, []byte(out.String()), 0o644))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			require.Equal(t, string(want), out.String())
		})
	}
}

// Each format by its own signature, in the spelling that its source prints; these were written by hand.
func TestFormats(t *testing.T) {
	for name, c := range map[string]struct {
		text   string
		format observation.Format
		want   []string // ref, role, name
	}{
		"browser-use, text below": {"[12]<button aria-label=Save />\n\t*[13]<a />\n\t\tTerms of use",
			observation.BrowserUse, []string{"12 button Save", "13 a Terms of use"}},
		"browser-use in Python: shadow trees, scrolling, parts of a field": {"[12]<button />\n\t*[13]<a />\n\t\tTerms\n" +
			"|SHADOW(open)|[14]<div role=group />\n\tOpen Shadow\n\t\t*|SCROLL[15]<div /> (0.0 pages above, 1.2 pages below)\n" +
			"\t\t\tOne\n\t\t\t|SCROLL|<ul />\n\tShadow End\n" +
			"[16]<input type=time compound_components=(name=Hours,role=spinbutton) placeholder=HH:MM />\n" +
			"[17]<svg aria-label=Logo /> <!-- SVG content collapsed -->", observation.BrowserUse,
			[]string{"12 button ", "13 a Terms", "14 div ", "15 div One", "16 input HH:MM", "17 svg Logo"}},
		"page-agent: text of several lines": {"[0]<div >One\nand two />\n[1]<a role=button>Three />\nFour", observation.BrowserUse,
			[]string{"0 div One and two", "1 a Three"}},
		"Nanobrowser's new ones": {"[0]<a >Home />\n*[1]*<button type=submit>Go />", observation.BrowserUse,
			[]string{"0 a Home", "1 button Go"}},
		"Playwright's plain values": {"- generic [ref=e1]: /home/\n- button \"Go\" [ref=e2]\n" +
			"- generic [ref=e3]: v \"w\"\n- generic [ref=e4]: \"a: b\"", observation.Aria,
			[]string{"e1 generic /home/", "e2 button Go", `e3 generic v "w"`, "e4 generic a: b"}},
		"DevTools' quotes and line breaks": {"uid=1_0 RootWebArea \"Shop\" url=\"http://a.example/\"\n" +
			"  uid=1_1 link \"Say \"Sorry. We\", followed by \"x\" here\" description=\"so \"it\" is\" url=\"/a\"\n" +
			"  uid=1_2 \"two\n lines\"\n  uid=1_3 textbox \"Note\" multiline value=\"a\nb \"c\" d\"\n" +
			"  uid=1_4 button \"C:\\new\" [selected in the DevTools Elements panel]\n" +
			"  uid=1_5 textbox \"Begins empty\" multiline value=\"\nso \"x\" ,\"\n  uid=1_6 button \"x=\"\n" +
			"  uid=1_7 button \"Cut\n" + strings.Repeat("what \" , follows\n", 3000), observation.DevTools,
			[]string{"1_0 RootWebArea Shop", `1_1 link Say "Sorry. We", followed by "x" here`,
				"1_2 StaticText two\n lines", "1_3 textbox Note", `1_4 button C:\new`, "1_5 textbox Begins empty",
				"1_6 button x=", "1_7 button "}},
		"Stagehand's files, flags and what scrolls": {"[0-1] RootWebArea: Shop\n  [0-4] input, file: Photo\n" +
			"  [0-5] input, file\n  [0-6] option [selected]\n  [0-7] checkbox: Whistle [checked]\n" +
			"  [0-8] scrollable, my-list\n  [0-9] scrollable\n  [0-10] button: Buy [2]: now", observation.Stagehand,
			[]string{"0-1 RootWebArea Shop", "0-4 input Photo", "0-5 input ", "0-6 option ", "0-7 checkbox Whistle",
				"0-8 my-list ", "0-9 scrollable ", "0-10 button Buy [2]: now"}},
		"HyperAgent": {"=== Frame 0 (Main) ===\n[0-4] link: Home\n  [1-9] button: Buy: now", observation.HyperAgent,
			[]string{"0-4 link Home", "1-9 button Buy: now"}},
		"Playwright's JSON": {`[{"role":"main","ref":"e1","children":[{"role":"button","name":"Save","disabled":true,"ref":"e2",` +
			`"cursor":"pointer","box":{"x":1,"y":2,"width":3,"height":4}},{"role":"text","text":"x"},` +
			`{"role":"link","ref":"f1e3","url":"/t","text":"Terms"}]}]`, observation.Aria,
			[]string{"e1 main ", "e2 button Save", "f1e3 link Terms"}},
		"BrowserGym's quotes and values": {"RootWebArea 'Shop'\n\t[a1] link 'It\\'s \"so\"'\n\t[a2] textbox \"Ada's\" value='x, y', " +
			"clickable, level=2\n\t[15] generic, clickable\n\t[a3] button 'Go'", observation.BrowserGym,
			[]string{`a1 link It's "so"`, "a2 textbox Ada's", "15 generic ", "a3 button Go"}},
		"Skyvern's ids with digits": {`<input type="text" id="AAA7"/><a href="/t" id="AAB0">Terms</a>`, observation.Skyvern,
			[]string{"AAA7 input ", "AAB0 a Terms"}},
		"browser-use's npm port": {"[0]<a href=/x>Home />\n[1]<input type=text id=q />",
			observation.BrowserUse, []string{"0 a Home", "1 input "}},
		"dddk": {"VIEWPORT: 1280x720\n[12]<button>Save</button>\n[13]<a>Terms</a>", observation.DDDK,
			[]string{"12 button Save", "13 a Terms"}},
		"BrowserGym's tree": {"RootWebArea 'Shop'\n\t[a12] button 'Save', clickable, visible\n\t[15] link 'Terms', visible",
			observation.BrowserGym, []string{"a12 button Save", "15 link Terms"}},
		"BrowserGym's HTML": {`<button bid="a12">Save</button><a bid="15" href="/t">Terms</a>`, observation.BrowserGym,
			[]string{"a12 button Save", "15 a Terms"}},
		"Agent-E": {`{"role":"WebArea","name":"Shop","children":[{"role":"button","name":"Save","mmid":"37"},` +
			`{"role":"link","name":"Terms","mmid":"41"}]}`, observation.AgentE, []string{"37 button Save", "41 link Terms"}},
		"Skyvern": {`<button id="AAAB">Save</button><a id="AAAC">Terms</a>`, observation.Skyvern,
			[]string{"AAAB button Save", "AAAC a Terms"}},
		"agent-browser": {"- button \"Save\" [ref=e1]\n- link \"Terms\" [ref=e2]", observation.Aria,
			[]string{"e1 button Save", "e2 link Terms"}},
		"agent-browser, roles of Chrome's tree and hints": {"- Iframe \"Pay\" [level=1, ref=e1]\n  - graphics-symbol [ref=e2] " +
			"clickable [cursor:pointer, onclick]\n  - combobox \"Size\" [expanded=false, ref=e3]: S\n- generic \"More\" " +
			"[ref=e4] focusable [tabindex]", observation.AgentBrowser,
			[]string{"e1 Iframe Pay", "e2 graphics-symbol ", "e3 combobox Size", "e4 generic More"}},
		"chrome-devtools-axi": {"refs: 2\nsnapshot:\nuid=g2:2_0 RootWebArea \"Shop\"\n  uid=g2:2_1 button \"Save\"",
			observation.DevTools, []string{"g2:2_0 RootWebArea Shop", "g2:2_1 button Save"}},
		"Agent TARS: names of several lines, and of no words": {"clickable elements(x):\n[]Vectors\n[0] [button] <button>One\n" +
			"two [1] it</button>\n[1] [email placeholder=\"A <b>\" id=\"m\"] <input>[placeholder: A <b>]</input>\n" +
			"[2] <div>Div</div>\n[3] [image alt=\"x [y] <z>\"] <img>x [y] <z></img>\n[4] [select] <select>[select]</select>",
			observation.AgentTARS, []string{"0 button One two [1] it", "1 input A <b>", "2 div Div", "3 img x [y] <z>", "4 select "}},
		"Openator, behind other words": {"CURRENT URL: http://a.test/\n\nELEMENTS: [1]__<a href=\"/a\" value=\"A \"b\"\">Go</a>\n" +
			"[]__<h1 >Shop</h1>\n[3]__<button ></button> that you can match: [4] is none", observation.BrowserUse,
			[]string{"1 a Go", "3 button "}},
		"Agent TARS: one element": {"clickable elements(Might be outdated):\n[0] [select id=\"s\"] <select>Pear</select>",
			observation.AgentTARS, []string{"0 select Pear"}},
		"a tool's answer in JSON": {`{"result":"- button \"Save\" [ref=e1]\n- link \"Terms\" [ref=e2]"}`, observation.Aria,
			[]string{"e1 button Save", "e2 link Terms"}},
		"lines of nobody's format": {"[1] button \"Save\"\n[2] link \"Terms\"", observation.Numbered,
			[]string{"1 button Save", "2 link Terms"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := observation.Read(c.text)
			require.NotNil(t, got)
			require.Equal(t, c.format, got.Format)
			require.Equal(t, c.format == observation.Numbered, got.Guessed)
			var lines []string
			for _, l := range got.Lines {
				lines = append(lines, l.Ref+" "+l.Role+" "+l.Name)
			}
			require.Equal(t, c.want, lines)
		})
	}
	for _, none := range []string{"", "Hello.", "A list:\n- one\n- two", `{"a":[1,2]}`, "[1] see the appendix",
		"Error: strict mode violation: locator('button') resolved to 2 elements:\n    1) <button id=\"al\">A</button> aka getByRole('button')\n",
		"Call log:\n  - waiting for locator('#go')\n    - locator resolved to <button id=\"go\">Go</button>\n",
		"  - <a href=\"/\">Shop</a> intercepts pointer events\n"} {
		require.Nil(t, observation.Read(none), none)
	}
}

// Chrome's tree is read for the texts that are made of it, and not for those whose refs the page holds.
func TestOfTree(t *testing.T) {
	for text, want := range map[string]bool{
		`uid=1_12 button \"Save\"`:                     true,
		`uid=g3:1_12 button \"Save\"`:                  true,
		`- heading \"Shop\" [level=1, ref=e1]`:         true,
		`- button \"Menu\" [expanded=false, ref=e2]`:   true,
		`- heading \"Shop\" [level=1] [ref=e1]`:        false,
		`- button \"Save\" [ref=e2] [cursor=pointer]:`: false,
		`[0-12] button: Save`:                          false,
	} {
		require.Equal(t, want, observation.OfTree.MatchString(text), text)
	}
}
