package dataset

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"net/netip"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/publicsuffix"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/address"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
)

// Split is a part of a set, by the share of the sites that go to it.
type Split struct {
	Name  string
	Share float64 // of all, by weight: 80 of 80, 10 and 10
}

// ParseSplits reads train=80,test=20. The empty text is none.
func ParseSplits(list string) ([]Split, error) {
	if list == "" {
		return nil, nil
	}
	var out []Split
	for part := range strings.SplitSeq(list, ",") {
		name, share, _ := strings.Cut(strings.TrimSpace(part), "=")
		v, err := strconv.ParseFloat(share, 64)
		switch {
		case name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_") != "" || text.IsDevice(name):
			return nil, fmt.Errorf(
				"split %q: name it with small letters, digits and underscores, as in train=80,test=20", part)
		case err != nil || !(v > 0 && v <= 1e6):
			return nil, fmt.Errorf("split %q: its share is a number above 0, as in train=80,test=20", part)
		}
		for _, s := range out {
			if s.Name == name {
				return nil, fmt.Errorf("split %q is named twice", name)
			}
		}
		out = append(out, Split{name, v})
	}
	return out, nil
}

// splitOf is the split of a site: by a hash of its name alone, so that it stays where it is when other sites come.
func splitOf(splits []Split, site string) string {
	if len(splits) == 0 {
		return ""
	}
	sum := sha256.Sum256([]byte("refscope.split/1:" + site))
	all, at := 0.0, float64(binary.BigEndian.Uint32(sum[:]))/(1<<32)
	for _, s := range splits {
		all += s.Share
	}
	for _, s := range splits {
		if at -= s.Share / all; at < 0 {
			return s.Name
		}
	}
	return splits[len(splits)-1].Name
}

