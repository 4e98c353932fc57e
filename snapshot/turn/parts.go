package turn

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
)

const (
	// basePick is how many turns back a writer looks for a base.
	basePick = 16
	// baseTurns is how many turns one base serves at most.
	baseTurns = 64
	// patchShare: a difference is worth its dependence on another part where it
	// is at most a 20th of the content; a capture alone shrinks to a tenth.
	patchShare = 20
)

// partReader reads parts and remembers the bases that it read, up to patchMax
// bytes: the next part most likely needs one of them too. It is for one goroutine.
type partReader struct {
	fs    FS
	bases map[string][]byte // content by hash
	held  int               // bytes in bases
	compressor
}

// read is the content of a part, checked against its size and hash.
func (r *partReader) read(hash string, size, limit int64) ([]byte, error) {
	if size > limit {
		return nil, fmt.Errorf("it has %d bytes, more than the %d allowed", size, limit)
	}
	content, err := r.unpack(hash, size, limit, true)
	if err != nil {
		return nil, err
	}
	if int64(len(content)) != size {
		return nil, fmt.Errorf("it has %d bytes, not the %d that were written", len(content), size)
	}
	return content, nil
}

// unpack is the content of a part of at most size bytes, checked against its
// hash. A part whose base is a difference itself is refused: that also ends any
// circle.
func (r *partReader) unpack(hash string, size, limit int64, patched bool) ([]byte, error) {
	file, err := readPart(r.fs, hash, limit)
	if err != nil {
		return nil, err
	}
	return r.unfold(file, hash, size, limit, patched)
}

// readPart is a part's file, as it lies there.
func readPart(fsys FS, hash string, limit int64) ([]byte, error) {
	const slack = 1 << 16 // headers, and content that does not compress
	file, err := readFile(fsys, partsDir+"/"+hash, 0, limit+slack)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errors.New("it is missing")
	}
	return file, err
}

// unfold is the content of a part whose file was read.
func (r *partReader) unfold(file []byte, hash string, size, limit int64, patched bool) (_ []byte, err error) {
	if isZstd(file) {
		if file, err = r.unzstd(file, size, patched); err != nil {
			return nil, err
		}
	}
	if int64(len(file)) > limit {
		return nil, fmt.Errorf("it has %d bytes, more than the %d allowed", len(file), limit)
	}
	if hashOf(file) != hash {
		return nil, errors.New("its content does not have the hash that is its name: it was changed or cut off")
	}
	return file, nil
}

func (r *partReader) unzstd(file []byte, size int64, patched bool) ([]byte, error) {
	base, err := baseOf(file)
	if err != nil {
		return nil, err
	}
	if base == "" {
		return decompress(file, nil, size)
	}
	if !patched {
		return nil, errors.New("it is a difference itself, and cannot be a base")
	}
	content, err := r.readBase(base)
	if err != nil {
		return nil, fmt.Errorf("its base %s/%s: %w", partsDir, base, err)
	}
	return decompress(file, content, size)
}

// readBase is the content of a part that others are differences from.
func (r *partReader) readBase(hash string) ([]byte, error) {
	if content, ok := r.bases[hash]; ok {
		return content, nil
	}
	content, err := r.unpack(hash, patchMax, patchMax, false)
	if err != nil {
		return nil, err
	}
	if r.bases == nil || r.held+len(content) > patchMax {
		r.bases, r.held = map[string][]byte{}, 0
	}
	r.bases[hash], r.held = content, r.held+len(content)
	return content, nil
}

// fileBase is the base that a part file needs, "" for none.
func fileBase(fsys FS, hash string) (string, error) {
	f, err := fsys.Open(partsDir + "/" + hash)
	if err != nil {
		return "", err
	}
	defer f.Close()
	head := make([]byte, 8+len(basePrefix)+64)
	if n, _ := io.ReadFull(f, head); n < len(head) {
		return "", nil // shorter than a header: no base
	}
	return baseOf(head)
}

// base is a candidate to store a part's difference from.
type base struct {
	hash    string
	since   int // turn that brought it
	content []byte
}

