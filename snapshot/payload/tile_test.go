package payload

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/redact/redacttest"
	"github.com/refscope/refscope/snapshot/testpages"
)

// tiles requires that each byte belongs to a section or to structure, that sections are
// whole JSON values, and that the body is strict UTF-8 and JSON.
func tiles(t testing.TB, p *Payload) {
	t.Helper()
	require.True(t, json.Valid(p.Body), p.Dialect)
	require.True(t, utf8.Valid(p.Body), p.Dialect)
	at := 0
	for _, s := range p.Parts() {
		require.Equal(t, at, s.Start, "%s: %s begins where the last part ended", p.Dialect, s.Name)
		require.Greater(t, s.End, s.Start)
		require.Equal(t, s.End-s.Start, s.Bytes)
		at = s.End
		if s.Name == Structure {
			require.Equal(t, utf8.RuneCount(p.Value(s)), s.Chars)
			continue
		}
		require.True(t, json.Valid(p.Value(s)), "%s %s", p.Dialect, s.Name)
	}
	require.Equal(t, len(p.Body), at)
	end := 0
	for _, s := range p.Redacted {
		require.GreaterOrEqual(t, s.Start, end)
		require.Greater(t, s.End, s.Start)
		end = s.End
	}
	require.LessOrEqual(t, end, len(p.Body))
}

// structure is what of a body is no section.
func structure(p *Payload) string {
	var b strings.Builder
	for _, s := range p.Parts() {
		if s.Name == Structure {
			b.Write(p.Value(s))
			b.WriteByte('|')
		}
	}
	return b.String()
}

// TestStructureHoldsNothingOfThePage: another page, task, history and model change the
// sections alone.
func TestStructureHoldsNothingOfThePage(t *testing.T) {
	for _, dialect := range Dialects() {
		p := build(t, dialect, func(*Input) {})
		tiles(t, p)
		other := build(t, dialect, func(in *Input) {
			c := in.Capture
			c.URL, c.Title, c.Nodes[1].Name, c.Nodes[2].Name, c.Nodes[3].Value = "https://other.example/", "T", "Ω", "]}", "1"
			c.Viewport.Width, c.Scroll.Y = 800, 300
			in.Query, in.System, in.Model, in.Legend = "q", "s", "m", "l"
			in.History[0].Content, in.History[1].Content = "{", "}"
			in.Agent.TaskID, in.Agent.LastError.Message, in.Agent.Changes.Added = "t", "m", 7
			in.Answer.Before.URL = c.URL // the same page
			in.Answer.Tab, in.Answer.Screenshot, in.Answer.Steps = "t9", "p", json.RawMessage(`[1]`)
		})
		tiles(t, other)
		require.Equal(t, structure(p), structure(other), dialect)
		require.NotEqual(t, p.SHA256, other.SHA256)
	}
}

