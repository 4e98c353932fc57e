package farm

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"

	"github.com/nats-io/nats.go/jetstream"
)

// Bounds of what a worker sends of one page.
const (
	maxFiles     = 10_000
	maxPageBytes = 1 << 30
)

// storeFiles puts a folder into the object store, as tar.
func (q *Queue) storeFiles(ctx context.Context, name, dir string) error {
	read, write := io.Pipe()
	go func() { // ends when it is read, or read is closed
		w := tar.NewWriter(write)
		write.CloseWithError(errors.Join(w.AddFS(os.DirFS(dir)), w.Close()))
	}()
	defer read.Close()
	_, err := q.results.Put(ctx, jetstream.ObjectMeta{Name: name}, read)
	if err != nil {
		return fmt.Errorf("storing the files of %s: %w", name, err)
	}
	return nil
}

// fetchFiles unpacks the files of a page into an empty folder. It writes nothing outside of it.
func (q *Queue) fetchFiles(ctx context.Context, name, dir string) error {
	object, err := q.results.Get(ctx, name)
	if err != nil {
		return fmt.Errorf("the files of %s: %w", name, err)
	}
	defer object.Close()
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	if err := unpack(root, object); err != nil {
		return fmt.Errorf("the files of %s: %w", name, err)
	}
	return nil
}

// unpack writes the files of a tar into a folder. What is neither a file nor a folder is an error.
func unpack(root *os.Root, from io.Reader) error {
	r := tar.NewReader(from)
	left := int64(maxPageBytes)
	for n := 0; ; n++ {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			_, err := io.Copy(io.Discard, from) // the store checks its sum at the end
			return err
		}
		if err != nil {
			return err
		}
		name := path.Clean(h.Name)
		if left -= h.Size; left < 0 || n >= maxFiles {
			return errors.New("there are too many, or they are too large")
		}
		if !filepath.IsLocal(filepath.FromSlash(name)) {
			return fmt.Errorf("%.100q is not a name inside the page's folder", h.Name)
		}
		switch h.Typeflag {
		case tar.TypeDir:
			err = root.MkdirAll(filepath.FromSlash(name), 0o700)
		case tar.TypeReg:
			err = writeFile(root, filepath.FromSlash(name), r)
		default:
			err = fmt.Errorf("%.100q is not a file", h.Name)
		}
		if err != nil {
			return err
		}
	}
}

func writeFile(root *os.Root, name string, from io.Reader) error {
	if dir := filepath.Dir(name); dir != "." {
		if err := root.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, from)
	return errors.Join(err, f.Close())
}
