package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/capture/export/accepted"
	"github.com/refscope/refscope/snapshot/golden"
)

// Outcomes of golden accept.
const (
	outcomeAccepted  = "accepted"
	outcomeUnchanged = "unchanged"
)

// goldenAccept captures pages and keeps what they are now.
func (a *app) goldenAccept(ctx context.Context, f *goldenFlags, dir string, targets []string) error {
	folder, err := openGolden(dir, len(targets) > 0)
	if err != nil {
		return err
	}
	pages, err := f.pagesFor(a, folder, targets)
	if err != nil {
		return err
	}
	g := a.gallery(folder, f)
	defer g.close()
	var done []*accepted.Result
	for i := range pages {
		r := g.accept(ctx, &pages[i])
		if err := ctx.Err(); err != nil {
			return err
		}
		done = append(done, r)
		if r.Outcome == golden.Failed {
			continue
		}
		if at := slices.IndexFunc(folder.List.Pages, func(p golden.Page) bool { return p.Name == pages[i].Name }); at >= 0 {
			folder.List.Pages[at] = pages[i]
		} else {
			folder.List.Pages = append(folder.List.Pages, pages[i])
		}
	}
	if len(folder.List.Pages) > 0 { // else nothing was accepted, and there is no folder
		if err := folder.Save(); err != nil {
			return err
		}
	}
	return a.answerGolden(done, func(r *accepted.Result) bool { return r.Outcome == golden.Failed }, false)
}

// accept captures one page and writes it, unless it is as accepted already.
func (g *gallery) accept(ctx context.Context, p *golden.Page) *accepted.Result {
	fail := func(err error) *accepted.Result { return accepted.Fail(p, golden.Failed, err) }
	s, err := g.folder.List.Settings(p)
	if err != nil {
		return fail(err)
	}
	now, err := g.see(ctx, p, s)
	if err != nil {
		return fail(err)
	}
	r := &accepted.Result{Name: p.Name, Target: p.Target, Outcome: outcomeAccepted, Sentence: "accepted"}
	if before, err := g.folder.Load(p, s); err == nil && before.Key == s.Key {
		same, err := accepted.Compare(p, s, before, now.capture, now.picture, true)
		if err != nil {
			return fail(err)
		}
		if same.Outcome == golden.Same && slices.Equal(before.Formats(), s.Formats) {
			r.Outcome, r.Sentence, r.Replaced = outcomeUnchanged, "it is as accepted", same.Replaced
			return r
		}
	}
	record, err := accepted.Make(now.capture, now.picture, s, nil)
	if err != nil {
		return fail(err)
	}
	r.Replaced = record.Replaced
	if err := g.folder.Accept(p, record); err != nil {
		return fail(err)
	}
	return r
}

