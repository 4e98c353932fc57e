package core

import (
	"image"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
)

// console has the console out, with a draft that was checked.
func console(t *testing.T, draft string, check StepsCheck) State {
	t.Helper()
	s, effects := step(captured(t), StepsToggled{})
	require.Equal(t, DrawerSteps, s.Drawer)
	require.Equal(t, []Effect{CheckSteps{Seq: 1, Tab: "A", Turn: s.Shown}, FocusSteps{}}, effects)
	s, effects = step(s, StepsEdited{Text: draft, Caret: len(draft)})
	require.Equal(t, []Effect{CheckSteps{Seq: 2, Text: draft, Caret: len(draft), Tab: "A", Turn: s.Shown}}, effects)
	check.Seq = 2
	s, effects = step(s, StepsChecked{check})
	require.Empty(t, effects)
	return s
}

const clickBuy = `{"click":"e2"}`

func TestStepsRun(t *testing.T) {
	tests := []struct {
		name    string
		draft   string
		check   StepsCheck
		change  func(*State)
		effects []Effect
		notice  string
	}{
		{"it runs", clickBuy, StepsCheck{Steps: 1}, nil, []Effect{RunSteps{Task: 5, Text: clickBuy, Console: true}}, ""},
		{"it is not checked yet: the engine says what is wrong", clickBuy, StepsCheck{}, func(s *State) { s.Steps.Seq++ }, []Effect{RunSteps{Task: 5, Text: clickBuy, Console: true}}, ""},
		{"nothing is written", "", StepsCheck{}, nil, nil, ""},
		{"a mistake", `{"clik":1}`, StepsCheck{Problem: `there is no step "clik"`, Line: 1, Column: 2}, nil, nil, "The steps were not run: there is no step \"clik\"."},
		{"too long", strings.Repeat(" ", maxDraft) + clickBuy, StepsCheck{}, nil, nil, "at most 1,048,576"},
		{"read only", clickBuy, StepsCheck{Steps: 1}, func(s *State) { s.Session.ReadOnly = true }, nil, "read only"},
		{"no browser", clickBuy, StepsCheck{Steps: 1}, func(s *State) { s.Browser.Phase = PhaseGone }, nil, "Chrome is not running."},
		{"a capture runs", clickBuy, StepsCheck{Steps: 1}, func(s *State) { s.start(TaskCapture, "x") }, nil, "A capture is running."},
		{"steps run", clickBuy, StepsCheck{Steps: 1}, func(s *State) { s.start(TaskSteps, "x") }, nil, "Steps are running in the tab."},
		{"a session is being opened", clickBuy, StepsCheck{Steps: 1}, func(s *State) { s.start(TaskSession, "x") }, nil, "A session is being opened."},
		{"a page that loads gives way", clickBuy, StepsCheck{Steps: 1}, func(s *State) { s.start(TaskNavigate, "x") }, []Effect{Cancel{5}, RunSteps{Task: 6, Text: clickBuy, Console: true}}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := captured(t)
			if tt.draft != "" {
				s = console(t, tt.draft, tt.check)
			}
			if tt.change != nil {
				tt.change(&s)
			}
			s.Notice = nil
			s, effects := step(s, StepsRunAsked{})
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
func ranTurn(n int) *Turn {
	t := turnOf(n)
	t.Steps, t.Answer, t.AnswerOK = clickBuy, NewAnswer([]byte(`{"status":"ok"}`)), true
	return t
}

func TestStepsRan(t *testing.T) {
	at := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	started := func(t *testing.T) State {
		s, effects := step(console(t, clickBuy, StepsCheck{Steps: 1}), StepsRunAsked{})
		require.Len(t, effects, 1)
		require.Equal(t, "Running the steps", s.Busy().Sentence)
		return s
	}
	t.Run("a turn", func(t *testing.T) {
		made := ranTurn(2)
		s, _ := step(started(t), StepsRan{Task: 5, Text: clickBuy, Sealed: clickBuy, Words: "click", Console: true, Answer: made.Answer, OK: true, Turn: made, At: at})
		require.Same(t, made, s.Shown)
		require.Len(t, s.Session.Turns, 2)
		require.Equal(t, []StepsRun{{Text: clickBuy, Sealed: clickBuy, Words: "click", OK: true, Turn: 2, At: at}}, s.Steps.Runs)
		v := s.StepsView()
		require.Equal(t, `{"status":"ok"}`, v.Bytes)
		require.Equal(t, "✓ ok", v.Facts[0].Text)
		require.Equal(t, "turn 2", v.Facts[1].Text)
		require.True(t, v.CanTake)
		require.Nil(t, s.Busy())
		require.Equal(t, []StepsLine{{1, "✓ 12:00:00  click  · turn 2"}}, s.StepsHistory(time.UTC))
	})
	t.Run("an answer without a turn stays until another turn is shown", func(t *testing.T) {
		s, _ := step(started(t), StepsRan{Task: 5, Text: clickBuy, Sealed: clickBuy, Words: "click", Answer: NewAnswer([]byte(`{"status":"error"}`)), At: at})
		require.Equal(t, 1, s.Shown.N)
		require.Equal(t, "no turn was made", s.StepsView().Facts[1].Text)
		require.Equal(t, "✕ error", s.StepsView().Facts[0].Text)
		require.Contains(t, s.Notice.Text, "not all of them went well")
		s, _ = s.show(turnOf(2))
		require.Empty(t, s.StepsView().Bytes)
	})
	t.Run("what was typed is not kept", func(t *testing.T) {
		sealed := `{"fill":{"ref":"e2","value":"[7 characters]"}}`
		made := ranTurn(2)
		s, _ := step(started(t), StepsRan{Task: 5, Sealed: sealed, Words: "fill", Console: true, Answer: made.Answer, OK: true, Turn: made, At: at})
		require.Equal(t, sealed, s.Steps.Text, "nor does it stay in the editor")
		require.Contains(t, s.StepsHistory(time.UTC)[0].Text, "not kept")
		s, _ = step(s, StepsRecalled{-1})
		require.Equal(t, sealed, s.Steps.Text)
		require.Contains(t, s.Notice.Text, "not kept")
	})
	t.Run("stopped", func(t *testing.T) {
		s, effects := step(started(t), CancelAsked{5})
		require.Equal(t, []Effect{Cancel{5}}, effects)
		s, _ = step(s, StepsRan{Task: 5, Problem: &Problem{Canceled: true}})
		require.Contains(t, s.Notice.Text, "stopped")
		require.Empty(t, s.Steps.Runs)
		s, _ = step(s, StepsRan{Task: 5, OK: true}) // of a task that is not there
		require.Empty(t, s.Steps.Runs)
	})
}

func TestStepsHistory(t *testing.T) {
	s := console(t, "draft", StepsCheck{Problem: "x"})
	for _, text := range []string{"one", "two"} {
		s.Steps.Runs = append(s.Steps.Runs, StepsRun{Text: text})
	}
	texts := func(by ...int) (out []string) {
		for _, b := range by {
			s, _ = step(s, StepsRecalled{b})
			out = append(out, s.Steps.Text)
		}
		return out
	}
	require.Equal(t, []string{"two", "one", "one", "two", "draft", "draft"}, texts(-1, -1, -1, 1, 1, 1))
	v := s.Steps.Version
	s, _ = step(s, StepsPicked{1})
	require.Equal(t, "one", s.Steps.Text)
	require.Greater(t, s.Steps.Version, v, "the editor takes it over")
	s, _ = step(s, StepsPicked{3}, StepsPicked{0})
	require.Equal(t, "one", s.Steps.Text)
	s, _ = step(s, StepsEdited{Text: "one!", Caret: 4})
	require.Zero(t, s.Steps.Recalled, "it is a draft again")
}

func TestStepsCompleted(t *testing.T) {
	s := console(t, `{"cl: 1}`, StepsCheck{Items: []StepItem{{Insert: `"click": `, Caret: 9, Label: "click"}}, From: 1, To: 4})
	got, effects := step(s, StepsCompleted{0})
	require.Equal(t, `{"click": : 1}`, got.Steps.Text)
	require.Equal(t, 10, got.Steps.Caret)
	require.Equal(t, s.Steps.Version+1, got.Steps.Version)
	require.Len(t, effects, 1)
	for _, i := range []int{-1, 1} {
		same, effects := step(s, StepsCompleted{i})
		require.Equal(t, s.Steps, same.Steps)
		require.Empty(t, effects)
	}
	old, _ := step(s, StepsEdited{Text: "x", Caret: 1})
	same, _ := step(old, StepsCompleted{0})
	require.Equal(t, "x", same.Steps.Text, "a list for another text")
	late, _ := step(s, StepsChecked{StepsCheck{Seq: 1, Problem: "late"}})
	require.Empty(t, late.Steps.Check.Problem)
}

func TestStepsView(t *testing.T) {
	s := console(t, `{"click":`, StepsCheck{Problem: "not JSON", Unfinished: true})
	require.Equal(t, ToneMuted, s.StepsView().State.Tone, "who still writes has made no mistake")
	s = console(t, `{"clik":1}`, StepsCheck{Problem: "no such step", Line: 1, Column: 2})
	require.Equal(t, StatusItem{"✕ line 1, column 2: no such step", ToneBad}, s.StepsView().State)
	require.False(t, s.StepsView().CanRun)
	s = console(t, clickBuy, StepsCheck{Steps: 1})
	require.True(t, s.StepsView().CanRun)
	require.NotEmpty(t, s.StepsView().Answer.Empty)
	s.Session.ReadOnly = true
	require.False(t, s.StepsView().CanRun)
	require.Contains(t, s.StepsView().State.Text, "read only")
	s.Session.ReadOnly, s.Browser.Phase = false, PhaseFailed
	require.Contains(t, s.StepsView().State.Text, "Chrome is not running")
}

func TestStepsTaken(t *testing.T) {
	s, _ := captured(t).show(ranTurn(2))
	s, effects := step(s, StepsTaken{})
	require.Equal(t, clickBuy, s.Steps.Text)
	require.Equal(t, DrawerSteps, s.Drawer)
	require.Equal(t, FocusSteps{}, effects[len(effects)-1])
	for stored, want := range map[string]string{
		`{"tab":"A","steps":[{"click":"e2"}]}`:                           `{"click":"e2"}`,
		`{"steps":[{"click":"e2"},{"fill":{"ref":"e3","value":"[4]"}}]}`: "[\n  {\"click\":\"e2\"},\n  {\"fill\":{\"ref\":\"e3\",\"value\":\"[4]\"}}\n]",
		`{"steps":[]}`: "", `no`: "", ``: "",
	} {
		require.Equal(t, want, StepsText([]byte(stored)))
	}
}

// form is a page with a field, a password and a list box.
func form() *Turn {
	c := capture()
	add := func(tag, role, name string, attrs map[string]string) *snapshot.Node {
		i := len(c.Nodes)
		c.Nodes = append(c.Nodes, snapshot.Node{I: i, Parent: 0, Tag: tag, Ref: i, Role: role, Name: name, Attrs: attrs, Verdict: snapshot.VerdictRef,
			Visible: true, InViewport: true, Box: snapshot.Box{100, float64(10 * i), 50, 8}, Interactive: []string{"native"}})
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
	return NewTurn(1, "goto", c, []byte("png"), image.NewRGBA(image.Rect(0, 0, 200, 200)))
}

func TestActing(t *testing.T) {
	base := func(t *testing.T) State {
		s := captured(t)
		s.Shown, s.Act.On = form(), true
		return s
	}
	runs := func(text string, masked bool) []Effect {
		return []Effect{RunSteps{Task: 5, Text: text, Masked: masked}}
	}
	// clicked is a click on the middle of an element. What follows a selection is not
	// looked at here.
	clicked := func(s State, ref int) (State, []Effect) {
		x, y := s.Shown.Capture.ByRef(ref).Box.Center()
		s, effects := step(s, PlacePicked{X: x, Y: y})
		return s, slices.DeleteFunc(effects, func(e Effect) bool { _, ok := e.(Explain); return ok })
	}
	t.Run("a click goes to the page", func(t *testing.T) {
		s, effects := clicked(base(t), 2)
		require.ElementsMatch(t, runs(`{"click":"e2"}`, false), effects)
		require.Equal(t, 2, s.Selected.Ref)
		require.Equal(t, ActPoint{Turn: 1, X: 40, Y: 70}, s.Act.Last)
		require.Equal(t, PointVM{40, 70, PointLast}, s.Shot().Point)
		after := form()
		after.N = 2
		same, _ := step(s, StepsRan{Task: 5, OK: true, Turn: after})
		require.Equal(t, PointVM{40, 70, PointLast}, same.Shot().Point, "and on the page as it is now")
		next, _ := step(same, DeviceChosen{})
		require.Zero(t, next.Act.Last, "until something else is done")
		elsewhere := form()
		elsewhere.N, elsewhere.Capture.URL = 2, "http://elsewhere/"
		moved, _ := step(s, StepsRan{Task: 5, OK: true, Turn: elsewhere})
		require.Equal(t, PointNone, moved.Shot().Point.Kind, "but not on another page")
	})
	t.Run("or chooses, where the mode is off", func(t *testing.T) {
		s := base(t)
		s.Act.On = false
		s, effects := clicked(s, 2)
		require.Empty(t, effects)
		require.Equal(t, 3, s.Selected.Ref, "what lies on top")
	})
	t.Run("a field asks", func(t *testing.T) {
		s, effects := clicked(base(t), 5)
		require.Empty(t, effects)
		require.Equal(t, DialogAct, s.Dialog)
		require.Equal(t, "Ada", s.Act.Ask.Holds)
		require.False(t, s.Act.Ask.Masked)
		done, effects := step(s, ActConfirmed{Text: `A "q"`})
		require.Equal(t, runs(`[{"fill":{"ref":"e5","value":"A \"q\""}}]`, false), effects)
		require.Equal(t, DialogNone, done.Dialog)
		_, effects = step(s, ActConfirmed{Text: "x", Enter: true})
		require.Equal(t, runs(`[{"fill":{"ref":"e5","value":"x"}},{"press":{"key":"Enter","ref":"e5"}}]`, false), effects)
		left, _ := step(s, Escaped{})
		require.Zero(t, left.Act.Ask.Ref)
		_, effects = step(left, ActConfirmed{Text: "late"})
		require.Empty(t, effects)
	})
	t.Run("a secret is masked and not kept", func(t *testing.T) {
		for _, ref := range []int{6, 11} {
			s, _ := clicked(base(t), ref)
			require.True(t, s.Act.Ask.Masked, ref)
			require.Empty(t, s.Act.Ask.Holds)
			s, effects := step(s, ActConfirmed{Text: "hunter2"})
			require.True(t, effects[0].(RunSteps).Masked)
			require.NotContains(t, s.Steps.Text, "hunter2")
		}
	})
	t.Run("a list box offers its options", func(t *testing.T) {
		s, _ := clicked(base(t), 7)
		require.Equal(t, []string{"Small", "Large"}, s.Act.Ask.Options)
		_, effects := step(s, ActConfirmed{Text: "Large"})
		require.Equal(t, runs(`[{"selectOption":{"ref":"e7","label":"Large"}}]`, false), effects)
		_, effects = step(s, ActConfirmed{Text: "Huge"})
		require.Empty(t, effects)
	})
	t.Run("a box is ticked by a click", func(t *testing.T) {
		_, effects := clicked(base(t), 10)
		require.Equal(t, runs(`{"click":"e10"}`, false), effects)
	})
	t.Run("the menu's deeds", func(t *testing.T) {
		for deed, want := range map[Acted]string{
			{2, ActDouble, ""}: `{"click":{"ref":"e2","doubleClick":true}}`, {2, ActHover, ""}: `{"hover":{"ref":"e2"}}`,
			{2, ActScroll, ""}: `{"scroll":"e2"}`, {2, ActPress, "Enter"}: `{"press":{"key":"Enter","ref":"e2"}}`,
		} {
			_, effects := step(base(t), deed)
			require.Equal(t, runs(want, false), effects)
		}
		s := base(t)
		require.Equal(t, ActFill, s.Deeds(5)[0].Deed)
		require.Equal(t, ActChoose, s.Deeds(7)[0].Deed)
		require.Equal(t, ActClick, s.Deeds(2)[0].Deed)
		require.Empty(t, s.Deeds(99))
		s.Session.ReadOnly = true
		require.Empty(t, s.Deeds(2))
	})
	t.Run("refusals", func(t *testing.T) {
		for name, r := range map[string]struct {
			change func(*State)
			want   string
		}{
			"read only":         {func(s *State) { s.Session.ReadOnly = true }, "read only"},
			"an older turn":     {func(s *State) { s.Session.Turns = append(s.Session.Turns, TurnRow{N: 2}) }, "not the newest"},
			"no browser":        {func(s *State) { s.Browser.Phase = PhaseGone }, "not running"},
			"another page":      {func(s *State) { s.Browser.Tabs = []Tab{{ID: "A", URL: "http://elsewhere/"}} }, "another page"},
			"something runs":    {func(s *State) { s.start(TaskSteps, "x") }, "Steps are running"},
			"no turn":           {func(s *State) { s.Shown = nil }, "no turn"},
			"its own fragments": {func(s *State) { s.Browser.Tabs = []Tab{{ID: "A", URL: demoURL + "#top"}} }, ""},
		} {
			s := base(t)
			s.Notice = nil
			r.change(&s)
			s, effects := step(s, Acted{Ref: 2, Deed: ActClick})
			if r.want == "" {
				require.Len(t, effects, 1, name)
				continue
			}
			require.Empty(t, effects, name)
			require.NotNil(t, s.Notice, name)
			require.Contains(t, s.Notice.Text, r.want, name)
			require.Zero(t, s.Act.Last.Turn, name)
		}
	})
	t.Run("where a click would go", func(t *testing.T) {
		s, _ := step(base(t), Hovered{Ref: 2, Source: PanePicture})
		require.Equal(t, PointVM{40, 70, PointNext}, s.Shot().Point)
		s, _ = step(s, ActToggled{})
		require.Equal(t, PointNone, s.Shot().Point.Kind)
	})
	t.Run("Esc ends the mode before it clears the selection", func(t *testing.T) {
		s, _ := step(base(t), Picked{Ref: 2, Source: PaneDump})
		s.Notice = nil
		s, _ = step(s, Escaped{})
		require.False(t, s.Act.On)
		require.True(t, s.Selected.Some())
	})
}
