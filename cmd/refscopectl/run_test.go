package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/registry"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/stretchr/testify/require"
)

// chrome is the browser of the commands that run in this process: see ctl.
var chrome chrometest.Chrome

// The test binary is also the program, for tests of several processes.
func TestMain(m *testing.M) {
	if os.Getenv("REFSCOPECTL_PROGRAM") != "" {
		main()
	}
	if os.Getenv(agentVariable) != "" {
		os.Exit(tappedAgent(os.Args[1]))
	}
	self, err := os.Executable()
	if err == nil { // the settings of whoever runs the tests change nothing: there are none beside the test program
		err = os.Setenv("XDG_CONFIG_HOME", filepath.Join(filepath.Dir(self), "settings"))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(chrome.Main(m))
}

// user is one user of the program, with a home and a browser port of their own.
type user struct {
	t    testing.TB
	home string
	dir  string // the working folder
	port string
	env  []string
}

func newUser(t testing.TB) *user {
	t.Helper()
	needChrome(t)
	home, err := os.MkdirTemp("", "ctl")
	require.NoError(t, err)
	u := &user{t: t, home: home, dir: t.TempDir(), port: freePort(t)}
	tmp, err := os.MkdirTemp("", "tmp") // t.TempDir has the name of the test, and may be too long for Chrome's socket
	require.NoError(t, err)
	// A browser's helpers may still write when it has ended, and when it was killed.
	t.Cleanup(func() {
		gone := func() bool { return os.RemoveAll(home) == nil && os.RemoveAll(tmp) == nil }
		require.Eventually(t, gone, time.Minute, 20*time.Millisecond)
	})
	u.env = append(os.Environ(), "REFSCOPECTL_PROGRAM=1", "REFSCOPE_HOME="+u.home, "TMPDIR="+tmp,
		`REFSCOPE_CHROME_FLAGS="host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"`)
	t.Cleanup(func() {
		code, _, stderr := u.run("--quiet", "browser", "close")
		if code != 0 {
			t.Log("closing the browser:", stderr)
		}
	})
	return u
}

// newGuest is a user whose browser is the one of all tests, as if run had left it at their home: they start none. A
// test of how a browser starts, ends, keeps files or is found wants a newUser. What a guest leaves in it, tabs and
// cookies, is gone with the test.
func newGuest(t testing.TB) *user {
	t.Helper()
	needChrome(t)
	b := chrome.Browser(t)
	plain := chrometest.DialPlain(t, b)
	before, err := b.Tabs(chrometest.Context(t))
	require.NoError(t, err)
	t.Cleanup(func() { // when their broker has ended: see newUser
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		after, err := b.Tabs(ctx)
		require.NoError(t, err)
		for _, tab := range after {
			if !slices.ContainsFunc(before, func(old browser.TabInfo) bool { return old.ID == tab.ID }) {
				require.NoError(t, b.CloseTab(ctx, tab.ID))
			}
		}
		require.NoError(t, plain.Call(ctx, "", "Storage.clearCookies", nil, nil))
	})
	u := newUser(t)
	lend(t, u.home)
	_, u.port, err = net.SplitHostPort(chromeAddress(t))
	require.NoError(t, err)
	t.Cleanup(func() { // before what the user has started is closed
		require.NoError(t, registry.Open(u.home).Forget(u.address()))
	})
	return u
}

func (u *user) command(args ...string) *exec.Cmd {
	self, err := os.Executable()
	require.NoError(u.t, err)
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	u.t.Cleanup(cancel)
	c := exec.CommandContext(ctx, self, args...)
	c.Env, c.Dir = u.env, u.dir
	return c
}

func (u *user) run(args ...string) (code int, stdout, stderr string) {
	c := u.command(args...)
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	_ = c.Run()                                      // the exit code says it
	if code = c.ProcessState.ExitCode(); code != 0 { // what a test that fails is to tell
		u.t.Logf("%q: exit %d: %.2000s%.2000s", args, code, out.String(), errs.String())
	}
	return code, out.String(), errs.String()
}

// reply is what tests read of an answer.
type reply struct {
	Status, Tab, Note, ViewportSnapshot string
	Error                               struct{ Type, Message string }
	Changes                             *struct{ Summary string }
	ActionRequired                      *struct{ Action, Domain string }
	SiteProfile                         string
	Steps                               []struct {
		Action, Status, Error string
		Output, Observation   json.RawMessage
	}
}

// steps runs a command in the user's own browser and reads its answer.
func (u *user) steps(flags []string, input string) reply {
	u.t.Helper()
	code, stdout, stderr := u.run(append(append([]string{"--quiet", "--attach", u.address()}, flags...), input)...)
	var r reply
	require.NoError(u.t, json.Unmarshal([]byte(stdout), &r), "%s %s", stdout, stderr)
	require.Equal(u.t, r.Status == "ok", code == 0, stdout)
	require.Contains(u.t, []int{0, 1}, code)
	return r
}

func (u *user) address() string { return net.JoinHostPort("127.0.0.1", u.port) }

// open opens a tab and gives its alias.
func (u *user) open(url string, flags ...string) string {
	u.t.Helper()
	r := u.steps(flags, fmt.Sprintf(`{"steps":[{"openTab":%q}]}`, url))
	require.Equal(u.t, "ok", r.Status, r)
	require.True(u.t, registry.IsAlias(r.Tab), r.Tab)
	return r.Tab
}

// observe is what a function gives in the tab, by a hover that does nothing.
func (u *user) observe(tab, fn string, flags ...string) string {
	u.t.Helper()
	r := u.steps(flags, fmt.Sprintf(`{"tab":%q,"steps":[{"hover":{"selector":"body","force":true,"observe":%q}}]}`, tab,
		fn))
	require.Equal(u.t, "ok", r.Status, r)
	return string(r.Steps[0].Observation)
}

func (u *user) brokerStatus() (st struct {
	Broker *struct{ PID, Tabs, Browsers, Served int }
}) {
	u.t.Helper()
	code, stdout, stderr := u.run("browser", "status", "--json")
	require.Equal(u.t, 0, code, stderr)
	require.NoError(u.t, json.Unmarshal([]byte(stdout), &st))
	return st
}

// site serves one page and tells of every request for /at/NAME.
func site(t testing.TB, html string) (url string, at chan string) {
	at = make(chan string, 1000)
	return chrometest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if name, ok := strings.CutPrefix(r.URL.Path, "/at/"); ok {
			at <- name
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<!doctype html><title>Site</title>"+html)
	})), at
}

