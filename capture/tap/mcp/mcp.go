// Package mcp records what passes between an agent's client and a server of tools (Model Context Protocol): each call
// of a tool with its answer becomes a turn, with the page of its moment.
//
// [Stdio] runs a server behind standard input and output, Observer looks on where it is reached over HTTP; both hand
// the bytes on as they are, at once, and give a copy to a [Recorder]. [Known] recognises the servers of today and gives
// them a browser of ours by their own switch; [Client] puts the tap into a client's configuration and takes it out.
//
// What must hold: no byte is changed, added, held back or left out on the way, whatever it is; nothing is written to
// the client that the server did not write. Recording stands beside: where it cannot keep up, turns have no page, or
// are not recorded, and the log tells. No secret reaches a disk.
package mcp

import (
	"bytes"
	"encoding/json"
	"regexp"
)

// message is what the recorder reads of a message of JSON-RPC.
type message struct {
	raw    []byte
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		RequestID json.RawMessage `json:"requestId"` // of a notification that a request is cancelled
	} `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
}

// messages are those of one document: one, or those of a batch; nil where it is no message.
func messages(raw []byte) []message {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return nil
	}
	var list []json.RawMessage
	if raw[0] != '[' {
		list = []json.RawMessage{raw}
	} else if json.Unmarshal(raw, &list) != nil {
		return nil
	}
	var out []message
	for _, one := range list {
		m := message{raw: one}
		if json.Unmarshal(one, &m) == nil {
			out = append(out, m)
		}
	}
	return out
}

// anID is the id of a message that was too long to be kept: what is left of it is no JSON.
var anID = regexp.MustCompile(`"id"\s*:\s*("[^"\\]{1,200}"|-?\d{1,20})`)

// maxMessage is how many bytes of one message are kept. A longer one is passed on whole, and its first cutMessage bytes
// are kept.
const (
	maxMessage = 64 << 20
	cutMessage = 1 << 20
)

// tailKept is how many bytes of the end of a longer message are looked at for its id.
const tailKept = 4 << 10

// lines cuts a stream into its lines, and keeps of each up to [maxMessage] bytes.
type lines struct {
	line []byte
	tail []byte // the end of what was not kept
	size int    // of the whole line
}

// add takes the next bytes, and calls each with every line that is whole: its bytes as far as they are kept, how many
// it has, and the end of what was not kept.
func (l *lines) add(p []byte, each func(line, tail []byte, size int)) {
	for len(p) > 0 {
		end := bytes.IndexByte(p, '\n')
		part := p
		if end >= 0 {
			part = p[:end]
		}
		most := maxMessage
		if l.size += len(part); l.size > maxMessage {
			most = cutMessage
			if len(l.line) > most {
				l.line = bytes.Clone(l.line[:most])
			}
		}
		kept := part[:min(len(part), max(most-len(l.line), 0))]
		l.line = append(l.line, kept...)
		if rest := part[len(kept):]; len(rest) > 0 {
			l.tail = append(l.tail, rest[max(0, len(rest)-tailKept):]...)
			l.tail = l.tail[max(0, len(l.tail)-tailKept):]
		}
		if end < 0 {
			return
		}
		l.end(each)
		p = p[end+1:]
	}
}

// end gives out what came behind the last line feed.
func (l *lines) end(each func(line, tail []byte, size int)) {
	line, tail, size := l.line, l.tail, l.size
	*l = lines{}
	if size > 0 {
		each(line, tail, size)
	}
}
