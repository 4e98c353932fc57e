package dataset

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/refscope/refscope/snapshot/text"
)

// Making is how a set was made, for its card.
type Making struct {
	Tool string // the program and its version
	// Failed are pages that could not be captured.
	Failed int
}

// reasons are what is left out, in words.
var reasons = map[string]string{
	"outside": "outside the picture", "redacted": "redacted, or over something redacted",
	"tiny": "too small", "clipped": "cut off", "covered": "covered", "untested": "what covers it is not known",
	"blank":        "of one colour with what is around",
	"off-center":   "the middle of its box is not on it: a wrapped link, or a control inside",
	"not-operable": "not operable",
	"no-name":      "without a name to ask for it by", "ambiguous": "its instruction fits others in the picture too",
	"other": "other",
}

// Reason is a reason for leaving an element out, in words.
func Reason(name string) string { return cmp.Or(reasons[name], name) }

func (s *Set) title() string { return cmp.Or(text.Line(s.Options.Name), "Elements of web pages") }

func (s *Set) license() string { return cmp.Or(text.Line(s.Options.License), "unknown") }

// sizeClass is the size of a set as its hub sorts sets.
func sizeClass(n int) string {
	switch {
	case n < 1_000:
		return "n<1K"
	case n < 10_000:
		return "1K<n<10K"
	case n < 100_000:
		return "10K<n<100K"
	}
	return "100K<n<1M"
}

// card is the README.md of the set.
func (s *Set) card(made Making) []byte {
	o, c := s.Options, s.Counts()
	var b bytes.Buffer
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	task := "image-text-to-text"
	if o.Shape.boxes() {
		task = "object-detection"
	}
	line("---\nlicense: %s\npretty_name: %s\ntask_categories:\n- %s\nsize_categories:\n- %s\ntags:\n- gui\n- "+
		"grounding\n---\n",
		text.Quote(s.license()), text.Quote(s.title()), task, sizeClass(c.Examples))
	line("# %s\n", markdown(s.title()))
	line("%s of %s in %s of %s, in the form of %s.\n", text.Count(c.Examples, "example", "examples"),
		text.Count(c.Elements, "element", "elements"), text.Count(c.Pictures, "picture", "pictures"),
		text.Count(c.Sites, "site", "sites"), o.Shape)
	line("## Counts\n\n| what | how many |\n|---|---|")
	line("| pictures | %d |\n| sites | %d |\n| examples | %d |\n| of these negatives | %d |", c.Pictures,
		c.Sites, c.Examples,
		c.Negatives)
	for _, split := range o.Splits {
		line("| examples in %s | %d |", split.Name, c.Splits[split.Name])
	}
	line("| pictures dropped as duplicates | %d |", c.Duplicates)
	if made.Failed > 0 {
		line("| pages that could not be captured | %d |", made.Failed)
	}
	line("\n## Left out\n\n| elements that are | how many |\n|---|---|")
	for _, why := range slices.Sorted(maps.Keys(c.LeftOut)) {
		line("| %s | %d |", Reason(why), c.LeftOut[why])
	}
	s.making(line, made)
	line("## License\n\n%s. The pictures show pages of others: who passes the set on checks what these allow.",
		markdown(s.license()))
	return b.Bytes()
}

// making describes how the set was made.
func (s *Set) making(line func(string, ...any), made Making) {
	o := s.Options
	line("\n## How it was made\n")
	line("By %s, from captures of the pages in a Chromium. No model was asked.\n",
		markdown(cmp.Or(made.Tool, "refscopectl")))
	size := "as captured"
	if o.Model.Row != "" {
		size = "at the size to which " + markdown(o.Model.Name) + " resizes them"
	}
	line("- Pictures are %s. Boxes are in px of the picture, what is visible of an element: clipped, within the "+
		"picture, around all lines of a wrapped link.", size)
	line("- The middle of the box of each example with an instruction is on its element, by hit tests when the page " +
		"was captured.")
	line("- An instruction fits one element of its picture alone. Forms: %s.", joined((&labeler{o: o}).forms()))
	line("- Under %d px a side an element is too small; with less than %g of it to be seen it is cut off or covered.",
		o.MinSide,
		o.MinVisible)
	if o.Negatives {
		line("- Negatives are elements that are covered, cut off or too small, and whose instruction fits nothing " +
			"else.")
	}
	line("- Passwords, codes and what the site's profile withholds were filled flat before the picture was stored; " +
		"they are no targets.")
	if len(o.Splits) > 0 {
		var parts []string
		for _, split := range o.Splits {
			parts = append(parts, fmt.Sprintf("%s=%g", split.Name, split.Share))
		}
		line("- Splits (%s) are by site, by a hash of its name: a site is in one of them, and stays there.",
			strings.Join(parts, ","))
	}
	line("- Of pictures that look the same, by the greys of a grid of cells, the first stays.")
	line("- `source` has, for each example, the page, the capture's hash, the element's ref, path and verdict, " +
		"device, theme and locale.\n")
}

// markdown is text in which nothing is markup.
func markdown(s string) string {
	return strings.NewReplacer("\\", `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`,
		"<", "&lt;", "|", `\|`,
		"#", `\#`, "!", `\!`).Replace(s)
}
