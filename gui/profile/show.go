package profile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/profiles"
	"github.com/refscope/refscope/snapshot/text"
)

// Ids of the commands of the side Profile.
const (
	CmdProfile        = "side.profile"
	CmdProfileSave    = "profile.save"
	CmdProfileMake    = "profile.make"
	CmdProfileImport  = "profile.import"
	CmdProfileRevert  = "profile.revert"
	CmdProfileEdit    = "profile.edit"
	CmdProfilePreview = "profile.preview"
	CmdProfileHistory = "profile.history"
	CmdProfileChecks  = "profile.checks"
	CmdProfileWhole   = "profile.whole"
	CmdProfileRestore = "profile.restore"
	CmdProfileFocus   = "profile.focus"
)

// taskProfile marks notices about profiles.
const taskProfile core.TaskKind = 100

func commands(core.State) []core.Command {
	const m = "Tools"
	open := func(s core.State) bool { return s.Side == Side && OpenDraft(s) != nil }
	view := func(id, title string, v Part) core.Command {
		return core.Command{ID: id, Title: title, Menu: m, Enabled: open, Checked: func(s core.State) bool {
			return open(s) && Of(s).View == v
		}, Msg: core.Send(viewed(v))}
	}
	list := []core.Command{
		{ID: CmdProfileSave, Title: "Save the profile", Menu: m, Key: "Ctrl+Shift+S", Gap: true,
			Enabled: CanSave, Msg: core.Send(SaveAsked())},
		{ID: CmdProfileMake, Title: "Make a profile from this page", Menu: m,
			Enabled: func(s core.State) bool {
				return open(s) && s.Current != nil && strings.TrimSpace(OpenDraft(s).Text) == ""
			}, Msg: core.Send(makeAsked())},
		{ID: CmdProfileImport, Title: "Import profiles from cdp-skill", Menu: m, Enabled: core.Always,
			Msg: core.Send(importAsked())},
		{ID: CmdProfileRevert, Title: "Revert to the saved profile", Menu: m,
			Enabled: func(s core.State) bool { return open(s) && OpenDraft(s).Unsaved() }, Msg: core.Send(reverted{})},
		view(CmdProfileEdit, "Profile: text", ProfileEdit),
		view(CmdProfilePreview, "Profile: preview", ProfilePreview),
		view(CmdProfileHistory, "Profile: history", ProfileHistory),
		{ID: CmdProfileFocus, Title: "Profile: edit text", Menu: m, Enabled: open,
			Msg: core.Send(core.Wanted(focusProfile{}))},
		{ID: CmdProfileChecks, Title: "Profile: show checks", Menu: m, Enabled: open,
			Checked: func(s core.State) bool { return Of(s).Checks }, Msg: func(s core.State) core.Msg {
				return checksToggled(!Of(s).Checks)
			}},
		{ID: CmdProfileWhole, Title: "Profile: show all lines", Menu: m, Enabled: open,
			Checked: func(s core.State) bool { return Of(s).Whole }, Msg: core.Send(wholeToggled())},
		{ID: CmdProfileRestore, Title: "Profile: load the chosen version", Menu: m,
			Enabled: func(s core.State) bool {
				return open(s) && Of(s).View == ProfileHistory &&
					OpenDraft(s).Chosen > 0
			}, Msg: core.Send(restored())},
	}
	list = append(list, core.Command{ID: core.CmdProfileRule, Title: "Profile: the rule that leaves the element out",
		Menu: m, Enabled: func(s core.State) bool { return ruleOf(s) != "" },
		Msg: func(s core.State) core.Msg { return ruleAsked(ruleOf(s)) }})
	for i, c := range []struct {
		choice ConflictChoice
		title  string
	}{{KeepBoth, "Profile: merge both texts"}, {KeepMine, "Profile: use my text"}, {
		TakeTheirs, "Profile: use their text"}} {
		list = append(list, core.Command{ID: "profile.conflict." + string(c.choice), Title: c.title, Menu: m,
			Gap:     i == 0,
			Enabled: func(s core.State) bool { return open(s) && OpenDraft(s).Theirs != nil },
			Msg:     core.Send(Resolved(c.choice))})
	}
	list = append(list, core.Command{ID: "profile.other", Title: "Profile: next unsaved profile", Menu: m,
		Enabled: func(s core.State) bool { return nextUnsaved(s) != "" }, Msg: func(s core.State) core.Msg {
			return draftChosen(nextUnsaved(s))
		}})
	list = append(list, core.Command{ID: CmdProfileRecipes, Title: "Profile: run a recipe", Menu: m,
		Enabled: canRunRecipes, Msg: core.Send(core.Wanted(focusRecipes{}))})
	list[4].Gap = true
	return list
}

