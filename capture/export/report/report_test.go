package report

import (
	"bytes"
	"encoding/base64"
	"errors"
	"flag"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/payload"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/tokens"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/stretchr/testify/require"
	"golang.org/x/image/webp"
)

var update = flag.Bool("update", false, "rewrite testdata/*.html")

// TestGolden compares the report of a small session with the file in testdata, which has
// neither the style sheet nor the script in it, for those have files of their own, nor
// the bytes of its picture.
func TestGolden(t *testing.T) {
	// Without payloads that are made here: their pictures are compressed by Go's own
	// library, which may do better one day.
	got, made := write(t, shop(t), Options{Name: "shop", Dialects: []string{}})
	require.Equal(t, &Summary{Turns: 3}, made)
	got = strings.Replace(got, styleText, "", 1)
	got = strings.Replace(got, scriptText, "", 1)
	got = regexp.MustCompile(`sha256-.*?&#39;`).ReplaceAllString(got, "sha256-X&#39;")
	got = regexp.MustCompile(`;base64,[^"]+`).ReplaceAllString(got, ";base64,X")
	const file = "testdata/shop.html"
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), got, "go test -update rewrites %s", file)
}

func TestTheSameSessionGivesTheSameBytes(t *testing.T) {
	a, _ := write(t, shop(t), Options{Name: "shop"})
	b, _ := write(t, shop(t), Options{Name: "shop"})
	require.Equal(t, a, b, "another folder, another id, another day")
}

func TestEqualPicturesStandOnce(t *testing.T) {
	got, _ := write(t, shop(t), Options{})
	require.Equal(t, 1, strings.Count(got, "data:image/"))
	require.Equal(t, 4, strings.Count(got, "<use "), "two cards and two turns show it")
}

// What a report shows has the pixels of the turn, in either format.
func TestPicturesKeepEveryPixel(t *testing.T) {
	noise := image.NewRGBA(image.Rect(0, 0, 400, 240))
	glass := image.NewNRGBA(noise.Rect)
	dice := rand.New(rand.NewPCG(1, 2))
	for i := range noise.Pix {
		noise.Pix[i], glass.Pix[i] = uint8(dice.Uint32()), uint8(dice.Uint32())
	}
	for i := 3; i < len(noise.Pix); i += 4 {
		noise.Pix[i] = 255
	}
	for name, c := range map[string]struct {
		img  image.Image
		want string
	}{"page": {image.NewUniform(color.RGBA{1, 2, 3, 255}), "webp"}, "noise": {noise, ""}, "see-through": {glass, "png"}} {
		t.Run(name, func(t *testing.T) {
			img := image.NewNRGBA(noise.Rect)
			draw.Draw(img, img.Rect, c.img, image.Point{}, draw.Src)
			var file bytes.Buffer
			require.NoError(t, png.Encode(&file, img))
			rec := shopTurns(t)[0]
			rec.Picture = file.Bytes()
			got, _ := write(t, recordSession(t, rec), Options{Dialects: []string{}})
			m := regexp.MustCompile(`data:image/(png|webp);base64,([^"]+)`).FindStringSubmatch(got)
			require.NotNil(t, m)
			if c.want != "" {
				require.Equal(t, c.want, m[1])
			}
			data, err := base64.StdEncoding.DecodeString(m[2])
			require.NoError(t, err)
			decode := png.Decode
			if m[1] == "webp" {
				decode = webp.Decode
			}
			back, err := decode(bytes.NewReader(data))
			require.NoError(t, err)
			for y := range 240 {
				for x := range 400 {
					require.Equal(t, color.NRGBAModel.Convert(img.At(x, y)), color.NRGBAModel.Convert(back.At(x, y)))
				}
			}
		})
	}
}

func TestWhatATurnTells(t *testing.T) {
	got, _ := write(t, shop(t), Options{Name: "shop"})
	text := textOf(t, got)
	for name, want := range map[string]string{
		"action":          "click @e1",
		"note":            "The agent clicked twice.",
		"verdict":         "fail",
		"who":             "Ada",
		"console":         "cart is undefined",
		"console's place": "https://shop.example/cart.js, line 12",
		"dialog":          "Leave the shop?",
		"dialog's end":    "accepted",
		"message":         "Sign in first",
		"steps":           `"click": "@e1"`,
		"answer":          `"status": "error"`,
		"profile":         "The basket is slow.",
		"lack":            "The file keeps no page, only its address.",
		"no picture":      "There is no picture of this turn.",
		"wire":            "These bytes crossed the wire.",
		"redacted span":   "16 bytes at 55: card",
		"cover":           "covered, 25 % seen, by 5 dialog “Sign in”",
		"offscreen":       "below",
		"difference":      "covered by [5]",
		"plain words":     "A click on 1 element would not arrive, because something lies over it.",
		"withheld":        "1 value was withheld",
		"restless":        "The page was still changing when it was read.",
		"dump":            `[1]<button>Buy</button>`,
		"omitted":         "left out or shortened",
	} {
		t.Run(name, func(t *testing.T) { require.Contains(t, text, want) })
	}
}