func TestATabOutlivesTheCommand(t *testing.T) {
	u := newUser(t)
	url, _ := site(t, `<button onclick="document.body.append('Done')">Go</button>`)
	tab := u.open(url)
	require.Equal(t, "t1", tab)
	r := u.steps(nil, `{"tab":"t1","steps":[{"click":"button"}]}`)
	require.Equal(t, "ok", r.Status, r)
	require.Contains(t, r.Changes.Summary, "1 added")
	st := u.brokerStatus()
	require.NotNil(t, st.Broker)
	require.Equal(t, 1, st.Broker.Tabs)
	require.Equal(t, 2, st.Broker.Served)
	// The same page as the command before has left it is not read again; nothing changed.
	r = u.steps(nil, `{"tab":"t1","steps":[{"hover":"button"}]}`)
	require.Nil(t, r.Changes)
	// A command without the broker finds the same tab and the same page.
	require.JSONEq(t, `"GoDone"`, u.observe("t1", "() => document.body.innerText.replace(/\\s/g, '')", "--no-broker"))

	r = u.steps(nil, `{"steps":[{"listTabs":true}]}`)
	require.Contains(t, string(r.Steps[0].Output), `"tab":"t1"`)
	r = u.steps(nil, `{"steps":[{"chromeStatus":{"autoLaunch":false}}]}`)
	require.Contains(t, string(r.Steps[0].Output), `"running":true,"version":"`)
	r = u.steps(nil, `{"steps":[{"connectTab":{"url":"^http://127.*/$"}},{"hover":"button"}]}`)
	require.Equal(t, "t1", r.Tab, r)

	r = u.steps(nil, `{"tab":"t1","steps":[{"closeTab":true}]}`)
	require.Equal(t, "ok", r.Status, r)
	r = u.steps(nil, `{"tab":"t1","steps":[{"click":"button"}]}`)
	require.Equal(t, "CONNECTION", r.Error.Type)
	require.Equal(t, "t1: there is no tab with that alias: listTabs lists the tabs", r.Error.Message)
	require.Equal(t, "t2", u.open(url), "an alias is never used again")
	r = u.steps(nil, `{"tab":"t2","steps":[{"hover":"button"},{"closeTab":"t2"}]}`)
	require.Equal(t, "ok", r.Status, r)
	require.Empty(t, r.Note)

	code, stdout, _ := u.run("browser", "close")
	require.Equal(t, 0, code)
	require.Equal(t, "closed "+u.address()+"\n", stdout)
	r = u.steps(nil, `{"steps":[{"listTabs":true}]}`)
	require.Contains(t, r.Steps[0].Error, "no browser answers at "+u.address())
	r = u.steps(nil, `{"steps":[{"chromeStatus":{"autoLaunch":false}}]}`)
	require.Contains(t, string(r.Steps[0].Output), `"running":false`)
}

