package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	validator "github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"github.com/refscope/refscope/capture/step"
	"github.com/refscope/refscope/snapshot/audit"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/refscope/refscope/snapshot/testpages"
)

var update = flag.Bool("update", false, "rewrite docs/reference and docs/schemas")

// Every link of every page leads somewhere, and the pages are all there.
func TestSite(t *testing.T) {
	s, err := build(testneed.Repository(t))
	require.NoError(t, err)
	links, err := s.check()
	require.NoError(t, err)
	require.Greater(t, links, 500)
	require.Greater(t, s.pages, 20)
	t.Logf("%d pages, %d links", s.pages, links)
	for _, name := range []string{"index.html", "docs/index.html", "docs/security.html", "docs/reference/steps.html", "search.js",
		"docs/schemas/capture.schema.json", "assets/readme/window.png"} {
		require.NotEmpty(t, s.files[name], name)
	}
	require.Contains(t, string(s.files["docs/reference/steps.html"]), `<h3 id="click">`)
	require.Contains(t, string(s.files["search.js"]), `"id":"click"`)
	for _, section := range s.nav {
		require.NotEmpty(t, section.Pages, section.Title)
	}
	// A link that leads nowhere, or to no heading, is found.
	s.files["broken.html"] = []byte(`<a href="nowhere.html">x</a><a href="index.html#nowhere">y</a>`)
	_, err = s.check()
	require.ErrorContains(t, err, "broken.html: the link nowhere.html leads nowhere")
	require.ErrorContains(t, err, "broken.html: the link index.html#nowhere leads to no heading")
}

// Each page is as those who cannot see it, or use no mouse, need it: one heading of the first level, none that skips a
// level, a text in each head of a column, a text for each picture. No page is listed twice, and the search knows each.
func TestPagesAreAccessible(t *testing.T) {
	s, err := build(testneed.Repository(t))
	require.NoError(t, err)
	listed := map[string]bool{}
	for _, section := range s.nav {
		for _, p := range section.Pages {
			require.False(t, listed[p.Path], "%s is listed twice", p.Path)
			listed[p.Path] = true
		}
	}
	text := func(n *html.Node) (out string) {
		for d := range n.Descendants() {
			if d.Type == html.TextNode {
				out += strings.TrimSpace(d.Data)
			}
		}
		return out
	}
	for name, body := range s.files {
		if !strings.HasSuffix(name, ".html") {
			continue
		}
		tree, err := html.Parse(bytes.NewReader(body))
		require.NoError(t, err)
		first, level, inMain := 0, 0, false
		for n := range tree.Descendants() {
			switch n.Data {
			case "main":
				inMain = true
			case "h1", "h2", "h3", "h4", "h5", "h6":
				if n.Type != html.ElementNode || !inMain { // those of the list of pages stand beside the text
					continue
				}
				at := int(n.Data[1] - '0')
				assert.LessOrEqual(t, at, level+1, "%s: %s skips a level", name, text(n))
				level = at
				if at == 1 {
					first++
				}
			case "th":
				if n.Type != html.ElementNode {
					continue
				}
				assert.NotEmpty(t, text(n), "%s: a column without a head", name)
			case "img":
				assert.True(t, slices.ContainsFunc(n.Attr, func(a html.Attribute) bool {
					return a.Key == "alt" && a.Val != ""
				}), "%s: a picture without a text", name)
			}
		}
		assert.Equal(t, 1, first, "%s: headings of the first level", name)
	}
	index, found := strings.CutPrefix(string(s.files["search.js"]), "window.refscopePages = ")
	require.True(t, found)
	var pages []struct {
		Path  string
		Parts []part
	}
	require.NoError(t, json.Unmarshal([]byte(strings.TrimSuffix(index, ";\n")), &pages))
	require.Len(t, pages, s.pages)
	for _, p := range pages {
		require.NotEmpty(t, p.Parts, "the search finds nothing of %s", p.Path)
	}
}

