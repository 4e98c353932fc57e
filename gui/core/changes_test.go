package core

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/snapshot"
)

func TestNewChanges(t *testing.T) {
	c := NewChanges(turnOf(1), later(2))
	require.Equal(t, 2, c.N)
	require.Equal(t, TurnChange{From: 1, Added: 1, Removed: 1, Changed: 1}, c.Count)
	require.Equal(t, "+1 −1 ~1", c.Count.Short())
	about := map[int]string{}
	for i, l := range c.Doc.Lines {
		require.NotContains(t, c.Doc.Text[l.Start:l.End], "\n")
		if l.Ref > 0 {
			about[l.Ref] = c.Doc.Text[l.Start:l.End]
		}
		switch l.Ref {
		case 2:
			require.Equal(t, -1, l.Node, "it is not in this turn")
			require.Equal(t, ToneBad, c.Tones.Of(i))
		case 4:
			require.Equal(t, 4, l.Node)
			require.Equal(t, ToneGood, c.Tones.Of(i))
		}
	}
	require.Equal(t, map[int]string{1: `~ [1] heading "Demo": renamed to "Cart"`, 2: `- [2] button "Buy" (display-none)`, 4: `+ [4] link "Terms - [1] forged"`}, about)
	last := c.Doc.Lines[len(c.Doc.Lines)-1]
	require.Equal(t, len(c.Doc.Text), last.End)
}

func TestNewNumbersAreNoChanges(t *testing.T) {
	next := turnOf(2)
	next.Capture.Frames[0].Loader = "reloaded"
	for i := range next.Capture.Nodes {
		if n := &next.Capture.Nodes[i]; n.Ref > 0 {
			n.Ref += 10
		}
	}
	c := NewChanges(turnOf(1), next).Count
	require.Equal(t, TurnChange{From: 1, Renumbered: 3}, c)
}

func TestTurnChangeShort(t *testing.T) {
	tests := []struct {
		name string
		c    TurnChange
		want string
	}{
		{"nothing", TurnChange{From: 1}, "same"},
		{"another page", TurnChange{Navigated: true, Added: 40}, "other page"},
		{"many", TurnChange{Added: 1200, Changed: 3}, "+1,200 ~3"},
		{"only moved", TurnChange{Moved: 12}, "12 moved"},
		{"a reload", TurnChange{Renumbered: 90}, "new numbers"},
		{"a reload with a change", TurnChange{Renumbered: 90, Changed: 1}, "~1"},
		{"only the page", TurnChange{Page: 1}, "page facts"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { require.Equal(t, tt.want, tt.c.Short()) })
	}
}

func TestChangesTab(t *testing.T) {
	require.Equal(t, "This is the first turn; there is nothing to compare it with. Capture again, or go on with J.", captured(t).ChangesSide().Left.Empty)
	require.NotEmpty(t, blank().ChangesSide().Left.Empty)

	s := changed(t)
	require.Same(t, s.Changes.Doc, s.ChangesSide().Left.Doc)
	require.Equal(t, "+1 −1 ~1", s.Session.Turns[1].Fact().Text)
	require.Equal(t, "Changes · +1 −1 ~1", s.SideText(SideChanges))
	s, _ = step(s, CommandChosen{CmdChanges})
	require.Equal(t, SideChanges, s.Side)

	s, _ = step(s, Picked{Ref: 4, Source: PaneDump})
	require.Equal(t, 4, s.Shot().Selected, "a line of the tab selects the box")
	require.Equal(t, 4, s.ChangesSide().Left.Selected)

	failed, _ := step(captured(t), CaptureAsked{}, Captured{Task: 5, Turn: later(2)})
	failed, _ = step(failed, Compared{Task: 6, Changes: &Changes{N: 2, Problem: &Problem{Sentence: "Turn 1 is damaged."}}})
	require.Equal(t, "Turn 1 is damaged.", failed.ChangesSide().Left.Empty)
	require.Nil(t, failed.Session.Turns[1].Change)

	away, effects := step(s, TurnChosen{1})
	away, _ = step(away, TurnLoaded{Task: effects[0].(LoadTurn).Task, N: 1, Turn: turnOf(1)})
	require.Nil(t, away.Changes)
	late, _ := step(away, Compared{Task: 6, Changes: s.Changes, Before: s.Before})
	require.Nil(t, late.Changes, "an answer about a turn that is not in view is dropped")
}

