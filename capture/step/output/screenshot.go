package output

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"math"
	"path/filepath"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	protocol "github.com/chromedp/cdproto/emulation"
	"github.com/refscope/refscope/capture/element"
	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/capture/step/param"
	"github.com/refscope/refscope/capture/step/stepdef"
	"github.com/refscope/refscope/overlay/codec"
	"github.com/refscope/refscope/snapshot"
)

// Steps are the steps that write files (C-19, C-20).
func Steps() []stepdef.StepDef {
	return []stepdef.StepDef{
		stepdef.Define(screenshot, stepdef.StepDef{
			Name: "screenshot", Summary: "take a picture, between steps too",
			Forms: []param.Form{
				{`true`, "of what the window shows"},
				{`"shot.png"`, "into a file: a bare name goes to the folder of pictures, .png .jpg or .webp"},
				{`{"path":"page.png","fullPage":true}`, "of the whole page, put together from parts where it is tall"},
				{`{"clip":{"x":0,"y":0,"width":400,"height":300}}`,
					"of a part, CSS px from the window's corner; with fullPage from the page's"},
				{`{"selector":"#card","padding":8}`,
					"of an element, by selector or ref, with so many CSS px around it"},
				{`{"format":"jpeg","quality":80}`, "as PNG (default), JPEG or WebP"},
				{`{"omitBackground":true}`, "transparent where the page draws nothing"},
			},
		}),
		stepdef.Define(printPDF, stepdef.StepDef{Name: "pdf", Summary: "print the page", Forms: []param.Form{
			{`"page.pdf"`, "into a file: a bare name goes to the folder of pictures"},
			{`{"path":"page.pdf","landscape":true,"scale":0.8,"pageRanges":"1-3","paper":"A4","margins":{"top":0.5,` +
				`"bottom":0.5}}`, "inches; paper also letter, legal, tabloid, A3, A5, or {width, height}"},
			{`{"paperWidth":8.5,"paperHeight":11,"marginTop":1,"printBackground":false,"preferCSSPageSize":true}`,
				"the same by numbers"},
			{`{"displayHeaderFooter":true,"headerTemplate":"<span class=title></span>","footerTemplate":"<span ` +
				`class=pageNumber></span>","validate":true}`,
				"with header and footer; validate says what was looked at"},
		}}),
	}
}

type screenshotParams struct {
	_        struct{} `form:"true" want:"true, a path or an object"`
	Path     *string  `json:"path,omitempty" form:"string" what:"the file; a bare name goes to the folder of pictures"`
	FullPage bool     `json:"fullPage,omitempty" what:"the whole page"`
	Clip     *clip    `json:"clip,omitempty" what:"a part: x, y, width, height"`
	stepdef.OptionalElement
	Padding        float64 `json:"padding,omitempty" min:"0" max:"10000" unit:"CSS px" what:"around the element"`
	Format         string  `json:"format,omitempty" what:"png, jpeg or webp"`
	Quality        *int    `json:"quality,omitempty" min:"0" max:"100" what:"of JPEG"`
	OmitBackground bool    `json:"omitBackground,omitempty" what:"transparent where the page draws nothing"`
	Overwrite      bool    `json:"overwrite,omitempty" what:"write over a file that is there"`

	format codec.Format
}

// clip is a part of the picture, CSS px.
type clip stepdef.Rect

// CheckParams refuses a part without an area.
func (c *clip) CheckParams() error {
	if c.Width <= 0 || c.Height <= 0 {
		return errors.New("width and height want more than 0 CSS px")
	}
	return nil
}

// pictured is the output of screenshot.
type pictured struct {
	Path   string `json:"path"`
	Format string `json:"format"`
	Width  int    `json:"width"` // image px
	Height int    `json:"height"`
	Bytes  int    `json:"bytes"`
	// Scale is image px for one CSS px.
	Scale float64 `json:"scale"`
	// Clip is the pictured area, CSS px of the window or, with fullPage, of the page.
	Clip     *snapshot.Box `json:"clip,omitempty"`
	FullPage bool          `json:"fullPage,omitempty"`
	// Redacted is how many elements are drawn over because they hold a secret.
	Redacted int `json:"redacted,omitempty"`
}

