package profiles

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/idna"

	"github.com/refscope/refscope/snapshot/text"
)

// ErrNoDomain: the address has no host that a profile could be kept for.
var ErrNoDomain = errors.New("the address has no domain")

// Domain is the name under which a URL's or a host's profile is kept: the host in
// lower case and in its ASCII form, without "www.", its port behind "_" where it is
// not the scheme's own. Every character but letters, digits, dot and hyphen is "_",
// as the seed's chapter 15.2 has it. The result is always a plain file name.
func Domain(address string) (string, error) {
	host, port, err := hostOf(address)
	if err != nil {
		return "", err
	}
	if port != "" {
		host += ":" + port
	}
	return fileName(host), nil
}

// Candidates are the names under which a profile for an address is looked for, best
// first: its host with the port, its host, its parent domains of at least two labels.
func Candidates(address string) ([]string, error) {
	host, port, err := hostOf(address)
	if err != nil {
		return nil, err
	}
	var out []string
	if port != "" {
		out = append(out, fileName(host+":"+port))
	}
	out = append(out, fileName(host))
	if _, err := netip.ParseAddr(host); err == nil {
		return out, nil
	}
	for {
		_, parent, ok := strings.Cut(host, ".")
		if !ok || !strings.Contains(parent, ".") {
			return out, nil
		}
		host = parent
		out = append(out, fileName(host))
	}
}

func hostOf(address string) (host, port string, err error) {
	s := strings.TrimSpace(address)
	if len(s) > 64<<10 {
		return "", "", fmt.Errorf("%w: it has %d bytes", ErrNoDomain, len(s))
	}
	bad := func(why string) error { return fmt.Errorf("%s: %w: %s", quoted(address), ErrNoDomain, why) }
	scheme := ""
	if i := strings.Index(s, "://"); i >= 0 {
		scheme = strings.ToLower(s[:i])
		s = s[i+3:]
		switch scheme {
		case "http", "https", "ws", "wss":
		default:
			return "", "", bad("only http and https pages have profiles")
		}
	} else if slices.ContainsFunc([]string{"about:", "data:", "blob:", "javascript:"}, func(other string) bool {
		return strings.HasPrefix(s, other)
	}) {
		return "", "", bad("only http and https pages have profiles")
	}
	if i := strings.IndexAny(s, `/\?#`); i >= 0 {
		s = s[:i]
	}
	if i := strings.LastIndexByte(s, '@'); i >= 0 {
		s = s[i+1:]
	}
	if rest, ok := strings.CutPrefix(s, "["); ok {
		in, after, closed := strings.Cut(rest, "]")
		if !closed {
			return "", "", bad("its [ is not closed")
		}
		s, port = in, strings.TrimPrefix(after, ":")
	} else if _, err := netip.ParseAddr(s); err != nil {
		s, port, _ = strings.Cut(s, ":")
	}
	if u, err := url.PathUnescape(s); err == nil {
		s = u
	}
	if (scheme == "http" || scheme == "ws") && port == "80" || (scheme == "https" || scheme == "wss") && port == "443" {
		port = ""
	}
	for _, r := range port {
		if r < '0' || r > '9' {
			return "", "", bad("its port is not a number")
		}
	}
	if len(port) > 5 {
		return "", "", bad("its port is not a number")
	}
	if ip, err := netip.ParseAddr(s); err == nil {
		return ip.WithZone("").String(), port, nil
	}
	if ascii, err := idna.Lookup.ToASCII(s); err == nil {
		s = ascii
	}
	s = strings.Trim(strings.ToLower(s), ".")
	if t := strings.TrimPrefix(s, "www."); strings.Contains(t, ".") || t != s && t != "" {
		s = t
	}
	if s == "" {
		return "", "", bad("it has no host")
	}
	return s, port, nil
}

// fileName makes a host a plain file name on every system.
func fileName(host string) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '.', r == '-':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return '_'
	}, host)
	name = strings.Trim(name, ".")
	if len(name) > 200 {
		name = strings.Trim(name[:200], ".")
	}
	if name == "" || text.IsDevice(name) {
		name = "_" + name
	}
	return name
}
