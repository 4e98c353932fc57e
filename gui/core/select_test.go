package core

import (
	"image"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
)

func TestCommands(t *testing.T) {
	list := New(Rooms(), Prefs{}, "", image.Point{}, []dump.Format{"dddk", "semantic"}, []string{"agent-interact"}, nil).Commands()
	ids, keys := map[string]bool{}, map[string]string{}
	menus := strings.Join(Menus(), " ")
	for _, c := range list {
		require.False(t, ids[c.ID], "id %s twice", c.ID)
		ids[c.ID] = true
		require.NotEmpty(t, c.Title)
		require.Contains(t, menus, c.Menu)
		require.NotNil(t, c.Enabled)
		if c.Key != "" {
			require.Empty(t, keys[c.Key], "%s and %s share a key", c.ID, keys[c.Key])
			keys[c.Key] = c.ID
		}
		for _, s := range []State{blank(), captured(t)} {
			if c.Checked != nil {
				c.Checked(s)
			}
			if c.Enabled(s) {
				require.NotNil(t, c.Msg(s), c.ID)
			}
		}
	}
	for key, id := range map[string]string{"Ctrl+R": CmdCapture, "Ctrl+L": "page.address", "Ctrl+E": CmdExport, "F5": CmdReload,
		"Alt+Left": CmdBack, "Alt+Right": CmdForward, "Ctrl+1": "format.dddk", "Ctrl+2": "format.semantic", "Ctrl+Q": "quit", "?": CmdHelp} {
		require.Equal(t, id, keys[key])
	}
}

func TestDisabledCommandsDoNothing(t *testing.T) {
	for _, c := range blank().Commands() {
		if s := blank(); !c.Enabled(s) {
			after, effects := step(s, CommandChosen{c.ID})
			require.Equal(t, s, after, c.ID)
			require.Empty(t, effects, c.ID)
		}
	}
}

func TestCommandsDispatch(t *testing.T) {
	s := captured(t)
	tests := []struct {
		id   string
		want Effect
	}{
		{"page.address", FocusAddress{}},
		{CmdCapture, Capture{5, "capture"}},
		{CmdReload, MoveTo{5, MoveReload}},
		{CmdTabs, ListTabs{Open: true}},
		{"zoom.fit", ZoomTo{ZoomFit}},
		{"quit", Quit{}},
		{CmdExportAll, AskPath{Export{Kind: ExportAll}, "turn-0001-export", true}},
		{CmdSessions, ListSessions{}},
		{"session.folder", AskSession{Folder: true}},
		{"session.file", AskSession{}},
		{CmdPayload, BuildPayload{s.Shown, PayloadChoice{Dialect: "agent-interact"}}},
		{"payload.next", BuildPayload{s.Shown, PayloadChoice{Dialect: "agent-interact"}}},
		{"payload.previous", BuildPayload{s.Shown, PayloadChoice{Dialect: "openai-chat"}}},
		{"export.dump.semantic", AskPath{Export{Kind: ExportDump, Format: "semantic"}, "turn-0001-semantic.json", false}},
		{"export.payload.agent-interact", AskPath{Export{Kind: ExportPayload, Dialect: "agent-interact"}, "turn-0001-payload-agent-interact.json", false}},
	}
	for _, tt := range tests {
		t.Run(tt.id, func(t *testing.T) {
			_, effects := step(s, CommandChosen{tt.id})
			require.Equal(t, []Effect{tt.want}, effects)
		})
	}
}

func TestEmptySentences(t *testing.T) {
	for name, s := range map[string]State{
		"before anything": blank(),
		"starting":        begun(t, ""),
		"no chrome": func() State {
			s, _ := step(begun(t, ""), SessionOpened{Task: 1}, BrowserStarted{Task: 2, Problem: &Problem{Sentence: "No Chrome."}})
			return s
		}(),
		"ready": working(t),
	} {
		t.Run(name, func(t *testing.T) {
			require.NotEmpty(t, s.Shot().Empty)
			require.NotEmpty(t, s.Dump().Empty)
			require.NotEmpty(t, s.Details().Empty)
			require.NotEmpty(t, s.Turns().Empty)
		})
	}
	require.NotEmpty(t, captured(t).Details().Empty, "nothing selected")
	require.Empty(t, captured(t).Turns().Empty)
}

