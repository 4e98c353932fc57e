package changes_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/app"
	"github.com/refscope/refscope/gui/app/apptest"
	"github.com/refscope/refscope/gui/changes"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/core/coretest"
	"github.com/refscope/refscope/gui/details"
	"github.com/refscope/refscope/gui/export"
	"github.com/refscope/refscope/gui/picture"
	"github.com/refscope/refscope/gui/text"
	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/snapshot"
)

func TestNewChanges(t *testing.T) {
	c := core.NewChanges(apptest.TurnOf(1), apptest.Later(2))
	require.Equal(t, 2, c.N)
	require.Equal(t, core.TurnChange{From: 1, Added: 1, Removed: 1, Changed: 1}, c.Count)
	require.Equal(t, "+1 –1 ~1", c.Count.Short())
	about := map[int]string{}
	for _, r := range c.Rows.List {
		require.NotContains(t, r.Words(), "\n")
		if r.Ref == 0 {
			continue
		}
		about[r.Ref] = r.Words()
		switch r.Ref {
		case 2:
			require.Equal(t, core.ChangePicked{Node: -1, Ref: 2}, r.Pick, "it is not in this turn")
			require.Equal(t, core.ToneBad, r.Tone)
		case 4:
			require.Equal(t, core.ChangePicked{Node: 4, Ref: 4}, r.Pick)
			require.Equal(t, core.ToneGood, r.Tone)
		}
	}
	require.Equal(t, map[int]string{1: `~ heading “Demo” renamed to "Cart"`, 2: `– button “Buy” display-none`,
		4: `+ link “Terms - [1] forged”`}, about)
	require.Equal(t, []string{"Added", "Removed", "Changed"}, headings(c.Rows))
}

func headings(r *core.Rows) (titles []string) {
	for _, row := range r.List {
		if row.Kind == core.RowHead {
			titles = append(titles, row.Title)
		}
	}
	return titles
}

func TestNewNumbersAreNoChanges(t *testing.T) {
	next := apptest.TurnOf(2)
	next.Capture.Frames[0].Loader = "reloaded"
	for i := range next.Capture.Nodes {
		if n := &next.Capture.Nodes[i]; n.Ref > 0 {
			n.Ref += 10
		}
	}
	c := core.NewChanges(apptest.TurnOf(1), next)
	require.Equal(t, core.TurnChange{From: 1, Renumbered: 3}, c.Count)
	require.Len(t, c.Groups, 1)
	require.Equal(t, 3, c.Groups[0].Count, "one line tells of three elements")
	require.Contains(t, headings(c.Rows), "Changed alike")
	for _, r := range c.Rows.List {
		if r.Kind == core.RowHead && r.Title == "Changed alike" {
			require.Equal(t, []string{"2"}, r.Cells, "one line tells of two of them")
		}
	}
}

// TestOneCount: what the row says of numbers and places is what the chips say, of elements that changed in other ways
// too, and of such that two lines tell of.
func TestOneCount(t *testing.T) {
	next := apptest.TurnOf(2)
	next.Capture.Frames[0].Loader = "reloaded"
	for i := range next.Capture.Nodes {
		if n := &next.Capture.Nodes[i]; n.Ref > 0 {
			n.Ref += 10
			n.Box[0] += 40
			n.Box[2] += 10
			n.Name += " now"
		}
	}
	c := core.NewChanges(apptest.TurnOf(1), next)
	chips := map[core.ChangeGroup]int{}
	for _, g := range c.Groups {
		chips[g.Group] = g.Count
	}
	require.Positive(t, c.Count.Renumbered)
	require.Positive(t, c.Count.Moved)
	require.Positive(t, c.Count.Changed)
	require.Equal(t, c.Count.Renumbered, chips["renumbered"])
	require.Equal(t, c.Count.Moved, chips["moved"])
	require.Positive(t, c.Count.Resized)
	require.Equal(t, c.Count.Resized, chips["resized"])
}

// TestHeadingsCountAsTheRow: what only lies elsewhere, or has another size, is under no heading of what changed, and
// what is no larger or smaller than before is not said to be, nor what lies where it lay to be moved.
func TestHeadingsCountAsTheRow(t *testing.T) {
	next := apptest.TurnOf(2)
	changed := 0
	for i := range next.Capture.Nodes {
		if n := &next.Capture.Nodes[i]; n.Ref > 0 {
			switch changed++; changed {
			case 1:
				n.Name += " now"
			case 2:
				n.Box[0] += 40
			default:
				n.Box[2] += 10
			}
		}
	}
	c := core.NewChanges(apptest.TurnOf(1), next)
	require.Equal(t, 1, c.Count.Changed)
	require.Equal(t, 1, c.Count.Moved)
	require.Positive(t, c.Count.Resized)
	require.Equal(t, "1 changed, 1 moved, "+strconv.Itoa(c.Count.Resized)+" resized", c.Count.Words())
	heads := map[string][]string{}
	for _, r := range c.Rows.List {
		if r.Kind == core.RowHead {
			heads[r.Title] = r.Cells
		}
	}
	require.Equal(t, map[string][]string{"Changed": {"1"}, "Moved": {"1"},
		"Resized": {strconv.Itoa(c.Count.Resized)}}, heads)
}

