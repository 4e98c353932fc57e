package main

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

	"github.com/refscope/refscope/capture/broker"
	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/capture/step"
	"github.com/refscope/refscope/capture/step/param"
	"github.com/refscope/refscope/capture/tabs"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/spf13/cobra"
)

// stdinPatience is how long run waits for the first byte of a standard input that
// nobody has named, so that a pipe that is never written to hangs nobody (seed 18.6).
const stdinPatience = 5 * time.Second

// runCommand runs one JSON object of steps and prints one JSON object (C-1). Whatever goes
// wrong with it, the answer is JSON on standard output and the exit 1.
func runCommand(a *app) *cobra.Command {
	var name string
	c := &cobra.Command{
		Use: "run [JSON | -]", Short: "one JSON object of steps in, one JSON object out; --help STEP explains a step",
		Long: `refscopectl '{"steps":…}' means the same. The browser and the tab stay until they are closed.`,
		Example: `  refscopectl run '{"steps":[{"openTab":"https://example.org/"},{"click":{"text":"More"}}]}'
  refscopectl run --step click
  echo '{"tab":"t1","steps":[{"snapshot":true}]}' | refscopectl run -`,
		RunE: func(c *cobra.Command, args []string) error {
			if name != "" {
				return a.helpStep(name)
			}
			return a.runSteps(c.Context(), args)
		},
	}
	a.filesFlag(c)
	registerWrites(c, &a.writes)
	c.Flags().StringVar(&name, "step", "", "print what a `STEP` takes, with examples; \"all\" lists the steps")
	alone(c, "step")
	steps := []string{"all"}
	for _, k := range step.Table() {
		steps = append(steps, cobra.CompletionWithDesc(k.Name, k.Summary))
	}
	completeFlag(c, "step", steps...)
	c.SetHelpFunc(func(c *cobra.Command, _ []string) {
		if args := c.Flags().Args(); len(args) > 0 && args[0] != "-" && !isSteps(args[0]) { // run --help click
			a.helpErr = a.helpStep(args[len(args)-1])
			return
		}
		a.help(c)
	})
	return c
}

func (a *app) runSteps(ctx context.Context, args []string) error {
	if len(args) > 1 {
		return usagef("run: one JSON object, in single quotes, or - for standard input")
	}
	began := time.Now()
	input, err := a.stepsInput(ctx, args)
	if err != nil {
		return a.answerError(&step.Error{Type: step.TypeParse, Err: err})
	}
	c, err := step.Parse(input)
	done := outcome{}
	if err == nil {
		done, err = a.perform(ctx, c, input)
	}
	if err != nil {
		done.Body = errorBody(err)
	}
	steps := 0
	if c != nil {
		steps = len(c.Steps)
	}
	a.noteMetrics(len(input), done.Body, steps, time.Since(began))
	a.noteRun(c, len(input), &done)
	if _, err := a.stdout.Write(append(done.Body, '\n')); err != nil {
		return err
	}
	if !done.OK {
		return errReported
	}
	return nil
}

