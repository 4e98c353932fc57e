package script

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"time"

	"github.com/refscope/refscope/capture/action"
	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/step/stepdef"
	"github.com/refscope/refscope/snapshot/text"
)

// functionLike matches sources that are called rather than evaluated (seed 12.1). What looks like one
// and is none, such as a sum in parentheses, is its own value.
var functionLike = regexp.MustCompile(`^\s*(?:\(|function\b|async\b|[A-Za-z_$][\w$]*\s*=>)`)

// scriptError is the error that an agent's script threw, or why it cannot be parsed.
type scriptError struct {
	Text   string // what was thrown
	Source string // the script's beginning
	Tip    string // what may be wrong with it, "" for nothing
	// Unread: the browser cannot read it; nothing of it ran.
	Unread bool
}

func (e *scriptError) Error() string {
	s := fmt.Sprintf("the script threw %s (in %q)", e.Text, e.Source)
	if e.Unread {
		s = fmt.Sprintf("the script cannot be read: %s (in %q)", e.Text, e.Source)
	}
	if e.Tip != "" {
		s += "; " + e.Tip
	}
	return s
}

// Subtype is the seed's name of the failure, "" for what a script threw.
func (e *scriptError) Subtype() string {
	if e.Unread {
		return "StepValidationError"
	}
	return ""
}

// compile reads a script of the agent's in the present frame.
func compile(ctx context.Context, e *stepdef.Env, s action.Script) (*action.Ready, error) {
	ready, err := e.Page.Compile(ctx, e.Frame(), s)
	if unread, ok := errors.AsType[*action.SyntaxError](err); ok {
		failed := &scriptError{
			Text:   fmt.Sprintf("%s, line %d, column %d", unread.Text, unread.Line, unread.Column),
			Source: text.Cut(s.Source, 81), Unread: true,
		}
		if why := unbalanced(s.Source); why != "" {
			failed.Tip = why + ": a shell may have taken quotes out; put the JSON in single quotes, or send it on " +
				"standard input"
		}
		return nil, failed
	}
	return ready, err
}

// run runs a script that was compiled. What it threw is a [*scriptError].
func run(ctx context.Context, e *stepdef.Env, s *action.Ready, source string) (*action.Value, error) {
	v, err := e.Page.Run(ctx, e.Frame(), s)
	if thrown, ok := errors.AsType[*action.ThrownError](err); ok {
		return nil, &scriptError{Text: thrown.Text, Source: text.Cut(source, 81)}
	}
	return v, err
}

// polled is how a poll went.
type polled struct {
	// Value is the truthy value, or the last one; nil where there was none.
	Value    *action.Value
	Resolved bool
	Elapsed  time.Duration
	// Thrown is the error of the last evaluation, "" for none.
	Thrown string
}

// until calls a predicate every interval until its value is truthy, the limit is over
// (0 for none) or the context ends, which is no error. What throws, or is asked of a
// document that disappears, may still become true. A script that does not return is an
// error: it would keep the page busy for ever.
func until(ctx context.Context, e *stepdef.Env, predicate string, interval, limit time.Duration, plain bool) (*polled,
	error) {
	began := time.Now()
	in, cancel := ctx, context.CancelFunc(func() {})
	if limit > 0 {
		in, cancel = context.WithTimeout(ctx, limit)
	}
	defer cancel()
	out := &polled{}
	defer func() { out.Elapsed = time.Since(began) }()
	s, err := compile(in, e, action.Script{Source: predicate, Function: functionLike.MatchString(predicate),
		Await: true,
		Plain: plain})
	if err != nil {
		return out, err
	}
	for {
		v, err := run(in, e, s, predicate)
		var thrown *scriptError
		var endless *action.EndlessError
		switch {
		case err == nil:
			out.Value, out.Thrown = v, ""
			if v.Truthy {
				out.Resolved = true
				return out, nil
			}
		case errors.As(err, &thrown):
			out.Thrown = thrown.Text
		case errors.As(err, &endless) && endless.Stopped:
			return out, err
		case in.Err() != nil:
			return out, nil
		case !errors.Is(err, browser.ErrNavigated):
			return out, err
		}
		if browser.Pause(in, interval) != nil {
			return out, nil
		}
	}
}

// lastSeen describes in a few words the last value of a predicate.
func lastSeen(ctx context.Context, e *stepdef.Env, p *polled) string {
	switch {
	case p.Thrown != "":
		return "it threw " + text.Cut(e.Secrets.CleanText(ctx, p.Thrown), 201)
	case p.Value == nil:
		return "never evaluated"
	}
	raw, err := tell(ctx, e, nil, p.Value)
	if err != nil {
		return "withheld: " + err.Error()
	}
	var typed struct {
		Type  string
		Value any
	}
	if json.Unmarshal(raw, &typed) == nil && typed.Type != "" && typed.Value == nil {
		return typed.Type // undefined
	}
	return text.Cut(string(raw), 201)
}
