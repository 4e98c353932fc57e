package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/refscope/refscope/cmd/dev/pack"
)

const (
	homepage   = "https://github.com/refscope/refscope"
	maintainer = "The Refscope authors <refscope@users.noreply.github.com>"
	appID      = "io.github.refscope.refscope"
)

// release is one run of packageTask: what all files of it have in common.
type release struct {
	*dev
	dist    string    // the folder that it writes to
	version string    // "0.1.0", or "0.1.0-dev" between releases
	commit  string    // short; "" where there is no repository
	hash    string    // the same in full
	at      time.Time // of the commit: the time in everything that is handed out
	own     target    // the system that it runs on
	sums    []string  // lines of SHA256SUMS
}

// packageTask builds the programs for handing out into dist/: refscopectl and refscope-farm for every system, the
// window for this one (it needs this system's C compiler), each as an archive with the licences and a bill of materials
// (CycloneDX), and on Linux as Debian packages; SHA256SUMS over all of them. With -twice it builds a clone of the
// repository in another folder with a cache of its own too, and fails where a byte differs.
func packageTask(ctx context.Context, d *dev, args []string) error {
	flags := flag.NewFlagSet("package", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	only := flags.Bool("own", false, "for this system only")
	twice := flags.Bool("twice", false, "build a clone in another folder too and compare every byte")
	out := flags.String("o", filepath.Join(d.root, "dist"), "the folder to write to")
	if err := flags.Parse(args); err != nil {
		return usageError{fmt.Errorf("package: %w", err)}
	}
	if flags.NArg() > 0 {
		return usageError{fmt.Errorf("package takes no argument %q", flags.Arg(0))}
	}
	if err := d.setUp(ctx, windowNeeds(d.machine), false); err != nil {
		return err
	}
	r, err := d.release(ctx, *out)
	if err != nil {
		return err
	}
	for _, t := range targets() {
		if *only && t != r.own {
			continue
		}
		for _, name := range []string{"refscopectl", "refscope-farm"} {
			if err := r.program(ctx, name, t); err != nil {
				return err
			}
		}
	}
	if err := r.program(ctx, "refscope", r.own); err != nil {
		return err
	}
	if r.own.goos == "linux" {
		r.say("no AppImage: the runtime that one begins with is in no Debian package, and this task downloads no " +
			"programs")
	}
	slices.Sort(r.sums)
	sums := []byte(strings.Join(r.sums, ""))
	if err := os.WriteFile(filepath.Join(r.dist, "SHA256SUMS"), sums, 0o644); err != nil {
		return fmt.Errorf("write the sums: %w", err)
	}
	if *twice {
		return r.again(ctx, *only, sums)
	}
	return nil
}

// release reads version, commit and time.
func (d *dev) release(ctx context.Context, dist string) (*release, error) {
	if err := os.MkdirAll(dist, 0o755); err != nil {
		return nil, fmt.Errorf("make the folder for packages: %w", err)
	}
	r := &release{dev: d, dist: dist, at: time.Unix(0, 0)}
	var err error
	if r.own, err = d.hostTarget(ctx); err != nil {
		return nil, err
	}
	toml, err := os.ReadFile(filepath.Join(d.root, "FyneApp.toml"))
	if err != nil {
		return nil, fmt.Errorf("read the version: %w", err)
	}
	m := regexp.MustCompile(`(?m)^Version = "([^"]+)"$`).FindSubmatch(toml)
	if m == nil {
		return nil, errors.New("FyneApp.toml names no version")
	}
	r.version = string(m[1]) + "-dev"
	if tag, err := d.output(ctx, nil, nil, "git", "describe", "--tags", "--exact-match", "--match", "v*"); err == nil {
		r.version = strings.TrimPrefix(strings.TrimSpace(tag), "v")
	}
	if out, err := d.output(ctx, nil, nil, "git", "log", "-1", "--format=%ct %h %H"); err == nil {
		var seconds int64
		if _, err := fmt.Sscan(out, &seconds, &r.commit, &r.hash); err == nil {
			r.at = time.Unix(seconds, 0)
		}
	}
	return r, nil
}

// debian is the version as Debian orders it: what is between releases comes before the next one.
func (r *release) debian() string {
	number, between := strings.CutSuffix(r.version, "-dev")
	if between {
		return number + "~git" + r.at.UTC().Format("20060102.1504") + "." + cmp.Or(r.commit, "unknown")
	}
	return strings.Replace(number, "-", "~", 1)
}

// program builds one program for one system and hands it out in each form that this system has.
func (r *release) program(ctx context.Context, name string, t target) error {
	begin := time.Now()
	r.status("building %s for %s", name, t)
	folder, err := os.MkdirTemp("", "refscope-package-")
	if err != nil {
		return fmt.Errorf("package %s: %w", name, err)
	}
	defer func() { _ = os.RemoveAll(folder) }() // a stray temporary folder does no harm
	file := name
	if t.goos == "windows" {
		file += ".exe"
	}
	path := filepath.Join(folder, file)
	env, args := r.build(name, t)
	args = append(args, "-o", path, "./cmd/"+name)
	if out, err := r.output(ctx, nil, env, "go", args...); err != nil {
		return fmt.Errorf("build %s for %s: %w\n%s", name, t, err, tail(out, 30))
	}
	body, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("package %s: %w", name, err)
	}
	p, err := pack.Inside(file, body)
	if err != nil {
		return err
	}
	if err := r.licenses(ctx, &p, env, name); err != nil {
		return err
	}
	bill, err := pack.BillOfMaterials(p, r.version, r.at)
	if err != nil {
		return fmt.Errorf("bill of materials of %s: %w", name, err)
	}
	notices := pack.Notices(name, p.Modules)
	full := fmt.Sprintf("%s-%s-%s-%s", name, r.version, t.goos, t.goarch)
	files := []pack.File{{Name: file, Mode: 0o755, Body: body}, {Name: "THIRD-PARTY.txt", Mode: 0o644, Body: notices},
		{Name: name + ".cdx.json", Mode: 0o644, Body: bill}}
	for _, text := range []string{"LICENSE", "README.md", "CHANGELOG.md"} {
		f, err := r.repositoryFile(text, text)
		if err != nil {
			return err
		}
		files = append(files, f)
	}
	ending, write := ".tar.gz", pack.TarGz
	if t.goos == "windows" {
		ending, write = ".zip", pack.Zip
	}
	if err := r.keep(full+ending, func(w io.Writer) error { return write(w, full, r.at, files) }); err != nil {
		return err
	}
	if err := r.keep(full+".cdx.json", func(w io.Writer) error { _, err := w.Write(bill); return err }); err != nil {
		return err
	}
	if t.goos == "linux" && r.own.goos == "linux" {
		if err := r.deb(ctx, name, t, p, []pack.File{{Name: name + ".cdx.json", Mode: 0o644, Body: bill},
			{Name: "THIRD-PARTY.txt", Mode: 0o644, Body: notices}}); err != nil {
			return err
		}
	}
	r.say("%s for %s  %s", name, t, seconds(time.Since(begin)))
	return nil
}

