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
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/tokens"
)

var update = flag.Bool("update", false, "rewrite testdata/*.txtar")

// testCapture is a page with a heading, a link with hostile text and a field.
func testCapture() *snapshot.Capture {
	box := func(y float64) snapshot.Box { return snapshot.Box{10, y, 100, 20} }
	return &snapshot.Capture{
		URL: "https://shop.example/?q=a&b=<c>", Title: "Shop \u202e\"x\"",
		TakenAt:  time.Unix(1_700_000_000, 0),
		Viewport: snapshot.Viewport{Width: 1280, Height: 720, Scale: 1},
		Scroll:   snapshot.Scroll{Y: 150, MaxY: 600},
		Console: []snapshot.ConsoleEntry{
			{Age: 5_000, Level: "error", Text: "before the step"}, {Age: 900, Level: "log", Text: "said"},
			{Age: 800, Level: "error", Text: "failed \u202e", URL: "https://shop.example/a.js", Line: 3},
			{Age: 700, Level: "error", Text: "failed \u202e", URL: "https://shop.example/a.js", Line: 3},
		},
		Frames: []snapshot.Frame{{Parent: -1, Owner: -1, Readable: true}},
		Nodes: []snapshot.Node{
			{I: 0, Parent: -1, Tag: "body", Verdict: snapshot.VerdictWrapper, Box: snapshot.Box{0, 0, 1280, 720},
				InViewport: true},
			{I: 1, Parent: 0, Tag: "h1", Role: "heading", Name: "Shop", Ref: 1, Verdict: snapshot.VerdictRef, Box: box(10),
				InViewport: true},
			{I: 2, Parent: 0, Tag: "a", Role: "link", Name: "Buy\n[9]<b> \u2028", Attrs: map[string]string{"href": "/buy"},
				Ref:         2,
				Interactive: []string{"native"}, Verdict: snapshot.VerdictRef, Box: box(40), InViewport: true},
			{I: 3, Parent: 0, Tag: "input", Role: "textbox", Name: "Find", Value: "über", Ref: 3,
				States: snapshot.States{"focused": true}, Path: "html > input",
				Interactive: []string{"native"}, Verdict: snapshot.VerdictRef, Box: box(70), InViewport: true},
		},
	}
}

// testBefore is the page without the field, and without the line in the console.
func testBefore() *snapshot.Capture {
	c := testCapture()
	c.Nodes = c.Nodes[:3]
	c.TakenAt = c.TakenAt.Add(-2 * time.Second)
	return c
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
		Answer: Answer{
			Tab: "t1", SiteProfile: "# shop.example\n", Screenshot: "/tmp/t1.after.png", FullSnapshot: "/tmp/t1.after.yaml",
			Before: testBefore(), Action: "Clicked", Failed: true,
			Steps:  json.RawMessage(`[{"action": "click", "status": "error", "error": "\u202e no <b>"}]`),
			Errors: json.RawMessage(`[{"step":1,"action":"click","error":"no"}]`),
		},
		Agent: AgentState{
			TaskID: "t1", SessionID: "s1", LastStatus: "failure",
			LastError:  &ActionError{Message: "no such element", Code: "NOT_FOUND", Action: "click(7)", ElementID: 7},
			LastResult: &ActionResult{Success: false, ActualState: "unchanged"},
			Changes: &DOMChanges{Added: 2, Removed: 1, Dropdown: true, DropdownOptions: []string{"A", "B"}, Stabilization: 301.4,
				PreviousURL: "https://shop.example/", URLChanged: &yes, Network: &no},
			Observed: &Observations{Network: &yes, Mutated: &yes, URLChanged: &no},
			Verified: &Verification{Message: `URL unchanged. Error: 'Invalid "email"'`, Errors: []string{`Invalid "email"`}},
			TreeHash: strings.Repeat("0", 32), Unchanged: true,
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
		if d == "cdp-skill" || d == "wraith" || d == "domtool" {
			variants = append(variants, "compat")
		}
		if d == "agent-interact" {
			variants = append(variants, "compat", "skeleton", "skeleton compat", "hybrid", "hybrid no-image", "full",
				"full compat")
		}
		for _, variant := range variants {
			in := testInput(t)
			cases[variant](&in)
			p, err := Build(d, in)
			require.NoError(t, err)
			body := string(p.Body)
			// what Go's encoder makes is not ours to fix
			if i := strings.Index(body, `"screenshot":"`); i >= 0 && d == "agent-interact" {
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

			seen := map[string]int{}
			for _, s := range p.Sections {
				seen[s.Name]++
				text, err := p.Text(s)
				require.NoError(t, err)
				require.Equal(t, s.End-s.Start, s.Bytes)
				if s.Name == "image" {
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
					require.Equal(t, []int{2, 2}, []int{s.Width, s.Height})
					continue
				}
				require.Equal(t, utf8.RuneCountInString(text), s.Chars)
				require.Equal(t, (s.Chars+3)/4, s.Tokens)
				require.Equal(t, HowEstimated, s.TokensHow)
			}
			if dialect != "domtool" { // whose line feeds are JSON's white space
				for _, r := range string(p.Body) {
					require.False(t, r == '\u2028' || r == '\u202e' || r == '\n')
				}
			}
			if vendor(dialect) {
				require.Equal(t, map[string]int{"model": min(1, strings.Count(string(p.Body), in.Model)), "system": 1, "history": 2,
					"query": 1, "dump": 1, "legend": 1, "image": 1}, withModel(seen))
				in.NoImage = true
				p, err := Build(dialect, in)
				require.NoError(t, err)
				require.NotContains(t, string(p.Body), "base64")
				require.NotContains(t, string(p.Body), "1 heading Shop", "no legend without its picture")
			}
		})
	}
}

