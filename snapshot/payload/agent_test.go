package payload

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/format/markup"
	"github.com/refscope/refscope/snapshot/pagetest"
)

// request is what a server that follows the seed reads.
type request struct {
	URL            string          `json:"url"`
	Query          string          `json:"query"`
	DOM            *string         `json:"dom"`
	Mode           string          `json:"domMode"`
	Tree           json.RawMessage `json:"interactiveTree"`
	SkeletonDOM    *string         `json:"skeletonDom"`
	Screenshot     *string         `json:"screenshot"`
	ScreenshotHash string          `json:"screenshotHash"`
}

func readRequest(t *testing.T, in Input) (request, *Payload) {
	t.Helper()
	p, err := Build("agent-interact", in)
	require.NoError(t, err)
	d := json.NewDecoder(bytes.NewReader(p.Body))
	var r request
	require.NoError(t, d.Decode(&r))
	for _, s := range p.Sections {
		require.True(t, json.Valid(p.Body[s.Start:s.End]), s.Name)
	}
	return r, p
}

func rendered(t *testing.T, in Input, f dump.Format, o format.Options) string {
	t.Helper()
	d, err := format.Render(in.Capture, f, o)
	require.NoError(t, err)
	return d.Text
}

// TestModes: each mode carries the dump of its name, exactly, and nothing of the others.
func TestModes(t *testing.T) {
	in := testInput(t)
	in.Mode = "skeleton"
	r, _ := readRequest(t, in)
	require.Equal(t, request{URL: in.Capture.URL, Query: in.Query, Mode: "skeleton", SkeletonDOM: r.SkeletonDOM}, r)
	require.Equal(t, rendered(t, in, format.Skeleton, format.Options{}), *r.SkeletonDOM)

	in.Mode = "full"
	r, _ = readRequest(t, in)
	require.Equal(t, request{URL: in.Capture.URL, Query: in.Query, Mode: "full", DOM: r.DOM}, r)
	require.Equal(t, rendered(t, in, format.Full, format.Options{}), *r.DOM)

	in.Mode = "hybrid"
	r, p := readRequest(t, in)
	require.Equal(t, rendered(t, in, format.Skeleton, format.Options{}), *r.SkeletonDOM,
		"the skeleton itself: the picture has its own field")
	require.Nil(t, r.DOM)
	require.True(t, strings.HasSuffix(order(p), "domMode skeletonDom image screenshotHash"), order(p))
	data, err := base64.StdEncoding.DecodeString(*r.Screenshot)
	require.NoError(t, err)
	img, err := jpeg.Decode(bytes.NewReader(data))
	require.NoError(t, err, "bare base64 of a JPEG")
	require.Equal(t, image.Pt(2, 2), img.Bounds().Size())
	require.Len(t, r.ScreenshotHash, 64)

	in.NoImage = true
	_, p = readRequest(t, in)
	require.Contains(t, string(p.Body), `"screenshot":null`)
	require.NotContains(t, string(p.Body), "screenshotHash")
}

// TestModesCompat: the original also sends dom in every mode, and backups with full.
func TestModesCompat(t *testing.T) {
	in := testInput(t)
	in.Compat = true
	o := format.Options{Common: dump.Common{Compat: true}}
	html := rendered(t, in, format.Full, format.Options{Common: dump.Common{Compat: true},
		Markup: markup.Options{NoTemplates: true}})
	for _, mode := range []string{"semantic", "skeleton", "hybrid"} {
		in.Mode = mode
		r, _ := readRequest(t, in)
		require.Equal(t, html, *r.DOM, mode)
		require.Equal(t, mode == "hybrid", r.Screenshot != nil)
	}
	in.HTML = "x" + strings.Repeat("ü", 6_000)
	r, _ := readRequest(t, in)
	require.Equal(t, "x"+strings.Repeat("ü", 5_119), *r.DOM, "10 KB of the page's own source, where there is one")

	in.Mode = "full"
	r, _ = readRequest(t, in)
	require.Equal(t, rendered(t, in, format.Full, o), *r.DOM)
	require.Equal(t, rendered(t, in, format.Skeleton, o), *r.SkeletonDOM)
	require.NotNil(t, r.Screenshot)
	in.Picture, in.Marked = nil, nil
	r, _ = readRequest(t, in)
	require.Nil(t, r.Screenshot, "a backup that is not there is not missed")
}

// TestScreenshotChoice: the marked picture goes, but the original knows no marks; a
// JPEG goes as it is.
func TestScreenshotChoice(t *testing.T) {
	encode := func(c color.Color) []byte {
		img := image.NewRGBA(image.Rect(0, 0, 20, 20))
		for i := range 400 {
			img.Set(i%20, i/20, c)
		}
		var b bytes.Buffer
		require.NoError(t, png.Encode(&b, img))
		return b.Bytes()
	}
	in := testInput(t)
	in.Mode, in.Picture, in.Marked = "hybrid", encode(color.White), encode(color.Black)
	brightness := func() uint8 {
		r, _ := readRequest(t, in)
		data, err := base64.StdEncoding.DecodeString(*r.Screenshot)
		require.NoError(t, err)
		img, err := jpeg.Decode(bytes.NewReader(data))
		require.NoError(t, err)
		return color.GrayModel.Convert(img.At(10, 10)).(color.Gray).Y
	}
	require.Less(t, brightness(), uint8(10))
	in.Compat = true
	require.Greater(t, brightness(), uint8(245))
	in.Compat = false
	in.Marked = encode(color.Transparent)
	require.Greater(t, brightness(), uint8(245), "transparent is white")

	var b bytes.Buffer
	require.NoError(t, jpeg.Encode(&b, image.NewGray(image.Rect(0, 0, 9, 9)), &jpeg.Options{Quality: 33}))
	in.Marked, in.MarkedType = b.Bytes(), "image/jpeg"
	r, _ := readRequest(t, in)
	require.Equal(t, base64.StdEncoding.EncodeToString(b.Bytes()), *r.Screenshot)
}