// In a browser that was not started here nothing is touched but what was requested.
func TestAForeignBrowserIsLeftAsItIs(t *testing.T) { // C-2
	u := newUser(t)
	foreign, err := browser.Start(t.Context(), browser.Options{Flags: chrometest.Flags(), Width: 1111, Height: 555})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, foreign.Close()) })
	at := strings.TrimPrefix(foreign.Endpoint(), "ws://")
	at, _, _ = strings.Cut(at, "/")
	_, port, err := net.SplitHostPort(at)
	require.NoError(t, err)
	u.port = port

	url, _ := site(t, `<p>theirs`)
	plain := chrometest.DialPlain(t, foreign)
	var made struct {
		TargetID string `json:"targetId"`
	}
	require.NoError(t, plain.Call(t.Context(), "", "Target.createTarget",
		map[string]any{"url": url, "width": 777, "height": 444, "newWindow": true}, &made))
	require.Eventually(t, func() bool {
		list, err := foreign.Tabs(t.Context())
		for _, tab := range list {
			if tab.ID == made.TargetID && tab.Title == "Site" {
				return err == nil
			}
		}
		return false
	}, time.Minute, 20*time.Millisecond)
	before, err := foreign.Tabs(t.Context())
	require.NoError(t, err)

	session, err := plain.Attach(t.Context(), made.TargetID)
	require.NoError(t, err)
	var width, seen int
	require.NoError(t, plain.Eval(t.Context(), session, "innerWidth", &width))
	require.NotEqual(t, 1280, width)
	r := u.steps(nil,
		`{"steps":[{"connectTab":{"url":"^http://127"}},{"hover":{"selector":"p","observe":"() => innerWidth"}}]}`)
	require.Equal(t, "ok", r.Status, r)
	require.NoError(t, json.Unmarshal(r.Steps[1].Observation, &seen))
	require.Equal(t, width, seen, "its viewport was changed")
	require.Equal(t, 0, u.brokerStatus().Broker.Tabs, "a tab of others is not kept")
	require.Contains(t, string(r.Steps[0].Output), `"attachedTo":"`+u.address()+`"`)
	r = u.steps(nil, `{"steps":[{"chromeStatus":true}]}`)
	require.Contains(t, string(r.Steps[0].Output), `"attachedTo":"`+u.address()+`"`)

	own := u.open(url)
	require.JSONEq(t, "1280", u.observe(own, "() => innerWidth"))
	r = u.steps(nil, fmt.Sprintf(`{"steps":[{"closeTab":%q}]}`, own))
	require.Equal(t, "ok", r.Status, r)
	after, err := foreign.Tabs(t.Context())
	require.NoError(t, err)
	require.ElementsMatch(t, before, after)
	require.NoError(t, plain.Eval(t.Context(), session, "innerWidth", &seen))
	require.Equal(t, width, seen)

	code, _, stderr := u.run("browser", "close", u.address())
	require.Equal(t, 1, code)
	require.Contains(t, stderr, "was not started by refscopectl")
	require.NoError(t, plain.Eval(t.Context(), session, "innerWidth", &seen))
}

