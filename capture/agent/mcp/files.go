package mcp

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"unicode/utf8"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/refscope/refscope/capture/export"
)

// maxFile is how large a file may be that is read as a resource, in bytes.
const maxFile = 64 << 20

// fileNames are the files that answers to a client have named, by their resource: a client may be on another machine,
// and a path of this one is nothing to it. It reads these and no others. It is safe for concurrent use.
type fileNames struct {
	mu     sync.Mutex
	byURI  map[string]string
	byPath map[string]string
}

// name is the resource of a file: one for each path, whatever is in it at the time.
func (f *fileNames) name(path string) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if uri := f.byPath[path]; uri != "" {
		return uri
	}
	if f.byURI == nil {
		f.byURI, f.byPath = map[string]string{}, map[string]string{}
	}
	base := filepath.Base(path)
	ext := filepath.Ext(base)
	uri := uriFiles + url.PathEscape(base)
	for n := 2; f.byURI[uri] != ""; n++ {
		uri = uriFiles + url.PathEscape(fmt.Sprintf("%s-%d%s", strings.TrimSuffix(base, ext), n, ext))
	}
	f.byURI[uri], f.byPath[path] = path, uri
	return uri
}

// read reads a file that an answer has named.
func (f *fileNames) read(uri string) (*sdk.ReadResourceResult, error) {
	f.mu.Lock()
	path := f.byURI[uri]
	f.mu.Unlock()
	if path == "" {
		return nil, sdk.ResourceNotFoundError(uri)
	}
	data, err := readFile(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", uri, err)
	}
	out := &sdk.ResourceContents{URI: uri, MIMEType: mediaOf(path, data)}
	if strings.HasPrefix(out.MIMEType, "text/") || out.MIMEType == "application/json" {
		out.Text = string(data)
	} else {
		out.Blob = data
	}
	return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{out}}, nil
}

// readFile reads a regular file that is not too large. Its errors name no path.
func readFile(path string) ([]byte, error) {
	st, err := os.Lstat(path)
	switch {
	case err != nil:
		return nil, fmt.Errorf("the file is gone: %w", export.Cause(err))
	case !st.Mode().IsRegular():
		return nil, errors.New("it is not a regular file any more")
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, export.Cause(err)
	}
	defer file.Close()
	if now, err := file.Stat(); err != nil || !os.SameFile(st, now) { // another has taken its place meanwhile
		return nil, errors.New("it was changed meanwhile: read it again")
	}
	data, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	switch {
	case err != nil:
		return nil, export.Cause(err)
	case len(data) > maxFile:
		return nil, fmt.Errorf("it is larger than %d MB", maxFile>>20)
	}
	return data, nil
}

// mediaOf is the media type of a file: by its content, as its name may be a page's.
func mediaOf(path string, data []byte) string {
	switch kind, _, _ := strings.Cut(http.DetectContentType(data), ";"); {
	case !strings.HasPrefix(kind, "text/"):
		return kind
	case !utf8.Valid(data):
		return "application/octet-stream"
	case strings.EqualFold(filepath.Ext(path), ".json"):
		return "application/json"
	}
	return "text/plain"
}
