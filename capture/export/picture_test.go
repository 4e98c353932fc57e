package export

import (
	"bytes"
	"encoding/json"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/image/webp"

	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/overlay/codec"
	"github.com/refscope/refscope/overlay/vision"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/payload"
)

// page is a capture of a viewport with two buttons and its picture at a scale.
func page(w, h, scale int) (*snapshot.Capture, *image.RGBA) {
	c := &snapshot.Capture{Schema: snapshot.Schema, Viewport: snapshot.Viewport{Width: float64(w), Height: float64(h), Scale: float64(scale)}}
	c.Nodes = []snapshot.Node{{I: 0, Parent: -1, Tag: "html", Box: snapshot.Box{0, 0, float64(w), float64(h)}, Verdict: snapshot.VerdictWrapper, Visible: true, InViewport: true}}
	for i, b := range []snapshot.Box{{100, 80, 120, 40}, {400, 300, 90, 30}} {
		c.Nodes = append(c.Nodes, snapshot.Node{
			I: i + 1, Parent: 0, Tag: "button", Ref: i + 1, Role: "button", Name: []string{"Save", "Cancel"}[i], Box: b, Verdict: snapshot.VerdictRef,
			Interactive: []string{"native"}, Visible: true, InViewport: true, Occlusion: &snapshot.Occlusion{State: snapshot.Clear, VisibleShare: 1, HitShare: 1},
		})
	}
	img := image.NewRGBA(image.Rect(0, 0, w*scale, h*scale))
	draw.Draw(img, img.Rect, image.NewUniform(color.RGBA{240, 240, 244, 255}), image.Point{}, draw.Src)
	return c, img
}

func model(t *testing.T, name string) vision.Model {
	t.Helper()
	m, ok := vision.Lookup(name)
	require.True(t, ok, name)
	return m
}

func TestNewPicture(t *testing.T) {
	tests := map[string]struct {
		model  string
		detail vision.Detail
		want   image.Point
		tokens int
	}{
		"as captured": {"", "", image.Pt(2560, 1440), 0},
		"tiles":       {"gpt-4o-2024-08-06", "", image.Pt(1365, 768), 1105},
		"low":         {"gpt-4o", vision.Low, image.Pt(512, 288), 85},
		"original":    {"gpt-5.5", "", image.Pt(2560, 1440), 4320},
		"anthropic":   {"claude-opus-4-1", "", image.Pt(1456, 819), 1560},
		"qwen":        {"qwen3-vl", vision.High, image.Pt(2560, 1440), 3600},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			c, clean := page(1280, 720, 2)
			before := bytes.Clone(clean.Pix)
			look := Look{Detail: tt.detail, Options: overlay.Options{View: overlay.ViewModel}, Fast: true}
			if tt.model != "" {
				look.Model = model(t, tt.model)
			}
			p, err := NewPicture(clean, c, look)
			require.NoError(t, err)
			require.Equal(t, before, clean.Pix, "the clean picture is the caller's")
			require.Equal(t, tt.tokens, p.Tokens.Tokens)
			require.Equal(t, tt.want, p.Clean.Rect.Size())

			got, err := codec.DecodePNG(p.Data)
			require.NoError(t, err)
			require.Equal(t, tt.want, got.Rect.Size())
			m := p.Manifest("OUT.png")
			require.Equal(t, tt.model, m.Model)
			require.Equal(t, p.Scene.Hides(p.Clean), m.Quality.Letters, "as refscopectl mark counts them")
			require.Len(t, m.Images, 1)
			i := m.Images[0]
			require.Equal(t, tt.want, image.Pt(i.Width, i.Height))
			require.InDelta(t, float64(tt.want.X)/1280, i.ScaleX, 1e-6)
			require.InDelta(t, float64(tt.want.Y)/720, i.ScaleY, 1e-6)

			// The marks are drawn at that size: a plate's black and white are exact, its
			// height is that of Style in CSS px, and the label lies at its box.
			for _, k := range m.Marks {
				require.NotNil(t, k.Label, "ref %d", k.Ref)
				l := *k.Label
				require.GreaterOrEqual(t, l[3], 12.0)
				perCSS := max(1, float64(tt.want.X)/1280)
				require.InDelta(t, 14*perCSS, l[3], 2*perCSS, "the label is as high as on a picture of one px for each CSS px")
				require.Equal(t, color.RGBA{255, 255, 255, 255}, got.RGBAAt(int(l[0]), int(l[1])))
				require.Equal(t, color.RGBA{0, 0, 0, 255}, got.RGBAAt(int(l[0])+p.Scene.Density(), int(l[1])+p.Scene.Density()))
				require.InDelta(t, c.Nodes[k.Ref].Box[0]*i.ScaleX, k.Box[0], 0.01)
				require.InDelta(t, c.Nodes[k.Ref].Box[1]*i.ScaleY, k.Box[1], 0.01)
			}
		})
	}
}

func TestNewPictureFormats(t *testing.T) {
	c, clean := page(640, 480, 1)
	p, err := NewPicture(clean, c, Look{Format: codec.JPEG})
	require.NoError(t, err)
	cfg, err := jpeg.DecodeConfig(bytes.NewReader(p.Data))
	require.NoError(t, err)
	require.Equal(t, image.Pt(640, 480), image.Pt(cfg.Width, cfg.Height))
	p, err = NewPicture(clean, c, Look{Format: codec.WebP})
	require.NoError(t, err)
	cfg, err = webp.DecodeConfig(bytes.NewReader(p.Data))
	require.NoError(t, err)
	require.Equal(t, image.Pt(640, 480), image.Pt(cfg.Width, cfg.Height))
	_, err = NewPicture(clean, c, Look{Format: "image/gif"})
	require.ErrorContains(t, err, "marked picture: ")
}