func TestTheTurnBefore(t *testing.T) {
	s := changed(t)
	s, _ = step(s, Picked{Ref: 2, Source: PaneDump})
	require.Equal(t, Selection{Node: -1, Ref: 2, Source: PaneDump}, s.Selected)
	require.Equal(t, "2 is not in this turn · B shows where it was", s.Shot().Missing)
	d := s.Details()
	require.Equal(t, "button “Buy”", d.Title)
	require.Equal(t, "It is not in turn 2 any more; this is what it was in turn 1.", d.Note.Text)

	back, _ := step(s, CommandChosen{CmdBefore})
	require.Same(t, s.Before.Scene, back.Shot().Scene)
	require.Equal(t, "before: turn 1 · B goes back to turn 2", back.Shot().Badge)
	require.Empty(t, back.Shot().Missing)
	require.True(t, back.Tools().Before)
	require.Equal(t, 2, back.Dump().Version/16, "the text stays that of the turn")
	again, _ := step(back, CommandChosen{CmdBefore})
	require.Same(t, s.Shown.Scene, again.Shot().Scene)
	esc, _ := step(back, Escaped{})
	require.False(t, esc.Back)

	first, _ := step(captured(t), CommandChosen{CmdBefore})
	require.False(t, first.Back, "the first turn has none before it")
}

func TestCaption(t *testing.T) {
	s := captured(t)
	require.Empty(t, s.Shot().Caption)
	s, _ = step(s, Hovered{Ref: 2, Source: PanePicture})
	require.Equal(t, "2 covered by 3 region “Cookies”", s.Shot().Caption)
	s, _ = step(s, Hovered{Ref: 1}, Picked{Ref: 2, Source: PaneDump})
	require.Empty(t, s.Shot().Caption, "what is pointed at comes first")
	s, _ = step(s, Hovered{})
	require.NotEmpty(t, s.Shot().Caption)
	for state, want := range map[snapshot.OcclusionState]string{
		snapshot.Partly: "2 partly covered by 3 region “Cookies”",
		snapshot.Clear:  "2 under glass, which lets clicks pass: 3 region “Cookies”",
	} {
		o := s.Shown.Capture.Nodes[2].Occlusion
		o.State, o.ClickThrough = state, state == snapshot.Clear
		require.Equal(t, want, s.Shot().Caption)
	}
}

func TestMarkedPictureChoices(t *testing.T) {
	s, effects := step(captured(t), CommandChosen{CmdMarked})
	require.Empty(t, effects)
	require.Equal(t, DialogMarking, s.Dialog)
	o := s.Marked
	require.Equal(t, MarkedOptions{View: overlay.ViewQA, Manifest: true, Legend: true}, o)
	o.View, o.Model, o.Renumber = overlay.ViewModel, "gpt-4o", true
	s, _ = step(s, MarkingChanged{o}, MarkingChanged{MarkedOptions{View: "x"}}, MarkingChanged{MarkedOptions{View: overlay.ViewQA, Model: "unheard of"}})
	require.Equal(t, o, s.Marked, "choices that do not exist change nothing")
	s, effects = step(s, MarkingConfirmed{})
	require.Equal(t, []Effect{AskPath{Export: Export{Kind: ExportMarked, Marked: o}, Name: "turn-0001-marked.png"}}, effects)
	require.Empty(t, s.Dialog)
	s, effects = step(s, ExportPlaced{Export{Kind: ExportMarked, Marked: o}, "/tmp/x.png"})
	id := effects[0].(WriteExport).Task
	s, _ = step(s, Exported{Task: id, Export: Export{Kind: ExportMarked}, Paths: []string{"/tmp/x.png", "/tmp/x.json", "/tmp/x.txt"}})
	require.Equal(t, "Wrote /tmp/x.png and 2 files beside it.", s.Strip().Text)

	s, _ = step(s, CommandChosen{CmdMarked}, Escaped{})
	require.Empty(t, s.Dialog)
	_, effects = step(s, MarkingConfirmed{})
	require.Empty(t, effects)
}
