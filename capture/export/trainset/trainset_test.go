package trainset_test

import (
	"context"
	"image"
	"image/color"
	"image/draw"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/export/trainset"
	"github.com/refscope/refscope/overlay/codec"
	"github.com/refscope/refscope/overlay/dataset"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/pagetest"
	"github.com/refscope/refscope/snapshot/turn"
)

// recorded is a session of turns of pages with a button each; the last has no picture.
func recorded(t *testing.T) *turn.Store {
	t.Helper()
	ctx := context.Background()
	store, err := turn.OpenOrCreate(ctx, turn.Dir(filepath.Join(t.TempDir(), "shop")), "test")
	require.NoError(t, err)
	t.Cleanup(func() { _ = store.Close() })
	for i, name := range []string{"Buy", "Sell", "None"} {
		c := pagetest.Parse(t, "url: https://shop.example/\nviewport: 640x480\n"+
			"body @0,0,640,480\n  button @100,100,120,40 %role=button %by=native %hit=1 %name="+name)
		img := image.NewRGBA(image.Rect(0, 0, 640, 480))
		draw.Draw(img, img.Rect, image.NewUniform(color.RGBA{uint8(80 * i), 200, 200, 255}), image.Point{}, draw.Src)
		draw.Draw(img, image.Rect(100, 100, 220, 140), image.NewUniform(color.RGBA{10, 60, 90, 255}), image.Point{}, draw.Src)
		png, err := codec.EncodePNG(img, true)
		require.NoError(t, err)
		if name == "None" {
			png = nil
		}
		_, err = store.Append(ctx, func(l *turn.Ledger) (*turn.Record, error) {
			l.Assign("tab", l.NextTurn(), c)
			return &turn.Record{Capture: c, Picture: png, Action: "turn"}, nil
		})
		require.NoError(t, err)
	}
	return store
}

// A session becomes a set without a browser, also where an earlier run was interrupted, and never over other files.
func TestSetOfASession(t *testing.T) {
	store, dir := recorded(t), filepath.Join(t.TempDir(), "set")
	plan := trainset.Plan{Tool: "test", Options: dataset.Defaults(dataset.ScreenSpot), Format: "png"}
	ctx, stop := context.WithCancel(context.Background())
	_, err := trainset.OfSession(ctx, dir, store, plan, func(n, _ int) {
		if n == 1 {
			stop()
		}
	})
	require.ErrorIs(t, err, context.Canceled)
	require.NoFileExists(t, filepath.Join(dir, "annotations.json"))
	require.FileExists(t, filepath.Join(dir, "images", "00001.png"))

	var seen [][2]int
	counts, err := trainset.OfSession(context.Background(), dir, store, plan, func(n, of int) { seen = append(seen, [2]int{n, of}) })
	require.NoError(t, err)
	require.Equal(t, [][2]int{{0, 3}, {1, 3}, {2, 3}}, seen)
	require.Equal(t, 2, counts.Examples, "%+v", counts)
	require.Equal(t, 2, counts.Pictures)
	data, err := os.ReadFile(filepath.Join(dir, "annotations.json"))
	require.NoError(t, err)
	require.Contains(t, string(data), `"bbox":[100,100,120,40],"instruction":"click the button “Buy”"`)
	require.Contains(t, string(data), `"turn":"shop#2"`)
	require.NoDirExists(t, filepath.Join(dir, ".building"))

	_, err = trainset.OfSession(context.Background(), dir, store, plan, func(int, int) {})
	require.ErrorContains(t, err, "is not empty")
	_, err = trainset.Open(filepath.Join(t.TempDir(), "x"), trainset.Plan{Format: "gif"})
	require.ErrorContains(t, err, "png")
}

// A set of which something failed can be finished again once that is there.
func TestFinishWithFailures(t *testing.T) {
	dir := t.TempDir()
	f, err := trainset.Open(dir, trainset.Plan{Options: dataset.Defaults(dataset.COCO), Format: "png", Shots: []string{"a", "b"}})
	require.NoError(t, err)
	_, err = f.Finish(2)
	require.ErrorContains(t, err, "no picture could be made")
	c := &snapshot.Capture{Viewport: snapshot.Viewport{Width: 8, Height: 8, Scale: 1}}
	img := image.NewRGBA(image.Rect(0, 0, 8, 8))
	png, err := codec.EncodePNG(img, true)
	require.NoError(t, err)
	require.NoError(t, f.Add(1, c, png, img, dataset.Source{Site: "s"}))
	require.False(t, f.Has(0))
	require.True(t, f.Has(1))
	set, err := f.Finish(1)
	require.NoError(t, err)
	require.Len(t, set.Pages, 1)
	require.FileExists(t, filepath.Join(dir, ".building", "00002.json"), "another run can still add the first")
}

// A set that is put together of the parts of several folders is the one that a single run makes.
func TestTake(t *testing.T) {
	plan := trainset.Plan{Options: dataset.Defaults(dataset.SoM), Format: "png"}
	plan.Options.Marked = true
	whole := plan
	whole.Shots = []string{"a", "b", "c"} // b failed
	add := func(f *trainset.Folder, i int) {
		t.Helper()
		c := pagetest.Parse(t, "url: https://shop.example/\nviewport: 640x480\n"+
			"body @0,0,640,480\n  button @100,100,120,40 %role=button %by=native %hit=1 %name=Buy")
		img := image.NewRGBA(image.Rect(0, 0, 640, 480))
		draw.Draw(img, img.Rect, image.NewUniform(color.RGBA{uint8(90 * i), 200, 255, 255}), image.Point{}, draw.Src)
		draw.Draw(img, image.Rect(100*i, 200, 300+100*i, 400), image.NewUniform(color.Black), image.Point{}, draw.Src)
		png, err := codec.EncodePNG(img, true)
		require.NoError(t, err)
		require.NoError(t, f.Add(i, c, png, img, dataset.Source{Site: "shop"}))
	}
	one, merged := t.TempDir(), t.TempDir()
	f, err := trainset.Open(one, whole)
	require.NoError(t, err)
	g, err := trainset.Open(merged, whole)
	require.NoError(t, err)
	for _, i := range []int{2, 0} {
		add(f, i)
		dir := t.TempDir()
		part, err := trainset.Open(dir, plan)
		require.NoError(t, err)
		add(part, i)
		require.NoError(t, g.Take(dir))
	}
	for _, set := range []*trainset.Folder{f, g} {
		_, err = set.Finish(1)
		require.NoError(t, err)
	}
	files := func(dir string) map[string]string {
		out := map[string]string{}
		require.NoError(t, fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				data, rerr := os.ReadFile(filepath.Join(dir, path))
				require.NoError(t, rerr)
				out[path] = string(data)
			}
			return err
		}))
		return out
	}
	require.Greater(t, len(files(one)), 5)
	require.Equal(t, files(one), files(merged))
	require.ErrorIs(t, g.Take(t.TempDir()), fs.ErrNotExist)
}
