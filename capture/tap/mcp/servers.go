package mcp

import (
	"path"
	"slices"
	"strconv"
	"strings"
)

// Server is a server of tools for a browser, as its own reference describes it (November 2026).
type Server struct {
	Name string
	// packages and programs are what its command has in it: a package of npm or PyPI, the name of its program.
	packages, programs []string
	// hand makes the switch that gives it the browser at HOST:PORT; nil where it has none, and Note says why.
	hand func(hostport string) []string
	// variable is one of the environment that names the port of a browser on this machine, for a server that its
	// switches do not reach.
	variable string
	Note     string
	// own are switches that name a browser already, other those that ask for one that is no Chrome, and starts those
	// that hold only for the one that it starts itself: beside that of hand it refuses them, or leaves them out.
	own, other, starts []string
	// environ is what variables begin with that stand for its switches, as PLAYWRIGHT_MCP_USER_AGENT does.
	environ string
	// launch are switches about the browser that it would start itself, which it refuses beside that of hand: they hold
	// for ours instead.
	launch []string
	// Tab: it wants a tab that is open already.
	Tab bool
	// Uids: it lists pages by numbers that nothing in them holds.
	Uids bool
}

func portOf(hostport string) string { return hostport[strings.LastIndexByte(hostport, ':')+1:] }

func oneSwitch(name, prefix string) func(string) []string {
	return func(hostport string) []string { return []string{name + "=" + prefix + hostport} }
}

// servers are those that are known.
var servers = []Server{
	{Name: "Playwright MCP", packages: []string{"@playwright/mcp"},
		programs: []string{"playwright-mcp", "mcp-server-playwright"}, hand: oneSwitch("--cdp-endpoint", "http://"),
		own:   []string{"--cdp-endpoint", "--endpoint", "--extension", "--port"},
		other: []string{"--browser=firefox", "--browser=webkit"}, environ: "PLAYWRIGHT_MCP_",
		starts: []string{"--device", "--mobile", "--grant-permissions", "--storage-state", "--block-service-workers"}},
	{Name: "chrome-devtools-mcp", packages: []string{"chrome-devtools-mcp"}, programs: []string{"chrome-devtools-mcp"},
		hand: oneSwitch("--browserUrl", "http://"), Uids: true, Tab: true,
		own: []string{"--browserUrl", "--browser-url", "-u", "--wsEndpoint", "--ws-endpoint", "-w", "--autoConnect",
			"--auto-connect", "--categoryPwa", "--category-pwa"},
		launch: []string{"--executablePath", "--executable-path", "-e", "--userDataDir", "--user-data-dir",
			"--channel"}},
	{Name: "agent-browser", Tab: true, Uids: true, packages: []string{"agent-browser"},
		programs: []string{"agent-browser"},
		hand: func(hostport string) []string {
			return []string{"--cdp", portOf(hostport)}
		},
		variable: "AGENT_BROWSER_CDP", // mcp of 0.41 starts a command for each call, without the switch
		own:      []string{"--cdp", "--auto-connect", "--provider"}},
	{Name: "Refscope", programs: []string{"refscopectl"}, hand: oneSwitch("--attach", ""),
		own: []string{"--attach"}},
	{Name: "Browser MCP", packages: []string{"@browsermcp/mcp", "browsermcp"},
		programs: []string{"mcp-server-browsermcp"},
		Note: "it reaches the person's own browser through its extension, so there is no browser to hand over: start " +
			"that browser with a debugging port and name it with --attach to record its pages"},
}

// runners run the program of a package that they name; where a further word has to follow, it is one of these.
var runners = map[string][]string{"npx": nil, "bunx": nil, "pnpx": nil, "uvx": nil, "npm": {"exec", "x"},
	"pnpm": {"dlx"}, "yarn": {"dlx"}, "bun": {"x"}, "pipx": {"run"}, "deno": {"run"}}

