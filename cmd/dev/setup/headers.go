package setup

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// develPackage is what a system calls the package with some development files. What the window's build includes and
// links is found from the build itself ([dev.cgoWants]); this table only says who has it.
type develPackage struct {
	has                         []string // beginnings of headers, -l flags, names of pkg-config
	debian, fedora, arch, words string
}

// develPackages are searched from the top, as some of the beginnings are those of others. What is in none of them comes
// with the compiler: the C library and the kernel's headers.
func develPackages() []develPackage {
	return []develPackage{
		{[]string{"EGL/"}, "libegl-dev", "mesa-libEGL-devel", "libglvnd", "EGL"},
		{[]string{"GL/", "KHR/", "-lGL", "gl"}, "libgl-dev", "mesa-libGL-devel", "libglvnd", "GL"},
		{[]string{"X11/Xcursor/", "-lXcursor"}, "libxcursor-dev", "libXcursor-devel", "libxcursor", "Xcursor"},
		{[]string{"X11/extensions/Xrandr.h", "-lXrandr"}, "libxrandr-dev", "libXrandr-devel", "libxrandr", "Xrandr"},
		{[]string{"X11/extensions/Xinerama.h", "-lXinerama"}, "libxinerama-dev", "libXinerama-devel", "libxinerama",
			"Xinerama"},
		{[]string{"X11/extensions/XInput2.h", "-lXi"}, "libxi-dev", "libXi-devel", "libxi", "Xi"},
		{[]string{"X11/extensions/shape.h"}, "libxext-dev", "libXext-devel", "libxext", "Xext"},
		{[]string{"-lXxf86vm"}, "libxxf86vm-dev", "libXxf86vm-devel", "libxxf86vm", "Xxf86vm"},
		{[]string{"X11/", "-lX11"}, "libx11-dev", "libX11-devel", "libx11", "X11"},
		{[]string{"wayland-", "-lwayland-"}, "libwayland-dev", "wayland-devel", "wayland", "Wayland"},
		{[]string{"xkbcommon/", "-lxkbcommon"}, "libxkbcommon-dev", "libxkbcommon-devel", "libxkbcommon", "xkbcommon"},
	}
}

// develPackageOf is the package that has what the build wants; false for what the compiler brings.
func develPackageOf(want string) (develPackage, bool) {
	for _, p := range develPackages() {
		for _, begin := range p.has {
			whole := !strings.HasSuffix(begin, "/") && !strings.HasSuffix(begin, "-")
			if want == begin || !whole && strings.HasPrefix(want, begin) {
				return p, true
			}
		}
	}
	return develPackage{}, false
}

// named is what a family calls the package.
func (p develPackage) named(family string) string {
	switch family {
	case Debian, ubuntu:
		return p.debian
	case fedora:
		return p.fedora
	case Arch:
		return p.arch
	}
	return p.words
}

// develNames are all packages as a family calls them, each once.
func develNames(family string) []string {
	var names []string
	for _, p := range develPackages() {
		if name := p.named(family); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// cgoWant is one thing that the window's build takes from the system: a header, a library as a flag (-lGL), or a name
// of pkg-config. At is the file that was found; "" where the system has none.
type cgoWant struct{ name, at string }

// cgoPackage is what go list says of a package with C in it.
type cgoPackage struct {
	ImportPath, Dir                                                    string
	Standard                                                           bool
	CgoFiles, CFiles, CgoCFLAGS, CgoCPPFLAGS, CgoLDFLAGS, CgoPkgConfig []string
}

var includeLine = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*include[ \t]*[<"]([^>"\n]+)[>"]`)

// cgoWants are what the C of the window's modules includes and links on this system, in order. The preprocessor is run
// over it, as it would be for the build, with missing headers allowed: so it follows each #if, and names all of them.
func (d *Dev) cgoWants(ctx context.Context) ([]cgoWant, error) {
	list := exec.CommandContext(ctx, "go", "list", "-deps", "-tags", Tags,
		"-json=ImportPath,Dir,Standard,CgoFiles,CFiles,CgoCFLAGS,CgoCPPFLAGS,CgoLDFLAGS,CgoPkgConfig", "./cmd/refscope")
	list.Dir, list.Env = d.Root, append(os.Environ(), "CGO_ENABLED=1")
	out, err := list.Output()
	if err != nil {
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			return nil, fmt.Errorf("go list ./cmd/refscope: %s", FirstLine(string(exit.Stderr), err))
		}
		return nil, fmt.Errorf("go list ./cmd/refscope: %w", err)
	}
	cc, err := compiler(ctx)
	if err != nil {
		return nil, err
	}
	found := map[string]string{}
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p cgoPackage
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("go list ./cmd/refscope: %w", err)
		}
		if p.Standard || len(p.CgoFiles) == 0 {
			continue
		}
		if err := p.headers(ctx, cc, found); err != nil {
			return nil, fmt.Errorf("what %s includes: %w", p.ImportPath, err)
		}
		for _, flag := range p.CgoLDFLAGS {
			if library, ok := strings.CutPrefix(flag, "-l"); ok {
				found[flag] = libraryFile(ctx, cc, library)
			}
		}
		for _, name := range p.CgoPkgConfig {
			if exec.CommandContext(ctx, pkgConfig(), "--exists", name).Run() == nil {
				found[name] = name + ".pc"
			} else {
				found[name] = ""
			}
		}
	}
	var wants []cgoWant
	for name, at := range found {
		wants = append(wants, cgoWant{name, at})
	}
	slices.SortFunc(wants, func(a, b cgoWant) int { return strings.Compare(a.name, b.name) })
	return wants, ctx.Err()
}

