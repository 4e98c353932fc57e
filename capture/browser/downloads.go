package browser

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	protocol "github.com/chromedp/cdproto/browser"
)

// Bounds of what pages may download.
const (
	downloadBytes = 256 << 20 // of one file
	downloadCount = 100       // that are remembered
)

// Download is a file that a page has downloaded, or downloads.
type Download struct {
	Name  string // as the page or its server calls it: page text
	File  string // path where it lies under a name of the browser's; complete where State is completed
	Bytes int64  // received so far
	State string // inProgress, completed, canceled

	guid  string
	frame string // that it was begun in
}

// downloads are those of a browser that keeps them.
type downloads struct {
	dir     string
	mu      sync.Mutex
	list    []*Download
	changed chan struct{} // closed and made again with each change
}

// KeepDownloads saves what pages download in a folder, under names that no page can influence. It is for browsers
// started by this program: in another one it would change where the user's own downloads go.
func (b *Browser) KeepDownloads(ctx context.Context, dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("making the folder of downloads: %w", err)
	}
	d := &downloads{dir: dir, changed: make(chan struct{})}
	root := b.conn.Root()
	on(root, protocol.DownloadWillBegin, func(ev protocol.EventDownloadWillBegin) {
		d.change(ev.GUID, func() *Download {
			return &Download{Name: ev.SuggestedFilename, File: filepath.Join(dir, filepath.Base(ev.GUID)),
				guid:  ev.GUID,
				frame: string(ev.FrameID), State: string(protocol.DownloadProgressStateInProgress)}
		}, func(*Download) {})
	})
	on(root, protocol.DownloadProgress, func(ev protocol.EventDownloadProgress) {
		d.change(ev.GUID, nil, func(one *Download) {
			one.Bytes, one.State = int64(ev.ReceivedBytes), string(ev.State)
		})
		if max(ev.ReceivedBytes, ev.TotalBytes) > downloadBytes &&
			ev.State == protocol.DownloadProgressStateInProgress {
			_ = root.Post(context.Background(), protocol.CommandCancelDownload,
				protocol.CancelDownloadParams{GUID: ev.GUID})
		}
	})
	b.downloads = d
	return b.RenewDownloads(ctx)
}

// RenewDownloads has the browser save downloads in the folder that KeepDownloads named. Another program that did the
// same and then disconnected has taken that back for all: what a page downloads would go to the user's own folder.
func (b *Browser) RenewDownloads(ctx context.Context) error {
	if b.downloads == nil {
		return nil
	}
	yes := true
	err := call(ctx, b.conn.Root(), protocol.SetDownloadBehavior, protocol.SetDownloadBehaviorParams{
		Behavior: protocol.SetDownloadBehaviorBehaviorAllowAndName, DownloadPath: b.downloads.dir, EventsEnabled: &yes,
	})
	if err != nil {
		return fmt.Errorf("keeping downloads: %w", err)
	}
	return nil
}

// change changes the download with that id; if unknown, made makes it, nil for none.
func (d *downloads) change(guid string, made func() *Download, change func(*Download)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	i := slices.IndexFunc(d.list, func(o *Download) bool { return o.guid == guid })
	if i < 0 {
		if made == nil || len(d.list) >= downloadCount {
			return
		}
		i = len(d.list)
		d.list = append(d.list, made())
	}
	change(d.list[i])
	close(d.changed)
	d.changed = make(chan struct{})
}

// TakeDownloads returns the downloads that the tab's frames have begun, and forgets those that have ended. It waits so
// long for those in progress; nil where ctx is done before.
func (t *Tab) TakeDownloads(ctx context.Context, wait time.Duration) []Download {
	d := t.browser.downloads
	if d == nil || !d.any() {
		return nil
	}
	until := time.NewTimer(wait)
	defer until.Stop()
	for {
		list, busy, changed := d.of(t.frameIDs(ctx))
		if !busy {
			d.forget(list)
			return list
		}
		select {
		case <-changed:
		case <-until.C:
			d.forget(list)
			return list
		case <-ctx.Done():
			return nil
		}
	}
}

func (d *downloads) any() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.list) > 0
}

// frameIDs are the tab's main frame and, where it answers, the others.
func (t *Tab) frameIDs(ctx context.Context) []string {
	ids := []string{string(t.id)}
	if tree, err := t.Frames(ctx); err == nil {
		for _, f := range tree {
			ids = append(ids, f.ID)
		}
	}
	return ids
}

func (d *downloads) of(frames []string) (list []Download, busy bool, changed <-chan struct{}) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, o := range d.list {
		if slices.Contains(frames, o.frame) {
			list = append(list, *o)
			busy = busy || o.State == string(protocol.DownloadProgressStateInProgress)
		}
	}
	return list, busy, d.changed
}

// forget drops what has ended.
func (d *downloads) forget(list []Download) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.list = slices.DeleteFunc(d.list, func(o *Download) bool {
		return slices.ContainsFunc(list, func(l Download) bool {
			return l.guid == o.guid && l.State != string(protocol.DownloadProgressStateInProgress)
		})
	})
}
