package task_test

import (
	"bufio"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/agent/task"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/refscope/refscope/snapshot/turn"
)

// reference starts the reference endpoint as a person would and gives its address.
func reference(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "dev.exe")
	out, err := exec.Command("go", "build", "-o", program, "github.com/refscope/refscope/cmd/dev").CombinedOutput()
	require.NoError(t, err, string(out))
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, program, "endpoint", "-q")
	pipe, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		cancel()
		var ended *exec.ExitError
		if err := cmd.Wait(); err != nil && !errors.As(err, &ended) {
			t.Error(err)
		}
	})
	line, err := bufio.NewReader(pipe).ReadString('\n')
	require.NoError(t, err)
	return strings.TrimSpace(line)
}

// final looks into the page as a task has left it.
type final struct {
	t *testing.T
	c *snapshot.Capture
}

func (f final) node(name string) *snapshot.Node {
	for i := range f.c.Nodes {
		if n := &f.c.Nodes[i]; n.Ref > 0 && n.Tag != "label" && (n.Name == name || n.Name == "" && n.Text == name) {
			return n
		}
	}
	require.Fail(f.t, "nothing is called "+name)
	return nil
}

// says reports whether a text can be seen.
func (f final) says(text string) bool {
	for i := range f.c.Nodes {
		if n := &f.c.Nodes[i]; n.Visible && (strings.Contains(n.Text, text) || strings.Contains(n.Name, text)) {
			return true
		}
	}
	return false
}

// filled checks that each field has what its kind asks for. What the corpus says of a
// field (data-manual-scoring) was written by people who have nothing to do with us.
func (f final) filled(least int) func(*testing.T) {
	return func(t *testing.T) {
		n := 0
		for i := range f.c.Nodes {
			x := &f.c.Nodes[i]
			kind := x.Attr("data-manual-scoring")
			if x.Tag != "input" || !x.Visible || x.Ref == 0 || x.States.Is("disabled") || kind == "" {
				continue
			}
			switch kind {
			case "password", "password.new", "password.current":
				require.Equal(t, "[redacted: password]", x.Value, "%s %q", kind, x.Name)
			case "emailAddress":
				require.Contains(t, x.Value, "@", "%s %q", kind, x.Name)
			case "firstName":
				require.Equal(t, "Ada", x.Value, "%s %q", kind, x.Name)
			case "lastName":
				require.Equal(t, "Lovelace", x.Value, "%s %q", kind, x.Name)
			case "cardNumber", "cardSecurityCode":
				require.Contains(t, x.Value, "[redacted", "%s %q", kind, x.Name)
			default:
				continue
			}
			n++
		}
		require.GreaterOrEqual(t, n, least, "fields of a known kind")
	}
}

const cookieWall = `<!doctype html><html lang="en"><title>Wall</title><h1>Tea</h1><button onclick="this.after('Bought')">Buy</button>
<div id="wall" role="dialog" aria-label="Cookies" style="position:fixed;inset:0;background:#fff"><p>We use cookies.</p><button onclick="wall.remove()">Accept all</button> <button onclick="wall.remove()">Reject all</button></div>`

