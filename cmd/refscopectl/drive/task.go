package drive

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/refscope/refscope/capture/agent/task"
	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/target"
	"github.com/refscope/refscope/cmd/refscopectl/cli"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/spf13/cobra"
)

// taskFlags are the flags of task.
type taskFlags struct {
	task.Options
	resume  string
	headers http.Header
	page    cli.CaptureFlags
}

// Task runs the task loop in a browser of its own.
func Task(a *cli.App) *cobra.Command {
	f := taskFlags{headers: http.Header{}}
	c := &cobra.Command{
		Use:   "task --endpoint URL --query TEXT TARGET",
		Short: "the agent task loop: an endpoint decides, the page is acted on, the result verified",
		Long:  actionsHelp(),
		Example: `  refscopectl task --endpoint http://127.0.0.1:8950/api/agent/interact --query "find tea" page.html
  refscopectl task --endpoint http://127.0.0.1:8950/api/agent/interact --resume task-20260102-150405`,
		RunE: func(c *cobra.Command, args []string) error { return runTask(c.Context(), a, &f, args) },
	}
	fs := c.Flags()
	fs.StringVar(&f.Endpoint, "endpoint", "", "where requests are posted to, an http(s) `URL`")
	fs.StringVar(&f.Query, "query", "", "the task, a `TEXT` in words; kept in the session as it is")
	fs.StringVar(&f.Mode, "mode", "",
		"what the first request about a page has: `semantic|skeleton|hybrid|full`; default semantic")
	fs.StringVar(&f.resume, "resume", "",
		"go on with the task of that `SESSION` (name or folder), at the page it was on")
	fs.IntVar(&f.MaxSteps, "max-steps", task.DefaultSteps, "ask the endpoint about `N` pages at most")
	fs.IntVar(&f.MaxContexts, "max-contexts", task.DefaultContexts,
		"send `N` further contexts about one page at most; the endpoint is told when it asks for more")
	fs.DurationVar(&f.MaxTime, "max-time", task.DefaultTime, "`TIME` for the whole task")
	fs.Int64Var(&f.MaxBytes, "max-bytes", task.DefaultBytes, "`N` bytes sent and received at most")
	fs.DurationVar(&f.RequestTimeout, "answer-time", time.Minute, "`TIME` for one answer")
	fs.DurationVar(&f.ActTimeout, "act-time", 5*time.Second, "`TIME` for an element to become ready")
	fs.BoolVar(&f.Compat, "compat", false, "what the original sends, and its looser healing")
	fs.BoolVar(&f.Delta, "delta", false, "leave a tree out that the endpoint has already, by its treeHash")
	fs.BoolVar(&f.NoPicture, "no-picture", false, "take no pictures")
	fs.Func("header",
		"`NAME=VALUE` that goes along with each request and is kept nowhere; NAME=@FILE reads it from a file, "+
			"NAME=env:VARIABLE from the environment, so that other users of the machine do not see it; may be given "+
			"again",
		func(s string) error {
			name, value, ok := strings.Cut(s, "=")
			if !ok {
				return errors.New("write it as NAME=VALUE, NAME=@FILE or NAME=env:VARIABLE")
			}
			value, err := cli.HeaderValue(value)
			if err != nil {
				return err
			}
			if err := task.CheckHeader(name, value); err != nil {
				return err
			}
			f.headers.Add(name, value)
			return nil
		})
	cli.CompleteFlag(c, "mode", "semantic", "skeleton", "hybrid", "full")
	a.CompleteFlagBy(c, "resume", (*cli.App).CompleteSessions)
	f.page.Register(c)
	cli.RegisterWrites(c, &f.Writes)
	return c
}

func runTask(ctx context.Context, a *cli.App, f *taskFlags, targets []string) error {
	f.Settle = f.page.Settle
	f.Headers, f.ReadTimeout = f.headers, a.Timeout
	if err := f.check(a, targets); err != nil {
		return err
	}
	page := strings.Join(targets, "") // at most one
	var store *turn.Store
	var name string
	if f.resume != "" {
		var err error
		if store, name, err = resumed(ctx, a, f); err != nil {
			return err
		}
		defer store.Close()
		if page == "" {
			page = f.Resume.URL
		}
	}
	tabs := a.Opener()
	defer tabs.Close()
	t, err := target.Parse(a.Home, page)
	var b *browser.Browser
	leave := func() bool { return false }
	if err == nil {
		b, leave, err = tabs.Start(ctx, t)
	}
	f.Opened = time.Now()
	var tab *target.Tab
	if err == nil {
		defer leave()
		tab, err = tabs.OpenTab(ctx, b, t)
	}
	switch {
	case err != nil && f.Resume != nil && len(targets) == 0:
		return fmt.Errorf("%w: if it was a file, name it as the target", err)
	case err != nil:
		return err
	}
	defer tab.Leave()
	if store == nil {
		if name = a.Session; name != "" {
			store, err = a.Store(ctx, name)
		} else {
			store, name, err = target.NewStore(ctx, a.Home, "task-"+time.Now().Format("20060102-150405"), cli.Tool())
		}
		if err != nil {
			return err
		}
		defer store.Close()
	}
	a.Remark("session %s", store.Path())
	f.Store, f.SessionID = store, name
	if f.Resume != nil && f.Resume.SessionID != "" {
		f.SessionID = f.Resume.SessionID
	}
	f.Profiles, f.Tool, f.Log = a.Profiles(), cli.Tool(), a.Log()
	f.Progress = func(e task.Event) {
		if e.Kind != "end" { // that is the result
			a.Remark("%s", taskLine(e))
		}
	}
	out, err := task.Run(ctx, tab.Tab, f.Options)
	if out == nil {
		return err
	}
	return errors.Join(taskResult(a, out, name), err)
}

