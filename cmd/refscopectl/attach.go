package main

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

// checkAttach reads --attach and --attach-header. A single browser that is reached by HOST:PORT or its own
// WebSocket address is attached to as it is, by every command; gateways, and several browsers, are a pool.
func (a *app) checkAttach() error {
	var list []string
	for _, value := range a.attached {
		if name, ok := strings.CutPrefix(value, "@"); ok {
			lines, err := linesOf(name)
			if err != nil {
				return usagef("--attach %s: %v", value, err)
			}
			list = append(list, lines...)
			continue
		}
		if u, err := url.Parse(value); err == nil && (u.User != nil || u.RawQuery != "") {
			a.remark("--attach %s…: every process of this machine sees its token: put the address into a file and write @FILE",
				browser.Where(value))
		}
		list = append(list, value)
	}
	if len(a.attached) > 0 && len(list) == 0 {
		return usagef("--attach %s: the file has no address", a.attached[0])
	}
	for _, at := range list {
		if err := browser.CheckAttach(at); err != nil {
			return usagef("--attach: %v", err)
		}
	}
	header, err := a.headerOfAttach()
	if err != nil {
		return err
	}
	a.attach = ""
	switch {
	case len(list) == 1 && len(header) == 0 && isPlain(list[0]):
		a.attach = strings.TrimSuffix(strings.TrimPrefix(list[0], "http://"), "/")
	case len(list) > 0 && a.pool == nil:
		a.pool = browser.NewPool(browser.Options{Header: header, Width: a.width, Height: a.height, Log: a.log()}, list...)
	case len(list) == 0 && len(header) > 0:
		return usagef("--attach-header: there is no --attach that it is for")
	}
	return nil
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

// headerOfAttach are the headers of --attach-header.
func (a *app) headerOfAttach() (http.Header, error) {
	if a.attachHeader == "" {
		return nil, nil
	}
	name, ok := strings.CutPrefix(a.attachHeader, "@")
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

// oneBrowser refuses a pool where a command keeps to one browser.
func (a *app) oneBrowser() error {
	if a.pool == nil {
		return nil
	}
	return usagef("this command attaches to one browser by HOST:PORT: gateways, and several browsers, are for " +
		"commands that capture pages, such as snap, mark, turn, audit and golden, without --keep")
}
