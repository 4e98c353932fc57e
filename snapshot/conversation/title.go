package conversation

import (
	"strings"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/doctor"
	"github.com/refscope/refscope/snapshot/observation"
)

// agents are the programs whose own texts a format is, as people call them.
var agents = map[observation.Format]string{
	observation.DevTools: "chrome-devtools-mcp", observation.Stagehand: "Stagehand",
	observation.BrowserUse: "browser-use", observation.BrowserGym: "BrowserGym", observation.AgentE: "Agent-E",
	observation.Skyvern: "Skyvern",
}

// playwrightTool is what the tools of Playwright MCP begin with.
const playwrightTool = "browser_"

// Agent is the program that made the text of a page in a request, "" where that is not known.
func Agent(r *doctor.Report) string {
	if len(r.Texts) == 0 {
		return ""
	}
	t := r.Texts[len(r.Texts)-1]
	if t.Format != observation.Aria || t.Guessed {
		return agents[t.Format]
	}
	for _, aim := range r.Targets {
		if strings.HasPrefix(aim.Verb, playwrightTool) {
			return "Playwright MCP"
		}
	}
	return ""
}

// Title is a request in a few words: who asked, and what the answer wants done to which element, such as: Playwright MCP
// · click “Sign in”. It is "" where neither is known, and safe to show.
func Title(r *doctor.Report, c *snapshot.Capture) string {
	var parts []string
	if who := Agent(r); who != "" {
		parts = append(parts, who)
	}
	if aims := Aims(r, c); len(aims) > 0 {
		parts = append(parts, aims[0].words(false))
	}
	return strings.Join(parts, " · ")
}