// check reads the flags that are words.
func (f *taskFlags) check(a *cli.App, targets []string) error {
	switch {
	case f.Endpoint == "":
		return cli.Usagef("task: name the endpoint with --endpoint URL")
	case f.Query == "" && f.resume == "":
		return cli.Usagef("task: name the task with --query TEXT")
	case len(targets) > 1:
		return cli.Usagef("task: name one target, not %d", len(targets))
	case len(targets) == 0 && f.resume == "":
		return cli.Usagef("task: name a target: a URL or an .html file")
	case f.resume != "" && a.Session != "":
		return cli.Usagef("task: --resume and --session both name a session: give one of them")
	case f.MaxSteps < 1 || f.MaxContexts < 1 || f.MaxTime <= 0 || f.MaxBytes < 1 || f.RequestTimeout <= 0 ||
		f.ActTimeout <= 0:
		return cli.Usagef("task: a limit must be greater than 0")
	}
	if err := task.CheckEndpoint(f.Endpoint); err != nil {
		return cli.Usagef("task: %v", err)
	}
	switch f.Mode {
	case "", "semantic", "skeleton", "hybrid", "full":
	default:
		return cli.Usagef("task: --mode %q: choose semantic, skeleton, hybrid or full", f.Mode)
	}
	return a.CheckPages("task", targets)
}

// resumed is the session whose task continues, and its name; f.Resume describes where it was.
func resumed(ctx context.Context, a *cli.App, f *taskFlags) (*turn.Store, string, error) {
	dir := f.resume
	if turn.CheckName(dir) == nil {
		dir = turn.SessionDir(a.Home, dir)
	}
	if _, err := os.Stat(dir); err != nil || turn.IsFileName(dir) {
		return nil, "", fmt.Errorf("session %s: folder not found: refscopectl session list lists them",
			f.resume)
	}
	s, err := turn.OpenPath(dir)
	if err != nil {
		return nil, "", fmt.Errorf("opening session %s: %w", f.resume, err)
	}
	f.Resume, err = task.ReadResume(ctx, s)
	switch {
	case err != nil:
		err = fmt.Errorf("session %s: %w", f.resume, err)
	case f.Resume.Ended:
		err = fmt.Errorf("the task of session %s is over: begin another with --query", f.resume)
	case f.Resume.Steps >= f.MaxSteps:
		err = fmt.Errorf("the task of session %s has made %d steps: allow more with --max-steps",
			f.resume, f.Resume.Steps)
	}
	if err != nil {
		return nil, "", errors.Join(err, s.Close())
	}
	if f.Query == "" {
		f.Query = f.Resume.Query
	}
	return s, filepath.Base(dir), nil
}

// taskLine is one line of progress.
func taskLine(e task.Event) string {
	line := text.CollapseSpace(e.Text)
	if e.Kind == "page" {
		return fmt.Sprintf("%d. %s", e.Step, line)
	}
	return fmt.Sprintf("   %-8s %s", e.Kind, line)
}

// taskResult prints how the task ended.
func taskResult(a *cli.App, out *task.Outcome, name string) error {
	if a.JSON {
		err := a.PrintJSON(struct {
			Session string `json:"session"`
			*task.Outcome
		}{name, out})
		if err != nil {
			return err
		}
	} else {
		err := a.Printf("%s: %s\n%s, %d requests, %d actions, %d verified, %d not; "+
			"%d bytes sent, %d received; session %s, %s\n",
			out.Status, text.CollapseSpace(out.Reason), text.Count(out.Steps, "step", "steps"), out.Requests,
			out.Actions, out.Verified,
			out.Unverified, out.Sent, out.Received, name, text.Count(len(out.Turns), "turn", "turns"))
		if err != nil {
			return err
		}
	}
	if !out.OK() {
		return cli.ErrReported
	}
	return nil
}

// actionsHelp lists what an endpoint may answer.
func actionsHelp() string {
	var b strings.Builder
	b.WriteString("Actions of an answer, " +
		"{\"thought\":…,\"action\":\"click(7)\",\"expected_outcome\":…,\"status\":…}:\n")
	for _, v := range task.Verbs() {
		fmt.Fprintf(&b, "  %-38s %s\n", v[0], v[1])
	}
	b.WriteString(`
Status: in_progress (or nothing) | completed | failed | needs_context | needs_full_dom
More context: requestedDomMode skeleton | hybrid | full, needsSkeletonDom, needsScreenshot
expected_outcome: navigation | element_appears | element_disappears | value_changes |
  state_changes | any_change | no_change,
  as a string or {"type":…,"text"|"selector"|"ref":…,"or_element_appears":…,"timeout":ms}`)
	return b.String()
}
