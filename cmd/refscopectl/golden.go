package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/refscope/refscope/capture/export/accepted"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/golden"
)

// goldenFlags are the flags of golden accept and golden check.
type goldenFlags struct {
	formats, name string // accept
	html, junit   string // check
	update, pixel bool
	settle        session.Settle
}

func (f *goldenFlags) register(fs *flag.FlagSet) {
	fs.StringVar(&f.formats, "format", "", "accept: the dumps to compare, with commas; for new pages, default dddk,aria")
	fs.StringVar(&f.name, "name", "", "accept: what the one target is called; default its file or address")
	fs.StringVar(&f.html, "html", "", "check: one self-contained file with what differs, in words and pictures")
	fs.StringVar(&f.junit, "junit", "", "check: JUnit XML, a testcase for each page")
	fs.BoolVar(&f.update, "update", false, "check: accept what differs, after saying it")
	fs.BoolVar(&f.pixel, "pixels", false, "check: differences of the pictures count too")
	settleFlags(fs, &f.settle)
}

// goldenCommand accepts pages, and holds pages against what was accepted (N-12).
func goldenCommand(ctx context.Context, a *app, args []string) error {
	var f goldenFlags
	words, err := a.globals("refscopectl golden", args, f.register)
	if err != nil {
		return err
	}
	if len(words) < 2 {
		return usagef("golden: say what to do and name the folder: golden accept DIR [TARGET…] or golden check DIR [PAGE…]")
	}
	switch verb, dir, rest := words[0], words[1], words[2:]; verb {
	case "accept":
		if f.html != "" || f.junit != "" || f.update || f.pixel {
			return usagef("golden accept: --html, --junit, --update and --pixels are flags of golden check")
		}
		return a.goldenAccept(ctx, &f, dir, rest)
	case "check":
		if f.formats != "" || f.name != "" {
			return usagef("golden check: --format and --name are flags of golden accept; golden.json in %s says what is compared", dir)
		}
		return a.goldenCheck(ctx, &f, dir, rest)
	default:
		return usagef("golden: there is no %q: choose accept or check", verb)
	}
}

// gallery captures the pages of a folder. It keeps a browser for each viewport.
type gallery struct {
	a      *app
	folder *accepted.Folder
	settle session.Settle
	live   map[string]*live
}

func (a *app) gallery(folder *accepted.Folder, f *goldenFlags) *gallery {
	return &gallery{a: a, folder: folder, settle: f.settle, live: map[string]*live{}}
}

func (g *gallery) close() {
	for _, l := range g.live {
		l.close()
	}
}

