package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/refscope/refscope/capture/tap"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
)

// TestMain is the server of the tests too: it writes back what the test wants it to.
func TestMain(m *testing.M) {
	if how := os.Getenv("MCP_TEST_SERVER"); how != "" {
		os.Exit(testServer(how))
	}
	os.Exit(chrome.Main(m))
}

// testServer answers each call with its own arguments; garbage, a batch, a crash where they are asked for.
func testServer(how string) int {
	in, out := bufio.NewReaderSize(os.Stdin, 1<<20), bufio.NewWriter(os.Stdout)
	fmt.Fprintln(os.Stderr, "a remark")
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return 3
		}
		for _, m := range messages(line) {
			switch {
			case how == "crash" && m.Method == "tools/call":
				return 7
			case how == "garbage":
				_, _ = out.WriteString("\x00\xff no message\r\n{\"half\":\n")
			}
			if m.Method == "tools/call" {
				text, _ := json.Marshal(string(m.raw))
				fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":%s}]}}`+"\n", m.ID, text)
				fmt.Fprintf(out, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}`+"\n")
			}
		}
		_ = out.Flush()
	}
}

// run lets a client's bytes pass through a tap to a server, and returns what came back and the session's turns.
func run(t *testing.T, how string, client io.Reader) (out []byte, code int, turns []*turn.Record) {
	t.Helper()
	store, err := turn.Create(t.Context(), turn.Dir(filepath.Join(t.TempDir(), "s")), "test")
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	t.Setenv("MCP_TEST_SERVER", how)
	r := NewRecorder(Options{Keeper: tap.Keeper{Store: store, Tool: "test", Rules: redact.Standard()}, Server: "test"})
	var stdout, stderr bytes.Buffer
	code, err = Stdio{Argv: []string{os.Args[0]}, In: client, Out: &stdout, Err: &stderr, Recorder: r}.Run()
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	if got := stderr.String(); got != "a remark\n" {
		t.Errorf("standard error is %q", got)
	}
	list, _, err := store.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range list {
		rec, err := store.Load(t.Context(), s.N)
		if err != nil {
			t.Fatal(err)
		}
		turns = append(turns, rec)
	}
	return stdout.Bytes(), code, turns
}

// direct is what the server writes without a tap.
func direct(t *testing.T, how string, client []byte) []byte {
	t.Helper()
	c := exec.CommandContext(t.Context(), os.Args[0])
	c.Env = append(os.Environ(), "MCP_TEST_SERVER="+how)
	c.Stdin = bytes.NewReader(client)
	out, err := c.Output()
	if _, ended := err.(*exec.ExitError); err != nil && !ended {
		t.Fatal(err)
	}
	return out
}

// calls are n calls of random sizes, in single messages and batches, among other messages.
func calls(n int) []byte {
	rnd := rand.New(rand.NewPCG(1, 2))
	var out bytes.Buffer
	fmt.Fprintln(&out, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	for i := range n {
		size := rnd.IntN(3000)
		if i%20 == 0 {
			size = 300_000
		}
		call := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"tool","arguments":{"at":%d,"x":"%s"}}}`,
			i, i, strings.Repeat("é", size))
		if i%7 == 0 {
			call = "[" + call + `,{"jsonrpc":"2.0","method":"notifications/x"}]`
		}
		out.WriteString(call)
		out.WriteString([]string{"\n", "\r\n", "\n\n"}[i%3])
	}
	return out.Bytes()
}

// pieces is a reader that gives its bytes in pieces of random sizes, as a pipe may.
type pieces struct {
	rest []byte
	rnd  *rand.Rand
}

