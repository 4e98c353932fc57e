package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWithoutUser: what counts as a user, and what is used with what is used.
func TestWithoutUser(t *testing.T) {
	file := func(text string) []*ast.File {
		f, err := parser.ParseFile(token.NewFileSet(), "x.go", text, parser.SkipObjectResolution)
		require.NoError(t, err)
		return []*ast.File{f}
	}
	lib := source{path: "lib", name: "lib", ours: true, files: file(`package lib
		type Used struct{ Field Mentioned }
		type Mentioned int
		const ( One Mentioned = iota; Two )
		const ( Red = 1; Blue = 2 )
		const Alone = 3
		type Unused struct{}
		func Make() Used { return Used{} }
		func ForTests() {}
		func OwnTests() {}
		func (Used) Called() {}
		func (Used) Close() {}
		func (Used) Never() {}
		func (Used) Inside() { Used{}.Inside() }
		func (u Unused) Called() {}
	`), inside: file(`package lib_test
		import "github.com/refscope/refscope/lib"
		func t() { lib.OwnTests() }`)}
	user := source{path: "user", name: "user", ours: true, files: file(`package user
		import l "github.com/refscope/refscope/lib"
		func f() { l.Make().Called(); _ = l.Red }`), inside: file(`package user
		import "github.com/refscope/refscope/lib"
		func t() { lib.ForTests() }`)}
	std := source{path: "io", name: "io", files: file(`package io
		type Closer interface{ Close() }
		func Exported() {}`)}
	require.Equal(t, []string{
		"lib.Alone", "lib.OwnTests", "lib.Unused", "lib.Used.Inside", "lib.Used.Never",
	}, withoutUser([]source{lib, user, std}))
}