func TestTurnChangeShort(t *testing.T) {
	tests := []struct {
		name string
		c    core.TurnChange
		want string
	}{
		{"nothing", core.TurnChange{From: 1}, "same"},
		{"another page", core.TurnChange{Navigated: true, Added: 40}, "other page"},
		{"many", core.TurnChange{Added: 1200, Changed: 3}, "+1,200 ~3"},
		{"only moved", core.TurnChange{Moved: 12}, "12 moved"},
		{"only resized", core.TurnChange{Resized: 12}, "12 resized"},
		{"a reload", core.TurnChange{Renumbered: 90}, "new numbers"},
		{"a reload with a change", core.TurnChange{Renumbered: 90, Changed: 1}, "~1"},
		{"only the page", core.TurnChange{Page: 1}, "page only"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { require.Equal(t, tt.want, tt.c.Short()) })
	}
}

func TestChangesTab(t *testing.T) {
	require.Equal(t, "This is the first turn; there is nothing to compare it with. Capture again, or go to the "+
		"next turn.", changes.ViewOf(apptest.Captured(t)).Left.Empty)
	require.NotEmpty(t, changes.ViewOf(apptest.Blank()).Left.Empty)

	s := apptest.Changed(t)
	require.Same(t, s.Changes.Rows, changes.ViewOf(s).List.Rows)
	require.Equal(t, "+1 –1 ~1", s.Session.Turns[1].Fact().Text)
	require.Equal(t, "Changes 3", coretest.SideText(s, changes.Side))
	s, _ = apptest.Step(s, core.CommandChosen{ID: changes.CmdChanges})
	require.Equal(t, changes.Side, s.Side)

	s, _ = apptest.Step(s, core.Picked{Ref: 4, Source: core.PaneDump})
	require.Equal(t, 4, picture.ViewOf(s).Selected, "a line of the tab selects the box")
	require.Equal(t, 4, changes.ViewOf(s).List.Selected)

	failed, _ := apptest.Step(apptest.Captured(t), core.CaptureAsked{}, core.Captured{Task: 5, Turn: apptest.Later(2)})
	failed, _ = apptest.Step(failed,
		core.Compared{Task: 6, Changes: &core.Changes{N: 2, Problem: &core.Problem{Sentence: "Turn 1 is damaged."}}})
	require.Equal(t, "Turn 1 is damaged.", changes.ViewOf(failed).Left.Empty)
	require.Nil(t, failed.Session.Turns[1].Change)

	away, _ := apptest.Step(s, core.TurnChosen{N: 1})
	require.Equal(t, 1, away.Current.N, "the turn before is ready")
	require.Nil(t, away.Changes)
	late, _ := apptest.Step(away, core.Compared{Task: 6, Changes: s.Changes, Before: s.Previous})
	require.Nil(t, late.Changes, "an answer about a turn that is not in view is dropped")
}

// TestUnseenChanges: where a turn has no page, or the capture of the turn before, nothing is said to have changed, and
// nothing to be the same.
func TestUnseenChanges(t *testing.T) {
	same := apptest.Changed(t)
	same.Current.Capture.TakenAt, same.Previous.Capture.TakenAt = time.Unix(1, 0), time.Unix(1, 0)
	v := changes.ViewOf(same)
	require.Equal(t, []core.StatusItem{{Text: "Turn 1 to 2", Tone: core.ToneMuted}}, v.Head)
	require.Equal(t, "Turns 1 and 2 have the same capture, so what changed between them is not known. "+
		"Compare with another turn (Shift+D).", v.List.Empty)
	require.Nil(t, v.List.Rows)

	without := apptest.Changed(t)
	without.Previous.Capture = &snapshot.Capture{}
	require.Equal(t, "No page belongs to turn 1, so what changed from turn 1 to turn 2 is not known. "+
		"Compare with another turn (Shift+D).", changes.ViewOf(without).List.Empty)
}

func TestTheTurnBefore(t *testing.T) {
	s := apptest.Changed(t)
	s, _ = apptest.Step(s, core.Picked{Ref: 2, Source: core.PaneDump})
	require.Equal(t, core.Selection{Node: -1, Ref: 2, Source: core.PaneDump}, s.Selected)
	require.Equal(t, "2 is not in this turn · B shows where it was", picture.ViewOf(s).Missing)
	d := details.ViewOf(s)
	require.Equal(t, "button “Buy”", d.Title)
	require.Equal(t, "Not in turn 2. These are its details from turn 1.", d.Note.Text)

	back, _ := apptest.Step(s, core.CommandChosen{ID: picture.CmdBefore})
	require.Same(t, s.Previous.Scene, picture.ViewOf(back).Scene)
	require.Equal(t, "Picture of turn 1, text of turn 2 · B goes back", picture.ViewOf(back).Badge)
	require.Empty(t, picture.ViewOf(back).Missing)
	require.True(t, picture.Tools(back).Before)
	require.Equal(t, 2, text.ViewOf(back).Version/16, "the text stays that of the turn")
	again, _ := apptest.Step(back, core.CommandChosen{ID: picture.CmdBefore})
	require.Same(t, s.Current.Scene, picture.ViewOf(again).Scene)
	esc, _ := apptest.Step(back, core.Escaped{})
	require.False(t, esc.ShowPrevious)

	first, _ := apptest.Step(apptest.Captured(t), core.CommandChosen{ID: picture.CmdBefore})
	require.False(t, first.ShowPrevious, "the first turn has none before it")
}

