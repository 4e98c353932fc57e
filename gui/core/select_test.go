package core_test

import (
	"image"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/app"
	"github.com/refscope/refscope/gui/app/apptest"
	"github.com/refscope/refscope/gui/changes"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/details"
	"github.com/refscope/refscope/gui/export"
	"github.com/refscope/refscope/gui/payload"
	"github.com/refscope/refscope/gui/picture"
	"github.com/refscope/refscope/gui/sessions"
	"github.com/refscope/refscope/gui/text"
	"github.com/refscope/refscope/gui/timeline"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
)

func TestCommands(t *testing.T) {
	list := core.New(app.Rooms(), core.Prefs{}, "", image.Point{}, []dump.Format{"dddk", "semantic"},
		[]string{"agent-interact"}, nil).Commands()
	ids, keys := map[string]bool{}, map[string]string{}
	menus := strings.Join(core.Menus(), " ")
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
		for _, s := range []core.State{apptest.Blank(), apptest.Captured(t)} {
			if c.Checked != nil {
				c.Checked(s)
			}
			if c.Enabled(s) {
				require.NotNil(t, c.Msg(s), c.ID)
			}
		}
	}
	for key, id := range map[string]string{"Ctrl+R": core.CmdCapture, "Ctrl+L": "page.address",
		"Ctrl+E": core.CmdExport, "F5": core.CmdReload,
		"Alt+Left": core.CmdBack, "Alt+Right": core.CmdForward, "Ctrl+1": "format.dddk", "Ctrl+2": "format.semantic",
		"Ctrl+Q": "quit", "?": core.CmdHelp} {
		require.Equal(t, id, keys[key])
	}
}

func TestDisabledCommandsDoNothing(t *testing.T) {
	for _, c := range apptest.Blank().Commands() {
		if s := apptest.Blank(); !c.Enabled(s) {
			after, effects := apptest.Step(s, core.CommandChosen{ID: c.ID})
			require.Equal(t, s, after, c.ID)
			require.Empty(t, effects, c.ID)
		}
	}
}

func TestCommandsDispatch(t *testing.T) {
	s := apptest.Captured(t)
	tests := []struct {
		id   string
		want core.Effect
	}{
		{"page.address", core.FocusAddress{}},
		{core.CmdCapture, core.Capture{Task: 5, Action: "capture"}},
		{core.CmdReload, core.MoveTo{Task: 5, Move: core.MoveReload}},
		{core.CmdTabs, core.ListTabs{Open: true}},
		{"zoom.fit", picture.ZoomTo{Zoom: picture.ZoomFit}},
		{"quit", core.Quit{}},
		{export.CmdExportAll, export.AskPath{Export: export.Export{Kind: export.ExportAll}, Name: "turn-0001-export",
			Folder: true}},
		{core.CmdSessions, sessions.List{}},
		{"session.folder", core.AskSession{Folder: true}},
		{"session.file", core.AskSession{}},
		{payload.CmdPayload, payload.Build{Turn: s.Current, Choice: core.PayloadChoice{Dialect: "agent-interact"}}},
		{"payload.next", payload.Build{Turn: s.Current, Choice: core.PayloadChoice{Dialect: "agent-interact"}}},
		{"payload.previous", payload.Build{Turn: s.Current, Choice: core.PayloadChoice{Dialect: "openai-chat"}}},
		{"export.dump.semantic", export.AskPath{Export: export.Export{Kind: export.ExportDump, Format: "semantic"},
			Name: "turn-0001-semantic.json", Folder: false}},
		{"export.payload.agent-interact",
			export.AskPath{Export: export.Export{Kind: export.ExportPayload, Dialect: "agent-interact"},
				Name: "turn-0001-payload-agent-interact.json", Folder: false}},
	}
	for _, tt := range tests {
		t.Run(tt.id, func(t *testing.T) {
			_, effects := apptest.Step(s, core.CommandChosen{ID: tt.id})
			require.Equal(t, []core.Effect{tt.want}, effects)
		})
	}
}

