package core

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestExportDialog(t *testing.T) {
	s, effects := step(blank(), ExportsAsked{})
	require.Empty(t, s.Dialog, "there is nothing to export yet")
	require.Empty(t, effects)

	s, _ = step(captured(t), CommandChosen{CmdExport})
	require.Equal(t, DialogExport, s.Dialog)
	on := func(s State) (titles []string) {
		for _, g := range s.Exports() {
			for _, r := range g.Rows {
				if r.On && r.Can {
					titles = append(titles, r.Title)
				}
			}
		}
		return titles
	}
	require.Equal(t, []string{"Marked picture", "Clean picture", "Manifest of the marks"}, on(s))

	// One thing is a file, several go to a folder under their names.
	one, effects := step(s, ExportTicked{Export{Kind: ExportClean}, false}, ExportTicked{Export{Kind: ExportManifest}, false}, ExportsConfirmed{})
	require.Equal(t, []Effect{AskPath{Export: Export{Kind: ExportMarked}, Name: "turn-0001-marked.png"}}, effects)
	require.Empty(t, one.Dialog)
	s, effects = step(s, ExportTicked{Export{Kind: ExportDump, Format: "semantic"}, true}, ExportTicked{Export{Kind: ExportReport}, true}, ExportsConfirmed{})
	require.Equal(t, []Effect{AskPath{Export: Export{Kind: ExportPicked}, Name: "turn-0001-export", Folder: true}}, effects)
	s, effects = step(s, ExportPlaced{Export{Kind: ExportPicked}, "/out"})
	require.Equal(t, []Named{
		{Export{Kind: ExportMarked}, "turn-0001-marked.png"}, {Export{Kind: ExportClean}, "turn-0001-clean.png"},
		{Export{Kind: ExportManifest}, "turn-0001-manifest.json"}, {Export{Kind: ExportDump, Format: "semantic"}, "turn-0001-semantic.json"},
		{Export{Kind: ExportReport}, "window-report.html"},
	}, effects[0].(WriteExport).List)

	// What was picked stays picked; without anything the button does nothing.
	require.Len(t, s.Picked, 5)
	for _, e := range s.Picked {
		s, _ = step(s, ExportTicked{e, false})
	}
	s, effects = step(s, ExportsAsked{}, ExportsConfirmed{})
	require.Empty(t, effects)
	require.Equal(t, DialogExport, s.Dialog)
}

func TestCopies(t *testing.T) {
	s := captured(t)
	_, effects := step(s, CopyExport{Picture: true})
	require.IsType(t, CopyPicture{}, effects[0])
	_, effects = step(s, CopyExport{})
	require.Empty(t, effects, "its text is not there yet")
	_, effects = step(s, CopyExport{Curl: true})
	require.Empty(t, effects, "no payload is in view")
	_, effects = step(blank(), CopyExport{Picture: true})
	require.Empty(t, effects)

	s, _ = step(s, Copied{Text: "Copied it."})
	require.Equal(t, ToneGood, s.Notice.Tone)
	s, _ = step(s, Copied{Problem: &Problem{Sentence: "No way.", Hint: "Export it."}})
	require.Equal(t, "No way.", s.Notice.Text)
}

func TestDroppedFiles(t *testing.T) {
	_, effects := step(captured(t), FileDropped{"/a/shop.refscope"})
	require.Equal(t, "/a/shop.refscope", effects[0].(OpenSession).Name)
	_, effects = step(captured(t), FileDropped{"/a/page.html"})
	require.Equal(t, "/a/page.html", effects[0].(Navigate).Target.Path)
	_, effects = step(captured(t), FileDropped{""})
	require.Empty(t, effects)
}
