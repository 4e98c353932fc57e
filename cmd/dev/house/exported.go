package house

import (
	"cmp"
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// source is one package with its files as they are parsed.
type source struct {
	path   string // below the module: "snapshot/text"
	name   string
	files  []*ast.File // without tests
	inside []*ast.File // tests of the package itself, and of its _test package
	ours   bool
}

// exportedAllowed are exported identifiers that need no user, each with its reason. A
// prefix that ends in "." matches all identifiers of a package, one that ends in "*"
// all that begin so.
func exportedAllowed() map[string]string {
	const documented = "an error of the package's contract, for errors.Is and errors.As"
	return map[string]string{
		"snapshot/importer.Err*":            documented,
		"snapshot/turn.Err*":                documented,
		"capture/agent/task.ErrNoTask":      documented,
		"capture/broker.ErrOlder":           documented,
		"capture/browser.ErrNoDialog":       documented,
		"capture/export/goldenstore.ErrNew": documented,
		"capture/export/report.ErrNoTurns":  documented,
		"capture/session.SecretHeaderError": documented,
		"capture/action.Drag*":              "the values of DragOptions.Method",
		"capture/action.OutsideError":       documented,
		"capture/step/stepdef.ClosedError":  documented,
		"capture/step/param.Checker":        "parameters of the chapters implement it",
		"capture/step/param.Shorthand":      "parameters of the chapters implement it",
	}
}

// Unused are the exported identifiers without a user that are not allowed, and the
// allowances that are not needed any more.
func (t Tree) Unused(ctx context.Context) (unused, stale []string, err error) {
	packages, err := t.packages(ctx, "./...")
	if err != nil {
		return nil, nil, err
	}
	var others []string
	for _, p := range packages {
		for _, path := range slices.Concat(p.Imports, p.TestImports, p.XTestImports) {
			if path != "C" && !strings.HasPrefix(path, Module+"/") {
				others = append(others, path)
			}
		}
	}
	slices.Sort(others)
	foreign, err := t.packages(ctx, slices.Compact(others)...)
	if err != nil {
		return nil, nil, err
	}
	var sources []source
	for _, p := range slices.Concat(packages, foreign) {
		s, err := parse(p)
		if err != nil {
			return nil, nil, err
		}
		sources = append(sources, s)
	}
	allowed := exportedAllowed()
	needed := map[string]bool{}
	for _, u := range withoutUser(sources) {
		reason := ""
		for pattern := range allowed {
			prefix, all := strings.CutSuffix(pattern, "*")
			if u == pattern || all && strings.HasPrefix(u, prefix) || strings.HasSuffix(pattern, ".") &&
				strings.HasPrefix(u, pattern) {
				reason = pattern
			}
		}
		if reason == "" {
			unused = append(unused, u)
		}
		needed[reason] = true
	}
	for pattern := range allowed {
		if !needed[pattern] {
			stale = append(stale, pattern)
		}
	}
	slices.Sort(stale)
	return unused, stale, nil
}

// parse reads the files of a package, its tests where it is ours.
func parse(p pkg) (source, error) {
	below, ours := strings.CutPrefix(p.ImportPath, Module+"/")
	s := source{path: below, name: p.Name, ours: ours}
	read := func(names []string) (files []*ast.File, err error) {
		for _, name := range names {
			f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				return nil, err
			}
			files = append(files, f)
		}
		return files, nil
	}
	own := slices.Concat(p.GoFiles, p.CgoFiles)
	if ours {
		for _, name := range p.IgnoredGoFiles { // of other systems: they use things too
			if !strings.HasSuffix(name, "_test.go") {
				own = append(own, name)
			}
		}
	}
	var err error
	if s.files, err = read(own); err == nil && ours {
		s.inside, err = read(slices.Concat(p.TestGoFiles, p.XTestGoFiles))
	}
	return s, err
}

// withoutUser are the exported identifiers of our packages that no other package names:
// "snapshot/text.Line", and "snapshot.Capture.Kept" for a method. Tests of other packages
// are users; those of the package itself are not. Fields are not looked at.
//
// It reads names, not types, which is quick and errs on the side of the code: a method is
// used where any other package selects that name, or an interface asks for it. What a used
// identifier's declaration mentions is used with it, and so are constants of one block.
func withoutUser(sources []source) []string {
	named := map[string]bool{}               // "path.Name" that another package writes
	selected := map[string]map[string]bool{} // Name → paths of packages that select it
	asked := map[string]bool{}               // methods of interfaces
	names := map[string]string{}             // of packages, which need not be that of their folder
	for _, s := range sources {
		if s.ours {
			names[s.path] = s.name
		}
	}
	for _, s := range sources {
		for _, f := range slices.Concat(s.files, s.inside) {
			interfaces(f, asked)
			if s.ours {
				uses(f, s.path, names, named, selected)
			}
		}
	}
	var unused []string
	for _, s := range sources {
		if s.ours && s.name != "main" {
			unused = append(unused, s.withoutUser(named, selected, asked)...)
		}
	}
	slices.Sort(unused)
	return unused
}