// Steps open an .html file as snap does, below the folders that --files opens to them, and it can be loaded
// again by a later command.
func TestStepsOpenLocalPages(t *testing.T) {
	u := newGuest(t)
	write := func(name, text string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(u.dir, name)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(u.dir, name), []byte(text), 0o600))
	}
	write("site/page.html", `<!doctype html><title>Mine</title><script src=own.js></script>`)
	write("site/own.js", `document.title += " loaded"`)
	write("outside.html", `<!doctype html><title>Other</title>`)
	open := `{"steps":[{"openTab":"site/page.html"}]}`
	r := u.steps(nil, open)
	require.Contains(t, r.Steps[0].Error, "--files DIR")
	require.Contains(t, u.steps([]string{"run", "--files", "site"}, `{"steps":[{"openTab":"outside.html"}]}`).Steps[0].Error, "--files")

	r = u.steps([]string{"run", "--files", "site"}, open)
	require.Equal(t, "ok", r.Status, r)
	require.Contains(t, string(r.Steps[0].Output), `"title":"Mine loaded"`)
	require.NotContains(t, string(r.Steps[0].Output), "attachedTo", "the browser was started from this home")
	r = u.steps([]string{"run", "--files", "site"}, fmt.Sprintf(`{"tab":%q,"steps":[{"reload":true},{"goto":"./site/page.html"}]}`, r.Tab))
	require.Equal(t, "ok", r.Status, r)
	require.Contains(t, string(r.Steps[1].Output), "http://127.0.0.1:")
}

// Hash ids that snap has printed name their elements in steps (D-12), and --since knows every turn of the tab's
// session, by number and by name (S-10).
func TestWhatSnapPrintsIsKnownAfterwards(t *testing.T) {
	u := newGuest(t)
	url, _ := site(t, `<p>Text</p><button onclick="document.body.append('Wrong')">One</button>
		<button onclick="document.body.append('Right')">Two</button>`)
	tab := u.open(url)
	snap := func(args ...string) string {
		code, stdout, stderr := u.run(append([]string{"--quiet", "snap", tab}, args...)...)
		require.Zero(t, code, stderr)
		return stdout
	}
	m := regexp.MustCompile(`(\[e[0-9a-z]{4}\])<button>Two`).FindStringSubmatch(snap("--ids", "hash"))
	require.NotNil(t, m)
	var shown struct{ Turns []json.RawMessage }
	code, stdout, stderr := u.run("--json", "session", "show", tab)
	require.Zero(t, code, stderr)
	require.NoError(t, json.Unmarshal([]byte(stdout), &shown))
	before := len(shown.Turns)
	r := u.steps(nil, fmt.Sprintf(`{"tab":%q,"steps":[{"click":%q}]}`, tab, m[1]))
	require.Equal(t, "ok", r.Status, r)
	require.Contains(t, snap(), "Right")

	require.NotContains(t, snap("--format", "aria", "--since", strconv.Itoa(before)), "unchanged")
	require.Contains(t, snap("--format", "aria", "--since", strconv.Itoa(before+1)), `"unchanged":true`)
	require.Contains(t, snap("--format", "aria", "--since", fmt.Sprintf("%s#%d", tab, before+1)), `"unchanged":true`)
	u.steps(nil, fmt.Sprintf(`{"tab":%q,"steps":[{"reload":true}]}`, tab))
	reloaded := snap("--format", "aria", "--since", strconv.Itoa(before))
	require.Contains(t, reloaded, `"refsChanged":true`, "the same page, loaded anew")
	code, _, stderr = u.run("snap", url, "--format", "aria", "--since", "1")
	require.Equal(t, 2, code)
	require.Contains(t, stderr, "belongs to no session")
}

