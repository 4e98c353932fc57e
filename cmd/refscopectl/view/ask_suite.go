package view

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"

	"github.com/refscope/refscope/capture/agent/ask"
	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/capture/export/report"
	"github.com/refscope/refscope/cmd/refscopectl/cli"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/spf13/cobra"
	"mvdan.cc/sh/v3/shell"
)

// askSuite asks about many turns in many variants. Each answer is recorded before the next
// question, so that a suite that was killed goes on where it was.
func askSuite(ctx context.Context, a *cli.App, f *askFlags, args []string) error {
	switch {
	case len(args) > 0:
		return cli.Usagef("ask: --suite names its turns itself")
	case f.n != 1 || f.wanted != 0:
		return cli.Usagef("ask: --suite has n, and the ref of each turn, in its file")
	}
	for _, name := range append([]string{"dialect", "stored", "answer-timeout", "grade"}, BodyFlags...) {
		if f.given.Changed(name) {
			return cli.Usagef("ask: --%s: a suite has the flags of its questions in its file, and grades where a ref "+
				"is known", name)
		}
	}
	data, err := os.ReadFile(f.suite)
	if err != nil {
		return fmt.Errorf("ask: --suite: %w", export.Cause(err))
	}
	s, err := ask.ReadSuite(data)
	if err != nil {
		return cli.Usagef("ask: %s: %v", f.suite, err)
	}
	variants := make([]*askFlags, len(s.Variants))
	for i, v := range s.Variants {
		if variants[i], err = variantFlags(a, f, s.Flags+" "+v.Flags); err != nil {
			return cli.Usagef("ask: the variant %q: %v", v.Name, err)
		}
	}
	run := &suiteRun{a: a, suite: s, kept: map[string]map[string]ask.Kept{}}
	var failed error
	for _, t := range s.Turns {
		for i, v := range s.Variants {
			if failed = run.ask(ctx, t, v.Name, variants[i]); failed != nil {
				break
			}
		}
		if failed != nil {
			break
		}
	}
	table := ask.NewTable(s, run.rows)
	if err := run.write(table, f); err != nil {
		return err
	}
	return failed
}

// variantFlags are the flags of a variant; endpoint and key of the command line hold where it names
// none.
func variantFlags(a *cli.App, f *askFlags, line string) (*askFlags, error) {
	fields, err := shell.Fields(line, func(string) string { return "" })
	if err != nil {
		return nil, fmt.Errorf("its flags cannot be split: %w", err)
	}
	v := &askFlags{headers: http.Header{}}
	c := &cobra.Command{Use: "variant", SilenceErrors: true, SilenceUsage: true}
	v.question(a, c)
	if err := c.Flags().Parse(fields); err != nil {
		return nil, err
	}
	if c.Flags().NArg() > 0 {
		return nil, fmt.Errorf("%q is not a flag", c.Flags().Arg(0))
	}
	if v.endpoint == "" {
		v.endpoint = f.endpoint
	}
	if v.key == "" {
		v.key = f.key
	}
	for name, values := range f.headers {
		if v.headers.Get(name) == "" {
			v.headers[name] = values
		}
	}
	return v, v.checkQuestion()
}

// suiteRun is a suite under way.
type suiteRun struct {
	a     *cli.App
	suite *ask.Suite
	kept  map[string]map[string]ask.Kept // answers that are recorded, by session and key
	rows  []ask.Row
}

// ask asks about one turn in one variant, n times.
func (r *suiteRun) ask(ctx context.Context, t ask.SuiteTurn, variant string, f *askFlags) error {
	p, err := prepareAsk(ctx, r.a, f, t.Turn)
	if err != nil {
		return fmt.Errorf("the variant %s of %s: %w", text.Line(variant), text.Line(t.Turn), err)
	}
	defer p.store.Close()
	kept := r.kept[p.store.Path()]
	if kept == nil {
		if kept, err = ask.KeptAnswers(ctx, p.store); err != nil {
			return fmt.Errorf("ask: %w", err)
		}
		r.kept[p.store.Path()] = kept
	}
	wanted := t.Ref
	if wanted == 0 {
		wanted = recordedTarget(p.record)
	}
	for n := 1; n <= r.suite.N; n++ {
		p.q.Variant, p.q.Key = fmt.Sprintf("%s, answer %d of %d", text.Line(variant), n, r.suite.N), ask.KeyOf(&p.q,
			f.endpoint, n)
		k, ok := kept[p.q.Key]
		if !ok {
			if k.N, k.Variant, err = p.asker.Ask(ctx, p.q); err != nil {
				return fmt.Errorf("ask: %w", err)
			}
		}
		row := rowOfAnswer(t, variant, n, k, wanted)
		if wanted > 0 && row.Answered() {
			if row.Grade, err = gradeOf(ctx, p.store, k.N, wanted); err != nil {
				return err
			}
		}
		r.rows = append(r.rows, row)
		if !r.a.JSON {
			how := ""
			if ok {
				how = " (recorded before)"
			}
			r.a.Remark("%s, %s: %s%s", text.Line(t.Turn), p.q.Variant,
				answerWord(askedRow{Status: row.Status, Error: row.Error,
					Answer: k.Answer, Grade: row.Grade}), how)
		}
	}
	return nil
}

func rowOfAnswer(t ask.SuiteTurn, variant string, n int, k ask.Kept, wanted int) ask.Row {
	row := ask.Row{Turn: t.Turn, Variant: variant, N: n, Recorded: k.N, Status: k.Status, Error: k.Error, Ms: k.Ended,
		Wanted: wanted, Answer: answerWord(askedRow{Status: k.Status, Error: k.Error, Answer: k.Answer})}
	if k.Answer != nil {
		row.Input, row.Output = k.Answer.Usage.Input, k.Answer.Usage.Output
		if row.Error == "" {
			row.Error = text.Line(k.Answer.Error)
		}
	}
	return row
}

// write writes the table in every form that was asked for.
func (r *suiteRun) write(t *ask.Table, f *askFlags) error {
	for _, form := range []struct {
		file  string
		write func(*bytes.Buffer) error
	}{{f.csv, func(b *bytes.Buffer) error { return t.CSV(b) }},
		{f.html, func(b *bytes.Buffer) error { return report.WriteAnswers(b, t) }}} {
		if form.file == "" {
			continue
		}
		var b bytes.Buffer
		if err := form.write(&b); err != nil {
			return fmt.Errorf("writing the table: %w", err)
		}
		if err := export.Write(form.file, b.Bytes()); err != nil {
			return err
		}
	}
	if r.a.JSON {
		return r.a.PrintJSON(t)
	}
	var lines []string
	for _, v := range t.Variants {
		line := fmt.Sprintf("%s: %d of %d answered", text.Line(v.Variant), v.Answered, v.Asked)
		if v.Graded > 0 {
			line += fmt.Sprintf(", %d of %d land on the right element (%.0f %%)", v.Hits, v.Graded, v.Share*100)
		}
		lines = append(lines, line+fmt.Sprintf(", %s in, %d out", text.Count(v.Input, "token", "tokens"), v.Output))
	}
	return r.a.Print(strings.Join(lines, "\n"))
}
