package main

import (
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	_ "image/jpeg" // read back
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/overlay/codec"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/stretchr/testify/require"
	_ "golang.org/x/image/webp" // read back
)

// tall is a page of n rows with a button each, 100 CSS px high; main holds the first
// two.
func tall(n int) string {
	var b strings.Builder
	b.WriteString(`<!doctype html><title>Tall</title><body style="margin:0"><header ` +
		`style="position:sticky;top:0;height:40px;background:#eee"><a href="/">Home</a></header><main>`)
	for k := range n {
		if k == 2 {
			b.WriteString(`</main>`)
		}
		fmt.Fprintf(&b, `<div style="height:100px;background:rgb(%d,200,200)"><button>Row %d</button></div>`, k, k)
	}
	return b.String()
}

func decode(t *testing.T, name string) *image.RGBA {
	t.Helper()
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	img, err := codec.DecodePNG(data)
	require.NoError(t, err)
	return img
}

// TestMarkIntoAMissingFolder: it is refused before the page is opened.
func TestMarkIntoAMissingFolder(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing")
	for _, flag := range []string{"-o", "--clean", "--manifest", "--legend"} {
		code, _, errs := ctl(t, "mark", "http://127.0.0.1:1/", flag, filepath.Join(missing, "marks.png"))
		require.Equal(t, 2, code, errs)
		require.Contains(t, errs, "folder "+missing+" not found: create it first")
	}
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	code, _, errs := ctl(t, "mark", "http://127.0.0.1:1/", "-o", filepath.Join(file, "marks.png"))
	require.Equal(t, 2, code, errs)
	require.Contains(t, errs, file+" is not a folder")
}

type markAnswer struct {
	Status   string
	Files    []string
	Tokens   int `json:"tokensEstimate"`
	Manifest overlay.Manifest
}

func markJSON(t *testing.T, args ...string) markAnswer {
	t.Helper()
	code, out, errs := ctl(t, append([]string{"--json", "--quiet", "mark"}, args...)...)
	require.Zero(t, code, out+errs)
	var got markAnswer
	require.NoError(t, json.Unmarshal([]byte(out), &got))
	require.Equal(t, "ok", got.Status)
	return got
}

func TestMarkUsage(t *testing.T) {
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"no such view":             {[]string{"--view", "both"}, "choose qa or model"},
		"no such palette":          {[]string{"--palette", "rainbow"}, "choose role"},
		"no such style":            {[]string{"--style", "refscope-9"}, "choose refscope-2 or refscope-1"},
		"tiles and regions":        {[]string{"--tiles", "--regions"}, "choose one"},
		"no manifest":              {[]string{"--after", "mark_test.go"}, "mark --manifest"},
		"detail without a model":   {[]string{"--detail", "low"}, "--model"},
		"no such detail":           {[]string{"--model", "gpt-4o", "--detail", "some"}, "--detail"},
		"a wrong selector":         {[]string{"--scope", "p["}, "--scope"},
		"a selector of live state": {[]string{"--scope", "a:hover"}, "hover"},
		"a type without encoder":   {[]string{"--clean", "x.tiff"}, "choose png"},
		"no type at all":           {[]string{"--clean", "x"}, ".png"},
	} {
		t.Run(name, func(t *testing.T) {
			code, out, errs := ctl(t, append([]string{"mark", "-o", "x.png", "page.html"}, c.args...)...)
			require.Equal(t, 2, code, errs)
			require.Contains(t, errs, c.want)
			require.Empty(t, out)
		})
	}
	code, _, errs := ctl(t, "mark", "page.html", "--legend", "l.txt", "--palette", "tints")
	require.Equal(t, 2, code, errs)
	require.Contains(t, errs, "colours of the picture")
}

