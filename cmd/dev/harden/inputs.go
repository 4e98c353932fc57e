package harden

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// damage changes some bytes: flips, cuts, repeats, or puts in something that parsers have trouble with.
func damage(b []byte, r *rand.Rand) []byte {
	b = bytes.Clone(b)
	for range 1 + r.IntN(8) {
		if len(b) < 4 {
			return b
		}
		at := r.IntN(len(b))
		end := min(len(b), at+1+r.IntN(64))
		switch r.IntN(6) {
		case 0:
			b[at] ^= 1 << r.IntN(8)
		case 1:
			b = append(b[:at:at], b[end:]...)
		case 2:
			b = b[:at]
		case 3:
			b = append(b[:end:end], b[at:]...)
		case 4:
			odd := []string{"\x00", "\xff\xff\xff\xff", "-1", "1e999", "\u202e", `"`, "{", strings.Repeat("[", 5000),
				"../../", "null"}
			b = append(append(b[:at:at], odd[r.IntN(len(odd))]...), b[at:]...)
		case 5:
			for i := at; i < end; i++ {
				b[i] = byte(r.Uint32())
			}
		}
	}
	return b
}

// nearly changes JSON and mostly keeps it JSON, so that more than its parser is met.
func nearly(b []byte, r *rand.Rand) []byte {
	broken := r.IntN(20) == 0
	for range 200 {
		if other := damage(b, r); broken || json.Valid(other) && !bytes.Equal(other, b) {
			return other
		}
	}
	return b
}

// entry is one file of a zip archive.
type entry struct {
	name string
	body []byte
}

func unzip(b []byte) ([]entry, error) {
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return nil, err
	}
	var list []entry
	for _, f := range z.File {
		in, err := f.Open()
		if err != nil {
			return nil, err
		}
		body, err := io.ReadAll(in)
		if err = errors.Join(err, in.Close()); err != nil {
			return nil, err
		}
		list = append(list, entry{f.Name, body})
	}
	return list, nil
}

func zipped(list []entry) ([]byte, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, e := range list {
		w, err := z.Create(e.name)
		if err == nil {
			_, err = w.Write(e.body)
		}
		if err != nil {
			return nil, err
		}
	}
	err := z.Close()
	return b.Bytes(), err
}

// tryArchive imports an archive that was changed: as bytes, or in one of its entries with sums that are right again, or
// with names that lead out of the folder, or with far more bytes than it has.
func tryArchive(ctx context.Context, b *bench, r *rand.Rand) error {
	good := filepath.Join(b.Dir, "good.refscope")
	if _, err := os.Stat(good); err != nil {
		if err := b.run(ctx, time.Minute, nil, "session", "export", b.session, "-o", good).fault(0); err != nil {
			return err
		}
	}
	whole, err := os.ReadFile(good)
	if err != nil {
		return err
	}
	rounds := 40
	if b.Short {
		rounds = 10
	}
	for i := range rounds {
		body, err := hostileArchive(whole, r)
		if err != nil {
			return err
		}
		home, err := b.home()
		if err != nil {
			return err
		}
		file := filepath.Join(b.Dir, "bad.refscope")
		if err := os.WriteFile(file, body, 0o600); err != nil {
			return err
		}
		res := b.runIn(ctx, home, time.Minute, nil, "session", "import", file)
		if err := res.fault(0, 1, 2); err != nil {
			return fmt.Errorf("archive %d: %w", i, err)
		}
		if _, err := os.Stat(filepath.Join(b.Dir, "escaped")); err == nil {
			return errors.New("the archive wrote out of its folder")
		}
		if res.code != 0 {
			continue
		}
		// What was let in is whole, or is called damaged.
		list, _ := filepath.Glob(filepath.Join(home, "sessions", "*")) // the pattern is right
		for _, s := range list {
			if err := b.runIn(ctx, home, time.Minute, nil, "session", "check", s).fault(0, 1); err != nil {
				return fmt.Errorf("archive %d: %w", i, err)
			}
			if err := b.runIn(ctx, home, time.Minute, nil, "session", "show", s).fault(0, 1); err != nil {
				return fmt.Errorf("archive %d: %w", i, err)
			}
		}
		if err := os.RemoveAll(home); err != nil {
			return err
		}
	}
	return nil
}

func hostileArchive(whole []byte, r *rand.Rand) ([]byte, error) {
	if r.IntN(3) == 0 {
		return damage(whole, r), nil
	}
	list, err := unzip(whole)
	if err != nil {
		return nil, err
	}
	at := r.IntN(len(list))
	switch r.IntN(6) {
	case 0, 1, 2:
		list[at].body = damage(list[at].body, r)
	case 3:
		names := []string{"../escaped", "../../../escaped", "/tmp/escaped", "turns/0001/../../../../escaped",
			"C:escaped",
			"turns\\..\\..\\escaped", "CON", "session.json", "", strings.Repeat("a/", 3000) + "b"}
		list[at].name = names[r.IntN(len(names))]
	case 4:
		list = append(list, entry{"parts/" + strings.Repeat("0", 64), make([]byte, 64<<20)})
	case 5:
		list = append(list[:at], list[at+1:]...)
	}
	return zipped(list)
}