// interfaces notes the methods that the interfaces of a file ask for.
func interfaces(f *ast.File, asked map[string]bool) {
	ast.Inspect(f, func(n ast.Node) bool {
		if t, ok := n.(*ast.InterfaceType); ok {
			for _, m := range t.Methods.List {
				for _, name := range m.Names {
					asked[name.Name] = true
				}
			}
		}
		return true
	})
}

// uses notes what a file of the package at path names of others, and what it selects.
func uses(f *ast.File, path string, names map[string]string, named map[string]bool,
	selected map[string]map[string]bool) {
	imported := map[string]string{} // by the name in the file
	for _, spec := range f.Imports {
		full, err := strconv.Unquote(spec.Path.Value)
		below, ours := strings.CutPrefix(full, Module+"/")
		if err != nil || !ours || below == path {
			continue
		}
		name := names[below]
		if spec.Name != nil {
			name = spec.Name.Name
		}
		imported[name] = below
	}
	ast.Inspect(f, func(n ast.Node) bool {
		e, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if x, ok := e.X.(*ast.Ident); ok && imported[x.Name] != "" {
			named[imported[x.Name]+"."+e.Sel.Name] = true
		}
		if selected[e.Sel.Name] == nil {
			selected[e.Sel.Name] = map[string]bool{}
		}
		selected[e.Sel.Name][path] = true
		return true
	})
}

// declared is an exported identifier with what its declaration mentions of its package.
type declared struct {
	mentions []string
	used     bool
	block    int    // of constants, 0 for none
	receiver string // of a method
}

func (s source) withoutUser(named map[string]bool, selected map[string]map[string]bool,
	asked map[string]bool) []string {
	all := s.declarations()
	elsewhere := func(name string) bool {
		n := len(selected[name])
		return n > 1 || n == 1 && !selected[name][s.path]
	}
	for name, d := range all {
		_, method, isMethod := strings.Cut(name, ".")
		d.used = named[s.path+"."+name] || isMethod && (elsewhere(method) || asked[method])
	}
	for again := true; again; {
		again = false
		use := func(name string) {
			if d := all[name]; d != nil && !d.used {
				d.used, again = true, true
			}
		}
		for _, d := range all {
			if !d.used || d.receiver != "" && all[d.receiver] != nil && !all[d.receiver].used {
				continue
			}
			for _, m := range d.mentions {
				use(m)
			}
			for other, o := range all {
				if d.block > 0 && o.block == d.block {
					use(other)
				}
			}
		}
		for _, d := range all { // constants of a type that is used
			if d.block > 0 && !d.used && slices.ContainsFunc(d.mentions,
				func(m string) bool { return all[m] != nil && all[m].used }) {
				d.used, again = true, true
			}
		}
	}
	var unused []string
	for name, d := range all {
		if !d.used {
			unused = append(unused, s.path+"."+name)
		}
	}
	return unused
}

// declarations are the exported identifiers of a package, methods as Type.Method.
func (s source) declarations() map[string]*declared {
	all := map[string]*declared{}
	block := 0
	for _, f := range s.files {
		for _, decl := range f.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				if !d.Name.IsExported() {
					continue
				}
				name, receiver := d.Name.Name, ""
				if d.Recv != nil {
					receiver = baseName(d.Recv.List[0].Type)
					if !ast.IsExported(receiver) {
						continue
					}
					name = receiver + "." + name
				}
				all[name] = &declared{mentions: mentioned(d.Type), receiver: receiver}
			case *ast.GenDecl:
				if d.Tok == token.CONST {
					block++
				}
				for _, spec := range d.Specs {
					switch v := spec.(type) {
					case *ast.TypeSpec:
						if v.Name.IsExported() {
							all[v.Name.Name] = &declared{mentions: mentioned(v)}
						}
					case *ast.ValueSpec:
						for _, name := range v.Names {
							if !name.IsExported() {
								continue
							}
							e := &declared{}
							if v.Type != nil {
								e.mentions = mentioned(v.Type)
							}
							if d.Tok == token.CONST && d.Lparen.IsValid() {
								e.block = block
							}
							all[name.Name] = e
						}
					}
				}
			}
		}
	}
	return all
}

// baseName is the name of a receiver's type.
func baseName(e ast.Expr) string {
	switch t := e.(type) {
	case *ast.StarExpr:
		return baseName(t.X)
	case *ast.IndexExpr:
		return baseName(t.X)
	case *ast.IndexListExpr:
		return baseName(t.X)
	case *ast.Ident:
		return t.Name
	}
	return ""
}

// mentioned are the exported names that a declaration writes.
func mentioned(n ast.Node) []string {
	var names []string
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.IsExported() {
			names = append(names, id.Name)
		}
		return true
	})
	slices.SortFunc(names, cmp.Compare[string])
	return slices.Compact(names)
}