// --stamp and --debug-surface write into a tab that stays, with the session's numbers, in every door (D-11, S-15).
func TestWritesIntoThePageStay(t *testing.T) {
	u := newGuest(t)
	url, _ := site(t, `<p>Text</p><button>One</button>`)
	const read = `() => (document.querySelector('button').dataset.llmId || 'none') + ' ' +
		typeof (window.__dddkDebug || {}).lastDom + ' ' + ((window.__dddkDebug || {}).lastIndexMap || new Map()).size`
	r := u.steps([]string{"run", "--stamp", "--debug-surface"}, fmt.Sprintf(
		`{"steps":[{"openTab":"about:blank"},{"goto":%q},{"pageFunction":%q}]}`, url, read))
	require.Equal(t, "ok", r.Status, r)
	require.Contains(t, string(r.Steps[2].Output), "none undefined 0", "the page was not written to before the end")
	tab := r.Tab
	page := func() string { return u.observe(tab, read) }
	require.Regexp(t, `^"[1-9]\d* string [1-9]`, page())
	ref, _, _ := strings.Cut(strings.Trim(page(), `"`), " ")
	code, stdout, stderr := u.run("--quiet", "snap", tab)
	require.Zero(t, code, stderr)
	require.Contains(t, stdout, "["+ref+"]<button>One", "the stamp is the session's number")

	code, _, stderr = u.run("--attach", u.address(), "snap", "--keep", "--stamp", url)
	require.Zero(t, code, stderr)
	m := regexp.MustCompile(`tab (t\d+)`).FindStringSubmatch(stderr)
	require.NotNil(t, m, stderr)
	tab = m[1]
	require.Regexp(t, `^"[1-9]\d* undefined 0`, page())
	require.NotContains(t, stderr, "--keep")
	code, _, stderr = u.run("turn", "--debug-surface", tab, "--session", "s")
	require.Zero(t, code, stderr)
	require.Regexp(t, `^"[1-9]\d* string [1-9]`, page())
	require.NotContains(t, stderr, "--keep")

	code, _, stderr = u.run("snap", "--stamp", url)
	require.Zero(t, code, stderr)
	require.Contains(t, stderr, "went with its tab: add --keep")
}

// Two commands in one tab wait for one another; in two tabs they do not disturb.
func TestCommandsInOneTabAreSerialized(t *testing.T) { // C-23, section 19.8
	testneed.Long(t, "many commands in one tab")
	u := newGuest(t)
	url, _ := site(t,
		`<script>window.log = []</script><button id=a onclick="log.push('a')">A</button><button id=b `+
			`onclick="log.push('b')">B</button>`)
	tab, other := u.open(url), u.open(url)
	require.NotEqual(t, tab, other)
	var work sync.WaitGroup
	for _, id := range []string{"a", "b"} {
		for _, flags := range [][]string{nil, {"--no-broker"}} {
			for _, in := range []string{tab, other} {
				work.Go(func() {
					click := fmt.Sprintf(`{"click":"#%s"}`, id)
					r := u.steps(flags, fmt.Sprintf(`{"tab":%q,"steps":[%s,%s,%s]}`, in, click, click, click))
					if r.Status != "ok" {
						t.Error(r)
					}
				})
			}
		}
	}
	work.Wait()
	for _, in := range []string{tab, other} {
		var log []string
		require.NoError(t, json.Unmarshal([]byte(u.observe(in, "() => log")), &log))
		require.Len(t, log, 12)
		for i := 0; i < len(log); i += 3 {
			require.Equal(t, []string{log[i], log[i], log[i]}, log[i:i+3], "%v", log)
		}
	}
}

func TestManyTabsAtOnce(t *testing.T) {
	testneed.Long(t, "many tabs")
	u := newGuest(t)
	url, _ := site(t, `<p>x`)
	const n = 10
	tabs := make(chan string, n)
	for range n {
		go func() {
			code, stdout, _ := u.run("--quiet", "--attach", u.address(), fmt.Sprintf(`{"steps":[{"openTab":%q}]}`, url))
			var r reply
			_ = json.Unmarshal([]byte(stdout), &r)
			if code != 0 {
				t.Error(stdout)
			}
			tabs <- r.Tab
		}()
	}
	seen := map[string]bool{}
	for range n {
		seen[<-tabs] = true
	}
	require.Len(t, seen, n)
	require.Equal(t, 1, u.brokerStatus().Broker.Browsers)
}

