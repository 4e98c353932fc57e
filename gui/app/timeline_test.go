package app

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/changes"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/core/coretest"
	"github.com/refscope/refscope/gui/notes"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/gui/picture"
	"github.com/refscope/refscope/gui/timeline"
	"github.com/refscope/refscope/gui/turn"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/testneed"
	saved "github.com/refscope/refscope/snapshot/turn"
)

// acted makes turns in which an agent did something; the last step of turn 2 failed.
func acted(n int) []*core.Recorded {
	turns := recorded(n)
	for i, r := range turns {
		r.Capture.TakenAt = time.Date(2026, 11, 21, 15, 4, 5+i, 0, time.UTC)
		r.Meta.Tool = "refscopectl 0.1.0-dev"
		if i%2 == 1 { // the banner is gone from the picture too
			c := *r.Capture
			c.Nodes = slices.Clone(c.Nodes)
			for _, gone := range []int{9, 10, 11} {
				c.Nodes[gone].Box = snapshot.Box{}
			}
			r.Picture = coretest.Picture(&c)
		}
		if i == 0 {
			r.Action = "goto"
			continue
		}
		ref := 0
		for _, node := range turns[i-1].Capture.Nodes {
			if node.Tag == "button" && node.Ref > 0 && ref == 0 {
				ref = node.Ref
			}
		}
		click := map[string]any{"action": "click", "status": "ok",
			"params": map[string]any{"ref": fmt.Sprintf("s1e%d", ref)}, "output": map[string]any{"clicked": true}}
		fill := map[string]any{"action": "clickAt", "status": "ok",
			"output": map[string]any{"coordinates": map[string]any{"x": 120, "y": 200}}}
		if i%2 == 1 {
			fill["status"], fill["error"], fill["subtype"] = "error", "nothing is under 120, 200 that takes clicks",
				"ClickFailedError"
			fill["context"] = map[string]any{"visibleErrors": []string{"Your card was declined"},
				"nearMatches": []any{map[string]any{"text": "Pay now", "ref": "s1e8"}},
				"failedRequests": []any{map[string]any{"url": "http://127.0.0.1:20417/api/cart", "status": 500,
					"error": "Internal Server Error"}}}
		}
		r.Action = "click, clickAt"
		r.Steps, _ = json.Marshal(map[string]any{"tab": "t1",
			"steps": []any{map[string]any{"click": fmt.Sprintf("s1e%d", ref)},
				map[string]any{"clickAt": map[string]any{"x": 120, "y": 200}}}})
		r.Answer, _ = json.Marshal(map[string]any{"status": "error", "steps": []any{click, fill}})
		if i%2 == 1 {
			r.Capture.Dialogs = []snapshot.Dialog{{Age: 300, Type: "confirm", Message: "Really pay?\u202e",
				Accepted: true}}
			r.Capture.Console = append(r.Capture.Console, snapshot.ConsoleEntry{Age: 90, Level: "warning",
				Text: "slow network", URL: fakeURL + "app.js", Line: 12})
		}
	}
	return turns
}

func looking(t *testing.T, n int, change func(*Options)) *bench {
	t.Helper()
	f := newFake()
	f.turns = acted(n)
	b := open(t, f, change)
	b.await("the newest turn, compared", func(s core.State) bool {
		return s.Current != nil && s.Current.N == n && (s.Changes != nil || n == 1) && s.Address.Text != "" &&
			len(s.Tasks) == 0
	})
	b.settled()
	return b
}

