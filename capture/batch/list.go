package batch

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"

	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/text"
)

// Bounds of a list.
const (
	maxLine    = 1 << 20   // bytes of one line
	maxPages   = 1_000_000 // pages of one list
	maxSitemap = 64 << 20  // bytes of one sitemap; the protocol allows 50 MB
	maxNested  = 50_000    // sitemaps of an index, as the protocol allows
)

// Page is one page of a list.
type Page struct {
	// Target is a URL or the path of an .html file.
	Target string `json:"target"`
	// Name is what people call it, "" for its address.
	Name string `json:"name,omitempty"`
	// Device is what it is seen with: a device such as iphone-14, or WIDTHxHEIGHT in CSS px;
	// "" is what the batch was started with.
	Device string `json:"device,omitempty"`
	// Profile is the file of the site profile that applies; "" is the site's own.
	Profile string `json:"profile,omitempty"`
	// Steps are done before the page is captured, as refscopectl run takes them.
	Steps json.RawMessage `json:"steps,omitempty"`

	// Place is its number in the whole list, from 1 on.
	Place int `json:"-"`
}

// Key names the page's folder. It depends on the page alone, so it is the same on all machines:
// some readable letters, and a hash of all that the line has.
func (p *Page) Key() string {
	h := sha256.New()
	for _, part := range []string{p.Target, p.Name, p.Device, p.Profile, string(p.Steps)} {
		_, _ = fmt.Fprintf(h, "%d:%s", len(part), part) // a hash takes everything
	}
	return slug(cmp.Or(p.Name, readable(p.Target))) + "-" + hex.EncodeToString(h.Sum(nil)[:6])
}

// Label is the page as it may be written down.
func (p *Page) Label() string { return clean(cmp.Or(p.Name, p.Target)) }

// Address is its target as it may be written down.
func (p *Page) Address() string { return clean(p.Target) }

// Host is the host that politeness counts for; "" for a file.
func (p *Page) Host() string {
	target := p.Target
	if !strings.Contains(target, "://") {
		if strings.ContainsAny(target[:min(1, len(target))], "./\\") || strings.HasSuffix(target, ".html") ||
			strings.HasSuffix(target, ".htm") {
			return ""
		}
		target = "https://" + target
	}
	u, err := url.Parse(target)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Host)
}

// clean is a text without secrets, on one line.
func clean(s string) string { return text.Line(redact.Standard().Clean(s)) }

// readable is the part of an address that holds no query.
func readable(target string) string {
	target = clean(target)
	if _, rest, ok := strings.Cut(target, "://"); ok {
		target = rest
	}
	if at := strings.LastIndexByte(target, '@'); at >= 0 {
		target = target[at+1:]
	}
	target, _, _ = strings.Cut(target, "?")
	target, _, _ = strings.Cut(target, "#")
	for _, end := range []string{".html", ".htm"} {
		target = strings.TrimSuffix(target, end)
	}
	return target
}

// longestSlug is the most readable characters of a key.
const longestSlug = 40

// slug is a text as part of a folder's name: letters and digits of ASCII with single hyphens
// between them, never empty. The end of an address says most about it.
func slug(s string) string {
	var b []byte
	for i := range len(s) {
		c := s[i]
		switch {
		case c >= 'A' && c <= 'Z':
			b = append(b, c+'a'-'A')
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
			b = append(b, c)
		case len(b) > 0 && b[len(b)-1] != '-':
			b = append(b, '-')
		}
	}
	b = b[max(0, len(b)-longestSlug):]
	return cmp.Or(string(bytes.Trim(b, "-")), "page")
}

// Source gives the bytes of a sitemap that another one names.
type Source func(ctx context.Context, address string) (io.ReadCloser, error)

// List is what was read.
type List struct {
	Pages []Page
	// Repeated is how many lines were left out as an equal one is before them.
	Repeated int
}