// packageOf is where a command line names the package whose program it runs, -1 for nowhere.
func packageOf(argv []string) int {
	for i, arg := range argv {
		base := path.Base(strings.ReplaceAll(arg, `\`, "/"))
		words, runs := runners[strings.TrimSuffix(strings.TrimSuffix(base, ".exe"), ".cmd")]
		if i++; !runs || len(words) > 0 && (i >= len(argv) || !slices.Contains(words, argv[i])) {
			continue
		}
		if len(words) > 0 {
			i++
		}
		for ; i < len(argv) && strings.HasPrefix(argv[i], "-"); i++ {
			if name, _, _ := strings.Cut(argv[i], "="); name == "-p" || name == "--package" || name == "--from" {
				return -1 // what follows is a program of that one
			}
		}
		return i
	}
	return -1
}

// Known is the server that a command runs, nil for one that is not known.
func Known(argv []string) *Server {
	fetched := packageOf(argv)
	for at, arg := range argv {
		arg = strings.ReplaceAll(arg, `\`, "/")
		name := arg
		if at := strings.LastIndexByte(name, '@'); at > 0 { // the version of a package
			name = name[:at]
		}
		base := strings.TrimSuffix(path.Base(arg), ".exe")
		for i := range servers {
			s := &servers[i]
			inside := slices.ContainsFunc(s.packages, func(p string) bool {
				return strings.Contains(arg, "/node_modules/"+p+"/")
			})
			// Other people's packages have the names of such programs, playwright-mcp for one.
			program := at != fetched && !strings.HasPrefix(arg, "@") && slices.Contains(s.programs, base)
			if inside || slices.Contains(s.packages, name) || program {
				return s
			}
		}
		if base == "mcp" && name == arg && !strings.Contains(arg, "/") {
			break // arguments of a server follow
		}
	}
	return nil
}

// value is the value of a switch in a command line, and whether it is there.
func value(argv []string, names ...string) (string, bool) {
	for i, arg := range argv {
		name, v, given := strings.Cut(arg, "=")
		if !slices.Contains(names, name) {
			continue
		}
		if !given && i+1 < len(argv) && !strings.HasPrefix(argv[i+1], "-") {
			v = argv[i+1]
		}
		return v, true
	}
	return "", false
}

// Hand is the command with the browser at HOST:PORT handed over, and the variables that it needs for it, as NAME=VALUE;
// the command as it is where the server takes none.
func (s *Server) Hand(argv []string, hostport string) (out, env []string) {
	if s == nil || s.hand == nil {
		return argv, nil
	}
	if s.variable != "" {
		env = []string{s.variable + "=" + portOf(hostport)}
	}
	for i := 0; i < len(argv); i++ {
		name, _, given := strings.Cut(argv[i], "=")
		if !slices.Contains(s.launch, name) {
			out = append(out, argv[i])
		} else if !given && i+1 < len(argv) && !strings.HasPrefix(argv[i+1], "-") {
			i++ // its value
		}
	}
	return append(out, s.hand(hostport)...), env
}

// HandHelp says how a person hands the server a browser with a debugging port, "" where it takes none.
func (s *Server) HandHelp() string {
	if s.hand == nil {
		return ""
	}
	const hostport = "127.0.0.1:9222"
	return "start a Chrome with --remote-debugging-port=9222, give " + s.Name + " " +
		strings.Join(s.hand(hostport), " ") + " and the tap --attach " + hostport
}

// Browser is what a command line says of the browser that the server is to use.
type Browser struct {
	// Own is where it runs already, HOST:PORT or an address, "" where that is not said; Named: a switch names one.
	Own   string
	Named bool
	// Other: the server is to use a browser that is no Chrome.
	Other bool
	// Of the one that it would start.
	Headless      bool
	Chrome        string
	Profile       string
	Width, Height int // CSS px, 0 where they are not said
	Flags         []string
}

// Browser reads the switches of a command, and its environment.
func (s *Server) Browser(argv []string, getenv func(string) string) Browser {
	var b Browser
	if s == nil {
		return b
	}
	if s.variable != "" {
		if b.Own = getenv(s.variable); strings.Trim(b.Own, "0123456789") == "" && b.Own != "" {
			b.Own = "127.0.0.1:" + b.Own
		}
		b.Named = b.Own != ""
	}
	if s.environ != "" {
		for _, name := range slices.Concat(s.own, s.starts, []string{"--browser", "--headless", "--executable-path",
			"--user-data-dir", "--viewport-size", "--user-agent", "--proxy-server", "--proxy-bypass",
			"--ignore-https-errors"}) {
			variable := s.environ + strings.ToUpper(strings.ReplaceAll(strings.TrimLeft(name, "-"), "-", "_"))
			if v := getenv(variable); v != "" && v != "false" && v != "0" { // a switch goes before its variable
				argv = append(slices.Clone(argv), name+"="+v)
			}
		}
	}
	for _, name := range s.starts {
		_, ok := value(argv, name)
		b.Named = b.Named || ok
	}
	for _, name := range s.own {
		v, ok := value(argv, name)
		if b.Named = b.Named || ok; ok && v != "" && b.Own == "" && name != "--port" && name != "--provider" {
			if b.Own = strings.TrimSuffix(strings.TrimPrefix(v, "http://"), "/"); strings.Trim(v, "0123456789") == "" {
				b.Own = "127.0.0.1:" + v
			}
		}
	}
	for _, o := range s.other {
		name, want, _ := strings.Cut(o, "=")
		v, _ := value(argv, name)
		b.Other = b.Other || v == want
	}
	_, b.Headless = value(argv, "--headless")
	b.Chrome, _ = value(argv, "--executable-path", "--executablePath", "-e", "--chrome")
	b.Profile, _ = value(argv, "--user-data-dir", "--userDataDir")
	size, _ := value(argv, "--viewport-size", "--viewport")
	if w, h, ok := strings.Cut(strings.ReplaceAll(size, ",", "x"), "x"); ok {
		b.Width, _ = strconv.Atoi(strings.TrimSpace(w))
		b.Height, _ = strconv.Atoi(strings.TrimSpace(h))
	}
	for flag, names := range map[string][]string{"proxy-server=": {"--proxy-server", "--proxyServer"},
		"proxy-bypass-list=": {"--proxy-bypass"}, "user-agent=": {"--user-agent"}} {
		if v, ok := value(argv, names...); ok && v != "" {
			b.Flags = append(b.Flags, flag+v)
		}
	}
	v, ok := value(argv, "--ignore-https-errors", "--acceptInsecureCerts", "--accept-insecure-certs")
	if ok && v != "false" {
		b.Flags = append(b.Flags, "ignore-certificate-errors")
	}
	slices.Sort(b.Flags)
	for _, arg := range argv {
		if v, ok := strings.CutPrefix(arg, "--chromeArg="); ok && !strings.Contains(v, "no-sandbox") {
			b.Flags = append(b.Flags, strings.TrimLeft(v, "-"))
		}
	}
	return b
}
