package steps_test

import (
	"image"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/app/apptest"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/details"
	"github.com/refscope/refscope/gui/device"
	"github.com/refscope/refscope/gui/picture"
	"github.com/refscope/refscope/gui/steps"
	"github.com/refscope/refscope/snapshot"
)

// console has the console out, with a draft that was checked.
func console(t *testing.T, draft string, check steps.StepsCheck) core.State {
	t.Helper()
	s, effects := apptest.Step(apptest.Captured(t), steps.StepsToggled())
	require.Equal(t, steps.Drawer, s.Drawer)
	require.Equal(t, []core.Effect{steps.CheckSteps{Seq: 1, Tab: "A", Turn: s.Current}, steps.FocusSteps{}}, effects)
	s, effects = apptest.Step(s, steps.StepsEdited{Text: draft, Caret: len(draft)})
	require.Equal(t, []core.Effect{steps.CheckSteps{Seq: 2, Text: draft, Caret: len(draft), Tab: "A", Turn: s.Current}},
		effects)
	check.Seq = 2
	s, effects = apptest.Step(s, steps.StepsChecked(check))
	require.Empty(t, effects)
	return s
}

const clickBuy = `{"click":"e2"}`

func TestStepsRun(t *testing.T) {
	tests := []struct {
		name    string
		draft   string
		check   steps.StepsCheck
		change  func(*core.State)
		effects []core.Effect
		notice  string
	}{
		{"it runs", clickBuy, steps.StepsCheck{Steps: 1}, nil,
			[]core.Effect{steps.RunSteps{Task: 5, Text: clickBuy, Console: true}}, ""},
		{"it is not checked yet: the engine says what is wrong", clickBuy, steps.StepsCheck{}, func(s *core.State) {
			core.Edit[steps.Model](s).Console.Seq++
		}, []core.Effect{steps.RunSteps{Task: 5, Text: clickBuy, Console: true}}, ""},
		{"nothing is written", "", steps.StepsCheck{}, nil, nil, ""},
		{"a mistake", `{"clik":1}`, steps.StepsCheck{Problem: `unknown step "clik"`, Line: 1, Column: 2}, nil, nil,
			"The steps were not run: unknown step \"clik\"."},
		{"too long", strings.Repeat(" ", steps.MaxDraft) + clickBuy, steps.StepsCheck{}, nil, nil, "at most 1,048,576"},
		{"read only", clickBuy, steps.StepsCheck{Steps: 1}, func(s *core.State) { s.Session.ReadOnly = true }, nil,
			"read only"},
		{"no browser", clickBuy, steps.StepsCheck{Steps: 1}, func(s *core.State) { s.Browser.Phase = core.PhaseGone },
			nil, "Chrome is not running."},
		{"a capture runs", clickBuy, steps.StepsCheck{Steps: 1}, func(s *core.State) {
			s.StartTask(core.TaskCapture, "x")
		}, nil, "A capture is running."},
		{"steps run", clickBuy, steps.StepsCheck{Steps: 1}, func(s *core.State) { s.StartTask(core.TaskSteps, "x") },
			nil, "Steps are running in the tab."},
		{"a session is being opened", clickBuy, steps.StepsCheck{Steps: 1}, func(s *core.State) {
			s.StartTask(core.TaskSession, "x")
		}, nil, "A session is being opened."},
		{"a page that loads gives way", clickBuy, steps.StepsCheck{Steps: 1}, func(s *core.State) {
			s.StartTask(core.TaskNavigate, "x")
		}, []core.Effect{core.Cancel{Task: 5}, steps.RunSteps{Task: 6, Text: clickBuy, Console: true}}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := apptest.Captured(t)
			if tt.draft != "" {
				s = console(t, tt.draft, tt.check)
			}
			if tt.change != nil {
				tt.change(&s)
			}
			s.Notice = nil
			s, effects := apptest.Step(s, steps.StepsRunAsked())
			require.Equal(t, tt.effects, effects)
			if tt.notice == "" {
				require.Nil(t, s.Notice)
				return
			}
			require.NotNil(t, s.Notice)
			require.Contains(t, s.Notice.Text, tt.notice)
		})
	}
}

// ranTurn is a turn that a run made.
func ranTurn(n int) *core.Turn {
	t := apptest.TurnOf(n)
	t.StepsText, t.Answered, t.AnswerOK = clickBuy, core.NewAnswer([]byte(`{"status":"ok"}`)), true
	return t
}

