package view

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/refscope/refscope/capture/agent/apikey"
	"github.com/refscope/refscope/capture/agent/ask"
	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/capture/target"
	"github.com/refscope/refscope/cmd/refscopectl/cli"
	"github.com/refscope/refscope/snapshot/doctor"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
	"github.com/spf13/cobra"
)

// askFlags are the flags of ask; those of payload describe a request that is built anew.
type askFlags struct {
	payloadFlags
	endpoint, key string
	headers       http.Header
	n, wanted     int
	grade         bool
	wait          time.Duration

	suite, csv, html string
}

// askedRow is one answer.
type askedRow struct {
	Turn   int           `json:"turn"` // that records it
	Status int           `json:"status"`
	Error  string        `json:"error,omitempty"`
	Ms     float64       `json:"ms"`
	Answer *wire.Answer  `json:"answer,omitempty"`
	Grade  *doctor.Grade `json:"grade,omitempty"`
}

// Ask asks a model about a recorded turn again.
func Ask(a *cli.App) *cobra.Command {
	f := askFlags{headers: http.Header{}}
	c := &cobra.Command{
		Use: "ask TURN", Short: "ask a model about a recorded turn again, as it was or with declared changes",
		Long: "ask sends the request that is stored with the turn; --model asks another model, and with --dialect " +
			"the\nrequest is built again, by the flags of payload. Each answer is recorded in the session as a " +
			"variant of the\nturn, with its page, the exact bytes and how they differ from the recorded ones. A key " +
			"is read from the\nenvironment variable of the vendor's own tools, else from the keyring (refscopectl " +
			"key set), or by --key.\nIt is not recorded.\n\n" +
			"A suite asks about each of its turns in each of its variants, n times; flags are those of ask:\n" +
			`  {"turns": [{"turn": "shop#3", "ref": 12}], "n": 5, "flags": "--endpoint http://127.0.0.1:11434/v1",` +
			"\n" +
			`   "variants": [{"name": "as it was"}, {"name": "aria", "flags": "--dialect openai-chat --dump aria"}]}`,
		Example: `  refscopectl ask shop#3 --n 5
  refscopectl ask shop#3 --model gpt-4o-mini --grade --ref 12
  refscopectl ask shop#3 --dialect openai-chat --model gpt-4o --query "buy a kettle" --dump aria
  refscopectl ask shop#3 --endpoint http://127.0.0.1:11434/v1 --model qwen3
  refscopectl ask --suite suite.json --csv out/answers.csv --html out/answers.html`,
		ValidArgsFunction: cli.First(a.Targets()),
		RunE: func(c *cobra.Command, args []string) error {
			if f.suite != "" {
				return askSuite(c.Context(), a, &f, args)
			}
			return runAsk(c.Context(), a, &f, args)
		},
	}
	f.question(a, c)
	fs := c.Flags()
	fs.IntVarP(&f.n, "n", "n", 1, "ask `N` times")
	fs.BoolVar(&f.grade, "grade", false, "say where each answer's action would land, beside --ref")
	fs.IntVar(&f.wanted, "ref", 0,
		"the number `N` of the element that is right; default the one of the recorded answer")
	fs.StringVar(&f.suite, "suite", "",
		"ask about many turns in many variants, as the `FILE` (JSON) lists them; what was\n"+
			"answered is not asked again")
	fs.StringVar(&f.csv, "csv", "", "with --suite: write the table to that .csv `FILE` too")
	fs.StringVar(&f.html, "html", "", "with --suite: write the table to that .html `FILE` too")
	return c
}

