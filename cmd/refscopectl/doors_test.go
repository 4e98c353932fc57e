package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/cmd/refscopectl/cli"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/refscope/refscope/snapshot/testpages"
)

// secretFields is a page of fields whose values are withheld: empty ones, one character, words of the formats' own
// syntax, and words that the page's text has too.
const secretFields = `<!doctype html><title>Secrets</title><h1>Sign in to the page</h1><p>Your password is Go7-wald.
<form><label>Name <input name=n value="page"></label><label>Password <input type=password></label>
<label>Again <input type=password value="page"></label><label>Third <input type=password value='"'></label>
<label>Code <input autocomplete=one-time-code value="1"></label>
<label>Card <input autocomplete=cc-number value="4111 1111 1111 1111"></label>
<label>Security code <input autocomplete=cc-csc></label><button>Go</button></form>
<a href="/reset?token=abcdefgh12345678&amp;page=2">Reset</a><p>page, button, text, name, 1, true.`

// TestTheSameTextAtEveryDoor: a page is one text in a format, whoever asks for it: snap of an address, of a tab and of
// a turn, a snapshot step and one in MCP's run_steps, browse_snapshot, a payload, a task's request and the report; JSON
// can be read everywhere, and as much is withheld.
func TestTheSameTextAtEveryDoor(t *testing.T) {
	testneed.Long(t, "texts of every door")
	needChrome(t)
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "secret_fields.html"), []byte(secretFields), 0o600))
	pages := map[string][]string{dir: {"secret_fields.html"}}
	for _, kind := range testpages.Kinds() {
		for _, f := range testpages.Folders(t, kind) {
			switch names := f.Pages(t); {
			case os.Getenv("REFSCOPE_SLOW") != "":
				pages[f.Path] = names
			case f.Own && kind == testpages.Frames:
				pages[f.Path] = names[:1]
			}
		}
	}
	u := newGuest(t)
	for folder, names := range pages {
		srv := httptest.NewServer(http.FileServer(http.Dir(folder)))
		defer srv.Close()
		for _, name := range names {
			t.Run(name, func(t *testing.T) {
				d := &doors{user: u, t: t, url: srv.URL + "/" + name, session: "doors-" + strconv.Itoa(len(u.sessions()))}
				d.check()
			})
		}
	}
}

// sessions are the names of the sessions on the disk.
func (u *user) sessions() []string {
	list, err := filepath.Glob(filepath.Join(u.home, "sessions", "*"))
	require.NoError(u.t, err)
	return list
}

// doors are the ways to ask for the text of a page.
type doors struct {
	*user
	t            *testing.T
	url, session string
}

// out is what a command prints.
func (d *doors) out(args ...string) string {
	d.t.Helper()
	code, stdout, stderr := d.run(append([]string{"--quiet"}, args...)...)
	require.Zero(d.t, code, "%s: %s%s", args, stdout, stderr)
	return strings.TrimSuffix(stdout, "\n")
}