// TestReferenceEndpoint: the loop and the reference endpoint do twenty tasks on the demo
// site and on forms that nobody here wrote.
func TestReferenceEndpoint(t *testing.T) {
	endpoint := reference(t)
	demo := chrometest.Folder(t, filepath.Join("..", "..", "..", "assets", "demo"))
	wall := chrometest.Page(t, cookieWall)
	forms := ""
	if dir := filepath.Join("..", "..", "..", "..", "shared", "corpus", "forms"); exists(dir) {
		forms = chrometest.Folder(t, dir)
	} else {
		t.Log("no corpus beside the repository: the tasks on forms of others are left out")
	}
	is := func(name, state string, want bool) func(final) {
		return func(f final) { require.Equal(f.t, want, f.node(name).States.Is(state), name) }
	}
	form := func(least int) func(final) { return func(f final) { f.filled(least)(f.t) } }
	var done atomic.Int32
	t.Run("all", func(t *testing.T) {
		for _, x := range []struct {
			name, page, query string
			slow              bool
			check             func(final)
		}{
			{"checkout", demo + "index.html", `finish the checkout`, false, func(f final) {
				require.Contains(f.t, f.c.URL, "orders.html")
			}},
			{"cookies", demo + "index.html", `click "Only essential"`, true, func(f final) { require.False(f.t, f.says("A biscuit with your tea?")) }},
			{"basket", demo + "index.html", `click "Add Heron gooseneck kettle to the basket" until "is in your basket" appears`, false, func(f final) {
				// The message goes by itself, before a slow machine has captured the last turn; the count stays.
				require.True(f.t, f.says("Basket 3") || f.says("Basket 4"))
			}},
			{"filter", demo + "index.html", `click "Keyboards"`, true, is("Keyboards", "pressed", true)},
			{"keep", demo + "index.html", `click "Keep Slate 75 keyboard for later"`, true, is("Keep Slate 75 keyboard for later", "pressed", true)},
			{"search", demo + "index.html", `fill "Search the shop" with "kettle"; press Enter until the page changes`, false, func(f final) { require.Contains(f.t, f.c.URL, "q=kettle") }},
			{"tab", demo + "widgets.html", `click "Coffee" until "slow spiral" appears`, false, is("Coffee", "selected", true)},
			{"switch", demo + "widgets.html", `uncheck "Keep warm"`, false, is("Keep warm", "checked", false)},
			{"menu", demo + "widgets.html", `click "More"; uncheck "Child lock"`, true, is("Child lock", "checked", false)},
			{"popover", demo + "widgets.html", `click "What is oolong?"; click "Understood"`, true, func(f final) { require.False(f.t, f.says("Half-oxidised")) }},
			{"below the fold", demo + "orders.html", `check "Select order K-1041"`, false, is("Select order K-1041", "checked", true)},
			{"a log that grows", demo + "orders.html", `scroll "Workshop log"; scroll "Workshop log"`, true, func(f final) { require.True(f.t, f.says("K-1039")) }},
			{"a plain div", demo + "orders.html", `click "Print all four labels" until "Four labels printed" appears`, false, func(f final) { require.True(f.t, f.says("Four labels printed")) }},
			{"choices", demo + "checkout.html", `choose "Portugal" in "Country", then check "Wrap it as a gift", then uncheck "Bill to the same address"`, true, func(f final) {
				require.Equal(f.t, "Portugal", f.node("Country").Value)
				is("Wrap it as a gift", "checked", true)(f)
				is("Bill to the same address", "checked", false)(f)
			}},
			{"voucher", demo + "checkout.html", `fill "A line for the card" with "Happy birthday"; click "I have a voucher"; fill "Voucher" with "SPRING"`, true, func(f final) {
				require.Equal(f.t, "Happy birthday", f.node("A line for the card").Value)
				require.Equal(f.t, "SPRING", f.node("Voucher").Value)
			}},
			{"rendered anew", strings.Replace(endpoint, "/api/agent/interact", "/anew", 1), `click "Ask for a window" until "Done: Ask for a window" appears; click "Leave the queue" until "Done: Leave the queue" appears`, false,
				func(f final) { require.True(f.t, f.says("Done: Leave the queue")) }},
			{"behind a dialog", demo + "index.html", `click "Basket"; click "Keyboards"`, true, is("Keyboards", "pressed", true)},
			{"behind a cookie wall", wall, `click "Buy" until "Bought" appears`, false, func(f final) { require.True(f.t, f.says("Bought")) }},
			{"sign up at ebay", forms + "ebay_signup.html", `fill the form`, false, form(4)},
			{"change a password", forms + "github_change-password.html", `fill the form`, true, form(3)},
			{"sign up at instagram", forms + "instagram_signup.html", `fill the form`, true, form(1)},
			{"sign up at espn", forms + "espn_signup.html", `fill the form`, true, form(4)},
			{"sign up at britannica", forms + "britannica_signup.html", `fill the form`, true, form(4)},
			{"log in at kleinanzeigen", forms + "kleinanzeigen_login.html", `fill the form`, false, form(1)},
		} {
			t.Run(x.name, func(t *testing.T) {
				if !strings.HasPrefix(x.page, "http") {
					testneed.Extra(t, "no corpus")
				}
				if x.slow && os.Getenv("REFSCOPE_SLOW") == "" {
					testneed.Extra(t, "set REFSCOPE_SLOW=1 to run all tasks")
				}
				t.Parallel() // most of it is waiting
				store, err := turn.Create(t.Context(), turn.Dir(t.TempDir()+"/s"), "test")
				require.NoError(t, err)
				defer store.Close()
				var log strings.Builder
				out, err := task.Run(chrometest.Context(t), chrome.Open(t, x.page), task.Options{
					Endpoint: endpoint, Query: x.query, Store: store, SessionID: "s", NoPicture: true, MaxTime: 90 * time.Second,
					Settle:   session.Settle{Quiet: 100 * time.Millisecond, Network: 100 * time.Millisecond, Max: time.Second},
					Progress: func(e task.Event) { log.WriteString(e.Kind + " " + e.Text + "\n") },
				})
				require.NoError(t, err)
				whole(t, store)
				require.True(t, out.OK(), "%+v\n%s", out, &log)
				rec, err := store.Load(t.Context(), out.Turns[len(out.Turns)-1])
				require.NoError(t, err)
				x.check(final{t, rec.Capture})
				if x.name == "rendered anew" {
					require.NotEmpty(t, out.Healed, "%s", &log)
				}
				done.Add(1)
			})
		}
	})
	t.Logf("%d tasks were done against the reference endpoint", done.Load())
}

func exists(dir string) bool {
	_, err := os.Stat(dir)
	return !errors.Is(err, fs.ErrNotExist)
}