// CheckParams determines the format, and refuses two parts of the page.
func (p *screenshotParams) CheckParams() error {
	if p.Path != nil && *p.Path == "" {
		return errors.New("the path is empty")
	}
	named := p.Format
	if ext := filepath.Ext(p.path()); ext != "" {
		f, err := codec.FormatOf(ext)
		if err != nil {
			return fmt.Errorf("path: %w", err)
		}
		if p.format = f; named == "" {
			named = string(f)
		}
	}
	if named == "" {
		named = "png"
	}
	f, err := codec.FormatOf("image/" + strings.TrimPrefix(named, "image/"))
	if err != nil {
		return param.Unknown("format", p.Format, []string{"png", "jpeg", "webp"})
	}
	if p.format != "" && p.format != f {
		return fmt.Errorf("format %s and a path that ends in %s: make them the same", p.Format, filepath.Ext(p.path()))
	}
	p.format = f
	byElement := !p.To(0).Empty()
	switch {
	case p.Quality != nil && f == codec.PNG:
		return errors.New("quality is for jpeg and webp: a PNG has all of the picture")
	case p.OmitBackground && f == codec.JPEG:
		return errors.New("a JPEG cannot be transparent: choose png or webp with omitBackground")
	case byElement && p.Clip != nil:
		return errors.New("clip and an element are two parts of the page: choose one")
	case p.FullPage && byElement:
		return errors.New("fullPage and an element exclude each other: an element out of view is found without it")
	case p.Padding > 0 && !byElement:
		return errors.New("padding belongs to an element: add selector or ref")
	}
	return nil
}

// path is the file that is named, "" for none.
func (p *screenshotParams) path() string {
	if p.Path == nil {
		return ""
	}
	return *p.Path
}

// screenshot takes a picture as turns do, so that what is withheld is drawn over in it
// too, and cuts out what is wanted.
func screenshot(ctx context.Context, e *stepdef.Env, p *screenshotParams) (any, error) {
	out := &pictured{FullPage: p.FullPage, Format: strings.TrimPrefix(string(p.format), "image/")}
	name := p.path()
	if name == "" {
		name = e.Files.ShotName(e.Alias, out.Format)
	}
	file, err := e.Files.Output(name, p.Overwrite)
	if err != nil {
		return nil, err
	}
	var f *element.Found
	if t := p.To(0); !t.Empty() {
		if f, err = e.Find(ctx, t); err != nil {
			return nil, err
		}
	}
	shot, err := shoot(ctx, e, p.FullPage, p.OmitBackground)
	if err != nil {
		return nil, err
	}
	area := snapshot.Box{0, 0, shot.Capture.Viewport.Width, shot.Capture.Viewport.Height}
	out.Scale = shot.Capture.Viewport.Scale
	if f != nil {
		b, err := e.Page.Bounds(ctx, f.Element)
		if err != nil {
			return nil, err
		}
		b = snapshot.Box{b.X() - p.Padding, b.Y() - p.Padding, b.W() + 2*p.Padding, b.H() + 2*p.Padding}
		if b.X() < area.X() || b.Y() < area.Y() || b.Right() > area.Right() || b.Bottom() > area.Bottom() {
			// It reaches out of the window: it is cut out of the whole page.
			if shot, err = shoot(ctx, e, true, p.OmitBackground); err != nil {
				return nil, err
			}
			at := shot.Capture.FullPage.Scroll
			b[0], b[1] = b[0]+at[0], b[1]+at[1]
			if n := boxIn(shot.Capture, f); n != nil { // where it lies in the larger window
				b = snapshot.Box{n.X() - p.Padding, n.Y() - p.Padding, n.W() + 2*p.Padding, n.H() + 2*p.Padding}
			}
			area = snapshot.Box{0, 0, shot.Capture.Viewport.Width, shot.Capture.Viewport.Height}
			out.Scale, out.FullPage = shot.Capture.Viewport.Scale, true
		}
		out.Clip = &b
	} else if p.Clip != nil {
		out.Clip = &snapshot.Box{p.Clip.X, p.Clip.Y, p.Clip.Width, p.Clip.Height}
	}
	for _, why := range shot.Capture.Failed {
		if why.Layer == "full page" {
			e.Warn("%s", why.Why)
		}
	}
	img, err := shot.Image()
	if err != nil {
		return nil, err
	}
	if out.Clip != nil {
		if img, err = crop(img, *out.Clip, area, out.Scale); err != nil {
			return nil, err
		}
	}
	for i := range shot.Capture.Nodes {
		if n := &shot.Capture.Nodes[i]; len(n.Redacted) > 0 && n.InViewport {
			out.Redacted++
		}
	}
	var enc codec.Encoder
	var data []byte
	switch {
	case p.format == codec.JPEG && p.Quality != nil:
		data, err = codec.EncodeJPEG(img, *p.Quality)
	default:
		if p.Quality != nil && *p.Quality < 100 {
			e.Warn("WebP is written without loss: quality is not used")
		}
		data, err = enc.EncodeAs(img, p.format, true)
	}
	if err != nil {
		return nil, err
	}
	if err := export.Write(file, data); err != nil {
		return nil, err
	}
	out.Path = e.Files.Named(file)
	out.Width, out.Height, out.Bytes = img.Rect.Dx(), img.Rect.Dy(), len(data)
	return out, nil
}

