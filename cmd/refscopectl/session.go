package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/snapshot/turn"
)

// sessionFlags are the flags of session's verbs.
type sessionFlags struct {
	out             string
	verdict, by     string
	ref, undo       int
	follow, damaged bool
	report          reportFlags
}

// sessions runs the verbs of session.
func sessions(ctx context.Context, a *app, args []string) error {
	var f sessionFlags
	var set *flag.FlagSet
	rest, err := a.globals("refscopectl session", args, func(fs *flag.FlagSet) {
		set = fs
		fs.StringVar(&f.out, "o", "", "export: the file; default NAME"+turn.Extension+". report: the .html file")
		fs.BoolVar(&f.follow, "follow", false, "show: go on with turns as they are written, until interrupted")
		fs.BoolVar(&f.damaged, "damaged", false, "export, import: take what is there of a damaged session")
		fs.StringVar(&f.verdict, "verdict", "", "note: a word that judges the turn, such as pass or fail")
		fs.StringVar(&f.by, "by", "", "note: who says it")
		fs.IntVar(&f.ref, "ref", 0, "note: the number of the element that it is about; default the turn")
		fs.IntVar(&f.undo, "undo", 0, "note: take the note with this number back, which session show --json tells")
		f.report.register(fs)
	})
	if err != nil {
		return err
	}
	verbs := []struct {
		name, args string
		flags      []string
		least      int // arguments
		most       int
		run        func(ctx context.Context, args []string, f sessionFlags) error
	}{
		{"list", "", nil, 0, 0, a.listSessions},
		{"show", "SESSION", []string{"follow"}, 1, 1, a.showSession},
		{"note", "SESSION#N [TEXT]", []string{"verdict", "by", "ref", "undo"}, 1, 2, a.noteTurn},
		{"check", "SESSION", nil, 1, 1, a.checkSession},
		{"export", "SESSION", []string{"o", "damaged"}, 1, 1, a.exportSession},
		{"import", "FILE", []string{"damaged"}, 1, 1, a.importSession},
		{"report", "SESSION -o REPORT.html", append(f.report.names(), "o"), 1, 1, a.reportSession},
	}
	var forms []string
	for _, v := range verbs {
		forms = append(forms, strings.TrimSpace(v.name+" "+v.args))
	}
	say := "say " + strings.Join(forms, ", ")
	if len(rest) == 0 {
		return usagef("session: %s", say)
	}
	for _, v := range verbs {
		if v.name != rest[0] {
			continue
		}
		if n := len(rest) - 1; n < v.least || n > v.most {
			return usagef("session %s: say %s; SESSION is a name, a folder or a %s file", v.name, strings.TrimSpace("session "+v.name+" "+v.args), turn.Extension)
		}
		for _, name := range append(f.report.names(), "o", "follow", "damaged", "verdict", "by", "ref", "undo") {
			if given(set, name) && !slices.Contains(v.flags, name) {
				return usagef("session %s: it has no flag -%s", v.name, name)
			}
		}
		return v.run(ctx, rest[1:], f)
	}
	return usagef("session: there is no %q: %s", rest[0], say)
}

// given reports whether a flag stands in the command.
func given(fs *flag.FlagSet, name string) (yes bool) {
	fs.Visit(func(f *flag.Flag) { yes = yes || f.Name == name })
	return yes
}

// openSession opens a session by its name in the home folder, or by the path of its
// folder or file. The caller closes it.
func (a *app) openSession(name string) (*turn.Store, error) {
	path := name
	if turn.CheckName(name) == nil {
		if _, err := os.Stat(filepath.Join(name, "session.json")); err != nil {
			path = turn.SessionDir(a.home, name)
		}
	}
	s, err := turn.OpenPath(path)
	if err != nil {
		return nil, fmt.Errorf("session %s: %w", name, err)
	}
	return s, nil
}

