package timeline_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/timeline"
)

func TestTitle(t *testing.T) {
	tests := map[string]core.TurnRow{
		"click e12 · login.html": {Action: `ask openai gpt-4o: browser_click {"element":"it","target":"e12"}`,
			URL: "http://127.0.0.1:1/forms/login.html"},
		"snapshot · a.example":      {Action: `ask anthropic claude: browser_snapshot {}`, URL: "https://a.example/"},
		"I am done.":                {Action: "ask openai gpt-4o: I am done."},
		"answer":                    {Action: `ask openai gpt-4o: {"thought":"x"`},
		"goto · cart":               {Action: "goto", URL: "https://shop.example/cart"},
		"status 500 · shop.example": {Action: "ask openai gpt-4o: status 500", URL: "https://shop.example"},
		"click 5 then: more · cart": {Action: "click 5 then: more", URL: "https://shop.example/cart"},
		`capture · \u{202e}x`:       {Action: "capture", URL: "https://shop.example/%E2%80%AEx"},
	}
	for want, row := range tests {
		require.Equal(t, want, timeline.Title(row))
	}
}
