package goldenstore

import (
	"bytes"
	"encoding/json"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"github.com/refscope/refscope/overlay/codec"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/golden"
)

// capture is a page with one button of that name.
func capture(name string) *snapshot.Capture {
	node := func(i, parent int, tag, role, text string, ref int) snapshot.Node {
		n := snapshot.Node{I: i, Parent: parent, Tag: tag, Role: role, Name: text, Text: text, Ref: ref, Box: snapshot.Box{10, float64(10 + 40*i), 100, 30},
			Visible: true, InViewport: true, Verdict: snapshot.VerdictWrapper, Path: "html > body > " + tag}
		if ref > 0 {
			n.Verdict, n.Interactive = snapshot.VerdictRef, []string{"native"}
			n.Occlusion = &snapshot.Occlusion{State: snapshot.Clear, VisibleShare: 1, HitShare: 1, Click: [2]float64{60, float64(25 + 40*i)}}
		} else if text != "" {
			n.Verdict = snapshot.VerdictContent
		}
		if text != "" {
			n.Runs = []snapshot.Run{{Text: text, Before: -1}}
		}
		return n
	}
	return &snapshot.Capture{Schema: snapshot.Schema, URL: "http://127.0.0.1:2000/", Title: "Page", Settled: true, Chrome: "Chrome/1",
		Viewport: snapshot.Viewport{Width: 200, Height: 160, Scale: 1}, Frames: []snapshot.Frame{{Parent: -1, Owner: -1, Readable: true}}, Verdicts: map[snapshot.Verdict]int{},
		Nodes: []snapshot.Node{node(0, -1, "body", "", "", 0), node(1, 0, "p", "paragraph", "Only $5 at 12:30", 0), node(2, 0, "button", "button", name, 1)}}
}

func picture(t testing.TB, c color.Color) []byte {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, 200, 160))
	draw.Draw(img, img.Rect, image.NewUniform(color.White), image.Point{}, draw.Src)
	draw.Draw(img, image.Rect(10, 90, 30, 100), image.NewUniform(c), image.Point{}, draw.Src)
	data, err := codec.EncodePNG(img, true)
	require.NoError(t, err)
	return data
}

// kept is a folder with one accepted page.
func kept(t testing.TB, name string) (*Folder, *golden.Page, *golden.Settings) {
	t.Helper()
	f := Create(filepath.Join(t.TempDir(), "gold"))
	f.List.Pages = []golden.Page{{Name: name, Target: "a.html"}}
	f.List.Normalise = &[]string{"host", "id", "time", "date", "price"}
	p := &f.List.Pages[0]
	s, err := f.List.Settings(p)
	require.NoError(t, err)
	r, err := makeRecord(capture("Buy"), picture(t, color.Black), s, nil)
	require.NoError(t, err)
	require.NoError(t, f.Accept(p, r))
	require.NoError(t, f.Save())
	again, err := Open(f.Dir)
	require.NoError(t, err)
	return again, &again.List.Pages[0], s
}

// tree is every file below a folder.
func tree(t testing.TB, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		out[filepath.ToSlash(rel)] = string(data)
		return err
	}))
	return out
}

func TestAcceptedPagesComeBack(t *testing.T) {
	f, p, s := kept(t, "a page/../x")
	before := tree(t, f.Dir)
	var names []string
	for n := range before {
		names = append(names, n)
	}
	dir := "a%20page%2F..%2Fx/"
	require.ElementsMatch(t, []string{".gitattributes", "golden.json", dir + "page.json", dir + "capture.json", dir + "dddk.txt", dir + "aria.yaml", dir + "marks.json", dir + "audit.json", dir + "picture.png"}, names)
	require.NotContains(t, before[dir+"capture.json"], "127.0.0.1:2000")
	require.Contains(t, before[dir+"dddk.txt"], "Only ‹price› at ‹time›")

	r, err := f.Load(p, s)
	require.NoError(t, err)
	got, err := compare(p, s, r, capture("Buy"), picture(t, color.Black), true)
	require.NoError(t, err)
	require.Equal(t, golden.Same, got.Outcome, got.Sentence)
	require.Equal(t, &Pixels{Of: 200 * 160}, got.Pixels)

	again, err := makeRecord(capture("Buy"), picture(t, color.RGBA{4, 4, 4, 255}), s, nil)
	require.NoError(t, err)
	require.NoError(t, f.Accept(p, again))
	require.Equal(t, before, tree(t, f.Dir), "the same page gives the same bytes")
	extra, err := f.Extra()
	require.NoError(t, err)
	require.Empty(t, extra)
}