// vendor reports whether the dialect is the body of a vendor's endpoint.
func vendor(dialect string) bool {
	switch dialect {
	case "openai-chat", "openai-responses", "anthropic", "gemini", "qwen":
		return true
	}
	return false
}

// withModel counts the model also where it is 0: Gemini has it in the URL.
func withModel(seen map[string]int) map[string]int {
	seen["model"] += 0
	return seen
}

// order is the order of the named sections in a body.
func order(p *Payload) string {
	var s []string
	for _, x := range p.Sections {
		if x.Name != "history" && x.Name != "model" {
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
		"dddk":             "system query environment",
		"agent-interact": "url query taskId sessionId lastActionStatus lastActionError lastActionResult domChanges " +
			"clientObservations " +
			"verification_message errors_detected recent_events domMode viewport treeHash interactiveTree pageTitle " +
			"scroll_position",
		"domtool":   "context body meta",
		"wraith":    "dump",
		"cdp-skill": "tab siteProfile fullSnapshot screenshot context changes console steps errors viewportSnapshot",
	} {
		p, err := Build(dialect, testInput(t))
		require.NoError(t, err)
		require.Equal(t, want, order(p), dialect)
	}
}

// TestImageRule: a model's row says the order, the detail, the tokens and the size.
func TestImageRule(t *testing.T) {
	in := testInput(t)
	in.ImageRule = ImageRule{Model: "row", First: true, Detail: "low", Tokens: 85, How: "estimate: base tokens", Width: 2,
		Height: 2}
	p, err := Build("openai-chat", in)
	require.NoError(t, err)
	require.Equal(t, "system image legend dump query", order(p))
	require.Contains(t, string(p.Body), `"detail":"low"`)
	for _, s := range p.Sections {
		if s.Name == "image" {
			require.Equal(t, 85, s.Tokens)
			require.Equal(t, "estimate: base tokens", s.TokensHow)
		}
	}
	in.Detail = "high"
	p, err = Build("openai-responses", in)
	require.NoError(t, err)
	require.Contains(t, string(p.Body), `"detail":"high"`, "what was asked for goes before the row")

	in.ImageRule.First, in.Detail = false, ""
	for detail, want := range map[string]string{
		"low":        `"generationConfig":{"mediaResolution":"MEDIA_RESOLUTION_LOW"}`,
		"medium":     `"generationConfig":{"mediaResolution":"MEDIA_RESOLUTION_MEDIUM"}`,
		"high":       `"generationConfig":{"mediaResolution":"MEDIA_RESOLUTION_HIGH"}`,
		"ultra_high": `"},"mediaResolution":{"level":"MEDIA_RESOLUTION_ULTRA_HIGH"}`,
	} {
		in.ImageRule.Detail = detail
		p, err = Build("gemini", in)
		require.NoError(t, err)
		require.Equal(t, "system query dump legend image", order(p))
		require.Equal(t, 1, strings.Count(string(p.Body), "ediaResolution"))
		require.Contains(t, string(p.Body), want)
	}
	in.ImageRule.Detail = "auto"
	p, err = Build("gemini", in)
	require.NoError(t, err)
	require.NotContains(t, string(p.Body), "ediaResolution")

	in.ImageRule.Width = 3
	_, err = Build("qwen", in)
	require.ErrorContains(t, err, "picture of turn 3 is 2x2 image px, and row looks at 3x2: make the picture that size")
	in.Mode, in.Compat = "hybrid", true
	_, err = Build("agent-interact", in)
	require.NoError(t, err, "the original sends the clean picture, which the row says nothing about")
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
		"dialect": {"x", func(*Input) {},
			`payload dialect "x" is not there; there are: agent-interact, dddk, domtool, wraith, cdp-skill, openai-chat, ` +
				`openai-responses, anthropic, gemini, qwen`},
		"format": {"wraith", func(in *Input) { in.Dump = format.Aria },
			`payload wraith: dump format "aria" cannot be chosen: the dialect has its own`},
		"status": {"agent-interact", func(in *Input) { in.Agent.LastStatus = "ok" },
			`payload agent-interact: last action status "ok" is none of success, failure, pending`},
		"detail": {"openai-chat", func(in *Input) { in.Detail = "medium" },
			`payload openai-chat: image detail "medium" is none of low, high, original, auto`},
		"role": {"anthropic", func(in *Input) { in.History = []Message{{"system", "x"}} },
			`payload anthropic: history: role "system" is none of user, assistant`},
		"tool": {"gemini", func(in *Input) { in.History = []Message{{"tool", "x"}} },
			`payload gemini: history: role "tool" is none of user, assistant`},
		"steps": {"cdp-skill", func(in *Input) { in.Answer.Steps = json.RawMessage("[") },
			`payload cdp-skill: steps: unexpected end of JSON input`},
		"capture": {"dddk", func(in *Input) { in.Capture = nil }, "payload dddk: turn 3 has no capture"},
		"dump": {"anthropic", func(in *Input) { in.Dump = "x" },
			`payload anthropic: dump format "x" is not known; there are: `},
		"picture": {"agent-interact", func(in *Input) { in.Mode, in.Picture, in.Marked = "hybrid", nil, nil },
			`payload agent-interact: mode hybrid needs a picture and turn 3 has none: take it with one, or leave the picture ` +
				`out on purpose`},
		"webp": {"agent-interact", func(in *Input) {
			in.Mode, in.Marked, in.MarkedType = "hybrid", []byte("RIFFxxxxWEBPxxxx"), "image/webp"
		}, `payload agent-interact: picture of turn 3 is not image/webp: take the turn again (`},
		"torn": {"agent-interact", func(in *Input) { in.Mode, in.Marked = "hybrid", []byte("\x89PNG\r\n\x1a\n") },
			`payload agent-interact: picture of turn 3 is not image/png: take the turn again (`},
		"mode": {"agent-interact", func(in *Input) { in.Mode = "x" },
			`payload agent-interact: mode "x" is none of semantic, skeleton, hybrid, full`},
		"type": {"gemini", func(in *Input) { in.MarkedType = "image/gif" },
			`payload gemini: picture of turn 3: media type "image/gif" is none of image/png, image/jpeg, image/webp`},
		"bytes": {"gemini", func(in *Input) { in.MarkedType = "image/jpeg" },
			`payload gemini: picture of turn 3 is not image/jpeg: take the turn again`},
		"clean": {"gemini", func(in *Input) { in.Marked, in.Picture = nil, []byte("GIF89a") },
			`payload gemini: picture of turn 3 is not image/png: take the turn again`},
		"prompt": {"dddk", func(in *Input) { in.MaxPromptTokens = 3_001 },
			"payload dddk: max prompt tokens 3001: the system prompt, the task and the dump's header alone need "},
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
		n := snapshot.Node{I: 4 + i, Parent: 0, Tag: "p", Text: "A paragraph of text", Verdict: snapshot.VerdictContent,
			Ref: 4 + i}
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
	require.Regexp(t, `^dump: \d+ of \d+ UTF-16 units left$`, p.Trimmed[1])
	require.Contains(t, string(p.Body), "[...truncated: ")
	units := 0
	for _, s := range p.Sections {
		text, err := p.Text(s)
		require.NoError(t, err)
		units += tokens.Measure(text).UTF16
	}
	require.LessOrEqual(t, float64(units), 1_000*3.5)
	require.Greater(t, float64(units), 1_000*3.5-100, "and no more than that goes")
}

func TestModel(t *testing.T) {
	in := testInput(t)
	in.Model = ""
	p, err := Build("openai-chat", in)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(string(p.Body), `{"model":"MODEL",`))
}

