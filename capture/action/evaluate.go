package action

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/chromedp/cdproto/runtime"
)

// ThrownError is an exception in a script that was run in the page's own world.
type ThrownError struct{ Text string }

func (e *ThrownError) Error() string { return "the script threw " + e.Text }

// Evaluate runs an expression in the page's own world of a frame ("" for the main one)
// and gives its value as JSON, nothing for undefined. A promise is awaited. The context
// ends the wait and, as far as the browser can, the script.
func (p *Page) Evaluate(ctx context.Context, frame, expression string) (json.RawMessage, error) {
	realm, err := p.enter(ctx, frame)
	if err != nil {
		return nil, err
	}
	params := map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true, "userGesture": true}
	if id := realm.PageWorld(); id != "" {
		params["uniqueContextId"] = id
	}
	var res struct {
		Result struct {
			Type        string          `json:"type"`
			Value       json.RawMessage `json:"value"`
			Number      string          `json:"unserializableValue"`
			Description string          `json:"description"`
		} `json:"result"`
		ExceptionDetails *runtime.ExceptionDetails `json:"exceptionDetails"`
	}
	if err := realm.Session().Call(ctx, runtime.Evaluate.Method, params, &res); err != nil {
		if ctx.Err() != nil {
			// It may never come back; the page must go on.
			_ = realm.Session().Post(context.WithoutCancel(ctx), runtime.TerminateExecution.Method, struct{}{})
		}
		return nil, fmt.Errorf("running the script: %w", err)
	}
	if d := res.ExceptionDetails; d != nil {
		text := d.Text
		if d.Exception != nil {
			text = d.Exception.Description
			if text == "" {
				text = string(d.Exception.Value)
			}
		}
		text, _, _ = strings.Cut(text, "\n    at ")
		return nil, &ThrownError{text}
	}
	if res.Result.Number != "" {
		return json.Marshal(res.Result.Number)
	}
	return res.Result.Value, nil
}
