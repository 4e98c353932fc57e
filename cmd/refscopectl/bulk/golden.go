package bulk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"sync"

	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/capture/export/goldenstore"
	"github.com/refscope/refscope/capture/inspect"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/capture/target"
	"github.com/refscope/refscope/cmd/refscopectl/cli"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/golden"
	"github.com/spf13/cobra"
)

// goldenFlags are the flags of golden accept and golden check.
type goldenFlags struct {
	formats, name string // accept
	html, junit   string // check
	update, pixel bool
	page          cli.CaptureFlags
}

// Golden accepts pages, and holds pages against what was accepted (N-12).
func Golden(a *cli.App) *cobra.Command {
	return cli.Family("golden accept|check DIR", "pages compared with what was accepted of them",
		`  refscopectl golden accept out/golden assets/demo/index.html
  refscopectl golden check out/golden --html out/golden.html --junit out/golden.xml`,
		goldenAcceptCommand(a), goldenCheckCommand(a))
}

func goldenAcceptCommand(a *cli.App) *cobra.Command {
	var f goldenFlags
	c := &cobra.Command{
		Use: "accept DIR [TARGET…]", Short: "accept pages as they are now; without targets all pages of the folder",
		Example: `  refscopectl golden accept out/golden assets/demo/index.html --name shop
  refscopectl golden accept out/golden --viewport iphone-14 assets/demo/index.html`,
		Args: cli.Between(1, -1, ""),
		RunE: func(c *cobra.Command, args []string) error {
			return goldenAccept(c.Context(), a, &f, args[0], args[1:])
		},
	}
	flags := c.Flags()
	flags.StringVar(&f.formats, "format", "", "the `FORMATS` to compare, with commas; for new pages, default dddk,aria")
	flags.StringVar(&f.name, "name", "", "`NAME` of the one target; default its file or address")
	cli.CompleteFlag(c, "format", cli.Strings(format.Plain())...)
	f.page.Register(c)
	f.page.RegisterJobs(c)
	return c
}

func goldenCheckCommand(a *cli.App) *cobra.Command { return new(goldenFlags).checkCommand(a) }

// checkCommand makes the command golden check that reads f.
func (f *goldenFlags) checkCommand(a *cli.App) *cobra.Command {
	c := &cobra.Command{
		Use:   "check DIR [PAGE…]",
		Short: "compare pages with what was accepted; golden.json in the folder says what is compared",
		Example: `  refscopectl golden check out/golden --html out/golden.html --junit out/golden.xml
  refscopectl golden check out/golden --update`,
		Args: cli.Between(1, -1, ""),
		RunE: func(c *cobra.Command, args []string) error { return goldenCheck(c.Context(), a, f, args[0], args[1:]) },
	}
	flags := c.Flags()
	flags.StringVar(&f.html, "html", "", "one self-contained `FILE` with what differs, in words and pictures")
	flags.StringVar(&f.junit, "junit", "", "JUnit XML `FILE`, a testcase for each page")
	flags.BoolVar(&f.update, "update", false, "accept what differs, after printing it")
	flags.BoolVar(&f.pixel, "pixels", false, "differences of the pictures count too")
	f.page.Register(c)
	f.page.RegisterJobs(c)
	return c
}

// gallery captures the pages of a folder. It keeps a browser for each viewport.
type gallery struct {
	a      *cli.App
	folder *goldenstore.Folder
	page   cli.CaptureFlags

	mu   sync.Mutex
	tabs map[string]*target.Opener
}

func newGallery(a *cli.App, folder *goldenstore.Folder, f *goldenFlags) *gallery {
	return &gallery{a: a, folder: folder, page: f.page, tabs: map[string]*target.Opener{}}
}

func (g *gallery) close() {
	for _, o := range g.tabs {
		o.Close()
	}
}

// capture captures a page as it is now.
func (g *gallery) capture(ctx context.Context, p *golden.Page, s *golden.Settings) (*target.Opened, error) {
	o, err := g.opener(s.Viewport)
	if err != nil {
		return nil, fmt.Errorf("page %q: %w", p.Name, err)
	}
	r, err := o.Open(ctx, g.folder.Target(p), session.Options{Settle: g.page.Settle, Action: "golden"})
	if err != nil {
		return nil, err
	}
	return r, r.FindPicture(false)
}

// opener opens pages in that viewport.
func (g *gallery) opener(viewport string) (*target.Opener, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if o := g.tabs[viewport]; o != nil {
		return o, nil
	}
	with := *g.a
	with.Viewport = viewport
	if err := with.Check(); err != nil {
		return nil, err
	}
	o := with.Opener()
	g.tabs[viewport] = o
	return o, nil
}

// captured is a page of the list as it is now, with what is compared of it.
type captured struct {
	settings *golden.Settings
	now      *target.Opened
	err      error
}

