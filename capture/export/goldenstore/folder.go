// Package goldenstore keeps golden pages on disk and reports on them (N-12). What is
// compared, and how, is package golden's; here are the folder and the report.
//
//	DIR/golden.json        the pages and rules, written by people and by accept
//	DIR/.gitattributes     so that git leaves the bytes alone
//	DIR/PAGE/page.json     what was accepted, with the SHA-256 of every file beside it
//	DIR/PAGE/capture.json  the capture, normalised
//	DIR/PAGE/dddk.txt …    each dump
//	DIR/PAGE/marks.json    the manifest of the marked picture
//	DIR/PAGE/audit.json    what an audit finds
//	DIR/PAGE/picture.png   the picture, without marks; it is shown, and compared on request
//
// PAGE is the page's name with everything but letters, digits, "-", "_" and "."
// escaped ([golden.Page.Folder]). A page is written beside its place and then
// renamed, so there is a whole one or none.
//
// Dumps, marks and audit are made of the capture; they are kept so that a person can
// read what was accepted, and a difference of them shows up in a review.
package goldenstore

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/overlay/codec"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/golden"
)

// pageSchema names the shape of page.json.
const pageSchema = "refscope.golden-page/1"

// ErrNew is the error of a page that was never accepted.
var ErrNew = errors.New("it was never accepted")

// Folder is a folder of golden pages.
type Folder struct {
	Dir  string
	List *golden.List
}

const listName = "golden.json"

// pageFile is page.json.
type pageFile struct {
	Schema   string            `json:"schema"`
	Name     string            `json:"name"`
	Target   string            `json:"target"`
	Chrome   string            `json:"chrome"`
	Rules    string            `json:"rules"`
	Replaced []golden.Replaced `json:"replaced,omitempty"`
	Files    []fileSum         `json:"files"`
}

type fileSum struct {
	Name   string `json:"name"`
	Bytes  int    `json:"bytes"`
	SHA256 string `json:"sha256"`
}

func sumOf(name string, data []byte) fileSum {
	sum := sha256.Sum256(data)
	return fileSum{name, len(data), hex.EncodeToString(sum[:])}
}

// aside is how a folder is named in which a page is written before it is renamed; leftover is how old one is that
// nobody writes to any more. It takes seconds.
const (
	aside    = ".accept-*"
	leftover = time.Hour
)

// sweep removes what an accept has left that was killed. Where that was between its two renames, the page as it was
// accepted before goes back to its place first. What cannot be removed stays.
func (f *Folder) sweep() {
	list, _ := os.ReadDir(f.Dir) // what cannot be read is not swept
	for _, e := range list {
		temp := filepath.Join(f.Dir, e.Name())
		st, err := e.Info()
		if err != nil || !st.IsDir() || !strings.HasPrefix(e.Name(), strings.TrimSuffix(aside, "*")) ||
			time.Since(st.ModTime()) < leftover {
			continue
		}
		old := filepath.Join(temp, "old")
		var page pageFile
		if data, err := os.ReadFile(filepath.Join(old, "page.json")); err == nil && json.Unmarshal(data, &page) == nil {
			place := filepath.Join(f.Dir, (&golden.Page{Name: page.Name}).Folder())
			if _, err := os.Lstat(place); errors.Is(err, fs.ErrNotExist) && os.Rename(old, place) != nil {
				continue
			}
		}
		_ = os.RemoveAll(temp)
	}
}

// Open reads the list of a folder. A folder without one is an error that wraps
// [fs.ErrNotExist].
func Open(dir string) (*Folder, error) {
	name := filepath.Join(dir, listName)
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, export.Cause(err))
	}
	l, err := golden.Parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	f := &Folder{dir, l}
	f.sweep()
	return f, nil
}

// Create is a folder with an empty list. Nothing is written before [Folder.Accept] or
// [Folder.Save].
func Create(dir string) *Folder {
	return &Folder{dir, &golden.List{Schema: golden.Schema}}
}

// ensure makes the folder where it is not there.
func (f *Folder) ensure() error {
	if err := os.MkdirAll(f.Dir, 0o700); err != nil {
		return fmt.Errorf("%s: %w", f.Dir, export.Cause(err))
	}
	return nil
}

// attributes keep git from changing line ends, which would damage every page.
const attributes = "* -text\n"

// Save writes the list.
func (f *Folder) Save() error {
	data, err := f.List.Text()
	if err != nil {
		return err
	}
	if _, err := golden.Parse(data); err != nil {
		return err
	}
	if err := f.ensure(); err != nil {
		return err
	}
	git := filepath.Join(f.Dir, ".gitattributes")
	if _, err := os.Lstat(git); errors.Is(err, fs.ErrNotExist) {
		if err := export.Write(git, []byte(attributes)); err != nil {
			return err
		}
	}
	return export.Write(filepath.Join(f.Dir, listName), data)
}