// build is how a program is built for handing out: as a release, the same bytes in every folder.
func (r *release) build(name string, t target) (env, args []string) {
	link := "-s -w -buildid="
	env = append(cgo(name == "refscope"), t.env()...)
	// What the environment asks of builds here does not get into what is handed out.
	env = append(env, "GOFLAGS=", "GOAMD64=v1", "GOARM64=v8.0", "CGO_CFLAGS=-O2", "CGO_LDFLAGS=")
	// The go command knows the commit in a clone and not in a worktree, so it is given by name.
	args = []string{"build", "-trimpath", "-buildvcs=false"}
	if name == "refscope" {
		link += " -X github.com/refscope/refscope/gui/app.Version=" + r.version
		args = append(args, "-tags", tags+",release")
		switch t.goos {
		case "windows":
			link += " -H=windowsgui"
		case "linux":
			link += " -extldflags=-Wl,-z,relro,-z,now,--build-id=none"
			args = append(args, "-buildmode=pie")
		}
	} else {
		link += " -X main.version=" + r.version + " -X main.commit=" + r.hash
	}
	return env, append(args, "-ldflags", link)
}

// licenses finds the licence of each module of a program. One that is unknown, or not among those that are permitted,
// is an error.
func (r *release) licenses(ctx context.Context, p *pack.Program, env []string, name string) error {
	args := []string{"list", "-deps", "-tags", tags + ",release", "-f",
		"{{with .Module}}{{if .Dir}}{{.Path}}\t{{.Dir}}{{end}}{{end}}", "./cmd/" + name}
	out, err := r.output(ctx, nil, env, "go", args...)
	if err != nil {
		return fmt.Errorf("list the modules of %s: %w", name, err)
	}
	folders := map[string]string{}
	for line := range strings.Lines(out) {
		if path, dir, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
			folders[path] = dir
		}
	}
	for i, m := range p.Modules {
		license, text, err := licenseIn(folders[m.Path])
		if err != nil {
			return fmt.Errorf("%s: %w", m.Path, err)
		}
		p.Modules[i].License, p.Modules[i].Text = license, text
	}
	return nil
}

