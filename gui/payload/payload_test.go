package payload_test

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/app/apptest"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/core/coretest"
	"github.com/refscope/refscope/gui/export"
	"github.com/refscope/refscope/gui/payload"
	"github.com/refscope/refscope/gui/sentrequest"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/doctor"
	"github.com/refscope/refscope/snapshot/dump"
	build "github.com/refscope/refscope/snapshot/payload"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/turn"
)

// built is a small body with two sections.
func built(c core.PayloadChoice) *core.Built {
	body := []byte(`{"model":"m","messages":[{"content":"line one\nline two [redacted: card] ` + strings.Repeat("é",
		200) + `"}]}`)
	at := bytes.Index(body, []byte("line one"))
	end := bytes.LastIndexByte(body, '"')
	mark := bytes.Index(body, []byte("[redacted"))
	return core.NewBuilt(core.Built{Choice: c, Body: body, SHA256: strings.Repeat("ab", 32), Sections: []build.Section{
		{Name: "model", Start: 10, End: 11, Chars: 1, Tokens: 1, TokensHow: "counted"}, {Name: "dump", Start: at, End: end,
			Chars: 240, Tokens: 60, TokensHow: "estimate"},
	}, Redacted: []redact.Span{{Start: mark, End: mark + len("[redacted: card]"), Why: "card"}}})
}

func TestBodyTexts(t *testing.T) {
	b := built(core.PayloadChoice{Dialect: "openai-chat"})
	var whole strings.Builder
	for i, l := range b.Exact.Lines {
		text := b.Exact.Text[l.Start:l.End]
		require.True(t, utf8.ValidString(text))
		require.LessOrEqual(t, utf8.RuneCountInString(text), core.BodyColumns)
		whole.WriteString(text)
		if strings.Contains(text, "[redacted") {
			require.Equal(t, core.ToneWarn, b.ExactTones.Of(i))
		}
	}
	require.Equal(t, string(b.Body), whole.String(), "nothing is added and nothing left out")
	require.Equal(t, 1, b.ExactTones.Len())
	var dumped strings.Builder
	for _, l := range b.Exact.Lines {
		if l.Ref == 2 {
			dumped.WriteString(b.Exact.Text[l.Start:l.End])
		}
	}
	require.Equal(t, string(b.Body[b.Sections[1].Start:b.Sections[1].End]), dumped.String())

	require.NotNil(t, b.Pretty)
	refs := map[int]bool{}
	for _, l := range b.Pretty.Lines {
		refs[l.Ref] = true
	}
	require.Equal(t, map[int]bool{0: true, 1: true, 2: true}, refs)
	require.True(t, strings.HasSuffix(b.Pretty.Text[b.Pretty.Lines[4].Start:b.Pretty.Lines[4].End], `\n`) ||
		strings.Contains(b.Pretty.Text, `line one\nline`))
	require.Nil(t, core.NewBuilt(core.Built{Body: []byte("data: {}\n\ndata: {}")}).Pretty,
		"a stream of events is not JSON")
}

func FuzzBodyLines(f *testing.F) {
	f.Add([]byte(`{"a":"b\\n\n\u202e"}`), 3, 7)
	f.Add([]byte("a\n\nb\xff\xfe"), 1, 2)
	f.Add([]byte(`[1,2,{"x":"`+strings.Repeat(`\n\\n`, 90)+`"}]`), 11, 100)
	f.Fuzz(func(t *testing.T, body []byte, start, end int) {
		b := core.NewBuilt(core.Built{Body: body, Sections: []build.Section{{Start: start, End: end}},
			Redacted: []redact.Span{{Start: start, End: end, Why: "x"}}})
		for _, d := range []*dump.Document{b.Exact, b.Pretty} {
			if d == nil {
				continue
			}
			at := 0
			for _, l := range d.Lines {
				gap := d.Text[at:l.Start]
				require.True(t, l.Start >= at && l.End >= l.Start && l.End <= len(d.Text))
				require.Empty(t, strings.Trim(gap, "\n"), "only line feeds stand between lines")
				require.NotContains(t, d.Text[l.Start:l.End], "\n")
				at = l.End
			}
			require.Empty(t, strings.Trim(d.Text[at:], "\n"))
		}
		require.Equal(t, string(body), b.Exact.Text)
	})
}

