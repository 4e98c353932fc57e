// Package record has the commands that keep sessions of turns and read them: a turn of a page, a tap between an agent
// and its model or its servers, and list, show, note, export, import and compare of what was kept.
package record

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/capture/export/report"
	"github.com/refscope/refscope/capture/inspect"
	"github.com/refscope/refscope/capture/target"
	"github.com/refscope/refscope/cmd/refscopectl/cli"
	"github.com/refscope/refscope/snapshot/doctor"
	"github.com/refscope/refscope/snapshot/exporter"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/importer"
	"github.com/refscope/refscope/snapshot/payload"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/tokens"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// sessionFlags are the flags of session's verbs.
type sessionFlags struct {
	out             string
	verdict, by     string
	ref, undo       int
	follow, damaged bool
	as              string
}

// sessionNote describes what SESSION means in the use line of a verb.
const sessionNote = "; SESSION is a name, a folder or a " + turn.Extension + " file"

// Session is the family of commands about recorded turns.
func Session(a *cli.App) *cobra.Command {
	verb := cli.Verbs[sessionFlags]{App: a, Family: "session", Note: sessionNote}.Verb
	damaged := func(fs *pflag.FlagSet, f *sessionFlags) {
		fs.BoolVar(&f.damaged, "damaged", false, "skip damaged turns")
	}
	return cli.Family("session VERB", "recorded turns: list, show, note, label, check, export, import, pair, report",
		`  refscopectl session list
  refscopectl session show shop
  refscopectl session export shop -o shop.refscope`,
		verb("list", "list the sessions", "list --json", 0, 0, listSessions),
		verb("show SESSION", "the turns of a session", "show t1 --follow", 1, 1, showSession,
			func(fs *pflag.FlagSet, f *sessionFlags) {
				fs.BoolVar(&f.follow, "follow", false, "go on with turns as they are written, until interrupted")
			}),
		verb("note SESSION#N [TEXT]", "comment on a turn, or on one element of it",
			`note shop#1 "who fills this in?" --ref 12 --verdict question`,
			1, 2, noteTurn, func(fs *pflag.FlagSet, f *sessionFlags) {
				fs.StringVar(&f.verdict, "verdict", "", "a `WORD` that judges the turn, such as pass or fail")
				fs.StringVar(&f.by, "by", "", "`NAME` of the person or program that notes it")
				fs.IntVar(&f.ref, "ref", 0, "the number `N` of the element that it is about; default the turn")
				fs.IntVar(&f.undo, "undo", 0,
					"take back the note with the number `N`, which session show --json prints")
			}),
		verb("label SESSION [LABEL] [NOTE]", "say why a run ended as it did: "+labelNames(),
			`label shop payload "the picture was missing"`, 1, 3, labelSession,
			func(fs *pflag.FlagSet, f *sessionFlags) {
				fs.StringVar(&f.by, "by", "", "`NAME` of the person or program that labels it")
			}),
		verb("check SESSION", "read everything and list what is damaged", "check shop", 1, 1, checkSession),
		verb("export SESSION", "a session as one file, of its own or another tool's format",
			"export shop -o shop.refscope", 1, 1, exportSession,
			func(fs *pflag.FlagSet, f *sessionFlags) {
				fs.StringVarP(&f.out, "output", "o", "", "the `FILE`; default NAME"+turn.Extension)
				fs.StringVar(&f.as, "as", "", "write the requests to models as `FORMAT`: atif, otlp or har, "+
					"which has those of the pages too; what is lost is printed")
			}, damaged),
		verb("import FILE", "a session, or a recording: Playwright, browser-use, HAR, OTLP, OpenInference, ATIF",
			"import trace.zip --session checkout", 1, 1, importSession, damaged),
		verb("pair REQUESTS [PAGES] -o DIR", "give requests that a tap recorded the pages of another session",
			"pair out/tapped shop -o out/paired", 1, 2, pairSession, func(fs *pflag.FlagSet, f *sessionFlags) {
				fs.StringVarP(&f.out, "output", "o", "",
					"the new session folder `DIR`: the turns of REQUESTS, each with its page")
			}),
		reportCommand(a),
	)
}

