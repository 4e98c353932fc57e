// Package target opens what a command, a tool or a room is asked about: a page by its address or file, a tab by its
// alias, a recorded turn, a capture in a file.
//
// [Parse] reads a TARGET as a person types it, and is the only place that does. An [Opener] opens targets, several at
// a time and in their order ([Opener.OpenAll]), in one browser, in a pool of browsers, or in tabs that stay; what it
// gives back is an [Opened], whether it was read from a disk or captured now. [ReadAttach] reads the addresses of
// running browsers.
//
// What must hold: turns and captures need no browser; a page that was opened is closed again on every path, unless it
// is to be kept; an address in an error or a remark holds no token ([Clean]).
package target

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/capture/registry"
	"github.com/refscope/refscope/snapshot/address"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/turn"
)

// Kind is a form that a TARGET can have.
type Kind int

const (
	TurnKind    Kind = iota // a recorded turn
	CaptureKind             // a file that snap --format capture printed
	TabKind                 // a tab that is open, by its alias or the browser's id
	PageKind                // a URL or an .html file
)

// Target is a TARGET that was read.
type Target struct {
	Name string // as it was typed
	Kind Kind
	Turn turn.Address
	Page address.Target
	Look *Appearance // nil for that of the global flags
}

// Recorded reports whether no browser is needed for it.
func (t Target) Recorded() bool { return t.Kind == TurnKind || t.Kind == CaptureKind }

// stdin is the target that stands for standard input.
const stdin = "-"

// Parse reads a TARGET, a turn of a session in that home folder by the name of the session. It is the only place that
// does.
func Parse(home, name string) (Target, error) {
	t := Target{Name: name}
	if name == stdin {
		t.Kind = PageKind // it is read when it is opened
		return t, nil
	}
	if at, ok := ParseTurn(home, name); ok {
		t.Kind, t.Turn = TurnKind, at
		return t, nil
	}
	if !strings.Contains(name, "://") && strings.HasSuffix(strings.ToLower(name), ".json") {
		t.Kind = CaptureKind
		return t, nil
	}
	if turn.IsFileName(name) {
		return t, usagef("%s: name one of its turns, such as %s#1", name, name)
	}
	if registry.IsAlias(name) || registry.IsTarget(name) {
		t.Kind = TabKind
		return t, nil
	}
	t.Kind = PageKind
	low := strings.ToLower(name)
	if !strings.Contains(name, "://") && (strings.HasSuffix(low, ".html") || strings.HasSuffix(low, ".htm")) {
		if _, err := os.Stat(name); err == nil { // whatever else it could be read as
			t.Page.Path = name
			return t, nil
		}
	}
	if err := notAPage(home, name); err != nil {
		return t, err
	}
	var err error
	if t.Page, err = address.Parse(name); err != nil {
		return t, &UsageError{err.Error()}
	}
	if t.Page.Path != "" {
		if _, err := os.Stat(t.Page.Path); err != nil {
			return t, fmt.Errorf("%s: %w: name an .html file that is there", t.Page.Path, export.Cause(err))
		}
	}
	return t, nil
}

// ParseTurn reports whether a target names a recorded turn, and which.
func ParseTurn(home, name string) (turn.Address, bool) {
	at, err := turn.ParseTarget(home, name)
	if err != nil {
		return turn.Address{}, false
	}
	here, _, _ := strings.Cut(name, "#")
	if turn.CheckName(here) == nil { // a session in this folder is meant before one of that name in the home
		if _, err := os.Stat(filepath.Join(here, "session.json")); err == nil {
			at.Dir = here
		}
	}
	if _, err := os.Stat(at.Dir); err != nil && !turn.IsFileName(at.Dir) {
		host, _, _ := strings.Cut(name, "#")
		if strings.Contains(name, "://") || strings.Contains(host, ".") && !strings.ContainsAny(name, `/\`) {
			return turn.Address{}, false // a URL with a fragment
		}
	}
	return at, true
}

// UsageError is a target, or an address of --attach, that is written wrong: the caller's fault and not the page's.
type UsageError struct{ Text string }

func (e *UsageError) Error() string { return e.Text }

func usagef(format string, args ...any) error { return &UsageError{fmt.Sprintf(format, args...)} }

// Clean is a target as it may be printed: an address can hold a token.
func Clean(target string) string { return redact.Standard().Clean(target) }

// word is what looks like a name and not like an address.
var word = regexp.MustCompile(`^[\pL\pN_-]+$`)

// notAPage refuses what is there under that name and is no page, and a bare word: neither is a host that somebody
// means.
func notAPage(home, name string) error {
	info, err := os.Stat(name)
	if session, n, numbered := strings.Cut(name, "#"); err != nil && numbered && word.MatchString(session) {
		if _, err := os.Stat(turn.SessionDir(home, session)); err == nil && turn.CheckName(session) == nil {
			return usagef("%s: %q is not the number of a turn, which are from 1 on: name one, such as %s#1", name, n,
				session)
		}
	}
	switch {
	case err == nil && info.IsDir():
		if _, err := os.Stat(filepath.Join(name, "session.json")); err == nil {
			return usagef("%s is a session: name one of its turns, such as %s#1", name, name)
		}
		return usagef("%s is a folder: name an .html file in it", name)
	case err == nil:
		return usagef("%s is a file, but no .html page and no .json capture", name)
	case !word.MatchString(name) || strings.EqualFold(name, "localhost") || isPort(name):
		return nil
	}
	if _, err := os.Stat(turn.SessionDir(home, name)); err == nil && turn.CheckName(name) == nil {
		return usagef("%s is a session: name one of its turns, such as %s#1", name, name)
	}
	return usagef("%q is not a file, session or tab here: for a host of that name write https://%s/", name, name)
}

func isPort(name string) bool {
	_, err := strconv.ParseUint(name, 10, 16)
	return err == nil
}

// IsFile reports whether a target that is a page is a file of this machine.
func IsFile(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}