// siteOf is the site of a page, which is never in two splits: the registrable domain of its address (example.co.uk),
// or the host where there is none. A page that is served from this machine is of the site that it names as its
// canonical address, else of the folder of its file, and a recorded one of that of its session.
func siteOf(c *snapshot.Capture, target string) string {
	if site, local := siteOfURL(c.URL); !local {
		return site
	}
	for p := range c.Nodes {
		if n := &c.Nodes[p]; n.Tag == "link" && strings.EqualFold(n.Attr("rel"), "canonical") {
			if site, local := siteOfURL(n.Attr("href")); !local {
				return site
			}
		}
	}
	target = strings.ReplaceAll(target, `\`, "/")
	dir := path.Dir(target)
	if a, err := turn.ParseTarget("", target); err == nil {
		dir = a.Dir
	}
	return "folder " + text.Cut(text.Line(path.Base(dir)), nameRunes)
}

// siteOfURL reports the site of a URL, and whether it has none but this machine.
func siteOfURL(raw string) (site string, local bool) {
	u, err := url.Parse(raw)
	if err != nil || u.Hostname() == "" || address.IsLoopback(u.Hostname()) {
		return "", true
	}
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	if _, err := netip.ParseAddr(host); err == nil {
		return host, false
	}
	if domain, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil {
		return domain, false
	}
	return text.Cut(text.Line(host), nameRunes), false
}

// Set is a set of pictures with their examples.
type Set struct {
	Options Options
	// Pages are those that the set has, in the order in which they came.
	Pages []*Page
	// Dropped are those that show what an earlier one does.
	Dropped []*Page
	split   map[*Page]string
}

// Assemble makes a set of pages in their order. Of pictures that look the same the first stays.
func Assemble(pages []*Page, o Options) *Set {
	s := &Set{Options: o, split: map[*Page]string{}}
	bySize := map[[2]int][]*Page{}
next:
	for _, p := range pages {
		size := [2]int{p.Print.Width, p.Print.Height}
		for _, q := range bySize[size] {
			if p.Print.Same(q.Print) {
				s.Dropped = append(s.Dropped, p)
				continue next
			}
		}
		bySize[size] = append(bySize[size], p)
		s.Pages = append(s.Pages, p)
		s.split[p] = splitOf(o.Splits, p.Source.Site)
	}
	return s
}

// example is one element with one of its instructions, or its box alone.
type example struct {
	id       string
	page     *Page
	element  *Element
	phrase   Phrase
	negative bool
}

// examples are the examples of the set with instructions, those of a page in the order of refs.
func (s *Set) examples() []example {
	var out []example
	for _, p := range s.Pages {
		out = append(out, s.examplesOf(p)...)
	}
	return out
}

func (s *Set) examplesOf(p *Page) []example {
	var out []example
	for i := range p.Elements {
		e := &p.Elements[i]
		target := e.Status == Visible
		if !target && !(s.Options.Negatives && e.Status.negative()) {
			continue
		}
		if target && e.Mark == 0 && s.Options.Shape == SoM {
			continue // no number answers
		}
		for _, f := range e.Phrases {
			stem := strings.TrimSuffix(p.Image, path.Ext(p.Image))
			out = append(out, example{fmt.Sprintf("%s-%d-%s", stem, e.Ref, f.Form), p, e, f, !target})
		}
	}
	return out
}

// negative reports whether an element of the status can be an example of what is not to be found.
func (s Status) negative() bool { return s == Covered || s == Clipped || s == Tiny }

// boxed lists the elements whose boxes a set of boxes has.
func (s *Set) boxed(p *Page) []*Element {
	var out []*Element
	for i := range p.Elements {
		switch e := &p.Elements[i]; {
		case e.Status == Visible, e.Status == OffCenter:
			out = append(out, e)
		case s.Options.Negatives && s.Options.Shape == COCO && e.Status.negative() && e.Box[2] > 0:
			out = append(out, e)
		}
	}
	return out
}

// Counts are how much is in a set and how much is not, for its card, the command line and the window.
type Counts struct {
	Pictures   int            `json:"pictures"`         // pictures in the set
	Duplicates int            `json:"duplicates"`       // pictures that were left out, as they equal another
	Sites      int            `json:"sites"`            // sites that the pictures are of
	Examples   int            `json:"examples"`         // instructions, or boxes; negatives too
	Negatives  int            `json:"negatives"`        // examples of which nothing on the picture is the answer
	Elements   int            `json:"elements"`         // of all pictures of the set
	LeftOut    map[string]int `json:"leftOut"`          // elements that are in no example, by reason
	Splits     map[string]int `json:"splits,omitempty"` // how many pictures each split has
}

// Counts counts. Every element is in an example or left out for one reason.
func (s *Set) Counts() Counts {
	c := Counts{Pictures: len(s.Pages), Duplicates: len(s.Dropped), LeftOut: map[string]int{}}
	sites := map[string]bool{}
	for _, p := range s.Pages {
		sites[p.Source.Site] = true
		c.Elements += len(p.Elements)
		used := map[*Element]bool{}
		n := 0
		if s.Options.Shape.boxes() {
			for _, e := range s.boxed(p) {
				used[e] = true
				n++
				if e.Status.negative() {
					c.Negatives++
				}
			}
		} else {
			for _, x := range s.examplesOf(p) {
				used[x.element] = true
				n++
				if x.negative {
					c.Negatives++
				}
			}
		}
		for i := range p.Elements {
			if e := &p.Elements[i]; !used[e] {
				c.LeftOut[e.leftOut()]++
			}
		}
		c.Examples += n
		if split := s.split[p]; split != "" {
			if c.Splits == nil {
				c.Splits = map[string]int{}
			}
			c.Splits[split] += n
		}
	}
	c.Sites = len(sites)
	return c
}

// Reasons are the reasons for what is left out, that of the most first.
func (c Counts) Reasons() []string {
	return slices.SortedFunc(maps.Keys(c.LeftOut), func(a, b string) int {
		return cmp.Or(c.LeftOut[b]-c.LeftOut[a], strings.Compare(a, b))
	})
}

// Shown is an example as a person looks at it.
type Shown struct {
	Box   [4]int // px of the picture
	Words string // the instruction, or role and name
}

// Shown are all examples of the set.
func (s *Set) Shown() []Shown {
	var out []Shown
	for _, p := range s.Pages {
		if s.Options.Shape.boxes() {
			for _, e := range s.boxed(p) {
				out = append(out, Shown{e.Box, strings.TrimSpace(e.Role + " " + e.Name)})
			}
			continue
		}
		for _, x := range s.examplesOf(p) {
			words := x.phrase.Text
			if x.negative {
				words = "not there: " + words
			}
			out = append(out, Shown{x.element.Box, words})
		}
	}
	return out
}

// leftOut is why an element is in no example.
func (e *Element) leftOut() string {
	switch {
	case e.Status != Visible:
		return string(e.Status)
	case !e.Operable:
		return "not-operable"
	case e.Mark == 0 && len(e.Phrases) > 0:
		return "no-mark"
	}
	return cmp.Or(e.Lacks, "other")
}
