package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/overlay/dataset"
	"github.com/refscope/refscope/snapshot/testneed"
)

// spotRow is an example of a set in the form of ScreenSpot-Pro.
type spotRow struct {
	Image       string `json:"img_filename"`
	Box         [4]int `json:"bbox"`
	Size        [2]int `json:"img_size"`
	Instruction string
	Application string
	Truth       string `json:"gt_type"`
	Source      dataset.Source
}

func spotRows(t *testing.T, dir string) []spotRow {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "annotations.json"))
	require.NoError(t, err)
	var rows []spotRow
	require.NoError(t, json.Unmarshal(data, &rows))
	return rows
}

// tree is what a folder holds.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	require.NoError(t, fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		out[name] = string(data)
		return err
	}))
	return out
}

func TestDatasetUsage(t *testing.T) {
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"no folder":             {[]string{"build", "--as", "coco", "page.html"}, "-o DIR"},
		"no form":               {[]string{"build", "-o", "x", "page.html"}, "--as"},
		"another form":          {[]string{"build", "-o", "x", "--as", "voc", "page.html"}, "screenspot-pro"},
		"no target":             {[]string{"build", "-o", "x", "--as", "coco"}, "name a session"},
		"no place for these":    {[]string{"build", "-o", "x", "--as", "yolo", "--negatives", "page.html"}, "no place for negatives"},
		"a wrong share":         {[]string{"build", "-o", "x", "--as", "coco", "--splits", "train", "page.html"}, "train=80"},
		"a wrong form of words": {[]string{"build", "-o", "x", "--as", "coco", "--forms", "rhyme", "page.html"}, "position"},
		"a wrong device":        {[]string{"build", "-o", "x", "--as", "coco", "--device", "toaster", "page.html"}, "toaster"},
		"a wrong scale":         {[]string{"build", "-o", "x", "--as", "coco", "--scale", "99", "page.html"}, "deviceScaleFactor"},
		"a wrong theme":         {[]string{"build", "-o", "x", "--as", "coco", "--theme", "pink", "page.html"}, "light or dark"},
		"a wrong locale":        {[]string{"build", "-o", "x", "--as", "coco", "--locale", "de;q=1", "page.html"}, "en-US"},
		"a wrong type":          {[]string{"build", "-o", "x", "--as", "coco", "--pictures", "gif", "page.html"}, "webp"},
		"too many jobs":         {[]string{"build", "-o", "x", "--as", "coco", "--jobs", "900", "page.html"}, "--jobs"},
		"check of nothing":      {[]string{"check"}, "folder of a set"},
		"check of a wrong rule": {[]string{"check", "--allow", "ugly", "x"}, "ambiguous"},
	} {
		t.Run(name, func(t *testing.T) {
			code, out, errs := ctl(t, append([]string{"dataset"}, c.args...)...)
			require.Equal(t, 2, code, errs)
			require.Contains(t, errs, c.want)
			require.Empty(t, out)
		})
	}
	code, _, errs := ctl(t, "dataset", "check", t.TempDir())
	require.Equal(t, 1, code)
	require.Contains(t, errs, "no annotations")
}