// question registers the flags that describe a question and whom it goes to.
func (f *askFlags) question(a *cli.App, c *cobra.Command) {
	f.register(a, c)
	fs := c.Flags()
	fs.StringVar(&f.endpoint, "endpoint", "",
		"the base `URL` that clients of the vendor are given; default the vendor's own")
	fs.StringVar(&f.key, "key", "", "the key: @`FILE`, env:VARIABLE or keyring:VENDOR; default the variable\n"+
		"of the vendor's tools, and without --endpoint the keyring")
	fs.Func("header", "one more header, `NAME=VALUE`; a value may be @FILE or env:VARIABLE", func(s string) error {
		name, value, ok := strings.Cut(s, "=")
		if !ok || name == "" {
			return fmt.Errorf("write it as NAME=VALUE")
		}
		value, err := cli.HeaderValue(value)
		if err == nil {
			f.headers.Add(name, value)
		}
		return err
	})
	fs.DurationVar(&f.wait, "answer-timeout", 2*time.Minute, "how long one answer may take")
}

func runAsk(ctx context.Context, a *cli.App, f *askFlags, targets []string) error {
	if err := f.check(targets); err != nil {
		return err
	}
	p, err := prepareAsk(ctx, a, f, targets[0])
	if err != nil {
		return err
	}
	defer p.store.Close()
	if f.grade && f.wanted == 0 {
		if f.wanted = recordedTarget(p.record); f.wanted == 0 {
			return cli.Usagef("ask: --grade: the recorded answer means no element that is known: name the right one " +
				"with --ref N")
		}
	}
	rows := []askedRow{}
	var failed error
	for i := range f.n {
		p.q.Variant = fmt.Sprintf("answer %d of %d", i+1, f.n)
		n, v, err := p.asker.Ask(ctx, p.q)
		if err != nil {
			failed = fmt.Errorf("ask: %w", err)
			break
		}
		row := askedRow{Turn: n, Status: v.Status, Error: v.Error, Ms: v.Ended, Answer: v.Answer}
		if f.grade {
			if row.Grade, err = gradeOf(ctx, p.store, n, f.wanted); err != nil {
				failed = err
				break
			}
		}
		rows = append(rows, row)
		if !a.JSON {
			a.Remark("%s: %s", p.q.Variant, answerWord(row))
		}
	}
	return cmp.Or(failed, printAnswers(a, f, p.q, rows))
}

// asking is a question made ready. The store is the caller's to close.
type asking struct {
	q      ask.Question
	record *turn.Record
	store  *turn.Store
	asker  *ask.Asker
}

// prepareAsk reads a turn and makes the question about it.
func prepareAsk(ctx context.Context, a *cli.App, f *askFlags, name string) (*asking, error) {
	at, ok := target.ParseTurn(a.Home, name)
	if !ok {
		return nil, cli.Usagef("ask: %s is not a turn: name one as SESSION#N", name)
	}
	s, err := target.ReadTurn(ctx, at)
	if err != nil {
		return nil, err
	}
	p := &asking{q: ask.Question{Of: name, Turn: at.N, Page: s.Capture, Picture: s.Picture}, record: s.Record}
	stored := ask.Stored(s.Record.Payloads, f.stored)
	if err := question(ctx, a, f, &p.q, stored, name); err != nil {
		return nil, err
	}
	o := ask.Options{Header: f.headers, Timeout: f.wait, Tool: cli.Tool()}
	if err := f.reach(ctx, &o, p.q.Dialect); err != nil {
		return nil, err
	}
	if strings.HasSuffix(at.Dir, turn.Extension) {
		return nil, cli.Usagef("ask: %s is a file, and answers are recorded with the turn: session import %s makes a "+
			"session of it",
			name, text.ShellWord(at.Dir))
	}
	o.Waiting = func(pause time.Duration, status int) {
		a.Remark("status %d: the endpoint asks for a pause of %s", status, pause.Round(100*time.Millisecond))
	}
	if o.Store, err = turn.OpenPath(at.Dir); err != nil {
		return nil, fmt.Errorf("ask: %w", err)
	}
	if p.asker, err = ask.New(o); err != nil {
		return nil, errors.Join(err, o.Store.Close())
	}
	p.store = o.Store
	return p, nil
}

