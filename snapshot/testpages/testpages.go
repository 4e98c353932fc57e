// Package testpages has the pages that gates of this project run on, and captures of them.
//
// The pages were made for it: articles with headers, advertisements and comments, a manual,
// a page from right to left, a dense list, a long table, forms of every kind, frames within
// frames. Their text belongs to the project, so that a clone has them and a test that needs
// them fails where they are missing. [Folders] lists their folders, and those of
// saved pages of other people where ../shared/corpus exists; [Captures] returns Chrome's
// captures of our own pages, for packages that drive no browser.
//
// A page is changed by editing pages/KIND/NAME.html. Then
//
//	go test ./capture/session -run TestOwnCaptures -update
//
// writes its capture again.
package testpages

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/testneed"
)

// Kind is a folder of pages.
type Kind string

// The kinds of pages.
const (
	Articles Kind = "articles" // text to read, lists and tables
	Forms    Kind = "forms"    // the name of a file ends in what the form is: harbour_login.html
	Frames   Kind = "frames"   // frames, shadow roots, something covered
)

// Kinds are all kinds of pages.
func Kinds() []Kind { return []Kind{Articles, Forms, Frames} }

// corpus is the folder of ../shared/corpus with pages of that kind.
func (k Kind) corpus() string {
	if k == Articles {
		return "real"
	}
	return string(k)
}

// Folder is a folder with pages on disk.
type Folder struct {
	Name string // for messages
	Path string
	Own  bool // of this package; a gate applies to these exactly, to others in part
}

// Pages are the names of the pages in the folder, in order: all of our own, and every
// eighth of the saved ones, or all of them where REFSCOPE_SLOW is set. A page that opens a
// dialog as it loads is left out.
func (f Folder) Pages(t testing.TB) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(f.Path, "*.html"))
	if err != nil || len(list) == 0 {
		t.Fatalf("no pages in %s: %v", f.Path, err)
	}
	var names []string
	for i, p := range list {
		if f.Own || i%8 == 0 || os.Getenv("REFSCOPE_SLOW") != "" {
			names = append(names, filepath.Base(p))
		}
	}
	return slices.DeleteFunc(names, func(name string) bool { return name == "remove-script-tags.html" })
}

// Folders are our own pages of a kind and, where ../shared/corpus is beside the repository
// and -short is not given, the saved ones.
func Folders(t testing.TB, k Kind) []Folder {
	t.Helper()
	out := []Folder{Own(t, k)}
	if testing.Short() {
		return out
	}
	if dir, ok := testneed.Corpus(t, k.corpus()); ok {
		out = append(out, Folder{Name: "corpus/" + k.corpus(), Path: dir})
	}
	return out
}

// Own are our own pages of a kind.
func Own(t testing.TB, k Kind) Folder {
	t.Helper()
	return Folder{Name: string(k), Path: filepath.Join(root(t), "pages", string(k)), Own: true}
}

func root(t testing.TB) string {
	t.Helper()
	return filepath.Join(testneed.Repository(t), "snapshot", "testpages")
}

// Captures are captures by name: those of our own pages, and those in the folders that the
// environment variable REFSCOPE_CAPTURES lists as PATH does: .json files (refscopectl snap
// --format capture --all), or folders of them. Each call reads them again.
func Captures(t testing.TB) map[string]*snapshot.Capture {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root(t), "captures", "*.json.gz"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no captures of our own pages: %v", err)
	}
	for _, dir := range filepath.SplitList(os.Getenv("REFSCOPE_CAPTURES")) {
		for _, pattern := range []string{"*.json", "*/*.json"} {
			more, err := filepath.Glob(filepath.Join(dir, pattern))
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, more...)
		}
	}
	out := make(map[string]*snapshot.Capture, len(files))
	for _, file := range files {
		name, _, _ := strings.Cut(filepath.Base(file), ".json")
		out[name] = load(t, file)
	}
	return out
}

// EachCapture runs check on every one of [Captures], as a test of its name.
func EachCapture(t *testing.T, check func(t *testing.T, c *snapshot.Capture)) {
	t.Helper()
	all := Captures(t)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		t.Run(name, func(t *testing.T) { check(t, all[name]) })
	}
}

func load(t testing.TB, file string) *snapshot.Capture {
	t.Helper()
	data, err := os.ReadFile(file)
	if err == nil && strings.HasSuffix(file, ".gz") {
		var r *gzip.Reader
		if r, err = gzip.NewReader(bytes.NewReader(data)); err == nil {
			data, err = io.ReadAll(r)
		}
	}
	c := new(snapshot.Capture)
	if err == nil {
		err = json.Unmarshal(data, c)
	}
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return c
}

// Save writes a capture beside our own pages.
func Save(t testing.TB, name string, capture []byte) {
	t.Helper()
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err == nil {
		_, err = w.Write(capture)
	}
	if err == nil {
		err = w.Close()
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(root(t), "captures", name+".json.gz"), b.Bytes(), 0o644)
	}
	if err != nil {
		t.Fatalf("writing the capture of %s: %v", name, err)
	}
}