// TestUncapturedTab: before the first capture, the picture's place names the page that the tab in use shows.
func TestUncapturedTab(t *testing.T) {
	const begin = "Nothing captured yet. Enter an address above to begin."
	shop := core.Tab{ID: "1", URL: "https://shop.example/", Title: "Shop"}
	for _, tt := range []struct {
		name  string
		phase core.Phase
		tabs  []core.Tab
		mine  bool
		want  string
	}{
		{"attached", core.PhaseReady, []core.Tab{shop}, false,
			"The tab “Shop” is attached and not captured yet. Ctrl+R captures it."},
		{"own", core.PhaseReady, []core.Tab{shop}, true,
			"The tab “Shop” is open and not captured yet. Ctrl+R captures it."},
		{"no title", core.PhaseReady, []core.Tab{{ID: "1", URL: shop.URL}}, false,
			"The tab “https://shop.example/” is attached and not captured yet. Ctrl+R captures it."},
		{"blank", core.PhaseReady, []core.Tab{{ID: "1", URL: "about:blank"}}, false, begin},
		{"another tab", core.PhaseReady, []core.Tab{{ID: "2", URL: shop.URL}}, false, begin},
		{"off", core.PhaseOff, []core.Tab{shop}, true, begin},
		{"gone", core.PhaseGone, []core.Tab{shop}, false, "Chrome is not running. The button above starts it."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := apptest.Working(t)
			s.Tasks, s.Browser = nil, core.Browser{Phase: tt.phase, Tabs: tt.tabs, Tab: "1", Attached: !tt.mine}
			require.Equal(t, tt.want, picture.ViewOf(s).Empty)
		})
	}
}

// TestNoPicture: the place of a picture says why there is none, and not where something else is, which may be out of
// view.
func TestNoPicture(t *testing.T) {
	s := apptest.Captured(t)
	without := *s.Current
	without.Pyramid, without.Image = nil, nil
	s.Current = &without
	require.Equal(t, "This turn has no picture.", picture.ViewOf(s).Empty)
	without.Lacks = []string{"it is damaged: its picture: its content does not have the hash of its name"}
	require.Equal(t, "This turn has no picture.\nMissing: "+without.Lacks[0], picture.ViewOf(s).Empty)
	without.Capture = &snapshot.Capture{}
	without.Lacks = []string{"no page is paired: " + strings.Repeat("long ", 100)}
	require.Regexp(t, `^No page is paired: .{200,}long…$`, picture.ViewOf(s).Empty, "one mark ends it")
}

// TestNoTurns: the list of turns says why it is empty.
func TestNoTurns(t *testing.T) {
	for want, session := range map[string]core.Session{
		"Opening the session…":              {Phase: core.PhaseStarting},
		"This session has no turns yet.":    {Phase: core.PhaseReady, ReadOnly: true},
		"Each capture becomes a turn here.": {Phase: core.PhaseReady},
	} {
		s := apptest.Blank()
		s.Session = session
		require.Equal(t, want, timeline.ViewOf(s).Empty)
	}
}