// What is made of the code lies in the repository as the code says it.
func TestReferenceAndSchemasAreCurrent(t *testing.T) {
	root := testneed.Repository(t)
	if *update {
		require.NoError(t, run(root, "", true))
	}
	files, err := written(root)
	require.NoError(t, err)
	require.Greater(t, len(files), 12)
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		require.NoError(t, err)
		require.Equal(t, string(want), string(got), "%s: go run ./docs/site -generate", name)
	}
}

// compiled is a schema as another library than the one that made it reads it.
func compiled(t *testing.T, name string) *validator.Schema {
	t.Helper()
	c := validator.NewCompiler()
	body, err := os.ReadFile(filepath.Join(testneed.Repository(t), "docs", "schemas", name+".schema.json"))
	require.NoError(t, err)
	doc, err := validator.UnmarshalJSON(bytes.NewReader(body))
	require.NoError(t, err)
	require.NoError(t, c.AddResource("schema.json", doc))
	s, err := c.Compile("schema.json")
	require.NoError(t, err)
	return s
}

func holds(t *testing.T, s *validator.Schema, body []byte) {
	t.Helper()
	doc, err := validator.UnmarshalJSON(bytes.NewReader(body))
	require.NoError(t, err)
	require.NoError(t, s.Validate(doc))
}

// Captures, what the audit finds in them, and the files of released sessions are as the schemas describe them. What the
// command line prints is held to them in cmd/refscopectl.
func TestRealFilesAreAsTheSchemasSay(t *testing.T) {
	capture, findings := compiled(t, "capture"), compiled(t, "findings")
	for name, c := range testpages.Captures(t) {
		t.Run(name, func(t *testing.T) {
			body, err := json.Marshal(c)
			require.NoError(t, err)
			holds(t, capture, body)
			r, err := audit.Run(c, audit.Options{})
			require.NoError(t, err)
			body, err = json.Marshal(r)
			require.NoError(t, err)
			holds(t, findings, body)
		})
	}
	for file, schema := range map[string]string{"session.json": "session", "turns/*/turn.json": "turn"} {
		list, err := filepath.Glob(filepath.Join(testneed.Repository(t), "snapshot", "turn", "testdata", "releases", "*", file))
		require.NoError(t, err)
		require.NotEmpty(t, list)
		for _, path := range list {
			body, err := os.ReadFile(path)
			require.NoError(t, err)
			holds(t, compiled(t, schema), body)
		}
	}
	require.Error(t, capture.Validate(map[string]any{"schema": 1}), "a schema that lets everything in is none")
}

// Every example of every step, which the program accepts, is as the schema of steps describes it.
func TestStepsAreAsTheSchemaSays(t *testing.T) {
	s := compiled(t, "steps")
	count := 0
	for _, d := range step.Table() {
		for _, f := range d.Forms {
			if strings.Contains(f.Example(), "…") || !json.Valid([]byte(f.Example())) {
				continue
			}
			count++
			holds(t, s, []byte(`{"tab":"t1","steps":[{"`+d.Name+`":`+f.Example()+`}]}`))
		}
	}
	require.Greater(t, count, 100)
	holds(t, s, []byte(`{"steps":[{"click":"#a","optional":true,"timeout":5,"readyWhen":"() => true"}],"stopOnError":false}`))
	for _, wrong := range []string{
		`{}`, `{"steps":[]}`, `{"steps":[{"click":{"timeout":"soon"}}]}`, `{"steps":[{"clik":3}]}`, `{"steps":[{}]}`,
		`{"steps":[{"optional":true}]}`, `{"steps":[{"click":"#a","fill":{"ref":1,"value":"x"}}]}`, `{"steps":{"click":"#a"}}`,
		`{"steps":["click"]}`, `{"steps":[{"click":"#a"}],"tabs":"t1"}`, `{"steps":[{"click":"#a"}],"tab":1}`,
		`{"steps":[{"click":"#a","optional":"yes"}]}`, `{"click":"#a"}`,
	} {
		doc, err := validator.UnmarshalJSON(strings.NewReader(wrong))
		require.NoError(t, err)
		require.Error(t, s.Validate(doc), wrong)
		_, err = step.Parse([]byte(wrong))
		require.Error(t, err, "the program lets in what its schema refuses: %s", wrong)
	}
}