// listSessions lists the sessions of the home folder; those that cannot be read are
// in the list, with the reason.
func listSessions(ctx context.Context, a *cli.App, _ []string, _ *sessionFlags) error {
	names, err := turn.SessionNames(a.Home)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("sessions of %s: %w", a.Home, export.Cause(err))
	}
	type row struct {
		Name    string     `json:"name"`
		Turns   int        `json:"turns"`
		Label   string     `json:"label,omitempty"`
		Last    *time.Time `json:"last,omitempty"`
		Problem string     `json:"problem,omitempty"`
	}
	rows := []row{}
	for _, name := range names {
		r := row{Name: name}
		turns, damage, err := a.Turns(ctx, name)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		switch {
		case err != nil:
			r.Problem = err.Error()
		case !turn.Whole(damage):
			r.Problem = "damaged: run refscopectl session check " + name
		}
		if r.Turns = len(turns); r.Turns > 0 {
			r.Last = &turns[r.Turns-1].Time
		}
		if l := labelOf(ctx, a, name); l != nil {
			r.Label = l.Label
		}
		rows = append(rows, r)
	}
	if a.JSON {
		return a.PrintJSON(map[string]any{"sessions": rows})
	}
	out := ""
	for _, r := range rows {
		out += r.Name + "  " + text.Count(r.Turns, "turn", "turns")
		if r.Last != nil {
			out += "  " + r.Last.Local().Format(time.DateTime)
		}
		if r.Label != "" {
			out += "  " + r.Label
		}
		if r.Problem != "" {
			out += "  " + text.CollapseSpace(r.Problem)
		}
		out += "\n"
	}
	return a.Print(out)
}

// checkSession reads everything and describes what is not as it was written.
func checkSession(ctx context.Context, a *cli.App, args []string, _ *sessionFlags) error {
	store, err := a.OpenSession(args[0])
	if err != nil {
		return err
	}
	defer store.Close()
	damage, err := store.Check(ctx)
	if err != nil {
		return err
	}
	whole := turn.Whole(damage)
	if a.JSON {
		err = a.PrintJSON(map[string]any{"whole": whole, "damage": cli.StringsOf(damage)})
	} else {
		err = a.PrintLines(cli.StringsOf(damage))
	}
	switch {
	case err != nil:
		return err
	case whole:
		a.Remark("all turns are intact")
		return nil
	case a.JSON:
		return cli.ErrReported
	}
	return fmt.Errorf("session %s is damaged: all other turns are intact", store.Path())
}

// noteTurn adds a note or a verdict to a turn.
func noteTurn(ctx context.Context, a *cli.App, args []string, f *sessionFlags) error {
	at, err := turn.ParseTarget(a.Home, args[0])
	if err != nil {
		return &target.UsageError{Text: "session note: " + err.Error()}
	}
	n := turn.Annotation{Turn: at.N, Verdict: f.verdict, By: f.by, Ref: f.ref}
	if len(args) > 1 {
		n.Text = args[1]
	}
	says := n.Text != "" || n.Verdict != "" || n.Ref != 0
	switch {
	case f.undo != 0 && says:
		return cli.Usagef("session note: --undo takes a note back; it goes with --by only")
	case f.undo == 0 && n.Text == "" && n.Verdict == "":
		return cli.Usagef("session note: give it a text, or a --verdict")
	}
	store, err := turn.OpenPath(at.Dir)
	if err != nil {
		return fmt.Errorf("opening the session of %s: %w", at, err)
	}
	defer store.Close()
	wait, cancel := context.WithTimeout(ctx, a.Timeout)
	defer cancel()
	if f.undo != 0 {
		if err := store.Retract(wait, f.undo, f.by); err != nil {
			return err
		}
		if a.JSON {
			return a.PrintJSON(map[string]any{"status": "ok", "undone": f.undo})
		}
		a.Remark("note %d was taken back", f.undo)
		return nil
	}
	if n, err = store.Annotate(wait, n); err != nil {
		return err
	}
	if a.JSON {
		return a.PrintJSON(map[string]any{"status": "ok", "note": n.N, "turn": n.Turn})
	}
	a.Remark("note %d of turn %d", n.N, n.Turn)
	return nil
}

// turnRow is a turn as session show --json prints it.
type turnRow struct {
	Turn    int               `json:"turn"`
	Time    time.Time         `json:"time"`
	Action  string            `json:"action,omitempty"`
	Page    bool              `json:"page"` // a page belongs to the turn
	URL     string            `json:"url"`
	Title   string            `json:"title"`
	Asked   string            `json:"asked,omitempty"` // of a request to a model: who asked, and what the answer wants
	Refs    int               `json:"refs"`
	Covered int               `json:"covered"`
	Picture bool              `json:"picture"`
	Settled bool              `json:"settled"`
	Torn    bool              `json:"torn,omitempty"`
	Note    string            `json:"note,omitempty"`
	Lacks   []string          `json:"lacks,omitempty"`
	Parts   []turn.Part       `json:"parts"`
	Notes   []turn.Annotation `json:"notes,omitempty"`
	Damage  []string          `json:"damage,omitempty"`
}