func (f *askFlags) check(targets []string) error {
	switch {
	case len(targets) != 1:
		return cli.Usagef("ask: name one turn: SESSION#N or its folder")
	case f.n < 1 || f.n > 1000:
		return cli.Usagef("ask: --n %d: ask 1 to 1,000 times", f.n)
	case f.csv+f.html != "":
		return cli.Usagef("ask: --csv and --html write the table of a --suite")
	case f.wanted != 0 && !f.grade:
		return cli.Usagef("ask: --ref %d is what --grade compares with: add --grade", f.wanted)
	}
	return f.checkQuestion()
}

// checkQuestion refuses values of the flags of a question that there are not.
func (f *askFlags) checkQuestion() error {
	switch {
	case f.format != "" && f.format != sentFormat && !cli.IsFormat(f.format):
		return cli.Usagef("ask: --dump %q: choose from %s", f.format, cli.FormatNames(sentFormat))
	case f.wait <= 0:
		return cli.Usagef("ask: --answer-timeout %s: give a time above 0", f.wait)
	case f.dialect != "" && !slices.Contains(ask.Dialects(), f.dialect):
		return cli.Usagef("ask: --dialect %q: choose from %s", f.dialect, strings.Join(ask.Dialects(), ", "))
	}
	return f.checkTaken("ask", "model")
}

// question fills the body, and how it differs from the recorded one.
func question(ctx context.Context, a *cli.App, f *askFlags, q *ask.Question, stored *turn.Payload, name string) error {
	if f.dialect == "" {
		if stored == nil {
			return cli.Usagef("ask: %s keeps no request to a model: build one with --dialect %s", name,
				strings.Join(ask.Dialects(), " | "))
		}
		if !slices.Contains(ask.Dialects(), stored.Dialect) {
			return cli.Usagef("ask: the request of %s is in the dialect %s, in which no model is asked: build one "+
				"with --dialect %s", name, stored.Dialect, strings.Join(ask.Dialects(), " | "))
		}
		q.Dialect, q.Model, q.Body = stored.Dialect, cmp.Or(f.in.Model, stored.Model), stored.Bytes
		if f.in.Model != "" && f.in.Model != stored.Model {
			var err error
			if q.Body, err = ask.WithModel(q.Dialect, q.Body, f.in.Model); err != nil {
				return fmt.Errorf("ask: --model: %w", err)
			}
		}
		if n := len(stored.Redacted); n > 0 {
			a.Remark("%s of the recorded request: never stored, so a mark is sent in the place of each",
				text.Count(n, "secret", "secrets"))
		}
	} else {
		if f.in.Model == "" && stored != nil && stored.Dialect == f.dialect {
			f.in.Model = stored.Model // what is not changed is as it was
		}
		if f.in.Model == "" {
			return cli.Usagef("ask: --dialect %s builds a new request, and no model is known for it: add --model NAME",
				f.dialect)
		}
		tabs := a.Opener()
		tabs.Pageless = f.format == sentFormat
		defer tabs.Close()
		p, _, err := payloadOf(ctx, a, tabs, name, &f.payloadFlags)
		if err != nil {
			return err
		}
		q.Dialect, q.Model, q.Body = p.Dialect, f.in.Model, p.Body
	}
	q.Changed(stored)
	return nil
}

// reach sets where to ask, and with what key.
func (f *askFlags) reach(ctx context.Context, o *ask.Options, dialect string) error {
	key := ""
	if v := apikey.Of(dialect); o.Header.Get(v.Header) == "" {
		var err error
		if key, err = f.keyFor(ctx, v); err != nil {
			return err
		}
	}
	if err := o.Reach(dialect, f.endpoint, key); err != nil {
		return cli.Usagef("ask: %v", err)
	}
	return nil
}

