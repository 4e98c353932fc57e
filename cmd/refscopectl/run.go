package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/refscope/refscope/capture/step"
	"github.com/refscope/refscope/snapshot/turn"
)

// runSteps runs one JSON object of steps and prints one JSON object (C-1). Whatever goes
// wrong with it, the answer is JSON on standard output and the exit 1.
func runSteps(ctx context.Context, a *app, args []string) error {
	var stepHelp string
	rest, err := a.globals("refscopectl run", args, func(fs *flag.FlagSet) {
		fs.StringVar(&stepHelp, "step", "", "print what a step takes, with examples; \"all\" lists the steps")
	})
	if err != nil {
		return err
	}
	if stepHelp != "" {
		return a.helpStep(stepHelp)
	}
	if len(rest) > 1 {
		return usagef("run: one JSON object, in single quotes, or - for standard input")
	}
	began := time.Now()
	input, err := a.stepsInput(rest)
	if err != nil {
		return a.answerError(&step.Error{Type: step.TypeParse, Err: err})
	}
	body, ok, steps, err := a.execute(ctx, input)
	if err != nil {
		body = errorBody(err)
	}
	a.noteMetrics(len(input), len(body), steps, time.Since(began))
	if _, err := a.stdout.Write(append(body, '\n')); err != nil {
		return err
	}
	if !ok {
		return errReported
	}
	return nil
}

// stepsInput is the JSON of the argument, or of standard input.
func (a *app) stepsInput(rest []string) ([]byte, error) {
	if len(rest) == 1 && rest[0] != "-" {
		return []byte(rest[0]), nil
	}
	if len(rest) == 0 && terminal(os.Stdin) {
		return nil, errors.New(`there is no input: name it as an argument, refscopectl '{"steps":[…]}', or pipe it in`)
	}
	b, err := io.ReadAll(io.LimitReader(a.stdin(), step.MaxInput+1))
	if err != nil {
		return nil, fmt.Errorf("reading standard input: %w", err)
	}
	return b, nil
}

func (a *app) stdin() io.Reader {
	if a.in != nil {
		return a.in
	}
	return os.Stdin
}

// terminal reports whether nobody has piped anything into the file.
func terminal(f *os.File) bool {
	st, err := f.Stat()
	return err == nil && st.Mode()&os.ModeCharDevice != 0
}

// execute runs the command in this process.
func (a *app) execute(ctx context.Context, input []byte) (body []byte, ok bool, steps int, err error) {
	c, err := step.Parse(input)
	if err != nil {
		return nil, false, 0, err
	}
	if a.session != "" {
		if err := turn.CheckName(a.session); err != nil {
			return nil, false, len(c.Steps), &step.Error{Type: step.TypeValidation, Err: fmt.Errorf("--session: %w", err)}
		}
	}
	h := step.NewHost(step.HostOptions{
		Home: a.home, Chrome: a.chrome, Attach: a.attach, Headed: a.headed, Width: a.width, Height: a.height, Session: a.session,
		Flags: append(splitFlags(os.Getenv("REFSCOPE_CHROME_FLAGS")), a.chromeFlags...), Tool: "refscopectl " + version,
	})
	defer func() {
		if cerr := h.Close(); cerr != nil {
			a.log().Debug("leaving the browser", "error", cerr)
		}
	}()
	r, err := step.New(ctx, nil, step.Options{
		Profiles: a.profiles(), Files: filesFolder(), Host: h, Tool: "refscopectl " + version, Log: a.log(),
	})
	if err != nil {
		return nil, false, len(c.Steps), err
	}
	defer r.Close(ctx)
	answer, err := r.Execute(ctx, c)
	if answer == nil {
		return nil, false, len(c.Steps), err
	}
	if err != nil { // it was done; only the turn could not be kept
		a.log().Error("the turn was not kept", "error", err)
	}
	return answer.Body, answer.OK, len(c.Steps), nil
}

// filesFolder is where pictures and snapshots of answers go: one folder of this user's
// among the temporary ones (C-22).
func filesFolder() string {
	return filepath.Join(os.TempDir(), fmt.Sprintf("refscope-%d", os.Getuid()))
}

// answerError prints an error as run's answer.
func (a *app) answerError(err error) error {
	if _, werr := a.stdout.Write(append(errorBody(err), '\n')); werr != nil {
		return werr
	}
	return errReported
}

// errorBody is the answer of a command that did not get to its steps.
func errorBody(err error) []byte {
	kind := step.TypeExecution
	var e *step.Error
	out := map[string]any{"message": err.Error()}
	if errors.As(err, &e) {
		kind = e.Type
		if e.Step > 0 {
			out["step"], out["subtype"] = e.Step, "StepValidationError"
		}
	}
	out["type"] = kind
	b, merr := json.Marshal(map[string]any{"status": "error", "error": out})
	if merr != nil {
		return []byte(`{"status":"error","error":{"type":"EXECUTION","message":"the error could not be written"}}`)
	}
	return b
}

// noteMetrics appends a line to the file that $CDP_METRICS_FILE names (seed 17.6). A
// line that cannot be written is not written: it is never the command's fault.
func (a *app) noteMetrics(in, out, steps int, took time.Duration) {
	name := os.Getenv("CDP_METRICS_FILE")
	if name == "" {
		return
	}
	b, err := json.Marshal(map[string]any{
		"ts": time.Now().UTC().Format(time.RFC3339Nano), "input_bytes": in, "output_bytes": out, "steps": steps, "time_ms": took.Milliseconds(),
	})
	if err == nil {
		err = os.MkdirAll(filepath.Dir(name), 0o755)
	}
	if err == nil {
		var f *os.File
		if f, err = os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644); err == nil {
			_, err = f.Write(append(b, '\n'))
			err = errors.Join(err, f.Close())
		}
	}
	if err != nil {
		a.log().Debug("the metrics could not be written", "file", name, "error", err)
	}
}

// helpStep prints what a step takes.
func (a *app) helpStep(name string) error {
	for _, k := range step.Kinds() {
		if name == "all" {
			fmt.Fprintf(a.stdout, "%-16s %s\n", k.Name, k.Summary)
			continue
		}
		if k.Name != name {
			continue
		}
		fmt.Fprintf(a.stdout, "%s: %s\n", k.Name, k.Summary)
		for _, f := range k.Forms {
			fmt.Fprintf(a.stdout, "  {%q:%s}\n      %s\n", k.Name, f.Example, f.What)
		}
		if k.Hooks {
			fmt.Fprintln(a.stdout, "  readyWhen, settledWhen, observe: functions in the page, among the parameters of an object")
		}
		return nil
	}
	if name == "all" {
		return nil
	}
	return usagef("run: there is no step %q: refscopectl run --step all lists them", name)
}

// isSteps reports whether a command line is a run without its name.
func isSteps(arg string) bool { return strings.HasPrefix(strings.TrimSpace(arg), "{") }