// showSession prints the turns of a session; with --follow also those that come.
func showSession(ctx context.Context, a *cli.App, args []string, f *sessionFlags) error {
	store, err := a.OpenSession(args[0])
	if err != nil {
		return err
	}
	defer store.Close()
	notes, broken, err := store.Annotations(ctx)
	if err != nil {
		return err
	}
	byTurn := map[int][]turn.Annotation{}
	for _, n := range notes {
		byTurn[n.Turn] = append(byTurn[n.Turn], n)
	}
	if f.follow {
		remarkDamaged(a, broken)
		return followSession(ctx, a, store, byTurn)
	}
	turns, damage, err := store.List(ctx)
	if err != nil {
		return err
	}
	damage = append(damage, broken...)
	rows := []turnRow{}
	titles, err := titlesOf(ctx, store, turns...)
	if err != nil {
		return err
	}
	for _, s := range turns {
		rows = append(rows, rowOf(s, byTurn[s.N], titles[s.N]))
	}
	if a.JSON {
		return a.PrintJSON(map[string]any{"turns": rows, "notes": cli.List(byTurn[0]), "damage": cli.StringsOf(damage)})
	}
	if len(rows) == 0 {
		a.Remark("%s has no turns", args[0])
	}
	lines := noteLines(byTurn[0])
	for _, r := range rows {
		lines = append(lines, r.lines()...)
	}
	err = a.PrintLines(lines)
	remarkDamaged(a, damage)
	return err
}

// followSession prints turns until it is interrupted, which is well. With --json
// each is a line of its own.
func followSession(ctx context.Context, a *cli.App, store *turn.Store, notes map[int][]turn.Annotation) error {
	follow := func(s turn.Summary) turnRow {
		titles, _ := titlesOf(ctx, store, s) // a row without a title is a row
		return rowOf(s, notes[s.N], titles[s.N])
	}
	err := store.Follow(ctx, 0, func(s turn.Summary, err error) error {
		var d *turn.DamagedError
		switch damaged := errors.As(err, &d); {
		case err != nil && !damaged:
			return err
		case damaged && a.JSON:
			return a.PrintJSON(map[string]any{"turn": s.N, "damage": cli.StringsOf(d.Damage)})
		case damaged:
			remarkDamaged(a, d.Damage)
			return nil
		case a.JSON:
			return a.PrintJSON(follow(s))
		}
		return a.PrintLines(follow(s).lines())
	})
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return nil
	}
	return err
}

// titlesOf are the titles of those turns that hold a request to a model.
func titlesOf(ctx context.Context, store *turn.Store, turns ...turn.Summary) (map[int]string, error) {
	var asked []int
	for _, s := range turns {
		if doctor.Asks(s.Parts) {
			asked = append(asked, s.N)
		}
	}
	if len(asked) == 0 {
		return nil, nil
	}
	return inspect.Titles(ctx, store, asked)
}

func rowOf(s turn.Summary, notes []turn.Annotation, asked string) turnRow {
	return turnRow{Turn: s.N, Time: s.Time, Action: s.Action, Page: !s.Pageless(), URL: s.URL, Title: s.Title,
		Asked: asked, Refs: s.Counts.Refs, Covered: s.Counts.Covered, Picture: s.HasPicture, Settled: s.Meta.Settled,
		Torn: s.Meta.Torn,
		Note: s.Note, Lacks: s.Lacks, Parts: s.Parts, Notes: notes}
}

