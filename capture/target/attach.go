package target

import (
	"bufio"
	"bytes"
	"net/http"
	"net/textproto"
	"net/url"
	"os"
	"strings"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/export"
)

// ReadAttach reads the values of --attach, addresses and @FILEs with one on each line, and the headers in the @FILE of
// --attach-header. remark is told of an address whose token other processes can see.
func ReadAttach(values []string, headerFile string, remark func(format string, args ...any)) (
	list []string, header http.Header, err error) {
	for _, value := range values {
		if name, ok := strings.CutPrefix(value, "@"); ok {
			lines, err := linesOf(name)
			if err != nil {
				return nil, nil, usagef("--attach %s: %v", value, err)
			}
			list = append(list, lines...)
			continue
		}
		if u, err := url.Parse(value); err == nil && (u.User != nil || u.RawQuery != "") {
			remark("--attach %s…: every process of this machine sees its token: put the address into a file and "+
				"write @FILE",
				browser.Where(value))
		}
		list = append(list, value)
	}
	if len(values) > 0 && len(list) == 0 {
		return nil, nil, usagef("--attach %s: the file has no address", values[0])
	}
	for _, at := range list {
		if err := browser.CheckAttach(at); err != nil {
			return nil, nil, usagef("--attach: %v", err)
		}
	}
	if header, err = headersIn(headerFile); err != nil {
		return nil, nil, err
	}
	if len(list) == 0 && len(header) > 0 {
		return nil, nil, usagef("--attach-header: there is no --attach that it is for")
	}
	return list, header, nil
}

// PlainBrowser is the one browser that [ReadAttach] read, as HOST:PORT or its own WebSocket address; "" for a gateway,
// several browsers, and none.
func PlainBrowser(list []string, header http.Header) string {
	if len(list) != 1 || len(header) > 0 || !isPlain(list[0]) {
		return ""
	}
	return strings.TrimSuffix(strings.TrimPrefix(list[0], "http://"), "/")
}

// isPlain reports whether an address is that of a browser itself: it has no token, and no path but that of the browser.
func isPlain(at string) bool {
	u, err := url.Parse(at)
	if !strings.Contains(at, "://") {
		return true
	}
	return err == nil && u.User == nil && u.RawQuery == "" &&
		(u.Scheme == "http" && (u.Path == "" || u.Path == "/") && u.Port() != "" ||
			u.Scheme == "ws" && strings.HasPrefix(u.Path, "/devtools/browser/"))
}

// linesOf are the lines of a file that are neither empty nor remarks.
func linesOf(name string) ([]string, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, export.Cause(err)
	}
	var out []string
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			out = append(out, line)
		}
	}
	return out, nil
}

// headersIn are the headers of --attach-header.
func headersIn(value string) (http.Header, error) {
	if value == "" {
		return nil, nil
	}
	name, ok := strings.CutPrefix(value, "@")
	if !ok {
		return nil, usagef("--attach-header takes @FILE: a header on the command line is seen by every process")
	}
	lines, err := linesOf(name)
	if err != nil {
		return nil, usagef("--attach-header @%s: %v", name, err)
	}
	text := strings.Join(lines, "\r\n") + "\r\n\r\n"
	header, err := textproto.NewReader(bufio.NewReader(bytes.NewBufferString(text))).ReadMIMEHeader()
	if err != nil || len(header) == 0 {
		return nil, usagef("--attach-header @%s: write NAME: VALUE on each line", name)
	}
	return http.Header(header), nil
}
