package text_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/app/apptest"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/text"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/turn"
)

// names are the formats of a head in their order, "|" where a line stands between them.
func names(v text.HeadVM) (out []string) {
	for _, f := range v.Formats {
		if f.Gap {
			out = append(out, "|")
		}
		out = append(out, string(f.Format))
	}
	return out
}

// TestFormatsUsedLastComeFirst chooses formats and reads the drop-down.
func TestFormatsUsedLastComeFirst(t *testing.T) {
	s := apptest.Blank()
	s.Formats = format.Names()
	all := names(text.HeadOf(s))
	require.Len(t, all, len(s.Formats))
	for _, f := range []dump.Format{format.Aria, format.Wraith, format.Aria, "none"} {
		s, _ = apptest.Step(s, core.FormatChosen{Format: f})
	}
	now := names(text.HeadOf(s))
	require.Equal(t, []string{"aria", "wraith", "|", "dddk", "semantic"}, now[:5])
	require.Len(t, now, len(all)+1, "each once, and the line")
	for _, f := range s.Formats {
		s, _ = apptest.Step(s, core.FormatChosen{Format: f})
	}
	last := s.Formats[len(s.Formats)-1]
	require.Equal(t, string(last), names(text.HeadOf(s))[0])
	require.Equal(t, "|", names(text.HeadOf(s))[core.MaxUsed])
}

// TestSentFormatHasADot shows a turn with what crossed the wire.
func TestSentFormatHasADot(t *testing.T) {
	for name, c := range map[string]struct {
		stored turn.Payload
		sent   dump.Format
	}{
		"a tool's answer": {turn.Payload{Dialect: "cdp-skill", Way: "answer", Wire: true}, format.Aria},
		"an agent's mode": {turn.Payload{Dialect: "agent-interact",
			Bytes: []byte(`{"a":{"domMode":"full"},"domMode":"semantic","screenshot":"`), Wire: true}, format.Semantic},
		"hybrid": {turn.Payload{Dialect: "agent-interact", Bytes: []byte(`{"domMode":"hybrid"}`), Wire: true},
			format.Skeleton},
		"an unknown mode": {turn.Payload{Dialect: "agent-interact", Bytes: []byte(`{"domMode":"../x"}`), Wire: true},
			""},
		"no request at all": {turn.Payload{Dialect: "agent-interact", Bytes: []byte(`[`), Wire: true}, ""},
		"never sent":        {turn.Payload{Dialect: "cdp-skill"}, ""},
		"a vendor's":        {turn.Payload{Dialect: "openai-chat", Wire: true}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s, effects := apptest.Step(apptest.Captured(t), core.CaptureAsked{})
			s.Formats = format.Names()
			later := apptest.Later(2)
			later.Payloads = []turn.Payload{c.stored}
			s, _ = apptest.Step(s, core.Captured{Task: effects[0].(core.Capture).Task, Turn: later})
			require.Same(t, later, s.Current)
			v := text.HeadOf(s)
			for _, f := range v.Formats {
				require.Equal(t, c.sent == f.Format, f.Sent, f.Format)
			}
			require.Equal(t, c.sent == v.Format, v.Sent)
		})
	}
}

// TestATurnWithoutAPageHasNoTextOfOne: our formats of nothing are no text that anybody was sent.
func TestATurnWithoutAPageHasNoTextOfOne(t *testing.T) {
	s := apptest.Captured(t)
	s.Formats, s.Format = format.Names(), format.DDDK
	bare := core.NewTurn(1, "request", &snapshot.Capture{URL: "https://vendor.example/v1"}, nil, nil)
	bare.Payloads = []turn.Payload{{Dialect: "openai-chat", Way: turn.Request, Bytes: []byte("{}"), Wire: true}}
	s.Current, s.Docs = bare, []core.Doc{{Format: format.DDDK, Doc: &dump.Document{Text: "URL: x"}, Chars: 6}}
	require.NotNil(t, s.Doc(format.DDDK))
	v := text.ViewOf(s)
	require.Nil(t, v.Doc)
	require.Contains(t, v.Empty, "in Messages (Q)")
	require.Empty(t, text.HeadOf(s).Costs)
	bare.Payloads = nil
	require.NotContains(t, text.ViewOf(s).Empty, "Messages")
}