// inMidStep starts a command that never comes to its end, and gives it once its step runs.
func (u *user) inMidStep(tab string, at chan string, out *bytes.Buffer, flags ...string) *exec.Cmd {
	u.t.Helper()
	c := u.command(append(append([]string{"--quiet", "--attach", u.address()}, flags...),
		fmt.Sprintf(`{"tab":%q,"timeout":60000,"steps":[{"click":{"selector":"button","readyWhen":"() => { `+
			`fetch('/at/step'); return false }"}}]}`, tab))...)
	c.Stdout = out
	require.NoError(u.t, c.Start())
	<-at
	return c
}

func TestKilledInMidStep(t *testing.T) {
	testneed.Long(t, "programs killed in the middle of a step")
	for name, flags := range map[string][]string{"by the broker": nil, "alone": {"--no-broker"}} {
		t.Run(name, func(t *testing.T) {
			u := newGuest(t)
			url, at := site(t, `<button>Go</button>`)
			tab := u.open(url, flags...)
			c := u.inMidStep(tab, at, &bytes.Buffer{}, flags...)
			require.NoError(t, c.Process.Kill())
			_ = c.Wait()
			r := u.steps(flags, fmt.Sprintf(`{"tab":%q,"steps":[{"click":"button"}]}`, tab))
			require.Equal(t, "ok", r.Status, r)
		})
	}
}

func TestChromeKilledInMidStep(t *testing.T) {
	testneed.Long(t, "a Chrome killed in the middle of a step")
	for name, flags := range map[string][]string{"by the broker": nil, "alone": {"--no-broker"}} {
		t.Run(name, func(t *testing.T) {
			u := newUser(t)
			url, at := site(t, `<button>Go</button>`)
			tab := u.open(url, flags...)
			started := registry.Open(u.home).Browsers()[u.address()]
			require.NotZero(t, started.PID)
			var out bytes.Buffer
			c := u.inMidStep(tab, at, &out, flags...)
			p, err := os.FindProcess(started.PID)
			require.NoError(t, err)
			require.NoError(t, p.Kill())
			require.Error(t, c.Wait())
			require.Equal(t, 1, c.ProcessState.ExitCode())
			require.Contains(t, out.String(), "the browser is gone")
			require.True(t, json.Valid(out.Bytes()))

			r := u.steps(flags, fmt.Sprintf(`{"tab":%q,"steps":[{"click":"button"}]}`, tab))
			require.Equal(t, "CONNECTION", r.Error.Type, r)
			require.Contains(t, r.Error.Message, "openTab")
			again := u.open(url, flags...)
			require.NotEqual(t, tab, again)
			r = u.steps(flags, fmt.Sprintf(`{"tab":%q,"steps":[{"click":"button"}]}`, again))
			require.Equal(t, "ok", r.Status, r)
		})
	}
}

func TestBrokerKilledInMidStep(t *testing.T) {
	u := newGuest(t)
	url, at := site(t, `<button>Go</button>`)
	tab := u.open(url)
	st := u.brokerStatus()
	var out bytes.Buffer
	c := u.inMidStep(tab, at, &out)
	p, err := os.FindProcess(st.Broker.PID)
	require.NoError(t, err)
	require.NoError(t, p.Signal(syscall.SIGKILL))
	require.Error(t, c.Wait())
	require.Contains(t, out.String(), `"type":"CONNECTION"`)
	require.Contains(t, out.String(), "which of the steps were done is not known")
	r := u.steps(nil, fmt.Sprintf(`{"tab":%q,"steps":[{"click":"button"}]}`, tab))
	require.Equal(t, "ok", r.Status, r)
	require.NotEqual(t, st.Broker.PID, u.brokerStatus().Broker.PID)
}