// lines are a turn in one line, and below it what belongs to it.
func (r turnRow) lines() []string {
	page := fmt.Sprintf("%4d refs  %s  %s", r.Refs, text.CollapseSpace(r.URL), text.CollapseSpace(r.Title))
	switch {
	case r.Page:
	case r.Asked != "": // the address is that of the request
		page = "  no page"
	default:
		page = fmt.Sprintf("  no page  %s  %s", text.CollapseSpace(r.URL), text.CollapseSpace(r.Title))
	}
	lines := []string{fmt.Sprintf("%4d  %s  %-8s %s", r.Turn, r.Time.Local().Format(time.DateTime),
		cmp.Or(r.Asked, text.CollapseSpace(r.Action)), page)}
	for _, p := range r.Parts {
		if p.Dialect != "" {
			lines = append(lines,
				fmt.Sprintf("      %s %s  %s  %d bytes", p.Way, text.CollapseSpace(p.Dialect),
					text.CollapseSpace(p.Model), p.Size))
		}
	}
	for _, l := range r.Lacks {
		lines = append(lines, "      lacks: "+text.CollapseSpace(l))
	}
	if r.Note != "" {
		lines = append(lines, "      "+text.CollapseSpace(r.Note))
	}
	return append(lines, noteLines(r.Notes)...)
}

func noteLines(notes []turn.Annotation) (lines []string) {
	for _, n := range notes {
		line := fmt.Sprintf("      %s", n.At.Local().Format(time.DateTime))
		for _, s := range []string{n.By, n.Verdict, n.Text} {
			if s != "" {
				line += "  " + text.CollapseSpace(s)
			}
		}
		if n.Ref > 0 {
			line += fmt.Sprintf("  (about %d)", n.Ref)
		}
		lines = append(lines, line)
	}
	return lines
}

// remarkDamaged describes on standard error what is wrong with a session.
func remarkDamaged(a *cli.App, damage []turn.Damage) {
	for _, l := range cli.StringsOf(damage) {
		fmt.Fprintf(a.Stderr, "refscopectl: %s\n", text.EscapeOnce(l))
	}
}

// exportSession writes a session as one file.
func exportSession(ctx context.Context, a *cli.App, args []string, f *sessionFlags) (err error) {
	piped := f.out == cli.Dash
	finish, err := a.ToOutput("session export", cli.Written{Name: &f.out, Ext: turn.Extension})
	if err != nil {
		return err
	}
	defer func() { err = finish(err) }()
	store, err := a.OpenSession(args[0])
	if err != nil {
		return err
	}
	defer store.Close()
	path, err := filepath.Abs(store.Path())
	if err != nil {
		return fmt.Errorf("session %s: %w", args[0], err)
	}
	if f.as != "" {
		return exportAs(ctx, a, store, filepath.Base(path), f)
	}
	out := f.out
	if out == "" {
		if out = filepath.Base(path); !turn.IsFileName(out) {
			out += turn.Extension
		}
	}
	if same(out, store.Path()) {
		return cli.Usagef("session export: %s is the session itself: name another file with -o", out)
	}
	var damage []turn.Damage
	err = export.WritePrivateBy(out, func(w io.Writer) error {
		damage, err = store.Export(ctx, w, f.damaged)
		return err
	})
	if err != nil {
		return withoutDamaged(args[0], "exported", err)
	}
	st, err := os.Stat(out)
	if err != nil {
		return fmt.Errorf("%s was written and is gone: %w", out, err)
	}
	list, _, err := store.List(ctx)
	if err != nil {
		return err
	}
	if piped {
		remarkDamaged(a, damage)
		return nil
	}
	return moved(a, out, len(list), st.Size(), damage)
}

// exportAs writes a session in another tool's format.
func exportAs(ctx context.Context, a *cli.App, store *turn.Store, name string, f *sessionFlags) error {
	name = strings.TrimSuffix(name, turn.Extension)
	format := exporter.Format(f.as)
	if !slices.Contains(exporter.Formats(), format) {
		return cli.Usagef("session export: --as %q: choose from %s", f.as, strings.Join(cli.Strings(exporter.Formats()),
			","))
	}
	out := f.out
	if out == "" {
		out = export.SessionName(name, format)
	}
	rep, err := export.SessionAs(ctx, out, store, format, exporter.Options{Version: cli.Version, Session: name,
		Damaged: f.damaged})
	if err != nil {
		return withoutDamaged(name, "exported", err)
	}
	if a.JSON {
		return a.PrintJSON(map[string]any{"status": "ok", "to": out, "turns": rep.Turns,
			"losses": cli.List(rep.Losses)})
	}
	for _, l := range rep.Losses {
		a.Remark("not in %s: %s", out, l)
	}
	return a.Print(out + "  " + text.Count(rep.Turns, "turn", "turns") + "\n")
}

// same reports whether two paths are one file.
func same(a, b string) bool {
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(x, y)
}