// licenseIn reads the licence of the module in a folder; it is an error where it is none of those that a dependency
// may have.
func licenseIn(dir string) (license, text string, err error) {
	if dir == "" {
		return "", "", errors.New("its source is not on this machine: run go mod download")
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", "", err
	}
	for _, e := range entries {
		name := strings.ToLower(e.Name())
		if e.IsDir() || !strings.HasPrefix(name, "licen") && !strings.HasPrefix(name, "copying") {
			continue
		}
		body, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return "", "", err
		}
		license = pack.License(string(body))
		if !slices.Contains(pack.Permitted(), license) {
			return license, "", fmt.Errorf("its licence %s (%s) is none of %s", cmp.Or(license, "is unknown:"),
				e.Name(),
				strings.Join(pack.Permitted(), ", "))
		}
		return license, string(body), nil
	}
	return "", "", errors.New("it has no licence file")
}

// deb makes the Debian package of a program. Manual pages and completions come from the program itself, so those of
// another architecture come from the one of this system, which was made before.
func (r *release) deb(ctx context.Context, name string, t target, p pack.Program, extra []pack.File) error {
	depends, err := pack.Depends(p.Body)
	if err != nil {
		return fmt.Errorf("package %s: %w", name, err)
	}
	about := pack.Package{Name: name, Version: r.debian(), Architecture: t.goarch, Homepage: homepage,
		Maintainer: maintainer, License: debianCopyright(p.Modules), Depends: depends}
	files := []pack.File{{Name: "usr/bin/" + name, Mode: 0o755, Body: p.Body}}
	doc := "usr/share/doc/" + name + "/"
	for _, f := range extra {
		f.Name = doc + f.Name
		if f, err = pack.Gzip(f); err != nil {
			return err
		}
		files = append(files, f)
	}
	var made []pack.File
	overrides := []string{}
	switch name {
	case "refscopectl":
		about.Section, about.Summary = "web", "what a browser agent saw, for scripts and CI"
		about.Description = "Refscope shows the text and the picture that a browser agent acts on,\n" +
			"with the same numbers on both, and why each element is there or is not.\n\n" +
			"This is its command line, which needs no display."
		about.Recommends = []string{"chromium | google-chrome-stable"}
		// Go links a program without cgo statically: that is why it runs on every distribution.
		overrides = append(overrides, "statically-linked-binary [usr/bin/refscopectl]")
		made, err = r.fromCtl(ctx)
	case "refscope-farm":
		about.Section, about.Summary = "web", "queue for batches of refscopectl on one machine"
		about.Description = "Refscope shows the text and the picture that a browser agent acts on,\n" +
			"with the same numbers on both, and why each element is there or is not.\n\n" +
			"This is the queue that refscopectl batch --queue local starts: a NATS server\n" +
			"with JetStream in one program."
		about.Recommends = []string{"refscopectl"}
		overrides = append(overrides, "statically-linked-binary [usr/bin/refscope-farm]")
		made, err = r.fromFarm(ctx)
	case "refscope":
		about.Section, about.Summary = "web", "inspector of what a browser agent saw"
		about.Description = "Refscope shows the text and the picture that a browser agent acts on,\n" +
			"with the same numbers on both, and why each element is there or is not.\n\n" +
			"This is its window, over live pages and recorded turns."
		about.Recommends = []string{"chromium | google-chrome-stable", "refscopectl"}
		// GLFW opens these by name when the window opens; the linker does not know.
		about.Depends = append(about.Depends, "libx11-6", "libxcursor1", "libxrandr2", "libxinerama1", "libxi6")
		slices.Sort(about.Depends)
		about.Depends = slices.Compact(about.Depends)
		made, err = r.forDesktop(ctx, p)
	}
	if err != nil {
		return err
	}
	files = append(files, made...)
	if len(overrides) > 0 {
		body := "# " + name + " is one static program, made by go build without cgo.\n" + name + ": " +
			strings.Join(overrides, "\n"+name+": ") + "\n"
		files = append(files, pack.File{Name: "usr/share/lintian/overrides/" + name, Mode: 0o644, Body: []byte(body)})
	}
	return r.keep(fmt.Sprintf("%s_%s_%s.deb", name, about.Version, t.goarch), func(w io.Writer) error {
		return pack.Deb(w, about, r.at, files)
	})
}