func TestEmptySentences(t *testing.T) {
	for name, s := range map[string]core.State{
		"before anything": apptest.Blank(),
		"starting":        apptest.Begun(t, ""),
		"no chrome": func() core.State {
			s, _ := apptest.Step(apptest.Begun(t, ""), core.SessionOpened{Task: 1},
				core.BrowserStarted{Task: 2, Problem: &core.Problem{Sentence: "No Chrome."}})
			return s
		}(),
		"ready": apptest.Working(t),
	} {
		t.Run(name, func(t *testing.T) {
			require.NotEmpty(t, picture.ViewOf(s).Empty)
			require.NotEmpty(t, text.ViewOf(s).Empty)
			require.NotEmpty(t, details.ViewOf(s).Empty)
			require.NotEmpty(t, timeline.ViewOf(s).Empty)
		})
	}
	for _, tt := range []struct {
		session     core.Session
		empty, hint string
	}{
		{core.Session{ReadOnly: true, Damaged: []core.Damage{{N: 1, Why: "x"}, {N: 2, Why: "y"}}},
			"No turn of this session can be read. Choose one in the list of turns to see why.",
			"The session has no other turns."},
		{core.Session{ReadOnly: true}, "This session has no turns yet.", ""},
		{core.Session{ReadOnly: true, Turns: []core.TurnRow{{N: 1}}, Damaged: []core.Damage{{N: 2}, {N: 3}}},
			"No turn is in view. Choose one in the list of turns.", "1 turn is intact."},
	} {
		for _, chrome := range []*core.Problem{nil, {Sentence: "No Chrome."}} { // nobody waits for it
			s, _ := apptest.Step(apptest.Begun(t, ""), core.BrowserStarted{Task: 2, Problem: chrome},
				core.SessionOpened{Task: 1, Session: tt.session})
			s.PendingTurn, s.Tasks = 0, nil
			require.Equal(t, tt.empty, picture.ViewOf(s).Empty)
			require.Equal(t, tt.empty, text.ViewOf(s).Empty)
			if s, _ = apptest.Step(s, core.DamageChosen{}); tt.hint != "" {
				require.Equal(t, tt.hint, s.Notice.Hint)
			}
		}
	}
	opening := apptest.Working(t)
	opening.PendingTurn = 7
	require.Equal(t, "Opening turn 7…", picture.ViewOf(opening).Empty, "something was captured")
	require.NotEmpty(t, details.ViewOf(apptest.Captured(t)).Empty, "nothing selected")
	require.Empty(t, timeline.ViewOf(apptest.Captured(t)).Empty)
}

func TestStatus(t *testing.T) {
	s, _ := apptest.Step(apptest.Captured(t),
		core.Rendered{Turn: 1, Doc: core.NewDoc(apptest.Capture(),
			&dump.Document{Format: "dddk", Text: strings.Repeat("é", 1234)}, func(string) int { return 309 })})
	v := app.Status(s)
	text := func(items []core.StatusItem) string {
		var b []string
		for _, i := range items {
			b = append(b, i.Text)
		}
		return strings.Join(b, " | ")
	}
	require.Equal(t, "● Text and picture match | 3 kept · 1 hidden | 1 covered | dddk 309 tokens (o200k)", text(v.Left))
	require.Equal(t, "Chrome 156 | Turn 1 of 1 | Session window", text(v.Right))

	torn := apptest.TurnOf(2)
	torn.Capture.Moment = snapshot.Moment{Torn: true, MutationsDuring: 2}
	s, _ = apptest.Step(s, core.CaptureAsked{}, core.Captured{Task: 5, Turn: torn}, core.BrowserGone{})
	require.Equal(t, core.StatusItem{Text: "● Page changed while it was read: 2 changes", Tone: core.ToneWarn},
		app.Status(s).Left[0])
	require.Equal(t, core.StatusItem{Text: "Chrome is not running", Tone: core.ToneWarn}, app.Status(s).Right[0])
}

func TestDetails(t *testing.T) {
	s, _ := apptest.Step(apptest.Captured(t), core.Picked{Ref: 2, Source: core.PaneDump})
	v := details.ViewOf(s)
	require.Equal(t, 2, v.Ref)
	require.Equal(t, "button “Buy”", v.Title)
	rows := map[string]string{}
	for _, r := range v.Rows {
		rows[r.Label] = r.Value
	}
	require.Equal(t, "native control", rows["kept because"])
	require.Equal(t, "10, 60 · 60 × 20", rows["box"])
	require.Equal(t, "40 % seen · 20 % clickable", rows["visible"])
	require.Equal(t, "3 region “Cookies”", rows["covered by"])
	require.Equal(t, details.Note{
		Text: "Covered: 1 of 2 points hit 3 region “Cookies”. 40 % of it is visible. Clicks are blocked.",
		Tone: core.ToneBad}, v.Note)
	require.Equal(t, "Copy selector", v.Copies[0].Label)
	require.Equal(t, "html > button:nth-child(2)", v.Copies[0].Text)
}

