package pack

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// Module is one Go module inside a program.
type Module struct {
	Path, Version string
	Sum           string // as in go.sum: "h1:…"; "" where it is unknown
	License       string // its SPDX identifier; "" until somebody asked [License]
	Text          string // of the licence
}

// Program is what a built program tells about itself.
type Program struct {
	Name    string // of its file
	Go      string // "go1.26.8"
	Body    []byte
	Modules []Module // sorted by path
}

// Inside reads from a built program which modules it was built of.
func Inside(name string, body []byte) (Program, error) {
	info, err := buildinfo.Read(bytes.NewReader(body))
	if err != nil {
		return Program{}, fmt.Errorf("read what %s was built of: %w", name, err)
	}
	p := Program{Name: name, Go: info.GoVersion, Body: body}
	for _, m := range info.Deps {
		p.Modules = append(p.Modules, module(m))
	}
	slices.SortFunc(p.Modules, func(a, b Module) int { return strings.Compare(a.Path, b.Path) })
	return p, nil
}

// module is the one whose code is used: a replacement where there is one.
func module(m *debug.Module) Module {
	for m.Replace != nil {
		m = m.Replace
	}
	return Module{Path: m.Path, Version: m.Version, Sum: m.Sum}
}

// Permitted are the licences that a dependency may have: they ask for their text and nothing else.
func Permitted() []string {
	return []string{"Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "Unlicense", "0BSD"}
}

// License is the SPDX identifier of a licence's text, "" for one that it does not know. It looks for sentences that
// each licence has and no other, whatever the line breaks.
func License(text string) string {
	text = strings.ToLower(strings.Join(strings.Fields(text), " "))
	has := func(part string) bool { return strings.Contains(text, part) }
	switch {
	case has("gnu general public license"), has("gnu lesser general public"), has("gnu affero general public"):
		return "GPL"
	case has("mozilla public license"):
		return "MPL-2.0"
	case has("apache license") && has("version 2.0"):
		return "Apache-2.0"
	case has("permission is hereby granted, free of charge, to any person obtaining a copy"):
		return "MIT"
	case has("redistribution and use in source and binary forms") && (has("neither the name") || has("names of its")):
		return "BSD-3-Clause"
	case has("redistribution and use in source and binary forms"):
		return "BSD-2-Clause"
	case has("permission to use, copy, modify, and/or distribute") &&
		has("copyright notice and this permission notice"),
		has("permission to use, copy, modify, and distribute") && has("copyright notice and this permission notice"):
		return "ISC"
	case has("permission to use, copy, modify, and/or distribute"):
		return "0BSD"
	case has("this is free and unencumbered software released into the public domain"):
		return "Unlicense"
	}
	return ""
}

// Notices is one text with the licence of each module, which most of them ask to be handed out with the program.
func Notices(program string, modules []Module) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "%s contains these Go modules. Each is under the licence that follows it.\n", program)
	for _, m := range modules {
		fmt.Fprintf(&b, "\n%s\n%s %s (%s)\n\n%s\n", strings.Repeat("-", 78), m.Path, m.Version, m.License,
			strings.TrimSpace(strings.ReplaceAll(m.Text, "\r\n", "\n")))
	}
	return []byte(b.String())
}

// BillOfMaterials is a program's list of contents as CycloneDX 1.6 in JSON: the program with its SHA-256, the Go
// release, and each module with its licence. version is the program's own.
func BillOfMaterials(p Program, version string, at time.Time) ([]byte, error) {
	type object = map[string]any
	url := func(path, version string) string { return "pkg:golang/" + path + "@" + version }
	sum := sha256.Sum256(p.Body)
	own := url("github.com/refscope/refscope", version) + "#cmd/" + strings.TrimSuffix(p.Name, ".exe")
	standard := strings.TrimPrefix(p.Go, "go")
	inside := []object{{"type": "library", "bom-ref": url("std", standard), "name": "std", "version": standard,
		"purl": url("std", standard), "licenses": []object{{"license": object{"id": "BSD-3-Clause"}}}}}
	refs := []string{url("std", standard)}
	for _, m := range p.Modules {
		c := object{"type": "library", "bom-ref": url(m.Path, m.Version), "name": m.Path, "version": m.Version,
			"purl": url(m.Path, m.Version)}
		if m.License != "" {
			c["licenses"] = []object{{"license": object{"id": m.License}}}
		}
		if m.Sum != "" {
			c["properties"] = []object{{"name": "go:sum", "value": m.Sum}}
		}
		inside, refs = append(inside, c), append(refs, url(m.Path, m.Version))
	}
	body, err := json.MarshalIndent(object{
		"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
		"serialNumber": "urn:uuid:" + identifier(sum),
		"metadata": object{"timestamp": at.UTC().Format(time.RFC3339), "component": object{"type": "application",
			"bom-ref": own, "name": p.Name, "version": version, "purl": own,
			"hashes":   []object{{"alg": "SHA-256", "content": hex.EncodeToString(sum[:])}},
			"licenses": []object{{"license": object{"id": "Apache-2.0"}}}}},
		"components":   inside,
		"dependencies": []object{{"ref": own, "dependsOn": refs}},
	}, "", "  ")
	return append(body, '\n'), err
}

// identifier makes a UUID of version 8 (RFC 9562) of a sum, so that equal programs have equal lists.
func identifier(sum [32]byte) string {
	id := sum[:16]
	id[6], id[8] = id[6]&0x0f|0x80, id[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
}