// ruleOf is the filter that leaves the selected element out of the turn in view, "" for none.
func ruleOf(s core.State) string {
	if t, n := s.Subject(); n != nil && t == s.Current {
		return n.FilteredBy
	}
	return ""
}

// nextUnsaved is the domain of an unsaved text beside the one in the editor, "" for none.
func nextUnsaved(s core.State) string {
	names := unsaved(s)
	for i := range names {
		if n := names[(slices.Index(names, Of(s).Open)+1+i)%len(names)]; n != Of(s).Open {
			return n
		}
	}
	return ""
}

// badges mark a draft that is not saved.
func badges(s core.State) []core.StatusItem {
	if len(unsaved(s)) > 0 {
		return []core.StatusItem{{Text: "unsaved", Tone: core.ToneWarn}}
	}
	return nil
}

// VM is what the side Profile shows. Compare with [VM.Equal].
type VM struct {
	// Empty is the sentence in place of all, with the next action; Missing means that
	// there is no profile yet, in place of an editor.
	Empty, Missing string
	Domain         string
	// Facts are which file, which rule, and whether it is saved.
	Facts []core.StatusItem
	Path  string
	View  Part
	// Text, Given, Cursor: see [Draft].
	Text          string
	Given, Cursor int
	CanSave       bool
	CanRevert     bool
	// Others are unsaved domains beside this one.
	Others []string
	// Conflict is what somebody else saved, nil for none.
	Conflict *Conflict

	Check *Check
	// Fresh: Check is of the text in the editor.
	Fresh         bool
	Checks, Whole bool
	Bar           []core.StatusItem // over the effect
	// Fault is the first line that does nothing, "" for none.
	Fault string
	// CheckList is what lint and the trial found.
	CheckList core.ListVM
	// Effect are the lines that differ, EffectText the whole text with them in it.
	Effect     core.ListVM
	EffectText core.DumpVM

	History []profiles.Revision
	Chosen  int
	Diff    core.DumpVM
	// CanRun: the recipes can be run.
	CanRun bool
}

// Equal reports whether both show the same. What is big is immutable, so pointers and
// first elements represent it; a text that was typed differs in few places at most and is
// compared.
func (v VM) Equal(o VM) bool {
	return v.Empty == o.Empty && v.Missing == o.Missing && v.Domain == o.Domain && v.Path == o.Path &&
		v.View == o.View && v.Given == o.Given && v.Cursor == o.Cursor &&
		v.CanSave == o.CanSave && v.CanRevert == o.CanRevert && v.Conflict == o.Conflict &&
		v.Check == o.Check && v.Fault == o.Fault && v.CheckList == o.CheckList && v.Fresh == o.Fresh &&
		v.Checks == o.Checks && v.Whole == o.Whole && v.Effect == o.Effect && v.EffectText == o.EffectText &&
		core.Same(v.History, o.History) && v.Chosen == o.Chosen && v.Diff == o.Diff && v.CanRun == o.CanRun &&
		slices.Equal(v.Facts, o.Facts) && slices.Equal(v.Bar, o.Bar) && slices.Equal(v.Others, o.Others) &&
		v.Text == o.Text
}