// check compares what the doors say of the page.
func (d *doors) check() {
	turn := d.session + "#1"
	tab := d.open(d.url)
	address := d.out("--attach", d.address(), "--session", d.session, "snap", d.url)
	texts := map[dump.Format]map[string]string{}
	for _, f := range format.Plain() {
		texts[f] = map[string]string{}
	}
	d.steps(texts)
	d.tools(texts)
	d.tasks(texts)
	d.report(texts)
	snaps := map[string]string{} // by what is asked of snap
	for f, said := range texts {
		flags := []string{"--format", string(f)}
		switch f {
		case format.WraithJSON: // snap has its timestamp
			flags = append(flags, "--volatile=false")
		case format.DDDK:
			said["snap of an address"] = address
		}
		said["snap of a tab"] = d.out(append([]string{"--attach", d.address(), "snap", tab}, flags...)...)
		said["payload"] = inChat(d.t, d.out("payload", turn, "--dialect", "openai-chat", "--dump", string(f)))
		for door, text := range said {
			more := flags
			covered := format.Setting("mark-covered")
			if strings.HasPrefix(door, "browse_") && covered.Knows(f) {
				more = append(slices.Clone(flags), "--mark-covered")
			}
			if f == format.Aria && strings.HasSuffix(door, "step") { // seed 7.1
				more = append(slices.Clone(flags), "--link-urls")
			}
			of := []string{"snap", turn}
			// A turn has the page's own names; who reads a page in this format reads Chrome's.
			if f == format.AX && door != "payload" && door != "report" {
				of = []string{"--attach", d.address(), "--session", d.session + "-names", "snap", d.url}
			}
			of = append(of, more...)
			key := strings.Join(of, " ")
			if _, ok := snaps[key]; !ok {
				snaps[key] = d.out(of...)
			}
			want := snaps[key]
			if door == "task" && f == format.Semantic {
				want = treeOf(d.t, want)
			}
			if plainNumbers(want) != plainNumbers(text) {
				at := firstDifference(want, text)
				d.t.Errorf("%s, %s: at %d want\n%.200s\ngot\n%.200s", f, door, at, want[at:], text[min(at, len(text)):])
			}
			if a, b := len(redact.Marks([]byte(want))), len(redact.Marks([]byte(text))); a != b {
				d.t.Errorf("%s, %s: %d texts are withheld, %d by snap", f, door, b, a)
			}
			if format.KindOf(f) == format.KindJSON && !json.Valid([]byte(text)) {
				d.t.Errorf("%s, %s: no JSON: %.200s", f, door, text)
			}
		}
	}
	d.out("--attach", d.address(), "run", `{"steps":[{"closeTab":"`+tab+`"}]}`)
}

// snapshotNumber is the number of a snapshot before a ref, which is each session's own.
// The MCP server spells a ref @e12, as in all it says.
var snapshotNumber = regexp.MustCompile(`(?:\bs\d+|@)(e\d+)\b`)

func plainNumbers(s string) string { return snapshotNumber.ReplaceAllString(s, "s1$1") }

// steps asks by one command of a snapshot step for each format.
func (d *doors) steps(texts map[dump.Format]map[string]string) {
	names := slices.Sorted(maps.Keys(texts))
	d.read("step", d.out("--attach", d.address(), "run", d.commands(names)), names, texts)
}

// commands are the steps that open the page and print it in each format.
func (d *doors) commands(names []dump.Format) string {
	steps := []any{map[string]any{"openTab": d.url}}
	for _, f := range names {
		p := map[string]any{"format": f, "inlineLimit": 100_000_000}
		if f == format.Aria {
			p["root"] = "body"
		}
		steps = append(steps, map[string]any{"snapshot": p})
	}
	b, err := json.Marshal(map[string]any{"steps": append(steps, map[string]any{"closeTab": true})})
	require.NoError(d.t, err)
	return string(b)
}

// read notes the texts in the answer to [doors.commands].
func (d *doors) read(door, answer string, names []dump.Format, texts map[dump.Format]map[string]string) {
	var r struct {
		Steps []struct {
			Output struct{ YAML, Text string }
		}
	}
	require.NoError(d.t, json.Unmarshal([]byte(answer), &r), answer)
	require.Len(d.t, r.Steps, len(names)+2)
	for i, f := range names {
		o := r.Steps[i+1].Output
		texts[f][door] = o.YAML + o.Text
	}
}

// tools asks an MCP server, by its own tool and by steps.
func (d *doors) tools(texts map[dump.Format]map[string]string) {
	call, end := d.client("-tools")
	texts[format.DDDK]["browse_navigate"] = call("browse_navigate", map[string]any{"url": d.url, "format": "dddk"})
	for f, said := range texts {
		said["browse_snapshot"] = call("browse_snapshot", map[string]any{"format": f})
	}
	names := slices.Sorted(maps.Keys(texts))
	var command map[string]any
	require.NoError(d.t, json.Unmarshal([]byte(d.commands(names)), &command))
	end()
	call, end = d.client("-steps") // its session begins to count at 1 too
	d.read("run_steps step", call("run_steps", command), names, texts)
	end()
}

