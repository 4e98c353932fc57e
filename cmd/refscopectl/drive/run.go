// Package drive has the commands that act on pages: steps, the tabs that stay between commands, an MCP server, a task
// that an agent's server leads. Comes in: steps; goes out: their results, one JSON object a run.
package drive

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/capture/step"
	"github.com/refscope/refscope/capture/step/param"
	"github.com/refscope/refscope/capture/tabs"
	"github.com/refscope/refscope/cmd/refscopectl/cli"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/spf13/cobra"
)

// stdinPatience is how long run waits for the first byte of a standard input that
// nobody has named, so that a pipe that is never written to hangs nobody (seed 18.6).
const stdinPatience = 5 * time.Second

// Run runs one JSON object of steps and prints one JSON object (C-1). Whatever goes
// wrong with it, the answer is JSON on standard output and the exit 1.
func Run(a *cli.App) *cobra.Command {
	var name string
	c := &cobra.Command{
		Use: "run [JSON | -]", Short: "one JSON object of steps in, one JSON object out; --help STEP explains a step",
		Long: `refscopectl '{"steps":…}' means the same. The browser and the tab stay until they are closed.`,
		Example: `  refscopectl run '{"steps":[{"openTab":"https://example.org/"},{"click":{"text":"More"}}]}'
  refscopectl run --step click
  echo '{"tab":"t1","steps":[{"snapshot":true}]}' | refscopectl run -`,
		RunE: func(c *cobra.Command, args []string) error {
			if name != "" {
				return helpStep(a, name)
			}
			return runSteps(c.Context(), a, args)
		},
	}
	filesFlag(a, c)
	cli.RegisterWrites(c, &a.Writes)
	c.Flags().StringVar(&name, "step", "", "print what a `STEP` takes, with examples; \"all\" lists the steps")
	cli.Alone(c, "step")
	steps := []string{"all"}
	for _, k := range step.Table() {
		steps = append(steps, cobra.CompletionWithDesc(k.Name, k.Summary))
	}
	cli.CompleteFlag(c, "step", steps...)
	c.SetHelpFunc(func(c *cobra.Command, _ []string) {
		if args := c.Flags().Args(); len(args) > 0 && args[0] != "-" && !cli.IsSteps(args[0]) { // run --help click
			a.HelpErr = helpStep(a, args[len(args)-1])
			return
		}
		a.Help(c)
	})
	return c
}

func runSteps(ctx context.Context, a *cli.App, args []string) error {
	if len(args) > 1 {
		return cli.Usagef("run: one JSON object, in single quotes, or - for standard input")
	}
	began := time.Now()
	input, err := stepsInput(ctx, a, args)
	if err != nil {
		return answerError(a, &step.Error{Type: step.TypeParse, Err: err})
	}
	c, err := step.Parse(input)
	done := outcome{}
	if err == nil {
		done, err = perform(ctx, a, c, input)
	}
	if err != nil {
		done.Body = errorBody(err)
	}
	steps := 0
	if c != nil {
		steps = len(c.Steps)
	}
	noteMetrics(a, len(input), done.Body, steps, time.Since(began))
	noteRun(a, c, len(input), &done)
	if _, err := a.Stdout.Write(append(done.Body, '\n')); err != nil {
		return err
	}
	if !done.OK {
		return cli.ErrReported
	}
	return nil
}

// stepsInput is the JSON of the argument, or of standard input.
func stepsInput(ctx context.Context, a *cli.App, rest []string) ([]byte, error) {
	if len(rest) == 1 && rest[0] != "-" {
		if rest[0] != "" && !cli.IsSteps(rest[0]) { // it is not repeated: its text may be a password
			return nil, errors.New(`the argument is not a JSON object: write {"steps":[…]} in single quotes, or ` +
				"pipe a file in: refscopectl run - < FILE")
		}
		return []byte(rest[0]), nil
	}
	in, named := a.Stdin(ctx), len(rest) == 1
	if !named && a.NothingPiped() {
		return nil, errors.New(`there is no input: name it as an argument, refscopectl '{"steps":[…]}', or pipe it in`)
	}
	r := bufio.NewReader(io.LimitReader(in, step.MaxInput+1))
	if !named {
		first := make(chan struct{})
		go func() { // ends with the first byte, or with the program
			defer close(first)
			_, _ = r.Peek(1) // what is wrong shows in the reading
		}()
		select {
		case <-first:
		case <-time.After(stdinPatience):
			return nil, fmt.Errorf(
				"nothing came on standard input for %s: name the input as an argument, or - to wait for it",
				stdinPatience)
		}
	}
	b, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("reading standard input: %w", err)
	}
	return b, nil
}

// piped reports whether something was piped into the program, or a file given to it.
func piped(a *cli.App) bool {
	if a.In != nil {
		return true
	}
	st, err := os.Stdin.Stat()
	return err == nil && (st.Mode()&os.ModeNamedPipe != 0 || st.Mode().IsRegular())
}