// ViewOf is what the side Profile shows.
func ViewOf(s core.State) VM {
	v := VM{View: Of(s).View, Checks: Of(s).Checks, Whole: Of(s).Whole}
	d := OpenDraft(s)
	for _, domain := range unsaved(s) {
		if domain != Of(s).Open {
			v.Others = append(v.Others, domain)
		}
	}
	switch {
	case d != nil:
	case Of(s).Problem != nil:
		v.Empty = strings.TrimSpace(Of(s).Problem.Sentence + " " + Of(s).Problem.Hint)
		return v
	case Of(s).Looking:
		v.Empty = "Looking for the profile…"
		return v
	default:
		v.Empty = s.EmptySentence("The profile of the page's site appears here after the first capture.")
		return v
	}
	v.Domain, v.Path, v.Text, v.Given, v.Cursor = d.File.Domain, d.File.Path, d.Text, d.Given, d.Cursor
	v.Conflict = d.Theirs
	v.CanSave = (d.Unsaved() || d.File.Fallback) && !d.Saving && d.Theirs == nil
	v.CanRevert = d.Unsaved()
	if !d.Exists() && d.Text == "" && len(d.past)+len(d.Future) == 0 {
		v.Missing = "No profile for " + text.Cut(text.Line(d.File.Domain), 80) + " yet."
	}
	v.Facts = d.facts()
	v.Check, v.Fresh = d.Check, d.Check != nil && d.Check.Seq == d.Seq && d.Check.Turn == s.Current
	v.Fault = d.Check.fault()
	v.CheckList.Empty = "Reading the text…"
	if d.Check != nil {
		v.CheckList = core.ListVM{Rows: d.Check.List, Empty: ""}
		if len(d.Check.Rows) == 0 {
			v.CheckList.Empty = "The text has no problems, and no rules to try."
		}
	}
	v.effect(s, d)
	v.History, v.Chosen = d.History, d.Chosen
	v.Diff = d.diffView()
	v.CanRun = canRunRecipes(s)
	return v
}

func (d *Draft) facts() []core.StatusItem {
	var out []core.StatusItem
	switch {
	case d.Saving:
		out = append(out, core.StatusItem{Text: "saving…", Tone: core.ToneMuted})
	case d.Theirs != nil:
		out = append(out, core.StatusItem{Text: "● conflict", Tone: core.ToneBad})
	case d.Unsaved():
		out = append(out, core.StatusItem{Text: "● unsaved", Tone: core.ToneWarn})
	case d.Exists():
		out = append(out, core.StatusItem{Text: "saved", Tone: core.ToneGood})
	}
	out = append(out, core.StatusItem{Text: text.Cut(text.Line(d.Rule), 120), Tone: core.ToneMuted})
	if d.File.Fallback {
		out = append(out, core.StatusItem{Text: "read from cdp-skill; saving makes a copy", Tone: core.ToneMuted})
	}
	return out
}

