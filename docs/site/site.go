package main

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	markup "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"golang.org/x/net/html"
)

// site is what build has made.
type site struct {
	root  string
	files map[string][]byte // by their path with slashes: "index.html"
	pages int
	md    goldmark.Markdown
	queue []string // Markdown files still to be read
	nav   []section
}

// section is a group of the navigation.
type section struct {
	Title string
	Pages []entry
}

type entry struct{ Title, Path string }

// page is one HTML page before the layout is around it.
type page struct {
	Path, Title string
	Body        template.HTML
	Parts       []part
}

//go:embed layout.html
var layoutText string

// contents is the page that names the others, in sections.
const contents = "docs/README.md"

// build makes all pages in memory. A link to a Markdown file of the repository makes that a page too; one to another
// file takes that file along; one that leads nowhere is an error.
func build(root string) (*site, error) {
	s := &site{root: root, files: map[string][]byte{}, md: goldmark.New(goldmark.WithExtensions(extension.GFM),
		goldmark.WithParserOptions(parser.WithAutoHeadingID()), goldmark.WithRendererOptions(markup.WithUnsafe()))}
	layout, err := template.New("layout").Parse(layoutText)
	if err != nil {
		return nil, err
	}
	if err := s.navigation(); err != nil {
		return nil, err
	}
	var pages []page
	var faults error
	for i := 0; i < len(s.queue); i++ {
		p, err := s.read(s.queue[i])
		faults = errors.Join(faults, err)
		pages = append(pages, p)
	}
	if faults != nil {
		return nil, faults
	}
	if s.files["search.js"], err = searchIndex(pages); err != nil {
		return nil, err
	}
	for _, p := range pages {
		var b bytes.Buffer
		up := strings.Repeat("../", strings.Count(p.Path, "/"))
		if err := layout.Execute(&b, map[string]any{"Page": p, "Nav": s.nav, "Up": up}); err != nil {
			return nil, fmt.Errorf("%s: %w", p.Path, err)
		}
		s.files[p.Path] = b.Bytes()
		s.pages++
	}
	return s, nil
}

// navigation reads the sections of the contents and queues their pages, the README first.
func (s *site) navigation() error {
	body, err := os.ReadFile(filepath.Join(s.root, filepath.FromSlash(contents)))
	if err != nil {
		return err
	}
	s.nav = []section{{Title: "Start", Pages: []entry{{"Refscope", "index.html"}}}}
	s.queue = []string{"README.md", contents}
	for line := range strings.Lines(string(body)) {
		if title, ok := strings.CutPrefix(line, "## "); ok {
			s.nav = append(s.nav, section{Title: strings.TrimSpace(title)})
		}
		if m := listed.FindStringSubmatch(line); m != nil {
			file := path.Join(path.Dir(contents), m[2])
			s.queue = append(s.queue, file)
			last := &s.nav[len(s.nav)-1]
			last.Pages = append(last.Pages, entry{m[1], address(file)})
		}
	}
	return nil
}

// listed is a line of the contents: - [Title](file.md)
var listed = regexp.MustCompile(`^- \[([^\]]+)\]\(([^)#]+\.md)\)`)

// address is where a file of the repository lies in the site.
func address(file string) string {
	if dir, ok := strings.CutSuffix(file, "README.md"); ok {
		return dir + "index.html"
	}
	if name, ok := strings.CutSuffix(file, ".md"); ok {
		return name + ".html"
	}
	return file
}

var source = regexp.MustCompile(`\b(src)="([^"]+)"`)

// read makes a page of a Markdown file and follows its links.
func (s *site) read(file string) (page, error) {
	body, err := os.ReadFile(filepath.Join(s.root, filepath.FromSlash(file)))
	if err != nil {
		return page{}, err
	}
	p := page{Path: address(file), Title: file}
	tree := s.md.Parser().Parse(text.NewReader(body))
	var faults error
	err = ast.Walk(tree, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			if n.Level == 1 && p.Title == file {
				p.Title = string(n.Lines().Value(body))
			}
		case *ast.Link:
			to, err := s.follow(file, string(n.Destination))
			faults = errors.Join(faults, err)
			n.Destination = []byte(to)
		case *ast.Image:
			_, err := s.follow(file, string(n.Destination))
			faults = errors.Join(faults, err)
		case *ast.HTMLBlock:
			for _, m := range source.FindAllSubmatch(n.Lines().Value(body), -1) {
				_, err := s.follow(file, string(m[2]))
				faults = errors.Join(faults, err)
			}
		case *ast.RawHTML:
			for _, m := range source.FindAllSubmatch(n.Segments.Value(body), -1) {
				_, err := s.follow(file, string(m[2]))
				faults = errors.Join(faults, err)
			}
		}
		return ast.WalkContinue, nil
	})
	if err = errors.Join(err, faults); err != nil {
		return p, err
	}
	var b bytes.Buffer
	err = s.md.Renderer().Render(&b, body, tree)
	p.Body = template.HTML(b.String()) // ours, from the repository
	p.Parts = parts(tree, body)
	return p, err
}

// follow takes what a link leads to into the site, and returns the link as it is there.
func (s *site) follow(from, link string) (string, error) {
	target, fragment, _ := strings.Cut(link, "#")
	if target == "" || strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
		return link, nil
	}
	file := path.Join(path.Dir(from), target)
	to := address(file)
	if _, there := s.files[to]; !there && !slices.Contains(s.queue, file) {
		body, err := os.ReadFile(filepath.Join(s.root, filepath.FromSlash(file)))
		if err != nil {
			return link, fmt.Errorf("%s: the link %s leads nowhere", from, link)
		}
		if strings.HasSuffix(file, ".md") {
			s.queue = append(s.queue, file)
		} else {
			s.files[to] = body
		}
	}
	link, err := filepath.Rel(filepath.FromSlash(path.Dir(address(from))), filepath.FromSlash(to))
	if fragment != "" {
		link += "#" + fragment
	}
	return filepath.ToSlash(link), err
}

// check follows every link of every page inside the site, with its fragment, and returns how many there are.
func (s *site) check() (links int, err error) {
	ids, leads := map[string]bool{}, map[string][]string{}
	for name, body := range s.files {
		if !strings.HasSuffix(name, ".html") {
			continue
		}
		tree, err := html.Parse(bytes.NewReader(body))
		if err != nil {
			return 0, fmt.Errorf("%s: %w", name, err)
		}
		for n := range tree.Descendants() {
			for _, a := range n.Attr {
				switch a.Key {
				case "id", "name":
					ids[name+"#"+a.Val] = true
				case "href", "src":
					leads[name] = append(leads[name], a.Val)
				}
			}
		}
	}
	var faults []error
	for _, name := range slices.Sorted(maps.Keys(leads)) {
		for _, link := range leads[name] {
			links++
			if strings.Contains(link, "://") || strings.HasPrefix(link, "mailto:") || strings.HasPrefix(link, "data:") {
				continue
			}
			target, fragment, _ := strings.Cut(link, "#")
			file := name
			if target != "" {
				file = path.Join(path.Dir(name), target)
			}
			if _, there := s.files[file]; !there {
				faults = append(faults, fmt.Errorf("%s: the link %s leads nowhere", name, link))
			} else if fragment != "" && !ids[file+"#"+fragment] {
				faults = append(faults, fmt.Errorf("%s: the link %s leads to no heading", name, link))
			}
		}
	}
	return links, errors.Join(faults...)
}