// outcome is how a run went.
type outcome struct {
	Body []byte `json:"body"` // as it is: see broker.Request
	OK   bool   `json:"ok"`
	// Trace is what --trace writes, where another process worked for the command.
	Trace []byte `json:"trace,omitempty"`
}

// filesFlag adds --files.
func filesFlag(a *cli.App, c *cobra.Command) {
	c.Flags().StringArrayVar(&a.Files, "files", nil,
		"let steps read the files below `DIR` and write there: uploads, file: addresses, pictures, PDFs; may be "+
			"given again")
}

// perform runs the command, by the broker where there is one.
func perform(ctx context.Context, a *cli.App, c *step.Command, input []byte) (outcome, error) {
	if a.Session != "" {
		if err := turn.CheckName(a.Session); err != nil {
			return outcome{}, &step.Error{Type: step.TypeValidation, Err: fmt.Errorf("--session: %w", err)}
		}
	}
	s, err := a.Settings(input)
	if err != nil {
		return outcome{}, err
	}
	if done, err := byBroker(ctx, a, c, &s); !errors.Is(err, cli.ErrNoBroker) {
		a.Traced = done.Trace
		return done, err
	}
	h := tabs.NewHost(s.HostBeside(a))
	defer func() {
		if cerr := h.Close(); cerr != nil {
			a.Log().Debug("leaving the browser", "error", cerr)
		}
	}()
	return execute(ctx, a, h, c, &s)
}

// execute runs a command in this process, which is the broker's or the command's own.
func execute(ctx context.Context, a *cli.App, h *tabs.Host, c *step.Command, s *cli.Settings) (outcome, error) {
	r, err := step.New(ctx, nil, step.Options{
		Profiles: a.Profiles(), Files: s.Files, Dir: s.Dir, Roots: s.Roots, Timeout: s.Timeout, Host: h,
		Tool: cli.Tool(), Writes: s.Writes, Log: a.Log(),
	})
	if err != nil {
		return outcome{}, err
	}
	defer r.Close(ctx)
	answer, err := r.Execute(ctx, c)
	if answer == nil {
		return outcome{}, err
	}
	if err != nil { // it was done; only the turn could not be kept
		a.Log().Error("the turn was not kept", "error", err)
	}
	return outcome{Body: answer.Body, OK: answer.OK}, nil
}

// answerError prints an error as run's answer.
func answerError(a *cli.App, err error) error {
	if _, werr := a.Stdout.Write(append(errorBody(err), '\n')); werr != nil {
		return werr
	}
	return cli.ErrReported
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

// actionMetrics is what became of a step, without what it was given or found (B-12).
type actionMetrics struct {
	Action  string `json:"action"`
	Status  string `json:"status"`
	Subtype string `json:"subtype,omitempty"` // why it failed: NOT_FOUND, TimeoutError, …
}

// noteMetrics appends a line to the file that $CDP_METRICS_FILE names (seed 17.6). A
// line that cannot be written is not written: it is never the command's fault.
func noteMetrics(a *cli.App, in int, out []byte, steps int, took time.Duration) {
	name := os.Getenv("CDP_METRICS_FILE")
	if name == "" {
		return
	}
	done := struct{ Steps []actionMetrics }{Steps: []actionMetrics{}}
	if json.Unmarshal(out, &done) != nil {
		a.Log().Debug("the answer has no steps to note in the metrics")
	}
	b, err := json.Marshal(map[string]any{
		"ts": time.Now().UTC().Format(time.RFC3339Nano), "input_bytes": in, "output_bytes": len(out),
		"steps": steps, "time_ms": took.Milliseconds(), "actions": done.Steps,
	})
	if err == nil {
		err = os.MkdirAll(filepath.Dir(name), 0o700)
	}
	if err == nil {
		var f *os.File
		if f, err = os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600); err == nil {
			_, err = f.Write(append(b, '\n'))
			err = errors.Join(err, f.Close())
		}
	}
	if err != nil {
		a.Log().Debug("the metrics could not be written", "file", name, "error", err)
	}
}

// helpStep prints what a step takes.
func helpStep(a *cli.App, name string) error {
	if a.JSON {
		a.Shape = cli.ShapeOf("run") // --help comes before it is known
		return stepSchema(a, name)
	}
	for _, k := range step.Table() {
		if name == "all" {
			fmt.Fprintf(a.Stdout, "%-16s %s\n", k.Name, k.Summary)
			continue
		}
		if k.Name != name {
			continue
		}
		fmt.Fprintf(a.Stdout, "%s: %s\n", k.Name, k.Summary)
		for _, f := range k.Forms {
			fmt.Fprintf(a.Stdout, "  {%q:%s}\n      %s\n", k.Name, f.Example(), f.What())
		}
		printParams(a.Stdout, k.Params())
		if k.Hooks {
			fmt.Fprintln(a.Stdout,
				"  readyWhen, settledWhen, observe: functions in the page, among the parameters of an object")
		}
		return nil
	}
	if name == "all" {
		return nil
	}
	return cli.Usagef("run: unknown step %q: refscopectl run --help all lists them", name)
}