func TestMarkFullPageInTiles(t *testing.T) {
	testneed.Long(t, "a long page in tiles")
	needChrome(t)
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	target := page(t, tall(30))
	got := markJSON(t, "--full-page", "--tiles", "-o", at("m.png"), "--clean", at("c.png"), "--manifest", at("m.json"),
		"--legend", at("l.txt"), target)
	m := got.Manifest
	require.Len(t, m.Images, 5, "3,040 px in steps of 648")
	require.Equal(t, [4]int{0, 2320, 1280, 720}, m.Images[4].Tile)
	require.Equal(t, 31, m.Counts[overlay.Drawn])
	require.Len(t, got.Files, 12)
	for _, file := range got.Files {
		require.FileExists(t, file)
	}
	legend, err := os.ReadFile(at("l.txt"))
	require.NoError(t, err)
	require.Equal(t, 31+5, strings.Count(string(legend), "\n"))
	require.Contains(t, string(legend), "Image 5: m-5.png, 1280 x 720 px at 0,2320 of the page\n")
	require.NoFileExists(t, at("m.png"))

	// The tiles are the page, and a mark is on the pixels of its button.
	whole := at("whole.png")
	markJSON(t, "--full-page", "-o", at("w.png"), "--clean", whole, target)
	page := decode(t, whole)
	require.Equal(t, image.Pt(1280, 3040), page.Rect.Size())
	for k, img := range m.Images {
		tile := decode(t, at(fmt.Sprintf("c-%d.png", k+1)))
		for _, p := range []image.Point{{1200, 5}, {1200, 300}, {1200, 719}} {
			require.Equal(t, page.RGBAAt(p.X, p.Y+img.Tile[1]), tile.RGBAAt(p.X, p.Y), "tile %d at %v", k+1, p)
		}
		marked := decode(t, at(fmt.Sprintf("m-%d.png", k+1)))
		require.Equal(t, tile.Rect, marked.Rect)
	}
	var file overlay.Manifest
	data, err := os.ReadFile(at("m.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &file))
	require.Equal(t, m, file)
}

// The whole page is recorded as a turn like any other, and marked from there without a
// browser; a turn of a window has no more than that.
func TestMarkRecordedTurns(t *testing.T) {
	needChrome(t)
	dir := t.TempDir()
	t.Setenv("REFSCOPE_HOME", t.TempDir())
	target := page(t, tall(20))
	a := markJSON(t, "--session", "work", "--full-page", "-o", filepath.Join(dir, "a.png"), target)
	markJSON(t, "--session", "work", "-o", filepath.Join(dir, "b.png"), target)
	t.Setenv("PATH", "")
	again := markJSON(t, "--chrome", "/none/needed", "--full-page", "-o", filepath.Join(dir, "a.png"), "work#1")
	require.Equal(t, a.Manifest, again.Manifest)
	code, _, errs := ctl(t, "mark", "--full-page", "-o", filepath.Join(dir, "c.png"), "work#2")
	require.Equal(t, 2, code)
	require.Contains(t, errs, "name the page itself")
}

func TestMarkOfACapture(t *testing.T) {
	file := capturedForm(t)
	dir := t.TempDir()
	out := filepath.Join(dir, "m.png")
	code, _, errs := ctl(t, "mark", "-o", out, file)
	require.Equal(t, 1, code)
	require.Contains(t, errs, "has no picture")
	require.Contains(t, errs, strings.TrimSuffix(file, ".json")+".png")
	// What is not a picture needs none.
	got := markJSON(t, "--legend", filepath.Join(dir, "l.txt"), file)
	require.Equal(t, 1280, got.Manifest.Images[0].Width)
	require.Empty(t, got.Manifest.Images[0].File)
	// A picture beside it is its own where it has its size.
	beside := strings.TrimSuffix(file, ".json") + ".png"
	for size, want := range map[image.Point]int{{X: 1280, Y: 720}: 0, {X: 640, Y: 360}: 1} {
		data, err := codec.EncodePNG(image.NewRGBA(image.Rectangle{Max: size}), true)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(beside, data, 0o600))
		code, _, errs := ctl(t, "--quiet", "mark", "-o", out, file)
		require.Equal(t, want, code, errs)
	}
}

func TestMarkScope(t *testing.T) {
	needChrome(t)
	dir := t.TempDir()
	target := page(t, tall(5))
	m := markJSON(t, "--scope", "main", "-o", filepath.Join(dir, "m.png"), target).Manifest
	require.Equal(t, 2, m.Counts[overlay.Drawn], "the buttons in main")
	require.Equal(t, 5, m.Counts[overlay.OutOfScope], "three buttons, the header and its link")
	code, _, errs := ctl(t, "--quiet", "mark", "--scope", "table", "-o", filepath.Join(dir, "n.png"), target)
	require.Equal(t, 1, code)
	require.Contains(t, errs, "matches nothing")
}

// The picture is resized before it is marked, so the marks stay sharp; one that would
// shrink until nobody can read it is refused.
func TestMarkForAModel(t *testing.T) {
	needChrome(t)
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	target := page(t, tall(100))
	code, _, errs := ctl(t, "--quiet", "mark", "--full-page", "--model", "gpt-4o", "-o", at("m.png"), target)
	require.Equal(t, 1, code, errs)
	require.Contains(t, errs, "--tiles")
	require.Contains(t, errs, "--force")
	require.NoFileExists(t, at("m.png"))

	forced := markJSON(t, "--full-page", "--force", "--model", "gpt-4o", "-o", at("m.png"), "--clean", at("c.png"), target)
	img := forced.Manifest.Images[0]
	require.Less(t, img.Height, 10_000)
	require.Equal(t, "gpt-4o", forced.Manifest.Model)
	require.Equal(t, image.Pt(img.Width, img.Height), decode(t, at("m.png")).Rect.Size())
	require.Equal(t, image.Pt(img.Width, img.Height), decode(t, at("c.png")).Rect.Size())
	require.InDelta(t, float64(img.Width)/1280, img.ScaleX, 1e-6)
	require.Positive(t, forced.Tokens)

	tiled := markJSON(t, "--full-page", "--tiles", "--view", "model", "--model", "gpt-4o", "-o", at("t.png"), target)
	for _, img := range tiled.Manifest.Images {
		require.Equal(t, 1.0, img.ScaleX, "tiles that the model takes as they are")
	}
	require.Greater(t, tiled.Manifest.Images[0].Height, overlay.TileHeight,
		"gpt-4o takes more than 720 px in the shorter side")
	require.Equal(t, 101, tiled.Manifest.Counts[overlay.Drawn])
}

func TestManyMarksAreWarnedOf(t *testing.T) {
	needChrome(t)
	target := page(t, `<style>button { padding: 0; font-size: 9px }</style>`+strings.Repeat(`<button>x</button> `, 200))
	out := filepath.Join(t.TempDir(), "m.png")
	code, _, errs := ctl(t, "mark", "-o", out, target)
	require.Zero(t, code, errs)
	require.Contains(t, errs, "image 1 has 200 marks")
	require.Contains(t, errs, "--tiles")
	counts := regexp.MustCompile(`(?m)^(\d+) of 200 refs are marked; (\d+) left out for want of room$`).FindStringSubmatch(errs)
	require.Len(t, counts, 3, errs)
	drawn, _ := strconv.Atoi(counts[1])
	none, _ := strconv.Atoi(counts[2])
	require.Equal(t, 200, drawn+none, "what is not drawn is counted")
	_, _, errs = ctl(t, "mark", "--tiles", "-o", out, target)
	require.NotContains(t, errs, "try --tiles")
	require.Contains(t, errs, "--scope CSS")
	// By region no picture has too many, and one more shows what is where.
	got := markJSON(t, "--regions", "-o", out, target)
	base := strings.TrimSuffix(out, ".png")
	require.Equal(t, []string{base + "-1.png", base + "-2.png", base + "-index.png"}, got.Files)
	require.Equal(t, "m-index.png", got.Manifest.Index)
	onImage := map[int]int{}
	for _, m := range got.Manifest.Marks {
		if m.Status == overlay.Drawn || m.Status == overlay.NoRoom {
			onImage[m.Image]++
		}
	}
	require.Len(t, onImage, 2)
	require.Equal(t, 200, onImage[0]+onImage[1])
	require.LessOrEqual(t, max(onImage[0], onImage[1]), overlay.ManyMarks)
	require.Equal(t, image.Pt(1280, 720), decode(t, base+"-index.png").Rect.Size())
}

// The style is recorded with the picture, the second one unless the first is requested; lines of text have marks on request; numbers
// stay where they were on the picture before, though a neighbour is gone.
func TestMarkStyleAndTurnBefore(t *testing.T) {
	file := capturedForm(t)
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	plain := markJSON(t, "--manifest", at("one.json"), "--palette", "tints", file).Manifest
	require.Equal(t, "refscope-2-tints", plain.Style)
	first := markJSON(t, "--legend", at("l.txt"), "--style", "refscope-1", file).Manifest
	require.Equal(t, "refscope-1", first.Style)
	require.NotEqual(t, plain.Marks, first.Marks)
	lines := markJSON(t, "--legend", at("l.txt"), "--lines", file).Manifest
	all := markJSON(t, "--legend", at("l.txt"), "--containers", file).Manifest
	require.GreaterOrEqual(t, lines.Counts[overlay.Drawn], plain.Counts[overlay.Drawn])
	require.LessOrEqual(t, lines.Counts[overlay.Drawn]+lines.Counts[overlay.NoRoom],
		all.Counts[overlay.Drawn]+all.Counts[overlay.NoRoom])
	again := markJSON(t, "--legend", at("l.txt"), "--palette", "tints", "--after", at("one.json"), file)
	require.Equal(t, plain.Marks, again.Manifest.Marks)
}

// The name of the file describes how it is encoded; what keeps every px does.
func TestMarkFormats(t *testing.T) {
	needChrome(t)
	t.Setenv("REFSCOPE_HOME", t.TempDir())
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	markJSON(t, "--session", "work", "-o", at("m.png"), page(t, tall(4)))
	want := decode(t, at("m.png"))
	for name, exact := range map[string]bool{"m.webp": true, "m.jpg": false} {
		markJSON(t, "-o", at(name), "work#1")
		f, err := os.Open(at(name))
		require.NoError(t, err)
		got, kind, err := image.Decode(f)
		require.NoError(t, f.Close())
		require.NoError(t, err, name)
		require.Equal(t, map[bool]string{true: "webp", false: "jpeg"}[exact], kind)
		require.Equal(t, want.Rect, got.Bounds())
		for y := 0; exact && y < want.Rect.Dy(); y++ {
			for x := range want.Rect.Dx() {
				require.Equal(t, want.RGBAAt(x, y), color.RGBAModel.Convert(got.At(x, y)), "%d,%d", x, y)
			}
		}
	}
}

// The picture grows by the strip that explains its signs; coordinates stay.
func TestMarkKey(t *testing.T) {
	needChrome(t)
	dir := t.TempDir()
	target := page(t,
		`<body style="margin:0"><a href=# `+
			`style="position:absolute;left:50px;top:50px;width:200px;height:40px">under</a><div `+
			`style="position:absolute;left:0;top:0;width:300px;height:200px;background:#ccc"><button>over</button></div>`)
	plain := markJSON(t, "-o", filepath.Join(dir, "a.png"), target)
	key := markJSON(t, "--key", "-o", filepath.Join(dir, "b.png"), target)
	require.Equal(t, plain.Manifest.Marks, key.Manifest.Marks)
	require.Equal(t, 720, decode(t, filepath.Join(dir, "a.png")).Rect.Dy())
	require.Greater(t, decode(t, filepath.Join(dir, "b.png")).Rect.Dy(), 720)
}
