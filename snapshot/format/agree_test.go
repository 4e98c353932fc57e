package format_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/format/markup"
	"github.com/refscope/refscope/snapshot/format/readback"
	"github.com/refscope/refscope/snapshot/format/semantic"
	"github.com/refscope/refscope/snapshot/pagetest"
)

// agree renders a capture in every format that can be read back and requires that
// no two of them disagree about an element.
func agree(t *testing.T, c *snapshot.Capture) {
	t.Helper()
	var docs []*dump.Document
	for _, r := range readback.Readers() {
		d, err := format.Render(c, r.Format, format.Options{Common: dump.Common{MaxChars: -1, MaxNodes: -1},
			Semantic: semantic.Options{NoViewportPruning: true, NoAtomic: true, KeepContainers: true},
			Markup:   markup.Options{NoTemplates: true}})
		require.NoError(t, err)
		docs = append(docs, d)
	}
	found, err := readback.Check(docs...)
	require.NoError(t, err)
	require.Empty(t, found)
}

// TestFormatsAgree holds every format against every other on the pages of the
// goldens and on hostile ones.
func TestFormatsAgree(t *testing.T) {
	pagetest.EachGolden(t, agree)
	for _, s := range pagetest.HostileTexts() {
		agree(t, pagetest.Hostile(t, s))
	}
}

// TestEveryFormatCanBeReadBack: the check above passes over no format.
func TestEveryFormatCanBeReadBack(t *testing.T) {
	for _, f := range format.Names() {
		require.True(t, slices.ContainsFunc(readback.Readers(), func(r readback.Reader) bool { return r.Format == f }), f)
	}
}
