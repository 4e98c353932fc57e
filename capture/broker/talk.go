package broker

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
)

// maxLine is how long a request or a reply may be, in bytes.
const maxLine = 256 << 20

// Build identifies the program. Two builds of one version differ in Built.
type Build struct {
	Version string    `json:"version"`
	Built   time.Time `json:"built"` // of the program's file
}

// Same reports whether the programs are one.
func (b Build) Same(o Build) bool { return b.Version == o.Version && b.Built.Equal(o.Built) }

// Hello is the broker's first message.
type Hello struct {
	Build
	PID     int       `json:"pid"`
	Started time.Time `json:"started"`
	// Busy is the number of commands in progress, this connection not counted.
	Busy int `json:"busy"`
}

// Operations of a request.
const (
	opRun     = "run"
	opStatus  = "status"
	opSecrets = "secrets"
	opLearn   = "learn"
	opStop    = "stop"
)

// request is the request of a command.
type request struct {
	Op    string `json:"op"`
	Token string `json:"token,omitempty"` // where the listener wants one
	// Body is for the server's function. It crosses as base64: what is in it must come
	// out byte for byte, and JSON in JSON would be written again on the way.
	Body []byte `json:"body,omitempty"`
}

// reply is the answer.
type reply struct {
	Body  []byte `json:"body,omitempty"`
	Error string `json:"error,omitempty"`
}

// Status is how the broker is.
type Status struct {
	Hello
	Served   int           `json:"served"` // commands so far
	Browsers int           `json:"browsers"`
	Tabs     int           `json:"tabs"` // that are kept attached
	Idle     time.Duration `json:"idle"` // since the last command, ns
	IdleEnd  time.Duration `json:"idleEnd"`
}

func writeLine(w io.Writer, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = w.Write(append(b, '\n'))
	return err
}

// errLong is the error of a line that never ends.
var errLong = errors.New("the line is too long")

func readLine(r *bufio.Reader, into any) error {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > maxLine {
			return errLong
		}
		line = append(line, part...)
		if err == nil {
			break
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
	}
	if err := json.Unmarshal(line, into); err != nil {
		return fmt.Errorf("what came is not of this protocol: %w", err)
	}
	return nil
}