// Read reads a list: a sitemap or an index of sitemaps, which fetch follows; else lines. A line
// is a target, or a JSON object as [Page] has it; empty lines and those that begin with # count
// for nothing. The error names the line.
func Read(ctx context.Context, r io.Reader, fetch Source) (*List, error) {
	in := bufio.NewReader(r)
	if isXML(in) {
		l := &List{}
		return l.numbered(l.sitemap(ctx, in, fetch, map[string]bool{}))
	}
	l := &List{}
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 0, 64<<10), maxLine)
	n := 0
	for lines.Scan() {
		n++
		line := strings.TrimSpace(strings.TrimPrefix(lines.Text(), "\ufeff"))
		if line == "" || line[0] == '#' {
			continue
		}
		p, err := readLine(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if l.Pages = append(l.Pages, p); len(l.Pages) > maxPages {
			return nil, fmt.Errorf("line %d: a list has at most %s pages: split it", n, text.Thousands(maxPages))
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return nil, fmt.Errorf("line %d is longer than %s bytes", n+1, text.Thousands(maxLine))
	}
	return l.numbered(lines.Err())
}

// numbered drops lines that repeat others and gives the rest their places.
func (l *List) numbered(err error) (*List, error) {
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	kept := l.Pages[:0]
	for _, p := range l.Pages {
		if key := p.Key(); !seen[key] {
			seen[key] = true
			p.Place = len(kept) + 1
			kept = append(kept, p)
		}
	}
	l.Repeated, l.Pages = len(l.Pages)-len(kept), kept
	if len(kept) == 0 {
		return nil, errors.New("it names no page: write one address on each line")
	}
	return l, nil
}

func readLine(line string) (Page, error) {
	if line[0] != '{' {
		return Page{Target: line}, nil
	}
	var p Page
	d := json.NewDecoder(strings.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(&p); err != nil {
		return p, fmt.Errorf("%s: a line is an address, or an object of target, name, device, profile, steps",
			strings.TrimPrefix(err.Error(), "json: "))
	}
	if d.More() {
		return p, errors.New("something follows the object: write one object on a line")
	}
	if p.Target = strings.TrimSpace(p.Target); p.Target == "" {
		return p, errors.New("it has no target: name the page's address")
	}
	if len(p.Steps) > 0 {
		var steps []json.RawMessage
		if err := json.Unmarshal(p.Steps, &steps); err != nil {
			return p, errors.New("steps are a list, as in {\"steps\":[{\"click\":{\"text\":\"More\"}}]}")
		}
		// The key depends on no spaces, and on a machine that got the page over a queue it is the same.
		var err error
		if p.Steps, err = json.Marshal(p.Steps); err != nil {
			return p, fmt.Errorf("steps: %w", err)
		}
	}
	return p, nil
}

// isXML reports whether what follows begins as XML does.
func isXML(r *bufio.Reader) bool {
	return bytes.HasPrefix(beginning(r), []byte("<"))
}

// isWebPage reports whether what follows begins as HTML does.
func isWebPage(r *bufio.Reader) bool {
	head := bytes.ToLower(beginning(r))
	return bytes.HasPrefix(head, []byte("<!doctype html")) || bytes.HasPrefix(head, []byte("<html"))
}

// beginning is the first bytes that follow, without a byte order mark and spaces.
func beginning(r *bufio.Reader) []byte {
	head, _ := r.Peek(64) // what is wrong shows when it is read
	return bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
}

// errWebPage is the error of a web page in the place of a list.
var errWebPage = errors.New("it is a web page and no list: write its address on a line of a file, and name that")

// sitemap reads a sitemap as sitemaps.org describes it, and those that it names.
func (l *List) sitemap(ctx context.Context, r *bufio.Reader, fetch Source, met map[string]bool) error {
	if isWebPage(r) {
		return errWebPage
	}
	d := xml.NewDecoder(io.LimitReader(r, maxSitemap))
	var index []string
	inside := []string{}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("it is not a sitemap: %w", err)
		}
		switch t := token.(type) {
		case xml.StartElement:
			if inside = append(inside, t.Name.Local); len(inside) == 1 && t.Name.Local != "urlset" &&
				t.Name.Local != "sitemapindex" {
				return fmt.Errorf("it is not a sitemap: it begins with <%s>", text.Cut(t.Name.Local, 40))
			}
		case xml.EndElement:
			inside = inside[:len(inside)-1]
		case xml.CharData:
			at := strings.TrimSpace(string(t))
			switch path := strings.Join(inside, "/"); {
			case at == "":
			case path == "urlset/url/loc":
				l.Pages = append(l.Pages, Page{Target: at})
			case path == "sitemapindex/sitemap/loc":
				index = append(index, at)
			}
		}
		if len(l.Pages) > maxPages || len(index) > maxNested {
			return fmt.Errorf("it has more than %s pages or %s sitemaps", text.Thousands(maxPages),
				text.Thousands(maxNested))
		}
	}
	for _, at := range index {
		if met[at] {
			continue
		}
		met[at] = true
		if err := l.nested(ctx, at, fetch, met); err != nil {
			return fmt.Errorf("sitemap %s: %w", clean(at), err)
		}
	}
	return nil
}

func (l *List) nested(ctx context.Context, at string, fetch Source, met map[string]bool) error {
	if fetch == nil {
		return errors.New("it is of another place, which cannot be read")
	}
	body, err := fetch(ctx, at)
	if err != nil {
		return err
	}
	defer body.Close()
	in := bufio.NewReader(body)
	if !isXML(in) {
		return errors.New("it is not a sitemap: it is not XML")
	}
	return l.sitemap(ctx, in, fetch, met)
}
