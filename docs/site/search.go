package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// part is what stands below one heading of a page: what the search of the site finds.
type part struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Text  string `json:"text"`
}

// parts cuts a page at its headings.
func parts(tree ast.Node, source []byte) []part {
	list := []part{} // the search of the site goes over it, so it is never null
	for n := tree.FirstChild(); n != nil; n = n.NextSibling() {
		text := words(n, source)
		if h, ok := n.(*ast.Heading); ok {
			id, _ := h.AttributeString("id")
			name, _ := id.([]byte)
			list = append(list, part{ID: string(name), Title: text})
		} else if len(list) > 0 {
			last := &list[len(list)-1]
			last.Text = strings.TrimSpace(last.Text + " " + text)
		}
	}
	return list
}

// words are the texts of a node and of what it holds.
func words(n ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the function returns no error
		switch n := n.(type) {
		case *ast.Text:
			if entering {
				b.Write(n.Value(source))
				b.WriteByte(' ')
			}
		case *ast.FencedCodeBlock:
			if entering {
				b.Write(n.Lines().Value(source))
			}
		}
		return ast.WalkContinue, nil
	})
	return strings.Join(strings.Fields(b.String()), " ")
}

// searchIndex is the script that holds all parts of all pages, so that the search works in a folder too, where a page
// may read no other file.
func searchIndex(pages []page) ([]byte, error) {
	type entry struct {
		Path  string `json:"path"`
		Title string `json:"title"`
		Parts []part `json:"parts"`
	}
	var list []entry
	for _, p := range pages {
		list = append(list, entry{p.Path, p.Title, p.Parts})
	}
	body, err := json.Marshal(list)
	return fmt.Appendf(nil, "window.refscopePages = %s;\n", body), err
}