func TestNotesAndVerdicts(t *testing.T) {
	b := looking(t, 3, nil)
	ref := refOf(t, b.shell.State(), "Full name")
	b.shell.Dispatch(core.Picked{Ref: ref, Source: core.PanePicture})
	b.settled()
	test.TypeOnCanvas(b.shell.win.Canvas(), "m")
	b.await("the dialog", func(s core.State) bool { return s.Dialog == notes.Dialog })
	save := labelled(b, "Save note").(*parts.PushButton)
	require.True(t, save.Disabled())
	test.Type(b.shell.win.Canvas().Focused(), "the label is wrong")
	test.Tap(labelled(b, "Bad").(*parts.Chip))
	for word, on := range map[string]bool{"No verdict": false, "Good": false, "Bad": true, "Question": false} {
		require.Equal(t, on, labelled(b, word).(*parts.Chip).On(), word)
	}
	the[*parts.Check](b).SetChecked(true)
	b.settled()
	require.False(t, save.Disabled())
	b.shoot("30-note-dark")
	test.Tap(save)
	s := b.await("the note", func(s core.State) bool { return len(s.Session.Notes) == 1 && len(s.Tasks) == 0 })
	require.Equal(t, saved.Annotation{N: 1, Turn: 3, Ref: ref, By: "ada", At: s.Session.Notes[0].At, Verdict: "bad",
		Text: "the label is wrong"}, s.Session.Notes[0])
	require.Nil(t, b.shell.dialog)
	require.Empty(t, s.Session.Remarks[3].Verdict, "it is about an element, not about the turn")
	require.Contains(t, Note(s).Text, "Note added to")

	b.command("verdict.good")
	s = b.await("a verdict", func(s core.State) bool {
		return s.Session.Remarks[3].Verdict == "good" &&
			len(s.Tasks) == 0
	})
	require.Equal(t, notes.CmdNoteUndo, Note(s).Command)
	b.command(notes.CmdNoteUndo)
	s = b.await("undone", func(s core.State) bool { return s.Session.Remarks[3].Verdict == "" && len(s.Tasks) == 0 })
	require.Len(t, s.Session.Notes, 1)

	// Somebody else says something.
	_, err := b.engine.Annotate(t.Context(), saved.Annotation{Turn: 1, Verdict: "question", Text: "why this page?"})
	require.NoError(t, err)
	b.engine.notes.said <- struct{}{}
	b.await("the note of another", func(s core.State) bool { return s.Session.Remarks[1].Verdict == "question" })
	b.command(notes.CmdVerdict)
	b.settled()
	require.NotNil(t, b.shell.win.Canvas().Overlays().Top())
	b.shell.win.Canvas().Overlays().Remove(b.shell.win.Canvas().Overlays().Top())

	b.engine.mu.Lock()
	b.engine.notes.err = fmt.Errorf("no space left on the disk")
	b.engine.mu.Unlock()
	b.command("verdict.bad")
	s = b.await("the reason", func(s core.State) bool { return s.Notice != nil && len(s.Tasks) == 0 })
	require.Equal(t, "The note could not be written: no space left on the disk.", Note(s).Text)
}

func TestPicturesAgainstEachOther(t *testing.T) {
	b := looking(t, 2, nil)
	scene := b.shell.panes.picture.Shot()
	before := scene.Camera()
	for i, mode := range picture.PicturesModes() {
		test.TypeOnCanvas(b.shell.win.Canvas(), "r")
		s := b.await(string(mode), func(s core.State) bool {
			return picture.Of(s).Compare.Mode == mode && picture.Of(s).Compare.Diff != nil
		})
		require.True(t, labelled(b, "Next area") != nil)
		require.Equal(t, mode, picture.ViewOf(s).Pair.Mode)
		require.Contains(t, picture.PicturesRow(s).Facts, "px changed")
		require.Positive(t, picture.Of(s).Compare.Diff.Changed)
		b.shoot(fmt.Sprintf("31-pictures-%d-%s-dark", i, mode))
	}

	b.command("pictures.place")
	b.await("a place", func(s core.State) bool { return picture.Of(s).Compare.Box == 1 })
	test.TypeOnCanvas(b.shell.win.Canvas(), "r")
	b.await("off", func(s core.State) bool { return picture.Of(s).Compare.Mode == picture.PicturesOff })
	require.False(t, labelled(b, "Next area") != nil)
	require.Zero(t, picture.ViewOf(b.shell.State()).Pair)
	b.command("zoom.fit")
	b.settled()
	require.InDelta(t, before.Scale, scene.Camera().Scale, 0.01)

	// The line of the slider is dragged; a drag elsewhere pans.
	b.shell.Dispatch(picture.PicturesChosen(picture.PicturesSlider))
	b.await("the slider", func(s core.State) bool { return picture.Of(s).Compare.Mode == picture.PicturesSlider })
	w := scene.Size().Width
	scene.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(w/2+40, 90)},
		Dragged: fyne.NewDelta(40, 0)})
	s := b.await("moved", func(s core.State) bool { return picture.Of(s).Compare.Split != 0.5 })
	require.InDelta(t, 0.5+40/float64(w), picture.Of(s).Compare.Split, 0.01)
	scene.DragEnd()
	cam := scene.Camera()
	scene.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(30, 90)},
		Dragged: fyne.NewDelta(20, 0)})
	scene.DragEnd()
	require.NotEqual(t, cam, scene.Camera())
	b.shell.Dispatch(core.Escaped{})
	b.await("off", func(s core.State) bool { return picture.Of(s).Compare.Mode == picture.PicturesOff })
}