// FuzzBuild: whatever a page, a task, a model's name, a profile or a step says, in every
// dialect and profile the body is JSON and strict UTF-8, its parts tile it, it hides
// nothing, and it is the same twice.
func FuzzBuild(f *testing.F) {
	for _, s := range []string{"", "x", "\"\\", "\u2028\u202e", "\xff", "😀", "a\x00b", "]}\",\"x\":1",
		"[redacted: card] [redacted", "data:image/png;base64,AAAA", "\U000e0041\ufeff"} {
		f.Add(s, s, false)
		f.Add(s, "task", true)
	}
	f.Fuzz(func(t *testing.T, text, query string, compat bool) {
		in := testInput(t)
		in.Query, in.Legend, in.Model, in.System, in.Compat, in.HTML = query, text, text, text, compat, query
		c := in.Capture
		c.URL, c.Title, c.Nodes[1].Text, c.Nodes[2].Name, c.Nodes[3].Value, c.Nodes[3].Path, c.Console[2].Text = text, text,
			text, text, text, text, text
		c.Nodes[2].Attrs = map[string]string{"href": text, "title": query}
		in.History[0].Content = text
		in.Agent.TaskID, in.Agent.LastError.Message, in.Agent.Changes.DropdownOptions = text, text, []string{text}
		steps, err := json.Marshal([]string{text})
		require.NoError(t, err)
		in.Answer.SiteProfile, in.Answer.Screenshot, in.Answer.Steps = text, text, steps
		for _, d := range Dialects() {
			for _, mode := range []string{"semantic", "skeleton", "hybrid", "full"} {
				if in.Mode = mode; d != "agent-interact" && mode != "semantic" {
					continue
				}
				p, err := Build(d, in)
				require.NoError(t, err)
				tiles(t, p)
				for _, hidden := range "\u202e\u2028\u0000\ufeff\U000e0041" {
					require.NotContains(t, string(p.Body), string(hidden), d)
				}
				again, err := Build(d, in)
				require.NoError(t, err)
				require.Equal(t, p.SHA256, again.SHA256)
			}
		}
	})
}