// The figures of a payload are those of the payload.
func TestPayloadSections(t *testing.T) {
	rec := shopTurns(t)[0]
	store := recordSession(t, rec)
	p, err := export.Payload("openai-chat", payload.Input{Turn: 1, Capture: rec.Capture, Picture: rec.Picture, Counter: new(tokens.Counter)})
	require.NoError(t, err)
	got, _ := write(t, store, Options{Counter: new(tokens.Counter)})
	require.Contains(t, got, p.SHA256)
	view, bytes, shares := measured(p), 0, 0.0
	for _, s := range view.Sections {
		require.Contains(t, got, "</svg>"+s.Name+`</th><td class="n">`+text.Thousands(s.Bytes)+"</td>")
		bytes += s.Bytes
		shares += s.ByteShare
	}
	require.Equal(t, len(p.Body), bytes, "every byte is in a section or in the structure")
	require.InDelta(t, 100, shares, 0.1)
	require.Contains(t, textOf(t, got), "Counted (o200k_base): model, system, dump, legend.")
	require.Contains(t, textOf(t, got), "Not counted (depends on the model's rules for images): image.")

	got, _ = write(t, store, Options{Model: "gpt-4o", Counter: new(tokens.Counter)})
	require.NotContains(t, textOf(t, got), "depends on the model's rules", "a model's rules say what a picture costs")
	require.Contains(t, textOf(t, got), "openai-chat · gpt-4o")
}