func (p *pieces) Read(b []byte) (int, error) {
	if len(p.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(b, p.rest[:min(len(p.rest), 1+p.rnd.IntN(9000))])
	p.rest = p.rest[n:]
	return n, nil
}

func TestBytesPassAsTheyAre(t *testing.T) {
	for _, how := range []string{"plain", "garbage"} {
		t.Run(how, func(t *testing.T) {
			n := testneed.Cases(20, 60, 60)
			client := calls(n)
			want := direct(t, how, client)
			got, code, turns := run(t, how, &pieces{client, rand.New(rand.NewPCG(3, 4))})
			if !bytes.Equal(got, want) {
				t.Errorf("%d bytes came back, %d without the tap, and they differ", len(got), len(want))
			}
			if code != 3 {
				t.Errorf("exit status %d, the server's own is 3", code)
			}
			if len(turns) != n {
				t.Fatalf("%d turns of %d calls", len(turns), n)
			}
			for i, rec := range turns {
				if len(rec.Payloads) != 2 || rec.Payloads[0].Dialect != wire.MCP || rec.Payloads[0].Way != turn.Request {
					t.Fatalf("turn %d: %+v", i+1, rec.Payloads)
				}
				if !bytes.Contains(client, rec.Payloads[1].Bytes) || !bytes.Contains(want, rec.Payloads[0].Bytes) {
					t.Errorf("turn %d keeps bytes that did not pass", i+1)
				}
				if at := fmt.Sprintf(`"at":%d,`, i); !bytes.Contains(rec.Payloads[1].Bytes, []byte(at)) {
					t.Errorf("turn %d is not call %d", i+1, i)
				}
			}
			if how == "garbage" && !strings.Contains(strings.Join(turns[0].Lacks, " "), "that are no message") {
				t.Errorf("the garbage is not told: %q", turns[0].Lacks)
			}
		})
	}
}

func TestCrashIsPassedOnAndRecorded(t *testing.T) {
	client := []byte(`{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"click","arguments":{"uid":"1_2"}}}` + "\n")
	in, _ := io.Pipe() // a client that stays
	got, code, turns := run(t, "crash", io.MultiReader(bytes.NewReader(client), in))
	if len(got) != 0 || code != 7 {
		t.Errorf("%q, exit status %d", got, code)
	}
	if len(turns) != 1 || !strings.Contains(turns[0].Action, "exit status 7") || len(turns[0].Payloads) != 1 {
		t.Fatalf("%d turns: %+v", len(turns), turns)
	}
}

// A server that is started and not used leaves no session; its list of tools is the first turn where one is used.
func TestSessionOfTheFirstCall(t *testing.T) {
	for _, used := range []bool{false, true} {
		var store *turn.Store
		opened := 0
		r := NewRecorder(Options{Keeper: tap.Keeper{Tool: "test", Rules: redact.Standard()}, Server: "test",
			Open: func(ctx context.Context) (_ *turn.Store, err error) {
				opened++
				store, err = turn.Create(ctx, turn.Dir(filepath.Join(t.TempDir(), "s")), "test")
				return store, err
			}})
		said := func(client, server string) {
			r.Client("", []byte(client), nil, len(client))
			r.Server("", []byte(server), nil, len(server))
		}
		said(`{"id":1,"method":"tools/list"}`, `{"id":1,"result":{"tools":[{"name":"old"}]}}`)
		said(`{"id":2,"method":"tools/list"}`, `{"id":2,"result":{"tools":[{"name":"go"}]}}`)
		if used {
			said(`{"id":3,"method":"tools/call","params":{"name":"go"}}`, `{"id":3,"result":{"content":[]}}`)
			said(`{"id":4,"method":"tools/call","params":{"name":"go"}}`, `{"id":4,"result":{"content":[]}}`)
		}
		if err := r.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		if !used {
			if opened != 0 {
				t.Error("a session is made where no tool is called")
			}
			continue
		}
		list, _, err := store.List(t.Context())
		if err != nil || opened != 1 || len(list) != 3 {
			t.Fatalf("%d sessions, %d turns, %v", opened, len(list), err)
		}
		first, err := store.Load(t.Context(), list[0].N)
		if err != nil || !bytes.Contains(first.Payloads[0].Bytes, []byte(`"go"`)) {
			t.Errorf("the first turn is not the newest list of tools: %v", err)
		}
		store.Close()
	}
}

func TestLongMessagesAreCutInTheRecordOnly(t *testing.T) {
	var got []string
	var l lines
	each := func(line, tail []byte, size int) {
		got = append(got, fmt.Sprintf("%d of %d, %s", len(line), size, anID.FindSubmatch(tail)[1]))
	}
	long := []byte(`{"result":"` + strings.Repeat("x", maxMessage) + `","id":42}` + "\n")
	for len(long) > 0 {
		n := min(len(long), 1<<20)
		l.add(long[:n], each)
		long = long[n:]
	}
	if want := fmt.Sprintf("%d of %d, 42", cutMessage, maxMessage+21); len(got) != 1 || got[0] != want {
		t.Errorf("%v, want %s", got, want)
	}
}
