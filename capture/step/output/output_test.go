package output_test

import (
	"bytes"
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/capture/step/output"
	"github.com/refscope/refscope/capture/step/steptest"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/stretchr/testify/require"
)

var chrome chrometest.Chrome

func TestMain(m *testing.M) { os.Exit(chrome.Main(m)) }

func on(t testing.TB, html string) *steptest.Bench {
	t.Helper()
	return steptest.On(t, &chrome, html)
}

func open(t *testing.T, path string) (image.Image, string) {
	t.Helper()
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	img, format, err := image.Decode(bytes.NewReader(b))
	require.NoError(t, err)
	return img, format
}

func rgb(img image.Image, x, y int) [3]uint32 {
	r, g, b, _ := img.At(x, y).RGBA()
	return [3]uint32{r >> 8, g >> 8, b >> 8}
}

const picturePage = `<style>body{margin:0;height:3000px;background:#fff}#a{position:absolute;left:100px;top:50px;width:200px;height:100px;background:rgb(255,0,0)}
#low{position:absolute;left:40px;top:2500px;width:60px;height:30px;background:rgb(0,0,255)}</style><div id=a role=img aria-label=Red></div><div id=low></div>
<label style="position:absolute;left:400px;top:50px">Password <input id=p type=password value=hunter2 style="width:200px;height:40px"></label>`

func TestScreenshot(t *testing.T) {
	b := on(t, picturePage)
	dir := t.TempDir()
	b.Allow(dir)
	a := b.Run(`[{"screenshot":true},{"screenshot":{"path":"` + dir + `/sub/full.png","fullPage":true}},{"screenshot":{"clip":{"x":100,"y":50,"width":200,"height":100},"format":"jpeg","quality":80}},
		{"screenshot":{"selector":"#a","padding":10,"format":"webp"}},{"screenshot":{"selector":"#low"}},{"screenshot":"mine.png"}]`)
	require.Equal(t, "ok", a.Status, a.Errors)
	var outs []output.Pictured
	for _, s := range a.Steps {
		outs = append(outs, steptest.OutputOf[output.Pictured](t, s.Output))
	}
	img, format := open(t, outs[0].Path)
	require.Equal(t, "png", format)
	require.Equal(t, image.Pt(outs[0].Width, outs[0].Height), img.Bounds().Size())
	require.Equal(t, 1280, outs[0].Width)
	require.Equal(t, [3]uint32{255, 0, 0}, rgb(img, 200, 100))
	require.Equal(t, 1, outs[0].Redacted)

	img, _ = open(t, filepath.Join(dir, "sub", "full.png"))
	require.Equal(t, 3000, img.Bounds().Dy())
	require.Equal(t, [3]uint32{0, 0, 255}, rgb(img, 70, 2515))

	img, format = open(t, outs[2].Path)
	require.Equal(t, "jpeg", format)
	require.Equal(t, image.Pt(200, 100), img.Bounds().Size())
	require.Greater(t, rgb(img, 100, 50)[0], uint32(240))

	img, format = open(t, outs[3].Path)
	require.Equal(t, "webp", format)
	require.Equal(t, image.Pt(220, 120), img.Bounds().Size())
	require.Equal(t, [3]uint32{255, 255, 255}, rgb(img, 5, 60))
	require.Equal(t, [3]uint32{255, 0, 0}, rgb(img, 11, 11))

	img, _ = open(t, outs[4].Path) // out of the window
	require.Equal(t, image.Pt(60, 30), img.Bounds().Size())
	require.Equal(t, [3]uint32{0, 0, 255}, rgb(img, 30, 15))
	require.Equal(t, filepath.Join(b.Opt.Files, "mine.png"), outs[5].Path)

	a = b.Run(`[{"screenshot":{"clip":{"x":5000,"y":0,"width":10,"height":10}}}]`)
	require.Equal(t, "error", a.Status)
	require.Contains(t, a.Steps[0].Error, "use fullPage")
	a = b.Run(`[{"screenshot":{"selector":"#gone"},"timeout":300}]`)
	require.Equal(t, "ElementNotFoundError", a.Steps[0].Subtype)
}

