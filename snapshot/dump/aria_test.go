package dump

import (
	"encoding/json"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
	"golang.org/x/tools/txtar"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/pagetest"
	"github.com/refscope/refscope/snapshot/testpages"
	"github.com/refscope/refscope/snapshot/text"
)

// ariaOption reads one option of the aria format from a golden file's name.
func ariaOption(t *testing.T, key, v string, o *Options) bool {
	yes, no := true, false
	number := func() int {
		n, err := strconv.Atoi(v)
		require.NoError(t, err)
		return n
	}
	a := &o.Aria
	switch key {
	case "detail":
		a.Detail = AriaDetail(v)
	case "mode":
		a.Mode = v
	case "depth":
		a.MaxDepth = number()
	case "text":
		a.IncludeText = &yes
	case "notext":
		a.IncludeText = &no
	case "shadow":
		a.PierceShadow = &yes
	case "noshadow":
		a.PierceShadow = &no
	case "frames":
		a.IncludeFrames = &yes
	case "noframes":
		a.IncludeFrames = &no
	case "snapshot":
		n := number()
		a.Snapshot = func(ref int) int { return min(ref, n) }
	case "urls":
		a.LinkURLs = true
	case "playwright":
		a.Playwright = true
	case "boxes":
		a.Boxes = true
	case "root":
	default:
		return false
	}
	return true
}

// ariaRoot resolves root=body, root=role=navigation, and root=#id.
func ariaRoot(t *testing.T, c *snapshot.Capture, spec string, o *Options) {
	for _, word := range strings.Fields(spec) {
		root, ok := strings.CutPrefix(word, "root=")
		if !ok {
			continue
		}
		if id, ok := strings.CutPrefix(root, "#"); ok {
			for i := range c.Nodes {
				if c.Nodes[i].Attr("id") == id {
					o.Aria.Root = &c.Nodes[i].I
				}
			}
			continue
		}
		var err error
		o.Aria.Root, err = AriaRoot(c, root)
		require.NoError(t, err)
	}
}

// ariaLine is one item of an aria text as a reader takes it apart.
type ariaLine struct {
	role, name string
	states     map[string]string // state → value, "" for none
	text       string            // after the colon
	kids       []ariaLine
}

// readAria reads an aria text with a YAML parser and its keys with a strict reader of
// the grammar's own.
func readAria(t testing.TB, text string) []ariaLine {
	t.Helper()
	var doc yaml.Node
	require.NoError(t, yaml.Unmarshal([]byte(text), &doc), "%s", text)
	if len(doc.Content) == 0 {
		return nil // only notes
	}
	return readItems(t, doc.Content[0])
}

func readItems(t testing.TB, n *yaml.Node) []ariaLine {
	require.Equal(t, yaml.SequenceNode, n.Kind)
	var out []ariaLine
	for _, c := range n.Content {
		if c.Kind == yaml.ScalarNode {
			out = append(out, readKey(t, c.Value))
			continue
		}
		require.Equal(t, yaml.MappingNode, c.Kind)
		require.Len(t, c.Content, 2)
		it := readKey(t, c.Content[0].Value)
		switch v := c.Content[1]; {
		case v.Kind == yaml.SequenceNode:
			it.kids = readItems(t, v)
		case v.Tag != "!!null":
			it.text = v.Value
		}
		out = append(out, it)
	}
	return out
}