func TestTurnsAndLimits(t *testing.T) {
	store := shop(t)
	for name, c := range map[string]struct {
		o    Options
		want []string
		not  []string
		made Summary
	}{
		"all":          {Options{}, []string{`id="t1"`, `id="t2"`, `id="t3"`}, nil, Summary{Turns: 3}},
		"range":        {Options{Turns: []Range{{2, 2}}}, []string{`id="t2"`, "Changes since turn"}, []string{`id="t1"`, `id="t3"`}, Summary{Turns: 1}},
		"open range":   {Options{Turns: []Range{{2, 0}}}, []string{`id="t2"`, `id="t3"`}, []string{`id="t1"`}, Summary{Turns: 2}},
		"limit":        {Options{MaxTurns: 1}, []string{`id="t1"`, "2 further ones are not in it: 2 to 3."}, []string{`id="t2"`}, Summary{Turns: 1, Left: 2}},
		"limit by one": {Options{MaxTurns: 2}, []string{"One more is not in it: turn 3."}, []string{`id="t3"`}, Summary{Turns: 2, Left: 1}},
		"no limit":     {Options{MaxTurns: -1}, []string{`id="t3"`}, []string{"not in it"}, Summary{Turns: 3}},
		"one format":   {Options{Formats: []dump.Format{format.Wraith}}, []string{"<b>wraith</b>"}, []string{"<b>dddk</b>"}, Summary{Turns: 3}},
	} {
		t.Run(name, func(t *testing.T) {
			got, made := write(t, store, c.o)
			require.Equal(t, c.made, *made)
			for _, w := range c.want {
				require.Contains(t, got, w)
			}
			for _, w := range c.not {
				require.NotContains(t, got, w)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	store := shop(t)
	var out bytes.Buffer
	_, err := writeReport(t.Context(), &out, spool(t), store, Options{Turns: []Range{{7, 9}}})
	require.ErrorIs(t, err, ErrNoTurns)
	_, err = writeReport(t.Context(), &out, spool(t), store, Options{Formats: []dump.Format{"xml"}})
	require.ErrorContains(t, err, `"xml"`)
	_, err = writeReport(t.Context(), &out, spool(t), store, Options{Dialects: []string{"smoke"}})
	require.ErrorContains(t, err, `"smoke"`)
	require.Zero(t, out.Len(), "nothing is written before it is known that there is something to write")
	_, err = writeReport(t.Context(), full{}, spool(t), store, Options{})
	require.ErrorIs(t, err, errFull)
}

var errFull = errors.New("no room")

// full is a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestADamagedTurnHidesNoOther(t *testing.T) {
	for name, c := range map[string]struct {
		role string // of the part that is harmed, "" for turn.json
		want string
	}{
		"turn.json": {"", "This turn is damaged."},
		"capture":   {"capture", "its capture"},
		"picture":   {"picture", "its picture"},
	} {
		t.Run(name, func(t *testing.T) {
			turns := shopTurns(t)
			turns[1].Picture = picture(t, color.RGBA{9, 9, 9, 255}) // a part of its own
			store := recordSession(t, turns...)
			file := filepath.Join(store.Path(), "turns", "0002", "turn.json")
			if c.role != "" {
				list, _, err := store.List(t.Context())
				require.NoError(t, err)
				for _, p := range list[1].Parts {
					if p.Role == c.role {
						file = filepath.Join(store.Path(), "parts", p.SHA256)
					}
				}
			}
			require.NoError(t, os.WriteFile(file, []byte("harmed"), 0o600))
			got, made := write(t, store, Options{})
			require.Equal(t, []int{2}, made.Damaged)
			require.Contains(t, got, c.want)
			for _, id := range []string{`id="t1"`, `id="t2"`, `id="t3"`} {
				require.Contains(t, got, id)
			}
			if c.role == "picture" {
				require.Contains(t, textOf(t, got), "cart is undefined", "what can be read is shown")
			}
		})
	}
}

// A picture that is no PNG, or claims a size that nobody has, is said and not shown.
func TestAPictureThatIsNone(t *testing.T) {
	turns := shopTurns(t)
	turns[0].Picture = []byte("\x89PNG\r\n\x1a\nnot really")
	got, _ := write(t, recordSession(t, turns[0]), Options{})
	require.NotContains(t, got, "data:image/")
	require.Contains(t, textOf(t, got), "The picture cannot be shown")
	require.Contains(t, got, `id="t1m1"`, "the boxes are")
}

func TestAPageWithNothing(t *testing.T) {
	got, _ := write(t, recordSession(t, &turn.Record{Capture: capture("about:blank", "")}), Options{})
	require.Contains(t, textOf(t, got), "The agent could address 0 elements and read 0 lines of text.")
}

func TestAnUnreadableFrameIsSaid(t *testing.T) {
	c := capture("https://a.example/", "A")
	c.Frames = append(c.Frames, snapshot.Frame{ID: "f", Parent: 0, URL: "https://b.example/", Why: "it was being loaded", Owner: 1})
	got, _ := write(t, recordSession(t, &turn.Record{Capture: c}), Options{})
	require.Contains(t, textOf(t, got), "A frame could not be read: it was being loaded.")
}

// What is longer than anybody reads is cut, and the report says by how much.
func TestWhatIsCutIsSaid(t *testing.T) {
	rec := shopTurns(t)[1]
	rec.Steps = []byte(`"` + strings.Repeat("x", dumpLimit+98) + `"`)
	rec.Capture.Console = []snapshot.ConsoleEntry{{Level: "log", Text: strings.Repeat("y", messageMax+1)}}
	before := capture(rec.Capture.URL, "Cart")
	for i := range changeMax + 20 {
		before.Nodes = append(before.Nodes, snapshot.Node{I: i + 2, Parent: 1, Tag: "a", UID: 1000 + i, Role: "link", Name: strings.Repeat("z", i+1),
			Verdict: snapshot.VerdictRef, Interactive: []string{"native"}})
	}
	got, _ := write(t, recordSession(t, &turn.Record{Capture: before}, rec), Options{})
	text := textOf(t, got)
	require.Contains(t, text, "100 further characters are not shown.")
	require.Contains(t, text, "y… (4,001 characters)")
	require.Regexp(t, `\d+ further lines are not shown\.`, text)
}

func TestParseTurns(t *testing.T) {
	for in, want := range map[string][]Range{
		"3": {{3, 3}}, "3-9": {{3, 9}}, "3-": {{3, 0}}, "1, 4-6": {{1, 1}, {4, 6}},
		"": nil, "0": nil, "-3": nil, "9-3": nil, "a": nil, "1,,2": nil, "3-x": nil, "1-0": nil,
	} {
		got, err := ParseTurns(in)
		require.Equal(t, want, got, in)
		require.Equal(t, want == nil, err != nil, in)
	}
}