func TestPayloadPane(t *testing.T) {
	s, effects := apptest.Step(apptest.Captured(t), core.CommandChosen{ID: payload.CmdPayload})
	first := core.PayloadChoice{Dialect: "agent-interact"}
	require.Equal(t, []core.Effect{payload.Build{Turn: s.Current, Choice: first}}, effects)
	v := payload.ViewOf(s)
	require.Equal(t, "Building the payload…", v.Body.Empty)
	require.True(t, v.CanMode)
	require.False(t, v.CanSave)

	s, _ = apptest.Step(s, payload.Ready{
		Asked: payload.Build{Turn: s.Current, Choice: core.PayloadChoice{Dialect: "openai-chat"}},
		Built: built(core.PayloadChoice{})})
	require.Nil(t, payload.Of(s).Built, "an answer to another question is dropped")
	s, _ = apptest.Step(s, payload.Ready{Asked: payload.Build{Turn: s.Current, Choice: first}, Built: built(first)})
	v = payload.ViewOf(s)
	require.Same(t, payload.Of(s).Built.Exact, v.Body.Doc)
	require.Equal(t, core.ToneGood, v.Mark[0].Tone)
	require.Len(t, v.Rows, 2)
	require.Equal(t, "61", strings.Fields(v.Facts[2].Text)[1])
	require.Equal(t, core.StatusItem{Text: "1 redacted span: card", Tone: core.ToneWarn}, v.Facts[3])

	_, effects = apptest.Step(s, core.CommandChosen{ID: payload.CmdPayload})
	require.Empty(t, effects, "what is there is not made again")

	pretty, _ := apptest.Step(s, core.CommandChosen{ID: payload.CmdPretty})
	require.Equal(t, "Formatted, not the exact bytes", payload.ViewOf(pretty).Mark[0].Text)
	require.Same(t, payload.Of(s).Built.Pretty, payload.ViewOf(pretty).Body.Doc)

	chosen, _ := apptest.Step(s, payload.SectionPicked(2))
	require.Equal(t, 2, payload.ViewOf(chosen).Body.Selected)
	require.True(t, payload.ViewOf(chosen).Rows[1].Selected)
	require.Equal(t, "tokens: estimate", payload.ViewOf(chosen).Chosen[1].Text)

	_, effects = apptest.Step(pretty, core.CommandChosen{ID: payload.CmdPayloadCopy})
	require.Equal(t, []core.Effect{core.CopyText{Text: string(payload.Of(s).Built.Body)}}, effects,
		"the bytes, also while the pretty text is in view")
	_, effects = apptest.Step(s, core.CommandChosen{ID: payload.CmdPayloadSave})
	require.Equal(t, "turn-0001-payload-agent-interact.json", effects[0].(export.AskPath).Name)
	_, effects = apptest.Step(s, export.Placed{Export: effects[0].(export.AskPath).Export, Path: "/tmp/x.json"})
	require.Equal(t, payload.Of(s).Built.Body, effects[0].(export.WriteExport).Body)

	s, effects = apptest.Step(s, core.CommandChosen{ID: "payload.next"})
	require.Equal(t, []core.Effect{payload.Build{Turn: s.Current, Choice: core.PayloadChoice{Dialect: "openai-chat"}}},
		effects)
	require.False(t, payload.ViewOf(s).CanMode)
	s, effects = apptest.Step(s, core.CommandChosen{ID: "payload.next"})
	require.Equal(t, "agent-interact", effects[0].(payload.Build).Choice.Dialect, "after the last comes the first")
	s, _ = apptest.Step(s, payload.Ready{Asked: payload.Build{Turn: s.Current, Choice: first},
		Problem: &core.Problem{Sentence: "It has no picture."}})
	require.Equal(t, "It has no picture.", payload.ViewOf(s).Body.Empty)
	require.False(t, payload.ViewOf(s).CanSave)
}

// TestNoPayloadOfNoPage: of a turn without a page no payload is made, as none is by the command line.
func TestNoPayloadOfNoPage(t *testing.T) {
	s := apptest.Captured(t)
	none := apptest.TurnOf(1)
	none.Capture = &snapshot.Capture{}
	s.Current = none
	s, effects := apptest.Step(s, core.CommandChosen{ID: payload.CmdPayload})
	require.Empty(t, effects)
	require.Equal(t, "No page belongs to this turn, so there is no payload of one.", payload.ViewOf(s).Body.Empty)
	require.False(t, payload.CanSave(s))
}

