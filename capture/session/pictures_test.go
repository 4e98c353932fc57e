package session_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/image/draw"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/device"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/doctor"
	"github.com/refscope/refscope/snapshot/likeness"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/refscope/refscope/snapshot/testpages"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
)

// seen is one page as an agent and a capture saw it.
type seen struct {
	c       *snapshot.Capture
	picture []byte      // of the capture, PNG
	img     *image.RGBA // the same
	window  *image.RGBA // as an agent's screenshot shows it, with scroll bars
	targets []aim
	dice    *rand.Rand
}

// aim is a place in the page, CSS px, at which the browser hits the element of a node.
type aim struct {
	x, y float64
	node int
}

// sentPicture is a picture as it is sent: the part of the window's screenshot that it shows, at that scale.
type sentPicture struct {
	data           []byte
	x, y           float64 // of its upper left corner in the screenshot, px
	scaleX, scaleY float64 // its px for one of the screenshot
	offset         float64 // CSS px by which the page was moved down since, as a scrolled one is moved up
}

// pictureKinds are the kinds of pictures that agents send, by name, each made of a screenshot.
func pictureKinds() []struct {
	name string
	make func(t *testing.T, s *seen, other *seen) sentPicture
} {
	type kind = struct {
		name string
		make func(t *testing.T, s *seen, other *seen) sentPicture
	}
	whole := func(t *testing.T, img *image.RGBA, w, h, quality int) sentPicture {
		sx, sy := float64(w)/float64(img.Rect.Dx()), float64(h)/float64(img.Rect.Dy())
		out := image.NewRGBA(image.Rect(0, 0, w, h))
		draw.CatmullRom.Scale(out, out.Rect, img, img.Rect, draw.Src, nil)
		return sentPicture{encoded(t, out, quality), 0, 0, sx, sy, 0}
	}
	crop := func(t *testing.T, s *seen, scale float64, quality int) sentPicture {
		b := s.window.Rect
		w, h := b.Dx()*(40+s.dice.IntN(50))/100, b.Dy()*(40+s.dice.IntN(50))/100
		x, y := s.dice.IntN(b.Dx()-w), s.dice.IntN(b.Dy()-h)
		part := image.Rect(x, y, x+w, y+h)
		out := image.NewRGBA(image.Rect(0, 0, int(float64(w)*scale), int(float64(h)*scale)))
		draw.CatmullRom.Scale(out, out.Rect, s.window, part, draw.Src, nil)
		return sentPicture{encoded(t, out, quality), float64(x), float64(y), float64(out.Rect.Dx()) / float64(w),
			float64(out.Rect.Dy()) / float64(h), 0}
	}
	over := func(t *testing.T, s *seen, paint func(img *image.RGBA)) sentPicture {
		img := image.NewRGBA(s.window.Rect)
		copy(img.Pix, s.window.Pix)
		paint(img)
		return sentPicture{encoded(t, img, 0), 0, 0, 1, 1, 0}
	}
	return []kind{
		{"whole", func(t *testing.T, s, _ *seen) sentPicture {
			return whole(t, s.window, s.window.Rect.Dx(), s.window.Rect.Dy(), 0)
		}},
		{"of the capture", func(t *testing.T, s, _ *seen) sentPicture {
			return sentPicture{s.picture, 0, 0, 1, 1, 0}
		}},
		{"JPEG", func(t *testing.T, s, _ *seen) sentPicture {
			return whole(t, s.window, s.window.Rect.Dx(), s.window.Rect.Dy(), 40)
		}},
		{"scaled to 768 px", func(t *testing.T, s, _ *seen) sentPicture {
			return whole(t, s.window, 768, s.window.Rect.Dy()*768/s.window.Rect.Dx(), 80)
		}},
		{"stretched", func(t *testing.T, s, _ *seen) sentPicture { return whole(t, s.window, 1024, 768, 0) }},
		{"cropped", func(t *testing.T, s, _ *seen) sentPicture { return crop(t, s, 1, 0) }},
		{"cropped and scaled", func(t *testing.T, s, _ *seen) sentPicture {
			return crop(t, s, 0.5+s.dice.Float64()*0.6, 70)
		}},
		{"cursor", func(t *testing.T, s, _ *seen) sentPicture {
			return over(t, s, func(img *image.RGBA) {
				a := s.targets[s.dice.IntN(len(s.targets))]
				d := s.c.Viewport.Scale
				for i := range int(20 * d) {
					draw.Draw(img, image.Rect(int(a.x*d), int(a.y*d)+i, int(a.x*d)+i*2/3, int(a.y*d)+i+1), image.Black,
						image.Point{}, draw.Src)
				}
			})
		}},
		{"highlight boxes", func(t *testing.T, s, _ *seen) sentPicture {
			return over(t, s, func(img *image.RGBA) { s.boxes(img, false) })
		}},
		{"set of mark", func(t *testing.T, s, _ *seen) sentPicture {
			return over(t, s, func(img *image.RGBA) { s.boxes(img, true) })
		}},
		{"banner since", func(t *testing.T, s, _ *seen) sentPicture {
			// The capture has what the picture lacks.
			now := image.NewRGBA(s.img.Rect)
			copy(now.Pix, s.img.Pix)
			h := now.Rect.Dy()
			draw.Draw(now, image.Rect(0, h-h/6, now.Rect.Dx(), h), image.NewUniform(color.RGBA{40, 50, 60, 255}),
				image.Point{}, draw.Src)
			for k := range 30 {
				draw.Draw(now, image.Rect(40+k*25, h-h/8, 40+k*25+18, h-h/8+9), image.White, image.Point{}, draw.Src)
			}
			out := whole(t, s.window, s.window.Rect.Dx(), s.window.Rect.Dy(), 85)
			s.picture, s.img = encoded(t, now, 0), now
			s.targets = slices.DeleteFunc(s.targets,
				func(a aim) bool { return a.y*s.c.Viewport.Scale > float64(h-h/6-8) })
			return out
		}},
		{"another page", func(t *testing.T, s, other *seen) sentPicture {
			return whole(t, other.window, other.window.Rect.Dx(), other.window.Rect.Dy(), 85)
		}},
	}
}

