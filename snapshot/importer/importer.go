// Package importer reads what other agents and tools recorded, as turns of a session:
// a Playwright trace (trace.zip), the history file of browser-use, and recordings of requests
// to models: HAR 1.2, OTLP JSON with gen_ai.* or OpenInference's attributes, ATIF trajectories.
// It takes what those files have and describes what they lack; it never makes up the rest.
//
// [Detect] recognises the format of a file by its content, [Read] yields its turns one
// after the other as [turn.Record] values whose refs are not assigned yet. It does no
// I/O but through the given reader and the given folder of pictures.
//
// # Limits
//
// Files come from elsewhere and are not trusted. A line, an entry or a picture that is
// damaged is counted and named in the [Report], and the rest is read; of a zip that is cut
// off, what is before the cut. What a file can
// cost is bounded: the limits are the Max constants here, and what is over one is left
// out with a sentence. No name of a file in it is ever used as a path to write to.
//
// # Secrets
//
// Everything passes redaction before a record is returned, so before it reaches a
// disk: what looks like a secret ([redact.Redactor]), the values of fields that hold
// secrets by their type, name or label, and those very values wherever else they occur:
// in parameters, logs, the console, thoughts of the model. Pictures cannot be redacted,
// for neither file describes where on them a field is; each report notes that.
package importer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
)

// Limits of what is read. A capture's own limits are those of package turn.
const (
	// maxFile is the largest file, in bytes.
	maxFile = 2 << 30
	// maxEntries is how many files a zip may hold.
	maxEntries = 200_000
	// maxEvents is how many bytes of events a trace may unpack to, all together.
	maxEvents = 1 << 30
	// maxRatio is how many times its packed size an events file of more than
	// 16 MiB may unpack to. Traces that repeat themselves reach about 60.
	maxRatio = 250
	// maxLine is the longest event, in bytes. Decoding one takes up to 13 times as much
	// memory for a moment.
	maxLine = 16 << 20
	// maxItem is the longest item of a history, its base64 picture included, in bytes.
	maxItem = 64 << 20
	// maxStored is how many elements and texts of snapshots are held at the same time.
	maxStored = 2_000_000
	// maxKept is how many bytes of text of events and snapshots are held at the same time.
	maxKept = 512 << 20
	// maxActions is how many actions, and maxTurns how many turns, are read of a file.
	maxActions = 100_000
	maxTurns   = 20_000
	// maxNodes is how many elements a turn may have: a snapshot refers to earlier ones,
	// so a small file can describe a page of any size.
	maxNodes = 100_000
	// maxDepth is how deep the elements of a turn may be nested.
	maxDepth = 1_000
	// maxPicture is the largest picture file, in bytes.
	maxPicture = 64 << 20
)

// Format names a file format.
type Format string

// The formats that [Detect] distinguishes.
const (
	// Playwright is a trace.zip as Playwright's tracing writes it.
	Playwright Format = "playwright"
	// BrowserUse is the JSON that browser-use's AgentHistoryList saves.
	BrowserUse Format = "browser-use"
	// HAR is an HTTP Archive 1.2 with requests to models.
	HAR Format = "har"
	// OTLP is traces or logs of OpenTelemetry as JSON, with gen_ai.* or OpenInference's names.
	OTLP Format = "otlp"
	// OpenInference is a list or lines of spans, as Phoenix exports them.
	OpenInference Format = "openinference"
	// ATIF is a trajectory in the Agent Trajectory Interchange Format.
	ATIF Format = "atif"
	// Session is a session of our own in one file; package turn reads it.
	Session Format = "refscope"
)

// What can be wrong with a file as a whole; compare with [errors.Is].
var (
	// ErrUnknown: the file is in none of the formats.
	ErrUnknown = errors.New(
		"it is neither a session file (.refscope), a Playwright trace.zip, a browser-use history, a HAR file, " +
			"OTLP or OpenInference JSON, nor an ATIF trajectory")
	// ErrTooLarge: the file is over one of the limits as a whole.
	ErrTooLarge = errors.New("it is too large")
	// ErrNewer: the file has a later version of its format.
	ErrNewer = errors.New("it has a newer format than this program reads")
	// ErrEmpty: the format is right, and no turn could be read.
	ErrEmpty = errors.New("it holds no turn that can be read")
)

// errEnough ends the reading at [maxTurns].
var errEnough = errors.New("enough")

// Report describes a file that was read.
type Report struct {
	Format Format
	// Tool is what recorded the file, if it is named there, such as "Playwright 1.65.1, chromium".
	Tool  string
	Turns int
	// Lacks are sentences about what the format or this file does not have. They hold for
	// all turns; what a single turn lacks is in its record.
	Lacks []string
	// Damage are sentences about what could not be read, the first [maxNamed] of each kind
	// and a count of the rest.
	Damage []string
	// Verdicts are what the file says about its turns, for [turn.Store.Annotate].
	Verdicts []turn.Annotation

	counts map[string]int // by kind
	kinds  []string
}

// maxNamed is how many sentences of one kind of damage are kept.
const maxNamed = 5

// Options describe how a file is read.
type Options struct {
	// Pictures is the folder that a history's screenshot files are looked for in, by
	// their last name alone, also in its subfolder "screenshots"; nil for nowhere.
	Pictures fs.FS
}

