package engine

import (
	"context"
	"errors"
	"image"
	"image/jpeg"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/batch"
	batchroom "github.com/refscope/refscope/gui/batch"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/core/coretest"
	"github.com/refscope/refscope/snapshot/turn"
)

// A batch folder is opened by its name as a session is, and each of its pages is one.
func TestLiveOpensABatch(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "night")
	list, err := batch.Read(t.Context(), strings.NewReader("https://shop.example/a\nhttps://shop.example/b\n"), nil)
	require.NoError(t, err)
	f, err := batch.Open(t.Context(), dir, batch.Header{Do: "turn", List: batch.ListHash(list.Pages), Pages: 2}, false)
	require.NoError(t, err)
	require.NoError(t, batch.Run(t.Context(), f, list.Pages, page, batch.Options{}))
	require.NoError(t, f.Finish())
	require.NoError(t, f.Close())

	live := New(Options{Home: t.TempDir(), Session: "window"})
	t.Cleanup(func() { require.NoError(t, live.Close()) })
	_, _, err = live.OpenSession(t.Context(), dir)
	var other *core.NotASession
	require.ErrorAs(t, err, &other)
	require.Equal(t, batchroom.Found{Dir: dir}, other.Open)

	b, err := live.Batch(t.Context(), dir)
	require.NoError(t, err)
	require.Equal(t, "http 500", b.Rows[1].Outcome)
	require.Empty(t, b.Rows[1].Session)
	s, _, err := live.OpenSession(t.Context(), b.Rows[0].Session)
	require.NoError(t, err)
	require.Len(t, s.Turns, 1)
	require.Equal(t, b.Rows[0].Key, s.Name)

	good, bad := b.Rows[0].Key, b.Rows[1].Key
	pictures := live.BatchPictures(t.Context(), dir, []string{good, bad, "no-such-page"})
	require.Equal(t, image.Rect(0, 0, 160, 90), pictures[good].Bounds())
	require.Equal(t, map[string]image.Image{good: pictures[good], bad: nil, "no-such-page": nil}, pictures)

	require.NoError(t, os.WriteFile(filepath.Join(dir, batch.ManifestFile), []byte("{}\n"), 0o600))
	_, err = live.Batch(t.Context(), dir)
	require.ErrorContains(t, err, "is not the manifest of a batch")
}

// page is a page with a turn, or one that fails.
func page(ctx context.Context, p *batch.Page, dir string) (batch.Result, error) {
	if strings.HasSuffix(p.Target, "/b") {
		return batch.Result{}, &batch.Failure{Cause: "http 500", Err: errors.New("the server answered 500")}
	}
	store, err := turn.OpenOrCreate(ctx, turn.Dir(filepath.Join(dir, batch.SessionDir)), "test")
	if err != nil {
		return batch.Result{}, err
	}
	_, err = store.Append(ctx, func(l *turn.Ledger) (*turn.Record, error) {
		c := coretest.Checkout()
		l.Assign("A", l.NextTurn(), c)
		return &turn.Record{Capture: c, Picture: coretest.Picture(c), Action: "batch"}, nil
	})
	if err = errors.Join(err, store.Close()); err != nil {
		return batch.Result{}, err
	}
	file, err := os.Create(filepath.Join(dir, batch.ThumbnailFile))
	if err != nil {
		return batch.Result{}, err
	}
	err = errors.Join(jpeg.Encode(file, image.NewGray(image.Rect(0, 0, 160, 90)), nil), file.Close())
	return batch.Result{Files: []string{batch.SessionDir}}, err
}
