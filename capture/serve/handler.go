package serve

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// sniffed is how much of a text is looked at for its encoding, in bytes. It is the
// span in which HTML lets a page declare one (HTML standard, prescan a byte stream
// to determine its encoding: the first 1024 bytes).
const sniffed = 1024

// largestText is the largest text, in bytes, that is read whole to see whether it
// is UTF-8. Larger ones are sent without a charset.
const largestText = 32 << 20

// declared finds the encoding that an HTML, XML or CSS text names in its head.
var declared = regexp.MustCompile(`(?i)(?:charset\s*=|encoding\s*=|@charset)\s*["']?\s*([a-z0-9_:.-]+)`)

// types are the content types by extension. The table is ours because the system's
// differs between machines, and a page is not the same page with a script refused.
var types = map[string]string{
	".avif": "image/avif", ".bmp": "image/bmp", ".css": "text/css", ".csv": "text/csv",
	".gif": "image/gif", ".htm": "text/html", ".html": "text/html", ".ico": "image/x-icon",
	".jpeg": "image/jpeg", ".jpg": "image/jpeg", ".js": "text/javascript", ".json": "application/json",
	".map": "application/json", ".md": "text/plain", ".mjs": "text/javascript", ".mp3": "audio/mpeg",
	".mp4": "video/mp4", ".ogg": "audio/ogg", ".otf": "font/otf", ".pdf": "application/pdf",
	".png": "image/png", ".svg": "image/svg+xml", ".ttf": "font/ttf", ".txt": "text/plain",
	".wasm": "application/wasm", ".wav": "audio/wav", ".webm": "video/webm",
	".webmanifest": "application/manifest+json",
	".webp":        "image/webp", ".woff": "font/woff", ".woff2": "font/woff2", ".xhtml": "application/xhtml+xml",
	".xml": "text/xml",
}

// handler answers GET and HEAD with the files of a site.
type handler struct {
	site fs.FS
	lack *lack
}

// lack is the style sheets that were asked for and are not there. It is safe for concurrent use.
type lack struct {
	mu    sync.Mutex
	names []string
}

// mostLacked bounds how many names are kept: a page may ask for any.
const mostLacked = 100

func (l *lack) note(name string) {
	if l == nil || !strings.EqualFold(path.Ext(name), ".css") {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.names) < mostLacked && !slices.Contains(l.names, name) {
		l.names = append(l.names, name)
	}
}

func (h handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	head := w.Header()
	head.Set("Cache-Control", "no-store")
	head.Set("X-Content-Type-Options", "nosniff")
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		head.Set("Allow", "GET, HEAD")
		http.Error(w, "only GET and HEAD are answered", http.StatusMethodNotAllowed)
		return
	}
	name := strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/")
	folder := name == "" || strings.HasSuffix(r.URL.Path, "/")
	if folder {
		name = path.Join(name, "index.html")
	}
	if !fs.ValidPath(name) || hidden(name) {
		missing(w)
		return
	}
	info, err := fs.Stat(h.site, name)
	switch {
	case errors.Is(err, fs.ErrPermission):
		http.Error(w, "this file cannot be read", http.StatusForbidden)
	case err != nil:
		h.lack.note(name)
		missing(w)
	case info.IsDir() && !folder:
		// Relative links of the folder's index need the slash.
		http.Redirect(w, r, "/"+name+"/", http.StatusTemporaryRedirect)
	case !info.Mode().IsRegular():
		missing(w)
	default:
		h.send(w, r, name, info.Size())
	}
}

// missing answers with text that appears as the page, so that a capture of a wrong
// address explains itself. The requested name is not repeated: it is untrusted.
func missing(w http.ResponseWriter) {
	http.Error(w, "file not found on this site", http.StatusNotFound)
}

func (h handler) send(w http.ResponseWriter, r *http.Request, name string, size int64) {
	file, err := h.site.Open(name)
	if err != nil {
		missing(w)
		return
	}
	defer func() { _ = file.Close() }() // only read
	body, ok := file.(io.ReadSeeker)
	if !ok {
		all, err := io.ReadAll(file)
		if err != nil {
			http.Error(w, "this file cannot be read", http.StatusInternalServerError)
			return
		}
		body = bytes.NewReader(all)
	}
	kind, err := contentType(name, body, size)
	if err != nil {
		http.Error(w, "this file cannot be read", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", kind)
	http.ServeContent(w, r, "", time.Time{}, body)
}

// contentType names a file's type and leaves body at its start. A text gets
// "charset=utf-8" where it is UTF-8 and does not declare another encoding: the
// header would beat the page's own declaration, and a saved page in Shift_JIS must
// look as it does elsewhere.
func contentType(name string, body io.ReadSeeker, size int64) (string, error) {
	kind, known := types[strings.ToLower(path.Ext(name))]
	textual := strings.HasPrefix(kind, "text/") || kind == "image/svg+xml" || strings.HasSuffix(kind, "xml") ||
		strings.HasSuffix(kind, "json")
	if known && (!textual || size > largestText) {
		return kind, nil
	}
	limit := int64(sniffed)
	if known {
		limit = largestText
	}
	text, err := io.ReadAll(io.LimitReader(body, limit))
	if err != nil {
		return "", err
	}
	if _, err := body.Seek(0, io.SeekStart); err != nil {
		return "", err
	}
	if !known {
		return http.DetectContentType(text), nil
	}
	own := declared.FindSubmatch(text[:min(len(text), sniffed)])
	if !utf8.Valid(text) || own != nil && !strings.EqualFold(string(own[1]), "utf-8") {
		return kind, nil
	}
	return kind + "; charset=utf-8", nil
}
