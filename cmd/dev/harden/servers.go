package harden

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

// served is a command that serves until it is told to end.
type served struct {
	*exec.Cmd
	out    *bufio.Reader // its standard output
	stderr bytes.Buffer
}

// serve starts a command that serves.
func (b *bench) serve(ctx context.Context, args ...string) (*served, error) {
	home, err := b.home()
	if err != nil {
		return nil, err
	}
	s := &served{Cmd: b.command(ctx, home, args...)}
	s.Cmd.Stderr = &s.stderr
	out, err := s.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.out = bufio.NewReader(out)
	return s, s.Start()
}

// end asks the command to end and holds how it does so.
func (s *served) end() error {
	began := time.Now()
	killed := time.AfterFunc(30*time.Second, func() { _ = s.Process.Kill() }) // ended already is fine
	defer killed.Stop()
	if err := s.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	rest, _ := io.ReadAll(s.out) // its end is the command's
	_ = s.Wait()                 // the state has it
	return result{args: s.Args[1:], code: s.ProcessState.ExitCode(), out: rest, stderr: s.stderr.Bytes(),
		took: time.Since(began), late: s.ProcessState.ExitCode() < 0}.fault(0, 1, 130, 143)
}

// vendorKinds are how a vendor behind the tap misbehaves: each answers one request and may close the connection.
var vendorKinds = []struct {
	name   string
	answer func(conn net.Conn, r *rand.Rand)
}{
	{"closes at once", func(net.Conn, *rand.Rand) {}},
	{"no HTTP", say("\x00\x1b[31mSSH-2.0-x\r\n\r\n")},
	{"half a head", say("HTTP/1.1 200 OK\r\nContent-")},
	{"a head of 2 MB", func(c net.Conn, _ *rand.Rand) {
		fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nX-A: %s\r\n\r\n", strings.Repeat("a", 2<<20))
	}},
	{"a head that drips", func(c net.Conn, _ *rand.Rand) {
		for i := 0; drip(c, fmt.Sprintf("HTTP/1.1 200 OK\r\nX-%d: a\r\n"[min(i, 1)*17:], i)); i++ {
		}
	}},
	{"a length that is too long", say("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n{\"choices\":[")},
	{"a length that is too short", say("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n{\"choices\":[]}" +
		"HTTP/1.1 200 OK\r\n\r\n")},
	{"two lengths", say("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 5\r\n\r\n{}   ")},
	{"chunks that lie", say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" +
		"FFFFFFFFFFFFFFFF\r\nx\r\n0\r\n\r\n")},
	{"interim answers", func(c net.Conn, _ *rand.Rand) {
		for range 2000 {
			if _, err := io.WriteString(c, "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"); err != nil {
				return
			}
		}
	}},
	{"a switch of protocols", say("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n" +
		"\r\nhello")},
	{"a status of its own", say("HTTP/1.1 999 \x1b[31m\r\nContent-Length: 2\r\n\r\n{}")},
	{"a redirect", say("HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:9/\x1b\r\nContent-Length: 0\r\n\r\n")},
	{"a stream that floods", func(c net.Conn, _ *rand.Rand) {
		_, err := io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
		line := "data: {\"choices\":[{\"delta\":{\"content\":\"" + strings.Repeat("x", 4000) + "\"}}]}\n\n"
		for n := 0; err == nil && n < 16<<20; n += len(line) {
			_, err = io.WriteString(c, line)
		}
	}},
	{"a stream that drips", func(c net.Conn, _ *rand.Rand) {
		_, err := io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
		for err == nil && drip(c, ": \n") {
		}
	}},
	{"events that are no JSON", func(c net.Conn, r *rand.Rand) {
		body := []byte("data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\nevent: x\ndata: [DONE]\n\n")
		answerWith(c, "Content-Type: text/event-stream", damage(body, r))
	}},
	{"a body that unpacks to 200 MB", func(c net.Conn, _ *rand.Rand) {
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		for range 200 {
			_, _ = z.Write(make([]byte, 1<<20)) // into memory
		}
		_ = z.Close() // into memory
		answerWith(c, "Content-Encoding: gzip\r\nContent-Type: application/json", packed.Bytes())
	}},
	{"JSON as deep as it is long", func(c net.Conn, _ *rand.Rand) {
		answerWith(c, "Content-Type: application/json", bytes.Repeat([]byte("["), 500_000))
	}},
	{"an answer that steers the terminal", func(c net.Conn, r *rand.Rand) {
		body := `{"model":"\u001b[31m\u202e","choices":[{"message":{"content":"\u0000\u001b]0;x\u0007",` +
			`"tool_calls":[{"function":{"name":"../../x\n","arguments":"{\"ref\":\"\u001b[2J\"}"}}]}}],` +
			`"usage":{"prompt_tokens":-1}}`
		answerWith(c, "Content-Type: application/json", nearly([]byte(body), r))
	}},
}

// answerWith is an answer with that header and body. Who asked may be gone, which is fine.
func answerWith(c net.Conn, header string, body []byte) {
	_, _ = fmt.Fprintf(c, "HTTP/1.1 200 OK\r\n%s\r\nContent-Length: %d\r\n\r\n%s", header, len(body), body)
}

