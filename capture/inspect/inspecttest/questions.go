// Package inspecttest has sessions that were saved, and questions about them that every door answers: the commands, the
// resources of the MCP server and the rooms of the window.
//
// [Save] makes the sessions, [Questions] is the table. Each door has a test over all of it: what it says holds what
// [Question.Want] says, which asks the layer below.
package inspecttest

import (
	"bytes"
	"context"
	"encoding/json"
	"image"
	"image/png"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/capture/inspect"
	"github.com/refscope/refscope/capture/target"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/audit"
	"github.com/refscope/refscope/snapshot/diff"
	"github.com/refscope/refscope/snapshot/doctor"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/find"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/payload"
	"github.com/refscope/refscope/snapshot/testpages"
	"github.com/refscope/refscope/snapshot/tokens"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
)

// The sessions: Shop has a request to a model at its first turn, and at its second the page changed; Again is another
// run, which parts from it there.
const (
	Shop, Again = "shop", "again"
	// Model is the one that the payload is for, and Ref an element of the second turn.
	Model, Ref = "gpt-4o", 4
)

// Save writes the sessions into a home folder.
func Save(t testing.TB, home string) {
	t.Helper()
	for _, name := range []string{Shop, Again} {
		store, err := turn.Create(t.Context(), turn.Dir(turn.SessionDir(home, name)), "test")
		require.NoError(t, err)
		for range 2 {
			_, err := store.Append(t.Context(), func(l *turn.Ledger) (*turn.Record, error) {
				return record(t, name, l), nil
			})
			require.NoError(t, err)
		}
		require.NoError(t, store.Close())
	}
}

// record is the next turn of a session.
func record(t testing.TB, name string, l *turn.Ledger) *turn.Record {
	c := testpages.Captures(t)["forms-harbour_login"]
	require.NotNil(t, c)
	n := l.NextTurn()
	c.TakenAt = time.Date(2026, 11, 27, 9, n, 0, 0, time.UTC)
	var listed strings.Builder
	for i := range c.Nodes {
		node := &c.Nodes[i]
		if node.Role == "button" || node.Role == "link" {
			ref := "e" + strconv.Itoa(100+i)
			node.NoteAgentRef(snapshot.Playwright, ref)
			listed.WriteString("- " + node.Role + ` "` + node.Name + `" [ref=` + ref + "]\n")
		}
		if n == 2 && node.Role == "button" {
			node.Name, node.Text = name+" now", name+" now"
		}
	}
	l.Assign("tab", n, c)
	rec := &turn.Record{Capture: c, Action: "turn"}
	var picture bytes.Buffer
	require.NoError(t, png.Encode(&picture, image.NewGray(image.Rect(0, 0, int(c.Viewport.Width),
		int(c.Viewport.Height)))))
	rec.Picture = picture.Bytes()
	if n == 1 {
		body, err := json.Marshal(map[string]any{"model": Model, "messages": []any{
			map[string]any{"role": "user", "content": "Sign in.\n\n### Page\n" + listed.String()}}})
		require.NoError(t, err)
		rec.Payloads = []turn.Payload{{Dialect: wire.OpenAIChat, Way: turn.Request, Wire: true, Bytes: body},
			{Dialect: wire.OpenAIChat, Way: turn.Answer, Wire: true, Bytes: []byte(
				`{"choices":[{"index":0,"message":{"role":"assistant","content":"I sign in."}}]}`)}}
		rec.Steps = []byte(`{"steps":[{"fill":{"text":"authorization: Bearer 4fFq0Zk2pX8sV1nTq7Lw"}}]}`)
	}
	return rec
}

// Question is one that doors answer.
type Question struct {
	Name string
	// Command is how refscopectl is asked, and Resource where the MCP server has the answer, below
	// refscope://sessions/; "" for nowhere. Plain: the answer is no JSON.
	Command  []string
	Resource string
	Plain    bool
	// Want is the answer by the functions that every door calls.
	Want func(ctx context.Context, home string) (any, error)
}