func (g *gallery) capturePage(ctx context.Context, p *golden.Page) captured {
	s, err := g.folder.List.Settings(p)
	if err != nil {
		return captured{err: err}
	}
	now, err := g.capture(ctx, p, s)
	return captured{s, now, err}
}

// all captures the pages, --jobs at a time, and passes them to take in their
// order. prove is for pages that are accepted: see there.
func (g *gallery) all(ctx context.Context, prove bool, pages []*golden.Page,
	take func(*golden.Page, captured)) error {
	step, finish := g.a.Progress("pages", len(pages))
	work := func(ctx context.Context, i int) captured {
		c := g.capturePage(ctx, pages[i])
		if prove {
			g.prove(ctx, pages[i], &c)
		}
		return c
	}
	err := target.InOrder(ctx, g.page.Jobs, len(pages), work, func(i int, c captured) error {
		take(pages[i], c)
		step(c.err != nil)
		return ctx.Err()
	})
	finish()
	return err
}

// pagesFor adds the targets to the list, where they are not in it, and returns their
// pages; without targets, all pages.
func (f *goldenFlags) pagesFor(a *cli.App, folder *goldenstore.Folder, targets []string) ([]golden.Page, error) {
	if len(targets) == 0 {
		if len(folder.List.Pages) == 0 {
			return nil, cli.Usagef("golden accept: %s lists no pages yet: name a target", folder.Dir)
		}
		return slices.Clone(folder.List.Pages), nil
	}
	if f.name != "" && len(targets) > 1 {
		return nil, cli.Usagef("golden accept: --name is for one target")
	}
	var formats []dump.Format
	if f.formats != "" {
		var err error
		if formats, err = cli.PlainFormats("golden accept: --format", f.formats); err != nil {
			return nil, err
		}
	}
	var out []golden.Page
	all := slices.Clone(folder.List.Pages)
	for _, t := range targets {
		name, err := folder.Listed(t)
		if err != nil {
			return nil, err
		}
		at := slices.IndexFunc(all, func(p golden.Page) bool {
			return p.Target == name && (f.name == "" || p.Name == f.name) &&
				(f.name != "" || p.Viewport == "" || p.Viewport == a.Viewport)
		})
		if at < 0 {
			p := golden.Page{Name: f.name, Target: name, Formats: formats}
			if p.Name == "" {
				p.Name = golden.NameFor(name, all)
			}
			if a.Viewport != "1280x720" && a.Viewport != folder.List.Viewport {
				p.Viewport = a.Viewport
			}
			all = append(all, p)
			at = len(all) - 1
		} else if formats != nil {
			all[at].Formats = formats
		}
		if !slices.ContainsFunc(out, func(p golden.Page) bool { return p.Name == all[at].Name }) {
			out = append(out, all[at])
		}
	}
	return out, nil
}

// openGolden opens the folder, or makes it where create is set.
func openGolden(dir string, create bool) (*goldenstore.Folder, error) {
	folder, err := goldenstore.Open(dir)
	switch {
	case err == nil:
		return folder, nil
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	case create:
		return goldenstore.Create(dir), nil
	}
	return nil, fmt.Errorf("%w: accept pages first, with golden accept %s TARGET…", err, dir)
}

// goldenAccept captures pages and keeps what they are now.
func goldenAccept(ctx context.Context, a *cli.App, f *goldenFlags, dir string, targets []string) error {
	if err := f.page.CheckJobs("golden accept"); err != nil {
		return err
	}
	folder, err := openGolden(dir, len(targets) > 0)
	if err != nil {
		return err
	}
	pages, err := f.pagesFor(a, folder, targets)
	if err != nil {
		return err
	}
	g := newGallery(a, folder, f)
	defer g.close()
	var done []*goldenstore.Result
	chosen := make([]*golden.Page, len(pages))
	for i := range pages {
		chosen[i] = &pages[i]
	}
	err = g.all(ctx, true, chosen, func(p *golden.Page, c captured) {
		r := g.accept(p, c)
		done = append(done, r)
		if r.Outcome == golden.Failed {
			return
		}
		if at := slices.IndexFunc(folder.List.Pages, func(q golden.Page) bool { return q.Name == p.Name }); at >= 0 {
			folder.List.Pages[at] = *p
		} else {
			folder.List.Pages = append(folder.List.Pages, *p)
		}
	})
	if err != nil {
		return err
	}
	if len(folder.List.Pages) > 0 { // else nothing was accepted, and there is no folder
		if err := folder.Save(); err != nil {
			return err
		}
	}
	return answerGolden(a, done, func(r *goldenstore.Result) bool { return r.Outcome == golden.Failed }, false)
}