func TestAScreenshotShowsNoSecret(t *testing.T) {
	// The same page with another password gives the same picture, byte for byte.
	var pics [][]byte
	for _, v := range []string{"hunter2", "correct horse battery staple"} {
		b := on(t, `<input value="4111 1111 1111 1111" autocomplete=cc-number style="width:300px"><input type=password value="`+v+`">`)
		a := b.Run(`[{"screenshot":{"selector":"input","padding":4}},{"screenshot":true}]`)
		require.Equal(t, "ok", a.Status, a.Errors)
		data, err := os.ReadFile(steptest.OutputOf[output.Pictured](t, a.Steps[1].Output).Path)
		require.NoError(t, err)
		pics = append(pics, data)
	}
	require.Equal(t, pics[0], pics[1])
}

func TestScreenshotWithoutBackground(t *testing.T) {
	b := on(t, `<div style="position:fixed;left:0;top:0;width:50px;height:50px;background:rgb(0,128,0)"></div>`)
	a := b.Run(`[{"screenshot":{"omitBackground":true}},{"screenshot":true}]`)
	require.Equal(t, "ok", a.Status, a.Errors)
	for i, want := range []uint32{0, 0xffff} {
		img, _ := open(t, steptest.OutputOf[output.Pictured](t, a.Steps[i].Output).Path)
		_, _, _, alpha := img.At(600, 400).RGBA()
		require.Equal(t, want, alpha)
		require.Equal(t, [3]uint32{0, 128, 0}, rgb(img, 20, 20))
	}
}

// C-23, section 19.9: what is between two steps can be pictured.
func TestSection19_9_PicturesBetweenSteps(t *testing.T) {
	b := on(t, `<style>body{margin:0}</style><button id=b style="position:fixed;left:0;top:0;width:100px;height:100px;border:0;background:rgb(1,2,3)" onclick="this.style.background='rgb(200,0,0)'"></button>`)
	a := b.Run(`[{"screenshot":true},{"click":"#b"},{"screenshot":true}]`)
	require.Equal(t, "ok", a.Status, a.Errors)
	one, _ := open(t, steptest.OutputOf[output.Pictured](t, a.Steps[0].Output).Path)
	two, _ := open(t, steptest.OutputOf[output.Pictured](t, a.Steps[2].Output).Path)
	require.Equal(t, [3]uint32{1, 2, 3}, rgb(one, 10, 10))
	require.Equal(t, [3]uint32{200, 0, 0}, rgb(two, 10, 10))
}

// C-19: beyond what Chrome draws in one piece.
func TestAScreenshotBeyond16384(t *testing.T) {
	b := on(t, `<style>body{margin:0}</style><div style="height:20000px;background:rgb(9,9,9)"></div><div style="height:100px;background:rgb(0,200,0)"></div>`)
	a := b.Run(`[{"viewport":{"width":320,"height":400}},{"screenshot":{"fullPage":true}},{"screenshot":{"fullPage":true,"format":"webp"}},{"viewport":null}]`)
	require.Equal(t, "error", a.Status, "a WebP has at most 16,384 px a side")
	img, _ := open(t, steptest.OutputOf[output.Pictured](t, a.Steps[1].Output).Path)
	require.Equal(t, image.Pt(320, 20100), img.Bounds().Size())
	require.Equal(t, [3]uint32{0, 200, 0}, rgb(img, 100, 20050))
	require.Contains(t, a.Steps[2].Error, "16")
}