// TestDetailsUnderGlass: what a click passes through hides an element from a person all
// the same.
func TestDetailsUnderGlass(t *testing.T) {
	s := apptest.Captured(t)
	o := s.Current.Capture.Nodes[2].Occlusion
	o.State, o.HitShare, o.ClickThrough = snapshot.Clear, 1, true
	s, _ = apptest.Step(s, core.Picked{Ref: 2, Source: core.PaneDump})
	require.Equal(t, details.Note{
		Text: "Overlaid: 3 region “Cookies” lies over it and lets clicks pass. 40 % of it is visible; clicks work.",
		Tone: core.ToneWarn}, details.ViewOf(s).Note)
}

func TestDetailsAreSafeToShow(t *testing.T) {
	s := apptest.Captured(t)
	n := &s.Current.Capture.Nodes[2]
	n.Name = "pay\u202eevil\nnow\x00" + strings.Repeat("x", 5000)
	n.Value, n.Redacted = "", []string{"value"}
	s, _ = apptest.Step(s, core.Picked{Ref: 2, Source: core.PaneDump})
	v := details.ViewOf(s)
	for _, r := range append(v.Rows, details.Row{Value: v.Title}) {
		require.NotContains(t, r.Value, "\u202e")
		require.NotContains(t, r.Value, "\n")
		require.LessOrEqual(t, len([]rune(r.Value)), 600)
	}
}

func TestFileNamesHoldNothingOfAPage(t *testing.T) {
	for _, e := range export.AllExports([]dump.Format{"dddk", "semantic"}, []string{"agent-interact", "openai-chat"}) {
		name := export.FileName(12, e)
		require.Regexp(t, `^turn-0012-[a-z0-9-]+\.(png|json|txt)$`, name)
	}
}

// TestStartShowsItsSteps from the first frame on: Chrome, page and capture, and where it is.
func TestStartShowsItsSteps(t *testing.T) {
	tone := func(s core.State) (out [3]core.Tone) {
		for i, step := range picture.ViewOf(s).Start {
			out[i] = step.Tone
		}
		return out
	}
	s := apptest.Begun(t, "")
	require.Equal(t, [3]core.Tone{core.ToneNormal, core.ToneMuted, core.ToneMuted}, tone(s))
	s, _ = apptest.Step(s, core.Progressed(2, "waiting for it to answer"))
	require.Equal(t, "Starting Chrome… waiting for it to answer", picture.ViewOf(s).Start[0].Text)
	s = apptest.Working(t)
	require.Equal(t, [3]core.Tone{core.ToneGood, core.ToneNormal, core.ToneMuted}, tone(s))
	require.Contains(t, picture.ViewOf(s).Start[1].Text, "Opening ")
	s, _ = apptest.Step(s, core.Navigated{Task: 3, Tab: core.Tab{ID: "A", URL: apptest.DemoURL}, Action: "goto"},
		core.Progressed(4, "reading the page"))
	require.Equal(t, [3]core.Tone{core.ToneGood, core.ToneGood, core.ToneNormal}, tone(s))
	require.Equal(t, "Capturing the page… reading the page", picture.ViewOf(s).Start[2].Text)
	require.Zero(t, picture.ViewOf(apptest.Captured(t)).Start, "there is a picture")
}

// TestHoverGoesWithItsSide: the pointer is over a row of a side that is put away by a key.
func TestHoverGoesWithItsSide(t *testing.T) {
	s, _ := apptest.Step(apptest.Captured(t), core.Hovered{Ref: 2, Source: core.PaneDump})
	require.Equal(t, 2, s.Hover.Ref)
	same, _ := apptest.Step(s, core.SideChosen(core.SideText))
	require.Equal(t, 2, same.Hover.Ref, "the side stays")
	s, _ = apptest.Step(s, core.SideChosen(changes.Side))
	require.Zero(t, s.Hover.Ref)

	s, _ = apptest.Step(s, core.Hovered{Ref: 2, Source: core.PanePicture}, core.SideChosen(core.SideText))
	require.Equal(t, 2, s.Hover.Ref, "the picture stays")
}