// say is an answer of these bytes.
func say(text string) func(net.Conn, *rand.Rand) {
	return func(c net.Conn, _ *rand.Rand) { _, _ = io.WriteString(c, text) } // who asked may be gone
}

// drip writes a little and lets a moment pass; false where nobody reads any more.
func drip(c net.Conn, text string) bool {
	_, err := io.WriteString(c, text)
	time.Sleep(50 * time.Millisecond) // that is the attack
	return err == nil
}

// goodAnswer is what a vendor that means well says.
const goodAnswer = `{"choices":[{"message":{"content":"click e1"}}]}`

// vendor serves the connections of one kind until it is closed; a request for /good is answered well.
func vendor(kind int, r *rand.Rand) (addr string, end func(), err error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, fmt.Errorf("%w: %w", errUnable, err)
	}
	var work sync.WaitGroup
	var mu sync.Mutex // of r and open
	open := map[net.Conn]bool{}
	one := func(conn net.Conn) {
		defer func() {
			_ = conn.Close() // closed already is fine
			mu.Lock()
			delete(open, conn)
			mu.Unlock()
		}()
		req, err := http.ReadRequest(bufio.NewReader(conn))
		if err != nil {
			return
		}
		if _, err := io.Copy(io.Discard, req.Body); err != nil {
			return
		}
		if strings.HasSuffix(req.URL.Path, "/good") {
			answerWith(conn, "Content-Type: application/json\r\nConnection: close", []byte(goodAnswer))
			return
		}
		mu.Lock()
		own := rand.New(rand.NewPCG(r.Uint64(), 0))
		mu.Unlock()
		vendorKinds[kind].answer(conn, own)
	}
	work.Go(func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			mu.Lock()
			open[conn] = true
			mu.Unlock()
			work.Go(func() { one(conn) })
		}
	})
	return ln.Addr().String(), func() {
		_ = ln.Close() // nobody listens any more
		mu.Lock()
		for c := range open {
			_ = c.Close() // closed already is fine
		}
		mu.Unlock()
		work.Wait()
	}, nil
}

// tryVendor has an agent ask vendors that mean no good through the tap: a request ends when the agent gives up at the
// latest, the next one is answered byte for byte, and the session is whole.
func tryVendor(ctx context.Context, b *bench, r *rand.Rand) error {
	kinds := r.Perm(len(vendorKinds))
	if b.Short {
		kinds = kinds[:4]
	}
	for _, kind := range kinds {
		if err := askThroughTap(ctx, b, kind, r); err != nil {
			return fmt.Errorf("a vendor with %s: %w", vendorKinds[kind].name, err)
		}
	}
	return nil
}

func askThroughTap(ctx context.Context, b *bench, kind int, r *rand.Rand) error {
	addr, end, err := vendor(kind, r)
	if err != nil {
		return err
	}
	defer end()
	session, err := os.MkdirTemp(b.Dir, "v")
	if err != nil {
		return err
	}
	session = filepath.Join(session, "s")
	tap, err := b.serve(ctx, "tap", "-o", session, "--upstream", "openai=http://"+addr, "--no-broker")
	if err != nil {
		return err
	}
	line, err := tap.out.ReadBytes('\n')
	var told struct{ BaseURLs map[string]string }
	if err != nil || json.Unmarshal(line, &told) != nil || told.BaseURLs["openai"] == "" {
		return errors.Join(fmt.Errorf("the tap does not listen: %q", line), tap.end())
	}
	const patience = 3 * time.Second
	ask := func(path string) (string, error) {
		ctx, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		body := `{"model":"gpt-4o","stream":true,"messages":[{"role":"user","content":"- button \"Go\" [ref=e1]"}]}`
		base := strings.TrimSuffix(told.BaseURLs["openai"], "/")
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, base+path, strings.NewReader(body))
		if err != nil {
			return "", err
		}
		req.Header.Set("Content-Type", "application/json")
		res, err := http.DefaultTransport.RoundTrip(req)
		if err != nil {
			return "", err
		}
		got, err := io.ReadAll(io.LimitReader(res.Body, 256<<20))
		return string(got), errors.Join(err, res.Body.Close())
	}
	_, _ = ask("/chat/completions") // whatever comes is the vendor's
	got, err := ask("/good")
	if err == nil && got != goodAnswer {
		err = fmt.Errorf("the answer of the next request is %.200q", got)
	}
	if err := errors.Join(err, tap.end()); err != nil {
		return err
	}
	for _, call := range [][]string{{"session", "check", session}, {"session", "show", session}, {"doctor", session}} {
		if err := b.run(ctx, time.Minute, nil, call...).fault(0, 1); err != nil {
			return err
		}
	}
	return b.run(ctx, time.Minute, nil, "session", "check", session).fault(0)
}

