package profile

import (
	"slices"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/profiles"
	"github.com/refscope/refscope/snapshot/text"
)

// Texts that are not saved are on disk as soon as something is typed, so that a crash does not take them; the next
// window has them in its editor again.

// keptDraft is a draft whose text is on disk, by what tells one text of it from another.
type keptDraft struct {
	domain  string
	version profiles.Version
	seq     int
}

type (
	// KeepUnsaved keeps the texts that are not saved and forgets those that are. Only the newest matters, so it names
	// all.
	KeepUnsaved struct {
		Texts []profiles.Unsaved
		Gone  []string
	}
	// forgetUnsaved forgets texts that a person gave up, before the window closes.
	forgetUnsaved struct{ Gone []string }
	// recoverUnsaved looks for the texts that an earlier window has not saved.
	recoverUnsaved struct{}
)

// Began looks for what an earlier window has not saved: a person is told before they edit it elsewhere.
func Began() core.Msg { return core.Wanted(recoverUnsaved{}) }

// keep is called after every message: no way to change a text can be forgotten.
func keep(s core.State) (core.State, []core.Effect) {
	drafts := Of(s).Drafts
	var now []keptDraft
	for i := range drafts {
		if d := &drafts[i]; d.Unsaved() {
			now = append(now, keptDraft{d.File.Domain, d.File.Version, d.Seq})
		}
	}
	if slices.Equal(now, Of(s).Kept) {
		return s, nil
	}
	edit(&s).Kept = now
	var e KeepUnsaved
	for i := range drafts {
		if d := &drafts[i]; d.Unsaved() {
			e.Texts = append(e.Texts, profiles.Unsaved{Domain: d.File.Domain, Text: d.Text, BaseText: d.File.Text,
				Base: d.File.Version})
		} else {
			e.Gone = append(e.Gone, d.File.Domain)
		}
	}
	return s, []core.Effect{e}
}

// unsavedKept answers [KeepUnsaved].
func unsavedKept(problem *core.Problem) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		if problem != nil {
			s.Complain(taskProfile, problem)
		}
		return s, nil
	})
}

// unsavedForgotten answers [forgetUnsaved].
func unsavedForgotten() core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		return s, []core.Effect{core.Quit{}}
	})
}

// recovered answers [recoverUnsaved].
func recovered(texts []profiles.Unsaved) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		restore(&s, texts)
		return check(s)
	})
}

// restore puts what an earlier window has not saved into the editor. A text whose profile was changed meanwhile
// keeps the version that it was made from, so that saving it finds the conflict.
func restore(s *core.State, texts []profiles.Unsaved) {
	var names []string
	for _, u := range texts {
		d := draftOf(*s, u.Domain)
		if d != nil && (d.Unsaved() || d.File.Text == u.Text) {
			continue
		}
		file := profiles.File{Domain: u.Domain, Text: u.BaseText, Version: u.Base}
		if d == nil {
			edit(s).Drafts = append(slices.Clip(Of(*s).Drafts), Draft{File: file, Text: u.Text, Given: 1})
		} else {
			withDraft(s, u.Domain, func(d *Draft) {
				if d.File.Version != file.Version {
					d.File.Text, d.File.Version = file.Text, file.Version
				}
				d.Replace(u.Text, 0)
			})
		}
		names = append(names, text.Cut(text.Line(u.Domain), 60))
	}
	if len(names) == 0 || s.Notice != nil && !s.Notice.Calm() {
		return // the badge of the side says it, beside what is wrong
	}
	what := "An unsaved text of the profile of " + names[0] + " is back in the editor."
	if len(names) > 1 {
		what = "Unsaved texts of " + text.Count(len(names), "profile", "profiles") +
			" are back in the editor, such as that of " + names[0] + "."
	}
	s.Notice = &core.Notice{Tone: core.ToneWarn, Source: taskProfile, Command: CmdProfile, Text: what,
		Hint: "It was typed in a window and never saved. Revert takes the saved text."}
}