func TestNewPictureRefused(t *testing.T) {
	tests := map[string]struct {
		model string
		w, h  int
		want  string
	}{
		"patches": {"gpt-5.6", 1280, 26000, "marked picture: picture of 1280 x 26000 px for gpt-5.6: refused, it has 32520 patches"},
		"aspect":  {"qwen3-vl", 9000, 40, "refused over 200 times as long as wide"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			c, clean := page(tt.w, tt.h, 1)
			_, err := NewPicture(clean, c, Look{Model: model(t, tt.model)})
			require.ErrorContains(t, err, tt.want)
		})
	}
}

// TestMarked: what the window writes is what NewPicture writes without a model.
func TestMarked(t *testing.T) {
	c, clean := page(640, 480, 1)
	p, err := NewPicture(clean, c, Look{})
	require.NoError(t, err)
	data, err := Marked(clean, p.Scene)
	require.NoError(t, err)
	require.Equal(t, p.Data, data)
}

// TestPayload: the picture in the body has the model's size, and the body its words.
func TestPayload(t *testing.T) {
	tests := map[string]struct {
		dialect, model, detail string
		size                   image.Point // of the picture in the body
		tokens                 int
		has                    string
	}{
		"tiles":             {"openai-chat", "gpt-4o", "", image.Pt(1365, 768), 1105, `"detail":"high"`},
		"no original there": {"openai-responses", "gpt-4.1", "", image.Pt(1365, 768), 1105, `"detail":"high"`},
		"original":          {"openai-responses", "gpt-5.5", "", image.Pt(2560, 1440), 4320, `"detail":"original"`},
		"high asked for":    {"openai-responses", "gpt-5.5", "high", image.Pt(2048, 1152), 2765, `"detail":"high"`},
		"low":               {"openai-chat", "gpt-4o", "low", image.Pt(512, 288), 85, `"detail":"low"`},
		"anthropic":         {"anthropic", "claude-opus-4-1", "", image.Pt(1456, 819), 1560, `"model":"claude-opus-4-1"`},
		"anthropic high":    {"anthropic", "claude-opus-4-8", "", image.Pt(2560, 1440), 4784, `"model":"claude-opus-4-8"`},
		"gemini":            {"gemini", "gemini-3-pro", "", image.Pt(2560, 1440), 1120, `MEDIA_RESOLUTION_HIGH`},
		"gemini medium":     {"gemini", "gemini-3-pro", "medium", image.Pt(2560, 1440), 560, `MEDIA_RESOLUTION_MEDIUM`},
		"qwen":              {"qwen", "qwen3-vl-plus", "", image.Pt(1504, 832), 47 * 26, `"model":"qwen3-vl-plus"`},
		"no model":          {"openai-chat", "", "", image.Pt(1365, 768), 0, `"model":"MODEL"`},
		"unknown model":     {"anthropic", "claude-next", "", image.Pt(1365, 768), 0, `"model":"claude-next"`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			c, clean := page(1280, 720, 2)
			png, err := codec.EncodePNG(clean, true)
			require.NoError(t, err)
			p, err := Payload(tt.dialect, payload.Input{Turn: 1, Capture: c, Picture: png, Model: tt.model, Detail: tt.detail})
			require.NoError(t, err)
			require.True(t, json.Valid(p.Body))
			require.Contains(t, string(p.Body), tt.has)
			var at image.Point
			for _, s := range p.Sections {
				if s.Name != "image" {
					continue
				}
				b64 := string(p.Body[s.Start:s.End])
				var text string
				require.NoError(t, json.Unmarshal([]byte(b64), &text))
				at = sizeOf(t, text)
				require.Equal(t, tt.tokens, s.Tokens, s.TokensHow)
			}
			require.Equal(t, tt.size, at)
		})
	}
}

// sizeOf is the size of a PNG in base64, with or without a data URL before it.
func sizeOf(t *testing.T, text string) image.Point {
	t.Helper()
	if i := strings.Index(text, ","); i >= 0 {
		text = text[i+1:]
	}
	var data []byte
	require.NoError(t, json.Unmarshal([]byte(`"`+text+`"`), &data)) // base64 is how JSON holds bytes
	img, err := codec.DecodePNG(data)
	require.NoError(t, err)
	return img.Rect.Size()
}

func TestPayloadErrors(t *testing.T) {
	c, clean := page(1280, 720, 1)
	png, err := codec.EncodePNG(clean, true)
	require.NoError(t, err)
	_, err = Payload("openai-chat", payload.Input{Turn: 7, Capture: c, Picture: png, Model: "gpt-4o", Detail: "original"})
	require.ErrorContains(t, err, `payload of turn 7: image detail "original" is not one of gpt-4o: choose from [high low] or auto`)
	_, err = Payload("openai-chat", payload.Input{Turn: 7, Capture: c, Picture: []byte("no")})
	require.ErrorContains(t, err, "payload of turn 7: picture of 2 bytes")
	p, err := Payload("openai-chat", payload.Input{Turn: 7, Capture: c})
	require.NoError(t, err)
	require.NotContains(t, string(p.Body), "image_url", "a turn without a picture")
}