// client is a client of an MCP server with a session of its own: what calls its tools, and what ends it.
func (d *doors) client(session string) (call func(name string, args map[string]any) string, end func()) {
	c := sdk.NewClient(&sdk.Implementation{Name: "go-test", Version: "1"}, nil)
	cs, err := c.Connect(d.t.Context(), &sdk.CommandTransport{
		Command: d.command("mcp", "--session", d.session+session, "--attach", d.address()),
	}, nil)
	require.NoError(d.t, err)
	return func(name string, args map[string]any) string {
		res, err := cs.CallTool(d.t.Context(), &sdk.CallToolParams{Name: name, Arguments: args})
		require.NoError(d.t, err)
		text := res.Content[len(res.Content)-1].(*sdk.TextContent).Text
		require.False(d.t, res.IsError, text)
		return text
	}, func() { _ = cs.Close() }
}

// tasks has a task of each mode whose endpoint only looks at the request.
func (d *doors) tasks(texts map[dump.Format]map[string]string) {
	for mode, f := range map[string]dump.Format{"semantic": format.Semantic, "skeleton": format.Skeleton, "full": format.Full} {
		var q struct {
			DOM, SkeletonDOM string
			InteractiveTree  json.RawMessage
		}
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
				d.t.Error(err)
			}
			fmt.Fprint(w, `{"status":"completed","thought":"done"}`)
		}))
		d.out("--attach", d.address(), "task", "--endpoint", srv.URL, "--query", "Look", "--mode", mode, d.url)
		srv.Close()
		switch {
		case f != format.Semantic:
			texts[f]["task"] = q.DOM + q.SkeletonDOM
		case q.InteractiveTree == nil: // where nothing can be operated, the first request is in another mode
			texts[format.Skeleton]["task of a page to read"] = q.SkeletonDOM
		default:
			texts[f]["task"] = string(q.InteractiveTree)
		}
	}
}

// reportDump is a dump of a report, and reportTag a tag in it.
var (
	reportDump = regexp.MustCompile(`(?s)<b>([a-z-]+)</b> <span class="soft">[^\n]*</summary>\s*(?:<p class="remark[^\n]*\n)?<pre [^>]*>(.*?)</pre>`)
	reportTag  = regexp.MustCompile(`<[^>]*>`)
)

// report reads the dumps out of a report of the session.
func (d *doors) report(texts map[dump.Format]map[string]string) {
	file := filepath.Join(d.t.TempDir(), "report.html")
	names := slices.Sorted(maps.Keys(texts))
	d.out("session", "report", d.session, "-o", file, "--formats", strings.Join(cli.Strings(names), ","))
	page, err := os.ReadFile(file)
	require.NoError(d.t, err)
	for _, m := range reportDump.FindAllStringSubmatch(string(page), -1) {
		texts[dump.Format(m[1])]["report"] = html.UnescapeString(reportTag.ReplaceAllString(m[2], ""))
	}
	for _, f := range names {
		require.Contains(d.t, texts[f], "report")
	}
}

// treeOf is the list of elements in the format semantic, without white space.
func treeOf(t *testing.T, text string) string {
	var page struct {
		Tree json.RawMessage `json:"interactive_tree"`
	}
	require.NoError(t, json.Unmarshal([]byte(text), &page), text)
	var b bytes.Buffer
	require.NoError(t, json.Compact(&b, page.Tree))
	return b.String()
}

// inChat is the page's text in the body of a chat.
func inChat(t *testing.T, body string) string {
	var b struct {
		Messages []struct {
			Role    string
			Content json.RawMessage
		}
	}
	require.NoError(t, json.Unmarshal([]byte(body), &b), body)
	last := b.Messages[len(b.Messages)-1].Content
	var parts []struct{ Text string }
	var text string
	if json.Unmarshal(last, &text) == nil {
		return text
	}
	require.NoError(t, json.Unmarshal(last, &parts))
	return parts[0].Text
}
