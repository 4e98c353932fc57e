package payload

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"flag"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
)

var update = flag.Bool("update", false, "rewrite testdata/*.txtar")

// testCapture is a page with a heading, a link with hostile text and a field.
func testCapture() *snapshot.Capture {
	box := func(y float64) snapshot.Box { return snapshot.Box{10, y, 100, 20} }
	return &snapshot.Capture{
		URL: "https://shop.example/?q=a&b=<c>", Title: "Shop \u202e\"x\"",
		Viewport: snapshot.Viewport{Width: 1280, Height: 720, Scale: 1},
		Frames:   []snapshot.Frame{{Parent: -1, Owner: -1, Readable: true}},
		Nodes: []snapshot.Node{
			{I: 0, Parent: -1, Tag: "body", Verdict: snapshot.VerdictWrapper, Box: snapshot.Box{0, 0, 1280, 720}, InViewport: true},
			{I: 1, Parent: 0, Tag: "h1", Role: "heading", Name: "Shop", Ref: 1, Verdict: snapshot.VerdictRef, Box: box(10), InViewport: true},
			{I: 2, Parent: 0, Tag: "a", Role: "link", Name: "Buy\n[9]<b> \u2028", Attrs: map[string]string{"href": "/buy"}, Ref: 2,
				Interactive: []string{"native"}, Verdict: snapshot.VerdictRef, Box: box(40), InViewport: true},
			{I: 3, Parent: 0, Tag: "input", Role: "textbox", Name: "Find", Value: "über", Ref: 3,
				Interactive: []string{"native"}, Verdict: snapshot.VerdictRef, Box: box(70), InViewport: true},
		},
	}
}

func testPNG(t testing.TB) []byte {
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, image.NewGray(image.Rect(0, 0, 2, 2))))
	return b.Bytes()
}

func testInput(t testing.TB) Input {
	yes, no := true, false
	return Input{
		Turn: 3, Capture: testCapture(), Picture: testPNG(t), Marked: testPNG(t), Legend: "1 heading Shop",
		Query: "Buy <one>", Model: "some-model",
		History: []Message{{"user", "Hello"}, {"assistant", "click(2)"}},
		Agent: AgentState{
			TaskID: "t1", SessionID: "s1", LastStatus: "failure",
			LastError:  &ActionError{Message: "no such element", Code: "NOT_FOUND", Action: "click(7)", ElementID: 7},
			LastResult: &ActionResult{Success: false, ActualState: "unchanged"},
			Changes: &DOMChanges{Added: 2, Removed: 1, Dropdown: true, DropdownOptions: []string{"A", "B"}, Stabilization: 301.4,
				PreviousURL: "https://shop.example/", URLChanged: &yes, Network: &no},
			Observed: &Observations{Network: &yes, Mutated: &yes, URLChanged: &no},
		},
	}
}

func TestGolden(t *testing.T) {
	file := filepath.Join("testdata", "dialects.txtar")
	cases := map[string]func(*Input){
		"":       func(*Input) {},
		"bare":   func(in *Input) { *in = Input{Capture: in.Capture} },
		"compat": func(in *Input) { in.Compat, in.HTML = true, "<html>"+strings.Repeat("ü", 6_000) },

		"skeleton":        func(in *Input) { in.Mode = "skeleton" },
		"skeleton compat": func(in *Input) { in.Mode, in.Compat = "skeleton", true },
		"hybrid":          func(in *Input) { in.Mode = "hybrid" },
		"hybrid no-image": func(in *Input) { in.Mode, in.NoImage = "hybrid", true },
		"full":            func(in *Input) { in.Mode = "full" },
		"full compat":     func(in *Input) { in.Mode, in.Compat = "full", true },
	}
	var got txtar.Archive
	got.Comment = []byte("One body per dialect; \"bare\" has a capture and nothing else.\n")
	for _, d := range Dialects() {
		variants := []string{"", "bare"}
		if d == "agent-interact" {
			variants = append(variants, "compat", "skeleton", "skeleton compat", "hybrid", "hybrid no-image", "full", "full compat")
		}
		for _, variant := range variants {
			in := testInput(t)
			cases[variant](&in)
			p, err := Build(d, in)
			require.NoError(t, err)
			body := string(p.Body)
			if i := strings.Index(body, `"screenshot":"`); i >= 0 { // what Go's encoder makes is not ours to fix
				i += len(`"screenshot":"`)
				body = body[:i] + "<base64 JPEG>" + body[i+strings.Index(body[i:], `"`):]
			}
			if variant == "compat" {
				body = strings.ReplaceAll(body, strings.Repeat("ü", 100), "<100ü>")
			}
			got.Files = append(got.Files, txtar.File{Name: strings.TrimSpace(d + " " + variant), Data: []byte(body + "\n")})
		}
	}
	if *update {
		require.NoError(t, os.WriteFile(file, txtar.Format(&got), 0o644))
		return
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), string(txtar.Format(&got)), "go test -update rewrites it")
}