func TestTurnSide(t *testing.T) {
	b := looking(t, 2, nil)
	test.TypeOnCanvas(b.shell.win.Canvas(), "i")
	s := b.await("the side", func(s core.State) bool { return s.Side == turn.Side })
	vm := turn.ViewOf(s, time.UTC)
	require.Contains(t, fmt.Sprint(vm.Facts.Rows), "1 failed")
	require.Contains(t, fmt.Sprint(vm.Facts.Rows), "refscopectl 0.1.0-dev")
	require.Equal(t, core.ActivityList, vm.Chips[0].Part)
	require.Contains(t, vm.List.Rows.Doc.Text, "2 · clickAt failed nothing is under 120, 200")
	require.Contains(t, vm.List.Rows.Doc.Text, "On the page: Your card was declined")
	require.NotContains(t, vm.List.Rows.Doc.Text, "\u202e")
	b.shoot("32-turn-dark")
	b.shell.Dispatch(turn.PartChosen(core.ActivityAnswer))
	require.Contains(t, turn.ViewOf(b.settled(), time.UTC).Text.Doc.Text, `"coordinates"`)

	require.NotNil(t, turn.Of(s).Points)
	require.Len(t, turn.Of(s).Points.Points, 2)
	require.True(t, turn.Of(s).Points.Points[0].Aimed)
	require.Equal(t, 120.0, turn.Of(s).Points.Points[1].X)
	marks := picture.ViewOf(s).Points
	require.NotNil(t, marks, "the picture shows the same part of the same page")
	require.Equal(t, []string{"1", "2 clickAt failed"}, []string{marks.Points[0].Label, marks.Points[1].Label},
		"of what is over a number stays, and the word of what failed")
	require.False(t, marks.Points[0].Aimed)
}

func TestChangesByKindAndAsText(t *testing.T) {
	b := looking(t, 2, nil)
	b.command(changes.CmdChanges)
	b.settled()
	require.Equal(t, "All", changes.ViewOf(b.shell.State()).Chips[0].Text)
	b.shoot("33-changes-dark")
	b.shell.Dispatch(changes.GroupChosen("removed"))
	s := b.settled()
	require.NotContains(t, changes.ViewOf(s).List.Rows.Doc.Text, "renamed")
	gone := refOf(t, core.State{Current: s.Previous}, "Accept all")
	b.shell.Dispatch(core.ChangePicked{Ref: gone})
	s = b.await("where it was", func(s core.State) bool { return s.ShowPrevious })
	require.Equal(t, gone, s.Selected.Ref)
	b.shell.Dispatch(core.ChangePicked{Ref: refOf(t, s, "Pay now")})
	b.await("where it is", func(s core.State) bool { return !s.ShowPrevious })

	b.shell.Dispatch(changes.ModeChosen(changes.Unified))
	b.await("the texts", func(s core.State) bool { return changes.Of(s).Text != nil })
	b.settled()
	require.Contains(t, changes.ViewOf(b.shell.State()).Left.Doc.Text, "Pay now")
	b.shoot("34-changes-text-dark")
	b.shell.Dispatch(changes.ModeChosen(changes.Beside))
	b.settled()
	v := changes.ViewOf(b.shell.State())
	require.Equal(t, len(v.Left.Doc.Lines), len(v.Right.Doc.Lines))
	b.shoot("35-changes-beside-dark")
}