// keyFor is the key to send, "" for none. Other endpoints than the vendor's own need none, and get
// the one of the keyring only by --key.
func (f *askFlags) keyFor(ctx context.Context, v apikey.Vendor) (string, error) {
	if f.key == "" && f.endpoint != "" {
		return os.Getenv(v.Variable), nil
	}
	if f.key == "" {
		key, err := v.Find(ctx)
		if err != nil {
			return "", cli.Usagef("ask: %v: set %s, store a key with refscopectl key set %s, or name one with --key",
				err,
				v.Variable, v.Name)
		}
		return key, nil
	}
	var key string
	var err error
	if vendor, ok := strings.CutPrefix(f.key, "keyring:"); ok {
		if v, err = cli.VendorNamed(vendor); err == nil {
			key, err = v.Keyring(ctx)
		}
	} else if f.key[0] != '@' && !strings.HasPrefix(f.key, "env:") {
		return "", cli.Usagef("ask: --key takes @FILE, env:VARIABLE or keyring:VENDOR: every process sees a key on " +
			"the command line")
	} else {
		key, err = cli.HeaderValue(f.key)
	}
	if err != nil {
		return "", fmt.Errorf("ask: --key %s: %w", f.key, err)
	}
	return key, nil
}

// recordedTarget is the number of the element that the recorded answer means, 0 for none.
func recordedTarget(rec *turn.Record) int {
	r, err := export.NewDoctor(nil).Examine(rec)
	if err != nil || r == nil {
		return 0
	}
	for _, t := range r.Targets {
		if t.ElementRef > 0 {
			return t.ElementRef
		}
	}
	return 0
}

// gradeOf grades the answer of a turn.
func gradeOf(ctx context.Context, s *turn.Store, n, wanted int) (*doctor.Grade, error) {
	rec, err := s.Load(ctx, n)
	if rec == nil {
		return nil, fmt.Errorf("ask: reading turn %d again: %w", n, err)
	}
	r, err := export.NewDoctor(nil).Examine(rec)
	if err != nil {
		return nil, fmt.Errorf("ask: reading the answer of turn %d: %w", n, err)
	}
	g := doctor.Grade{Outcome: doctor.NoAction}
	if r != nil {
		g = doctor.GradeOf(r, rec.Capture, wanted)
	}
	return &g, nil
}

// answerWord is an answer in a line, with its grade.
func answerWord(r askedRow) string {
	out := wire.Line(r.Answer, r.Status, r.Error, 160)
	if r.Grade != nil {
		out += " (" + string(r.Grade.Outcome)
		if r.Grade.Element != "" {
			out += ": " + r.Grade.Element
		}
		out += ")"
	}
	return out
}

// printAnswers prints the answers and, with --grade, how many land on the right element. Where none came, the
// command fails.
func printAnswers(a *cli.App, f *askFlags, q ask.Question, rows []askedRow) error {
	hits, answered := 0, 0
	for _, r := range rows {
		if r.Status == http.StatusOK && r.Error == "" {
			answered++
		}
		if r.Grade != nil && r.Grade.Outcome == doctor.Hits {
			hits++
		}
	}
	var unanswered error
	if answered == 0 {
		unanswered = cli.ErrReported
	}
	if a.JSON {
		out := map[string]any{"of": q.Of, "dialect": q.Dialect, "model": q.Model,
			"changes": cli.List(q.Changes), "answers": rows, "answered": answered}
		if f.grade {
			out["wanted"], out["hits"], out["share"] = f.wanted, hits, float64(hits)/float64(max(len(rows), 1))
		}
		return cmp.Or(a.PrintJSON(out), unanswered)
	}
	var b strings.Builder
	for _, line := range q.Changes {
		fmt.Fprintln(&b, line)
	}
	fmt.Fprintf(&b, "%d of %s from %s, recorded as variants of %s\n", answered,
		text.Count(len(rows), "answer", "answers"),
		text.Line(cmp.Or(q.Model, q.Dialect)), text.Line(q.Of))
	if f.grade {
		fmt.Fprintf(&b, "%d of %d land on [%d]\n", hits, len(rows), f.wanted)
	}
	return cmp.Or(a.Print(b.String()), unanswered)
}