// importSession copies a session file into the home folder, or reads the file of another
// agent into a session.
func importSession(ctx context.Context, a *cli.App, args []string, f *sessionFlags) error {
	if done, err := importForeign(ctx, a, args[0]); done {
		return err
	}
	store, err := turn.OpenPath(args[0])
	if err != nil {
		return err
	}
	defer store.Close()
	name := a.Session
	if name == "" {
		name = filepath.Base(args[0])
		if turn.IsFileName(name) {
			name = name[:len(name)-len(turn.Extension)]
		}
		name = strings.ReplaceAll(name, " ", "-")
	}
	if err := turn.CheckName(name); err != nil {
		return cli.Usagef("session import: %v: name it with --session", err)
	}
	dir := turn.SessionDir(a.Home, name)
	damage, err := store.Import(ctx, dir, f.damaged)
	if errors.Is(err, turn.ErrExists) {
		return fmt.Errorf("%w: choose another name with --session", err)
	}
	if err != nil {
		return withoutDamaged(args[0], "imported", err)
	}
	again, err := turn.OpenPath(dir)
	if err != nil {
		return err
	}
	list, _, err := again.List(ctx)
	if err != nil {
		return err
	}
	return moved(a, name, len(list), 0, damage)
}

// withoutDamaged adds the way around damage to its error.
func withoutDamaged(name, done string, err error) error {
	var d *turn.DamagedError
	if !errors.As(err, &d) {
		return err
	}
	return fmt.Errorf("session %s is damaged and was not %s: %w: with --damaged the intact turns are %s",
		name, done, err,
		done)
}

// moved prints what was exported or imported. Accepted damage is reported.
func moved(a *cli.App, to string, turns int, size int64, damage []turn.Damage) error {
	if a.JSON {
		out := map[string]any{"status": "ok", "to": to, "turns": turns, "damage": cli.StringsOf(damage)}
		if size > 0 {
			out["bytes"] = size
		}
		return a.PrintJSON(out)
	}
	remarkDamaged(a, damage)
	line := to + "  " + text.Count(turns, "turn", "turns")
	if size > 0 {
		line += fmt.Sprintf("  %d bytes", size)
	}
	return a.Print(line + "\n")
}

// importForeign imports the file of another agent, recognised by its content, as a new
// session. It reports false where the file is not one of those: a session of our own,
// a folder, or nothing at all, for which [app.importSession] has the better error.
func importForeign(ctx context.Context, a *cli.App, path string) (done bool, err error) {
	st, err := os.Stat(path) // before it is opened: a pipe that nobody writes to would be waited for
	if err != nil || !st.Mode().IsRegular() {
		return false, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return false, nil
	}
	defer f.Close()
	format, err := importer.Detect(f, st.Size())
	switch {
	case err != nil && turn.IsFileName(path), err == nil && format == importer.Session:
		return false, nil
	case err != nil:
		return true, fmt.Errorf("%s: %w", path, err)
	}
	name, err := importName(a, path)
	if err != nil {
		return true, err
	}
	dir := turn.SessionDir(a.Home, name)
	if _, err := os.Stat(dir); err == nil {
		return true, fmt.Errorf("session %s %w: choose another name with --session", name, turn.ErrExists)
	}
	rep, err := inspect.Import(ctx, f, dir, cli.Tool())
	if err != nil {
		return true, fmt.Errorf("%s: %w", path, err)
	}
	return true, importedForeign(a, name, rep)
}

// importName is the name of the session that a file is imported as: --session, else the
// file's own name, with what a session's name may not have replaced.
func importName(a *cli.App, path string) (string, error) {
	name := cmp.Or(a.Session, inspect.ImportName(path))
	if err := turn.CheckName(name); err != nil {
		return "", cli.Usagef("session import: %v: name it with --session", err)
	}
	return name, nil
}

// importedForeign prints what was imported, what could not be read and what is lacking.
func importedForeign(a *cli.App, name string, rep *importer.Report) error {
	if a.JSON {
		return a.PrintJSON(map[string]any{
			"status": "ok", "to": name, "turns": rep.Turns, "format": rep.Format, "tool": rep.Tool,
			"damage": cli.List(rep.Damage), "lacks": cli.List(rep.Lacks),
		})
	}
	for _, d := range rep.Damage {
		if _, err := fmt.Fprintf(a.Stderr, "refscopectl: %s\n", text.EscapeOnce(d)); err != nil {
			return err
		}
	}
	for _, l := range rep.Lacks {
		a.Remark("%s", l)
	}
	return a.Printf("%s  %s  %s\n", name, text.Count(rep.Turns, "turn", "turns"), rep.Tool)
}