// shoot takes the page with its picture.
func shoot(ctx context.Context, e *stepdef.Env, full, transparent bool) (_ *session.Shot, err error) {
	tab := e.Page.Tab()
	if transparent {
		clear := cdp.RGBA{}
		// the generated type leaves an alpha of 0 out
		params := map[string]any{"color": map[string]any{"r": clear.R, "g": clear.G, "b": clear.B, "a": 0}}
		if err := tab.Session().Call(ctx, protocol.SetDefaultBackgroundColorOverride.Method, params, nil); err != nil {
			return nil, fmt.Errorf("taking the background away: %w", err)
		}
		defer func() {
			after, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
			defer cancel()
			if _, cerr := cdp.Call(after, tab.Session(), protocol.SetDefaultBackgroundColorOverride,
				protocol.SetDefaultBackgroundColorOverrideParams{}); cerr != nil {
				err = errors.Join(err, fmt.Errorf("giving the background back: %w", cerr))
			}
		}()
	}
	shot, err := session.Take(ctx, tab, session.Options{
		Collect: e.Collect, Profiles: e.Profiles, FullPage: full, NodeIDs: true,
		Settle: session.Settle{Quiet: 100 * time.Millisecond, Max: time.Second},
	})
	if err != nil {
		return nil, err
	}
	return shot, nil
}

// boxIn is where an element lies in a capture, nil where the capture does not know it.
func boxIn(c *snapshot.Capture, f *element.Found) *snapshot.Box {
	for i := range c.Nodes {
		n := &c.Nodes[i]
		if n.BackendNodeID != 0 && int64(n.BackendNodeID) == f.Element.Node &&
			c.Frames[n.Frame].ID == f.Element.Realm.Frame && n.Box.W() > 0 {
			return &n.Box
		}
	}
	return nil
}

// crop is the part of a picture of area, CSS px; what lies outside of it is not in it.
func crop(img *image.RGBA, part, area snapshot.Box, scale float64) (*image.RGBA, error) {
	px := image.Rect(int(math.Floor(part.X()*scale)), int(math.Floor(part.Y()*scale)),
		int(math.Ceil(part.Right()*scale)),
		int(math.Ceil(part.Bottom()*scale))).Intersect(img.Rect)
	if px.Empty() {
		return nil, fmt.Errorf(
			"nothing of %g,%g %g x %g CSS px is in the picture of %g x %g: use fullPage for what is out "+
				"of the window", part.X(), part.Y(), part.W(), part.H(), area.W(), area.H())
	}
	out := image.NewRGBA(image.Rectangle{Max: px.Size()})
	draw.Draw(out, out.Rect, img, px.Min, draw.Src)
	return out, nil
}

// papers are sizes in inches (ISO 216, ANSI).
func papers() map[string][2]float64 {
	return map[string][2]float64{
		"letter": {8.5, 11}, "legal": {8.5, 14}, "tabloid": {11, 17}, "ledger": {17, 11},
		"a3": {11.69, 16.54}, "a4": {8.27, 11.69}, "a5": {5.83, 8.27}, "a6": {4.13, 5.83},
	}
}