// listSessions lists the sessions of the home folder; those that cannot be read are
// in the list, with the reason.
func (a *app) listSessions(ctx context.Context, _ []string, _ sessionFlags) error {
	entries, err := os.ReadDir(filepath.Join(a.home, "sessions"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("sessions of %s: %w", a.home, export.Cause(err))
	}
	type row struct {
		Name    string     `json:"name"`
		Turns   int        `json:"turns"`
		Last    *time.Time `json:"last,omitempty"`
		Problem string     `json:"problem,omitempty"`
	}
	rows := []row{}
	for _, e := range entries {
		if turn.CheckName(e.Name()) != nil {
			continue
		}
		r := row{Name: e.Name()}
		var list []turn.Summary
		var damage []turn.Damage
		store, err := turn.Open(turn.Dir(turn.SessionDir(a.home, e.Name())))
		if err == nil {
			list, damage, err = store.List(ctx)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		switch {
		case err != nil:
			r.Problem = err.Error()
		case !turn.Whole(damage):
			r.Problem = "damaged: run refscopectl session check " + e.Name()
		}
		if r.Turns = len(list); r.Turns > 0 {
			r.Last = &list[r.Turns-1].Time
		}
		rows = append(rows, r)
	}
	if a.json {
		return json.NewEncoder(a.stdout).Encode(map[string]any{"sessions": rows})
	}
	for _, r := range rows {
		line := fmt.Sprintf("%s  %d turns", r.Name, r.Turns)
		if r.Last != nil {
			line += "  " + r.Last.Local().Format(time.DateTime)
		}
		if r.Problem != "" {
			line += "  " + visible(oneLine(r.Problem))
		}
		if _, err := fmt.Fprintln(a.stdout, line); err != nil {
			return err
		}
	}
	return nil
}

// checkSession reads everything and says what is not as it was written.
func (a *app) checkSession(ctx context.Context, args []string, _ sessionFlags) error {
	store, err := a.openSession(args[0])
	if err != nil {
		return err
	}
	defer store.Close()
	damage, err := store.Check(ctx)
	if err != nil {
		return err
	}
	whole := turn.Whole(damage)
	if a.json {
		if err := json.NewEncoder(a.stdout).Encode(map[string]any{"whole": whole, "damage": damageLines(damage)}); err != nil {
			return err
		}
	} else {
		for _, l := range damageLines(damage) {
			if _, err := fmt.Fprintln(a.stdout, visible(l)); err != nil {
				return err
			}
		}
	}
	if !whole {
		if a.json {
			return errReported
		}
		return fmt.Errorf("session %s is damaged: the turns that are not named above are whole", store.Path())
	}
	a.remark("every turn is whole")
	return nil
}

func damageLines(damage []turn.Damage) []string {
	lines := []string{}
	for _, d := range damage {
		lines = append(lines, d.String())
	}
	return lines
}

// noteTurn adds a note or a verdict to a turn.
func (a *app) noteTurn(ctx context.Context, args []string, f sessionFlags) error {
	at, err := turn.ParseTarget(a.home, args[0])
	if err != nil {
		return &usageError{"session note: " + err.Error()}
	}
	n := turn.Annotation{Turn: at.N, Verdict: f.verdict, By: f.by, Ref: f.ref}
	if len(args) > 1 {
		n.Text = args[1]
	}
	says := n.Text != "" || n.Verdict != "" || n.Ref != 0
	switch {
	case f.undo != 0 && says:
		return usagef("session note: --undo takes a note back; it goes with --by only")
	case f.undo == 0 && n.Text == "" && n.Verdict == "":
		return usagef("session note: give it a text, or a --verdict")
	}
	store, err := turn.OpenPath(at.Dir)
	if err != nil {
		return fmt.Errorf("opening the session of %s: %w", at, err)
	}
	defer store.Close()
	wait, cancel := context.WithTimeout(ctx, a.timeout)
	defer cancel()
	if f.undo != 0 {
		if err := store.Retract(wait, f.undo, f.by); err != nil {
			return err
		}
		if a.json {
			return json.NewEncoder(a.stdout).Encode(map[string]any{"status": "ok", "undone": f.undo})
		}
		a.remark("note %d was taken back", f.undo)
		return nil
	}
	if n, err = store.Annotate(wait, n); err != nil {
		return err
	}
	if a.json {
		return json.NewEncoder(a.stdout).Encode(map[string]any{"status": "ok", "note": n.N, "turn": n.Turn})
	}
	a.remark("note %d of turn %d", n.N, n.Turn)
	return nil
}
