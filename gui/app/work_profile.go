package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/profile"
	"github.com/refscope/refscope/profiles"
)

// typingPause is how long nothing is typed before a text is checked.
const typingPause = 250 * time.Millisecond

// latest runs work of which only the newest matters, one at a time.
type latest struct {
	count atomic.Int64
	busy  sync.Mutex
}

// run calls work, unless it is newer work's turn or ctx has ended. number is what
// [latest.ask] gave.
func (l *latest) run(ctx context.Context, number int64, work func() core.Msg) core.Msg {
	l.busy.Lock()
	defer l.busy.Unlock()
	if l.count.Load() != number || ctx.Err() != nil {
		return nil
	}
	return work()
}

func (l *latest) ask() int64 { return l.count.Add(1) }

// profileWork starts the work that is about profiles.
func (r *runner) profileWork(e core.Effect) bool {
	switch e := e.(type) {
	case profile.FindProfile:
		r.task(0, func(ctx context.Context, _ func(string)) core.Msg { return r.findProfile(ctx, e) })
	case profile.CheckProfile:
		number := r.checks.ask()
		r.task(0, func(ctx context.Context, _ func(string)) core.Msg {
			if e.Typed && !pause(ctx, typingPause) {
				return nil
			}
			return r.checks.run(ctx, number, func() core.Msg {
				return profile.Checked{Domain: e.Domain, Check: checkProfile(e, r.counter.Count, time.Now())}
			})
		})
	case profile.SaveProfile:
		r.task(0, func(ctx context.Context, _ func(string)) core.Msg { return r.saveProfile(ctx, e) })
	case profile.MakeProfile:
		r.task(0, func(context.Context, func(string)) core.Msg {
			return profile.Made{Domain: e.Domain, Text: profiles.FromPage(e.Domain, time.Now(), e.Turn.Capture)}
		})
	case profile.ImportProfiles:
		r.task(0, func(ctx context.Context, _ func(string)) core.Msg { return r.importProfiles(ctx) })
	case profile.ListRevisions:
		r.task(0, func(ctx context.Context, _ func(string)) core.Msg {
			list, err := r.engine.Revisions(ctx, e.Domain)
			m := profile.RevisionsListed{Domain: e.Domain, Revisions: []profile.Revision{}, Problem: r.problem("profile history", err)}
			for i := len(list) - 1; i >= 0; i-- {
				m.Revisions = append(m.Revisions, profile.Revision{N: list[i].N, Text: list[i].Text, Time: list[i].Time})
			}
			return m
		})
	case profile.DiffRevision:
		r.task(0, func(context.Context, func(string)) core.Msg {
			return profile.Diffed{Domain: e.Domain, N: e.Revision.N, Seq: e.Seq, Diff: core.NewTextDiff(e.Revision.Text, e.Text)}
		})
	default:
		return false
	}
	return true
}

// pause waits, and reports whether it did until the end.
func pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

func fileOf(f *profiles.File) profile.File {
	return profile.File{Domain: f.Domain, Text: f.Text, Version: string(f.Version), Path: f.Path, Fallback: f.Fallback}
}

func (r *runner) findProfile(ctx context.Context, e profile.FindProfile) core.Msg {
	f, err := r.engine.FindProfile(ctx, e.URL)
	if errors.Is(err, profiles.ErrNoDomain) {
		err = &core.Hinted{Err: errors.New("this page has no site that a profile could be kept for"), Hint: "Only pages at http and https addresses have one."}
		return profile.Found{Seq: e.Seq, Problem: core.ProblemOf(err)}
	}
	if err != nil {
		return profile.Found{Seq: e.Seq, Problem: r.problem("profile", err)}
	}
	return profile.Found{Seq: e.Seq, File: fileOf(f), Rule: lookupRule(e.URL, f)}
}

// lookupRule says how the profile was found for an address.
func lookupRule(url string, f *profiles.File) string {
	names, err := profiles.Candidates(url)
	if err != nil || len(names) == 0 {
		return ""
	}
	own := names[0]
	switch {
	case f.Version == "":
		return "No profile at " + strings.Join(names, ", ")
	case f.Domain == own:
		return "Saved for this host"
	case strings.HasPrefix(own, f.Domain+"_"):
		return "Saved for this host, any port"
	}
	return "Saved for the parent domain of " + own
}

func (r *runner) saveProfile(ctx context.Context, e profile.SaveProfile) core.Msg {
	m := profile.Saved{Domain: e.Base.Domain}
	for _, p := range profiles.Lint(e.Text, time.Now()) {
		row := profile.Row{Line: p.Line, Text: p.Text, Tone: core.ToneWarn}
		if p.Fatal {
			m.Faults = append(m.Faults, row)
		} else {
			m.Doubts = append(m.Doubts, row)
		}
	}
	if len(m.Faults) > 0 {
		return m
	}
	f, err := r.engine.SaveProfile(ctx, e.Base.Domain, e.Text, profiles.Version(e.Base.Version))
	var c *profiles.Conflict
	switch {
	case errors.As(err, &c):
		merged, clean := profiles.Merge(e.Base.Text, c.Yours, c.Theirs)
		m.Conflict = &profile.Conflict{Text: c.Theirs, Version: string(c.Now), Merged: merged, Clean: clean, Diff: core.NewTextDiff(c.Theirs, c.Yours)}
	case err != nil:
		m.Problem = r.problem("profile", fmt.Errorf("the profile of %s cannot be saved: %w", e.Base.Domain, err))
		if m.Problem.Hint == "" && errors.Is(err, fs.ErrPermission) {
			m.Problem.Hint = "Look at the permissions of its folder. The text stays in the editor."
		}
	default:
		m.File = fileOf(f)
	}
	return m
}

func (r *runner) importProfiles(ctx context.Context) core.Msg {
	folder, files, err := r.engine.ImportProfiles(ctx)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil // no folder, no profiles
	}
	m := profile.Imported{Folder: folder, Problem: r.problem("profile import", err)}
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
