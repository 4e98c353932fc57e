package conversation

import (
	"cmp"
	"strings"

	"github.com/refscope/refscope/snapshot/doctor"
	"github.com/refscope/refscope/snapshot/observation"
	"github.com/refscope/refscope/snapshot/turn"
)

// agents are the programs whose own texts a format is, as people call them.
var agents = map[observation.Format]string{
	observation.DevTools: "chrome-devtools-mcp", observation.Stagehand: "Stagehand",
	observation.HyperAgent:   "HyperAgent",
	observation.AgentBrowser: "agent-browser", observation.BrowserUse: "browser-use",
	observation.AgentTARS:  "Agent TARS",
	observation.BrowserGym: "BrowserGym", observation.AgentE: "Agent-E", observation.Skyvern: "Skyvern",
	observation.Playwriter: "Playwriter",
}

// playwrightTool is what the tools of Playwright MCP begin with.
const playwrightTool = "browser_"

// agent is the program that made the text of a page in a request, "" where that is not known.
func agent(r *doctor.Report) string {
	if len(r.Texts) == 0 {
		return ""
	}
	t := r.Texts[len(r.Texts)-1]
	if t.Format != observation.Aria || t.Guessed {
		return agents[t.Format]
	}
	for _, aim := range r.Targets {
		if strings.Contains("__"+aim.Verb, "__"+playwrightTool) {
			return "Playwright MCP"
		}
	}
	return ""
}

// Title is a turn in a few words: who asked, and what the answer wants done, such as: Playwright MCP · click “Sign in”.
// Where the answer is not whole, it says why. Where the program is not known it is the model. It is "" for a turn
// without a request, and safe to show.
func Title(rec *turn.Record, r *doctor.Report) string {
	story := StoryOf(rec, r)
	if story == nil {
		return ""
	}
	did := story.Did
	if aims := Aims(r, rec.Capture); len(aims) > 0 {
		did = aims[0].words(false)
	}
	var parts []string
	for _, part := range []string{cmp.Or(agent(r), story.Model), did, broke(rec, story.Did)} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, " · ")
}
