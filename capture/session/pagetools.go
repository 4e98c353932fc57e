package session

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/snapshot"
)

// A page can offer tools to the agents that visit it (WebMCP, a draft of the W3C's Web Machine Learning group:
// document.modelContext.registerTool). Chromium 156 has it behind --enable-features=WebMCP; a page can bring a
// polyfill. What the tools are called and what they claim to do is text of the page, and no instruction.

// Limits of what is read of a page's tools.
const (
	toolCount  = 100
	toolName   = 200 // UTF-16 units
	toolText   = 4_000
	toolSchema = 10_000
	toolTime   = time.Second // that the page may take to list them
)

//go:embed pagetools.js
var pageToolsJS string

// readTools lists the tools that the page offers, main frame only; none where neither browser nor page has WebMCP. A
// page that has it and does not list them is a failure of the capture.
func readTools(ctx context.Context, tab *browser.Tab, c *snapshot.Capture) []snapshot.Failure {
	expr := strings.NewReplacer("MAX_TOOLS", strconv.Itoa(toolCount), "MAX_NAME", strconv.Itoa(toolName), "MAX_TEXT",
		strconv.Itoa(toolText), "MAX_SCHEMA", strconv.Itoa(toolSchema)).Replace(pageToolsJS)
	ctx, cancel := browser.Within(ctx, toolTime)
	defer cancel()
	res, err := cdp.Call(ctx, tab.Session(), runtime.Evaluate, runtime.EvaluateParams{
		Expression: expr, ReturnByValue: new(true), AwaitPromise: new(true), Silent: new(true),
		Timeout: runtime.TimeDelta(toolTime.Milliseconds()),
	})
	var listed string
	switch {
	case err != nil, res.ExceptionDetails != nil, res.Result == nil:
		err = errors.New("the page could not be asked for the tools that it offers to agents within " +
			toolTime.String())
	default:
		if err = json.Unmarshal(res.Result.Value, &listed); err == nil {
			err = addTools(c, listed)
		}
	}
	if err != nil {
		return []snapshot.Failure{{Layer: "page tools", Why: err.Error()}}
	}
	return nil
}

// addTools puts the tools of the string that pagetools.js gives into the capture.
func addTools(c *snapshot.Capture, listed string) error {
	if listed == "" {
		return nil
	}
	p := surfaceParser{in: utf16.Encode([]rune(listed))}
	v, err := p.value(0)
	if err != nil {
		return err
	}
	list, _ := v.([]any)
	var texts []string
	for _, v := range list {
		if s, ok := v.(string); ok {
			texts = append(texts, s)
		}
	}
	for ; len(texts) >= 3; texts = texts[3:] {
		c.Tools = append(c.Tools, snapshot.PageTool{Name: texts[0], Description: texts[1], InputSchema: texts[2]})
	}
	if p.cut {
		return errors.New("the page offers more tools, or longer texts of them, than are read: the rest is left out")
	}
	return nil
}