// boxes draws a box around each target, with a label inside of its upper left corner or without.
func (s *seen) boxes(img *image.RGBA, labels bool) {
	d := s.c.Viewport.Scale
	said := map[int]bool{}
	for _, a := range s.targets {
		if said[a.node] {
			continue
		}
		said[a.node] = true
		b := s.c.Nodes[a.node].VisibleBox().Scale(d, d)
		r := image.Rect(int(b.X()), int(b.Y()), int(b.Right()+1), int(b.Bottom()+1))
		ink := image.NewUniform(color.RGBA{uint8(a.node * 37 % 200), uint8(a.node * 91 % 200), 180, 255})
		for _, line := range []image.Rectangle{{r.Min, image.Pt(r.Max.X, r.Min.Y+2)}, {image.Pt(r.Min.X, r.Max.Y-2),
			r.Max},
			{r.Min, image.Pt(r.Min.X+2, r.Max.Y)}, {image.Pt(r.Max.X-2, r.Min.Y), r.Max}} {
			draw.Draw(img, line, ink, image.Point{}, draw.Src)
		}
		if labels {
			l := image.Rect(r.Min.X, r.Min.Y, r.Min.X+int(18*d), r.Min.Y+int(13*d))
			draw.Draw(img, l, ink, image.Point{}, draw.Src)
			draw.Draw(img, l.Inset(4), image.White, image.Point{}, draw.Src)
		}
	}
}

func encoded(t *testing.T, img image.Image, quality int) []byte {
	t.Helper()
	var b bytes.Buffer
	if quality > 0 {
		require.NoError(t, jpeg.Encode(&b, img, &jpeg.Options{Quality: quality}))
	} else {
		require.NoError(t, (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, img))
	}
	return b.Bytes()
}

