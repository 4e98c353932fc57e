package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/refscope/refscope/cmd/dev/setup"
)

// serverFigures are what mcp.mjs prints of a server.
type serverFigures struct {
	Reached    int `json:"reached"`    // of nine tasks
	Tools      int `json:"tools"`      // characters of tools/list
	Characters int `json:"characters"` // of the answers in the tasks
	Tasks      []struct {
		Title      string `json:"title"`
		Characters int    `json:"characters"`
	} `json:"tasks"`
	MS map[string]int `json:"ms"` // medians by kind of call
}

// agentModules is the folder with the agents' node_modules that a task needs, of which packages are named.
func agentModules(task, packages string) (string, error) {
	if folder := os.Getenv("AGENTS"); folder != "" {
		return folder, nil
	}
	return "", setup.Usagef("%s needs $AGENTS, a folder where npm install %s was done", task, packages)
}

// benchMCP runs our MCP server and two others over the same pages and tasks, one after the other, rounds times, and
// prints a table. Times of a busy machine are compared within a run only: each is beside the faster of the two.
func benchMCP(ctx context.Context, d *setup.Dev, rounds int) error {
	modules, err := agentModules("bench: -mcp", "@playwright/mcp chrome-devtools-mcp @modelcontextprotocol/sdk")
	if err != nil {
		return err
	}
	chrome, err := setup.ProbeChrome(ctx, d)
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "refscope-mcp-")
	if err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	defer func() { _ = os.RemoveAll(folder) }() // a stray temporary folder does no harm
	program, err := d.BuildCtl(ctx, folder)
	if err != nil {
		return err
	}
	site, err := serveOn(ctx, http.FileServerFS(os.DirFS(filepath.Join(d.Root, "assets", "demo"))))
	if err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	defer site.close()
	env := []string{"AGENTS=" + modules, "SITE=http://" + site.address + "/", "CHROME=" + chrome,
		"REFSCOPECTL=" + program,
		"REFSCOPE_HOME=" + filepath.Join(folder, "home")}
	defer func() {
		_, _ = d.Output(context.WithoutCancel(ctx), nil, env, program, "browser", "close") // one that is gone is closed
	}()
	names := []string{"ours", "playwright", "devtools"}
	for round := range rounds {
		all := map[string]*serverFigures{}
		for _, name := range names {
			d.Status("%s, round %d of %d", name, round+1, rounds)
			out, err := d.Output(ctx, nil, env, "node", filepath.Join(d.Root, "cmd", "dev", "agents", "mcp.mjs"), name)
			if err != nil {
				return errors.Join(fmt.Errorf("bench: %s: %w", name, err), errors.New(out))
			}
			lines := strings.Split(strings.TrimSpace(out), "\n")
			all[name] = &serverFigures{}
			if err := json.Unmarshal([]byte(lines[len(lines)-1]), all[name]); err != nil {
				return fmt.Errorf("bench: %s: %w: %s", name, err, out)
			}
		}
		d.Say("%s", mcpTable(all["ours"], all["playwright"], all["devtools"]))
	}
	return nil
}

// mcpTable is the table of one round, in Markdown.
func mcpTable(ours, playwright, devtools *serverFigures) string {
	var b strings.Builder
	b.WriteString("| | Refscope | Playwright MCP | chrome-devtools-mcp | of the better |\n|---|---|---|---|---|\n")
	line := func(name string, a, p, c int) {
		ratio := "–"
		if best := min(p, c); best > 0 && a > 0 {
			ratio = fmt.Sprintf("%.2f", float64(a)/float64(best))
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %s |\n", name, a, p, c, ratio)
	}
	for _, kind := range []string{"navigate", "snapshot", "screenshot", "click", "fill", "select", "back"} {
		line(kind+", ms", ours.MS[kind], playwright.MS[kind], devtools.MS[kind])
	}
	for k, task := range ours.Tasks {
		if k < len(playwright.Tasks) && k < len(devtools.Tasks) {
			line("task "+task.Title+", characters", task.Characters, playwright.Tasks[k].Characters,
				devtools.Tasks[k].Characters)
		}
	}
	line("answers in nine tasks, characters", ours.Characters, playwright.Characters, devtools.Characters)
	line("tools/list, characters", ours.Tools, playwright.Tools, devtools.Tools)
	fmt.Fprintf(&b, "| tasks reached | %d | %d | %d | |", ours.Reached, playwright.Reached, devtools.Reached)
	return b.String()
}