// well is a run of which every step went well.
var well = steps.Ran{StepsRun: steps.StepsRun{OK: true}}

func TestStepsRan(t *testing.T) {
	at := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	started := func(t *testing.T) core.State {
		s, effects := apptest.Step(console(t, clickBuy, steps.StepsCheck{Steps: 1}), steps.StepsRunAsked())
		require.Len(t, effects, 1)
		require.Equal(t, "Running the steps", s.Busy().Sentence)
		return s
	}
	t.Run("a turn", func(t *testing.T) {
		made := ranTurn(2)
		run := steps.StepsRun{Text: clickBuy, Sealed: clickBuy, Words: "click", OK: true, At: at}
		s, _ := apptest.Step(started(t), steps.StepsRan{Task: 5, Console: true, Answer: made.Answered, Turn: made,
			Ran: steps.Ran{StepsRun: run}})
		require.Same(t, made, s.Current)
		require.Len(t, s.Session.Turns, 2)
		require.Equal(t, []steps.StepsRun{{Text: clickBuy, Sealed: clickBuy, Words: "click", OK: true, N: 2,
			At: at}}, steps.Of(s).Console.Runs)
		v := steps.ViewOf(s)
		require.Equal(t, `{"status":"ok"}`, v.Bytes)
		require.Equal(t, "ok", v.Facts[0].Text)
		require.Equal(t, "turn 2", v.Facts[1].Text)
		require.True(t, v.CanTake)
		require.Nil(t, s.Busy())
		require.Equal(t, []steps.StepsLine{{Index: 1, Text: "ok 12:00:00  click  · turn 2"}},
			steps.StepsHistory(s, time.UTC))
	})
	t.Run("an answer without a turn stays until another turn is shown", func(t *testing.T) {
		s, _ := apptest.Step(started(t), steps.StepsRan{Task: 5, Answer: core.NewAnswer([]byte(`{"status":"error"}`)),
			Ran: steps.Ran{StepsRun: steps.StepsRun{Text: clickBuy, Sealed: clickBuy, Words: "click", At: at},
				Failed: "click failed: it is\nhidden"}})
		require.Equal(t, 1, s.Current.N)
		require.Equal(t, "no turn recorded", steps.ViewOf(s).Facts[1].Text)
		require.Equal(t, "error", steps.ViewOf(s).Facts[0].Text)
		require.Equal(t, "Click failed: it is hidden", s.Notice.Text)
		s, _ = s.Show(apptest.TurnOf(2))
		require.Empty(t, steps.ViewOf(s).Bytes)
	})
	t.Run("a page that could not be read after the steps is told", func(t *testing.T) {
		ran := steps.Ran{StepsRun: steps.StepsRun{Text: clickBuy, Sealed: clickBuy, Words: "click", OK: true, At: at},
			Unread: "the page could not be read after the steps: the tab does not paint"}
		ok := core.NewAnswer([]byte(`{"status":"ok"}`))
		s, _ := apptest.Step(started(t), steps.StepsRan{Task: 5, Answer: ok, Ran: ran})
		require.Equal(t, 1, s.Current.N)
		require.Equal(t, "The steps were run, and no turn was recorded: the page could not be read after the steps: "+
			"the tab does not paint.", s.Notice.Text)
		require.Equal(t, core.CmdCapture, s.Notice.Command)
		ran.Page = &steps.PageDialog{Type: "confirm"}
		s, _ = apptest.Step(started(t), steps.StepsRan{Task: 5, Answer: ok, Ran: ran})
		require.Nil(t, s.Notice, "the dialog that it waits for is in view")
	})
	t.Run("typed text is not saved", func(t *testing.T) {
		sealed := `{"fill":{"ref":"e2","value":"[7 characters]"}}`
		made := ranTurn(2)
		s, _ := apptest.Step(started(t), steps.StepsRan{Task: 5, Console: true, Answer: made.Answered, Turn: made,
			Ran: steps.Ran{StepsRun: steps.StepsRun{Sealed: sealed, Words: "fill", OK: true, At: at}}})
		require.Equal(t, sealed, steps.Of(s).Console.Text, "nor does it stay in the editor")
		require.Contains(t, steps.StepsHistory(s, time.UTC)[0].Text, "not saved")
		s, _ = apptest.Step(s, steps.StepsRecalled{By: -1})
		require.Equal(t, sealed, steps.Of(s).Console.Text)
		require.Contains(t, s.Notice.Text, "not saved")
	})
	t.Run("stopped", func(t *testing.T) {
		s, effects := apptest.Step(started(t), core.CancelAsked(5))
		require.Equal(t, []core.Effect{core.Cancel{Task: 5}}, effects)
		s, _ = apptest.Step(s, steps.StepsRan{Task: 5, Problem: &core.Problem{Canceled: true}})
		require.Contains(t, s.Notice.Text, "stopped")
		require.Empty(t, steps.Of(s).Console.Runs)
		s, _ = apptest.Step(s, steps.StepsRan{Task: 5, Ran: well}) // of a task that is not there
		require.Empty(t, steps.Of(s).Console.Runs)
	})
}