func TestWhatDiffers(t *testing.T) {
	f, p, s := kept(t, "a")
	r, err := f.Load(p, s)
	require.NoError(t, err)
	got, err := compare(p, s, r, capture("Pay"), picture(t, color.Black), false)
	require.NoError(t, err)
	require.Equal(t, golden.Changed, got.Outcome)
	require.Contains(t, got.Case().Detail, `~ [1] button "Buy": renamed to "Pay"`)
	require.Contains(t, got.Case().Detail, `-[1] button "Buy" drawn`)

	for _, count := range []bool{false, true} {
		got, err = compare(p, s, r, capture("Buy"), picture(t, color.RGBA{255, 0, 0, 255}), count)
		require.NoError(t, err)
		require.Equal(t, 200, got.Pixels.Differ)
		require.Equal(t, count, got.Outcome == golden.Changed)
		require.Equal(t, count, got.Pixels.Counts)
	}
	p.Pixels = 0.01
	got, err = compare(p, s, r, capture("Buy"), picture(t, color.RGBA{255, 0, 0, 255}), true)
	require.NoError(t, err)
	require.Equal(t, golden.Same, got.Outcome, "200 of 32,000 px are within one percent")
	got, err = compare(p, s, r, capture("Buy"), nil, true)
	require.NoError(t, err)
	require.Equal(t, golden.Changed, got.Outcome)
	require.Contains(t, got.Sentence, "no picture")

	// The same page in other fonts.
	wide := capture("Buy")
	for i := range wide.Nodes {
		wide.Nodes[i].Box[2] += 10
	}
	got, err = compare(p, s, r, wide, picture(t, color.Black), false)
	require.NoError(t, err)
	require.Equal(t, golden.Changed, got.Outcome)
	require.Contains(t, strings.Join(got.Notes, "\n"), "other fonts")
	fresh, err := got.Fresh(s)
	require.NoError(t, err)
	require.Equal(t, 110.0, fresh.Capture.Nodes[2].Box.W())

	// Rules that came later hold for both sides.
	f.List.Rules = []golden.Rule{{Name: "verb", Pattern: "Buy|Pay"}}
	later, err := f.List.Settings(p)
	require.NoError(t, err)
	r, err = f.Load(p, later)
	require.NoError(t, err)
	got, err = compare(p, later, r, capture("Pay"), picture(t, color.Black), false)
	require.NoError(t, err)
	require.Equal(t, golden.Same, got.Outcome, got.Sentence)
	require.Contains(t, got.Notes[0], "the rules have changed")
}

// TestBadFolders: what is missing, damaged or of another version is named.
func TestBadFolders(t *testing.T) {
	file := func(f *Folder, name string) string { return filepath.Join(f.Dir, "a", name) }
	for name, c := range map[string]struct {
		spoil func(t *testing.T, f *Folder)
		want  string
	}{
		"never accepted": {func(t *testing.T, f *Folder) { require.NoError(t, os.RemoveAll(file(f, ""))) }, "it was never accepted"},
		"no page.json":   {func(t *testing.T, f *Folder) { require.NoError(t, os.Remove(file(f, "page.json"))) }, "page.json: "},
		"a missing dump": {func(t *testing.T, f *Folder) { require.NoError(t, os.Remove(file(f, "dddk.txt"))) }, "dddk.txt: "},
		"an edited dump": {func(t *testing.T, f *Folder) {
			require.NoError(t, os.WriteFile(file(f, "aria.yaml"), []byte("x"), 0o644))
		}, "aria.yaml is not what was accepted"},
		"cut short": {func(t *testing.T, f *Folder) {
			require.NoError(t, os.WriteFile(file(f, "page.json"), []byte(`{"schema":`), 0o644))
		}, "page.json cannot be read"},
		"another version": {func(t *testing.T, f *Folder) {
			require.NoError(t, os.WriteFile(file(f, "page.json"), []byte(`{"schema":"refscope.golden-page/9"}`), 0o644))
		}, `made by another version of Refscope: its schema is "refscope.golden-page/9"`},
		"no capture": {func(t *testing.T, f *Folder) {
			require.NoError(t, os.WriteFile(file(f, "page.json"), []byte(`{"schema":"refscope.golden-page/1"}`), 0o644))
		}, "names no capture.json"},
		"a file elsewhere": {func(t *testing.T, f *Folder) {
			require.NoError(t, os.WriteFile(file(f, "page.json"), []byte(`{"schema":"refscope.golden-page/1","files":[{"name":"../golden.json"}]}`), 0o644))
		}, `names a file elsewhere: "../golden.json"`},
	} {
		t.Run(name, func(t *testing.T) {
			f, p, s := kept(t, "a")
			c.spoil(t, f)
			_, err := f.Load(p, s)
			require.ErrorContains(t, err, c.want)
			want := golden.Damaged
			if errors.Is(err, ErrNew) {
				want = golden.New
			}
			require.Equal(t, want, Fail(p, golden.Damaged, err).Outcome)
		})
	}
	f, _, _ := kept(t, "a")
	require.NoError(t, os.WriteFile(filepath.Join(f.Dir, "golden.json"), []byte(`{"schema":"refscope.golden/7","pages":[]}`), 0o644))
	_, err := Open(f.Dir)
	require.ErrorIs(t, err, golden.ErrVersion)
	require.ErrorContains(t, err, "golden.json")
	_, err = Open(t.TempDir())
	require.ErrorIs(t, err, os.ErrNotExist)

	f, _, _ = kept(t, "a")
	f.List.Pages[0].Name = "b"
	extra, err := f.Extra()
	require.NoError(t, err)
	require.Equal(t, []string{"a"}, extra)
}