// stepsInput is the JSON of the argument, or of standard input.
func (a *app) stepsInput(ctx context.Context, rest []string) ([]byte, error) {
	if len(rest) == 1 && rest[0] != "-" {
		return []byte(rest[0]), nil
	}
	in, named := a.stdin(ctx), len(rest) == 1
	if !named && a.nothingPiped() {
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
func (a *app) piped() bool {
	if a.in != nil {
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

// settings are a run's settings from its command line and environment. They go to
// the broker with it.
type settings struct {
	Input   []byte   `json:"input"`
	Chrome  string   `json:"chrome,omitempty"`
	Attach  string   `json:"attach,omitempty"`
	Profile string   `json:"profile,omitempty"`
	Headed  bool     `json:"headed,omitempty"`
	Flags   []string `json:"flags,omitempty"`
	Width   int      `json:"width"`
	Height  int      `json:"height"`
	Session string   `json:"session,omitempty"`
	Files   string   `json:"files"`
	Dir     string   `json:"dir"` // relative paths are of it
	// Roots are the folders of --files.
	Roots   []string           `json:"roots,omitempty"`
	Timeout time.Duration      `json:"timeout"`
	Writes  session.PageWrites `json:"writes"`
	Trace   bool               `json:"trace,omitempty"`
}

func (a *app) settings(input []byte) (settings, error) {
	if err := a.oneBrowser(); err != nil {
		return settings{}, err
	}
	files, err := broker.Files(a.home)
	if err != nil {
		return settings{}, fmt.Errorf("the folder for pictures and snapshots: %w", err)
	}
	dir, err := os.Getwd()
	if err != nil {
		return settings{}, fmt.Errorf("the working folder: %w", err)
	}
	flags, err := a.browserFlags()
	if err != nil {
		return settings{}, err
	}
	s := settings{
		Input: input, Chrome: a.chrome, Attach: a.attach, Profile: a.profileDir, Headed: a.headed,
		Width: a.width, Height: a.height,
		Session: a.session, Flags: flags, Files: files, Dir: dir, Timeout: a.timeout,
		Writes: a.writes, Trace: a.recorder != nil,
	}
	for _, root := range a.files {
		if root, err = openedFolder(root); err != nil {
			return settings{}, err
		}
		s.Roots = append(s.Roots, root)
	}
	if s.Profile != "" { // the broker has a working folder of its own
		if s.Profile, err = filepath.Abs(s.Profile); err != nil {
			return s, err
		}
	}
	if s.Chrome == "" {
		s.Chrome = browser.FromEnvironment() // the broker has the one of its own start
	}
	return s, nil
}

// openedFolder is a folder of --files as the broker finds it.
func openedFolder(name string) (string, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return "", usagef("--files %s: %v: name a folder that is there", name, export.Cause(err))
	case !info.IsDir():
		return "", usagef("--files %s: it is a file: name its folder", name)
	}
	return filepath.Abs(name)
}

// filesFlag adds --files.
func (a *app) filesFlag(c *cobra.Command) {
	c.Flags().StringArrayVar(&a.files, "files", nil,
		"let steps read the files below `DIR` and write there: uploads, file: addresses, pictures, PDFs; may be "+
			"given again")
}

func (s *settings) host(home string) tabs.Options {
	return tabs.Options{
		Home: home, Chrome: s.Chrome, Attach: s.Attach, Profile: s.Profile, Headed: s.Headed,
		Width: s.Width, Height: s.Height,
		Session: s.Session, Flags: s.Flags, Tool: tool(),
	}
}

// hostBeside is [settings.host] for another process than the broker.
func (s *settings) hostBeside(a *app) tabs.Options {
	o := s.host(a.home)
	o.Shared, o.Hand = a.brokerSecrets, a.tellBroker
	return o
}

// perform runs the command, by the broker where there is one.
func (a *app) perform(ctx context.Context, c *step.Command, input []byte) (outcome, error) {
	if a.session != "" {
		if err := turn.CheckName(a.session); err != nil {
			return outcome{}, &step.Error{Type: step.TypeValidation, Err: fmt.Errorf("--session: %w", err)}
		}
	}
	s, err := a.settings(input)
	if err != nil {
		return outcome{}, err
	}
	if done, err := a.byBroker(ctx, c, &s); !errors.Is(err, errNoBroker) {
		a.traced = done.Trace
		return done, err
	}
	h := tabs.NewHost(s.hostBeside(a))
	defer func() {
		if cerr := h.Close(); cerr != nil {
			a.log().Debug("leaving the browser", "error", cerr)
		}
	}()
	return a.execute(ctx, h, c, &s)
}

// execute runs a command in this process, which is the broker's or the command's own.
func (a *app) execute(ctx context.Context, h *tabs.Host, c *step.Command, s *settings) (outcome, error) {
	r, err := step.New(ctx, nil, step.Options{
		Profiles: a.profiles(), Files: s.Files, Dir: s.Dir, Roots: s.Roots, Timeout: s.Timeout, Host: h, Tool: tool(),
		Writes: s.Writes,
		Log:    a.log(),
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
		a.log().Error("the turn was not kept", "error", err)
	}
	return outcome{Body: answer.Body, OK: answer.OK}, nil
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

// actionMetrics is what became of a step, without what it was given or found (B-12).
type actionMetrics struct {
	Action  string `json:"action"`
	Status  string `json:"status"`
	Subtype string `json:"subtype,omitempty"` // why it failed: NOT_FOUND, TimeoutError, …
}

// noteMetrics appends a line to the file that $CDP_METRICS_FILE names (seed 17.6). A
// line that cannot be written is not written: it is never the command's fault.
func (a *app) noteMetrics(in int, out []byte, steps int, took time.Duration) {
	name := os.Getenv("CDP_METRICS_FILE")
	if name == "" {
		return
	}
	done := struct{ Steps []actionMetrics }{Steps: []actionMetrics{}}
	if json.Unmarshal(out, &done) != nil {
		a.log().Debug("the answer has no steps to note in the metrics")
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
		a.log().Debug("the metrics could not be written", "file", name, "error", err)
	}
}

// helpStep prints what a step takes.
func (a *app) helpStep(name string) error {
	if a.json {
		return a.stepSchema(name)
	}
	for _, k := range step.Table() {
		if name == "all" {
			fmt.Fprintf(a.stdout, "%-16s %s\n", k.Name, k.Summary)
			continue
		}
		if k.Name != name {
			continue
		}
		fmt.Fprintf(a.stdout, "%s: %s\n", k.Name, k.Summary)
		for _, f := range k.Forms {
			fmt.Fprintf(a.stdout, "  {%q:%s}\n      %s\n", k.Name, f.Example(), f.What())
		}
		printParams(a.stdout, k.Params())
		if k.Hooks {
			fmt.Fprintln(a.stdout,
				"  readyWhen, settledWhen, observe: functions in the page, among the parameters of an object")
		}
		return nil
	}
	if name == "all" {
		return nil
	}
	return usagef("run: unknown step %q: refscopectl run --help all lists them", name)
}

// stepSchema prints the schema of a step, or of all of them.
func (a *app) stepSchema(name string) error {
	if name == "all" {
		return a.printJSON(map[string]any{"steps": step.Schema()})
	}
	one := step.SchemaOf(name)
	if one == nil {
		return usagef("run: unknown step %q: refscopectl run --help all lists them", name)
	}
	return a.printJSON(map[string]any{"step": name, "takes": one})
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

// isSteps reports whether a command line is a run without its name.
func isSteps(arg string) bool { return strings.HasPrefix(strings.TrimSpace(arg), "{") }

// usesInput runs what was piped into a program that was called without a command; false
// where that was nothing.
func (a *app) usesInput(ctx context.Context) (ran bool, err error) {
	if !a.piped() {
		return false, nil
	}
	b, err := a.stepsInput(ctx, nil)
	if err != nil || !isSteps(string(b)) {
		return false, nil
	}
	a.in = strings.NewReader(string(b))
	return true, a.runSteps(ctx, nil)
}

// noteRun writes a command and its answer to ./log/SEQ-TAB-ACTIONS.STATUS.json with
// --debug (seed 17.5). What was typed is not in it, nor what looks like a secret. A file
// that cannot be written is not written: it is never the command's fault.
func (a *app) noteRun(c *step.Command, size int, done *outcome) {
	if !a.debug {
		return
	}
	if err := a.writeRun(c, size, done); err != nil {
		a.log().Debug("the debug log could not be written", "error", err)
	}
}

func (a *app) writeRun(c *step.Command, size int, done *outcome) error {
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