// fromCtl are the manual pages and completions of refscopectl, which it writes itself.
func (r *release) fromCtl(ctx context.Context) ([]pack.File, error) {
	folder, err := os.MkdirTemp("", "refscope-package-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(folder) }() // a stray temporary folder does no harm
	program, err := r.ownProgram(ctx, folder, "refscopectl")
	if err != nil {
		return nil, err
	}
	// The date of the pages is the time of the commit (reproducible-builds.org, SOURCE_DATE_EPOCH).
	date := []string{"SOURCE_DATE_EPOCH=" + strconv.FormatInt(r.at.Unix(), 10), "HOME=" + folder}
	man := filepath.Join(folder, "man")
	if out, err := r.output(ctx, nil, date, program, "man", man); err != nil {
		return nil, fmt.Errorf("write the manual: %w\n%s", err, out)
	}
	var files []pack.File
	err = filepath.WalkDir(man, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		body, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		f, err := pack.Gzip(pack.File{Name: "usr/share/man/man1/" + e.Name(), Mode: 0o644, Body: body})
		files = append(files, f)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the manual: %w", err)
	}
	for shell, name := range map[string]string{"bash": "bash-completion/completions/refscopectl",
		"zsh": "zsh/vendor-completions/_refscopectl", "fish": "fish/vendor_completions.d/refscopectl.fish"} {
		out, err := r.output(ctx, nil, date, program, "completion", shell)
		if err != nil {
			return nil, fmt.Errorf("write the completion for %s: %w", shell, err)
		}
		files = append(files, pack.File{Name: "usr/share/" + name, Mode: 0o644, Body: []byte(out)})
	}
	return files, nil
}

// ownProgram builds a program for this system into a folder, for what it says of itself.
func (r *release) ownProgram(ctx context.Context, folder, name string) (string, error) {
	program := filepath.Join(folder, name)
	env, args := r.build(name, r.own)
	if out, err := r.output(ctx, nil, env, "go", append(args, "-o", program, "./cmd/"+name)...); err != nil {
		return "", fmt.Errorf("build %s for its manual: %w\n%s", name, err, tail(out, 10))
	}
	return program, nil
}

// fromFarm is the manual page of refscope-farm.
func (r *release) fromFarm(ctx context.Context) ([]pack.File, error) {
	folder, err := os.MkdirTemp("", "refscope-package-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(folder) }() // a stray temporary folder does no harm
	program, err := r.ownProgram(ctx, folder, "refscope-farm")
	if err != nil {
		return nil, err
	}
	page, err := r.manual(ctx, folder, program, "queue for batches of refscopectl on one machine")
	return []pack.File{page}, err
}

// manual is the manual page of a program that lists its flags by --help.
func (r *release) manual(ctx context.Context, folder, program, short string) (pack.File, error) {
	name := filepath.Base(program)
	help, err := r.output(ctx, nil, []string{"HOME=" + folder}, program, "--help")
	if err != nil {
		return pack.File{}, fmt.Errorf("read the flags of %s: %w\n%s", name, err, tail(help, 10))
	}
	return pack.Gzip(pack.File{Name: "usr/share/man/man1/" + name + ".1", Mode: 0o644,
		Body: pack.Manual(name, short, help, r.at)})
}

// forDesktop are the manual page of the window, its entry in menus, its description for software centres, its icons.
func (r *release) forDesktop(ctx context.Context, p pack.Program) ([]pack.File, error) {
	folder, err := os.MkdirTemp("", "refscope-package-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(folder) }() // a stray temporary folder does no harm
	program := filepath.Join(folder, "refscope")
	if err := os.WriteFile(program, p.Body, 0o700); err != nil {
		return nil, err
	}
	page, err := r.manual(ctx, folder, program, "inspector of what a browser agent saw")
	if err != nil {
		return nil, err
	}
	files := []pack.File{page}
	for from, to := range map[string]string{
		"assets/linux/" + appID + ".desktop":      "applications/" + appID + ".desktop",
		"assets/linux/" + appID + ".metainfo.xml": "metainfo/" + appID + ".metainfo.xml",
		"assets/icon.png":                         "icons/hicolor/512x512/apps/" + appID + ".png",
		"assets/icon.svg":                         "icons/hicolor/scalable/apps/" + appID + ".svg",
	} {
		f, err := r.repositoryFile(from, "usr/share/"+to)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}

// debianCopyright is the copyright file of a package in Debian's machine-readable form: our licence, and where the
// others are.
func debianCopyright(modules []pack.Module) []byte {
	var b strings.Builder
	b.WriteString("Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n" +
		"Upstream-Name: Refscope\nSource: " + homepage + "\n\nFiles: *\nCopyright: 2026 The Refscope authors\n" +
		"License: Apache-2.0\nComment:\n The program is linked with these Go modules, whose licences are in " +
		"THIRD-PARTY.txt.gz:\n")
	for _, m := range modules {
		fmt.Fprintf(&b, "  %s %s (%s)\n", m.Path, m.Version, m.License)
	}
	b.WriteString("\nLicense: Apache-2.0\n On Debian systems, the text is in /usr/share/common-licenses/Apache-2.0.\n")
	return []byte(b.String())
}

// repositoryFile reads a file of the repository under another name.
func (r *release) repositoryFile(path, name string) (pack.File, error) {
	body, err := os.ReadFile(filepath.Join(r.root, filepath.FromSlash(path)))
	if err != nil {
		return pack.File{}, fmt.Errorf("package %s: %w", path, err)
	}
	return pack.File{Name: name, Mode: 0o644, Body: body}, nil
}

// keep writes a file into the folder for packages and its sum into the list.
func (r *release) keep(name string, write func(io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return fmt.Errorf("package %s: %w", name, err)
	}
	if err := os.WriteFile(filepath.Join(r.dist, name), b.Bytes(), 0o644); err != nil {
		return fmt.Errorf("package %s: %w", name, err)
	}
	r.sums = append(r.sums, fmt.Sprintf("%x  %s\n", sha256.Sum256(b.Bytes()), name))
	return nil
}

// again builds a clone of the commit in a folder of another name, with an empty build cache, and compares the sums.
func (r *release) again(ctx context.Context, own bool, sums []byte) error {
	if out, err := r.output(ctx, nil, nil, "git", "status", "--porcelain"); err != nil || strings.TrimSpace(out) != "" {
		return errors.New("package -twice compares a commit: commit your changes first")
	}
	folder, err := os.MkdirTemp("", "refscope-built-elsewhere-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }() // a stray temporary folder does no harm
	clone := filepath.Join(folder, "a clone")
	if out, err := r.output(ctx, nil, nil, "git", "clone", "--quiet", r.root, clone); err != nil {
		return fmt.Errorf("clone the repository: %w\n%s", err, tail(out, 10))
	}
	args := []string{"-C", clone, "run", "./cmd/dev", "package", "-o", filepath.Join(folder, "dist")}
	if own {
		args = append(args, "-own")
	}
	r.status("building everything again in another folder")
	if out, err := r.output(ctx, func(line string) { r.status("elsewhere: %s", line) },
		[]string{"GOCACHE=" + filepath.Join(folder, "cache")}, "go", args...); err != nil {
		return fmt.Errorf("build in another folder: %w\n%s", err, tail(out, 30))
	}
	other, err := os.ReadFile(filepath.Join(folder, "dist", "SHA256SUMS"))
	if err != nil {
		return err
	}
	var differ []string
	for line := range strings.Lines(string(sums)) {
		if !strings.Contains(string(other), line) {
			_, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
			differ = append(differ, name)
		}
	}
	if len(differ) > 0 || len(other) != len(sums) {
		return fmt.Errorf("not reproducible: built in another folder, these differ: %s", strings.Join(differ, ", "))
	}
	r.say("%d files are the same bytes when built in another folder with an empty cache.", len(r.sums))
	return nil
}

// docsTask makes the pages of docs/ by the generator there, which may import what it describes.
func docsTask(ctx context.Context, d *dev, args []string) error {
	if len(args) > 0 {
		return usageError{fmt.Errorf("docs takes no argument %q", args[0])}
	}
	d.status("making the pages")
	out, err := d.output(ctx, nil, cgo(false), "go", "run", "./docs/site")
	d.say("%s", visible(strings.TrimSpace(out)))
	return err
}

// hostTarget is the system that a plain go build makes programs for.
func (d *dev) hostTarget(ctx context.Context) (target, error) {
	out, err := d.output(ctx, nil, nil, "go", "env", "-json", "GOOS", "GOARCH")
	if err != nil {
		return target{}, err
	}
	var env struct{ GOOS, GOARCH string }
	if err := json.Unmarshal([]byte(out), &env); err != nil {
		return target{}, fmt.Errorf("go env -json says %q: %w", out, err)
	}
	return target{env.GOOS, env.GOARCH}, nil
}