func TestStepsHistory(t *testing.T) {
	s := console(t, "draft", steps.StepsCheck{Problem: "x"})
	for _, text := range []string{"one", "two"} {
		core.Edit[steps.Model](&s).Console.Runs = append(steps.Of(s).Console.Runs, steps.StepsRun{Text: text})
	}
	texts := func(by ...int) (out []string) {
		for _, b := range by {
			s, _ = apptest.Step(s, steps.StepsRecalled{By: b})
			out = append(out, steps.Of(s).Console.Text)
		}
		return out
	}
	require.Equal(t, []string{"two", "one", "one", "two", "draft", "draft"}, texts(-1, -1, -1, 1, 1, 1))
	v := steps.Of(s).Console.Version
	s, _ = apptest.Step(s, steps.StepsPicked(1))
	require.Equal(t, "one", steps.Of(s).Console.Text)
	require.Greater(t, steps.Of(s).Console.Version, v, "the editor takes it over")
	s, _ = apptest.Step(s, steps.StepsPicked(3), steps.StepsPicked(0))
	require.Equal(t, "one", steps.Of(s).Console.Text)
	s, _ = apptest.Step(s, steps.StepsEdited{Text: "one!", Caret: 4})
	require.Zero(t, steps.Of(s).Console.Recalled, "it is a draft again")
}

// TestWhatWasWrittenAndNotRunIsNotLost: a draft that gives way to another text is in the history, and the window asks
// before it closes over one. What was run, or is in the turn in view, is kept there.
func TestWhatWasWrittenAndNotRunIsNotLost(t *testing.T) {
	at := time.Date(2026, 1, 2, 15, 4, 5, 0, time.UTC)
	ran := func(text string) core.Msg {
		return steps.StepsRan{Task: 5, Console: true, Ran: steps.Ran{StepsRun: steps.StepsRun{Text: text, Sealed: text,
			OK: true, At: at}}}
	}
	tests := []struct {
		name string
		msgs []core.Msg
		lost bool
		kept []string // texts of the history
	}{
		{"nothing was written", nil, false, nil},
		{"written", []core.Msg{steps.StepsEdited{Text: "mine"}}, true, nil},
		{"written and run", []core.Msg{steps.StepsEdited{Text: "mine"}, ran("mine")}, false, []string{"mine"}},
		{"the steps of the turn are the draft", []core.Msg{steps.StepsTaken()}, false, nil},
		{"the steps of the turn instead", []core.Msg{steps.StepsEdited{Text: "mine"}, steps.StepsTaken()}, true,
			[]string{"mine"}},
		{"a run instead", []core.Msg{steps.StepsEdited{Text: "old"}, ran("old"), steps.StepsEdited{Text: "mine"},
			steps.StepsPicked(1)}, true, []string{"old"}},
		{"a run instead, that was changed", []core.Msg{steps.StepsEdited{Text: "old"}, ran("old"),
			steps.StepsEdited{Text: "mine"}, steps.StepsPicked(1), steps.StepsEdited{Text: "old!"}}, true,
			[]string{"old", "mine"}},
		{"back from the history and run", []core.Msg{steps.StepsEdited{Text: "mine"}, steps.StepsTaken(),
			steps.StepsPicked(1), ran("mine")}, false, []string{"mine"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, _ := apptest.Captured(t).Show(ranTurn(2))
			for _, m := range tt.msgs {
				s.Tasks = []core.Task{{ID: 5, Kind: core.TaskSteps}}
				s, _ = apptest.Step(s, m)
			}
			s.Tasks = nil
			said := strings.Join(s.Unfinished(), "\n")
			require.Equal(t, tt.lost, strings.Contains(said, "Steps in the console were not run"), said)
			var kept []string
			for _, r := range steps.Of(s).Console.Runs {
				kept = append(kept, r.Text)
			}
			require.Equal(t, tt.kept, kept)
		})
	}
}