func TestEveryDialectHoldsTogether(t *testing.T) {
	for _, dialect := range Dialects() {
		t.Run(dialect, func(t *testing.T) {
			in := testInput(t)
			p, err := Build(dialect, in)
			require.NoError(t, err)
			again, err := Build(dialect, in)
			require.NoError(t, err)
			require.Equal(t, p, again)
			require.True(t, json.Valid(p.Body))
			sum := sha256.Sum256(p.Body)
			require.Equal(t, hex.EncodeToString(sum[:]), p.SHA256)

			d, err := dump.Render(in.Capture, dump.DDDK, dump.Options{})
			require.NoError(t, err)
			end, seen := 0, map[string]int{}
			for _, s := range p.Sections {
				require.GreaterOrEqual(t, s.Start, end, "in order, apart")
				require.Greater(t, s.End, s.Start)
				end = s.End
				seen[s.Name]++
				value := p.Body[s.Start:s.End]
				var text string
				if s.Name == "interactiveTree" {
					require.Equal(t, dump.InteractiveTree(in.Capture, dump.Options{}), value)
					require.Equal(t, utf8.RuneCount(value), s.Chars)
					continue
				}
				require.NoError(t, json.Unmarshal(value, &text), "a section is a JSON value: %s", s.Name)
				switch s.Name {
				case "dump":
					require.Equal(t, d.Text, text, "the model reads the dump exactly")
				case "query":
					require.Equal(t, in.Query, text)
				case "image":
					require.Equal(t, HowImage, s.TokensHow)
					require.Zero(t, s.Tokens)
					_, b64, ok := strings.Cut(text, ";base64,")
					if !ok {
						b64 = text
					}
					img, err := base64.StdEncoding.DecodeString(b64)
					require.NoError(t, err)
					require.Equal(t, in.Marked, img)
					require.Equal(t, len(b64), s.Chars)
					continue
				}
				require.Equal(t, utf8.RuneCountInString(text), s.Chars)
				require.Equal(t, (s.Chars+3)/4, s.Tokens)
				require.Equal(t, HowEstimated, s.TokensHow)
			}
			require.LessOrEqual(t, end, len(p.Body))
			require.Equal(t, 1, seen["query"])
			for _, r := range string(p.Body) {
				require.False(t, r == '\u2028' || r == '\u202e' || r == '\n')
			}
			if dialect != "agent-interact" && dialect != "dddk" {
				require.Equal(t, map[string]int{"system": 1, "history": 2, "query": 1, "dump": 1, "legend": 1, "image": 1}, seen)
				in.NoImage = true
				p, err := Build(dialect, in)
				require.NoError(t, err)
				require.NotContains(t, string(p.Body), "base64")
				require.NotContains(t, string(p.Body), "1 heading Shop", "no legend without its picture")
			}
		})
	}
}

// order is the order of the named sections in a body.
func order(p *Payload) string {
	var s []string
	for _, x := range p.Sections {
		if x.Name != "history" {
			s = append(s, x.Name)
		}
	}
	return strings.Join(s, " ")
}

func TestVendorsOrder(t *testing.T) {
	for dialect, want := range map[string]string{
		"openai-chat":      "system query dump legend image",
		"openai-responses": "system query dump legend image",
		"anthropic":        "system image legend dump query",
		"gemini":           "system image legend dump query",
		"qwen":             "system image legend dump query",
		"dddk":             "system query dump",
		"agent-interact":   "query interactiveTree",
	} {
		p, err := Build(dialect, testInput(t))
		require.NoError(t, err)
		require.Equal(t, want, order(p), dialect)
	}
}

func TestSemanticOmitsDOM(t *testing.T) {
	in := testInput(t)
	in.HTML = "<html>"
	p, err := Build("agent-interact", in)
	require.NoError(t, err)
	var m map[string]any
	require.NoError(t, json.Unmarshal(p.Body, &m))
	require.NotContains(t, m, "dom")
	require.Equal(t, in.Capture.Title, m["pageTitle"])

	in.Compat, in.HTML = true, "x"+strings.Repeat("ü", 6_000)
	p, err = Build("agent-interact", in)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(p.Body, &m))
	require.Equal(t, "x"+strings.Repeat("ü", 5_119), m["dom"], "10 KB, whole characters")
}