func TestScreenshotHash(t *testing.T) {
	gray := func(w, h int, at func(x, y int) uint8) image.Image {
		img := image.NewGray(image.Rect(0, 0, w, h))
		for y := range h {
			for x := range w {
				img.SetGray(x, y, color.Gray{Y: at(x, y)})
			}
		}
		return img
	}
	rising := func(w, h int) image.Image { return gray(w, h, func(x, _ int) uint8 { return uint8(x * 255 / w) }) }
	for name, x := range map[string]struct {
		img  image.Image
		want string
	}{
		"empty":   {image.NewGray(image.Rectangle{}), strings.Repeat("0", 64)},
		"flat":    {gray(90, 80, func(_, _ int) uint8 { return 7 }), strings.Repeat("0", 64)},
		"rising":  {rising(90, 80), strings.Repeat("1", 64)},
		"larger":  {rising(1280, 720), strings.Repeat("1", 64)},
		"falling": {gray(90, 80, func(x, _ int) uint8 { return uint8(255 - x) }), strings.Repeat("0", 64)},
		"one bright cell": {gray(90, 80, func(x, y int) uint8 { return map[bool]uint8{true: 255}[x/10 == 3 && y/10 == 1] }),
			"00000000" + "00100000" + strings.Repeat("0", 48)},
		"smaller than it":  {rising(2, 1), strings.Repeat("00001000", 8)},
		"transparent":      {image.NewRGBA(image.Rect(0, 0, 90, 80)), strings.Repeat("0", 64)},
		"elsewhere placed": {rising(90, 80).(*image.Gray).SubImage(image.Rect(9, 8, 90, 80)), strings.Repeat("1", 64)},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, x.want, hashOf(x.img)) })
	}
}

// TestRecentEvents: what changed since the last request, in the seed's words; the tree is
// left out only where it is the one that the endpoint has and it asked for that.
func TestRecentEvents(t *testing.T) {
	in := testInput(t)
	c := *in.Capture
	in.Capture = &c
	for i := range 12 {
		c.Mutations = append(c.Mutations, snapshot.Mutation{Age: float64(12_000 - 1_000*i), Type: "added", Category: "text",
			Text: "Row"})
	}
	c.Mutations[0].Category, c.Mutations[11].Category, c.Mutations[11].Text = "error", "success", "Saved"
	type events struct {
		Recent  []string        `json:"recent_events"`
		Errors  bool            `json:"has_errors"`
		Success bool            `json:"has_success"`
		Hash    string          `json:"treeHash"`
		Same    bool            `json:"treeUnchanged"`
		Tree    json.RawMessage `json:"interactiveTree"`
	}
	read := func() (e events) {
		p, err := Build("agent-interact", in)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(p.Body, &e))
		return e
	}
	e := read()
	require.Len(t, e.Recent, 10)
	require.Equal(t, "[1s ago] Added: 'Saved'", e.Recent[9])
	require.True(t, e.Errors && e.Success)

	in.Agent.Within = 2500
	e = read()
	require.Equal(t, []string{"[2s ago] Added: 'Row'", "[1s ago] Added: 'Saved'"}, e.Recent)
	require.True(t, !e.Errors && e.Success)

	require.NotEmpty(t, e.Tree)
	require.True(t, e.Same)
	in.Agent.OmitTree = true
	require.Empty(t, read().Tree)
	in.Agent.Unchanged = false
	require.NotEmpty(t, read().Tree)
}

// TestPictureOnly: who asked for a picture alone gets it alone.
func TestPictureOnly(t *testing.T) {
	in := testInput(t)
	in.Mode, in.PictureOnly = "hybrid", true
	r, _ := readRequest(t, in)
	require.Nil(t, r.SkeletonDOM)
	require.NotNil(t, r.Screenshot)
}

// TestOneNumberInARequest: an element of a child frame has the number in the markup that it has in the tree, which the
// original counts per frame; another one could be clicked by the other number.
func TestOneNumberInARequest(t *testing.T) {
	in := testInput(t)
	in.Capture = pagetest.Parse(t, `
body
  button @0,0,60,20 "Main"
  iframe src=/pay %frame @0,30,200,200
    html
      body
        h2 @0,30,60,20 "Pay"
        button @0,60,60,20 "Card"
        button @0,90,60,20 "Transfer"
`)
	in.Capture.URL, in.Compat, in.DumpOptions.Compat = "https://shop.example/", true, true
	r, _ := readRequest(t, in)
	var tree []struct{ I, N string }
	require.NoError(t, json.Unmarshal(r.Tree, &tree))
	numbers := map[string]string{}
	for _, e := range tree {
		numbers[e.N] = e.I
	}
	require.Equal(t, "f1_1", numbers["Card"])
	for name, id := range numbers {
		require.Regexp(t, `<(html-)?button data-id="`+id+`"[^>]*>`+name+"<", *r.DOM)
	}
	require.Equal(t, 2, strings.Count(*r.DOM, `data-id="f1_`), "what the tree does not list has no number: %s", *r.DOM)
}
