package export_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/app/apptest"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/core/coretest"
	"github.com/refscope/refscope/gui/export"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/snapshot/format"
)

func TestExportDialog(t *testing.T) {
	s, effects := apptest.Step(apptest.Blank(), export.ExportsAsked())
	require.Empty(t, s.Dialog, "there is nothing to export yet")
	require.Empty(t, effects)

	s, _ = apptest.Step(apptest.Captured(t), core.CommandChosen{ID: core.CmdExport})
	require.Equal(t, export.DialogExport, s.Dialog)
	on := func(s core.State) (titles []string) {
		for _, g := range export.Exports(s) {
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
	one, effects := apptest.Step(s, export.ExportTicked{Export: export.Export{Kind: export.ExportClean}, On: false},
		export.ExportTicked{Export: export.Export{Kind: export.ExportManifest}, On: false}, export.ExportsConfirmed())
	require.Equal(t, []core.Effect{export.AskPath{Export: export.Export{Kind: export.ExportMarked},
		Name: "turn-0001-marked.png"}}, effects)
	require.Empty(t, one.Dialog)
	s, effects = apptest.Step(s, export.ExportTicked{Export: export.Export{Kind: export.ExportDump, Format: "semantic"},
		On: true}, export.ExportTicked{Export: export.Export{Kind: export.ExportReport}, On: true},
		export.ExportsConfirmed())
	require.Equal(t, []core.Effect{export.AskPath{Export: export.Export{Kind: export.ExportPicked},
		Name: "turn-0001-export", Folder: true}}, effects)
	s, effects = apptest.Step(s, export.Placed{Export: export.Export{Kind: export.ExportPicked}, Path: "/out"})
	require.Equal(t, []export.Named{
		{Export: export.Export{Kind: export.ExportMarked}, Name: "turn-0001-marked.png"}, {
			Export: export.Export{Kind: export.ExportClean}, Name: "turn-0001-clean.png"},
		{Export: export.Export{Kind: export.ExportManifest}, Name: "turn-0001-manifest.json"}, {
			Export: export.Export{Kind: export.ExportDump, Format: "semantic"}, Name: "turn-0001-semantic.json"},
		{Export: export.Export{Kind: export.ExportReport}, Name: "window-report.html"},
	}, effects[0].(export.WriteExport).List)

	// What was picked stays picked; without anything the button does nothing.
	require.Len(t, export.Of(s).Picked, 5)
	for _, e := range export.Of(s).Picked {
		s, _ = apptest.Step(s, export.ExportTicked{Export: e, On: false})
	}
	s, effects = apptest.Step(s, export.ExportsAsked(), export.ExportsConfirmed())
	require.Empty(t, effects)
	require.Equal(t, export.DialogExport, s.Dialog)
}

// Findings and sessions are written in the forms that the command line has.
func TestExportForms(t *testing.T) {
	s, _ := apptest.Step(apptest.Captured(t), core.CommandChosen{ID: core.CmdExport})
	names := map[string]bool{}
	for _, g := range export.Exports(s) {
		for _, r := range g.Rows {
			require.False(t, names[r.File], "%s is the name of two files", r.File)
			names[r.File] = true
		}
	}
	for id, name := range map[string]string{"findings.sarif": "turn-0001-findings.sarif",
		"findings.csv": "turn-0001-findings.csv", "findings.md": "turn-0001-findings.md", "session.har": "window.har",
		"session.otlp": "window.otlp.json", "session.atif": "window.atif.json"} {
		require.True(t, names[name], name)
		got, effects := apptest.Step(s, core.CommandChosen{ID: "export." + id})
		require.Len(t, effects, 1, id)
		ask := effects[0].(export.AskPath)
		require.Equal(t, name, ask.Name)
		if ask.Export.Kind != export.ExportFindings {
			continue
		}
		path := filepath.Join(t.TempDir(), name)
		_, effects = apptest.Step(got, export.Placed{Export: ask.Export, Path: path})
		done := effects[0].(core.Work).Do(t.Context(), coretest.Worker(versioned{})).(export.Exported)
		require.Nil(t, done.Problem)
		b, err := os.ReadFile(path)
		require.NoError(t, err)
		report, err := got.Current.Audit()
		require.NoError(t, err)
		require.NotEmpty(t, report.Findings)
		for _, f := range report.Findings {
			require.Contains(t, string(b), f.Rule, id)
		}
	}
	s, _ = apptest.Step(s, core.CommandChosen{ID: "export.session.har"})
	har := export.Export{Kind: export.ExportSessionAs, As: "har"}
	s, effects := apptest.Step(s, export.Placed{Export: har, Path: "/out/a.har"})
	task := effects[0].(export.WriteExport).Task
	s, _ = apptest.Step(s, export.Exported{Task: task, Export: har,
		Paths: []string{"/out/a.har"}, Losses: []string{"pictures", "notes"}})
	require.Equal(t, "Wrote /out/a.har. Not in it: pictures, and 1 more.", s.Notice.Text)
}

// TestExportedSnapshotHasItsTime: as from refscopectl snap.
func TestExportedSnapshotHasItsTime(t *testing.T) {
	s := apptest.Captured(t)
	s.Current.Capture.TakenAt = time.Date(2026, 11, 30, 2, 4, 44, 0, time.UTC)
	path := filepath.Join(t.TempDir(), "turn.json")
	done := export.WriteExport{Turn: s.Current, Path: path, Export: export.Export{Kind: export.ExportDump,
		Format: format.WraithJSON}}.Do(t.Context(), coretest.Worker(versioned{})).(export.Exported)
	require.Nil(t, done.Problem)
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Contains(t, string(b), `"timestamp":"2026-11-30T02:04:44Z"`)
}

// A list that ends at a full disk says what of it is there; a single file of which nothing is there does not.
func TestWhatWasWrittenBeforeAnErrorIsSaid(t *testing.T) {
	full := &core.Problem{Sentence: "b.png cannot be written.", Hint: "Make room."}
	for kind, want := range map[export.ExportKind]string{
		export.ExportAll: "1 file was written before. Make room.", export.ExportSession: "Make room.",
	} {
		s, effects := apptest.Step(apptest.Captured(t),
			export.Placed{Export: export.Export{Kind: kind}, Path: "/out/a"})
		task := effects[0].(export.WriteExport).Task
		s, _ = apptest.Step(s, export.Exported{Task: task, Export: export.Export{Kind: kind}, Paths: []string{"/out/a"},
			Problem: full})
		require.Equal(t, want, s.Notice.Hint, "%s", kind)
		require.Equal(t, "Make room.", full.Hint)
	}
}

// versioned is an engine that only knows its version.
type versioned struct {
	core.Engine
	writer
}

type writer struct{ export.Engine }

func (versioned) Version() string { return "1.0.0" }

func TestCopies(t *testing.T) {
	s := apptest.Captured(t)
	_, effects := apptest.Step(s, export.CopyExport{Picture: true})
	require.IsType(t, export.CopyPicture{}, effects[0])
	_, effects = apptest.Step(s, export.CopyExport{})
	require.Empty(t, effects, "its text is not there yet")
	_, effects = apptest.Step(s, export.CopyExport{Curl: true})
	require.Empty(t, effects, "no payload is in view")
	_, effects = apptest.Step(apptest.Blank(), export.CopyExport{Picture: true})
	require.Empty(t, effects)

	s, _ = apptest.Step(s, export.Copied{Text: "Copied it."})
	require.Equal(t, core.ToneGood, s.Notice.Tone)
	s, _ = apptest.Step(s, export.Copied{Problem: &core.Problem{Sentence: "No way.", Hint: "Export it."}})
	require.Equal(t, "No way.", s.Notice.Text)
}

func TestDroppedFiles(t *testing.T) {
	_, effects := apptest.Step(apptest.Captured(t), export.FilesDropped("/a/shop.refscope"))
	require.Equal(t, "/a/shop.refscope", effects[0].(core.OpenSession).Name)
	_, effects = apptest.Step(apptest.Captured(t), export.FilesDropped("/a/page.html"))
	require.Equal(t, "/a/page.html", effects[0].(core.Navigate).Target.Path)
	_, effects = apptest.Step(apptest.Captured(t), export.FilesDropped(""))
	require.Empty(t, effects)

	s, effects := apptest.Step(apptest.Captured(t),
		export.FilesDropped("/a/p.html", "/a/two.refscope", "/a/one.refscope"))
	opened := effects[0].(core.Navigate)
	require.Equal(t, "/a/p.html", opened.Target.Path)
	require.Equal(t, "p.html is opened, and 2 others not.", s.Notice.Text)
	s.StartTask(core.TaskCapture, "Capturing the page")
	require.NotNil(t, s.Notice, "it stays while what was opened is captured")
}

// TestNoOptionsOfAPictureThatCannotBe: the button for the options of the marked picture is live where there can be one.
func TestNoOptionsOfAPictureThatCannotBe(t *testing.T) {
	test.NewTempApp(t)
	paged := apptest.Captured(t)
	bare := paged
	none := *paged.Current
	none.Image = nil
	bare.Current = &none
	for s, want := range map[*core.State]bool{&paged: true, &bare: false} {
		v := export.New(&parts.Window{State: func() core.State { return *s }})
		v.Show(*s)
		found := false
		for _, o := range test.LaidOutObjects(v.Object()) {
			if b, ok := o.(*parts.PushButton); ok && b.Text == "Options of the marked picture…" {
				found = true
				require.Equal(t, want, !b.Disabled())
			}
		}
		require.True(t, found)
	}
}