// look captures a page and chooses places in its controls that the browser hits.
func look(t *testing.T, tab *browser.Tab, bar int, dice *rand.Rand) *seen {
	t.Helper()
	shot := take(t, tab, session.Options{Settle: session.Settle{Quiet: 100 * time.Millisecond}})
	c := shot.Capture
	turn.NewLedger().Assign("t", 1, c)
	img, err := likeness.Decode(shot.Picture)
	require.NoError(t, err)
	s := &seen{c: c, picture: shot.Picture, dice: dice, img: image.NewRGBA(img.Bounds())}
	draw.Draw(s.img, s.img.Rect, img, image.Point{}, draw.Src)
	// A screenshot without a clip has the scroll bars, which the visual viewport of a capture has not.
	side := int(float64(bar) * c.Viewport.Scale)
	s.window = image.NewRGBA(image.Rect(0, 0, s.img.Rect.Dx()+side, s.img.Rect.Dy()))
	draw.Draw(s.window, s.window.Rect, image.NewUniform(color.RGBA{245, 245, 245, 255}), image.Point{}, draw.Src)
	draw.Draw(s.window, image.Rect(s.img.Rect.Dx()+2, 30, s.window.Rect.Dx()-2, 130),
		image.NewUniform(color.Gray{160}), image.Point{}, draw.Src)
	draw.Draw(s.window, s.img.Rect, s.img, image.Point{}, draw.Src)

	type ask struct {
		Path string  `json:"path"`
		X    float64 `json:"x"`
		Y    float64 `json:"y"`
	}
	var asks []ask
	var nodes []int
	for i := range c.Nodes {
		n := &c.Nodes[i]
		b := n.VisibleBox().Intersect(c.Viewport.Box())
		if n.Ref == 0 || !n.Control() || !n.InViewport || b.W() < 6 || b.H() < 6 {
			continue
		}
		for range 2 {
			asks = append(asks, ask{n.Path, b.X() + 2 + dice.Float64()*(b.W()-4), b.Y() + 2 + dice.Float64()*(b.H()-4)})
			nodes = append(nodes, i)
		}
	}
	got, _ := hitAll(t, tab, asks)
	for i, h := range got {
		if h.own > 0 {
			s.targets = append(s.targets, aim{asks[i].X, asks[i].Y, nodes[i]})
		}
	}
	return s
}

// clicks asks the doctor about clicks of an answer to a request with that picture.
func (s *seen) clicks(t *testing.T, p sentPicture, most int) (places []aim, r *doctor.Report) {
	t.Helper()
	type object = map[string]any
	d := s.c.Viewport.Scale
	img, _, err := image.DecodeConfig(bytes.NewReader(p.data))
	require.NoError(t, err)
	var calls []object
	for _, i := range s.dice.Perm(len(s.targets)) {
		a := s.targets[i]
		x, y := (a.x*d-p.x)*p.scaleX, ((a.y+p.offset)*d-p.y)*p.scaleY
		if x < 1 || y < 1 || x > float64(img.Width-1) || y > float64(img.Height-1) || len(places) >= most {
			continue
		}
		places = append(places, a)
		args, err := json.Marshal(object{"x": x, "y": y})
		require.NoError(t, err)
		calls = append(calls, object{"id": fmt.Sprint("c", i), "type": "function", "function": object{"name": "click",
			"arguments": string(args)}})
	}
	if len(places) == 0 {
		return nil, nil
	}
	body, err := json.Marshal(object{"model": "m", "messages": []object{{"role": "user", "content": []object{
		{"type": "text", "text": "Go on."},
		{"type": "image_url", "image_url": object{"url": "data:image/png;base64," +
			base64.StdEncoding.EncodeToString(p.data)}}}}}})
	require.NoError(t, err)
	answer, err := json.Marshal(object{"choices": []object{{"message": object{"role": "assistant",
		"tool_calls": calls}}}})
	require.NoError(t, err)
	rec := &turn.Record{N: 1, Capture: s.c, Picture: s.picture, Payloads: []turn.Payload{
		{Dialect: wire.OpenAIChat, Model: "m", Way: turn.Request, Bytes: body},
		{Dialect: wire.OpenAIChat, Model: "m", Way: turn.Answer, Bytes: answer}}}
	r, err = doctor.New(doctor.Options{}).Examine(rec)
	require.NoError(t, err)
	require.Len(t, r.Targets, len(places))
	return places, r
}

