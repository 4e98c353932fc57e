// Package pack makes what is handed out of built programs: archives, Debian packages, the
// bill of materials and the licences of what is inside. Equal input gives equal bytes: times
// are the caller's, owners are root, and files lie in the order of their names.
//
// Start with [TarGz] and [Zip], [Deb], and [Inside], which reads from a program which modules
// it was built of. It writes no file and runs no program.
package pack

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"time"
)

// File is one file to hand out.
type File struct {
	Name string // below the root of the archive, with slashes: "usr/bin/refscope"
	Mode fs.FileMode
	Body []byte
}

// sorted is a copy in the order of the names.
func sorted(files []File) []File {
	files = slices.Clone(files)
	slices.SortFunc(files, func(a, b File) int { return cmp.Compare(a.Name, b.Name) })
	return files
}

// Zip writes the files into one folder of a zip archive.
func Zip(w io.Writer, folder string, at time.Time, files []File) error {
	z := zip.NewWriter(w)
	for _, f := range sorted(files) {
		header := &zip.FileHeader{Name: folder + "/" + f.Name, Method: zip.Deflate, Modified: at.UTC()}
		header.SetMode(f.Mode)
		entry, err := z.CreateHeader(header)
		if err != nil {
			return fmt.Errorf("zip %s: %w", f.Name, err)
		}
		if _, err := entry.Write(f.Body); err != nil {
			return fmt.Errorf("zip %s: %w", f.Name, err)
		}
	}
	return z.Close()
}

// TarGz writes the files into one folder of a tar archive, compressed by gzip.
func TarGz(w io.Writer, folder string, at time.Time, files []File) error {
	compressed, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	return errors.Join(writeTar(compressed, folder+"/", at, files), compressed.Close())
}

// writeTar writes a tar archive with an entry for each folder, as dpkg wants it. The prefix
// ends in a slash.
func writeTar(w io.Writer, prefix string, at time.Time, files []File) error {
	t := tar.NewWriter(w)
	made := map[string]bool{}
	entry := func(h tar.Header) error {
		h.ModTime, h.Uname, h.Gname, h.Format = at.UTC().Truncate(time.Second), "root", "root", tar.FormatGNU
		return t.WriteHeader(&h)
	}
	for _, f := range sorted(files) {
		full := prefix + f.Name
		for i, c := range full {
			if dir := full[:i+1]; c == '/' && !made[dir] {
				made[dir] = true
				if err := entry(tar.Header{Typeflag: tar.TypeDir, Name: dir, Mode: 0o755}); err != nil {
					return fmt.Errorf("tar %s: %w", dir, err)
				}
			}
		}
		err := entry(tar.Header{Typeflag: tar.TypeReg, Name: full, Mode: int64(f.Mode.Perm()),
			Size: int64(len(f.Body))})
		if err == nil {
			_, err = t.Write(f.Body)
		}
		if err != nil {
			return fmt.Errorf("tar %s: %w", f.Name, err)
		}
	}
	return t.Close()
}

// Gzip compresses a file as Debian's policy asks for: as small as gzip can, with neither name
// nor time. The name gets its ending.
func Gzip(f File) (File, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err == nil {
		_, err = w.Write(f.Body)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		return File{}, fmt.Errorf("gzip %s: %w", f.Name, err)
	}
	return File{Name: f.Name + ".gz", Mode: f.Mode, Body: b.Bytes()}, nil
}

// Manual is a manual page of section 1 for a program whose flags are listed by Go's package
// flag, from what it prints for --help: a use line, and the flags with a tab before each text.
func Manual(program, short, help string, at time.Time) []byte {
	escape := strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace
	quiet := func(line string) string { // a dot or quote at the beginning is a request to roff
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			return `\&` + line
		}
		return line
	}
	use, flags, _ := strings.Cut(help, "\n")
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %s 1 %s \"\" Refscope\n.SH NAME\n%s \\- %s\n.SH SYNOPSIS\n%s\n.SH OPTIONS\n",
		strings.ToUpper(program), at.UTC().Format("2006-01-02"), program, escape(short), quiet(escape(use)))
	for line := range strings.Lines(flags) {
		line = strings.TrimRight(line, "\n")
		switch {
		case strings.HasPrefix(line, "  -"):
			name, text, inline := strings.Cut(strings.TrimSpace(line), "\t")
			fmt.Fprintf(&b, ".TP\n\\fB%s\\fR\n", escape(name))
			if inline {
				b.WriteString(quiet(escape(text)) + "\n")
			}
		case strings.HasPrefix(line, "    \t"):
			b.WriteString(quiet(escape(strings.TrimSpace(line))) + "\n")
		}
	}
	fmt.Fprintf(&b, ".SH SEE ALSO\nrefscopectl(1)\n")
	return []byte(b.String())
}