func readKey(t testing.TB, key string) ariaLine {
	it := ariaLine{states: map[string]string{}}
	it.role, key, _ = strings.Cut(key, " ")
	if key == "" {
		return it
	}
	switch key[0] {
	case '"':
		it.name, key = readString(t, key)
	case '/': // Playwright's names that look like a regular expression
		end := strings.IndexByte(key[1:], '/') + 2
		it.name, key = key[:end], key[end:]
	}
	for key = strings.TrimPrefix(key, " "); key != ""; key = strings.TrimPrefix(key, " ") {
		require.Equal(t, byte('['), key[0], "rest of a key: %s", key)
		end := strings.IndexAny(key, "=]")
		require.Positive(t, end)
		state, value := key[1:end], ""
		if key = key[end:]; key[0] == '=' {
			if key = key[1:]; key[0] == '"' {
				value, key = readString(t, key)
			} else {
				end := strings.IndexByte(key, ']')
				require.Positive(t, end)
				value, key = key[:end], key[end:]
			}
		}
		require.Equal(t, byte(']'), key[0], "end of state %s: %s", state, key)
		key = key[1:]
		require.NotContains(t, it.states, state, "twice")
		it.states[state] = value
	}
	return it
}

// readString reads a JSON string at the start of s.
func readString(t testing.TB, s string) (value, rest string) {
	d := json.NewDecoder(strings.NewReader(s))
	require.NoError(t, d.Decode(&value), s)
	return value, s[d.InputOffset():]
}

// checkAria reads a default text and holds it against its capture: every ref is a kept
// node of that role and name, every number that must be there is, and all text of the
// page is.
func checkAria(t testing.TB, c *snapshot.Capture, d *Document) {
	t.Helper()
	var said strings.Builder
	var refs []int
	var walk func(its []ariaLine)
	walk = func(its []ariaLine) {
		for _, it := range its {
			said.WriteString(it.name + " " + it.text + " ")
			if ref, ok := it.states["ref"]; ok {
				require.True(t, strings.HasPrefix(ref, "s1e"), ref)
				number, err := strconv.Atoi(ref[3:])
				require.NoError(t, err)
				refs = append(refs, number)
				n := c.ByRef(number)
				require.NotNil(t, n, "ref %s", ref)
				require.True(t, n.Verdict.Kept())
				require.Equal(t, ariaRole(n), it.role)
				if it.name != "" && n.Name != "" {
					require.True(t, strings.HasPrefix(text.Squash(n.Name), strings.TrimSuffix(it.name, "…")), "%q is %q", it.name, n.Name)
				}
			}
			walk(it.kids)
		}
	}
	walk(readAria(t, d.Text))
	require.Equal(t, d.Refs, refs, "what Refs lists is what a reader finds")
	has := map[int]bool{}
	for _, r := range refs {
		require.False(t, has[r], "number %d stands twice", r)
		has[r] = true
	}
	tree := snapshot.NewTree(c)
	solid := func(s string) string { return strings.ToLower(strings.Join(strings.Fields(text.Squash(s)), "")) }
	all := solid(said.String())
	for i := range c.Nodes {
		n := &c.Nodes[i]
		if ariaHidden(tree, n) || !n.Verdict.Rendered() {
			continue
		}
		if ariaAddressed(n) {
			require.True(t, has[n.Ref], "number %d, a %s, is not printed", n.Ref, n.Role)
		}
		if inControl(tree, n) {
			continue
		}
		for _, r := range n.Runs {
			require.Contains(t, all, solid(r.Text), "text of node %d (%s) is missing", n.I, n.Tag)
		}
	}
	for i, l := range d.Lines {
		if strings.Contains(d.Text[l.Start:l.End], "- text: ") && l.Node >= 0 {
			require.Contains(t, d.LinesOf(l.Node), i)
		}
	}
}

// inControl reports whether the element is a form control or lies in one: its text is
// the control's value or choices.
func inControl(t *snapshot.Tree, n *snapshot.Node) bool {
	if snapshot.IsFormControl(n.Tag) {
		return true
	}
	for up := range t.Ancestors(n.I) {
		if snapshot.IsFormControl(up.Tag) {
			return true
		}
	}
	return false
}