// TestDecodedSectionsAreTheInputs: an independent JSON reader finds at the known place of
// the body what went in, and the section decodes to the same.
func TestDecodedSectionsAreTheInputs(t *testing.T) {
	in := testInput(t)
	in.System = "host\u202e"
	d, err := format.Render(in.Capture, format.DDDK, format.Options{})
	require.NoError(t, err)
	w, err := format.Render(in.Capture, format.Wraith, format.Options{})
	require.NoError(t, err)
	system := in.System + "\n\n" + format.Legend(format.DDDK, format.Options{})
	type want struct{ section, path, text string }
	for dialect, wants := range map[string][]want{
		"agent-interact": {{"url", "url", in.Capture.URL}, {"query", "query", in.Query}, {"taskId", "taskId", "t1"},
			{"pageTitle", "pageTitle", in.Capture.Title}},
		"dddk": {{"system", "0/content", system}, {"history", "1/content", "Hello"},
			{"query", "3/content", in.Query}, {"environment", "4/content", d.Text}},
		"wraith":    {{"dump", "content/0/text", w.Text}},
		"cdp-skill": {{"tab", "tab", "t1"}, {"siteProfile", "siteProfile", in.Answer.SiteProfile}},
		"domtool":   {},
		"openai-chat": {{"system", "messages/0/content", system}, {"query", "messages/3/content/0/text", in.Query},
			{"dump", "messages/3/content/1/text", d.Text}, {"legend", "messages/3/content/2/text", in.Legend}},
		"openai-responses": {{"system", "instructions", system}, {"query", "input/2/content/0/text", in.Query},
			{"dump", "input/2/content/1/text", d.Text}},
		"anthropic": {{"system", "system", system}, {"legend", "messages/2/content/1/text", in.Legend},
			{"dump", "messages/2/content/2/text", d.Text}, {"query", "messages/2/content/3/text", in.Query}},
		"gemini": {{"system", "systemInstruction/parts/0/text", system}, {"dump", "contents/2/parts/2/text", d.Text}},
		"qwen":   {{"model", "model", in.Model}, {"dump", "messages/3/content/2/text", d.Text}},
	} {
		p, err := Build(dialect, in)
		require.NoError(t, err)
		var doc any
		require.NoError(t, json.Unmarshal(p.Body, &doc))
		for _, want := range wants {
			at := doc
			for step := range strings.SplitSeq(want.path, "/") {
				switch v := at.(type) {
				case map[string]any:
					at = v[step]
				case []any:
					at = v[step[0]-'0']
				}
			}
			require.Equal(t, want.text, at, "%s %s", dialect, want.path)
			found := false
			for _, s := range p.Sections {
				text, err := p.Text(s)
				require.NoError(t, err)
				found = found || s.Name == want.section && text == want.text
			}
			require.True(t, found, "%s %s", dialect, want.section)
		}
		if dialect == "domtool" {
			d, err := format.Render(in.Capture, format.DomTool, format.Options{})
			require.NoError(t, err)
			require.Equal(t, d.Text, string(p.Body))
		}
	}
}

// TestRedactedSpans: a payload lists what is withheld in it, and a picture with filled
// boxes.
func TestRedactedSpans(t *testing.T) {
	for _, dialect := range Dialects() {
		require.Empty(t, build(t, dialect, func(*Input) {}).Redacted)
		p := build(t, dialect, func(in *Input) {
			n := &in.Capture.Nodes[3]
			n.Value, n.Redacted, n.InViewport = "[redacted: password]", []string{"value"}, true
			in.Capture.URL = "https://shop.example/?token=[redacted]"
		})
		tiles(t, p)
		whys := map[string]int{}
		for _, s := range p.Redacted {
			whys[s.Why]++
			if b := string(p.Body[s.Start:s.End]); strings.HasPrefix(b, "[") {
				require.Contains(t, []string{"[redacted: password]", "[redacted]"}, b)
			}
		}
		require.Positive(t, whys["password"], dialect)
		require.Positive(t, whys["withheld"], dialect)
		require.Equal(t, vendor(dialect), whys["the picture is filled flat where it shows 1 withheld"] == 1, dialect)
	}
}

// TestRealPages builds every dialect of recorded pages twice: the same bytes, whole, and
// fit for the door to the disk.
func TestRealPages(t *testing.T) {
	again := testpages.Captures(t)
	for name, c := range testpages.Captures(t) {
		t.Run(name, func(t *testing.T) {
			for _, dialect := range Dialects() {
				in := testInput(t)
				in.Mode = "full"
				for _, compat := range []bool{false, true} {
					in.Capture, in.Compat = c, compat
					p, err := Build(dialect, in)
					require.NoError(t, err)
					tiles(t, p)
					in.Capture = again[name]
					q, err := Build(dialect, in)
					require.NoError(t, err)
					require.Equal(t, p.SHA256, q.SHA256, dialect)
					require.True(t, Diff(p, q).Same)
					if dialect == "agent-interact" || dialect == "dddk" {
						got, spans := redact.Body(p.Body, redact.Standard())
						require.True(t, json.Valid(got), dialect)
						redacttest.Outside(t, p.Body, got, spans)
					}
				}
			}
		})
	}
}