// tryClients has clients that mean no good call the MCP server over HTTP: afterwards one that means well is answered.
func tryClients(ctx context.Context, b *bench, r *rand.Rand) error {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("%w: %w", errUnable, err)
	}
	addr := ln.Addr().String()
	if err := ln.Close(); err != nil {
		return err
	}
	tokens, err := os.MkdirTemp(b.Dir, "k")
	if err != nil {
		return err
	}
	file := filepath.Join(tokens, "token")
	server, err := b.serve(ctx, "mcp", "--http", addr, "--token-file", file, "--no-broker", "--timeout", "5s")
	if err != nil {
		return err
	}
	token, err := awaitToken(ctx, file, addr)
	if err != nil {
		return errors.Join(err, server.end())
	}
	var work sync.WaitGroup
	for i := range 24 {
		kind, own := r.IntN(len(clientKinds)), rand.New(rand.NewPCG(r.Uint64(), uint64(i)))
		work.Go(func() {
			conn, err := net.DialTimeout("tcp", addr, time.Second)
			if err != nil {
				return // a server may refuse those that are too many
			}
			defer func() { _ = conn.Close() }() // closed already is fine
			if conn.SetDeadline(time.Now().Add(3*time.Second)) != nil {
				return // it is closed
			}
			clientKinds[kind](conn, addr, token, own)
			_, _ = io.Copy(io.Discard, io.LimitReader(conn, 64<<20)) // whatever comes
		})
	}
	work.Wait()
	return errors.Join(goodClient(ctx, addr, token), server.end())
}

// awaitToken waits until the server listens and has written its token.
func awaitToken(ctx context.Context, file, addr string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	for {
		if conn, err := net.DialTimeout("tcp", addr, time.Second); err == nil {
			_ = conn.Close() // it was to be answered, no more
			if token, err := os.ReadFile(file); err == nil && len(token) > 0 {
				return strings.TrimSpace(string(token)), nil
			}
		}
		select {
		case <-ctx.Done():
			return "", fmt.Errorf("the MCP server does not listen at %s", addr)
		case <-time.After(20 * time.Millisecond): // nothing tells of a port that is open
		}
	}
}

// initialize is the first call of a client.
const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",` +
	`"capabilities":{},"clientInfo":{"name":"harden","version":"1"}}}`

// clientKinds are what a client does on a connection of its own.
var clientKinds = []func(conn net.Conn, addr, token string, r *rand.Rand){
	func(c net.Conn, addr, _ string, _ *rand.Rand) { post(c, addr, "", "", initialize) },
	func(c net.Conn, addr, token string, _ *rand.Rand) { post(c, "evil.example", token, "", initialize) },
	func(c net.Conn, addr, token string, _ *rand.Rand) {
		post(c, addr, token, "Origin: http://evil.example\r\n", initialize)
	},
	func(c net.Conn, addr, token string, _ *rand.Rand) { post(c, addr, token, "", initialize) }, // and leaves
	func(c net.Conn, addr, token string, r *rand.Rand) {
		lines := mcpLines()
		post(c, addr, token, "Mcp-Session-Id: none\x7f\r\n", string(nearly([]byte(lines[r.IntN(len(lines))]), r)))
	},
	func(c net.Conn, addr, token string, r *rand.Rand) {
		post(c, addr, token, "", string(damage([]byte(initialize), r)))
	},
	func(c net.Conn, addr, token string, _ *rand.Rand) {
		post(c, addr, token, "", strings.Repeat("[", 2<<20))
	},
	func(c net.Conn, addr, token string, _ *rand.Rand) { // a body that does not come
		fmt.Fprintf(c, "POST / HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Length: 1000000000\r\n\r\n{",
			addr, token)
	},
	func(c net.Conn, addr, token string, _ *rand.Rand) { // a head that does not end
		for i := 0; i < 50 && drip(c, fmt.Sprintf("GET / HTTP/1.1\r\nX-%d: a\r\n"[min(i, 1)*16:], i)); i++ {
		}
	},
	func(c net.Conn, addr, token string, _ *rand.Rand) { // a stream that nobody reads
		fmt.Fprintf(c, "GET / HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nAccept: text/event-stream\r\n\r\n",
			addr, token)
	},
	func(c net.Conn, _, _ string, r *rand.Rand) {
		junk := make([]byte, 1<<16)
		for i := range junk {
			junk[i] = byte(r.Uint32())
		}
		_, _ = c.Write(junk) // hung up is fine
	},
}

// post sends one call.
func post(c net.Conn, host, token, more, body string) {
	fmt.Fprintf(c, "POST / HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\n"+
		"Accept: application/json, text/event-stream\r\n%sConnection: close\r\nContent-Length: %d\r\n\r\n%s",
		host, token, more, len(body), body)
}

// goodClient is answered.
func goodClient(ctx context.Context, addr, token string) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+addr+"/", strings.NewReader(initialize))
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+token)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return fmt.Errorf("a client that means well: %w", err)
	}
	defer func() { _ = res.Body.Close() }() // what is asked for has been read
	body := make([]byte, 4096)
	n, err := io.ReadAtLeast(res.Body, body, 1)
	if err != nil || res.StatusCode != http.StatusOK || !bytes.Contains(body[:n], []byte("serverInfo")) {
		return fmt.Errorf("a client that means well is answered %s: %.300q (%v)", res.Status, body[:n], err)
	}
	return nil
}
