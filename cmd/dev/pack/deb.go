package pack

import (
	"bytes"
	"compress/gzip"
	"crypto/md5" // the format of md5sums: dpkg detects damage by it, no attacker
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Package is what a Debian package is called and needs.
type Package struct {
	Name, Version, Architecture string // Architecture as Debian spells it: "amd64"
	Summary                     string // one line, lower case, no full stop
	Description                 string // paragraphs with an empty line between them
	Depends, Recommends         []string
	Section                     string
	Homepage, Maintainer        string // the maintainer with an address: "Name <name@host>"
	License                     []byte // copyright in the machine-readable form of Debian
}

// Deb writes a Debian package (deb(5)): the files, their sums, copyright and changelog. The files are
// named from the root of the system without the leading slash.
func Deb(w io.Writer, p Package, at time.Time, files []File) error {
	doc := "usr/share/doc/" + p.Name + "/"
	log, err := Gzip(File{doc + "changelog", 0o644, fmt.Appendf(nil,
		"%s (%s) unstable; urgency=medium\n\n  * Built from its repository; CHANGELOG.md there lists what is new.\n\n"+
			" -- %s  %s\n", p.Name, p.Version, p.Maintainer, at.UTC().Format(time.RFC1123Z))})
	if err != nil {
		return err
	}
	files = append(slices.Clone(files), log, File{doc + "copyright", 0o644, p.License})
	control, err := controlMember(p, at, files)
	if err != nil {
		return err
	}
	data, err := tarMember(at, files)
	if err != nil {
		return err
	}
	if _, err := io.WriteString(w, "!<arch>\n"); err != nil {
		return err
	}
	for _, m := range []File{{Name: "debian-binary", Body: []byte("2.0\n")}, {Name: "control.tar.gz", Body: control},
		{Name: "data.tar.gz", Body: data}} {
		if err := writeMember(w, m, at); err != nil {
			return fmt.Errorf("deb %s: %w", p.Name, err)
		}
	}
	return nil
}

// writeMember writes one member of an ar archive: a header of 60 bytes, the body, and a byte more where
// its size is odd.
func writeMember(w io.Writer, m File, at time.Time) error {
	pad := ""
	if len(m.Body)%2 == 1 {
		pad = "\n"
	}
	_, err := fmt.Fprintf(w, "%-16s%-12d%-6d%-6d%-8o%-10d`\n%s%s", m.Name, at.Unix(), 0, 0, 0o100644, len(m.Body),
		m.Body, pad)
	return err
}

func tarMember(at time.Time, files []File) ([]byte, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	err = errors.Join(writeTar(z, "./", at, files), z.Close())
	return b.Bytes(), err
}

// controlMember describes the package to dpkg.
func controlMember(p Package, at time.Time, files []File) ([]byte, error) {
	var size int
	var sums strings.Builder
	for _, f := range sorted(files) {
		size += len(f.Body)
		fmt.Fprintf(&sums, "%x  %s\n", md5.Sum(f.Body), f.Name)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Package: %s\nVersion: %s\nArchitecture: %s\nMaintainer: %s\nInstalled-Size: %d\n", p.Name,
		p.Version,
		p.Architecture, p.Maintainer, (size+1023)/1024)
	for _, list := range []struct {
		name     string
		packages []string
	}{{"Depends", p.Depends}, {"Recommends", p.Recommends}} {
		if len(list.packages) > 0 {
			fmt.Fprintf(&b, "%s: %s\n", list.name, strings.Join(list.packages, ", "))
		}
	}
	fmt.Fprintf(&b, "Section: %s\nPriority: optional\nHomepage: %s\nDescription: %s\n", p.Section, p.Homepage,
		p.Summary)
	for line := range strings.Lines(p.Description) {
		if line = strings.TrimSpace(line); line == "" {
			line = "."
		}
		b.WriteString(" " + line + "\n")
	}
	return tarMember(at, []File{{"control", 0o644, []byte(b.String())}, {"md5sums", 0o644, []byte(sums.String())}})
}

// libraries are the Debian packages of the shared libraries that programs of ours are linked with.
var libraries = map[string]string{
	"libGL.so.1": "libgl1", "libX11.so.6": "libx11-6", "libXcursor.so.1": "libxcursor1", "libXrandr.so.2": "libxrandr2",
	"libXinerama.so.1": "libxinerama1", "libXi.so.6": "libxi6", "libXxf86vm.so.1": "libxxf86vm1",
	"libwayland-client.so.0": "libwayland-client0", "libwayland-cursor.so.0": "libwayland-cursor0",
	"libwayland-egl.so.1": "libwayland-egl1", "libxkbcommon.so.0": "libxkbcommon0",
}

// Depends lists the Debian packages that a program for Linux needs, read from the libraries and the versions of libc's
// symbols that it names. An unknown library is an error. A program without shared libraries needs none.
func Depends(program []byte) ([]string, error) {
	f, err := elf.NewFile(bytes.NewReader(program))
	if err != nil {
		return nil, fmt.Errorf("read the libraries of the program: %w", err)
	}
	linked, err := f.ImportedLibraries()
	if err != nil || len(linked) == 0 {
		return nil, err
	}
	var needs []string
	for _, name := range linked {
		switch known, ok := libraries[name]; {
		case ok:
			needs = append(needs, known)
		case !slices.Contains([]string{"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1",
			"libresolv.so.2", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}, name):
			return nil, fmt.Errorf("no Debian package is known for %s: add it to the table in deb.go", name)
		}
	}
	versions, err := f.DynamicVersionNeeds()
	if err != nil {
		return nil, fmt.Errorf("read the versions that the program needs: %w", err)
	}
	minor := 0
	for _, library := range versions {
		for _, n := range library.Needs {
			if text, ok := strings.CutPrefix(n.Dep, "GLIBC_2."); ok {
				text, _, _ = strings.Cut(text, ".")
				if v, err := strconv.Atoi(text); err == nil {
					minor = max(minor, v)
				}
			}
		}
	}
	needs = append(needs, fmt.Sprintf("libc6 (>= 2.%d)", minor))
	slices.Sort(needs)
	return slices.Compact(needs), nil
}