func TestStoredPayloadsComeFirst(t *testing.T) {
	shown := apptest.TurnOf(1)
	shown.Payloads = []turn.Payload{{Dialect: "openai-chat", Way: "request", Bytes: []byte("{}"), Wire: true},
		{Dialect: "dd\u202edk", Way: "answer", Wire: true}, {Dialect: "dddk", Way: "request"}}
	s, _ := apptest.Step(apptest.Working(t), core.Navigated{Task: 3, Tab: core.Tab{ID: "A", URL: apptest.DemoURL},
		Action: "goto"})
	s, effects := apptest.Step(s, core.Captured{Task: 4, Turn: shown}, core.CommandChosen{ID: payload.CmdPayload})
	require.Equal(t, []core.Effect{payload.Build{Turn: shown, Choice: core.PayloadChoice{Stored: 1}}}, effects)
	var titles []string
	for _, c := range payload.Choices(s) {
		titles = append(titles, payload.Title(s, c))
	}
	require.Equal(t, []string{"sent: openai-chat request", `received: dd\u{202e}dk answer`, "stored: dddk request",
		"agent-interact", "openai-chat"}, titles)
	require.Equal(t, "Payload 3", coretest.SideText(s, payload.Side))
	require.Equal(t, core.StatusItem{Text: "sent", Tone: core.ToneNormal}, s.Session.Turns[0].Flags(core.Remarks{}))
	require.False(t, payload.ViewOf(s).CanModel)
	require.Equal(t, "turn-0001-payload-stored-1.json", export.FileName(1, export.SavePayload(s)))

	s, effects = apptest.Step(s, payload.Chosen(core.PayloadChoice{Stored: 9}))
	require.Empty(t, effects, "one that is not there gives way to the first")
	require.Equal(t, core.PayloadChoice{Stored: 1}, payload.Of(s).Choice)
}

// TestFiguresAreFinal: until the request is counted there is no figure of tokens; the vendor's count goes before ours.
func TestFiguresAreFinal(t *testing.T) {
	shown := apptest.TurnOf(1)
	shown.Payloads = []turn.Payload{{Dialect: "openai-chat", Way: turn.Request, Bytes: []byte("{}"), Wire: true}}
	s, _ := apptest.Step(apptest.Working(t), core.Navigated{Task: 3, Tab: core.Tab{ID: "A", URL: apptest.DemoURL},
		Action: "goto"})
	s, _ = apptest.Step(s, core.Captured{Task: 4, Turn: shown}, core.CommandChosen{ID: payload.CmdPayload})
	choice := core.PayloadChoice{Stored: 1}
	facts := func() string {
		var words []string
		for _, f := range payload.ViewOf(s).Facts {
			words = append(words, f.Text)
		}
		return strings.Join(words, " · ")
	}
	body := func(r *doctor.Report, tokens int) payload.Ready {
		return payload.Ready{Asked: payload.Build{Turn: shown, Choice: choice, Request: r},
			Built: core.NewBuilt(core.Built{Choice: choice, Body: []byte("{}"),
				Sections: []build.Section{{Name: "body", End: 2, Tokens: tokens}}})}
	}
	*core.Edit[sentrequest.Model](&s) = sentrequest.Model{Turn: shown, Stored: 1, Asked: true}
	s, _ = apptest.Step(s, body(nil, 230_449))
	require.Contains(t, facts(), "counting tokens…")
	require.NotContains(t, facts(), "230,449")
	require.Empty(t, payload.ViewOf(s).Rows[0].Tokens)

	r := &doctor.Report{Tokens: 11_808, Paired: true}
	*core.Edit[sentrequest.Model](&s) = sentrequest.Model{Turn: shown, Stored: 1, Report: r}
	core.Edit[payload.Model](&s).Request = r
	require.Empty(t, payload.ViewOf(s).Rows[0].Tokens, "the parts are of the old count")
	s, _ = apptest.Step(s, body(r, 11_808))
	require.Contains(t, facts(), "about 11,808 tokens")
	require.Equal(t, "11,808", payload.ViewOf(s).Rows[0].Tokens)

	r.Counted = 12_001
	require.Contains(t, facts(), "12,001 tokens as the vendor counted")
	require.NotContains(t, facts(), "11,808")
}