// Questions are those that each door has an answer to.
func Questions() []Question {
	return []Question{
		{Name: "capture", Command: []string{"snap", "shop#1", "--format", "capture", "--all"},
			Resource: "shop/turns/1/capture",
			Want:     of(1, func(_ context.Context, r *target.Opened) (any, error) { return r.Capture, nil })},
		{Name: "text", Command: []string{"snap", "shop#1", "--format", "wraith", "--mark-covered"},
			Resource: "shop/turns/1/dump", Plain: true,
			Want: of(1, func(_ context.Context, r *target.Opened) (any, error) {
				d, err := format.Render(r.Capture, format.Wraith,
					format.Options{Common: dump.Common{MarkCovered: true}})
				if err != nil {
					return nil, err
				}
				return d.Text, nil
			})},
		{Name: "as sent", Command: []string{"snap", "shop#1", "--format", "sent"}, Resource: "shop/turns/1/sent",
			Plain: true,
			Want: of(1, func(ctx context.Context, r *target.Opened) (any, error) {
				s, err := inspect.SentOf(ctx, r)
				if err != nil {
					return nil, err
				}
				return s.Text.Body(), nil
			})},
		{Name: "told", Command: []string{"audit", "shop#1", "--as-sent", "--json"}, Resource: "shop/turns/1/told",
			Want: of(1, func(ctx context.Context, r *target.Opened) (any, error) {
				s, err := inspect.SentOf(ctx, r)
				if err != nil {
					return nil, err
				}
				told, err := inspect.AuditSent(s, 0)
				if err != nil {
					return nil, err
				}
				return told.Sent, nil
			})},
		{Name: "doctor", Command: []string{"doctor", "shop#1", "--max-severity", "error", "--json"},
			Resource: "shop/turns/1/doctor",
			Want: func(ctx context.Context, home string) (any, error) {
				run, err := open(home, Shop)
				if err != nil {
					return nil, err
				}
				defer run.Store.Close()
				var report *doctor.Report
				err = export.Examine(ctx, run.Store, &tokens.Counter{}, []int{1}, func(e export.Examined) error {
					report = e.Report
					return e.Err
				})
				return report, err
			}},
		{Name: "why", Command: []string{"why", "shop#2", "4", "--json"},
			Want: of(2, func(ctx context.Context, r *target.Opened) (any, error) {
				return inspect.Why(ctx, r, inspect.WhyOptions{Question: "4"})
			})},
		{Name: "find", Command: []string{"find", "shop#2", "--role", "button", "--json"},
			Want: of(2, func(ctx context.Context, r *target.Opened) (any, error) {
				return inspect.Find(ctx, r, inspect.FindOptions{Query: find.Query{Role: "button"}})
			})},
		{Name: "audit", Command: []string{"audit", "shop#1", "--per-rule", "-1", "--json"},
			Want: of(1, func(_ context.Context, r *target.Opened) (any, error) {
				return audit.Run(r.Capture, audit.Options{PerRule: -1,
					Texts: audit.TextsOf(r.Record.Payloads, r.Record.Steps, r.Record.Answer)})
			})},
		{Name: "tokens", Command: []string{"tokens", "shop#1", "--price", "2", "--json"},
			Want: of(1, func(_ context.Context, r *target.Opened) (any, error) {
				return inspect.CostsOf(r.Capture, inspect.CostOptions{Format: format.DDDK, Price: 2, Model: Model,
					Counter: &tokens.Counter{}})
			})},
		{Name: "diff", Command: []string{"diff", "shop#1", "shop#2", "--json"},
			Want: func(ctx context.Context, home string) (any, error) {
				a, err := read(ctx, home, 1)
				if err != nil {
					return nil, err
				}
				b, err := read(ctx, home, 2)
				if err != nil {
					return nil, err
				}
				return diff.Captures(a.Capture, b.Capture, diff.Options{}), nil
			}},
		{Name: "compare", Command: []string{"compare", Shop, Again, "--json"},
			Want: func(ctx context.Context, home string) (any, error) {
				a, err := open(home, Shop)
				if err != nil {
					return nil, err
				}
				defer a.Store.Close()
				b, err := open(home, Again)
				if err != nil {
					return nil, err
				}
				defer b.Store.Close()
				return inspect.CompareRuns(ctx, a, b)
			}},
		{Name: "payload", Command: []string{"payload", "shop#1", "--dialect", wire.OpenAIChat, "--model", Model},
			Plain: true,
			Want: of(1, func(_ context.Context, r *target.Opened) (any, error) {
				p, err := export.Payload(wire.OpenAIChat, payload.Input{Turn: r.N, Capture: r.Capture,
					Picture: r.Picture,
					Model:   Model})
				if err != nil {
					return nil, err
				}
				return string(p.Body), nil
			})},
	}
}

func open(home, name string) (inspect.Run, error) {
	store, err := turn.OpenPath(turn.SessionDir(home, name))
	return inspect.Run{Name: name, Store: store}, err
}

func read(ctx context.Context, home string, n int) (*target.Opened, error) {
	r, err := target.ReadTurn(ctx, turn.Address{Dir: turn.SessionDir(home, Shop), N: n})
	if err == nil {
		r.Name = Shop + "#" + strconv.Itoa(n)
	}
	return r, err
}

// of is a question about a turn of the session Shop.
func of(n int, ask func(context.Context, *target.Opened) (any, error)) func(context.Context, string) (any, error) {
	return func(ctx context.Context, home string) (any, error) {
		r, err := read(ctx, home, n)
		if err != nil {
			return nil, err
		}
		return ask(ctx, r)
	}
}

// Holds fails the test where an answer lacks something of what is wanted, or says it otherwise: a door may say more,
// such as the schema, and how the target was called.
func Holds(t testing.TB, want any, answer string) {
	t.Helper()
	b, err := json.Marshal(want)
	require.NoError(t, err)
	var wanted, got map[string]any
	require.NoError(t, json.Unmarshal(b, &wanted))
	require.NoError(t, json.Unmarshal([]byte(answer), &got), answer)
	require.NotEmpty(t, wanted)
	for key, value := range wanted {
		require.Equal(t, value, got[key], "the member %s", key)
	}
}