func TestCaption(t *testing.T) {
	s := apptest.Captured(t)
	require.Empty(t, picture.ViewOf(s).Caption)
	s, _ = apptest.Step(s, core.Hovered{Ref: 2, Source: core.PanePicture})
	require.Equal(t, "2 covered by 3 region “Cookies”", picture.ViewOf(s).Caption)
	s, _ = apptest.Step(s, core.Hovered{Ref: 1}, core.Picked{Ref: 2, Source: core.PaneDump})
	require.Empty(t, picture.ViewOf(s).Caption, "what is pointed at comes first")
	s, _ = apptest.Step(s, core.Hovered{})
	require.NotEmpty(t, picture.ViewOf(s).Caption)
	for state, want := range map[snapshot.OcclusionState]string{
		snapshot.Partly: "2 partly covered by 3 region “Cookies”",
		snapshot.Clear:  "2 hidden, but clicks pass through 3 region “Cookies”",
	} {
		o := s.Current.Capture.Nodes[2].Occlusion
		o.State, o.ClickThrough = state, state == snapshot.Clear
		require.Equal(t, want, picture.ViewOf(s).Caption)
	}
}

func TestMarkedPictureChoices(t *testing.T) {
	s, effects := apptest.Step(apptest.Captured(t), core.CommandChosen{ID: export.CmdMarked})
	require.Empty(t, effects)
	require.Equal(t, core.DialogMarking, s.Dialog)
	o := export.Of(s).Marked
	require.Equal(t, export.MarkedOptions{View: overlay.ViewQA, Manifest: true, Legend: true}, o)
	o.View, o.Model, o.Renumber = overlay.ViewModel, "gpt-4o", true
	o.Style, o.Palette = overlay.StyleFirst, overlay.PaletteTints
	require.Equal(t, overlay.StyleFirst, o.Scene().Style)
	require.Equal(t, overlay.PaletteTints, o.Scene().Palette)
	s, _ = apptest.Step(s, export.MarkingChanged(o),
		export.MarkingChanged(export.MarkedOptions{View: "x"}),
		export.MarkingChanged(export.MarkedOptions{View: overlay.ViewQA, Model: "unheard of"}))
	require.Equal(t, o, export.Of(s).Marked, "choices that do not exist change nothing")
	s, effects = apptest.Step(s, export.MarkingConfirmed())
	require.Equal(t, []core.Effect{export.AskPath{Export: export.Export{Kind: export.ExportMarked, Marked: o},
		Name: "turn-0001-marked.png"}}, effects)
	require.Empty(t, s.Dialog)
	s, effects = apptest.Step(s, export.Placed{Export: export.Export{Kind: export.ExportMarked, Marked: o},
		Path: "/tmp/x.png"})
	id := effects[0].(export.WriteExport).Task
	s, _ = apptest.Step(s, export.Exported{Task: id, Export: export.Export{Kind: export.ExportMarked},
		Paths: []string{"/tmp/x.png", "/tmp/x.json", "/tmp/x.txt"}})
	require.Equal(t, "Wrote /tmp/x.png and 2 files next to it.", app.Note(s).Text)

	s, _ = apptest.Step(s, core.CommandChosen{ID: export.CmdMarked}, core.Escaped{})
	require.Empty(t, s.Dialog)
	_, effects = apptest.Step(s, export.MarkingConfirmed())
	require.Empty(t, effects)
}

// TestRenumbered: after a reload a chip names an element by its new number and the old one, and the
// last chip counts the elements that have none.
func TestRenumbered(t *testing.T) {
	before := coretest.Checkout()
	after := coretest.Checkout()
	for i := range after.Nodes {
		before.Nodes[i].Ref, after.Nodes[i].Ref = i, i+4800
		after.Nodes[i].UID, after.Nodes[i].BackendNodeID = i+900, int64(i+900)
	}
	after.Nodes[0].Ref = 0
	after.Frames[0].Loader = "another"
	c := core.NewChanges(core.NewTurn(1, "goto", before, nil, nil), core.NewTurn(2, "goto", after, nil, nil))
	var chips []core.RowChip
	for _, r := range c.Rows.List {
		chips = append(chips, r.Chips...)
	}
	require.NotEmpty(t, chips)
	require.Equal(t, core.RowChip{Ref: 4801, Text: "was 1", Msg: core.ChangePicked{Node: -1, Ref: 4801}}, chips[0])
	require.Equal(t, "1 more", chips[len(chips)-1].Text)
}