func TestStepsCompleted(t *testing.T) {
	s := console(t, `{"cl: 1}`,
		steps.StepsCheck{Items: []steps.StepItem{{Insert: `"click": `, Caret: 9, Label: "click"}}, From: 1, To: 4})
	got, effects := apptest.Step(s, steps.StepsCompleted{Index: 0})
	require.Equal(t, `{"click": : 1}`, steps.Of(got).Console.Text)
	require.Equal(t, 10, steps.Of(got).Console.Caret)
	require.Equal(t, steps.Of(s).Console.Version+1, steps.Of(got).Console.Version)
	require.Len(t, effects, 1)
	for _, i := range []int{-1, 1} {
		same, effects := apptest.Step(s, steps.StepsCompleted{Index: i})
		require.Equal(t, steps.Of(s).Console, steps.Of(same).Console)
		require.Empty(t, effects)
	}
	old, _ := apptest.Step(s, steps.StepsEdited{Text: "x", Caret: 1})
	same, _ := apptest.Step(old, steps.StepsCompleted{Index: 0})
	require.Equal(t, "x", steps.Of(same).Console.Text, "a list for another text")
	late, _ := apptest.Step(s, steps.StepsChecked(steps.StepsCheck{Seq: 1, Problem: "late"}))
	require.Empty(t, steps.Of(late).Console.Check.Problem)
}

func TestStepsView(t *testing.T) {
	s := console(t, `{"click":`, steps.StepsCheck{Problem: "not JSON", Unfinished: true})
	require.Equal(t, core.ToneMuted, steps.ViewOf(s).State.Tone, "who still writes has made no mistake")
	s = console(t, `{"clik":1}`, steps.StepsCheck{Problem: "no such step", Line: 1, Column: 2})
	require.Equal(t, core.StatusItem{Text: "Line 1, column 2: no such step", Tone: core.ToneBad}, steps.ViewOf(s).State)
	require.False(t, steps.ViewOf(s).CanRun)
	s = console(t, clickBuy, steps.StepsCheck{Steps: 1})
	require.True(t, steps.ViewOf(s).CanRun)
	require.NotEmpty(t, steps.ViewOf(s).Answer.Empty)
	s.Session.ReadOnly = true
	require.False(t, steps.ViewOf(s).CanRun)
	require.Contains(t, steps.ViewOf(s).State.Text, "read only")
	s.Session.ReadOnly, s.Browser.Phase = false, core.PhaseFailed
	require.Contains(t, steps.ViewOf(s).State.Text, "Chrome is not running")
}

func TestStepsTaken(t *testing.T) {
	s, _ := apptest.Captured(t).Show(ranTurn(2))
	s, effects := apptest.Step(s, steps.StepsTaken())
	require.Equal(t, clickBuy, steps.Of(s).Console.Text)
	require.Equal(t, steps.Drawer, s.Drawer)
	require.Equal(t, steps.FocusSteps{}, effects[len(effects)-1])
	for stored, want := range map[string]string{
		`{"tab":"A","steps":[{"click":"e2"}]}`: `{"click":"e2"}`,
		`{"steps":[{"click":"e2"},{"fill":{"ref":"e3","value":"[4]"}}]}`: "[\n  {\"click\":\"e2\"},\n  " +
			"{\"fill\":{\"ref\":\"e3\",\"value\":\"[4]\"}}\n]",
		`{"steps":[]}`: "", `no`: "", ``: "",
	} {
		require.Equal(t, want, core.StepsText([]byte(stored)))
	}
}

// form is a page with a field, a password and a list box.
func form() *core.Turn {
	c := apptest.Capture()
	add := func(tag, role, name string, attrs map[string]string) *snapshot.Node {
		i := len(c.Nodes)
		c.Nodes = append(c.Nodes, snapshot.Node{I: i, Parent: 0, Tag: tag, Ref: i, Role: role, Name: name, Attrs: attrs,
			Verdict: snapshot.VerdictRef,
			Visible: true, InViewport: true, Box: snapshot.Box{100, float64(10 * i), 50, 8},
			Interactive: []string{"native"}})
		return &c.Nodes[i]
	}
	add("input", "textbox", "Name", nil).Value = "Ada"
	add("input", "textbox", "Password", map[string]string{"type": "password"})
	size := add("select", "combobox", "Size", nil).I
	for _, o := range []string{"Small", "Large"} {
		n := add("option", "option", o, nil)
		n.Ref, n.Parent = 0, size
	}
	add("input", "checkbox", "Gift", map[string]string{"type": "checkbox"})
	add("input", "textbox", "Card", map[string]string{"autocomplete": "cc-number"})
	c.Viewport.Height = 200
	return core.NewTurn(1, "goto", c, []byte("png"), image.NewRGBA(image.Rect(0, 0, 200, 200)))
}