// TestClicksOnPictures: a click by coordinates is told as the element that the browser hits there, or
// not at all, in 12 kinds of pictures of saved pages. REFSCOPE_SLOW=1 makes about 4,000 clicks.
func TestClicksOnPictures(t *testing.T) {
	slow := os.Getenv("REFSCOPE_SLOW") != ""
	dice := rand.New(rand.NewPCG(37, 5))
	type score struct{ right, untold, wrong int }
	scores := map[string]*score{}
	looks := []*device.Device{{Width: 1265, Height: 705}, {Width: 1280, Height: 720}, {Width: 1024, Height: 768,
		Scale: 2}, {Width: 1263, Height: 712, Scale: 1.5}}
	var pictures int
	var took time.Duration
	var before *seen
	n := 0
	for _, kind := range testpages.Kinds() {
		folders := testpages.Folders(t, kind)
		if !slow {
			folders = folders[:1]
		}
		for _, folder := range folders {
			site := chrometest.Folder(t, folder.Path)
			for _, page := range folder.Pages(t) {
				n++
				if slow && !folder.Own && n%3 != 0 || n%testneed.Cases(4, 1, 1) != 0 {
					continue
				}
				tab := chrome.Tab(t)
				ctx := chrometest.Context(t)
				require.NoError(t, tab.Emulate(ctx, looks[n%len(looks)]))
				require.NoError(t, tab.Navigate(ctx, site+page))
				if n%3 == 1 {
					_, err := tab.Session().Eval(ctx, tab.ID(), "String(scrollTo(0, 300))")
					require.NoError(t, err)
				}
				s := look(t, tab, []int{15, 0, 17, 40}[dice.IntN(4)], dice)
				if len(s.targets) == 0 {
					continue
				}
				for k, make := range pictureKinds() {
					if !slow && k%3 != n%3 {
						continue
					}
					if scores[make.name] == nil {
						scores[make.name] = &score{}
					}
					if before == nil && make.name == "another page" {
						continue
					}
					now := *s
					now.targets = slices.Clone(s.targets)
					p := make.make(t, &now, before)
					at := time.Now()
					places, r := now.clicks(t, p, 8)
					took += time.Since(at)
					pictures++
					tree := snapshot.NewTree(s.c)
					for i, a := range places {
						got := r.Targets[i]
						switch {
						case make.name == "another page" && got.Node < 0:
							scores[make.name].right++
						case got.Node < 0:
							scores[make.name].untold++
							t.Logf("%s/%s, %s: at %.1f,%.1f %s is not told: %s", folder.Name, page, make.name, a.x,
								a.y, s.c.Nodes[a.node].Path, got.Why)
						case make.name != "another page" && (got.Node == a.node || tree.Contains(a.node, got.Node)):
							scores[make.name].right++
						default:
							scores[make.name].wrong++
							t.Logf("%s/%s, %s: WRONG at %.1f,%.1f (taken as %v) %s is told as %s, place %+v",
								folder.Name, page, make.name, a.x, a.y, *got.CSS,
								s.c.Nodes[a.node].Path, s.c.Nodes[got.Node].Path, r.Sections[0].Images)
						}
					}
				}
				before = s
			}
		}
	}
	var all score
	for _, kind := range pictureKinds() {
		if s := scores[kind.name]; s != nil {
			t.Logf("%-20s right %4d, not told %3d, wrong %3d", kind.name, s.right, s.untold, s.wrong)
			all.right, all.untold, all.wrong = all.right+s.right, all.untold+s.untold, all.wrong+s.wrong
		}
	}
	clicks := all.right + all.untold + all.wrong
	t.Logf("%d clicks on %d pictures: right %d, not told %d, wrong %d; %d ms for one picture", clicks, pictures,
		all.right, all.untold,
		all.wrong, took.Milliseconds()/int64(max(pictures, 1)))
	require.NotZero(t, clicks)
	require.Zero(t, all.wrong)
	require.GreaterOrEqual(t, float64(all.right+testneed.Cases(1, 0, 0)), 0.99*float64(clicks)) // one of 80, or of 400 four
}

// TestAPictureOfAnotherDocumentIsNotKept: what a tab shows that went to another page while it was drawn is not the page
// that was read, and what is withheld in it has no place.
func TestAPictureOfAnotherDocumentIsNotKept(t *testing.T) {
	ctx := chrometest.Context(t)
	first := chrometest.Page(t, `<title>First</title><h1>First</h1><input type=password value=hunter2>`)
	second := chrometest.Page(t, `<title>Second</title><p>Second</p>`)
	for _, once := range []bool{true, false} {
		tab := chrome.Open(t, first)
		left := false
		shot, err := session.Take(ctx, tab, session.Options{Once: once, Progress: func(stage string) {
			if stage == "picture" && !left {
				left = true
				require.NoError(t, tab.Navigate(ctx, second))
			}
		}})
		require.NoError(t, err)
		if !once { // it was read again
			require.Equal(t, "Second", shot.Capture.Title)
			require.NotEmpty(t, shot.Picture)
			require.False(t, shot.Left)
			continue
		}
		require.Equal(t, "First", shot.Capture.Title)
		require.True(t, shot.Left && shot.Capture.Moment.Torn)
		require.Empty(t, shot.Picture)
		require.Contains(t, shot.Capture.Failed, snapshot.Failure{Layer: "picture",
			Why: "the tab went to another page while it was drawn, and may have shown that"})
	}
}