func TestProfilesComeWithNavigation(t *testing.T) { // C-17
	u := newGuest(t)
	url, _ := site(t, `<p>x`)
	r := u.steps(nil, fmt.Sprintf(`{"steps":[{"openTab":%q}]}`, url))
	require.NotNil(t, r.ActionRequired)
	domain := r.ActionRequired.Domain
	r = u.steps(nil, fmt.Sprintf(`{"steps":[{"readSiteProfile":%q}]}`, url))
	require.JSONEq(t, fmt.Sprintf(`{"found":false,"domain":%q}`, domain), string(r.Steps[0].Output))
	text := "# site\n\n## Quirks\n- none\n"
	r = u.steps(nil, fmt.Sprintf(`{"steps":[{"writeSiteProfile":{"domain":%q,"content":%q}}]}`, domain, "first\n"))
	require.Equal(t, "ok", r.Status, r)
	r = u.steps(nil,
		fmt.Sprintf(`{"steps":[{"writeSiteProfile":{"domain":%q,"content":%q}},{"readSiteProfile":{"domain":%q}}]}`, domain,
			text, domain))
	require.JSONEq(t, fmt.Sprintf(`{"written":true,"domain":%q,"path":%q}`, domain,
		filepath.Join(u.home, "profiles", domain+".md")), string(r.Steps[0].Output))
	require.JSONEq(t, fmt.Sprintf(`{"found":true,"domain":%q,"content":%q}`, domain, text), string(r.Steps[1].Output))
	r = u.steps(nil, fmt.Sprintf(`{"tab":"t1","steps":[{"goto":%q}]}`, url))
	require.Equal(t, text, r.SiteProfile)
	r = u.steps(nil, `{"steps":[{"connectTab":"t1"}]}`)
	require.Equal(t, text, r.SiteProfile)
	history, err := filepath.Glob(filepath.Join(u.home, "profiles", ".history", "*", "*"))
	require.NoError(t, err)
	require.Len(t, history, 1, "the text that was replaced")
}

func TestDebugWritesWhatWasDone(t *testing.T) { // seed 17.5
	u := newGuest(t)
	url, _ := site(t, `<input type=password>`)
	u.open(url, "--debug")
	input := `{"tab":"t1","steps":[{"fill":{"selector":"input","value":"hunter2-secret"}},{"hover":"input"},` +
		`{"hover":"input"},{"hover":"input"}]}`
	code, stdout, stderr := u.run("--quiet", "--attach", u.address(), input, "--debug")
	require.Equal(t, 0, code, stdout+stderr)
	_, _, _ = u.run("--quiet", `{"steps":[{"clik":"hunter2-secret"}]}`, "--debug")
	files, err := os.ReadDir(filepath.Join(u.dir, "log"))
	require.NoError(t, err)
	var names []string
	for _, f := range files {
		names = append(names, f.Name())
		b, err := os.ReadFile(filepath.Join(u.dir, "log", f.Name()))
		require.NoError(t, err)
		require.NotContains(t, string(b), "hunter2-secret")
		var entry struct {
			Timestamp         time.Time
			Request, Response json.RawMessage
		}
		require.NoError(t, json.Unmarshal(b, &entry))
		require.NotEmpty(t, entry.Request)
		require.NotEmpty(t, entry.Response)
	}
	require.Equal(t, []string{"001-t1-openTab.ok.json", "002-t1-fill-hover-hover-plus1.ok.json", "003-invalid.error.json"},
		names)
}

func TestMetricsHaveALineForEachRun(t *testing.T) { // seed 17.6
	name := filepath.Join(t.TempDir(), "new", "m.jsonl")
	t.Setenv("CDP_METRICS_FILE", name)
	code, stdout, _ := ctl(t, `{"steps":[]}`)
	require.Equal(t, 1, code)
	b, err := os.ReadFile(name)
	require.NoError(t, err)
	var line struct {
		TS     time.Time `json:"ts"`
		Input  int       `json:"input_bytes"`
		Output int       `json:"output_bytes"`
		Steps  *int      `json:"steps"`
		Time   *int      `json:"time_ms"`
	}
	require.NoError(t, json.Unmarshal(b, &line))
	require.Equal(t, 12, line.Input)
	require.Equal(t, len(stdout)-1, line.Output)
	require.NotNil(t, line.Steps)
	require.NotNil(t, line.Time)
	require.NoError(t, os.Remove(name))
	ctl(t, `{"steps":[{"readSiteProfile":{"domain":"a.example"}},{"closeTab":"t99"}]}`)
	b, err = os.ReadFile(name)
	require.NoError(t, err)
	require.Contains(t, string(b), `"actions":[{"action":"readSiteProfile","status":"ok"},{"action":"closeTab","status":"error"`)
}