func TestActing(t *testing.T) {
	base := func(t *testing.T) core.State {
		s := apptest.Captured(t)
		s.Current, core.Edit[steps.Model](&s).Act.On = form(), true
		return s
	}
	runs := func(text string, masked bool) []core.Effect {
		return []core.Effect{steps.RunSteps{Task: 5, Text: text, Masked: masked}}
	}
	// clicked is a click near the corner of an element, which is free of what covers its
	// middle. What follows a selection is not looked at here.
	clicked := func(s core.State, ref int) (core.State, []core.Effect) {
		box := s.Current.Capture.ByRef(ref).Box
		x, y := box.X()+2, box.Y()+2
		s, effects := apptest.Step(s, picture.PlacePicked(x, y, false))
		return s, slices.DeleteFunc(effects, func(e core.Effect) bool { _, ok := e.(details.Explain); return ok })
	}
	t.Run("a click goes to the page", func(t *testing.T) {
		s, effects := clicked(base(t), 2)
		require.ElementsMatch(t, runs(`{"click":"e2"}`, false), effects)
		require.Equal(t, 2, s.Selected.Ref)
		require.Equal(t, steps.ActPoint{Turn: 1, X: 40, Y: 70}, steps.Of(s).Act.Last)
		require.Equal(t, steps.PointVM{X: 40, Y: 70, Kind: steps.PointLast}, picture.ViewOf(s).Point)
		after := form()
		after.N = 2
		same, _ := apptest.Step(s, steps.StepsRan{Task: 5, Ran: well, Turn: after})
		require.Equal(t, steps.PointVM{X: 40, Y: 70, Kind: steps.PointLast}, picture.ViewOf(same).Point,
			"and on the page as it is now")
		next, _ := apptest.Step(same, device.Chosen{})
		require.Zero(t, steps.Of(next).Act.Last, "until something else is done")
		elsewhere := form()
		elsewhere.N, elsewhere.Capture.URL = 2, "http://elsewhere/"
		moved, _ := apptest.Step(s, steps.StepsRan{Task: 5, Ran: well, Turn: elsewhere})
		require.Equal(t, steps.PointNone, picture.ViewOf(moved).Point.Kind, "but not on another page")
	})
	t.Run("or chooses, where the mode is off", func(t *testing.T) {
		s := base(t)
		core.Edit[steps.Model](&s).Act.On = false
		s, effects := clicked(s, 2)
		require.Empty(t, effects)
		require.Equal(t, 2, s.Selected.Ref)
	})
	t.Run("pointing previews what a click takes, with the mode and without it", func(t *testing.T) {
		for _, on := range []bool{true, false} {
			s := base(t)
			core.Edit[steps.Model](&s).Act.On = on
			for y := 1.0; y < 180; y += 3 {
				for x := 1.0; x < 200; x += 7 {
					over, _ := apptest.Step(s, picture.Pointed{Pointer: picture.Pointer{Over: true, X: x, Y: y}})
					taken, _ := apptest.Step(s, picture.PlacePicked(x, y, false))
					require.Equal(t, taken.Selected, over.Hover, "at %g, %g, acting %t", x, y, on)
				}
			}
			gone, _ := apptest.Step(s, picture.Pointed{})
			require.False(t, gone.Hover.Some())
		}
	})
	t.Run("a gesture of the wheel scrolls the page, and what comes meanwhile is added up", func(t *testing.T) {
		rests := func(s core.State, effects []core.Effect) (core.State, []core.Effect) {
			t.Helper()
			return apptest.Step(s, apptest.Last[core.LatestWork](effects).Do(t.Context(), nil))
		}
		s, effects := apptest.Step(base(t), steps.PageScrolled(30), steps.PageScrolled(70))
		require.Zero(t, apptest.Last[steps.RunSteps](effects), "the wheel is still turned")
		s, effects = rests(s, effects)
		require.Equal(t, runs(`{"scroll":{"deltaY":100}}`, false), effects)
		s, effects = apptest.Step(s, steps.PageScrolled(math.NaN()), steps.PageScrolled(100),
			steps.PageScrolled(-30))
		s, effects = rests(s, effects)
		require.Empty(t, effects, "the page is being scrolled")
		s, effects = apptest.Step(s, steps.StepsRan{Task: 5, Ran: well, Turn: form()})
		require.Equal(t, `{"scroll":{"deltaY":70}}`, apptest.Last[steps.RunSteps](effects).Text)
		off, effects := apptest.Step(s, steps.ActToggled(), steps.PageScrolled(100))
		require.Empty(t, effects)
		require.Zero(t, steps.Of(off).Act.Scroll)
	})
	t.Run("a field asks", func(t *testing.T) {
		s, effects := clicked(base(t), 5)
		require.Empty(t, effects)
		require.Equal(t, steps.DialogAct, s.Dialog)
		require.Equal(t, "Ada", steps.Of(s).Act.Ask.Holds)
		require.False(t, steps.Of(s).Act.Ask.Masked)
		done, effects := apptest.Step(s, steps.ActConfirmed{Text: `A "q"`})
		require.Equal(t, runs(`[{"fill":{"ref":"e5","value":"A \"q\""}}]`, false), effects)
		require.Equal(t, core.DialogNone, done.Dialog)
		_, effects = apptest.Step(s, steps.ActConfirmed{Text: "x", Enter: true})
		require.Equal(t, runs(`[{"fill":{"ref":"e5","value":"x"}},{"press":{"key":"Enter","ref":"e5"}}]`, false),
			effects)
		left, _ := apptest.Step(s, core.Escaped{})
		require.Zero(t, steps.Of(left).Act.Ask.Ref)
		_, effects = apptest.Step(left, steps.ActConfirmed{Text: "late"})
		require.Empty(t, effects)
	})
	t.Run("a field with a picker of its own says how its value is written", func(t *testing.T) {
		for kind, shape := range map[string]string{"date": "a date such as 2026-12-31", "time": "a time such as 09:30",
			"color": "a colour such as #2266aa", "range": "a number from 1 to 100", "number": "a number from 1", "text": ""} {
			s := base(t)
			s.Current.Capture.ByRef(5).Attrs = map[string]string{"type": kind, "min": "1"}
			s, effects := clicked(s, 5)
			require.Empty(t, effects)
			require.Equal(t, steps.DialogAct, s.Dialog, kind)
			require.Equal(t, shape, steps.Of(s).Act.Ask.Shape)
		}
	})
	t.Run("a secret is masked and not kept", func(t *testing.T) {
		for _, ref := range []int{6, 11} {
			s, _ := clicked(base(t), ref)
			require.True(t, steps.Of(s).Act.Ask.Masked, ref)
			require.Empty(t, steps.Of(s).Act.Ask.Holds)
			s, effects := apptest.Step(s, steps.ActConfirmed{Text: "hunter2"})
			require.True(t, effects[0].(steps.RunSteps).Masked)
			require.NotContains(t, steps.Of(s).Console.Text, "hunter2")
		}
	})
	t.Run("a list box offers its options", func(t *testing.T) {
		s, _ := clicked(base(t), 7)
		require.Equal(t, []string{"Small", "Large"}, steps.Of(s).Act.Ask.Options)
		_, effects := apptest.Step(s, steps.ActConfirmed{Text: "Large"})
		require.Equal(t, runs(`[{"selectOption":{"ref":"e7","label":"Large"}}]`, false), effects)
		_, effects = apptest.Step(s, steps.ActConfirmed{Text: "Huge"})
		require.Empty(t, effects)
	})
	t.Run("one of several offers all of them, but what is disabled", func(t *testing.T) {
		s := base(t)
		c := s.Current.Capture
		c.ByRef(7).States = snapshot.States{"multiselectable": true}
		for i := range c.Nodes {
			if o := &c.Nodes[i]; o.Tag == "option" {
				o.States = snapshot.States{"selected": o.Name == "Large"}
				more := *o
				more.I, more.Name, more.States = len(c.Nodes), "Huge", snapshot.States{"disabled": true}
				c.Nodes = append(c.Nodes, more)
				break
			}
		}
		s, _ = clicked(s, 7)
		ask := steps.Of(s).Act.Ask
		require.True(t, ask.Several)
		require.Equal(t, []string{"Small", "Large"}, ask.Options)
		_, effects := apptest.Step(s, steps.ActConfirmed{Options: ask.Options})
		require.Equal(t, runs(`[{"selectOption":{"ref":"e7","labels":["Small","Large"]}}]`, false), effects)
		_, effects = apptest.Step(s, steps.ActConfirmed{})
		require.Equal(t, runs(`[{"selectOption":{"ref":"e7","labels":[]}}]`, false), effects)
		_, effects = apptest.Step(s, steps.ActConfirmed{Options: []string{"Huge"}})
		require.Empty(t, effects)
	})
	t.Run("a box is ticked by a click", func(t *testing.T) {
		_, effects := clicked(base(t), 10)
		require.Equal(t, runs(`{"click":"e10"}`, false), effects)
	})
	t.Run("only what clicks leaves a click's cross", func(t *testing.T) {
		for _, deed := range []steps.ActionKind{steps.ActClick, steps.ActDouble, steps.ActHover, steps.ActScroll,
			steps.ActPress, steps.ActFill, steps.ActUpload} {
			s, effects := apptest.Step(base(t), steps.Acted{Ref: 5, Deed: deed, Key: "Enter"})
			switch deed {
			case steps.ActFill:
				s, effects = apptest.Step(s, steps.ActConfirmed{Text: "Ada", Enter: true})
			case steps.ActUpload:
				s, effects = apptest.Step(s, steps.FilePicked{Ref: 5, Path: "/photo.png"})
			}
			require.Len(t, effects, 1, deed)
			clicks := deed == steps.ActClick || deed == steps.ActDouble
			require.Equal(t, clicks, steps.Of(s).Act.Last.Turn > 0, deed)
			require.Equal(t, clicks, picture.ViewOf(s).Point.Kind == steps.PointLast, deed)
		}
	})
	t.Run("the menu's deeds", func(t *testing.T) {
		for deed, want := range map[steps.Acted]string{
			{Ref: 2, Deed: steps.ActDouble, Key: ""}: `{"click":{"ref":"e2","doubleClick":true}}`, {
				Ref: 2, Deed: steps.ActHover, Key: ""}: `{"hover":{"ref":"e2"}}`,
			{Ref: 2, Deed: steps.ActScroll, Key: ""}: `{"scroll":"e2"}`, {Ref: 2, Deed: steps.ActPress,
				Key: "Enter"}: `{"press":{"key":"Enter","ref":"e2"}}`,
		} {
			_, effects := apptest.Step(base(t), deed)
			require.Equal(t, runs(want, false), effects)
		}
		s := base(t)
		through := 0
		for _, n := range s.Current.Capture.Nodes {
			if n.Ref == 0 {
				continue
			}
			uploads := slices.ContainsFunc(steps.Deeds(s, n.Ref), func(a steps.MenuAction) bool { return a.Deed == steps.ActUpload })
			require.Equal(t, n.Tag == "label" || n.Role == "button" || n.Attr("type") == "file", uploads, n.Path)
			if uploads {
				through++
			}
		}
		require.Positive(t, through)
		require.Equal(t, steps.ActFill, steps.Deeds(s, 5)[0].Deed)
		require.Equal(t, steps.ActChoose, steps.Deeds(s, 7)[0].Deed)
		require.Equal(t, steps.ActClick, steps.Deeds(s, 2)[0].Deed)
		require.Empty(t, steps.Deeds(s, 99))
		s.Session.ReadOnly = true
		require.Empty(t, steps.Deeds(s, 2))
	})
	t.Run("refusals", func(t *testing.T) {
		for name, r := range map[string]struct {
			change func(*core.State)
			want   string
		}{
			"read only": {func(s *core.State) { s.Session.ReadOnly = true }, "read only"},
			"an older turn": {func(s *core.State) { s.Session.Turns = append(s.Session.Turns, core.TurnRow{N: 2}) },
				"not the newest"},
			"no browser": {func(s *core.State) { s.Browser.Phase = core.PhaseGone }, "not running"},
			"another page": {func(s *core.State) {
				s.Browser.Tabs = []core.Tab{{ID: "A", URL: "http://elsewhere/"}}
			}, "another page"},
			"something runs": {func(s *core.State) { s.StartTask(core.TaskSteps, "x") }, "Steps are running"},
			"no turn":        {func(s *core.State) { s.Current = nil }, "no turn"},
			"its own fragments": {func(s *core.State) {
				s.Browser.Tabs = []core.Tab{{ID: "A", URL: apptest.DemoURL + "#top"}}
			}, ""},
		} {
			s := base(t)
			s.Notice = nil
			r.change(&s)
			s, effects := apptest.Step(s, steps.Acted{Ref: 2, Deed: steps.ActClick})
			if r.want == "" {
				require.Len(t, effects, 1, name)
				continue
			}
			require.Empty(t, effects, name)
			require.NotNil(t, s.Notice, name)
			require.Contains(t, s.Notice.Text, r.want, name)
			require.Zero(t, steps.Of(s).Act.Last.Turn, name)
		}
	})
	t.Run("where a click would go", func(t *testing.T) {
		s, _ := apptest.Step(base(t), core.Hovered{Ref: 2, Source: core.PanePicture})
		require.Equal(t, steps.PointVM{X: 40, Y: 70, Kind: steps.PointNext}, picture.ViewOf(s).Point)
		s, _ = apptest.Step(s, steps.ActToggled())
		require.Equal(t, steps.PointNone, picture.ViewOf(s).Point.Kind)
	})
	t.Run("Esc ends the mode before it clears the selection", func(t *testing.T) {
		s, _ := apptest.Step(base(t), core.Picked{Ref: 2, Source: core.PaneDump})
		s.Notice = nil
		s, _ = apptest.Step(s, core.Escaped{})
		require.False(t, steps.Of(s).Act.On)
		require.True(t, s.Selected.Some())
	})
}

