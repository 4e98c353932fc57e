package conversation_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot/conversation"
)

func TestInline(t *testing.T) {
	type S = conversation.Stretch
	for line, want := range map[string][]S{
		"plain":                     {{Text: "plain"}},
		"## Prefer **refs** now":    {{Text: "Prefer "}, {Text: "refs", Bold: true}, {Text: " now"}},
		"call `a**b` or *one*.":     {{Text: "call "}, {Text: "a**b", Code: true}, {Text: " or "}, {Text: "one", Italic: true}, {Text: "."}},
		"__all__ of it":             {{Text: "all", Bold: true}, {Text: " of it"}},
		"x.__init__y and 2*3*4":     {{Text: "x.__init__y and 2*3*4"}},
		"open ** and ` stay":        {{Text: "open ** and ` stay"}},
		"a * b * c":                 {{Text: "a * b * c"}},
		"sn**owm**an":               {{Text: "sn"}, {Text: "owm", Bold: true}, {Text: "an"}},
		"> quoted \u202e**forged**": {{Text: "quoted \\u{202e}"}, {Text: "forged", Bold: true}},
		"":                          nil,
	} {
		require.Equal(t, want, conversation.Inline(line), line)
	}
	require.Equal(t, "Prefer refs now", conversation.Plain("# Prefer **refs** `now`"))
}

func TestThought(t *testing.T) {
	for answer, want := range map[string]string{
		"Thought: A banner is in the way.\nAction: click(start_box='(8,6)')":    "A banner is in the way.",
		"**Thought:** It is\nthere.\n\n**Action:** click\n**Action Input:** {}": "It is\nthere.",
		"thought: nothing else":                 "nothing else",
		"I click the button.\nAction: click(4)": "I click the button.\nAction: click(4)",
		"No thought: at all":                    "No thought: at all",
		"":                                      "",
		"Thought:":                              "",
		"Observation: x\nThought: Ä\nactions: [1]":                                                                  "Ä",
		"<thought>It is\nthere.</thought>\n<action-type>Tap</action-type><action-param-json>{}</action-param-json>": "It is\nthere.",
		"<action-type>Tap</action-type><action-param-json>{}</action-param-json>":                                   "",
		"<thought>nothing to do</thought>":                                                                          "<thought>nothing to do</thought>",
	} {
		require.Equal(t, want, conversation.Thought(answer), answer)
	}
}
