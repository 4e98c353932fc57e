package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
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

// link is a link of a Go comment.
var link = regexp.MustCompile(`\[([A-Za-z][\w.]*)\]`)

// of is the comment of a field as one line, "" for none.
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
	return known[name+"."+field], nil
}

// commentsIn reads the comments of a package's struct fields.
func commentsIn(dir string) (map[string]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
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
			t, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			s, ok := t.Type.(*ast.StructType)
			if !ok {
				return true
			}
			for _, f := range s.Fields.List {
				words := f.Doc.Text() + f.Comment.Text()
				words = link.ReplaceAllString(strings.Join(strings.Fields(words), " "), "$1")
				for _, name := range f.Names {
					out[t.Name.Name+"."+name.Name] = words
				}
			}
			return true
		})
	}
	return out, nil
}

// describe gives the members of a schema the comments of the fields that they are made of.
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