// headers adds the headers outside the package's own folder that its C names, each with the file that it is.
func (p cgoPackage) headers(ctx context.Context, cc []string, found map[string]string) error {
	var texts []string
	for _, file := range p.CgoFiles {
		text, err := preamble(filepath.Join(p.Dir, file))
		if err != nil {
			return err
		}
		texts = append(texts, text)
	}
	for _, file := range p.CFiles {
		texts = append(texts, `#include "`+file+"\"\n")
	}
	args := append(slices.Concat(p.CgoCPPFLAGS, p.CgoCFLAGS), "-I", p.Dir, "-M", "-MG", "-x", "c", "-")
	for _, text := range texts {
		out, err := CompileBy(ctx, cc, text, args...)
		if err != nil {
			return errors.New(FirstLine(out, err))
		}
		_, rule, _ := strings.Cut(out, ":")
		read := strings.Fields(strings.ReplaceAll(rule, "\\\n", " "))
		named := includeLine.FindAllStringSubmatch(text, -1)
		for _, file := range read {
			if own(p.Dir, file) {
				src, err := os.ReadFile(file)
				if err != nil {
					return err
				}
				named = append(named, includeLine.FindAllStringSubmatch(string(src), -1)...)
			}
		}
		for _, m := range named {
			name := m[1]
			for _, file := range read {
				switch {
				case own(p.Dir, file), name == "_cgo_export.h": // cgo writes that one
				case file == name && !filepath.IsAbs(file):
					found[name] = ""
				case strings.HasSuffix(file, "/"+name):
					found[name] = file
				}
			}
		}
	}
	return nil
}

// own reports whether a file that the preprocessor read is one of the module.
func own(dir, file string) bool {
	rel, err := filepath.Rel(dir, file)
	return filepath.IsAbs(file) && err == nil && !strings.HasPrefix(rel, "..")
}

// preamble is the C text in front of a Go file's import "C", without the lines that are for cgo.
func preamble(path string) (string, error) {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly|parser.ParseComments)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, group := range file.Comments {
		for _, comment := range group.List {
			text := strings.TrimPrefix(comment.Text, "//")
			if inner, ok := strings.CutPrefix(comment.Text, "/*"); ok {
				text = strings.TrimSuffix(inner, "*/")
			}
			for line := range strings.Lines(text + "\n") {
				if trimmed := strings.TrimSpace(line); strings.HasPrefix(trimmed, "#") &&
					!strings.HasPrefix(trimmed, "#cgo") {
					b.WriteString(line)
				}
			}
		}
	}
	return b.String(), nil
}

// libraryFile is the library as the linker would find it; "" where there is none.
func libraryFile(ctx context.Context, cc []string, library string) string {
	for _, end := range []string{".so", ".a"} {
		name := "lib" + library + end
		if out, err := CompileBy(ctx, cc, "", "-print-file-name="+name); err == nil {
			if at := strings.TrimSpace(out); filepath.IsAbs(at) {
				return at
			}
		}
	}
	return ""
}

// pkgConfig is the program that cgo asks for flags.
func pkgConfig() string {
	if named := os.Getenv("PKG_CONFIG"); named != "" {
		return named
	}
	return "pkg-config"
}

// probeHeaders looks whether the system has all that the window's build includes and links, and says of each that is
// missing which package has it.
func probeHeaders(ctx context.Context, d *Dev) (string, error) {
	if _, err := exec.LookPath(pkgConfig()); err != nil {
		return "", fmt.Errorf("no %s in PATH", pkgConfig())
	}
	d.Status("asking the modules what their C includes")
	wants, err := d.cgoWants(ctx)
	if err != nil {
		return "", err
	}
	var missing []string
	for _, w := range wants {
		if w.at != "" {
			continue
		}
		by := "in no package that is known here"
		if p, ok := develPackageOf(w.name); ok {
			by = p.named(d.Machine.Family)
		}
		missing = append(missing, w.name+" ("+by+")")
	}
	if len(missing) > 0 {
		return "", fmt.Errorf("the build wants %s", strings.Join(missing, ", "))
	}
	return fmt.Sprintf("all %d headers and libraries that the build asks for", len(wants)), nil
}