// reportFlags are the flags of session report.
type reportFlags struct {
	out                             string
	turns, formats, dialects, model string
	max                             int
}

// reportCommand writes a session as one HTML file that needs nothing else (N-14).
func reportCommand(a *cli.App) *cobra.Command {
	return cli.Verbs[reportFlags]{App: a, Family: "session", Note: sessionNote}.Verb("report SESSION -o REPORT.html",
		"a session as one HTML file that a browser opens without a network",
		"report shop -o out/report.html --turns 3-9", 1, 1, reportSession, addReportFlags)
}

func addReportFlags(fs *pflag.FlagSet, f *reportFlags) {
	fs.StringVarP(&f.out, "output", "o", "", "the .html `FILE`")
	fs.StringVar(&f.turns, "turns", "", "the `TURNS` to show, such as 3, 3-9, 3- or 1,4-6; default all")
	fs.IntVar(&f.max, "max-turns", report.DefaultMaxTurns, "`N` turns at most; 0 for no limit")
	fs.StringVar(&f.formats, "formats", strings.Join(cli.Strings(report.DefaultFormats()), ","),
		"dumps of each turn, `FORMATS` with commas, or all; by default a turn with a model's request has the first "+
			"alone, beside the text as it was sent")
	fs.StringVar(&f.dialects, "dialects", strings.Join(report.DefaultDialects(), ","),
		"payloads to measure where a turn kept none, `NAMES` with commas, or all")
	fs.StringVar(&f.model, "model", "",
		"the model that these payloads are for, by `NAME`; its vendor's rules give a picture's cost")
}

// options returns the options that the flags select.
func (f *reportFlags) options() (report.Options, error) {
	o := report.Options{
		Counter: new(tokens.Counter), MaxTurns: f.max, Formats: format.Plain(), Dialects: payload.Dialects(),
		Model: f.model,
	}
	if f.turns != "" {
		var err error
		if o.Turns, err = report.ParseTurns(f.turns); err != nil {
			return o, cli.Usagef("session report: --turns %v", err)
		}
	}
	if f.max < 0 {
		return o, cli.Usagef("session report: --max-turns %d: give a number of turns, or 0 for no limit", f.max)
	}
	if f.max == 0 { // to the flag 0 is no limit, to the options it is the default
		o.MaxTurns = -1
	}
	if f.formats != "all" {
		var err error
		if o.Formats, err = cli.PlainFormats("session report: --formats", f.formats); err != nil {
			return o, err
		}
	}
	if f.dialects != "all" {
		o.Dialects = strings.Split(f.dialects, ",")
		for _, d := range o.Dialects {
			if !slices.Contains(payload.Dialects(), d) {
				return o, cli.Usagef("session report: --dialects %q: choose from %s", d,
					strings.Join(payload.Dialects(), ","))
			}
		}
	}
	return o, nil
}

func reportSession(ctx context.Context, a *cli.App, args []string, f *reportFlags) (err error) {
	finish, err := a.ToOutput("session report", cli.Written{Name: &f.out, Ext: ".html"})
	if err != nil {
		return err
	}
	defer func() { err = finish(err) }()
	if f.out == "" {
		return cli.Usagef("session report: name the file with -o REPORT.html")
	}
	o, err := f.options()
	if err != nil {
		return err
	}
	name, out := args[0], f.out
	store, err := a.OpenSession(name)
	if err != nil {
		return err
	}
	defer store.Close()
	o.Name = strings.TrimSuffix(filepath.Base(filepath.Clean(name)), turn.Extension)
	made, err := report.WriteFile(ctx, out, store, o)
	if err != nil {
		return fmt.Errorf("session %s: %w", name, err)
	}
	if a.JSON {
		return a.PrintJSON(map[string]any{
			"status": "ok", "file": out, "turns": made.Turns, "left": made.Left, "damaged": cli.List(made.Damaged),
		})
	}
	if made.Left > 0 {
		a.Remark("%d further turns are not in %s: ask for them with --turns or --max-turns", made.Left, out)
	}
	if len(made.Damaged) > 0 {
		a.Remark("damaged turns are shown as far as they can be read: %v", made.Damaged)
	}
	return nil
}
