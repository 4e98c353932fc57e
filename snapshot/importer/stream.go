package importer

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// visit is what to do with a value of a JSON file.
type visit uint8

const (
	skip visit = iota
	enter
	take
)

// window lets a decoder read at most limit bytes between two calls of reset, so that no
// single value of a file can fill the memory.
type window struct {
	r           io.Reader
	limit, left int64
}

func (w *window) reset() { w.left = w.limit }

func (w *window) Read(p []byte) (int, error) {
	if w.left <= 0 {
		return 0, errLimit
	}
	n, err := w.r.Read(p[:min(int64(len(p)), w.left)])
	w.left -= int64(n)
	return n, err
}

// eachValue walks the JSON values of a file, one after the other, and calls fn with those
// that at takes. A path is the names of members with dots between them and "[]" for the entries
// of a list: "log.entries[]"; that of a value of its own is "". What fn gets is its own. It
// stops at the first error of fn; one of the JSON says where it is.
func eachValue(r io.Reader, at func(path string) visit, fn func(path string, raw json.RawMessage) error) error {
	w := &window{r: skipBOM(r), limit: maxItem}
	w.reset()
	d := json.NewDecoder(w)
	s := &streamer{d: d, w: w, at: at, fn: fn}
	for {
		switch err := s.value(""); {
		case err == io.EOF: // as it is: between two values
			return nil
		case err != nil:
			return err
		}
	}
}

type streamer struct {
	d     *json.Decoder
	w     *window
	at    func(string) visit
	fn    func(string, json.RawMessage) error
	depth int
}

// errJSON wraps what is wrong with the JSON of a file.
var errJSON = errors.New("damaged or cut off")

func (s *streamer) fault(err error) error {
	if errors.Is(err, errLimit) {
		return fmt.Errorf("%w: a value at byte %d has more than %d bytes", errJSON, s.d.InputOffset(), int64(maxItem))
	}
	return fmt.Errorf("%w at byte %d: %w", errJSON, s.d.InputOffset(), err)
}

// value handles the next value. [io.EOF] between values is returned as it is.
func (s *streamer) value(path string) error {
	s.w.reset()
	do := s.at(path)
	if do == take {
		var raw json.RawMessage
		if err := s.d.Decode(&raw); err != nil {
			if errors.Is(err, io.EOF) && s.depth == 0 {
				return io.EOF
			}
			return s.fault(err)
		}
		return s.fn(path, raw)
	}
	t, err := s.d.Token()
	if err != nil {
		if errors.Is(err, io.EOF) && s.depth == 0 {
			return io.EOF
		}
		return s.fault(err)
	}
	open, nested := t.(json.Delim)
	if !nested {
		return nil
	}
	if do == skip {
		return s.skip()
	}
	s.depth++
	defer func() { s.depth-- }()
	for s.d.More() {
		below := path + "[]"
		if open == '{' {
			key, err := s.d.Token()
			if err != nil {
				return s.fault(err)
			}
			name, _ := key.(string)
			below = strings.TrimPrefix(path+"."+name, ".")
		}
		if err := s.value(below); err != nil {
			return err
		}
	}
	if _, err := s.d.Token(); err != nil {
		return s.fault(err)
	}
	return nil
}

// skip goes to the end of the list or object that was opened.
func (s *streamer) skip() error {
	for open := 1; open > 0; {
		s.w.reset()
		t, err := s.d.Token()
		if err != nil {
			return s.fault(err)
		}
		switch t {
		case json.Delim('{'), json.Delim('['):
			open++
		case json.Delim('}'), json.Delim(']'):
			open--
		}
	}
	return nil
}

// detectJSON tells a JSON file by the members of its first level, or of the first object in a
// list, up to the first 32 of the first megabyte; "" for none that is known.
func detectJSON(r io.Reader) Format {
	d := json.NewDecoder(newBounded(skipBOM(r), 1<<20))
	t, err := d.Token()
	if err == nil && t == json.Delim('[') {
		t, err = d.Token()
	}
	if err != nil || t != json.Delim('{') {
		return ""
	}
	spanNames := 0
	for range 32 {
		key, err := d.Token()
		name, ok := key.(string)
		if err != nil || !ok {
			return ""
		}
		value, err := d.Token()
		if err != nil {
			return ""
		}
		word, _ := value.(string)
		switch {
		case name == "history" && value == json.Delim('['):
			return BrowserUse
		case name == "log" && value == json.Delim('{'):
			return HAR
		case (name == "resourceSpans" || name == "resourceLogs") && value == json.Delim('['):
			return OTLP
		case name == "schema_version" && strings.HasPrefix(word, "ATIF"):
			return ATIF
		case name == "attributes" && value == json.Delim('{'), name == "context" && value == json.Delim('{'),
			name == "trace_id", name == "span_kind", name == "span_id":
			if spanNames++; spanNames == 2 {
				return OpenInference
			}
		}
		if _, nested := value.(json.Delim); !nested {
			continue
		}
		for open := 1; open > 0; {
			t, err := d.Token()
			if err != nil {
				return ""
			}
			switch t {
			case json.Delim('{'), json.Delim('['):
				open++
			case json.Delim('}'), json.Delim(']'):
				open--
			}
		}
	}
	return ""
}