// TestAriaReadsBack: what the default prints is YAML that says what the page says.
func TestAriaReadsBack(t *testing.T) {
	body := func(c *snapshot.Capture) Options {
		root, err := AriaRoot(c, "body")
		require.NoError(t, err)
		return Options{Aria: AriaOptions{Root: root, MaxDepth: -1}}
	}
	files, err := filepath.Glob("testdata/*.txtar")
	require.NoError(t, err)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			require.NoError(t, err)
			c := pagetest.Parse(t, string(a.Files[0].Data))
			d, err := Render(c, Aria, body(c))
			require.NoError(t, err)
			checkDocument(t, c, d)
			checkAria(t, c, d)
		})
	}
	t.Run("big", func(t *testing.T) {
		c := pagetest.Shop(t, 2_000)
		d, err := Render(c, Aria, body(c))
		require.NoError(t, err)
		checkAria(t, c, d)
	})
}

// ariaProfiles are renderings that must hold for any page.
func ariaProfiles() []Options {
	plain := AriaModePlain
	return []Options{
		{}, {Compat: true}, {MaxChars: 700}, {MarkCovered: true},
		{Aria: AriaOptions{Detail: AriaInteractive, LinkURLs: true}}, {Aria: AriaOptions{Detail: AriaSummary, Mode: plain}},
		{ViewportOnly: true, MaxNodes: 20}, {Aria: AriaOptions{Playwright: true, Mode: AriaModeAI}},
		{Compat: true, Aria: AriaOptions{Detail: AriaInteractive}}, {Compat: true, Aria: AriaOptions{Detail: AriaSummary}},
	}
}

// TestAriaCaptures renders captures of real pages.
func TestAriaCaptures(t *testing.T) {
	testpages.EachCapture(t, func(t *testing.T, c *snapshot.Capture) {
		root, err := AriaRoot(c, "body")
		require.NoError(t, err)
		d, err := Render(c, Aria, Options{Aria: AriaOptions{Root: root, MaxDepth: -1}})
		require.NoError(t, err)
		checkDocument(t, c, d)
		checkAria(t, c, d)
		for _, o := range ariaProfiles() {
			d, err := Render(c, Aria, o)
			require.NoError(t, err)
			checkDocument(t, c, d)
			again, err := Render(c, Aria, o)
			require.NoError(t, err)
			require.True(t, reflect.DeepEqual(d, again))
			if !o.Compat {
				var doc any
				require.NoError(t, yaml.Unmarshal([]byte(d.Text), &doc), "%+v\n%s", o.Aria, d.Text)
			}
			for _, ref := range d.Refs {
				require.NotNil(t, c.ByRef(ref))
			}
		}
	})
}

// TestAriaLegend: the legend explains every state that the goldens have.
func TestAriaLegend(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	require.NoError(t, err)
	found := map[string]bool{}
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		require.NoError(t, err)
		c := pagetest.Parse(t, string(a.Files[0].Data))
		for _, o := range []Options{
			{}, {MarkCovered: true, Aria: AriaOptions{LinkURLs: true}}, {Aria: AriaOptions{Detail: AriaInteractive}},
			{Aria: AriaOptions{Playwright: true, Mode: AriaModeAI, Boxes: true}},
		} {
			d, err := Render(c, Aria, o)
			require.NoError(t, err)
			legend := Legend(Aria, o)
			var walk func(its []ariaLine)
			walk = func(its []ariaLine) {
				for _, it := range its {
					for state := range it.states {
						require.Contains(t, legend, state, "%+v", o)
						found[state] = true
					}
					walk(it.kids)
				}
			}
			walk(readAria(t, d.Text))
		}
	}
	require.Greater(t, len(found), 15, "%v", found)
	require.Contains(t, Legend(Aria, Options{Compat: true}), "f0s1e12")
	require.NotContains(t, Legend(Aria, Options{Aria: AriaOptions{Mode: AriaModePlain}}), "ref=")
	require.Contains(t, Legend(Aria, Options{Aria: AriaOptions{Detail: AriaSummary}}), "interactiveCount")
}
