package profile

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/profiles"
)

// Engine is where the profiles of sites are kept.
type Engine interface {
	// FindProfile finds the profile for an address. Where there is none, the file has
	// the name and the path that one would get, and no version; the error is
	// [profiles.ErrNoDomain] where the address can have none.
	FindProfile(ctx context.Context, url string) (*profiles.File, error)
	// SaveProfile replaces a domain's profile where the file is still of version base;
	// else the error is a [profiles.Conflict].
	SaveProfile(ctx context.Context, domain, text string, base profiles.Version) (*profiles.File, error)
	// Unsaved are the texts that were kept and not saved, KeepUnsaved keeps such and forgets those of other domains.
	Unsaved(ctx context.Context) ([]profiles.Unsaved, error)
	KeepUnsaved(ctx context.Context, texts []profiles.Unsaved, gone []string) error
	// Revisions are the versions of a domain's profile that were replaced, oldest first.
	Revisions(ctx context.Context, domain string) ([]profiles.Revision, error)
	// ImportProfiles copies the profiles of cdp-skill and reports their folder.
	ImportProfiles(ctx context.Context) (folder string, files []profiles.Imported, err error)
}

// typingPause is how long nothing is typed before a text is checked.
const typingPause = 250 * time.Millisecond

// Pause implements [core.LatestWork].
func (e CheckProfile) Pause() time.Duration {
	if e.Typed {
		return typingPause
	}
	return 0
}

// Do implements [core.Work].
func (e CheckProfile) Do(_ context.Context, w *core.Worker) core.Msg {
	return Checked{Domain: e.Domain, Check: checkProfile(e, w.Counter.Count, time.Now())}
}

// Do implements [core.Work].
func (e makeProfile) Do(context.Context, *core.Worker) core.Msg {
	return made(e.Domain, profiles.FromPage(e.Domain, time.Now(), e.Turn.Capture))
}

// Do implements [core.Work].
func (e readRevisions) Do(ctx context.Context, w *core.Worker) core.Msg {
	list, err := core.EngineOf[Engine](w).Revisions(ctx, e.Domain)
	m := revisionsListed{Domain: e.Domain, Revisions: []profiles.Revision{}, Problem: w.Problem("profile history", err)}
	for _, r := range slices.Backward(list) {
		m.Revisions = append(m.Revisions, r)
	}
	return m
}

// Do implements [core.Work].
func (e compareRevision) Do(context.Context, *core.Worker) core.Msg {
	return diffed(e, core.NewTextDiff(e.Revision.Text, e.Text))
}

// Do implements [core.Work].
func (e FindProfile) Do(ctx context.Context, w *core.Worker) core.Msg {
	f, err := core.EngineOf[Engine](w).FindProfile(ctx, e.URL)
	if errors.Is(err, profiles.ErrNoDomain) {
		err = &core.Hinted{Err: errors.New("this page has no site that a profile could be kept for"),
			Hint: "Only pages at http and https addresses have one."}
		return Found{Seq: e.Seq, Problem: core.ProblemOf(err)}
	}
	if err != nil {
		return Found{Seq: e.Seq, Problem: w.Problem("profile", err)}
	}
	return Found{Seq: e.Seq, File: *f, Rule: lookupRule(e.URL, f)}
}

// Do implements [core.Work].
func (recoverUnsaved) Do(ctx context.Context, w *core.Worker) core.Msg {
	texts, err := core.EngineOf[Engine](w).Unsaved(ctx)
	if err != nil {
		w.Log.Warn("unsaved profiles cannot be read", "error", err)
	}
	return recovered(texts)
}

// Pause implements [core.LatestWork].
func (lookAgain) Pause() time.Duration { return time.Second }

// Do implements [core.Work].
func (e lookAgain) Do(ctx context.Context, w *core.Worker) core.Msg {
	f, err := core.EngineOf[Engine](w).FindProfile(ctx, e.URL)
	return lookedAgain(e, err != nil || f.Domain != e.Domain || f.Version != e.Version)
}

// lookupRule describes how the profile was found for an address.
func lookupRule(url string, f *profiles.File) string {
	names, err := profiles.Candidates(url)
	if err != nil || len(names) == 0 {
		return ""
	}
	own := names[0]
	switch {
	case f.Version == "":
		return "Looked for " + strings.Join(names, ", ")
	case f.Domain == own:
		return "Saved for this host"
	case strings.HasPrefix(own, f.Domain+"_"):
		return "Saved for this host, any port"
	}
	return "Saved for the parent domain of " + own
}

// Do implements [core.Work].
func (e SaveProfile) Do(ctx context.Context, w *core.Worker) core.Msg {
	m := Saved{Domain: e.Base.Domain}
	for _, p := range profiles.Lint(e.Text, time.Now()) {
		row := Row{Line: p.Line, Text: p.Text, Tone: core.ToneWarn}
		if p.Fatal {
			m.Faults = append(m.Faults, row)
		} else {
			m.Doubts = append(m.Doubts, row)
		}
	}
	if len(m.Faults) > 0 {
		return m
	}
	f, err := core.EngineOf[Engine](w).SaveProfile(ctx, e.Base.Domain, e.Text, e.Base.Version)
	var c *profiles.Conflict
	switch {
	case errors.As(err, &c):
		merged, clean := profiles.Merge(e.Base.Text, c.Yours, c.Theirs)
		m.Conflict = &Conflict{Text: c.Theirs, Version: c.Now, Merged: merged, Clean: clean,
			Diff: core.NewTextDiff(c.Theirs, c.Yours)}
	case err != nil:
		m.Problem = w.Problem("profile", fmt.Errorf("the profile of %s cannot be saved: %w", e.Base.Domain, err))
		m.Problem.Hint = cmp.Or(m.Problem.Hint, "The text stays in the editor.")
	default:
		m.File = *f
	}
	return m
}

// Pause implements [core.LatestWork].
func (KeepUnsaved) Pause() time.Duration { return 0 }

// Do implements [core.Work].
func (e KeepUnsaved) Do(ctx context.Context, w *core.Worker) core.Msg {
	return unsavedKept(w.Problem("unsaved profiles", core.EngineOf[Engine](w).KeepUnsaved(ctx, e.Texts, e.Gone)))
}

// Do implements [core.Work].
func (e forgetUnsaved) Do(ctx context.Context, w *core.Worker) core.Msg {
	if err := core.EngineOf[Engine](w).KeepUnsaved(ctx, nil, e.Gone); err != nil {
		w.Log.Warn("unsaved profiles cannot be forgotten", "error", err)
	}
	return unsavedForgotten()
}

// Do implements [core.Work].
func (ImportProfiles) Do(ctx context.Context, w *core.Worker) core.Msg {
	folder, files, err := core.EngineOf[Engine](w).ImportProfiles(ctx)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil // no folder, no profiles
	}
	m := Imported{Folder: folder, Problem: w.Problem("profile import", err)}
	for _, f := range files {
		switch f.Outcome {
		case profiles.Taken:
			m.Taken++
		case profiles.Same:
			m.Same++
		case profiles.Kept:
			m.Kept++
		default:
			m.Refused++
		}
	}
	return m
}
