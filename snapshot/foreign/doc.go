// Package foreign reads what other agents and tools recorded, as turns of a session:
// a Playwright trace (trace.zip) and the history file of browser-use. It takes what
// those files have and says what they lack; it never makes up the rest.
//
// [Detect] tells by content which format a file has, [Read] hands out its turns one
// after the other as [turn.Record] values whose refs are not assigned yet. It does no
// I/O but through the reader, and the folder of pictures, that it is given.
//
// # What a file may do
//
// Files come from elsewhere and are not trusted. A line, an entry or a picture that is
// damaged is counted and named in the [Report], and the rest is read; of a zip that is cut
// off, what stands before the cut. What a file can
// cost is bounded: the limits are the Max constants here, and what is over one is left
// out with a sentence. No name of a file in it is ever used as a path to write to.
//
// # Secrets
//
// Everything passes redaction before a record is handed out, so before it reaches a
// disk: what looks like a secret ([redact.Redactor]), the values of fields that hold
// secrets by their type, name or label, and those very values wherever else they stand:
// in parameters, logs, the console, thoughts of the model. Pictures cannot be redacted,
// for neither file says where on them a field is; each report says so.
package foreign

import "errors"

// Limits of what is read. A capture's own limits are those of package turn.
const (
	// MaxFile is the largest file, in bytes.
	MaxFile = 2 << 30
	// MaxEntries is how many files a zip may hold.
	MaxEntries = 200_000
	// MaxEvents is how many bytes of events a trace may unpack to, all together.
	MaxEvents = 1 << 30
	// MaxRatio is how many times its packed size an events file of more than
	// 16 MiB may unpack to. Traces that repeat themselves reach about 60.
	MaxRatio = 250
	// MaxLine is the longest event, in bytes. Decoding one takes up to 13 times as much
	// memory for a moment.
	MaxLine = 16 << 20
	// MaxItem is the longest item of a history, its base64 picture included, in bytes.
	MaxItem = 64 << 20
	// MaxStored is how many elements and texts of snapshots are held at the same time.
	MaxStored = 2_000_000
	// MaxKept is how many bytes of text of events and snapshots are held at the same time.
	MaxKept = 512 << 20
	// MaxActions is how many actions, and MaxTurns how many turns, are read of a file.
	MaxActions = 100_000
	MaxTurns   = 20_000
	// MaxNodes is how many elements a turn may have: a snapshot refers to earlier ones,
	// so that a small file can stand for a page of any size.
	MaxNodes = 100_000
	// MaxDepth is how deep the elements of a turn may be nested.
	MaxDepth = 1_000
	// MaxPicture is the largest picture file, in bytes, and MaxPixels the largest size
	// that a picture may declare, in image px; it is checked before decoding.
	MaxPicture = 64 << 20
	MaxPixels  = 64 << 20
)

// Format names a file format.
type Format string

// The formats that [Detect] tells apart.
const (
	// Playwright is a trace.zip as Playwright's tracing writes it.
	Playwright Format = "playwright"
	// BrowserUse is the JSON that browser-use's AgentHistoryList saves.
	BrowserUse Format = "browser-use"
	// Session is a session of our own in one file; package turn reads it.
	Session Format = "refscope"
)

// What can be wrong with a file as a whole; compare with [errors.Is].
var (
	// ErrUnknown: the file is in none of the formats.
	ErrUnknown = errors.New("is neither a session file (.refscope), nor a Playwright trace.zip, nor a browser-use history")
	// ErrTooLarge: the file is over one of the limits as a whole.
	ErrTooLarge = errors.New("is too large")
	// ErrNewer: the file says that it has a later version of its format.
	ErrNewer = errors.New("has a newer format than this program reads")
	// ErrEmpty: the format is right, and no turn could be read.
	ErrEmpty = errors.New("holds no turn that can be read")
)

// errEnough ends the reading at [MaxTurns].
var errEnough = errors.New("enough")

// Report is what is to be said about a file that was read.
type Report struct {
	Format Format
	// Tool is what recorded the file, as far as it says, such as "Playwright 1.65.1, chromium".
	Tool  string
	Turns int
	// Lacks are sentences about what the format or this file does not have. They hold for
	// all turns; what a single turn lacks is in its record.
	Lacks []string
	// Damage are sentences about what could not be read, the first [maxSaid] of each kind
	// and a count of the rest.
	Damage []string

	counts map[string]int // by kind
	kinds  []string
}

// maxSaid is how many sentences of one kind of damage are kept.
const maxSaid = 5
