package pack_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/cmd/dev/pack"
	"github.com/refscope/refscope/snapshot/testneed"
)

var noon = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

func files() []pack.File {
	return []pack.File{{Name: "usr/share/x/text", Mode: 0o644, Body: []byte("text")},
		{Name: "usr/bin/x", Mode: 0o755, Body: []byte("program")}}
}

func debOf(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, pack.Deb(&b, pack.Package{Name: "x", Version: "1.0~git1", Architecture: "amd64", Summary: "a thing",
		Description: "One paragraph.\n\nAnother.", Depends: []string{"libc6"}, Section: "web", Homepage: "https://example.org/",
		Maintainer: "A Person <a@example.org>", License: []byte("License: MIT\n")}, noon, files()))
	return b.Bytes()
}

// What is written twice is the same, whatever the order of the files and the zone of the time.
func TestBytesAreRepeatable(t *testing.T) {
	turned := []pack.File{files()[1], files()[0]}
	for name, write := range map[string]func(io.Writer, string, time.Time, []pack.File) error{"tar": pack.TarGz,
		"zip": pack.Zip} {
		var one, two bytes.Buffer
		require.NoError(t, write(&one, "x-1", noon, files()))
		require.NoError(t, write(&two, "x-1", noon.In(time.FixedZone("there", 7*3600)), turned))
		require.Equal(t, one.Bytes(), two.Bytes(), name)
	}
	require.Equal(t, debOf(t), debOf(t))
}

func TestArchivesKeepNamesAndModes(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, pack.Zip(&b, "x-1", noon, files()))
	z, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	require.NoError(t, err)
	require.Equal(t, "x-1/usr/bin/x", z.File[0].Name)
	require.Equal(t, os.FileMode(0o755), z.File[0].Mode())
	b.Reset()
	require.NoError(t, pack.TarGz(&b, "x-1", noon, files()))
	compressed, err := gzip.NewReader(&b)
	require.NoError(t, err)
	var names []string
	for r := tar.NewReader(compressed); ; {
		h, err := r.Next()
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
		require.Equal(t, "root", h.Uname)
		names = append(names, h.Name)
	}
	require.Equal(t, []string{"x-1/", "x-1/usr/", "x-1/usr/bin/", "x-1/usr/bin/x", "x-1/usr/share/", "x-1/usr/share/x/",
		"x-1/usr/share/x/text"}, names)
}

// dpkg itself reads what Deb wrote, and finds every sum right.
func TestDebIsReadByDpkg(t *testing.T) {
	dpkg := testneed.Program(t, "dpkg-deb", "it is part of Debian")
	dir := t.TempDir()
	file := filepath.Join(dir, "x.deb")
	require.NoError(t, os.WriteFile(file, debOf(t), 0o600))
	out, err := exec.CommandContext(t.Context(), dpkg, "--field", file).CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "Version: 1.0~git1\n")
	require.Contains(t, string(out), "Description: a thing\n One paragraph.\n .\n Another.\n")
	out, err = exec.CommandContext(t.Context(), dpkg, "--raw-extract", file, filepath.Join(dir, "x")).CombinedOutput()
	require.NoError(t, err, "%s", out)
	sums, err := os.ReadFile(filepath.Join(dir, "x", "DEBIAN", "md5sums"))
	require.NoError(t, err)
	require.Equal(t, 4, strings.Count(string(sums), "\n"))
	check := exec.CommandContext(t.Context(), testneed.Program(t, "md5sum", "install coreutils"), "--check", "DEBIAN/md5sums")
	check.Dir = filepath.Join(dir, "x")
	out, err = check.CombinedOutput()
	require.NoError(t, err, "%s", out)
}

func TestLicense(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"MIT over several lines", "Permission is hereby granted, free\n of charge, to any person obtaining\n a copy of", "MIT"},
		{"BSD with three clauses", "Redistribution and use in source and binary forms, … Neither the name of", "BSD-3-Clause"},
		{"BSD with two", "Redistribution and use in source and binary forms, with or without", "BSD-2-Clause"},
		{"Apache", "Apache License\nVersion 2.0, January 2004", "Apache-2.0"},
		{"ISC", "Permission to use, copy, modify, and/or distribute this software for any purpose, provided that the above " +
			"copyright notice and this permission notice appear", "ISC"},
		{"GPL", "GNU GENERAL PUBLIC LICENSE Version 3", "GPL"},
		{"Affero", "GNU Affero General Public License", "GPL"},
		{"Mozilla", "Mozilla Public License Version 2.0", "MPL-2.0"},
		{"a text of its own", "All rights reserved.", ""},
	} {
		t.Run(tt.name, func(t *testing.T) { require.Equal(t, tt.want, pack.License(tt.text)) })
	}
	require.NotContains(t, pack.Permitted(), "GPL")
}

// The list names the program's modules; the program itself says which Go release made it.
func TestBillOfMaterialsNamesWhatIsInside(t *testing.T) {
	program, err := os.Executable()
	require.NoError(t, err)
	body, err := os.ReadFile(program)
	require.NoError(t, err)
	p, err := pack.Inside("pack.test", body)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(p.Go, "go1."), p.Go)
	p.Modules = append(p.Modules, pack.Module{Path: "example.org/thing", Version: "v1.2.3", Sum: "h1:x", License: "MIT"})
	bill, err := pack.BillOfMaterials(p, "1.0", noon)
	require.NoError(t, err)
	var got struct {
		BOMFormat, SpecVersion, SerialNumber string
		Components                           []struct{ Name, Version, Purl string }
		Dependencies                         []struct{ DependsOn []string }
	}
	require.NoError(t, json.Unmarshal(bill, &got))
	require.Equal(t, "CycloneDX 1.6", got.BOMFormat+" "+got.SpecVersion)
	require.Regexp(t, `^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`, got.SerialNumber)
	names := map[string]bool{}
	for _, c := range got.Components {
		names[c.Name] = true
		require.Contains(t, got.Dependencies[0].DependsOn, c.Purl)
	}
	require.True(t, names["std"] && names["example.org/thing"], "%v", names)
}

// The manual takes each flag of Go's package flag, and no line of a text is a request to roff.
func TestManual(t *testing.T) {
	got := string(pack.Manual("x", "a thing", "x [flags]\n\nFlags:\n  -home string\n    \tthe folder\n    \t.hidden too\n"+
		"  -v\tshow all\n", noon))
	require.Contains(t, got, ".TH X 1 2026-11-23")
	require.Contains(t, got, ".TP\n\\fB\\-home string\\fR\nthe folder\n\\&.hidden too\n.TP\n\\fB\\-v\\fR\nshow all\n")
}

// Windows, macOS and a folder of random bytes are not read as programs for Linux.
func TestDependsOfNoProgram(t *testing.T) {
	_, err := pack.Depends([]byte("MZ and more"))
	require.ErrorContains(t, err, "read the libraries of the program")
}