// TestAnotherTabIsTold: a click that opens a tab changes nothing of the page in view.
func TestAnotherTabIsTold(t *testing.T) {
	s := apptest.Captured(t)
	s.Browser.Tabs = []core.Tab{{ID: "a", Title: "Shop"}}
	s, effects := apptest.Step(s, steps.ActToggled(), steps.Acted{Ref: 2, Deed: steps.ActClick})
	ran := steps.StepsRan{Task: apptest.Last[steps.RunSteps](effects).Task, Turn: apptest.TurnOf(2),
		Answer: core.NewAnswer([]byte(`{}`)), Ran: steps.Ran{StepsRun: well.StepsRun}}
	same := ran
	same.Tabs = s.Browser.Tabs
	quiet, _ := apptest.Step(s, same)
	require.Nil(t, quiet.Notice)
	ran.Tabs = append(slices.Clone(s.Browser.Tabs), core.Tab{ID: "b", Title: "Terms"})
	s, _ = apptest.Step(s, ran)
	require.Equal(t, "The page opened another tab: Terms.", s.Notice.Text)
	require.Equal(t, core.CmdTabs, s.Notice.Command)
}

// TestThePageAsks: a dialog of the page is shown until it is answered; leaving it is its Cancel, and a file input asks
// for a file that alone may be read.
func TestThePageAsks(t *testing.T) {
	s := apptest.Captured(t)
	s, effects := apptest.Step(s, steps.ActToggled(), steps.Acted{Ref: 2, Deed: steps.ActClick})
	run := apptest.Last[steps.RunSteps](effects)
	require.NotZero(t, run.Task)
	asked, _ := apptest.Step(s, steps.StepsRan{Task: run.Task, Answer: core.NewAnswer([]byte(`{}`)),
		Ran: steps.Ran{StepsRun: well.StepsRun,
			Page: &steps.PageDialog{Type: "prompt", Message: "Name?", Prompt: "Ada"}}})
	require.Equal(t, steps.DialogPage, asked.Dialog)
	_, effects = apptest.Step(asked, steps.PageAnswered{Accept: true, Text: "Grace"})
	require.Equal(t, `{"dialog":{"accept":true,"promptText":"Grace"}}`, apptest.Last[steps.RunSteps](effects).Text)
	left, effects := apptest.Step(asked, core.Escaped{})
	require.Equal(t, `{"dialog":{"accept":false}}`, apptest.Last[steps.RunSteps](effects).Text)
	require.Empty(t, left.Dialog)

	s = apptest.Captured(t)
	n := s.Current.Capture.ByRef(2)
	n.Tag, n.Attrs = "input", map[string]string{"type": "file"}
	s, effects = apptest.Step(s, steps.ActToggled(), steps.Acted{Ref: 2, Deed: steps.Deeds(s, 2)[0].Deed})
	require.Equal(t, steps.AskFile{Ref: 2}, effects[len(effects)-1])
	_, effects = apptest.Step(s, steps.FilePicked{Ref: 2, Path: "/pictures/a.png"})
	run = apptest.Last[steps.RunSteps](effects)
	require.Equal(t, `{"upload":{"ref":"e2","files":["/pictures/a.png"]}}`, run.Text)
	require.Equal(t, "/pictures/a.png", run.File)
}
