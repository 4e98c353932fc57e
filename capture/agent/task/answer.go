package task

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/refscope/refscope/capture/agent/sentinel"
)

// maxAnswer is how large an answer may be, in bytes.
const maxAnswer = 1 << 20

// The statuses of an answer, by the first of their spellings.
const (
	statusGoesOn    = "in_progress"
	statusCompleted = "completed"
	statusFailed    = "failed"
	statusContext   = "needs_context"
	statusFullDOM   = "needs_full_dom"
)

// statuses are the spellings that are understood.
var statuses = map[string]string{
	"": statusGoesOn, "in_progress": statusGoesOn, "continue": statusGoesOn,
	"completed": statusCompleted, "complete": statusCompleted, "done": statusCompleted, "finished": statusCompleted,
	"failed":        statusFailed,
	"needs_context": statusContext, "needs_full_dom": statusFullDOM,
}

// agentAnswer is the answer of an endpoint.
type agentAnswer struct {
	Thought, Status, TaskID string
	Action                  *Action // nil for none
	Expect                  *sentinel.Expectation
	// Mode is the domMode that it asks for; NeedsSkeleton, NeedsScreenshot likewise.
	Mode                           string
	NeedsSkeleton, NeedsScreenshot bool
	Reason, Element                string // needsFullDomReason, requestedElement
}

// badAnswer is an answer that cannot be followed. It is reported back.
type badAnswer struct {
	// Code is INVALID_ANSWER, INVALID_ACTION, INVALID_EXPECTATION or NO_ACTION.
	Code string
	// Action is the action as it was sent, where it is the action that is wrong.
	Action string
	Err    error
}

func (f *badAnswer) Error() string { return f.Err.Error() }

func (f *badAnswer) Unwrap() error { return f.Err }

// parseAnswer reads an answer. Its error is a [*badAnswer]; the answer then has what could be
// read.
func parseAnswer(data []byte) (*agentAnswer, error) {
	a := &agentAnswer{}
	bad := func(err error) (*agentAnswer, error) { return a, &badAnswer{Code: "INVALID_ANSWER", Err: err} }
	if len(data) > maxAnswer {
		return bad(fmt.Errorf("the answer has %d bytes: at most %d are allowed", len(data), maxAnswer))
	}
	if !utf8.Valid(data) {
		return bad(errors.New("the answer is not UTF-8"))
	}
	values, err := object(data)
	if err != nil {
		return bad(fmt.Errorf("the answer is not a JSON object: %w", err))
	}
	str := func(name string, to *string) error {
		raw, ok := values[name]
		if !ok || string(raw) == "null" {
			return nil
		}
		if json.Unmarshal(raw, to) != nil {
			return fmt.Errorf("%s is not a string", name)
		}
		return nil
	}
	flag := func(name string, to *bool) error {
		raw, ok := values[name]
		if ok && string(raw) != "null" && json.Unmarshal(raw, to) != nil {
			return fmt.Errorf("%s is neither true nor false", name)
		}
		return nil
	}
	var text, status string
	err = errors.Join(str("thought", &a.Thought), str("action", &text), str("status", &status),
		str("taskId", &a.TaskID),
		str("requestedDomMode", &a.Mode), str("needsFullDomReason", &a.Reason), str("requestedElement", &a.Element),
		flag("needsSkeletonDom", &a.NeedsSkeleton), flag("needsScreenshot", &a.NeedsScreenshot))
	if err != nil {
		return bad(err)
	}
	var known bool
	switch a.Status, known = statuses[strings.ToLower(status)]; {
	case !known:
		a.Action, _ = parseAction(text) // what it would have typed is known, so that it is not kept
		return bad(
			fmt.Errorf(
				"unknown status %s: choose from in_progress, completed, failed, needs_context, needs_full_dom",
				quoted(status),
			),
		)
	case len(a.TaskID) > 200:
		return bad(errors.New("taskId has more than 200 bytes"))
	}
	switch a.Mode {
	case "", "skeleton", "hybrid", "full":
	default:
		return bad(fmt.Errorf("unknown requestedDomMode %s: choose from skeleton, hybrid, full", quoted(a.Mode)))
	}
	if a.asks() || a.Status == statusCompleted || a.Status == statusFailed {
		return a, nil // an action beside that is not done, so it need not be read
	}
	if strings.TrimSpace(text) == "" {
		return a, &badAnswer{
			Code: "NO_ACTION", Err: errors.New(
				"the answer has no action, asks for no context and does not end the task"),
		}
	}
	if a.Action, err = parseAction(text); err != nil {
		return a, &badAnswer{Code: "INVALID_ACTION", Action: text, Err: err}
	}
	for _, name := range []string{"expected_outcome", "expectedOutcome"} {
		raw, ok := values[name]
		if !ok || string(raw) == "null" {
			continue
		}
		if a.Expect != nil {
			return a, &badAnswer{Code: "INVALID_EXPECTATION", Action: text,
				Err: errors.New("expected_outcome is given twice")}
		}
		if a.Expect, err = sentinel.Parse(raw); err != nil {
			return a, &badAnswer{Code: "INVALID_EXPECTATION", Action: text, Err: err}
		}
	}
	return a, nil
}

// asks reports whether the answer asks for more context.
func (a *agentAnswer) asks() bool {
	return a.Mode != "" || a.NeedsSkeleton || a.NeedsScreenshot || a.Status == statusContext ||
		a.Status == statusFullDOM
}

// object reads a JSON object: its members, none twice, and nothing behind it.
func object(data []byte) (map[string]json.RawMessage, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	first, err := d.Token()
	if err != nil {
		return nil, ended(err)
	}
	if first != json.Delim('{') {
		return nil, fmt.Errorf("it begins with %.20v", first)
	}
	values := map[string]json.RawMessage{}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, ended(err)
		}
		name, _ := key.(string) // the decoder lets nothing else be a key
		if _, twice := values[name]; twice {
			return nil, fmt.Errorf("%s is given twice", quoted(name))
		}
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return nil, ended(err)
		}
		values[name] = raw
	}
	if _, err := d.Token(); err != nil {
		return nil, ended(err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows behind it")
	}
	return values, nil
}

// ended is the error for a text that ends too early.
func ended(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("it ends too early")
	}
	return err
}