// One page on two devices in two themes and another language: every picture shows what was asked for, the check finds
// nothing, a second build is equal in every byte, and the same pages that are recorded make a set without a browser.
func TestDatasetOfPages(t *testing.T) {
	testneed.Long(t, "a data set of pages")
	needChrome(t)
	t.Setenv("REFSCOPE_HOME", t.TempDir())
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		first, _, _ := strings.Cut(r.Header.Get("Accept-Language"), ",")
		fmt.Fprintf(w, `<!doctype html><meta name=viewport content="width=device-width"><style>
			@media (prefers-color-scheme: dark) { body { background: #111; color: #eee } }
			#over { position: absolute; left: 10px; top: 200px; width: 120px; height: 60px; background: #bbb }</style>
			<h1>Shop</h1><button>Greeting %s</button> <button onclick=0 id=b></button><p><a href=/a>More</a> <a href=/b>More</a></p>
			<input type=password aria-label=Password value=hunter2 style="display:block">
			<button style="position:absolute;left:20px;top:215px">Under</button><div id=over></div>
			<script>b.textContent = 'Language ' + navigator.language</script>`, first)
	}))
	defer srv.Close()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	build := func(out string, more ...string) {
		code, printed, errs := ctl(t, append([]string{"--quiet", "--json", "dataset", "build", "-o", at(out), "--as", "screenspot-pro", "--device",
			"640x480,iphone-se", "--theme", "light,dark", "--locale", "de-DE", "--settle", "50ms", "--jobs", "3", "--negatives",
			srv.URL + "/shop"}, more...)...)
		require.Zero(t, code, errs)
		refusesMutations(t, "dataset", []byte(printed))
	}
	build("one")
	build("two")
	require.Equal(t, tree(t, at("one")), tree(t, at("two")))
	require.NoDirExists(t, at("one/.building"))
	rows := spotRows(t, at("one"))
	seen := map[string]bool{}
	for _, r := range rows {
		seen[fmt.Sprint(r.Source.Device, " ", r.Source.Theme, " ", r.Source.Locale, " ", r.Size)] = true
		require.NotContains(t, r.Instruction, "Password")
		require.NotContains(t, r.Instruction, "More", "there are two")
		require.Equal(t, strings.Contains(r.Instruction, "Under"), r.Truth == "negative")
		if strings.Contains(r.Instruction, "Language") || strings.Contains(r.Instruction, "Greeting") {
			require.Contains(t, r.Instruction, r.Source.Locale)
		}
		img := decode(t, filepath.Join(at("one"), "images", r.Image))
		require.Equal(t, image.Pt(r.Size[0], r.Size[1]), img.Rect.Size())
		corner := img.RGBAAt(r.Size[0]-2, r.Size[1]-2)
		require.Equal(t, r.Source.Theme == "dark", corner.R < 64, "%+v", corner)
		require.True(t, image.Rect(r.Box[0], r.Box[1], r.Box[2], r.Box[3]).In(img.Rect))
	}
	require.Len(t, seen, 4)
	require.Contains(t, seen, "iphone-se dark de-DE [750 1334]")
	require.Len(t, rows, 12, "two buttons and the covered one of each picture")
	var all bytes.Buffer
	for name, data := range tree(t, at("one")) {
		all.WriteString(name + data)
	}
	require.NotContains(t, all.String(), "hunter2")

	code, out, errs := ctl(t, "--json", "dataset", "check", at("one"))
	require.Zero(t, code, out+errs)
	refusesMutations(t, "datasetcheck", []byte(out))
	code, out, errs = ctl(t, "dataset", "check", at("one"), "--sheet", at("sheet.html"))
	require.Zero(t, code, out+errs)
	sheet, err := os.ReadFile(at("sheet.html"))
	require.NoError(t, err)
	require.Contains(t, string(sheet), "Greeting")

	// Recorded, without a browser, for a model, with marks and in splits.
	code, _, errs = ctl(t, "--quiet", "turn", "--session", "rec", srv.URL+"/shop", srv.URL+"/shop#2")
	require.Zero(t, code, errs)
	t.Setenv("PATH", "")
	for _, out := range []string{"som", "som2"} {
		code, _, errs = ctl(t, "--chrome", "/none/needed", "--quiet", "dataset", "build", "rec", "-o", at(out), "--as", "som",
			"--model", "gpt-4o", "--detail", "low", "--splits", "train=50,test=50", "--pictures", "webp")
		require.Zero(t, code, errs)
	}
	require.Equal(t, tree(t, at("som")), tree(t, at("som2")))
	files := tree(t, at("som"))
	require.Contains(t, files, "images/00001-marked.webp")
	require.Contains(t, files, "manifests/00001.json")
	require.NotContains(t, files, "images/00002.webp", "it looks like the first")
	require.Contains(t, files["README.md"], "| pictures dropped as duplicates | 1 |")
	require.Contains(t, files["metadata.jsonl"], `"img_size":[512,288]`)
	require.Contains(t, files["metadata.jsonl"], `"turn":"rec#1"`)
	code, out, errs = ctl(t, "--json", "dataset", "check", at("som"))
	require.Zero(t, code, out+errs)

	// A session's folder by a name without a slash is that of the current folder, all the way.
	t.Chdir(filepath.Join(os.Getenv("REFSCOPE_HOME"), "sessions"))
	t.Setenv("REFSCOPE_HOME", t.TempDir())
	code, _, errs = ctl(t, "--chrome", "/none/needed", "--quiet", "dataset", "build", "rec", "-o", at("here"), "--as", "yolo")
	require.Zero(t, code, errs)
	require.Contains(t, tree(t, at("here")), "labels/00001.txt")
}

// A run that could not make all pictures leaves what it has; the next one makes the rest, and the set is the one that
// an undisturbed run makes.
func TestDatasetGoesOn(t *testing.T) {
	needChrome(t)
	t.Setenv("REFSCOPE_HOME", t.TempDir())
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	address := net.JoinHostPort("127.0.0.1", freePort(t))
	there := page(t, `<title>A</title><button>Here</button>`)
	require.NoError(t, os.WriteFile(at("list.txt"), []byte("# two pages\n"+there+"\n\nhttp://"+address+"/late\n"), 0o600))
	run := func(out string, more ...string) (int, string) {
		args := []string{"dataset", "build", at("list.txt"), "--as", "coco", "-o", at(out), "--settle", "50ms"}
		code, _, errs := ctl(t, append(args, more...)...)
		return code, errs
	}
	code, errs := run("set")
	require.Equal(t, 1, code)
	require.Contains(t, errs, "1 of 2 pictures failed")
	code, errs = run("set", "--min-size", "9")
	require.Equal(t, 1, code)
	require.Contains(t, errs, "other pages or choices")

	l, err := net.Listen("tcp", address)
	require.NoError(t, err)
	srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `<title>B</title><h1>Late</h1><button>There</button>`)
	})}
	served := make(chan error, 1)
	go func() { served <- srv.Serve(l) }()
	defer func() { _ = srv.Close(); <-served }()
	require.NoError(t, os.Remove(there)) // it is not opened again, but a page that is named must be there
	require.NoError(t, os.WriteFile(there, []byte("changed"), 0o600))
	code, errs = run("set")
	require.Zero(t, code, errs)
	require.Contains(t, errs, "1 picture is done already")
	require.NoDirExists(t, at("set/.building"))
	got := tree(t, at("set"))
	require.Contains(t, got["annotations.json"], `"Here"`)
	require.Contains(t, got["annotations.json"], `"There"`)

	require.NoError(t, os.WriteFile(there, []byte(`<title>A</title><button>Here</button>`), 0o600))
	code, errs = run("fresh")
	require.Zero(t, code, errs)
	require.Equal(t, got, tree(t, at("fresh")))
	code, errs = run("fresh")
	require.Equal(t, 1, code)
	require.Contains(t, errs, "is not empty")
}