// see captures a page as it is now.
func (g *gallery) see(ctx context.Context, p *golden.Page, s *golden.Settings) (*seen, error) {
	l := g.live[s.Viewport]
	if l == nil {
		with := *g.a
		with.viewport = s.Viewport
		if err := with.check(); err != nil {
			return nil, fmt.Errorf("page %q: %w", p.Name, err)
		}
		l = with.live()
		g.live[s.Viewport] = l
	}
	target := g.target(p)
	out, err := l.see(ctx, target, session.Options{Settle: g.settle, Action: "golden"})
	if err != nil {
		return nil, err
	}
	if len(out.picture) == 0 && isCapture(target) {
		if _, err := out.marked(target, false); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// target is where a page is: what the list says as a path is relative to its folder.
func (g *gallery) target(p *golden.Page) string {
	if strings.Contains(p.Target, "://") {
		return p.Target
	}
	file := filepath.FromSlash(p.Target)
	if !filepath.IsAbs(file) {
		file = filepath.Join(g.folder.Dir, file)
	}
	if _, err := os.Stat(file); err == nil {
		return file
	}
	if low := strings.ToLower(p.Target); strings.HasSuffix(low, ".html") || strings.HasSuffix(low, ".htm") || strings.HasSuffix(low, ".json") {
		return file // it is not there, and the error says where it was looked for
	}
	return p.Target
}

// listed is a target as the list says it: a file relative to the folder, with slashes.
func listed(dir, target string) (string, error) {
	if strings.Contains(target, "://") {
		return target, nil
	}
	if _, err := os.Stat(target); err != nil {
		return target, nil // an address without its scheme, or a turn
	}
	file, err := filepath.Abs(target)
	if err == nil {
		dir, err = filepath.Abs(dir)
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", target, err)
	}
	if rel, err := filepath.Rel(dir, file); err == nil { // not so on another drive of Windows
		file = rel
	}
	return filepath.ToSlash(file), nil
}

// pagesFor adds the targets to the list, where they are not in it, and returns their
// pages; without targets, all pages.
func (f *goldenFlags) pagesFor(a *app, folder *accepted.Folder, targets []string) ([]golden.Page, error) {
	if len(targets) == 0 {
		if len(folder.List.Pages) == 0 {
			return nil, usagef("golden accept: %s lists no pages yet: name a target", folder.Dir)
		}
		return slices.Clone(folder.List.Pages), nil
	}
	if f.name != "" && len(targets) > 1 {
		return nil, usagef("golden accept: --name is for one target")
	}
	formats, err := f.chosen()
	if err != nil {
		return nil, err
	}
	var out []golden.Page
	all := slices.Clone(folder.List.Pages)
	for _, t := range targets {
		target, err := listed(folder.Dir, t)
		if err != nil {
			return nil, err
		}
		at := slices.IndexFunc(all, func(p golden.Page) bool {
			return p.Target == target && (f.name == "" || p.Name == f.name) && (f.name != "" || p.Viewport == "" || p.Viewport == a.viewport)
		})
		if at < 0 {
			p := golden.Page{Name: f.name, Target: target, Formats: formats}
			if p.Name == "" {
				p.Name = nameFor(target, all)
			}
			if a.viewport != "1280x720" && a.viewport != folder.List.Viewport {
				p.Viewport = a.viewport
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

// chosen are the formats of --format, nil without it.
func (f *goldenFlags) chosen() ([]dump.Format, error) {
	if f.formats == "" {
		return nil, nil
	}
	var out []dump.Format
	for name := range strings.SplitSeq(f.formats, ",") {
		if !slices.Contains(format.Plain(), dump.Format(name)) {
			return nil, usagef("golden accept: --format %q: choose from %s", name, joined(format.Plain()))
		}
		out = append(out, dump.Format(name))
	}
	return out, nil
}

// nameFor makes a name of a target: the file without its ending, or host and path; with
// a number where there is one of that name.
func nameFor(target string, pages []golden.Page) string {
	name := target
	if _, rest, ok := strings.Cut(name, "://"); ok {
		name, _, _ = strings.Cut(rest, "?")
		name = strings.Trim(name, "/")
	} else {
		name = name[strings.LastIndexByte(name, '/')+1:]
		for _, end := range []string{".html", ".htm", ".json"} {
			name = strings.TrimSuffix(name, end)
		}
	}
	if r := []rune(clean(oneLine(visible(name)))); len(r) > 100 {
		name = string(r[:100])
	} else {
		name = string(r)
	}
	if name == "" {
		name = "page"
	}
	base := name
	taken := func(p golden.Page) bool { return strings.EqualFold(p.Name, name) }
	for i := 2; slices.ContainsFunc(pages, taken); i++ {
		name = fmt.Sprintf("%s %d", base, i)
	}
	return name
}

// openGolden opens the folder, or makes it where create says so.
func openGolden(dir string, create bool) (*accepted.Folder, error) {
	folder, err := accepted.Open(dir)
	switch {
	case err == nil:
		return folder, nil
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	case create:
		return accepted.Create(dir), nil
	}
	return nil, fmt.Errorf("%w: accept pages first, with golden accept %s TARGET…", err, dir)
}