// Load reads what was accepted of a page. It is [ErrNew] where that is nothing;
// anything else names which file is missing or damaged. The texts are made again of the
// capture; where a dump differs from the accepted one, this version of Refscope
// prints it otherwise, and the record notes it: see [Record.Restated].
func (f *Folder) Load(p *golden.Page, s *golden.Settings) (*Record, error) {
	dir := filepath.Join(f.Dir, p.Folder())
	read := func(name string) ([]byte, error) {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Join(dir, name), export.Cause(err))
		}
		return data, nil
	}
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", dir, ErrNew)
	}
	data, err := read("page.json")
	if err != nil {
		return nil, err
	}
	var page pageFile
	if err := json.Unmarshal(data, &page); err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", filepath.Join(dir, "page.json"), err)
	}
	if page.Schema != pageSchema {
		return nil, fmt.Errorf("%s was made by another version of Refscope: its schema is %q, and this one reads %q: "+
			"accept the page again", filepath.Join(dir, "page.json"), page.Schema, pageSchema)
	}
	r := &Record{Chrome: page.Chrome, Key: page.Rules, Replaced: page.Replaced}
	whole, texts := false, map[string]string{}
	for _, sum := range page.Files {
		if sum.Name != filepath.Base(sum.Name) || strings.ContainsAny(sum.Name, `/\`) {
			return nil, fmt.Errorf("%s names a file elsewhere: %q", filepath.Join(dir, "page.json"), sum.Name)
		}
		data, err := read(sum.Name)
		if err != nil {
			return nil, err
		}
		if sumOf(sum.Name, data) != sum {
			return nil, fmt.Errorf("%s is not what was accepted: its SHA-256 is another one",
				filepath.Join(dir, sum.Name))
		}
		switch sum.Name {
		case "capture.json":
			c := &snapshot.Capture{}
			if err := json.Unmarshal(data, c); err != nil {
				return nil, fmt.Errorf("%s cannot be read: %w", filepath.Join(dir, sum.Name), err)
			}
			if c.Schema != snapshot.Schema {
				return nil, fmt.Errorf("%s is of another version: its schema is %q, and this one reads %q",
					filepath.Join(dir, sum.Name), c.Schema, snapshot.Schema)
			}
			r.Capture, whole = c, true
		case "picture.png":
			r.Picture = data
		default:
			texts[sum.Name] = string(data)
			name := dump.Format(strings.TrimSuffix(sum.Name, filepath.Ext(sum.Name)))
			if slices.Contains(format.Plain(), name) {
				r.formats = append(r.formats, name)
			}
		}
	}
	if !whole {
		return nil, fmt.Errorf("%s names no capture.json", filepath.Join(dir, "page.json"))
	}
	if r.Key != s.Key { // rules that came later hold for both sides
		var more []golden.Replaced
		r.Capture, more = s.Normaliser.Capture(r.Capture)
		r.Replaced = append(r.Replaced, more...)
		return r, r.render(s)
	}
	if err := r.render(s); err != nil {
		return nil, err
	}
	for _, t := range r.Texts {
		name := t.Name + format.Extension(dump.Format(t.Name))
		if was, ok := texts[name]; ok && slices.Contains(s.Formats, dump.Format(t.Name)) && was != t.Text+"\n" {
			r.Restated = append(r.Restated, t.Name)
		}
	}
	return r, nil
}

// Accept writes the record of a page. The folder is made beside its place and then
// renamed.
func (f *Folder) Accept(p *golden.Page, r *Record) error {
	dir := filepath.Join(f.Dir, p.Folder())
	page := pageFile{Schema: pageSchema, Name: p.Name, Target: p.Target, Chrome: r.Chrome, Rules: r.Key,
		Replaced: r.Replaced}
	files := slices.Clone(r.files)
	if len(r.Picture) > 0 {
		files = append(files, file{"picture.png", f.picture(dir, r.Picture)})
	}
	for _, x := range files {
		page.Files = append(page.Files, sumOf(x.name, x.data))
	}
	data, err := indented(page)
	if err != nil {
		return fmt.Errorf("encoding page.json of %q: %w", p.Name, err)
	}
	files = append(files, file{"page.json", data})
	fail := func(err error) error { return fmt.Errorf("writing %s: %w", dir, export.Cause(err)) }
	if err := f.ensure(); err != nil {
		return err
	}
	temp, err := os.MkdirTemp(f.Dir, aside)
	if err != nil {
		return fail(err)
	}
	defer os.RemoveAll(temp) // what is left of it
	fresh, old := filepath.Join(temp, "new"), filepath.Join(temp, "old")
	if err := os.Mkdir(fresh, 0o700); err != nil {
		return fail(err)
	}
	for _, x := range files {
		if err := export.Write(filepath.Join(fresh, x.name), x.data); err != nil {
			return err
		}
	}
	if err := os.Rename(dir, old); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fail(err)
	}
	if err := os.Rename(fresh, dir); err != nil {
		_ = os.Rename(old, dir) // the error below is what matters
		return fail(err)
	}
	return nil
}

// picture is the picture to be written: the one that is there where no px differs, so
// that another compressor makes no difference.
func (f *Folder) picture(dir string, now []byte) []byte {
	was, err := os.ReadFile(filepath.Join(dir, "picture.png"))
	if err != nil {
		return now
	}
	a, err1 := codec.DecodePNG(was)
	b, err2 := codec.DecodePNG(now)
	if err1 != nil || err2 != nil || a.Rect != b.Rect {
		return now
	}
	if _, n, _ := overlay.Differ(a, b); n > 0 {
		return now
	}
	return was
}

// Extra lists the folders that hold a page which the list does not have, by name.
func (f *Folder) Extra() ([]string, error) {
	entries, err := os.ReadDir(f.Dir)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Dir, export.Cause(err))
	}
	known := map[string]bool{}
	for i := range f.List.Pages {
		known[f.List.Pages[i].Folder()] = true
	}
	var out []string
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") && !known[e.Name()] {
			if _, err := os.Stat(filepath.Join(f.Dir, e.Name(), "page.json")); err == nil {
				out = append(out, e.Name())
			}
		}
	}
	return out, nil
}

// Target is where a page is: a path in the list is relative to the list's folder.
func (f *Folder) Target(p *golden.Page) string {
	if strings.Contains(p.Target, "://") {
		return p.Target
	}
	file := filepath.FromSlash(p.Target)
	if !filepath.IsAbs(file) {
		file = filepath.Join(f.Dir, file)
	}
	if _, err := os.Stat(file); err == nil {
		return file
	}
	if low := strings.ToLower(p.Target); strings.HasSuffix(low, ".html") || strings.HasSuffix(low, ".htm") ||
		strings.HasSuffix(low, ".json") {
		return file // it is not there, and the error describes where it was looked for
	}
	return p.Target
}

// Listed is a target as the list contains it: a file relative to the folder, with slashes.
func (f *Folder) Listed(name string) (string, error) {
	if strings.Contains(name, "://") {
		return name, nil
	}
	if _, err := os.Stat(name); err != nil {
		return name, nil // an address without its scheme, or a turn
	}
	dir, err := filepath.Abs(f.Dir)
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	file, err := filepath.Abs(name)
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	if rel, err := filepath.Rel(dir, file); err == nil { // not so on another drive of Windows
		file = rel
	}
	return filepath.ToSlash(file), nil
}

// Outcomes of [Folder.Renew].
const (
	Accepted  golden.Outcome = "accepted"
	Unchanged golden.Outcome = "unchanged"
)

// Renew accepts a page as it is now, unless it is as accepted already.
func (f *Folder) Renew(p *golden.Page, s *golden.Settings, now *snapshot.Capture, picture []byte) *Result {
	fail := func(err error) *Result { return Fail(p, golden.Failed, err) }
	r := &Result{Name: p.Name, Target: p.Target, Outcome: Accepted, Sentence: "accepted"}
	if before, err := f.Load(p, s); err == nil && before.Key == s.Key {
		same, err := compare(p, s, before, now, picture, true)
		if err != nil {
			return fail(err)
		}
		if same.Outcome == golden.Same && slices.Equal(before.Formats(), s.Formats) {
			r.Outcome, r.Sentence, r.Replaced = Unchanged, "it is as accepted", same.Replaced
			return r
		}
	}
	record, err := makeRecord(now, picture, s, nil)
	if err != nil {
		return fail(err)
	}
	r.Replaced = record.Replaced
	if err := f.Accept(p, record); err != nil {
		return fail(err)
	}
	return r
}

// Check holds a page as it is now against what was accepted.
func (f *Folder) Check(p *golden.Page, s *golden.Settings, now *snapshot.Capture, picture []byte, pixels bool) *Result {
	before, err := f.Load(p, s)
	if err != nil {
		return Fail(p, golden.Damaged, err)
	}
	r, err := compare(p, s, before, now, picture, pixels)
	if err != nil {
		return Fail(p, golden.Failed, err)
	}
	return r
}
