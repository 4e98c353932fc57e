// Package address reads what a person typed as the address of a page, so that the window's
// address bar and the command line read it the same way. [Parse] gives a [Target]: a URL for
// the browser or a file to serve on loopback; its [Error] describes what is wrong and what
// an address looks like. It does no I/O: the caller checks whether a file exists.
package address

import (
	"fmt"
	"net/netip"
	"net/url"
	"runtime"
	"strconv"
	"strings"

	"github.com/refscope/refscope/snapshot/text"
)

// Target is where an address leads: either a URL for the browser, or a file of
// this computer that has to be served on loopback first.
type Target struct {
	URL  string
	Path string // of an .html file, as it was typed
}

// Error describes in one sentence what is wrong with an address, and in another what one looks
// like.
type Error struct{ Sentence, Hint string }

// Error is the sentence without its full stop, as errors are written, and the hint.
func (e *Error) Error() string {
	said := func(s string) string { return strings.ToLower(s[:1]) + strings.TrimSuffix(s[1:], ".") }
	return said(e.Sentence) + ": " + said(e.Hint)
}

// Parse reads what a person typed as an address.
//
//   - A URL with a scheme that a browser opens stays as it is.
//   - This computer (localhost, 127.0.0.1, [::1], a bare port) gets http://.
//   - Any other host gets https://.
//   - A path to an .html file, or a file: URL, is a file to be served.
//
// Anything else is an Error that describes what an address looks like.
func Parse(typed string) (Target, error) {
	typed = strings.TrimSpace(typed)
	if typed == "" {
		return Target{}, &Error{Sentence: "The address is empty.", Hint: addressHint}
	}
	if strings.HasPrefix(strings.ToLower(typed), "file:") {
		u, err := url.Parse(typed)
		if err != nil || u.Path == "" {
			return Target{}, badAddress(typed)
		}
		return Target{Path: FilePath(u, runtime.GOOS)}, nil
	}
	if isPath(typed) {
		return Target{Path: typed}, nil
	}
	if port, err := strconv.ParseUint(strings.TrimPrefix(typed, ":"), 10, 16); err == nil && port > 0 {
		return Target{URL: "http://127.0.0.1:" + strconv.FormatUint(port, 10) + "/"}, nil
	}
	if scheme, rest, ok := strings.Cut(typed, ":"); ok && isScheme(scheme) && !startsWithDigit(rest) {
		return withScheme(strings.ToLower(scheme), typed)
	}
	full := "https://" + typed
	u, err := url.Parse(full)
	if err != nil || u.Hostname() == "" || strings.ContainsAny(typed, " \t\n\"<>\\^`{|}") {
		return Target{}, badAddress(typed)
	}
	if IsLoopback(u.Hostname()) {
		full = "http://" + typed
	}
	return Target{URL: full}, nil
}

// FilePath is the path of a file: URL on an operating system, as Go names it. On Windows /C:/a is C:/a, and a host
// that is not this computer is a share, //host/share/a (RFC 8089, appendices E.2 and E.3).
func FilePath(u *url.URL, system string) string {
	if system != "windows" {
		return u.Path
	}
	if host := u.Hostname(); host != "" && !IsLoopback(host) {
		return "//" + host + u.Path
	}
	if p := strings.TrimLeft(u.Path, "/"); len(p) > 1 && isScheme(p[:1]) && p[1] == ':' {
		return p
	}
	return u.Path
}

const addressHint = "Type a URL such as example.org or localhost:8080, or the path of an .html file."

func badAddress(typed string) error {
	return &Error{Sentence: fmt.Sprintf("%q is not an address.", text.Cut(typed, 60+1)), Hint: addressHint}
}

func withScheme(scheme, typed string) (Target, error) {
	switch scheme {
	case "http", "https":
		u, err := url.Parse(typed)
		if err != nil || u.Hostname() == "" {
			return Target{}, badAddress(typed)
		}
	case "about", "data", "chrome", "view-source":
	default:
		return Target{}, &Error{
			Sentence: fmt.Sprintf("An address that starts with %q cannot be opened.", text.Cut(scheme, 20+1)+":"),
			Hint:     addressHint,
		}
	}
	return Target{URL: typed}, nil
}

// IsLoopback reports whether the host name means this computer.
func IsLoopback(host string) bool {
	h := strings.TrimSuffix(strings.ToLower(host), ".")
	if h == "localhost" || strings.HasSuffix(h, ".localhost") {
		return true
	}
	ip, err := netip.ParseAddr(h)
	return err == nil && ip.IsLoopback()
}

// isPath reports whether s is a file and not a host. Only what cannot be a host counts: a path that
// starts like one, or a name that ends in .html where a host would have to end.
func isPath(s string) bool {
	for _, p := range []string{"/", "./", "../", "~/", `.\`, `..\`, `~\`} {
		if strings.HasPrefix(s, p) && !strings.HasPrefix(s, "//") {
			return true
		}
	}
	if len(s) > 2 && s[1] == ':' && (s[2] == '\\' || s[2] == '/') { // C:\page.html
		return true
	}
	low := strings.ToLower(s)
	if !strings.HasSuffix(low, ".html") && !strings.HasSuffix(low, ".htm") || strings.Contains(s, ":") {
		return false
	}
	head, _, more := strings.Cut(s, "/")
	return !more || !strings.Contains(head, ".") && head != "localhost"
}

func isScheme(s string) bool {
	for i, r := range s {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (i == 0 || !(r >= '0' && r <= '9' || r == '+' || r == '-' || r == '.')) {
			return false
		}
	}
	return s != ""
}

func startsWithDigit(s string) bool { return s != "" && s[0] >= '0' && s[0] <= '9' }
