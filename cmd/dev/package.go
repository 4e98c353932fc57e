package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// packageTask builds the programs for handing out into dist/: refscopectl for every
// system, the window for this one (it needs this system's C compiler), each as an
// archive with the license and the README, and SHA256SUMS over all of them.
func packageTask(ctx context.Context, d *dev, args []string) error {
	if len(args) > 0 {
		return usageError{fmt.Errorf("package takes no arguments, not %q", args[0])}
	}
	if err := d.setUp(ctx, windowNeeds(d.machine), false); err != nil {
		return err
	}
	dist := filepath.Join(d.root, "dist")
	if err := os.MkdirAll(dist, 0o755); err != nil {
		return fmt.Errorf("make dist: %w", err)
	}
	own, err := d.hostTarget(ctx)
	if err != nil {
		return err
	}
	var sums strings.Builder
	archived := func(program, tags string, t target, env []string) error {
		begin := time.Now()
		d.status("building %s for %s", program, t)
		file := program
		if t.goos == "windows" {
			file += ".exe"
		}
		folder, err := os.MkdirTemp("", "refscope-package-")
		if err != nil {
			return fmt.Errorf("package %s: %w", program, err)
		}
		defer func() { _ = os.RemoveAll(folder) }() // a stray temporary folder does no harm
		out, err := d.output(ctx, nil, append(env, t.env()...), "go", "build", "-trimpath", "-ldflags", "-s -w", "-tags",
			tags, "-o", filepath.Join(folder, file), "./cmd/"+program)
		if err != nil {
			return fmt.Errorf("build %s for %s: %w\n%s", program, t, err, tail(out, 30))
		}
		name := fmt.Sprintf("%s-%s-%s", program, t.goos, t.goarch)
		content := []string{filepath.Join(folder, file), filepath.Join(d.root, "LICENSE"), filepath.Join(d.root, "README.md")}
		archive, sum, err := pack(dist, name, t.goos == "windows", content)
		if err != nil {
			return fmt.Errorf("package %s: %w", name, err)
		}
		fmt.Fprintf(&sums, "%s  %s\n", sum, archive)
		d.say("dist/%s  %s", archive, seconds(time.Since(begin)))
		return nil
	}
	for _, t := range targets() {
		if err := archived("refscopectl", "", t, cgo(false)); err != nil {
			return err
		}
	}
	if err := archived("refscope", tags+",release", own, cgo(true)); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dist, "SHA256SUMS"), []byte(sums.String()), 0o644); err != nil {
		return fmt.Errorf("write the sums: %w", err)
	}
	return nil
}

// hostTarget is the system that a plain go build makes programs for.
func (d *dev) hostTarget(ctx context.Context) (target, error) {
	out, err := d.output(ctx, nil, nil, "go", "env", "GOOS", "GOARCH")
	if err != nil {
		return target{}, err
	}
	words := strings.Fields(out)
	if len(words) != 2 {
		return target{}, fmt.Errorf("go env GOOS GOARCH says %q", out)
	}
	return target{words[0], words[1]}, nil
}

// pack writes an archive, zip or tar.gz, and returns its file name and its SHA-256.
// Times are left out, so the same programs give the same archive.
func pack(dist, name string, asZip bool, files []string) (archive, sum string, err error) {
	archive = name + ".tar.gz"
	if asZip {
		archive = name + ".zip"
	}
	out, err := os.Create(filepath.Join(dist, archive))
	if err != nil {
		return "", "", err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	hash := sha256.New()
	w := io.MultiWriter(out, hash)
	if asZip {
		err = writeZip(w, name, files)
	} else {
		err = writeTar(w, name, files)
	}
	return archive, fmt.Sprintf("%x", hash.Sum(nil)), err
}

func writeZip(w io.Writer, folder string, files []string) error {
	z := zip.NewWriter(w)
	for _, file := range files {
		entry, err := z.Create(folder + "/" + filepath.Base(file))
		if err != nil {
			return err
		}
		if err := copyFile(entry, file); err != nil {
			return err
		}
	}
	return z.Close()
}

func writeTar(w io.Writer, folder string, files []string) error {
	compressed := gzip.NewWriter(w)
	t := tar.NewWriter(compressed)
	for _, file := range files {
		info, err := os.Stat(file)
		if err != nil {
			return err
		}
		if err := t.WriteHeader(&tar.Header{Name: folder + "/" + filepath.Base(file), Mode: int64(info.Mode().Perm()),
			Size: info.Size()}); err != nil {
			return err
		}
		if err := copyFile(t, file); err != nil {
			return err
		}
	}
	return errors.Join(t.Close(), compressed.Close())
}

func copyFile(w io.Writer, file string) error {
	in, err := os.Open(file)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }() // only read
	_, err = io.Copy(w, in)
	return err
}
