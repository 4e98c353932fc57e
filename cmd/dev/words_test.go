package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestWordsOfTheField holds the texts that people read, in the programs and in docs, to the list “Words” of
// CONTRIBUTING.md: each line names the word to write and the phrases that it replaces.
func TestWordsOfTheField(t *testing.T) {
	root := filepath.Join("..", "..")
	contributing, _ := document(t, "CONTRIBUTING.md")
	_, list, found := strings.Cut(contributing, "\n### Words\n")
	require.True(t, found)
	list, _, _ = strings.Cut(list, "\n## ")
	instead := map[string]string{}
	for _, m := range regexp.MustCompile(`([^;|\n]+?), not ((?:“[^”]+”(?: or )?)+)`).FindAllStringSubmatch(list, -1) {
		for _, phrase := range regexp.MustCompile(`“([^”]+)”`).FindAllStringSubmatch(m[2], -1) {
			instead[phrase[1]] = strings.TrimSpace(m[1])
		}
	}
	require.Greater(t, len(instead), 50)
	var quoted []string
	for phrase := range instead {
		quoted = append(quoted, regexp.QuoteMeta(phrase))
	}
	phrases := regexp.MustCompile(`(?i)\b(?:` + strings.Join(quoted, "|") + `)\b`)
	check := func(place, text string) {
		for _, phrase := range phrases.FindAllString(text, -1) {
			assert.Fail(t, "a phrase that the list replaces", "%s: %q: write %s", place, phrase, instead[strings.ToLower(phrase)])
		}
	}
	literals := 0
	for _, folder := range []string{"cmd/refscope", "cmd/refscopectl", "capture", "gui", "overlay", "profiles", "snapshot"} {
		require.NoError(t, filepath.WalkDir(filepath.Join(root, folder), func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			files := token.NewFileSet()
			f, err := parser.ParseFile(files, path, nil, 0)
			if err != nil {
				return err
			}
			ast.Inspect(f, func(n ast.Node) bool {
				if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
					literals++
					text, err := strconv.Unquote(l.Value)
					require.NoError(t, err)
					check(files.Position(l.Pos()).String(), text)
				}
				return true
			})
			return nil
		}))
	}
	require.Greater(t, literals, 10000)
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	require.NoError(t, err)
	for _, page := range append(pages, filepath.Join(root, "README.md")) {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		check(page, string(text))
	}
}

// longestSentence is how many words a sentence of docs may have; code counts as one.
const longestSentence = 25

// TestSentencesAreShort holds the sentences of the README and of docs to a length that is read in one go.
func TestSentencesAreShort(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join("..", "..", "docs", "*.md"))
	require.NoError(t, err)
	require.Greater(t, len(pages), 10)
	for _, page := range append(pages, filepath.Join("..", "..", "README.md")) {
		body, err := os.ReadFile(page)
		require.NoError(t, err)
		for _, sentence := range sentences(string(body)) {
			assert.LessOrEqual(t, len(strings.Fields(sentence)), longestSentence, "%s: %s", page, sentence)
		}
	}
	require.Equal(t, []string{"One.", "Two CODE three.", "item", "cell"},
		sentences("One. Two `a b`\nthree.\n```sh\ncode here\n```\n- item\n\n| cell |\n"))
}

// sentences are those of a Markdown text, without code, and each cell and item for itself.
func sentences(text string) (out []string) {
	text = regexp.MustCompile("(?s)```.*?```").ReplaceAllString(text, "\n")
	text = regexp.MustCompile(`<[^>]+>`).ReplaceAllString(text, "")
	text = regexp.MustCompile("`[^`]*`").ReplaceAllString(text, "CODE")
	text = regexp.MustCompile(`!?\[([^\]]*)\]\([^)]*\)`).ReplaceAllString(text, "$1")
	text = regexp.MustCompile(`(?m)^(\s*([-*]|\d+\.)|#+) |\n\n+|\|`).ReplaceAllString(text, "\x00")
	ends := regexp.MustCompile(`([.!?])\s+`)
	for block := range strings.SplitSeq(text, "\x00") {
		for s := range strings.SplitSeq(ends.ReplaceAllString(block, "$1\x00"), "\x00") {
			if s = strings.Join(strings.Fields(s), " "); s != "" {
				out = append(out, s)
			}
		}
	}
	return out
}