func TestFilterOfTurns(t *testing.T) {
	b := looking(t, 12, nil)
	b.command(timeline.CmdFilter)
	b.settled()
	b.shoot("36-timeline-dark")
	focused := b.shell.win.Canvas().Focused()
	require.NotNil(t, focused)
	for _, r := range "errors" {
		focused.TypedRune(r)
	}
	s := b.await("all looked at", func(s core.State) bool {
		return timeline.Of(s).Filter == "errors" &&
			timeline.Of(s).Scanning == 0
	})
	require.Equal(t, 12, s.Current.N)
	focused.TypedKey(&fyne.KeyEvent{Name: fyne.KeyUp})
	b.await("the turn with errors before", func(s core.State) bool { return s.Current.N == 10 && len(s.Tasks) == 0 })
	b.settled()
	b.shoot("37-filter-dark")
	focused.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	s = b.await("no filter", func(s core.State) bool { return timeline.Of(s).Filter == "" })
	require.Equal(t, 10, s.Current.N)
	focused.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	require.Nil(t, b.shell.win.Canvas().Focused())
	test.TypeOnCanvas(b.shell.win.Canvas(), "n")
	b.await("the next failed one", func(s core.State) bool { return s.Current.N == 12 && len(s.Tasks) == 0 })
	b.settled()
}

// TestTimelinePictures draws the rooms of this file in both themes, to be looked at.
func TestTimelinePictures(t *testing.T) {
	if *pictures == "" {
		testneed.Extra(t, "no --pictures asked for")
	}
	for _, light := range []bool{false, true} {
		b := looking(t, 8, func(o *Options) {
			if light {
				o.Prefs.Look = core.LookLight
			}
		})
		b.shell.win.Resize(fyne.NewSize(1440, 900))
		theme := map[bool]string{true: "light", false: "dark"}[light]
		for i, word := range []string{"good", "bad", "question"} {
			_, err := b.engine.Annotate(t.Context(), saved.Annotation{Turn: 8 - i, Verdict: word, Text: "the total is wrong"})
			require.NoError(t, err)
		}
		b.engine.notes.said <- struct{}{}
		b.await("notes", func(s core.State) bool { return len(s.Session.Notes) == 3 })
		b.command(core.CmdTurn)
		b.await("thumbs", func(s core.State) bool {
			return s.Session.Turns[7].Thumb != nil &&
				s.Session.Turns[3].Thumb != nil
		})
		b.settled()
		b.shoot("40-turn-" + theme)
		b.command(changes.CmdChanges)
		b.settled()
		b.shoot("41-changes-" + theme)
		b.shell.Dispatch(changes.ModeChosen(changes.Beside))
		b.await("texts", func(s core.State) bool { return changes.Of(s).Text != nil })
		b.settled()
		b.shoot("42-beside-" + theme)
		for _, m := range picture.PicturesModes() {
			b.shell.Dispatch(picture.PicturesChosen(m))
			b.await("pixels", func(s core.State) bool { return picture.Of(s).Compare.Diff != nil })
			b.settled()
			b.shoot("43-" + string(m) + "-" + theme)
		}
		b.shell.Dispatch(picture.PicturesChosen(""))
		b.shell.Dispatch(timeline.FilterTyped{Text: "errors"})
		b.await("scanned", func(s core.State) bool { return timeline.Of(s).Scanning == 0 })
		test.MoveMouse(b.shell.win.Canvas(), fyne.NewPos(80, 250))
		b.settled()
		b.shoot("44-filter-" + theme)
		b.command(notes.CmdNote)
		b.settled()
		b.shoot("45-note-" + theme)
		b.shell.Close()
	}
}