// tryMCP sends lines to the MCP server that are JSON-RPC, nearly JSON-RPC, and nonsense: it answers with JSON lines
// alone, or hangs up, and ends with its input.
func tryMCP(ctx context.Context, b *bench, r *rand.Rand) error {
	home, err := b.home()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	c := b.command(ctx, home, "mcp", "--no-broker", "--timeout", "5s")
	in, err := c.StdinPipe()
	if err != nil {
		return err
	}
	out, err := c.StdoutPipe()
	if err != nil {
		return err
	}
	var stderr bytes.Buffer
	c.Stderr = &stderr
	if err := c.Start(); err != nil {
		return err
	}
	answers := bufio.NewReader(out)
	var fault error
	// until reads answers as far as the one with that id, or the end.
	until := func(id string) bool {
		for {
			line, err := answers.ReadBytes('\n')
			if len(line) > 0 && !json.Valid(line) && fault == nil {
				fault = fmt.Errorf("mcp: a line of its output is no JSON: %.200q", line)
			}
			if err != nil {
				return false
			}
			if id != "" && bytes.Contains(line, []byte(`"id":`+id)) {
				return true
			}
		}
	}
	say := func(line string) bool { _, err := io.WriteString(in, line+"\n"); return err == nil }
	say(`{"jsonrpc":"2.0","id":1000,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},` +
		`"clientInfo":{"name":"harden","version":"1"}}}`)
	if !until("1000") {
		return fmt.Errorf("mcp: it does not greet: %s", stderr.String())
	}
	say(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	lines := mcpLines()
	for i := range 30 {
		line := []byte(lines[r.IntN(len(lines))])
		if r.IntN(4) > 0 {
			line = bytes.ReplaceAll(nearly(line, r), []byte("\n"), []byte(" "))
		}
		id := fmt.Sprint(2000 + i)
		if !say(string(line)) || !say(`{"jsonrpc":"2.0","id":`+id+`,"method":"ping"}`) || !until(id) {
			break // it hung up, which it may after a line that is no JSON
		}
	}
	_ = in.Close() // it may be closed already
	until("")
	err = c.Wait()
	res := result{args: []string{"mcp"}, code: c.ProcessState.ExitCode(), out: []byte("-"),
		stderr: stderr.Bytes(), late: ctx.Err() != nil}
	if fault == nil {
		fault = res.fault(0, 1)
	}
	if fault != nil && err != nil {
		fault = fmt.Errorf("%w (%w)", fault, err)
	}
	return fault
}

func mcpLines() []string {
	call := func(name, args string) string {
		return `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"` + name +
			`","arguments":` + args + `}}`
	}
	return []string{
		`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`,
		call("run_steps", `{"steps":[{"openTab":"data:text/html,<button>x</button>"},{"click":{"text":"x"}}]}`),
		call("run_steps", `{"steps":[{"click":{"text":"x"}}],"tab":"t1"}`),
		call("run_steps", `{"steps":`+strings.Repeat("[", 2000)+`}`),
		call("browse_navigate", `{"url":"file:///etc/passwd"}`), call("no_tool", "null"),
		`{"jsonrpc":"2.0","id":5,"method":"resources/read","params":{"uri":"refscope://../../etc/passwd"}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`,
		`[{"jsonrpc":"2.0","id":7,"method":"ping"},{"jsonrpc":"2.0","id":8,"method":"ping"}]`,
	}
}

// trySteps gives run steps that were changed: it answers with one JSON object, whatever they are.
func trySteps(ctx context.Context, b *bench, r *rand.Rand) error {
	good := []byte(`{"steps":[{"openTab":"data:text/html,<button>Go</button>"},{"assert":{"text":"Go"}},` +
		`{"click":{"text":"Go","timeout":10}},{"fill":{"ref":3,"value":"v"}},` +
		`{"query":{"selector":"a","limit":3}}],"tab":"t99","timeout":100}`)
	for i := range 10 {
		body := nearly(good, r)
		res := b.run(ctx, time.Minute, body, "run", "--no-broker")
		if err := res.fault(0, 1, 2); err != nil {
			return fmt.Errorf("steps %d: %w", i, err)
		}
		if res.code != 2 && !json.Valid(res.out) {
			return fmt.Errorf("steps %d: the answer is no JSON: %.200q", i, res.out)
		}
	}
	return nil
}