func TestStatus(t *testing.T) {
	s, _ := step(captured(t), Rendered{Turn: 1, Doc: NewDoc(capture(), &dump.Document{Format: "dddk", Text: strings.Repeat("é", 1234)})})
	v := s.Status()
	text := func(items []StatusItem) string {
		var b []string
		for _, i := range items {
			b = append(b, i.Text)
		}
		return strings.Join(b, " | ")
	}
	require.Equal(t, "● one moment | capture 0 ms · picture 0 ms | kept 3 · hidden 1 | covered 1 | dddk 1,234 characters · about 309 tokens", text(v.Left))
	require.Equal(t, "Chrome 156 | turn 1 of 1 | session window", text(v.Right))

	torn := turnOf(2)
	torn.Capture.Moment = snapshot.Moment{Torn: true, MutationsDuring: 2}
	s, _ = step(s, CaptureAsked{}, Captured{Task: 5, Turn: torn}, BrowserGone{})
	require.Equal(t, StatusItem{"● torn: 2 changes while it was read", ToneWarn}, s.Status().Left[0])
	require.Equal(t, StatusItem{"Chrome is not running", ToneWarn}, s.Status().Right[0])
}

func TestDetails(t *testing.T) {
	s, _ := step(captured(t), Picked{Ref: 2, Source: PaneDump})
	v := s.Details()
	require.Equal(t, 2, v.Ref)
	require.Equal(t, "button “Buy”", v.Title)
	rows := map[string]string{}
	for _, r := range v.Rows {
		rows[r.Label] = r.Value
	}
	require.Equal(t, "native control", rows["kept because"])
	require.Equal(t, "10, 60 · 60 × 20", rows["box"])
	require.Equal(t, "40 % seen · 20 % reached by a click", rows["visible"])
	require.Equal(t, "3 region “Cookies”", rows["covered by"])
	require.Equal(t, DetailNote{"Covered: 1 of 2 points hit 3 region “Cookies”. 40 % of it can be seen. A click at its click point does not arrive.", ToneBad}, v.Note)
	require.Equal(t, "selector", v.Copies[0].Label)
	require.Equal(t, "html > button:nth-child(2)", v.Copies[0].Text)
}

// TestDetailsUnderGlass: what a click passes through hides an element from a person all
// the same.
func TestDetailsUnderGlass(t *testing.T) {
	s := captured(t)
	o := s.Shown.Capture.Nodes[2].Occlusion
	o.State, o.HitShare, o.ClickThrough = snapshot.Clear, 1, true
	s, _ = step(s, Picked{Ref: 2, Source: PaneDump})
	require.Equal(t, DetailNote{"Under glass: 3 region “Cookies” lies over it and lets clicks pass. 40 % of it can be seen; a click at its click point arrives.", ToneWarn}, s.Details().Note)
}

func TestDetailsAreSafeToShow(t *testing.T) {
	s := captured(t)
	n := &s.Shown.Capture.Nodes[2]
	n.Name = "pay\u202eevil\nnow\x00" + strings.Repeat("x", 5000)
	n.Value, n.Redacted = "", []string{"value"}
	s, _ = step(s, Picked{Ref: 2, Source: PaneDump})
	v := s.Details()
	for _, r := range append(v.Rows, DetailRow{Value: v.Title}) {
		require.NotContains(t, r.Value, "\u202e")
		require.NotContains(t, r.Value, "\n")
		require.LessOrEqual(t, len([]rune(r.Value)), 600)
	}
}

func TestPlain(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"plain", "Add to cart", "Add to cart"},
		{"white space", "  a\n\tb  c ", "a b c"},
		{"controls", "a\x00\x1bb", `a\u0000\u001bb`},
		{"direction", "a\u202eb\u2066c\u200f", `a\u202eb\u2066c\u200f`},
		{"broken bytes", "a\xffb", `a\xffb`},
		{"emoji and joiners stay", "👩\u200d🔧 é 日本", "👩\u200d🔧 é 日本"},
		{"cut", "abcdefghijk", "abcdefghij…"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { require.Equal(t, tt.want, Plain(tt.in, limitOf(tt.name))) })
	}
}

func limitOf(name string) int {
	if name == "cut" {
		return 10
	}
	return 0
}

func FuzzPlain(f *testing.F) {
	for _, s := range []string{"", "a b", "\u202e", "\xff\xfe", "a\r\nb", strings.Repeat("é ", 50)} {
		f.Add(s, 20)
	}
	f.Fuzz(func(t *testing.T, s string, limit int) {
		limit = limit % 1000
		got := Plain(s, limit)
		for _, r := range got {
			if r < ' ' || r == 0x7f || r >= 0x80 && r <= 0x9f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0x2028 || r == 0x2029 {
				t.Fatalf("%q lets %U through", s, r)
			}
		}
		if limit > 0 && len([]rune(got)) > limit+1 {
			t.Fatalf("%q is longer than %d", got, limit)
		}
	})
}

func TestFileNamesHoldNothingOfAPage(t *testing.T) {
	for _, e := range AllExports([]dump.Format{"dddk", "semantic"}, []string{"agent-interact", "openai-chat"}) {
		name := FileName(12, e)
		require.Regexp(t, `^turn-0012-[a-z0-9-]+\.(png|json|txt)$`, name)
	}
}
