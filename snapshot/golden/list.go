package golden

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot/diff"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/text"
)

// List is golden.json: the pages of a folder and how they are compared. It is read
// strictly: an unknown field is an error, because a misspelt rule would pass for one
// that never matches.
//
//	{
//	  "schema": "refscope.golden/1",
//	  "formats": ["dddk", "aria"],
//	  "normalise": ["host", "time"],
//	  "rules": [{"name": "order", "pattern": "\\bK-\\d+"}],
//	  "pages": [
//	    {"name": "shop", "target": "../site/index.html"},
//	    {"name": "orders, phone", "target": "http://127.0.0.1:8080/orders", "viewport": "iphone-14", "move": 4}
//	  ]
//	}
type List struct {
	Schema string `json:"schema"`
	// Formats are the dumps that are compared where a page names none; absent: dddk and
	// aria.
	Formats []dump.Format `json:"formats,omitempty"`
	// Normalise are the built-in rules by name, of host, id, time, date and price; [] is none. Absent is host,
	// and id where nobody reads it: in addresses and attributes. What else a page says is compared.
	Normalise *[]string `json:"normalise,omitempty"`
	// Rules are one's own, for all pages. They run before the built-in ones.
	Rules []Rule `json:"rules,omitempty"`
	// Viewport is that of pages that name none: WIDTHxHEIGHT in CSS px or a device;
	// absent is 1280x720.
	Viewport string `json:"viewport,omitempty"`
	// Move is how far an edge may go, in CSS px; absent is 2, below 0 boxes are not
	// compared.
	Move  *float64 `json:"move,omitempty"`
	Pages []Page   `json:"pages"`
}

// Page is one page of a list. What it leaves out is that of the list.
type Page struct {
	// Name is the page's name in reports; its folder is [Page.Folder].
	Name string `json:"name"`
	// Target is a URL, or the path of an .html file, a turn or a capture, relative to
	// the folder of golden.json, with slashes.
	Target    string        `json:"target"`
	Viewport  string        `json:"viewport,omitempty"` // WIDTHxHEIGHT in CSS px, "" for the list's
	Formats   []dump.Format `json:"formats,omitempty"`
	Normalise *[]string     `json:"normalise,omitempty"` // the rules that hold for it; absent: those of the list
	// Rules are for this page; they run before those of the list.
	Rules []Rule `json:"rules,omitempty"`
	// Move: CSS px that a box may move without being a change; absent: those of the list.
	Move *float64 `json:"move,omitempty"`
	// Pixels is the share of px, 0 to 1, that may differ where pixels count.
	Pixels float64 `json:"pixels,omitempty"`
}

// Limits of a list.
const (
	maxList  = 4 << 20 // bytes
	maxPages = 10_000
	maxTitle = 120 // characters of a page's name
	maxRules = 200
	maxMove  = 10_000
)

// ErrVersion is the error of a list of another version.
var ErrVersion = errors.New("another version")

