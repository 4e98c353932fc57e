package bench

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/refscope/refscope/cmd/dev/setup"
)

// agentNames are the agents that ask.mjs runs, with the names that people know and the npm packages whose versions the
// table tells.
var agentNames = []struct{ key, name, pkg string }{
	{"playwright", "Playwright MCP", "@playwright/mcp"},
	{"devtools", "chrome-devtools-mcp", "chrome-devtools-mcp"},
	{"stagehand", "Stagehand", "@browserbasehq/stagehand"},
	{"browser-use", "browser-use (npm)", "browser-use"},
}

// tries is how often an agent is run on a page: on a busy machine one may give up before its page is there.
const tries = 3

type share struct{ Seen, Has int }

func (s share) String() string { return fmt.Sprintf("%d of %d", s.Has, s.Seen) }

// Agents runs unmodified agents over pages of the demo site and prints, as a table in Markdown, how much of what a
// person sees each was told.
func Agents(ctx context.Context, d *setup.Dev, args []string) error {
	flags := flag.NewFlagSet("agents", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	modules := flags.String("modules", os.Getenv("AGENTS"), "the folder with the agents' node_modules; default $AGENTS")
	own := flags.Bool("own", false, "let each agent start its browser in its own way, and tell whether its page is "+
		"there")
	pages := flags.String("pages", "index.html,checkout.html,widgets.html",
		"pages of the demo site, with commas between")
	if err := flags.Parse(args); err != nil {
		return setup.Usagef("agents: %w", err)
	}
	if *modules == "" || flags.NArg() > 0 {
		return setup.Usagef(
			"agents: name the folder with the agents' node_modules by -modules or $AGENTS, where " +
				"npm install @playwright/mcp chrome-devtools-mcp @browserbasehq/stagehand browser-use " +
				"@modelcontextprotocol/sdk openai was done")
	}
	if err := d.SetUp(ctx, []setup.Need{setup.ChromeNeed()}, false); err != nil {
		return err
	}
	run := agentRun{d: d, modules: *modules}
	folder, err := os.MkdirTemp("", "refscope-agents-")
	if err != nil {
		return fmt.Errorf("agents: %w", err)
	}
	defer func() { _ = os.RemoveAll(folder) }() // a stray temporary folder does no harm
	run.folder = folder
	if run.program, err = d.BuildCtl(ctx, folder); err != nil {
		return err
	}
	site, err := serveOn(ctx, http.FileServerFS(os.DirFS(filepath.Join(d.Root, "assets", "demo"))))
	if err != nil {
		return fmt.Errorf("agents: %w", err)
	}
	defer site.close()
	vendor, err := serveOn(ctx, http.HandlerFunc(emptyAnswer))
	if err != nil {
		return fmt.Errorf("agents: %w", err)
	}
	defer vendor.close()
	run.vendor = vendor.address
	if *own {
		return run.own(ctx, "http://"+site.address+"/")
	}
	d.Say("| page | agent | told of what a person sees | characters | controls | pictures | told, and nobody sees | " +
		"size of the text |\n|---|---|---|---|---|---|---|---|")
	for page := range strings.SplitSeq(*pages, ",") {
		// which is redirected to its folder
		address := "http://" + site.address + "/" + strings.TrimSuffix(page, "index.html")
		for _, a := range agentNames {
			row, err := run.one(ctx, a.key, address)
			for try := 1; err != nil && try < tries && ctx.Err() == nil; try++ {
				d.Status("%s on %s, again: %v", a.name, page, err)
				row, err = run.one(ctx, a.key, address)
			}
			if err != nil {
				return fmt.Errorf("agents: %s on %s: %w", a.name, page, err)
			}
			d.Say("| %s | %s %s | %s |", page, a.name, run.version(a.pkg), row)
		}
	}
	return nil
}

// agentRun is what the runs share.
type agentRun struct {
	d                                *setup.Dev
	modules, folder, program, vendor string
	n                                int
}

// own runs each agent behind the tap with a browser that it starts itself, without any other setting.
func (r *agentRun) own(ctx context.Context, page string) error {
	chrome, err := setup.ProbeChrome(ctx, r.d)
	if err != nil {
		return err
	}
	r.d.Say("| agent, with its own browser | its page is there | lines with their element |\n|---|---|---|")
	var missing []string
	for _, a := range agentNames {
		session, err := r.ask(ctx, a.key, page, "", "CHROME="+chrome)
		if err != nil {
			return fmt.Errorf("agents: %s with its own browser: %w", a.name, err)
		}
		// its exit status tells of findings too
		out, failed := r.d.Output(ctx, nil, r.env(), r.program, "doctor", session, "--json")
		var report struct {
			Paired bool
			Texts  []struct {
				Matched int
				Lines   []struct{}
			}
		}
		if err := json.Unmarshal([]byte(strings.Split(out, "\n")[0]), &report); err != nil {
			return errors.Join(failed, fmt.Errorf("%w: %s", err, out))
		}
		tied, lines := 0, 0
		for _, t := range report.Texts {
			tied, lines = tied+t.Matched, lines+len(t.Lines)
		}
		if !report.Paired {
			missing = append(missing, a.name)
		}
		r.d.Say("| %s %s | %v | %d of %d |", a.name, r.version(a.pkg), report.Paired, tied, lines)
	}
	if len(missing) > 0 {
		return fmt.Errorf("agents: %s: the page of its own browser is not there", strings.Join(missing, ", "))
	}
	return nil
}

// env are the variables of agents.
func (r *agentRun) env(more ...string) []string {
	return append([]string{"AGENTS=" + r.modules, "REFSCOPE_HOME=" + filepath.Join(r.folder, "home"),
		"OPENAI_API_KEY=none",
		"BROWSER_USE_LOGGING_LEVEL=error", "ANONYMIZED_TELEMETRY=false"}, more...)
}

// ask runs an agent behind the tap for one question about a page, and returns its session. address is the browser that
// it is handed, "" for one that it starts itself.
func (r *agentRun) ask(ctx context.Context, agent, page, address string, env ...string) (string, error) {
	r.n++
	session := filepath.Join(r.folder, fmt.Sprint("session-", r.n))
	argv := []string{"--quiet", "tap"}
	question := []string{"--", "node", filepath.Join(r.d.Root, "cmd", "dev", "agents", "ask.mjs"), agent, page}
	if address != "" {
		argv, question = append(argv, "--attach", address), append(question, address)
	}
	argv = append(argv, "-o", session, "--upstream", "openai=http://"+r.vendor)
	out, err := r.d.Output(ctx, nil, r.env(env...), r.program, append(argv, question...)...)
	if err != nil {
		return "", errors.Join(err, errors.New(out))
	}
	return session, nil
}

// one runs an agent on a page, in a browser of its own, and returns its row of the table.
func (r *agentRun) one(ctx context.Context, agent, page string) (string, error) {
	r.d.Status("%s on %s", agent, page)
	address, leave, err := r.chrome(ctx)
	if err != nil {
		return "", err
	}
	defer leave()
	session, err := r.ask(ctx, agent, page, address)
	if err != nil {
		return "", err
	}
	out, err := r.d.Output(ctx, nil, r.env(), r.program, "audit", session, "--as-sent", "--json")
	if err != nil {
		return "", errors.Join(err, errors.New(out))
	}
	var t struct { // what the table needs of refscopectl audit --as-sent --json
		Share    float64 `json:"share"`
		Seen     int     `json:"seen"`
		Told     int     `json:"told"`
		Text     share   `json:"text"`
		Controls share   `json:"controls"`
		Pictures share   `json:"pictures"`
		Unseen   []any   `json:"unseen"`
	}
	if err := json.Unmarshal([]byte(strings.Split(out, "\n")[0]), &t); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	text, err := r.d.Output(ctx, nil, r.env(), r.program, "snap", session+"#1", "--format", "sent")
	return fmt.Sprintf("%.1f %% (%d of %d) | %s | %s | %s | %d | %d", float64(int(t.Share*1000))/10, t.Told, t.Seen,
		t.Text, t.Controls, t.Pictures, len(t.Unseen), utf8.RuneCountInString(text)), err
}

// version is that of an npm package in the folder.
func (r *agentRun) version(pkg string) string {
	var about struct{ Version string }
	data, err := os.ReadFile(filepath.Join(r.modules, "node_modules", filepath.FromSlash(pkg), "package.json"))
	if err != nil || json.Unmarshal(data, &about) != nil {
		return ""
	}
	return about.Version
}

// chrome starts a browser with a window of 1280 x 800 px, and returns the address of its protocol.
func (r *agentRun) chrome(ctx context.Context) (address string, leave func(), err error) {
	return setup.StartChrome(ctx, r.d, r.folder, fmt.Sprint("profile-", r.n), "--window-size=1280,800")
}

// served is a server on a loopback port.
type served struct {
	address string // HOST:PORT
	close   func()
}

func serveOn(ctx context.Context, h http.Handler) (*served, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second}
	done := make(chan struct{})
	go func() {
		_ = s.Serve(l) // until close
		close(done)
	}()
	return &served{l.Addr().String(), func() {
		_ = s.Close() // nobody waits for an answer any more
		<-done
	}}, nil
}