// Read passes to each the turns of a file of size bytes, oldest first: each has a capture,
// its refs not assigned, and what the file has beside it. The record belongs to each;
// an error of each ends the reading and is returned as it is.
//
// What was damaged or is missing is in the report, which is given along with
// [ErrEmpty] too. Other errors are about the file as a whole and wrap [ErrUnknown],
// [ErrTooLarge] or [ErrNewer] where one of them is the reason; a file of [Session] is
// refused with [ErrUnknown], for package turn reads it.
func Read(ctx context.Context, r io.ReaderAt, size int64, o Options, each func(*turn.Record) error) (*Report, error) {
	format, err := Detect(r, size)
	if err != nil {
		return nil, err
	}
	s := newSealer()
	rep := &Report{Format: format}
	give := func(rec *turn.Record) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if rep.Turns >= maxTurns {
			rep.damaged("turns over the limit", "there are more than the %d turns that are read", maxTurns)
			return errEnough
		}
		if err := each(rec); err != nil {
			return err
		}
		rep.Turns++
		return nil
	}
	switch format {
	case Playwright:
		err = readPlaywright(ctx, r, size, rep, s, give)
	case BrowserUse:
		err = readBrowserUse(ctx, r, size, rep, s, o.Pictures, give)
	case HAR, OTLP, OpenInference, ATIF:
		err = readExchanges(ctx, r, size, rep, s, o.Pictures, give)
	default:
		return nil, fmt.Errorf("it is a session of our own: %w here", ErrUnknown)
	}
	rep.finish()
	if err == errEnough {
		err = nil
	}
	if err == nil && rep.Turns == 0 {
		err = ErrEmpty
	}
	return rep, err
}

// Detect reports which format a file of size bytes has, by its content alone: a zip with
// a session.json is a session, one with a .trace file a Playwright trace; JSON is
// recognised by the members of its first level. Errors are [ErrUnknown], and [ErrTooLarge]; a
// zip whose directory cannot be read is reported as damaged.
func Detect(r io.ReaderAt, size int64) (Format, error) {
	if size > maxFile {
		return "", fmt.Errorf("%w: %d bytes, at most %d are read", ErrTooLarge, size, int64(maxFile))
	}
	head := make([]byte, 4096)
	n, err := r.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("reading the file: %w", err)
	}
	head = head[:n]
	switch {
	case bytes.HasPrefix(head, []byte("PK\x03\x04")), bytes.HasPrefix(head, []byte("PK\x05\x06")):
		return detectZip(r, size)
	}
	if format := detectJSON(io.NewSectionReader(r, 0, size)); format != "" {
		return format, nil
	}
	return "", ErrUnknown
}

func detectZip(r io.ReaderAt, size int64) (Format, error) {
	z, err := openZip(r, size)
	if err != nil {
		return "", err
	}
	trace := false
	for _, f := range z.entries {
		switch {
		case f.name == "session.json" || strings.HasSuffix(f.name, "/session.json") && strings.Count(f.name, "/") == 1:
			return Session, nil
		case strings.HasSuffix(f.name, traceSuffix):
			trace = true
		}
	}
	switch {
	case trace:
		return Playwright, nil
	case z.cutOff:
		return "", fmt.Errorf("the zip is cut off; by what is left of it, %w", ErrUnknown)
	}
	return "", ErrUnknown
}

// readExchanges reads a recording of requests to models.
func readExchanges(ctx context.Context, r io.ReaderAt, size int64, rep *Report, s *sealer, pictures fs.FS,
	give func(*turn.Record) error) error {
	out := &recording{rep: rep, s: s, give: give, turns: map[string]int{}}
	var err error
	switch rep.Format {
	case HAR:
		err = readHAR(ctx, r, size, rep, out)
	case ATIF:
		err = readATIF(ctx, r, size, rep, out, pictures)
	default:
		err = readSpans(ctx, r, size, rep, out)
	}
	if err == nil {
		err = out.flush()
	}
	out.assignStatus()
	return err
}

// damaged notes one thing that could not be read. kind groups things of which only the
// first few are named.
func (r *Report) damaged(kind, format string, args ...any) {
	if r.counts == nil {
		r.counts = map[string]int{}
	}
	if r.counts[kind] == 0 {
		r.kinds = append(r.kinds, kind)
	}
	if r.counts[kind]++; r.counts[kind] <= maxNamed {
		r.Damage = append(r.Damage, text.Line(fmt.Sprintf(format, args...)))
	}
}

// lacks adds a sentence once.
func (r *Report) lacks(sentence string) {
	if !slices.Contains(r.Lacks, sentence) {
		r.Lacks = append(r.Lacks, sentence)
	}
}

// finish adds the counts of what was not named.
func (r *Report) finish() {
	for _, kind := range r.kinds {
		if more := r.counts[kind] - maxNamed; more > 0 {
			r.Damage = append(r.Damage, fmt.Sprintf("%d more %s", more, kind))
		}
	}
}

// cut is the first n bytes of s, at the border of a character, marked where more follow.
func cut(s string, n int) string {
	if len(s) <= n {
		return strings.ToValidUTF8(s, "\uFFFD")
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}