// accept writes a page as it was captured, unless it is as accepted already.
func (g *gallery) accept(p *golden.Page, c captured) *goldenstore.Result {
	if c.err != nil {
		return goldenstore.Fail(p, golden.Failed, c.err)
	}
	return g.folder.Renew(p, c.settings, c.now.Capture, c.now.Picture)
}

// check holds a page as it was captured against what was accepted.
func (g *gallery) check(p *golden.Page, c captured, pixels bool) *goldenstore.Result {
	switch {
	case c.settings == nil:
		return goldenstore.Fail(p, golden.Failed, c.err)
	case c.err != nil: // what was accepted may be damaged too, and that is told first
		if _, err := g.folder.Load(p, c.settings); err != nil {
			return goldenstore.Fail(p, golden.Damaged, err)
		}
		return goldenstore.Fail(p, golden.Failed, c.err)
	}
	return g.folder.Check(p, c.settings, c.now.Capture, c.now.Picture, pixels)
}

// prove captures a page a second time and lists in it the rules that it needs, where neither it nor the
// list names any: what differs between two captures of the unchanged page changes by itself.
func (g *gallery) prove(ctx context.Context, p *golden.Page, c *captured) {
	if c.err != nil || p.Normalise != nil || g.folder.List.Normalise != nil {
		return
	}
	again, err := g.capture(ctx, p, c.settings)
	if err != nil {
		c.err = err
		return
	}
	if names := golden.Proven(c.now.Capture, again.Capture); len(names) > 1 {
		p.Normalise = &names
		c.settings, c.err = g.folder.List.Settings(p)
	}
}

// goldenCheck holds pages against what was accepted.
func goldenCheck(ctx context.Context, a *cli.App, f *goldenFlags, dir string, names []string) error {
	if err := f.page.CheckJobs("golden check"); err != nil {
		return err
	}
	folder, err := openGolden(dir, false)
	if err != nil {
		return err
	}
	for _, n := range names {
		if folder.List.Page(n) == nil {
			return cli.Usagef("golden check: %s has no page %q", dir, n)
		}
	}
	g := newGallery(a, folder, f)
	defer g.close()
	var pages []*golden.Page
	for i := range folder.List.Pages {
		if p := &folder.List.Pages[i]; len(names) == 0 || slices.Contains(names, p.Name) {
			pages = append(pages, p)
		}
	}
	var results []*goldenstore.Result
	err = g.all(ctx, false, pages, func(p *golden.Page, c captured) {
		results = append(results, g.check(p, c, f.pixel))
	})
	if err != nil {
		return err
	}
	if len(names) == 0 {
		extra, err := folder.Extra()
		if err != nil {
			return err
		}
		for _, e := range extra {
			results = append(results, goldenstore.Stray(e))
		}
	}
	if err := f.reports(dir, results); err != nil {
		return err
	}
	bad := func(r *goldenstore.Result) bool { return r.Outcome != golden.Same }
	if f.update {
		if err := g.update(ctx, results); err != nil {
			return err
		}
		bad = func(r *goldenstore.Result) bool { return r.Outcome == golden.Failed || r.Outcome == golden.Extra }
	}
	return answerGolden(a, results, bad, f.update)
}

// update accepts what differs as the check saw it. What could not be compared, because
// nothing whole was accepted, is captured now.
func (g *gallery) update(ctx context.Context, results []*goldenstore.Result) error {
	for _, r := range results {
		if r.Outcome == golden.Same || r.Outcome == golden.Failed || r.Outcome == golden.Extra {
			continue
		}
		p := g.folder.List.Page(r.Name)
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
		} else if made := g.accept(p, g.capturePage(ctx, p)); made.Outcome == golden.Failed {
			return fmt.Errorf("accepting page %q: %s", made.Name, made.Sentence)
		}
	}
	return nil
}

// reports writes the files that were requested.
func (f *goldenFlags) reports(dir string, results []*goldenstore.Result) error {
	abs, err := filepath.Abs(dir)
	if err != nil {
		abs = dir
	}
	suite := filepath.Base(abs)
	if f.html != "" {
		if err := export.WriteBy(f.html,
			func(w io.Writer) error { return goldenstore.HTML(w, suite, results) }); err != nil {
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
func answerGolden(a *cli.App, results []*goldenstore.Result, bad func(*goldenstore.Result) bool, updated bool) error {
	failed := slices.ContainsFunc(results, bad)
	answer := inspect.GoldenCheck{Schema: inspect.GoldenSchema, Status: "ok", Pages: results}
	if failed {
		answer.Status = "failed"
	}
	var err error
	if a.JSON {
		err = a.PrintJSON(answer)
	} else {
		err = a.Print(answer.Text())
	}
	if err != nil {
		return err
	}
	if updated {
		a.Remark("what differed is accepted now")
	}
	if failed {
		return cli.ErrReported
	}
	return nil
}