func TestPDF(t *testing.T) {
	b := on(t, `<style>@media print { .page { break-after: page } }</style><h1 class=page>One</h1><h1 class=page>Two</h1><h1>Three</h1>
		<input id=p type=password value=hunter2><input id=card autocomplete=cc-number value="4111 1111 1111 1111" style="transition:visibility 9s"><p id=free>Free text</p>
		<script>addEventListener('beforeprint', () => { window.seen = ['p','card','free'].map((id) => getComputedStyle(document.getElementById(id)).visibility).join() })</script>`)
	dir := t.TempDir()
	b.Allow(dir)
	a := b.Run(`[{"pdf":"` + dir + `/a.pdf"},{"pdf":{"path":"b.pdf","pageRanges":"1-2","paper":"A4","landscape":true,"margins":{"top":1},"validate":true}}]`)
	require.Equal(t, "ok", a.Status, a.Errors)
	out := steptest.OutputOf[output.Printed](t, a.Steps[0].Output)
	require.Equal(t, 3, out.Pages)
	require.Equal(t, 2, out.Hidden)
	require.Equal(t, filepath.Join(dir, "a.pdf"), out.Path)
	st, err := os.Stat(out.Path)
	require.NoError(t, err)
	require.EqualValues(t, st.Size(), out.FileSize)
	out = steptest.OutputOf[output.Printed](t, a.Steps[1].Output)
	require.Equal(t, 2, out.Pages)
	require.Equal(t, &output.Validation{Valid: true}, out.Validation)
	require.Equal(t, `"hidden,hidden,visible"`, b.Eval(`window.seen`), "while it was printed")
	require.Equal(t, `"visible,null,transition: visibility 9s;"`, b.Eval(`[getComputedStyle(p).visibility, p.getAttribute('style') + '', card.getAttribute('style')].join()`), "and after")

	_, err = (&session.Printed{PDF: []byte("%PDF-1.4 nothing")}).Pages()
	require.Error(t, err)
}

func TestAPDFIsNotNamedByASecret(t *testing.T) {
	b := on(t, `<title>Card 4111 1111 1111 1111</title><script>document.title='Card 4111 1111 1111 1111'</script><p>x</p>`)
	a := b.Run(`[{"pdf":true}]`)
	require.Equal(t, "error", a.Status)
	require.Contains(t, a.Steps[0].Error, "title")
	require.NotContains(t, a.Steps[0].Error, "4111")
}

func TestSnapshotStep(t *testing.T) {
	testneed.Long(t, "every parameter of a snapshot")
	b := on(t, steptest.Shop)
	type snap struct {
		SnapshotID, YAML, Text, Format, Message string
		Refs                                    map[string]string
		RefCount, SnapshotSize                  int
		Truncated, TruncatedInline, Unchanged   bool
		Artifacts                               struct{ Snapshot, Refs string }
	}
	take := func(params string) (s snap) {
		a := b.Run(`[{"snapshot":` + params + `}]`)
		a.Out(t, &s)
		return s
	}
	s := take(`true`)
	require.Equal(t, "s1", s.SnapshotID)
	require.Contains(t, s.YAML, "# Auto-scoped to main content. Other landmarks: ")
	require.NotContains(t, s.YAML, "Home")
	email := steptest.RefIn(t, s.YAML, `textbox "Email"`)
	require.True(t, strings.HasPrefix(email, "s1e"))
	require.NotContains(t, s.YAML, "Hunter2")
	require.Contains(t, s.Refs, email)

	// Only what has changed: a box that was ticked counts.
	require.True(t, take(`{"since":"s1"}`).Unchanged)
	_, err := b.R.Page().Evaluate(b.Ctx, "", `news.checked = false, document.querySelector('main').append(Object.assign(document.createElement('button'), {textContent:'Later'})), 1`)
	require.NoError(t, err)
	s = take(`{"since":"s1"}`)
	require.Equal(t, "s2", s.SnapshotID)
	// What was there keeps the snapshot that first gave it.
	require.Equal(t, email, steptest.RefIn(t, s.YAML, `textbox "Email"`))
	later := steptest.RefIn(t, s.YAML, `button "Later"`)
	require.True(t, strings.HasPrefix(later, "s2e"), later)
	a := b.Run(`[{"click":"` + later + `"}]`)
	require.Equal(t, later, steptest.RefIn(t, a.ViewportSnapshot, `button "Later"`), "an answer's own snapshot spells it the same")

	require.Contains(t, take(`{"root":"body"}`).YAML, "Home")
	require.NotContains(t, take(`{"root":"#list"}`).YAML, "Email")
	require.NotContains(t, take(`{"root":"role=navigation"}`).YAML, "Email")
	require.Contains(t, take(`{"root":"`+email+`"}`).YAML, "Email")
	require.NotContains(t, take(`{"mode":"plain"}`).YAML, "[ref=")
	require.Contains(t, take(`{"detail":"interactive"}`).YAML, "path=list > listitem")
	require.Contains(t, take(`{"detail":"summary"}`).YAML, "landmarks:")
	require.True(t, take(`{"root":"body","maxElements":3}`).Truncated)
	d := take(`{"format":"dddk"}`)
	require.Equal(t, "dddk", d.Format)
	require.Contains(t, d.Text, "<h1>")

	s = take(`{"root":"body","inlineLimit":200}`)
	require.True(t, s.TruncatedInline)
	require.Empty(t, s.YAML)
	file, err := os.ReadFile(s.Artifacts.Snapshot)
	require.NoError(t, err)
	require.Len(t, file, s.SnapshotSize)
	require.Contains(t, string(file), "Home")
	require.Empty(t, s.Artifacts.Refs, "up to 1,000 refs stand in the answer (seed 11.1)")
	require.Contains(t, s.Refs, email)
	_, err = b.R.Page().Evaluate(b.Ctx, "", `document.querySelector('main').innerHTML = '<button>b</button>'.repeat(1001), 1`)
	require.NoError(t, err)
	s = take(`{"root":"body"}`)
	require.Empty(t, s.Refs)
	file, err = os.ReadFile(s.Artifacts.Refs)
	require.NoError(t, err)
	require.Contains(t, string(file), "button:nth-child(1001)")

	a = b.Run(`[{"snapshot":{"root":"#gone"}}]`)
	require.Equal(t, "ElementNotFoundError", a.Steps[0].Subtype)
	a = b.Run(`[{"snapshot":{"root":"[[["}}]`)
	require.Equal(t, "StepValidationError", a.Steps[0].Subtype)
}