// TestMutatedDocumentsAreRefused: a document with a member of the wrong kind, without one that must be there, or of
// another version, does not fit.
func TestMutatedDocumentsAreRefused(t *testing.T) {
	capture, findings := compiled(t, "capture"), compiled(t, "findings")
	count := 0
	refuses := func(s *validator.Schema, name string, body []byte) {
		var whole map[string]any
		require.NoError(t, json.Unmarshal(body, &whole))
		require.NoError(t, s.Validate(whole), name)
		for member, was := range whole {
			wrong := []any{map[string]any{"not": "this"}, "a text", -1.5}
			switch was.(type) {
			case map[string]any:
				wrong = wrong[1:]
			case string:
				wrong = []any{wrong[0], wrong[2]}
			case float64, bool:
				wrong = wrong[:2]
			case nil:
				continue
			}
			for _, v := range wrong {
				whole[member] = v
				count++
				require.Error(t, s.Validate(whole), "%s: %s is %v", name, member, v)
			}
			whole[member] = was
		}
		for _, version := range []any{"refscope.other/1", nil, ""} {
			whole["schema"] = version
			count++
			require.Error(t, s.Validate(whole), "%s: version %v", name, version)
		}
		delete(whole, "schema")
		require.Error(t, s.Validate(whole), "%s without its version", name)
	}
	for name, c := range testpages.Captures(t) {
		body, err := json.Marshal(c)
		require.NoError(t, err)
		refuses(capture, name, body)
		r, err := audit.Run(c, audit.Options{})
		require.NoError(t, err)
		body, err = json.Marshal(r)
		require.NoError(t, err)
		refuses(findings, name, body)
	}
	require.Greater(t, count, 100)
}

// TestSchemasHaveAddresses: each schema has an address that ends in its file's name, says what it is of, and what each
// of its members means.
func TestSchemasHaveAddresses(t *testing.T) {
	list, err := filepath.Glob(filepath.Join(testneed.Repository(t), "docs", "schemas", "*.json"))
	require.NoError(t, err)
	require.NotEmpty(t, list)
	for _, path := range list {
		body, err := os.ReadFile(path)
		require.NoError(t, err)
		var s struct {
			ID    string `json:"$id"`
			Draft string `json:"$schema"`
			Title string
		}
		require.NoError(t, json.Unmarshal(body, &s))
		require.True(t, strings.HasSuffix(s.ID, "/"+filepath.Base(path)), "%s: %s", path, s.ID)
		require.NotEmpty(t, s.Draft)
		require.NotEmpty(t, s.Title)
		var tree any
		require.NoError(t, json.Unmarshal(body, &tree))
		require.Empty(t, undescribed(tree), path)
	}
	require.Equal(t, []string{"b"}, undescribed(map[string]any{"properties": map[string]any{
		"a": map[string]any{"description": "said"}, "b": map[string]any{"type": "string"}}}))
}

// undescribed are the members of a schema without a description. Those of alternatives, which only say what has to be
// there, need none.
func undescribed(schema any) (names []string) {
	switch s := schema.(type) {
	case []any:
		for _, v := range s {
			names = append(names, undescribed(v)...)
		}
	case map[string]any:
		members, _ := s["properties"].(map[string]any)
		for name, v := range members {
			if member, ok := v.(map[string]any); ok && len(member) > 0 && member["description"] == nil {
				names = append(names, name)
			}
		}
		for _, v := range s {
			names = append(names, undescribed(v)...)
		}
	}
	return names
}
