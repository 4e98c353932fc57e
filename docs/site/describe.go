package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// module is what the paths of our packages begin with.
const module = "github.com/refscope/refscope/"

// fieldComments are the comments of struct fields in the source, by package path, type and field. They are what the
// schemas say of a member, so that nothing is described twice.
type fieldComments struct {
	root     string
	packages map[string]map[string]string // by path: "Type.Field"
}

// word is a word of a comment.
var word = regexp.MustCompile(`\w+`)

// link is a link of a Go comment.
var link = regexp.MustCompile(`\[([A-Za-z][\w.]*)\]`)

// of is the comment of a field as one line, that of the type where field is ""; "" for none.
func (c *fieldComments) of(path, name, field string) (string, error) {
	inside, ours := strings.CutPrefix(path, module)
	if !ours || name == "" {
		return "", nil
	}
	known := c.packages[path]
	if known == nil {
		var err error
		if known, err = commentsIn(filepath.Join(c.root, filepath.FromSlash(inside))); err != nil {
			return "", fmt.Errorf("comments of %s: %w", path, err)
		}
		c.packages[path] = known
	}
	return known[strings.TrimSuffix(name+"."+field, ".")], nil
}

// commentsIn reads the comments of a package's struct fields.
func commentsIn(dir string) (map[string]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	out, madeOf := map[string]string{}, map[string]string{}
	files := token.NewFileSet()
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(files, filepath.Join(dir, e.Name()), nil,
			parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if d, ok := n.(*ast.GenDecl); ok && len(d.Specs) == 1 { // its comment is that of its one type
				if t, ok := d.Specs[0].(*ast.TypeSpec); ok && t.Doc == nil {
					t.Doc = d.Doc
				}
			}
			t, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			out[t.Name.Name] = firstSentence(line(t.Doc.Text()))
			if of, ok := t.Type.(*ast.Ident); ok { // a type made of another one
				madeOf[t.Name.Name] = of.Name
			}
			s, ok := t.Type.(*ast.StructType)
			if !ok {
				return true
			}
			block, end := "", 0 // the comment of fields that follow each other without an empty line; where they end
			for _, f := range s.Fields.List {
				words := line(f.Doc.Text() + f.Comment.Text())
				if words != "" || files.Position(f.Pos()).Line > end+1 {
					block = words
				}
				end = files.Position(f.End()).Line
				for _, name := range f.Names {
					told := words
					if told == "" && slices.Contains(word.FindAllString(block, -1), name.Name) { // speaks of it too
						told = block
					}
					out[t.Name.Name+"."+name.Name] = told
				}
			}
			return true
		})
	}
	for made, of := range madeOf {
		for key, words := range maps.Clone(out) {
			if field, ok := strings.CutPrefix(key, of+"."); ok {
				out[made+"."+field] = words
			}
		}
	}
	return out, nil
}

// line is a comment as one line without its links.
func line(comment string) string {
	return link.ReplaceAllString(strings.Join(strings.Fields(comment), " "), "$1")
}

// firstSentence is the first sentence of a line.
func firstSentence(s string) string {
	if i := strings.Index(s, ". "); i > 0 {
		return s[:i+1]
	}
	return s
}

// ofType is the first sentence of the comment of a type of the house, or of the one that a list or a map is of.
func (c *fieldComments) ofType(t reflect.Type) (string, error) {
	for t.Name() == "" && slices.Contains([]reflect.Kind{reflect.Pointer, reflect.Slice, reflect.Map}, t.Kind()) {
		t = t.Elem()
	}
	return c.of(t.PkgPath(), t.Name(), "")
}

// describe gives the members of a schema the comments of the fields that they are made of; a field without one has
// that of its type.
func (c *fieldComments) describe(t reflect.Type, s *jsonschema.Schema) error {
	switch t.Kind() {
	case reflect.Pointer:
		return c.describe(t.Elem(), s)
	case reflect.Slice, reflect.Array:
		if s.Items != nil {
			return c.describe(t.Elem(), s.Items)
		}
		return nil
	case reflect.Map:
		if s.AdditionalProperties != nil {
			return c.describe(t.Elem(), s.AdditionalProperties)
		}
		return nil
	case reflect.Struct:
	default:
		return nil
	}
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous && name == "" {
			if err := c.describe(f.Type, s); err != nil {
				return err
			}
			continue
		}
		if name == "" {
			name = f.Name
		}
		p := s.Properties[name]
		if p == nil {
			continue
		}
		own := *p // one schema may stand for several members of a type
		s.Properties[name] = &own
		if own.Description == "" {
			words, err := c.of(t.PkgPath(), t.Name(), f.Name)
			if words == "" && name == "schema" {
				words = "the version of the shape of this object"
			}
			if words == "" && err == nil {
				words, err = c.ofType(f.Type)
			}
			if err != nil {
				return err
			}
			own.Description = words
		}
		if err := c.describe(f.Type, &own); err != nil {
			return err
		}
	}
	return nil
}