// stepSchema prints the schema of a step, or of all of them.
func stepSchema(a *cli.App, name string) error {
	if name == "all" {
		return a.PrintJSON(map[string]any{"steps": step.Schema()})
	}
	one := step.SchemaOf(name)
	if one == nil {
		return cli.Usagef("run: unknown step %q: refscopectl run --help all lists them", name)
	}
	return a.PrintJSON(map[string]any{"step": name, "takes": one})
}

// printParams lists declared parameters: name, type, what it is, and what is allowed.
func printParams(w io.Writer, params []param.Param) {
	if len(params) == 0 {
		return
	}
	fmt.Fprintln(w, "  parameters of an object:")
	for _, p := range params {
		var rules []string
		add := func(rule, value string) {
			if value != "" {
				rules = append(rules, rule+value)
			}
		}
		if p.Required {
			rules = append(rules, "required")
		}
		add("", p.Missing)
		add("", strings.Join(p.Choices, " | "))
		add("", p.Bounds)
		add("default ", p.Default)
		if p.Secret {
			rules = append(rules, "never shown or kept")
		}
		line := p.What
		if len(rules) > 0 {
			line += " [" + strings.Join(rules, "; ") + "]"
		}
		fmt.Fprintf(w, "    %-16s %-16s %s\n", p.Name, p.Type, line)
	}
}

// UsesInput runs what was piped into a program that was called without a command; false
// where that was nothing.
func UsesInput(ctx context.Context, a *cli.App) (ran bool, err error) {
	if !piped(a) {
		return false, nil
	}
	b, err := stepsInput(ctx, a, nil)
	if err != nil || !cli.IsSteps(string(b)) {
		return false, nil
	}
	a.In = strings.NewReader(string(b))
	return true, runSteps(ctx, a, nil)
}

// noteRun writes a command and its answer to ./log/SEQ-TAB-ACTIONS.STATUS.json with
// --debug (seed 17.5). What was typed is not in it, nor what looks like a secret. A file
// that cannot be written is not written: it is never the command's fault.
func noteRun(a *cli.App, c *step.Command, size int, done *outcome) {
	if !a.Debug {
		return
	}
	if err := writeRun(c, size, done); err != nil {
		a.Log().Debug("the debug log could not be written", "error", err)
	}
}

func writeRun(c *step.Command, size int, done *outcome) error {
	const dir = "log"
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	request := json.RawMessage(fmt.Sprintf(`"[%d bytes that could not be read as a command]"`, size))
	if c != nil {
		var err error
		if request, err = c.Redacted(); err != nil {
			return err
		}
	}
	entry := struct {
		Time     string          `json:"timestamp"`
		Request  json.RawMessage `json:"request"`
		Response json.RawMessage `json:"response"`
	}{time.Now().UTC().Format(time.RFC3339Nano), request, done.Body}
	b, err := json.Marshal(entry)
	if err != nil {
		return err
	}
	if b, err = redact.JSON(b, redact.Standard()); err != nil {
		return err
	}
	status := "error"
	if done.OK {
		status = "ok"
	}
	seq, err := nextSeq(dir)
	if err != nil {
		return err
	}
	return export.Write(filepath.Join(dir, fmt.Sprintf("%03d-%s.%s.json", seq, runName(c, done), status)),
		append(b, '\n'))
}

// runName is the tab and the first three actions: t1-goto-click-fill-plus2.
func runName(c *step.Command, done *outcome) string {
	var parts []string
	var answer struct{ Tab string }
	if json.Unmarshal(done.Body, &answer) == nil && plain(answer.Tab) {
		parts = append(parts, answer.Tab)
	}
	if c == nil {
		return strings.Join(append(parts, "invalid"), "-")
	}
	for i, s := range c.Steps {
		if i == 3 {
			parts = append(parts, fmt.Sprintf("plus%d", len(c.Steps)-3))
			break
		}
		parts = append(parts, s.Action)
	}
	return strings.Join(parts, "-")
}

// plain reports whether a text can be in a file's name.
func plain(s string) bool {
	return s != "" && len(s) <= 40 && strings.Trim(s,
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == ""
}

// nextSeq is the number after the highest of the folder's files.
func nextSeq(dir string) (int, error) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return 0, err
	}
	highest := 0
	for _, f := range files {
		head, _, ok := strings.Cut(f.Name(), "-")
		if n, err := strconv.Atoi(head); ok && err == nil {
			highest = max(highest, n)
		}
	}
	return highest + 1, nil
}
