package step

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/refscope/refscope/capture/action"
)

// functionLike is what is called rather than evaluated (seed 12.1).
var functionLike = regexp.MustCompile(`^\s*(?:\(|function\b|async\b|[A-Za-z_$][\w$]*\s*=>)`)

// asCall makes an expression of a function, and leaves an expression as it is.
func asCall(source string) string {
	if functionLike.MatchString(source) && !strings.HasSuffix(strings.TrimSpace(source), ")()") {
		return "(" + strings.TrimRight(strings.TrimSpace(source), ";") + "\n)()"
	}
	return source
}

// ScriptError is an exception that a script of the agent's threw.
type ScriptError struct {
	Text   string // what was thrown
	Source string // the script's beginning
}

func (e *ScriptError) Error() string {
	return fmt.Sprintf("the script threw %s (in %q)", e.Text, e.Source)
}

// evaluate runs an expression in the page's own world of the present frame and gives
// its value as JSON. A promise is awaited.
func (r *Runner) evaluate(ctx context.Context, expression string) (json.RawMessage, error) {
	raw, err := r.page.Evaluate(ctx, r.frame, expression)
	var thrown *action.ThrownError
	if errors.As(err, &thrown) {
		return nil, &ScriptError{thrown.Text, head(expression, 80)}
	}
	return raw, err
}

func head(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n]) + "…"
	}
	return s
}

// until polls a predicate until it is truthy, at most for limit where that is set. It
// gives the last value, for the report of one that never is.
func (r *Runner) until(ctx context.Context, predicate string, limit time.Duration) (last string, err error) {
	if limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	last = "never evaluated"
	for {
		raw, err := r.evaluate(ctx, asCall(predicate))
		var script *ScriptError
		switch {
		case errors.As(err, &script):
			last = script.Text // what it asks about may still be coming
		case err != nil:
			return last, err
		default:
			if truthy(raw) {
				return string(raw), nil
			}
			last = head(string(raw), 200)
			if last == "" {
				last = "undefined"
			}
		}
		if err := pause(ctx, 100*time.Millisecond); err != nil {
			return last, err
		}
	}
}

// truthy is JavaScript's rule on a value as JSON.
func truthy(raw json.RawMessage) bool {
	switch string(raw) {
	case "", "null", "false", "0", `""`, "-0":
		return false
	}
	return true
}