// TestRestated: a dump that this version prints otherwise is named, and is no change of
// the page.
func TestRestated(t *testing.T) {
	f, p, s := kept(t, "a")
	name := filepath.Join(f.Dir, "a", "page.json")
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	var page pageFile
	require.NoError(t, json.Unmarshal(data, &page))
	for i := range page.Files {
		if page.Files[i].Name == "dddk.txt" {
			old := []byte("as it was printed once\n")
			page.Files[i] = sumOf("dddk.txt", old)
			require.NoError(t, os.WriteFile(filepath.Join(f.Dir, "a", "dddk.txt"), old, 0o644))
		}
	}
	data, err = json.Marshal(page)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(name, data, 0o644))
	r, err := f.Load(p, s)
	require.NoError(t, err)
	require.Equal(t, []string{"dddk"}, r.Restated)
	got, err := compare(p, s, r, capture("Buy"), picture(t, color.Black), false)
	require.NoError(t, err)
	require.Equal(t, golden.Changed, got.Outcome)
	require.True(t, got.Comparison.Diff.Empty())
	require.Contains(t, got.Sentence, "dddk: this version of Refscope prints the accepted page otherwise")
}

// TestReportIsSafe: page text stays text, nothing is asked for or run, and the same
// results give the same bytes.
func TestReportIsSafe(t *testing.T) {
	evil := "</li><script>alert(1)</script><img src=x onerror=alert(1)>\u202e\x1b[31m]]>"
	f, p, s := kept(t, "a")
	r, err := f.Load(p, s)
	require.NoError(t, err)
	p.Name, p.Target = evil, "javascript:"+evil
	now := capture(evil)
	now.Title = evil
	got, err := compare(p, s, r, now, picture(t, color.RGBA{255, 0, 0, 255}), false)
	require.NoError(t, err)
	results := []*Result{got, Fail(p, golden.Failed, errors.New(evil)), Stray(evil)}
	var b bytes.Buffer
	require.NoError(t, HTML(&b, evil, results))
	first := b.String()
	b.Reset()
	require.NoError(t, HTML(&b, evil, results))
	require.Equal(t, first, b.String())

	root, err := html.Parse(strings.NewReader(first))
	require.NoError(t, err)
	pictures, boxes, policy := 0, 0, ""
	ids := map[string]bool{}
	var points []string
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			require.False(t, n.Type == html.TextNode && strings.ContainsAny(n.Data, "\u202e\x1b"))
			continue
		}
		require.NotContains(t, []string{"script", "img", "iframe", "object", "link", "form", "base"}, n.Data)
		if n.Data == "rect" {
			boxes++
		}
		for _, a := range n.Attr {
			require.False(t, strings.HasPrefix(a.Key, "on") || a.Key == "style" || a.Key == "src", a.Key)
			switch {
			case a.Key == "id":
				require.False(t, ids[a.Val])
				ids[a.Val] = true
			case a.Key == "content" && strings.HasPrefix(a.Val, "default-src"):
				policy = a.Val
			case a.Key == "href" && n.Data == "image":
				pictures++
				require.True(t, strings.HasPrefix(a.Val, "data:image/webp;base64,"), a.Val[:40])
			case a.Key == "href":
				require.True(t, strings.HasPrefix(a.Val, "#"), a.Val)
				points = append(points, a.Val[1:])
			}
		}
	}
	for _, id := range points {
		require.True(t, ids[id], id)
	}
	require.Equal(t, 3, pictures)
	require.Positive(t, boxes)
	require.True(t, strings.HasPrefix(policy, "default-src 'none'; img-src data:; style-src 'sha256-"), policy)
	require.NotContains(t, policy, "script-src")
	require.Contains(t, first, "&lt;script&gt;")
}

// TestLeftoversAreSwept: what an accept that was killed has left goes after an hour; a page that it had taken away goes
// back to its place. One that may still be at work is left alone.
func TestLeftoversAreSwept(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, Create(dir).Save())
	leave := func(name string, age time.Duration, page string) {
		old := filepath.Join(dir, name, "old")
		require.NoError(t, os.MkdirAll(old, 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(old, "page.json"), []byte(`{"name":"`+page+`"}`), 0o600))
		at := time.Now().Add(-age)
		require.NoError(t, os.Chtimes(filepath.Join(dir, name), at, at))
	}
	require.NoError(t, os.Mkdir(filepath.Join(dir, "there"), 0o755))
	leave(".accept-1", 2*time.Hour, "there")
	leave(".accept-2", 2*time.Hour, "gone")
	leave(".accept-3", time.Minute, "busy")
	_, err := Open(dir)
	require.NoError(t, err)
	list, err := os.ReadDir(dir)
	require.NoError(t, err)
	var names []string
	for _, e := range list {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	require.Equal(t, []string{".accept-3", "gone", "there"}, names)
	require.FileExists(t, filepath.Join(dir, "gone", "page.json"))
}