// effect is what the profile does to the turn, and the bar over it.
func (v *VM) effect(s core.State, d *Draft) {
	v.Effect = s.List()
	v.EffectText = core.DumpVM{Selected: s.Selected.Ref, Hover: s.Hover.Ref}
	c := d.Check
	switch {
	case s.Current == nil:
		v.Effect.Empty = "What the profile does to a page appears here after the first capture."
		return
	case c == nil || c.Turn != s.Current:
		v.Effect.Empty = "Trying the profile on turn " + text.Thousands(s.Current.N) + "…"
		return
	case c.Effect == nil:
		v.Effect.Empty = c.Why
		return
	}
	whose := "Saved profile"
	switch {
	case d.Unsaved():
		whose = "Unsaved profile"
	case !d.Exists():
		whose = "No profile"
	}
	v.Bar = []core.StatusItem{{Text: whose + ", turn " + text.Thousands(c.Turn.N) + " as " + string(c.Format),
		Tone: core.ToneNormal}}
	v.Bar = append(v.Bar, c.Effect.Counts.Facts()...)
	if c.Redacted > 0 {
		v.Bar = append(v.Bar, core.StatusItem{Text: text.Count(c.Redacted, "text", "texts") + " withheld",
			Tone: core.ToneNormal})
	}
	if c.Unknown > 0 {
		v.Bar = append(v.Bar, core.StatusItem{Text: text.Count(c.Unknown, "element", "elements") +
			" may come back, capture to see",
			Tone: core.ToneWarn})
	}
	if !v.Fresh {
		v.Bar = append(v.Bar, core.StatusItem{Text: "…", Tone: core.ToneMuted})
	}
	if !c.Effect.Counts.Any() {
		v.Effect.Empty = "The profile changes no line of this turn."
		if c.Unknown > 0 {
			v.Effect.Empty = "No line of this turn changes that can be known here: " +
				text.Count(c.Unknown, "element", "elements") + " may come back. Capture to see them."
		} else if c.Already > 0 {
			v.Effect.Empty += " It left out " + text.Count(c.Already, "element", "elements") +
				" when the turn was recorded."
		}
	}
	v.Effect.Rows = c.Effect.Differ
	v.EffectText.Doc, v.EffectText.Tones, v.EffectText.Version = c.Effect.Whole.Doc, c.Effect.Whole.Tones, c.Seq+1
}

func (d *Draft) diffView() core.DumpVM {
	var v core.DumpVM
	switch {
	case d.History == nil:
		v.Empty = "Listing the versions…"
	case len(d.History) == 0:
		v.Empty = "There is no older version yet. Each save keeps the one before."
	case d.Diff == nil:
		v.Empty = "Comparing…"
	case len(d.Diff.Doc.Lines) == 0:
		v.Empty = fmt.Sprintf("Version %d is the text in the editor.", d.Chosen)
	default:
		v.Doc, v.Tones, v.Version = d.Diff.Doc, d.Diff.Tones, d.Chosen
	}
	return v
}

// diffed answers [compareRevision]. diff has no line where the two are the same.
func diffed(e compareRevision, diff *core.ComparedText) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		withDraft(&s, e.Domain, func(d *Draft) {
			if d.Chosen == e.Revision.N && d.Seq == e.Seq {
				d.Diff = diff
			}
		})
		return s, nil
	})
}

// UnsavedVM is the question before the window closes. Saves: there is something to save.
type UnsavedVM struct {
	Text  string
	Saves bool
}

// UnsavedQuestion is what the dialog asks.
func UnsavedQuestion(s core.State) UnsavedVM {
	names := unsaved(s)
	say := s.Unfinished()
	for i := range names {
		names[i] = text.Cut(text.Line(names[i]), 80)
	}
	switch {
	case len(names) > 1:
		say = append(say, "The profiles of "+strings.Join(names, ", ")+" are not saved.")
	case len(names) == 1:
		say = append(say, "The profile of "+names[0]+" is not saved.")
	case len(say) == 0:
		say = []string{"All is finished and saved now."}
	}
	return UnsavedVM{strings.Join(say, "\n"), len(names) > 0}
}

// Room is the side of what is known of the site.
func Room() core.Room {
	return core.Room{Name: "profile", Commands: commands, AfterUpdate: keep,
		Side: &core.SideRow{Side: Side, Title: "Profile", Command: CmdProfile, Does: "what is known of the page's site",
			Key: "E", Place: 6, Whole: true, Badges: badges, AfterUpdate: fill}}
}

// Side is what is known of the site.
const Side core.Side = "profile"

// Shown is the check of the text in the editor, where the side is in view and the check is of the turn in view; else
// nil.
func Shown(s core.State) *Check {
	d := OpenDraft(s)
	if d == nil || s.Side != Side || d.Check == nil || d.Check.Turn == nil || d.Check.Turn != s.Current {
		return nil
	}
	return d.Check
}

// CanSave reports whether the open profile has what is not on the disk.
func CanSave(s core.State) bool {
	d := OpenDraft(s)
	return d != nil && (d.Unsaved() || d.File.Fallback) && !d.Saving
}
