package step

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/snapshot/text"
)

// Downloaded is a file that a page has downloaded while a step ran, or that it still downloads.
type Downloaded struct {
	Name  string `json:"name"`
	Path  string `json:"path,omitempty"` // in the session's folder; "" until it is complete
	Bytes int64  `json:"bytes"`
	State string `json:"state"` // completed, inProgress, canceled
}

// How long a step waits for what it began to download.
const downloadWait = 3 * time.Second

// downloads are the files that the page has downloaded since they were requested last, brought to the session's
// folder.
func (r *Runner) downloads(ctx context.Context) []Downloaded {
	if r.env.Page == nil || r.env.Closed {
		return nil
	}
	var out []Downloaded
	for _, d := range r.env.Page.Tab().TakeDownloads(ctx, downloadWait) {
		one := Downloaded{Name: fileName(r.cleanText(r.redactor().Clean(d.Name))), Bytes: d.Bytes, State: d.State}
		if d.State == "completed" {
			path, err := r.bringDownload(d, one.Name)
			if err != nil {
				r.env.Warn("the download %s could not be kept: %v", text.Quote(one.Name), err)
			} else {
				one.Path = r.env.Files.Named(path)
			}
		}
		out = append(out, one)
	}
	return out
}

// bringDownload moves a file to the session's folder, or to that of pictures, under a name of its own there.
func (r *Runner) bringDownload(d browser.Download, name string) (string, error) {
	dir := r.env.Files.Session
	if dir == "" {
		dir = r.env.Files.Folder
	}
	if dir == "" {
		return "", errors.New("there is no folder for files")
	}
	dir = filepath.Join(dir, "downloads")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	ext := filepath.Ext(name)
	for n := 1; n <= 1000; n++ {
		path := filepath.Join(dir, name)
		if n > 1 {
			path = filepath.Join(dir, fmt.Sprintf("%s-%d%s", strings.TrimSuffix(name, ext), n, ext))
		}
		if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
			return path, os.Rename(d.File, path)
		}
	}
	return "", errors.New("there are 1,000 files of that name")
}

// fileName is a name that a page gives, as one that is a name of a file everywhere and nothing else.
func fileName(s string) string {
	s = strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>|`, r) {
			return '_'
		}
		return r
	}, text.Line(s))
	s = text.Start(strings.Trim(s, ". "), 120)
	if s == "" {
		return "download"
	}
	return s
}