func TestErrors(t *testing.T) {
	for name, c := range map[string]struct {
		dialect string
		change  func(*Input)
		want    string
	}{
		"dialect": {"domtool", func(*Input) {}, `payload dialect "domtool" is not there; there are: agent-interact, dddk, openai-chat, openai-responses, anthropic, gemini, qwen`},
		"capture": {"dddk", func(in *Input) { in.Capture = nil }, "payload dddk: turn 3 has no capture"},
		"dump":    {"anthropic", func(in *Input) { in.Dump = "x" }, `payload anthropic: dump format "x" is not known; there are: `},
		"picture": {"agent-interact", func(in *Input) { in.Mode, in.Picture, in.Marked = "hybrid", nil, nil }, `payload agent-interact: mode hybrid needs a picture and turn 3 has none: take it with one, or leave the picture out on purpose`},
		"webp": {"agent-interact", func(in *Input) {
			in.Mode, in.Marked, in.MarkedType = "hybrid", []byte("RIFFxxxxWEBPxxxx"), "image/webp"
		}, `payload agent-interact: picture of turn 3: image/webp: this dialect takes PNG and JPEG only`},
		"torn":   {"agent-interact", func(in *Input) { in.Mode, in.Marked = "hybrid", []byte("\x89PNG\r\n\x1a\n") }, `payload agent-interact: picture of turn 3: image/png: `},
		"mode":   {"agent-interact", func(in *Input) { in.Mode = "x" }, `payload agent-interact: mode "x" is none of semantic, skeleton, hybrid, full`},
		"type":   {"gemini", func(in *Input) { in.MarkedType = "image/gif" }, `payload gemini: picture of turn 3: media type "image/gif" is none of image/png, image/jpeg, image/webp`},
		"bytes":  {"gemini", func(in *Input) { in.MarkedType = "image/jpeg" }, `payload gemini: picture of turn 3 is not image/jpeg: take the turn again`},
		"clean":  {"gemini", func(in *Input) { in.Marked, in.Picture = nil, []byte("GIF89a") }, `payload gemini: picture of turn 3 is not image/png: take the turn again`},
		"prompt": {"dddk", func(in *Input) { in.MaxPromptTokens = 3_001 }, "payload dddk: max prompt tokens 3001: the system prompt and the task alone need "},
	} {
		t.Run(name, func(t *testing.T) {
			in := testInput(t)
			c.change(&in)
			_, err := Build(c.dialect, in)
			require.ErrorContains(t, err, c.want)
		})
	}
}

func TestMaxPromptTokens(t *testing.T) {
	in := testInput(t)
	for i := range 400 {
		n := snapshot.Node{I: 4 + i, Parent: 0, Tag: "p", Text: "A paragraph of text", Verdict: snapshot.VerdictContent, Ref: 4 + i}
		in.Capture.Nodes = append(in.Capture.Nodes, n)
	}
	in.History = []Message{{"user", strings.Repeat("x", 4_000)}, {"assistant", strings.Repeat("y", 4_000)}, {"user", "z"}}
	whole, err := Build("dddk", in)
	require.NoError(t, err)
	require.Empty(t, whole.Trimmed)

	in.MaxPromptTokens = 8_000
	p, err := Build("dddk", in)
	require.NoError(t, err)
	require.Equal(t, []string{"history: the oldest 1 of 3 messages"}, p.Trimmed)

	in.MaxPromptTokens = 4_000
	p, err = Build("dddk", in)
	require.NoError(t, err)
	require.Len(t, p.Trimmed, 2)
	require.Equal(t, "history: the oldest 3 of 3 messages", p.Trimmed[0])
	require.Regexp(t, `^dump: \d+ of \d+ characters left$`, p.Trimmed[1])
	require.Contains(t, string(p.Body), "[...truncated: ")
	chars := 0
	for _, s := range p.Sections {
		chars += s.Chars
	}
	require.LessOrEqual(t, float64(chars), 1_000*3.5)
}

func TestModel(t *testing.T) {
	in := testInput(t)
	in.Model = ""
	p, err := Build("openai-chat", in)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(string(p.Body), `{"model":"MODEL",`))
}

func FuzzBuild(f *testing.F) {
	for _, s := range []string{"", "x", "\"\\", "\u2028\u202e", "\xff", "😀", "a\x00b"} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, text, query string) {
		in := testInput(t)
		in.Query, in.Legend, in.Model = query, text, text
		in.Capture.Title, in.Capture.Nodes[2].Name = text, text
		in.Agent.LastError.Message = text
		for _, d := range Dialects() {
			p, err := Build(d, in)
			require.NoError(t, err)
			require.True(t, json.Valid(p.Body), d)
			for _, s := range p.Sections {
				require.True(t, json.Valid(p.Body[s.Start:s.End]), "%s %s", d, s.Name)
			}
		}
	})
}

func BenchmarkBuild(b *testing.B) {
	in := testInput(b)
	in.Marked = append(in.Marked, make([]byte, 400_000)...)
	for _, d := range Dialects() {
		b.Run(d, func(b *testing.B) {
			for b.Loop() {
				if _, err := Build(d, in); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