// thinking is the time that a model takes: an agent that has its answer at once closes its page while that is read.
const thinking = 3 * time.Second

// emptyAnswer answers as a model that wants nothing done, in the dialects of the agents.
func emptyAnswer(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body) // what was asked is of no interest
	select {
	case <-time.After(thinking):
	case <-r.Context().Done():
		return
	}
	w.Header().Set("Content-Type", "application/json")
	body := `{"id":"x","object":"chat.completion","created":1,"model":"gpt-4o","choices":[{"index":0,` +
		`"finish_reason":"stop","message":{"role":"assistant","content":"Nothing."}}],` +
		`"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}`
	if strings.HasSuffix(r.URL.Path, "/responses") {
		body = `{"id":"r","object":"response","created_at":1,"status":"completed","model":"gpt-4o","output":[` +
			`{"type":"message","id":"m","role":"assistant","status":"completed","content":[` +
			`{"type":"output_text","text":"{\"elements\":[]}","annotations":[]}]}],` +
			`"usage":{"input_tokens":1,"output_tokens":1,"total_tokens":2,"input_tokens_details":` +
			`{"cached_tokens":0},"output_tokens_details":{"reasoning_tokens":0}}}`
	}
	_, _ = io.WriteString(w, body) // an agent that has gone needs no answer
}