func TestHelpOfAStep(t *testing.T) {
	for _, args := range [][]string{{"run", "--help", "click"}, {"run", "click", "--help"}, {"run", "--step", "click"}} {
		code, stdout, stderr := ctl(t, args...)
		require.Equal(t, 0, code, stderr)
		require.Contains(t, stdout, "click: ")
		require.Contains(t, stdout, `{"click":`)
	}
	code, stdout, _ := ctl(t, "run", "--help", "domtoolClick")
	require.Equal(t, 0, code)
	for _, want := range []string{ // type, message of a missing one, choices, bounds
		"nodeId           string or number the node_id [required; name the node_id of a domtoolSnapshot]\n",
		"button           string           mouse button; left [left | middle | right]\n",
		"timeout          number           how long to wait for the element; 5000 [0 ms or more]\n",
	} {
		require.Contains(t, stdout, want)
	}
	_, stdout, _ = ctl(t, "run", "--help", "domtoolType")
	require.Contains(t, stdout, "what to type [required; never shown or kept]")
	code, stdout, _ = ctl(t, "run", "--help", "all")
	require.Equal(t, 0, code)
	require.Contains(t, stdout, "openTab")
	code, _, stderr := ctl(t, "run", "--help", "clik")
	require.Equal(t, 2, code)
	require.Contains(t, stderr, `unknown step "clik"`)
	code, stdout, _ = ctl(t, "run", "--help")
	require.Equal(t, 0, code)
	require.Contains(t, stdout, "-step")
}

func TestWhereTheInputComesFrom(t *testing.T) { // seed 18.6
	self, err := os.Executable()
	require.NoError(t, err)
	start := func(stdin *os.File, args ...string) (code int, stdout, stderr string) {
		c := exec.CommandContext(t.Context(), self, args...)
		c.Env = append(os.Environ(), "REFSCOPECTL_PROGRAM=1", "REFSCOPE_HOME="+t.TempDir())
		var out, errs bytes.Buffer
		c.Stdin, c.Stdout, c.Stderr = stdin, &out, &errs
		_ = c.Run()
		return c.ProcessState.ExitCode(), out.String(), errs.String()
	}
	pipe := func(text string) *os.File {
		r, w, err := os.Pipe()
		require.NoError(t, err)
		_, err = w.WriteString(text)
		require.NoError(t, err)
		require.NoError(t, w.Close())
		return r
	}
	const input = `{"steps":[{"readSiteProfile":"example.org"}]}`
	for name, args := range map[string][]string{"run": {"run"}, "run -": {"run", "-"}, "no command": nil} {
		code, stdout, stderr := start(pipe(input), args...)
		require.Equal(t, 0, code, "%s: %s", name, stderr)
		require.Contains(t, stdout, `"found":false`, name)
	}
	code, stdout, _ := start(nil, "run") // the null device
	require.Equal(t, 1, code)
	require.Contains(t, stdout, `"type":"PARSE"`)
	require.Contains(t, stdout, "there is no input")
	code, _, stderr := start(pipe(""))
	require.Equal(t, 2, code)
	require.Contains(t, stderr, "no command")
	silent, w, err := os.Pipe() // a pipe that nobody writes to
	require.NoError(t, err)
	defer w.Close()
	code, stdout, _ = start(silent, "run")
	require.Equal(t, 1, code)
	require.Contains(t, stdout, "nothing came on standard input")
	code, stdout, _ = start(pipe("{"), "run")
	require.Equal(t, 1, code)
	require.Contains(t, stdout, `"type":"PARSE"`)
}