// Section 19.6: what stays in place is sent once.
func TestStickyChromeOnce(t *testing.T) {
	b := on(t, strings.ReplaceAll(steptest.Shop, "main>", "div>")+`<div style="height:3000px"></div><button>End</button>`)
	a := b.Run(`[{"scroll":"top"}]`)
	require.Contains(t, a.ViewportSnapshot, `link "Home"`)
	a = b.Run(`[{"scroll":"bottom"}]`)
	require.NotContains(t, a.ViewportSnapshot, `link "Home"`)
	require.Contains(t, a.ViewportSnapshot, "is the same as in the snapshot before, at the same place")
	require.Contains(t, a.ViewportSnapshot, `button "End"`)
	_, err := b.R.Page().Evaluate(b.Ctx, "", `document.querySelector('nav a').textContent = 'Start', 1`)
	require.NoError(t, err)
	require.Contains(t, b.Run(`[{"scroll":"bottom"}]`).ViewportSnapshot, `link "Start"`, "what has changed is sent")
	a = b.Run(`[{"reload":true}]`)
	require.Contains(t, a.ViewportSnapshot, `link "Home"`, "another document")
}

func TestSnapshotSearch(t *testing.T) {
	b := on(t, steptest.Shop)
	var s output.SearchOutput
	a := b.Run(`[{"snapshotSearch":{"text":"send","role":"button"}}]`)
	a.Out(t, &s)
	require.Equal(t, 1, s.MatchCount)
	require.Equal(t, "Send", s.Matches[0].Name)
	require.Equal(t, []string{"main", "button"}, s.Matches[0].Path)
	a = b.Run(`[{"click":"` + s.Matches[0].Ref + `"}]`)
	require.Equal(t, "ok", a.Status, a.Errors)
	a = b.Run(`[{"snapshotSearch":{"pattern":"^(one|two)","limit":1}}]`)
	a.Out(t, &s)
	require.Equal(t, 2, s.MatchCount)
	require.Len(t, s.Matches, 1)
	a = b.Run(`[{"snapshotSearch":{"text":"Hunter2"}}]`)
	a.Out(t, &s)
	require.Equal(t, 0, s.MatchCount)
}
