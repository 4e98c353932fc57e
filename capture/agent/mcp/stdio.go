package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/refscope/refscope/snapshot/text"
)

// The library ends a connection at the first line that is no message. Here such a line is answered with an error of
// JSON-RPC, and the next one is read: one that a client's wrapper printed costs nobody the session.

// Codes of JSON-RPC 2.0, section 5.1.
const (
	codeParse   = -32700 // no JSON
	codeInvalid = -32600 // JSON, but no message
)

// goodLines reads the lines of a client that are messages. The others are answered on out.
type goodLines struct {
	io.Closer
	in   *bufio.Reader
	out  io.Writer
	rest []byte // of the line at hand
}

func (g *goodLines) Read(p []byte) (int, error) {
	for len(g.rest) == 0 {
		line, err := g.line()
		if err != nil {
			return 0, err
		}
		if code, why := wrong(line); code != 0 {
			if err := g.refuse(code, why); err != nil {
				return 0, err
			}
			continue
		}
		g.rest = line
	}
	n := copy(p, g.rest)
	g.rest = g.rest[n:]
	return n, nil
}

// line is the next line with its break; one that is too long is cut to what cannot be a message. The last line of a
// client that has left may lack its break.
func (g *goodLines) line() ([]byte, error) {
	var line []byte
	for {
		some, err := g.in.ReadSlice('\n')
		if len(line) <= sdk.DefaultMaxLineLength {
			line = append(line, some...)
		}
		switch {
		case err == nil, errors.Is(err, io.EOF) && len(line) > 0:
			return line, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
	}
}

// wrong returns the error code and reason of an invalid line, 0 for none. The library ignores an empty line.
func wrong(line []byte) (code int, why string) {
	line = bytes.TrimSpace(line)
	switch {
	case len(line) == 0:
		return 0, ""
	case len(line) > sdk.DefaultMaxLineLength:
		return codeParse, fmt.Sprintf("a message has at most %s bytes", text.Thousands(sdk.DefaultMaxLineLength))
	case !json.Valid(line):
		return codeParse, "the line is not JSON: one message is one line"
	}
	batch := []json.RawMessage{line}
	if line[0] == '[' {
		_ = json.Unmarshal(line, &batch) // it is valid
	}
	for _, m := range batch {
		if _, err := jsonrpc.DecodeMessage(m); err != nil {
			return codeInvalid, "the line is not a message of JSON-RPC 2.0"
		}
	}
	return 0, ""
}

// refuse answers a line that is no message: nobody knows whose id it had.
func (g *goodLines) refuse(code int, why string) error {
	b, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": nil,
		"error": map[string]any{"code": code, "message": why}})
	if err == nil {
		_, err = g.out.Write(append(b, '\n'))
	}
	return err
}

// oneByOne lets one message be written at a time.
type oneByOne struct {
	io.WriteCloser
	mu *sync.Mutex
}

func (o oneByOne) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.WriteCloser.Write(b)
}