// TestAnswerNamesWhatWasDone: the words of a summary that is made again are of the steps that were done, as in the
// answer that was given.
func TestAnswerNamesWhatWasDone(t *testing.T) {
	for raw, want := range map[string]string{
		`{"steps":[{"action":"fill","status":"ok"},{"action":"click","status":"ok"}]}`:          "Filled, clicked",
		`{"steps":[{"action":"fill","status":"ok"},{"action":"upload","status":"error"}]}`:      "Filled",
		`{"steps":[{"action":"upload","status":"error"},{"action":"fill","status":"skipped"}]}`: "",
		`{"steps":[{"action":"click"}]}`: "Clicked",
	} {
		a, err := AnswerOf(json.RawMessage(raw))
		require.NoError(t, err)
		require.Equal(t, want, a.Action, raw)
	}
}

// FuzzAnswerOf: an answer that was stored makes an answer again, or is an error.
func FuzzAnswerOf(f *testing.F) {
	for _, s := range []string{"", "{}",
		`{"status":"error","tab":"t1","steps":[{"action":"click"},{"action":"fill"}],"errors":[1]}`, `{"steps":[1]}`,
		`{"steps":[{"action":"\u202e"}],"actionRequired":{}}`, `{"errors":{"a":"\ud800"}}`, `{"steps":[null]}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		a, err := AnswerOf(raw)
		if err != nil {
			return
		}
		in := testInput(t)
		in.Answer = a
		p, err := Build("cdp-skill", in)
		require.NoError(t, err)
		tiles(t, p)
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

// What a dialect takes changes its body, and what it does not take changes nothing: a door can refuse it.
func TestADialectTakesWhatChangesItsBody(t *testing.T) {
	changes := map[string]func(*Input){
		"model":  func(in *Input) { in.Model = "another" },
		"query":  func(in *Input) { in.Query = "another" },
		"system": func(in *Input) { in.System = "another" },
		"mode":   func(in *Input) { in.Mode = "full" },
		"dump":   func(in *Input) { in.Dump = format.Wraith },
		"detail": func(in *Input) { in.Detail = "low" }, "max-prompt-tokens": func(in *Input) { in.MaxPromptTokens = 3010 },
		"max-tokens": func(in *Input) { in.MaxTokens = 77 },
		"no-image":   func(in *Input) { in.NoImage = true },
		"compat":     func(in *Input) { in.Compat = true },
		"before":     func(in *Input) { in.Answer.Before = nil }, "tab": func(in *Input) { in.Answer.Tab = "t99" },
		"screenshot":    func(in *Input) { in.Answer.Screenshot = "another.png" },
		"full-snapshot": func(in *Input) { in.Answer.FullSnapshot = "another.yaml" },
	}
	for _, name := range Dialects() {
		for input, change := range changes {
			t.Run(name+" "+input, func(t *testing.T) {
				in := testInput(t)
				if name == "agent-interact" && input == "no-image" {
					in.Mode = "hybrid" // the mode with a picture
				}
				was, err := Build(name, in)
				require.NoError(t, err)
				change(&in)
				now, err := Build(name, in)
				if err != nil {
					return // refused
				}
				changed := !bytes.Equal(was.Body, now.Body)
				taken := slices.Contains(Takes(name), input)
				if name == "gemini" && input == "model" {
					require.True(t, taken, "it is in the address")
					return
				}
				require.Equal(t, taken, changed, "%v", err)
			})
		}
	}
}
