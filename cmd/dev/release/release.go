// Package release builds the programs for handing out and writes dist/: archives and packages of every system, which
// package pack makes, with their licences and their sums. Equal commits give equal bytes. Start with [Task].
package release

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
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
	"github.com/refscope/refscope/cmd/dev/setup"
)

const (
	homepage   = "https://github.com/refscope/refscope"
	maintainer = "The Refscope authors <refscope@users.noreply.github.com>"
	appID      = "io.github.refscope.refscope"
)

// Release is one run of Task: what all files of it have in common.
type Release struct {
	*setup.Dev
	dist    string    // the folder that it writes to
	version string    // "0.1.0", or "0.1.0-dev" between releases
	commit  string    // short; "" where there is no repository
	hash    string    // the same in full
	at      time.Time // of the commit: the time in everything that is handed out
	own     Target    // the system that it runs on
	sums    []string  // lines of SHA256SUMS
}

// Task builds the programs for handing out into dist/: refscopectl and refscope-farm for every system, the
// window for this one (it needs this system's C compiler), each as an archive with the licences and a bill of materials
// (CycloneDX), and on Linux as Debian packages; SHA256SUMS over all of them. With -twice it builds a clone of the
// repository in another folder with a cache of its own too, and fails where a byte differs.
func Task(ctx context.Context, d *setup.Dev, args []string) error {
	flags := flag.NewFlagSet("package", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	only := flags.Bool("own", false, "for this system only")
	twice := flags.Bool("twice", false, "build a clone in another folder too and compare every byte")
	out := flags.String("o", filepath.Join(d.Root, "dist"), "the folder to write to")
	if err := flags.Parse(args); err != nil {
		return setup.Usagef("package: %w", err)
	}
	if flags.NArg() > 0 {
		return setup.Usagef("package takes no argument %q", flags.Arg(0))
	}
	if err := d.SetUp(ctx, setup.WindowNeeds(d.Machine), false); err != nil {
		return err
	}
	r, err := New(ctx, d, *out)
	if err != nil {
		return err
	}
	for _, t := range Targets() {
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
	if r.own.GOOS == "linux" {
		r.Say("no AppImage: the runtime that one begins with is in no Debian package, and this task downloads no " +
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

// New reads version, commit and time.
func New(ctx context.Context, d *setup.Dev, dist string) (*Release, error) {
	if err := os.MkdirAll(dist, 0o755); err != nil {
		return nil, fmt.Errorf("make the folder for packages: %w", err)
	}
	r := &Release{Dev: d, dist: dist, at: time.Unix(0, 0)}
	var err error
	if r.own, err = hostTarget(ctx, d); err != nil {
		return nil, err
	}
	toml, err := os.ReadFile(filepath.Join(d.Root, "FyneApp.toml"))
	if err != nil {
		return nil, fmt.Errorf("read the version: %w", err)
	}
	m := regexp.MustCompile(`(?m)^Version = "([^"]+)"$`).FindSubmatch(toml)
	if m == nil {
		return nil, errors.New("FyneApp.toml names no version")
	}
	r.version = string(m[1]) + "-dev"
	if tag, err := d.Output(ctx, nil, nil, "git", "describe", "--tags", "--exact-match", "--match", "v*"); err == nil {
		r.version = strings.TrimPrefix(strings.TrimSpace(tag), "v")
	}
	if out, err := d.Output(ctx, nil, nil, "git", "log", "-1", "--format=%ct %h %H"); err == nil {
		var seconds int64
		if _, err := fmt.Sscan(out, &seconds, &r.commit, &r.hash); err == nil {
			r.at = time.Unix(seconds, 0)
		}
	}
	return r, nil
}

// debian is the version as Debian orders it: what is between releases comes before the next one.
func (r *Release) debian() string {
	number, between := strings.CutSuffix(r.version, "-dev")
	if between {
		return number + "~git" + r.at.UTC().Format("20060102.1504") + "." + cmp.Or(r.commit, "unknown")
	}
	return strings.Replace(number, "-", "~", 1)
}

// program builds one program for one system and hands it out in each form that this system has.
func (r *Release) program(ctx context.Context, name string, t Target) error {
	begin := time.Now()
	r.Status("building %s for %s", name, t)
	folder, err := os.MkdirTemp("", "refscope-package-")
	if err != nil {
		return fmt.Errorf("package %s: %w", name, err)
	}
	defer func() { _ = os.RemoveAll(folder) }() // a stray temporary folder does no harm
	file := name
	if t.GOOS == "windows" {
		file += ".exe"
	}
	path := filepath.Join(folder, file)
	env, args := r.Build(name, t)
	args = append(args, "-o", path, "./cmd/"+name)
	if out, err := r.Output(ctx, nil, env, "go", args...); err != nil {
		return fmt.Errorf("build %s for %s: %w\n%s", name, t, err, setup.Tail(out, 30))
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
	full := fmt.Sprintf("%s-%s-%s-%s", name, r.version, t.GOOS, t.GOARCH)
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
	if t.GOOS == "windows" {
		ending, write = ".zip", pack.Zip
	}
	if err := r.keep(full+ending, func(w io.Writer) error { return write(w, full, r.at, files) }); err != nil {
		return err
	}
	if err := r.keep(full+".cdx.json", func(w io.Writer) error { _, err := w.Write(bill); return err }); err != nil {
		return err
	}
	if t.GOOS == "linux" && r.own.GOOS == "linux" {
		if err := r.deb(ctx, name, t, p, []pack.File{{Name: name + ".cdx.json", Mode: 0o644, Body: bill},
			{Name: "THIRD-PARTY.txt", Mode: 0o644, Body: notices}}); err != nil {
			return err
		}
	}
	r.Say("%s for %s  %s", name, t, setup.Seconds(time.Since(begin)))
	return nil
}

// Build is how a program is built for handing out: as a release, the same bytes in every folder.
func (r *Release) Build(name string, t Target) (env, args []string) {
	link := "-s -w -buildid="
	env = append(setup.CGO(name == "refscope"), t.Env()...)
	// What the environment asks of builds here does not get into what is handed out.
	env = append(env, "GOFLAGS=", "GOAMD64=v1", "GOARM64=v8.0", "CGO_CFLAGS=-O2", "CGO_LDFLAGS=")
	// The go command knows the commit in a clone and not in a worktree, so it is given by name.
	args = []string{"build", "-trimpath", "-buildvcs=false"}
	if name == "refscope" {
		link += " -X github.com/refscope/refscope/gui/app.buildVersion=" + r.version
		args = append(args, "-tags", setup.Tags+",release")
		switch t.GOOS {
		case "windows":
			link += " -H=windowsgui"
		case "linux":
			link += " -extldflags=-Wl,-z,relro,-z,now,--build-id=none"
			args = append(args, "-buildmode=pie")
		}
	} else {
		link += " -X github.com/refscope/refscope/cmd/refscopectl/cli.Version=" + r.version +
			" -X main.commit=" + r.hash
	}
	return env, append(args, "-ldflags", link)
}

// licenses finds the licence of each module of a program. One that is unknown, or not among those that are permitted,
// is an error.
func (r *Release) licenses(ctx context.Context, p *pack.Program, env []string, name string) error {
	args := []string{"list", "-deps", "-tags", setup.Tags + ",release", "-f",
		"{{with .Module}}{{if .Dir}}{{.Path}}\t{{.Dir}}{{end}}{{end}}", "./cmd/" + name}
	out, err := r.Output(ctx, nil, env, "go", args...)
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
		license, text, err := LicenseIn(folders[m.Path])
		if err != nil {
			return fmt.Errorf("%s: %w", m.Path, err)
		}
		p.Modules[i].License, p.Modules[i].Text = license, text
	}
	return nil
}

// LicenseIn reads the licence of the module in a folder; it is an error where it is none of those that a dependency
// may have.
func LicenseIn(dir string) (license, text string, err error) {
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
func (r *Release) deb(ctx context.Context, name string, t Target, p pack.Program, extra []pack.File) error {
	depends, err := pack.Depends(p.Body)
	if err != nil {
		return fmt.Errorf("package %s: %w", name, err)
	}
	about := pack.Package{Name: name, Version: r.debian(), Architecture: t.GOARCH, Homepage: homepage,
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
	return r.keep(fmt.Sprintf("%s_%s_%s.deb", name, about.Version, t.GOARCH), func(w io.Writer) error {
		return pack.Deb(w, about, r.at, files)
	})
}

// fromCtl are the manual pages and completions of refscopectl, which it writes itself.
func (r *Release) fromCtl(ctx context.Context) ([]pack.File, error) {
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
	if out, err := r.Output(ctx, nil, date, program, "man", man); err != nil {
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
		out, err := r.Output(ctx, nil, date, program, "completion", shell)
		if err != nil {
			return nil, fmt.Errorf("write the completion for %s: %w", shell, err)
		}
		files = append(files, pack.File{Name: "usr/share/" + name, Mode: 0o644, Body: []byte(out)})
	}
	return files, nil
}

// ownProgram builds a program for this system into a folder, for what it says of itself.
func (r *Release) ownProgram(ctx context.Context, folder, name string) (string, error) {
	program := filepath.Join(folder, name)
	env, args := r.Build(name, r.own)
	if out, err := r.Output(ctx, nil, env, "go", append(args, "-o", program, "./cmd/"+name)...); err != nil {
		return "", fmt.Errorf("build %s for its manual: %w\n%s", name, err, setup.Tail(out, 10))
	}
	return program, nil
}

// fromFarm is the manual page of refscope-farm.
func (r *Release) fromFarm(ctx context.Context) ([]pack.File, error) {
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
func (r *Release) manual(ctx context.Context, folder, program, short string) (pack.File, error) {
	name := filepath.Base(program)
	help, err := r.Output(ctx, nil, []string{"HOME=" + folder}, program, "--help")
	if err != nil {
		return pack.File{}, fmt.Errorf("read the flags of %s: %w\n%s", name, err, setup.Tail(help, 10))
	}
	return pack.Gzip(pack.File{Name: "usr/share/man/man1/" + name + ".1", Mode: 0o644,
		Body: pack.Manual(name, short, help, r.at)})
}

// forDesktop are the manual page of the window, its entry in menus, its description for software centres, its icons.
func (r *Release) forDesktop(ctx context.Context, p pack.Program) ([]pack.File, error) {
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
func (r *Release) repositoryFile(path, name string) (pack.File, error) {
	body, err := os.ReadFile(filepath.Join(r.Root, filepath.FromSlash(path)))
	if err != nil {
		return pack.File{}, fmt.Errorf("package %s: %w", path, err)
	}
	return pack.File{Name: name, Mode: 0o644, Body: body}, nil
}

// keep writes a file into the folder for packages and its sum into the list.
func (r *Release) keep(name string, write func(io.Writer) error) error {
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
func (r *Release) again(ctx context.Context, own bool, sums []byte) error {
	if out, err := r.Output(ctx, nil, nil, "git", "status", "--porcelain"); err != nil || strings.TrimSpace(out) != "" {
		return errors.New("package -twice compares a commit: commit your changes first")
	}
	folder, err := os.MkdirTemp("", "refscope-built-elsewhere-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }() // a stray temporary folder does no harm
	clone := filepath.Join(folder, "a clone")
	if out, err := r.Output(ctx, nil, nil, "git", "clone", "--quiet", r.Root, clone); err != nil {
		return fmt.Errorf("clone the repository: %w\n%s", err, setup.Tail(out, 10))
	}
	args := []string{"-C", clone, "run", "./cmd/dev", "package", "-o", filepath.Join(folder, "dist")}
	if own {
		args = append(args, "-own")
	}
	r.Status("building everything again in another folder")
	if out, err := r.Output(ctx, func(line string) { r.Status("elsewhere: %s", line) },
		[]string{"GOCACHE=" + filepath.Join(folder, "cache")}, "go", args...); err != nil {
		return fmt.Errorf("build in another folder: %w\n%s", err, setup.Tail(out, 30))
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
	r.Say("%d files are the same bytes when built in another folder with an empty cache.", len(r.sums))
	return nil
}