// goldenCheck holds pages against what was accepted.
func (a *app) goldenCheck(ctx context.Context, f *goldenFlags, dir string, names []string) error {
	folder, err := openGolden(dir, false)
	if err != nil {
		return err
	}
	for _, n := range names {
		if !slices.ContainsFunc(folder.List.Pages, func(p golden.Page) bool { return p.Name == n }) {
			return usagef("golden check: %s has no page %q", dir, n)
		}
	}
	g := a.gallery(folder, f)
	defer g.close()
	var results []*accepted.Result
	for i := range folder.List.Pages {
		p := &folder.List.Pages[i]
		if len(names) > 0 && !slices.Contains(names, p.Name) {
			continue
		}
		results = append(results, g.check(ctx, p, f.pixel))
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	if len(names) == 0 {
		extra, err := folder.Extra()
		if err != nil {
			return err
		}
		for _, e := range extra {
			results = append(results, accepted.Stray(e))
		}
	}
	if err := f.reports(dir, results); err != nil {
		return err
	}
	bad := func(r *accepted.Result) bool { return r.Outcome != golden.Same }
	if f.update {
		if err := g.update(ctx, results); err != nil {
			return err
		}
		bad = func(r *accepted.Result) bool { return r.Outcome == golden.Failed || r.Outcome == golden.Extra }
	}
	return a.answerGolden(results, bad, f.update)
}

// check holds one page against what was accepted.
func (g *gallery) check(ctx context.Context, p *golden.Page, pixels bool) *accepted.Result {
	s, err := g.folder.List.Settings(p)
	if err != nil {
		return accepted.Fail(p, golden.Failed, err)
	}
	before, err := g.folder.Load(p, s)
	if err != nil {
		return accepted.Fail(p, golden.Damaged, err)
	}
	now, err := g.see(ctx, p, s)
	if err != nil {
		return accepted.Fail(p, golden.Failed, err)
	}
	r, err := accepted.Compare(p, s, before, now.capture, now.picture, pixels)
	if err != nil {
		return accepted.Fail(p, golden.Failed, err)
	}
	return r
}

// update accepts what differs as the check saw it. What could not be compared, because
// nothing whole was accepted, is captured now.
func (g *gallery) update(ctx context.Context, results []*accepted.Result) error {
	for _, r := range results {
		if r.Outcome == golden.Same || r.Outcome == golden.Failed || r.Outcome == golden.Extra {
			continue
		}
		p := &g.folder.List.Pages[slices.IndexFunc(g.folder.List.Pages, func(p golden.Page) bool { return p.Name == r.Name })]
		s, err := g.folder.List.Settings(p)
		if err != nil {
			return err
		}
		record, err := r.Fresh(s)
		if err != nil {
			return fmt.Errorf("accepting page %q: %w", p.Name, err)
		}
		if record != nil {
			if err := g.folder.Accept(p, record); err != nil {
				return err
			}
		} else if made := g.accept(ctx, p); made.Outcome == golden.Failed {
			return fmt.Errorf("accepting page %q: %s", made.Name, made.Sentence)
		}
	}
	return nil
}

// reports writes the files that were asked for.
func (f *goldenFlags) reports(dir string, results []*accepted.Result) error {
	abs, err := filepath.Abs(dir)
	if err != nil {
		abs = dir
	}
	suite := filepath.Base(abs)
	if f.html != "" {
		if err := export.WriteBy(f.html, func(w io.Writer) error { return accepted.HTML(w, suite, results) }); err != nil {
			return err
		}
	}
	if f.junit == "" {
		return nil
	}
	var cases []golden.Case
	for _, r := range results {
		cases = append(cases, r.Case())
	}
	return export.WriteBy(f.junit, func(w io.Writer) error { return golden.JUnit(w, suite, cases) })
}

// answerGolden prints the results; it is an error where one of them is bad.
func (a *app) answerGolden(results []*accepted.Result, bad func(*accepted.Result) bool, updated bool) error {
	failed := slices.ContainsFunc(results, bad)
	if a.json {
		status := "ok"
		if failed {
			status = "failed"
		}
		if err := json.NewEncoder(a.stdout).Encode(map[string]any{"status": status, "pages": results}); err != nil {
			return err
		}
	} else if err := a.printGolden(results); err != nil {
		return err
	}
	if updated {
		a.remark("what differed is accepted now")
	}
	if failed {
		return errReported
	}
	return nil
}

// printGolden says each page in a line, with what changed below it.
func (a *app) printGolden(results []*accepted.Result) error {
	var b strings.Builder
	count := map[golden.Outcome]int{}
	var order []golden.Outcome
	for _, r := range results {
		if count[r.Outcome]++; count[r.Outcome] == 1 {
			order = append(order, r.Outcome)
		}
		fmt.Fprintf(&b, "%-9s  %s", r.Outcome, oneLine(r.Name))
		if r.Outcome != golden.Same && r.Outcome != outcomeAccepted && r.Outcome != outcomeUnchanged {
			b.WriteString(": " + oneLine(r.Sentence))
		}
		b.WriteByte('\n')
		if r.Comparison != nil && !r.Comparison.Same() {
			for line := range strings.SplitSeq(r.Comparison.Report(), "\n") {
				b.WriteString("    " + line + "\n")
			}
		}
		for _, n := range r.Notes {
			b.WriteString("    note: " + oneLine(n) + "\n")
		}
		for _, x := range r.Replaced {
			var such []string
			for _, e := range x.Examples {
				such = append(such, oneLine(e))
			}
			fmt.Fprintf(&b, "    replaced %d × %s: %s\n", x.Count, oneLine(x.Rule), strings.Join(such, ", "))
		}
	}
	var sums []string
	slices.SortStableFunc(order, func(x, y golden.Outcome) int { return cmp.Compare(count[y], count[x]) })
	for _, o := range order {
		sums = append(sums, fmt.Sprintf("%d %s", count[o], o))
	}
	pages := "pages"
	if len(results) == 1 {
		pages = "page"
	}
	fmt.Fprintf(&b, "%d %s: %s\n", len(results), pages, strings.Join(sums, ", "))
	_, err := io.WriteString(a.stdout, visible(b.String()))
	return err
}