// Parse reads golden.json. Its errors name the page or rule and describe what is wrong.
func Parse(data []byte) (*List, error) {
	if len(data) > maxList {
		return nil, fmt.Errorf("the list of pages is larger than %d bytes", maxList)
	}
	var head struct {
		Schema string `json:"schema"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, fmt.Errorf("it is not JSON: %w", err)
	}
	if head.Schema != Schema {
		if strings.HasPrefix(head.Schema, "refscope.golden/") {
			return nil, fmt.Errorf("it was made by %w of Refscope: its schema is %q, and this one reads %q", ErrVersion,
				head.Schema, Schema)
		}
		return nil, fmt.Errorf("it is not a list of golden pages: its schema is %q, not %q", head.Schema, Schema)
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	l := &List{}
	if err := dec.Decode(l); err != nil {
		return nil, fmt.Errorf("it cannot be read: %w", err)
	}
	return l, l.check()
}

// check reports what is wrong with a list.
func (l *List) check() error {
	if len(l.Pages) > maxPages {
		return fmt.Errorf("it has more than %d pages", maxPages)
	}
	seen := map[string]string{}
	for i := range l.Pages {
		p := &l.Pages[i]
		switch {
		case p.Name == "" || utf8.RuneCountInString(p.Name) > maxTitle || !clean(p.Name):
			return fmt.Errorf("page %d: a name has 1 to %d printable characters", i+1, maxTitle)
		case p.Target == "" || !clean(p.Target):
			return fmt.Errorf("page %q: it needs a target in printable characters", p.Name)
		case !(p.Pixels >= 0 && p.Pixels <= 1):
			return fmt.Errorf("page %q: pixels is a share from 0 to 1", p.Name)
		}
		folder := strings.ToLower(p.Folder())
		if other, ok := seen[folder]; ok {
			return fmt.Errorf("page %q: its name is that of page %q on a disk that ignores upper and lower case",
				p.Name, other)
		}
		seen[folder] = p.Name
		if _, err := l.Settings(p); err != nil {
			return fmt.Errorf("page %q: %w", p.Name, err)
		}
	}
	_, err := l.Settings(&Page{})
	return err
}

// Page is the page with that name, nil where the list has none.
func (l *List) Page(name string) *Page {
	if i := slices.IndexFunc(l.Pages, func(p Page) bool { return p.Name == name }); i >= 0 {
		return &l.Pages[i]
	}
	return nil
}

// Settings are how one page is compared, with the list's own filled in.
type Settings struct {
	Formats    []dump.Format
	Viewport   string
	Move       float64
	Normaliser *Normaliser
	// Key identifies the rules: two sets with one key replace the same.
	Key string
}

// Settings fills in what the page leaves to the list.
func (l *List) Settings(p *Page) (*Settings, error) {
	s := &Settings{Formats: p.Formats, Viewport: cmp.Or(p.Viewport, l.Viewport, "1280x720"), Move: diff.MoveThreshold}
	if s.Formats == nil {
		s.Formats = l.Formats
	}
	if s.Formats == nil {
		s.Formats = []dump.Format{format.DDDK, format.Aria}
	}
	for i, f := range s.Formats {
		if !slices.Contains(format.Plain(), f) {
			return nil, fmt.Errorf("unknown format %q to compare: choose from %v", f, format.Plain())
		}
		if slices.Contains(s.Formats[:i], f) {
			return nil, fmt.Errorf("the format %q is named twice", f)
		}
	}
	for _, m := range []*float64{l.Move, p.Move} {
		if m != nil {
			s.Move = *m
		}
	}
	if s.Move == 0 { // nothing is nothing; to package diff it would be its default
		s.Move = 1e-9
	}
	if s.Move > maxMove {
		return nil, fmt.Errorf("move is at most %d CSS px", maxMove)
	}
	names, given := asked(), false
	for _, n := range []*[]string{l.Normalise, p.Normalise} {
		if n != nil {
			names, given = *n, true
		}
	}
	own := append(slices.Clone(p.Rules), l.Rules...)
	if len(own) > maxRules {
		return nil, fmt.Errorf("it has more than %d rules", maxRules)
	}
	var err error
	if s.Normaliser, err = newNormaliser(own, names); err != nil {
		return nil, err
	}
	if !given {
		s.Normaliser.codes = Builtin("id").rules
	}
	h := sha256.New()
	for _, r := range slices.Concat(s.Normaliser.codes, s.Normaliser.rules) {
		fmt.Fprintf(h, "%q %q\n", r.Pattern, r.Put)
	}
	s.Key = hex.EncodeToString(h.Sum(nil))[:16]
	return s, nil
}

// Text is golden.json.
func (l *List) Text() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(l); err != nil {
		return nil, fmt.Errorf("encoding the list of golden pages: %w", err)
	}
	return b.Bytes(), nil
}

// Folder is the name of the page's folder: small and capital ASCII letters, digits, "-",
// "_" and "." are written as they are, but for a point at either end; every other byte is
// %XX. So no name leads anywhere else, is a device of Windows (these get "%_" in
// front), or is that of another page. A name of more than 100 bytes ends in its hash.
func (p *Page) Folder() string {
	var b strings.Builder
	for i := 0; i < len(p.Name); i++ {
		c := p.Name[i]
		plain := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' ||
			c == '.' && i > 0 && i < len(p.Name)-1
		if plain {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	s := b.String()
	if len(s) > 100 {
		sum := sha256.Sum256([]byte(p.Name))
		s = s[:80] + "%-" + hex.EncodeToString(sum[:])[:16]
	}
	if text.IsDevice(s) {
		s = "%_" + s
	}
	return s
}

// NameFor makes a name of a target: the file without its ending, or host and path; with a number where a page has that
// name.
func NameFor(target string, pages []Page) string {
	name := target
	if _, rest, ok := strings.Cut(target, "://"); ok {
		name, _, _ = strings.Cut(rest, "?")
		name = strings.Trim(name, "/")
	} else {
		name = name[strings.LastIndexByte(name, '/')+1:]
		for _, end := range []string{".html", ".htm", ".json"} {
			name = strings.TrimSuffix(name, end)
		}
	}
	base := cmp.Or(text.Start(redact.Standard().Clean(text.Line(name)), 100), "page")
	name = base
	taken := func(p Page) bool { return strings.EqualFold(p.Name, name) }
	for i := 2; slices.ContainsFunc(pages, taken); i++ {
		name = fmt.Sprintf("%s %d", base, i)
	}
	return name
}
