package core

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot/dump"
)

// built is a small body with two sections.
func built(c PayloadChoice) *Built {
	body := []byte(`{"model":"m","messages":[{"content":"line one\nline two [redacted: card] ` + strings.Repeat("é", 200) + `"}]}`)
	at := bytes.Index(body, []byte("line one"))
	end := bytes.LastIndexByte(body, '"')
	mark := bytes.Index(body, []byte("[redacted"))
	return NewBuilt(Built{Choice: c, Body: body, SHA256: strings.Repeat("ab", 32), Sections: []Section{
		{Name: "model", Start: 10, End: 11, Chars: 1, Tokens: 1, How: "counted"}, {Name: "dump", Start: at, End: end, Chars: 240, Tokens: 60, How: "estimate"},
	}, Redacted: []Redaction{{mark, mark + len("[redacted: card]"), "card"}}})
}

func TestBodyTexts(t *testing.T) {
	b := built(PayloadChoice{Dialect: "openai-chat"})
	var whole strings.Builder
	for i, l := range b.Exact.Lines {
		text := b.Exact.Text[l.Start:l.End]
		require.True(t, utf8.ValidString(text))
		require.LessOrEqual(t, utf8.RuneCountInString(text), bodyColumns)
		whole.WriteString(text)
		if strings.Contains(text, "[redacted") {
			require.Equal(t, ToneWarn, b.ExactTones.Of(i))
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
	require.True(t, strings.HasSuffix(b.Pretty.Text[b.Pretty.Lines[4].Start:b.Pretty.Lines[4].End], `\n`) || strings.Contains(b.Pretty.Text, `line one\nline`))
	require.Nil(t, NewBuilt(Built{Body: []byte("data: {}\n\ndata: {}")}).Pretty, "a stream of events is not JSON")
}

func FuzzBodyLines(f *testing.F) {
	f.Add([]byte(`{"a":"b\\n\n\u202e"}`), 3, 7)
	f.Add([]byte("a\n\nb\xff\xfe"), 1, 2)
	f.Add([]byte(`[1,2,{"x":"`+strings.Repeat(`\n\\n`, 90)+`"}]`), 11, 100)
	f.Fuzz(func(t *testing.T, body []byte, start, end int) {
		b := NewBuilt(Built{Body: body, Sections: []Section{{Start: start, End: end}}, Redacted: []Redaction{{start, end, "x"}}})
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
	s, effects := step(captured(t), CommandChosen{CmdPayload})
	first := PayloadChoice{Dialect: "agent-interact"}
	require.Equal(t, []Effect{BuildPayload{s.Shown, first}}, effects)
	v := s.PayloadView()
	require.Equal(t, "Building the payload…", v.Body.Empty)
	require.True(t, v.CanMode)
	require.False(t, v.CanSave)

	s, _ = step(s, PayloadBuilt{N: 1, Choice: PayloadChoice{Dialect: "openai-chat"}, Built: built(PayloadChoice{})})
	require.Nil(t, s.Payload.Built, "an answer to another question is dropped")
	s, _ = step(s, PayloadBuilt{N: 1, Choice: first, Built: built(first)})
	v = s.PayloadView()
	require.Same(t, s.Payload.Built.Exact, v.Body.Doc)
	require.Equal(t, ToneGood, v.Mark[0].Tone)
	require.Len(t, v.Rows, 2)
	require.Equal(t, "61", strings.Fields(v.Facts[2].Text)[1])
	require.Equal(t, StatusItem{"1 redacted span: card", ToneWarn}, v.Facts[3])

	_, effects = step(s, CommandChosen{CmdPayload})
	require.Empty(t, effects, "what is there is not made again")

	pretty, _ := step(s, CommandChosen{CmdPretty})
	require.Equal(t, "PRETTY, not the exact bytes", pretty.PayloadView().Mark[0].Text)
	require.Same(t, s.Payload.Built.Pretty, pretty.PayloadView().Body.Doc)

	chosen, _ := step(s, SectionPicked{2})
	require.Equal(t, 2, chosen.PayloadView().Body.Selected)
	require.True(t, chosen.PayloadView().Rows[1].Selected)
	require.Equal(t, "tokens: estimate", chosen.PayloadView().Chosen[1].Text)

	_, effects = step(pretty, CommandChosen{CmdPayloadCopy})
	require.Equal(t, []Effect{CopyText{string(s.Payload.Built.Body)}}, effects, "the bytes, also while the pretty text is in view")
	_, effects = step(s, CommandChosen{CmdPayloadSave})
	require.Equal(t, "turn-0001-payload-agent-interact.json", effects[0].(AskPath).Name)
	_, effects = step(s, ExportPlaced{effects[0].(AskPath).Export, "/tmp/x.json"})
	require.Equal(t, s.Payload.Built.Body, effects[0].(WriteExport).Body)

	s, effects = step(s, CommandChosen{"payload.next"})
	require.Equal(t, []Effect{BuildPayload{s.Shown, PayloadChoice{Dialect: "openai-chat"}}}, effects)
	require.False(t, s.PayloadView().CanMode)
	s, effects = step(s, CommandChosen{"payload.next"})
	require.Equal(t, "agent-interact", effects[0].(BuildPayload).Choice.Dialect, "after the last comes the first")
	s, _ = step(s, PayloadBuilt{N: 1, Choice: first, Problem: &Problem{Sentence: "It has no picture."}})
	require.Equal(t, "It has no picture.", s.PayloadView().Body.Empty)
	require.False(t, s.PayloadView().CanSave)
}

func TestStoredPayloadsComeFirst(t *testing.T) {
	turn := turnOf(1)
	turn.Stored = []Stored{{Dialect: "openai-chat", Way: "request", Bytes: []byte("{}"), Wire: true}, {Dialect: "dd\u202edk", Way: "answer", Wire: true}, {Dialect: "dddk", Way: "request"}}
	s, _ := step(working(t), Navigated{Task: 3, Tab: Tab{ID: "A", URL: demoURL}, Action: "goto"})
	s, effects := step(s, Captured{Task: 4, Turn: turn}, CommandChosen{CmdPayload})
	require.Equal(t, []Effect{BuildPayload{turn, PayloadChoice{Stored: 1}}}, effects)
	var titles []string
	for _, c := range s.PayloadChoices() {
		titles = append(titles, s.PayloadTitle(c))
	}
	require.Equal(t, []string{"sent: openai-chat request", `received: dd\u202edk answer`, "stored: dddk request", "agent-interact", "openai-chat"}, titles)
	require.Equal(t, "Payload ● 3", s.SideText(SidePayload))
	require.Equal(t, StatusItem{"sent", ToneNormal}, s.Session.Turns[0].Flags(Remarks{}))
	require.False(t, s.PayloadView().CanModel)
	require.Equal(t, "turn-0001-payload-stored-1.json", FileName(1, s.savePayload()))

	s, effects = step(s, PayloadChosen{PayloadChoice{Stored: 9}})
	require.Empty(t, effects, "one that is not there gives way to the first")
	require.Equal(t, PayloadChoice{Stored: 1}, s.Payload.Choice)
}
