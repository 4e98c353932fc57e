package step

import (
	"bytes"
	"image"
	_ "image/jpeg"
	_ "image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	_ "golang.org/x/image/webp"

	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/session"
)

func serve(t *testing.T, html string) string {
	return chrometest.Page(t, "<!doctype html><meta charset=utf-8>"+html)
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
	a := b.run(`[{"screenshot":true},{"screenshot":{"path":"` + dir + `/sub/full.png","fullPage":true}},{"screenshot":{"clip":{"x":100,"y":50,"width":200,"height":100},"format":"jpeg","quality":80}},
		{"screenshot":{"selector":"#a","padding":10,"format":"webp"}},{"screenshot":{"selector":"#low"}},{"screenshot":"mine.png"}]`)
	require.Equal(t, "ok", a.Status, a.Errors)
	var outs []pictured
	for _, s := range a.Steps {
		outs = append(outs, output[pictured](t, s.Output))
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
	require.Equal(t, filepath.Join(b.r.opt.Files, "mine.png"), outs[5].Path)

	a = b.run(`[{"screenshot":{"clip":{"x":5000,"y":0,"width":10,"height":10}}}]`)
	require.Equal(t, "error", a.Status)
	require.Contains(t, a.Steps[0].Error, "use fullPage")
	a = b.run(`[{"screenshot":{"selector":"#gone"},"timeout":300}]`)
	require.Equal(t, "ElementNotFoundError", a.Steps[0].Subtype)
}

func TestAScreenshotShowsNoSecret(t *testing.T) {
	// The same page with another password gives the same picture, byte for byte.
	var pics [][]byte
	for _, v := range []string{"hunter2", "correct horse battery staple"} {
		b := on(t, `<input value="4111 1111 1111 1111" autocomplete=cc-number style="width:300px"><input type=password value="`+v+`">`)
		a := b.run(`[{"screenshot":{"selector":"input","padding":4}},{"screenshot":true}]`)
		require.Equal(t, "ok", a.Status, a.Errors)
		data, err := os.ReadFile(output[pictured](t, a.Steps[1].Output).Path)
		require.NoError(t, err)
		pics = append(pics, data)
	}
	require.Equal(t, pics[0], pics[1])
}

func TestScreenshotWithoutBackground(t *testing.T) {
	b := on(t, `<div style="position:fixed;left:0;top:0;width:50px;height:50px;background:rgb(0,128,0)"></div>`)
	a := b.run(`[{"screenshot":{"omitBackground":true}},{"screenshot":true}]`)
	require.Equal(t, "ok", a.Status, a.Errors)
	for i, want := range []uint32{0, 0xffff} {
		img, _ := open(t, output[pictured](t, a.Steps[i].Output).Path)
		_, _, _, alpha := img.At(600, 400).RGBA()
		require.Equal(t, want, alpha)
		require.Equal(t, [3]uint32{0, 128, 0}, rgb(img, 20, 20))
	}
}

// C-23, section 19.9: what is between two steps can be pictured.
func TestSection19_9_PicturesBetweenSteps(t *testing.T) {
	b := on(t, `<style>body{margin:0}</style><button id=b style="position:fixed;left:0;top:0;width:100px;height:100px;border:0;background:rgb(1,2,3)" onclick="this.style.background='rgb(200,0,0)'"></button>`)
	a := b.run(`[{"screenshot":true},{"click":"#b"},{"screenshot":true}]`)
	require.Equal(t, "ok", a.Status, a.Errors)
	one, _ := open(t, output[pictured](t, a.Steps[0].Output).Path)
	two, _ := open(t, output[pictured](t, a.Steps[2].Output).Path)
	require.Equal(t, [3]uint32{1, 2, 3}, rgb(one, 10, 10))
	require.Equal(t, [3]uint32{200, 0, 0}, rgb(two, 10, 10))
}

// C-19: beyond what Chrome draws in one piece.
func TestAScreenshotBeyond16384(t *testing.T) {
	b := on(t, `<style>body{margin:0}</style><div style="height:20000px;background:rgb(9,9,9)"></div><div style="height:100px;background:rgb(0,200,0)"></div>`)
	a := b.run(`[{"viewport":{"width":320,"height":400}},{"screenshot":{"fullPage":true}},{"screenshot":{"fullPage":true,"format":"webp"}},{"viewport":null}]`)
	require.Equal(t, "error", a.Status, "a WebP has at most 16,384 px a side")
	img, _ := open(t, output[pictured](t, a.Steps[1].Output).Path)
	require.Equal(t, image.Pt(320, 20100), img.Bounds().Size())
	require.Equal(t, [3]uint32{0, 200, 0}, rgb(img, 100, 20050))
	require.Contains(t, a.Steps[2].Error, "16")
}

func TestPDF(t *testing.T) {
	b := on(t, `<style>@media print { .page { break-after: page } }</style><h1 class=page>One</h1><h1 class=page>Two</h1><h1>Three</h1>
		<input id=p type=password value=hunter2><input id=card autocomplete=cc-number value="4111 1111 1111 1111" style="transition:visibility 9s"><p id=free>Free text</p>
		<script>addEventListener('beforeprint', () => { window.seen = ['p','card','free'].map((id) => getComputedStyle(document.getElementById(id)).visibility).join() })</script>`)
	dir := t.TempDir()
	a := b.run(`[{"pdf":"` + dir + `/a.pdf"},{"pdf":{"path":"b.pdf","pageRanges":"1-2","paper":"A4","landscape":true,"margins":{"top":1},"validate":true}}]`)
	require.Equal(t, "ok", a.Status, a.Errors)
	out := output[printed](t, a.Steps[0].Output)
	require.Equal(t, 3, out.Pages)
	require.Equal(t, 2, out.Hidden)
	require.Equal(t, filepath.Join(dir, "a.pdf"), out.Path)
	st, err := os.Stat(out.Path)
	require.NoError(t, err)
	require.EqualValues(t, st.Size(), out.FileSize)
	out = output[printed](t, a.Steps[1].Output)
	require.Equal(t, 2, out.Pages)
	require.Equal(t, &validation{Valid: true}, out.Validation)
	require.Equal(t, `"hidden,hidden,visible"`, b.eval(`window.seen`), "while it was printed")
	require.Equal(t, `"visible,null,transition: visibility 9s;"`, b.eval(`[getComputedStyle(p).visibility, p.getAttribute('style') + '', card.getAttribute('style')].join()`), "and after")

	_, err = (&session.Printed{PDF: []byte("%PDF-1.4 nothing")}).Pages()
	require.Error(t, err)
}

func TestAPDFIsNotNamedByASecret(t *testing.T) {
	b := on(t, `<title>Card 4111 1111 1111 1111</title><script>document.title='Card 4111 1111 1111 1111'</script><p>x</p>`)
	a := b.run(`[{"pdf":true}]`)
	require.Equal(t, "error", a.Status)
	require.Contains(t, a.Steps[0].Error, "title")
	require.NotContains(t, a.Steps[0].Error, "4111")
}