// baseFinder looks for bases for the parts of a turn. It reads the turns before it
// once, and only where a part asks.
type baseFinder struct {
	s     *Store
	r     *partReader
	turns []int // all turns that were there when it was made
	read  bool
	docs  []*turnDoc // the newest basePick ones that can be read, oldest first
}

// add takes a turn that was written as the newest.
func (f *baseFinder) add(doc *turnDoc) {
	f.load()
	f.docs = append(f.docs[max(0, len(f.docs)-basePick+1):], doc)
}

// load reads the newest turns.
func (f *baseFinder) load() {
	if f.read {
		return
	}
	f.read = true
	for _, n := range f.turns[max(0, len(f.turns)-basePick):] {
		if t, _, err := f.s.readTurn(n); err == nil {
			f.docs = append(f.docs, t)
		}
	}
}

// find is the base for a part of the turn doc, which is being written: that of the
// like part of the newest turn that shows the same page, nil where there is none
// that may still be used. Pictures have none: they are compressed already. size is that
// of the part's content, in bytes.
func (f *baseFinder) find(doc *turnDoc, like partDoc, size int) *base {
	if like.Role == rolePicture || like.Role == roleProfile || size < patchMin {
		return nil
	}
	f.load()
	for _, t := range slices.Backward(f.docs) {
		if pageOf(t.URL) != pageOf(doc.URL) {
			continue
		}
		p := t.like(like)
		if p == nil {
			continue
		}
		b := &base{hash: p.SHA256, since: t.N}
		if p.Base != "" {
			b.hash, b.since = p.Base, p.Since
		}
		if b.since <= doc.N-baseTurns || b.since >= doc.N {
			return nil
		}
		var err error
		if b.content, err = f.r.readBase(b.hash); err != nil {
			return nil
		}
		return b
	}
	return nil
}

// like is the part of the same role, and of a payload the one of the same
// dialect and way.
func (t *turnDoc) like(p partDoc) *partDoc {
	for i := range t.Parts {
		q := &t.Parts[i]
		if q.Role != p.Role || (q.Payload == nil) != (p.Payload == nil) {
			continue
		}
		if p.Payload == nil || q.Payload.Dialect == p.Payload.Dialect && q.Payload.Way == p.Payload.Way {
			return q
		}
	}
	return nil
}

// pageOf is a URL without query and fragment: what identifies pages well
// enough to guess which captures are alike.
func pageOf(url string) string {
	for i := range len(url) {
		if url[i] == '?' || url[i] == '#' {
			return url[:i]
		}
	}
	return url
}

// pack describes a part, and gives its file where it is not there yet, or not whole. Its name is durable only after
// SyncDir of parts/.
func (s *Store) pack(r *partReader, p partDoc, hash string, content []byte, b *base) (partDoc, []byte, error) {
	p.SHA256, p.Size = hash, int64(len(content))
	if p.Size > p.limit() {
		return p, nil, fmt.Errorf("the %s has %d bytes, more than the %d allowed", p.Role, p.Size, p.limit())
	}
	if _, err := r.read(p.SHA256, p.Size, p.limit()); err == nil {
		p.Base, err = fileBase(s.fs, p.SHA256)
		return p, nil, err
	}
	file, err := r.pack(&p, content, b)
	if err != nil {
		return p, nil, fmt.Errorf("compress the %s: %w", p.Role, err)
	}
	return p, file, nil
}

// pack is the bytes of a part's file: the content itself for pictures, which are
// compressed already, else Zstandard, as a difference where that is much smaller.
func (c *compressor) pack(p *partDoc, content []byte, b *base) ([]byte, error) {
	if p.Role == rolePicture && !isZstd(content) {
		return content, nil
	}
	if b != nil && len(content) <= patchMax && len(b.content) <= patchMax && b.hash != p.SHA256 {
		d, err := patch(content, b.content, b.hash)
		if err != nil {
			return nil, err
		}
		if len(d) <= len(content)/patchShare {
			p.Base, p.Since = b.hash, b.since
			return d, nil
		}
	}
	return c.compress(content)
}
