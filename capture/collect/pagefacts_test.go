package collect_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/refscope/refscope/snapshot/testpages"
	"github.com/stretchr/testify/require"
)

func TestPageFacts(t *testing.T) {
	long := strings.Repeat("The kettle whistled while the keys fell like rain on a tin roof in the morning. ", 12)
	list := strings.Repeat(`<li><a href="/x">Hit</a> some words</li>`, 12)
	cases := map[string]struct{ html, kind string }{
		"login":         {`<title>Sign in</title><form><input name=user><input type=password value=s3cr3t><button>Sign in</button></form>`, "login"},
		"user first":    {`<title>Welcome</title><form><h1>Sign in</h1><input type=email aria-label=Email><button>Next</button></form>`, "login"},
		"sign up":       {`<form><h1>Create account</h1><input type=email><input type=password autocomplete=new-password><input type=password><button>Register</button></form>`, "signup"},
		"checkout":      {`<h1>Payment</h1><form><input autocomplete=cc-number value=4111111111111111><input autocomplete=cc-exp><input autocomplete=cc-csc><button>Pay now</button></form>`, "checkout"},
		"article":       {`<main><article><h1>Rain</h1><p>` + long + `</p></article></main>`, "article"},
		"search":        {`<form role=search><input type=search value=kettle></form><ul>` + list + `</ul>`, "search_results"},
		"product":       {`<h1>Heron kettle</h1><span>$89</span><button>Add to cart</button><p>Pours slowly.</p>`, "product"},
		"error":         {`<title>404 Not Found</title><h1>Not found</h1><p>The page is not here.</p>`, "error"},
		"captcha":       {`<h1>One more step</h1><div class="g-recaptcha" style="width:300px;height:80px">box</div>`, "captcha"},
		"form":          {`<form><input aria-label=Name><input aria-label=Age><select aria-label=Size><option>S</select><button>Send</button></form>`, "form"},
		"table":         {`<table>` + strings.Repeat(`<tr><td>a<td>b`, 12) + `</table>`, "table"},
		"list":          {`<ul>` + list + `</ul>`, "list"},
		"empty":         {`<div></div>`, "empty"},
		"something":     {`<h1>Hello there, this is a small page</h1>`, ""},
		"hidden login":  {`<form hidden><input name=user><input type=password></form><h1>Hello there, this is a small page</h1>`, ""},
		"only watching": {`<div class="g-recaptcha" data-size="invisible">x</div><h1>Hello there, this is a small page</h1>`, ""},
	}
	tab := chrome.Tab(t)
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			c := read(t, chrometest.Load(t, tab, chrometest.Page(t, `<!doctype html>`+tc.html)))
			require.Equal(t, tc.kind, c.Page.Type)
			require.Equal(t, tc.kind == "login", c.Page.HasLoginForm)
			require.Equal(t, tc.kind == "captcha", c.Page.HasCaptcha)
			require.LessOrEqual(t, len([]rune(c.Page.Preview)), 500)
			data, err := json.Marshal(c.Page)
			require.NoError(t, err)
			require.NotContains(t, string(data), "s3cr3t")
			require.NotContains(t, string(data), "4111")
		})
	}
}

func TestPreviewIsTheMainContent(t *testing.T) {
	c := read(t, chrome.Open(t, chrometest.Page(t, `<!doctype html><meta name=description content="A  shop"><header>Top</header><nav><a href=/>Home</a></nav>
		<main><nav>Crumbs</nav><h1>Kettles</h1><p>They <b>boil</b> water.</p><p hidden>secret</p><button>Buy</button><form><input value="typed"></form></main><footer>Bottom</footer>
		<div style="position:fixed;bottom:0;left:0;right:0;height:90px;background:#fff">We use cookies <button>Accept</button></div>`)))
	require.Equal(t, "Kettles They boil water.", c.Page.Preview)
	require.Equal(t, "A shop", c.Page.Description)
	require.Equal(t, 1, c.Page.FormCount)
	require.Equal(t, 4, c.Page.InteractiveCount)
}

func TestScrollFacts(t *testing.T) {
	c := read(t, chrome.Open(t, chrometest.Page(t, `<!doctype html><style>.s{width:200px;height:200px;overflow:auto} .r{height:30px}</style>
		<div class=s id=half><div style="height:1200px">tall</div></div>
		<div class=s id=side style="overflow:auto hidden"><div style="width:900px">wide</div></div>
		<div class=s id=rtl dir=rtl><div style="width:900px">wide</div></div>
		<div class=s id=little><div style="height:240px">little</div></div>
		<div class=s id=abs><div style="height:9000px;position:relative"><div class=r style="position:absolute;top:0">1</div><div class=r style="position:absolute;top:30px">2</div></div></div>
		<div class=s id=moved><div style="height:9000px"></div><div style="transform:translateY(-8000px)"><div class=r>1</div><div class=r>2</div></div></div>
		<div class=s id=bars style="width:200px"><div style="width:3000px;height:40px;position:relative"><b style="position:absolute;left:100px">a</b><b style="position:absolute;left:1500px">b</b><b style="position:absolute;left:2800px">c</b></div></div>
		<div class=s id=track style="width:200px"><div style="width:3000px;height:40px;display:flex"><div style="width:2500px"></div><button>Far</button></div></div>
		<div class=s id=padded><div style="padding-top:100px;padding-bottom:9000px"><div class=r>1</div><div class=r>2</div></div></div>
		<div class=s id=whole>`+strings.Repeat("<div class=r>row</div>", 60)+`</div>
		<div class=s id=newest style="display:flex;flex-direction:column-reverse"><div style="flex:none;height:1200px">tall</div></div>
		<div class=s id=oldest style="display:flex;flex-direction:column-reverse"><div style="flex:none;height:1200px">tall</div></div>
		<script>half.scrollTop = 500; side.scrollLeft = 70; rtl.scrollLeft = -700; oldest.scrollTop = -1000</script>`)))
	at := map[string]int{}
	for i := range c.Nodes {
		if id := c.Nodes[i].Attr("id"); id != "" {
			at[id] = i
		}
	}
	fact := func(id string) *struct {
		depth, depthX float64
		more, moreX   bool
		virtual       bool
	} {
		s := c.Nodes[at[id]].Scroller
		if s == nil {
			return nil
		}
		return &struct {
			depth, depthX float64
			more, moreX   bool
			virtual       bool
		}{s.Depth, s.DepthX, s.HasMore, s.HasMoreX, s.Virtual}
	}
	require.InDelta(t, 0.5, fact("half").depth, 0.01)
	require.True(t, fact("half").more)
	require.False(t, fact("half").virtual)
	require.InDelta(t, 0.1, fact("side").depthX, 0.01)
	require.True(t, fact("side").moreX)
	require.False(t, fact("side").more)
	require.InDelta(t, 1, fact("rtl").depthX, 0.02)
	require.False(t, fact("rtl").moreX)
	require.Nil(t, fact("little"))
	require.InDelta(t, 1, fact("newest").depth, 0.01, "a log whose lower end is in view")
	require.False(t, fact("newest").more)
	require.InDelta(t, 0, fact("oldest").depth, 0.01)
	require.True(t, fact("oldest").more)
	for _, id := range []string{"abs", "moved", "padded"} {
		require.True(t, fact(id).virtual, id)
	}
	for _, id := range []string{"whole", "bars", "track"} {
		require.False(t, fact(id).virtual, id)
	}
	require.Equal(t, "ref", string(c.Nodes[at["whole"]].Verdict), "an agent scrolls it by number")
	require.True(t, c.Nodes[at["whole"]].Container())
}

// TestPageTypes: pages to read are articles, and forms say in their file name what they
// are. Of our own pages that are no articles, lists and tables are left out.
func TestPageTypes(t *testing.T) {
	testneed.Long(t, "60 saved pages")
	tab := chrome.Tab(t)
	for _, kind := range []testpages.Kind{testpages.Articles, testpages.Forms} {
		for _, folder := range testpages.Folders(t, kind) {
			site := chrometest.Folder(t, folder.Path)
			right, all := 0, 0
			for _, page := range folder.Pages(t) {
				stem := strings.TrimSuffix(page, ".html")
				want := "article"
				if kind == testpages.Forms {
					want = stem[strings.LastIndexByte(stem, '_')+1:]
				}
				known := slices.Contains([]string{"article", "login", "signup", "checkout"}, want)
				if !known || strings.Contains(stem, "login_signup") || stem == "lots" || stem == "crossings" {
					continue
				}
				require.NoError(t, tab.Navigate(chrometest.Context(t), site+page))
				c := read(t, tab)
				all++
				if c.Page.Type == want {
					right++
				} else {
					t.Logf("%s/%s: %q, want %q", folder.Name, page, c.Page.Type, want)
				}
			}
			t.Logf("%s: %d of %d types right", folder.Name, right, all)
			require.NotZero(t, all)
			require.GreaterOrEqual(t, float64(right), 0.7*float64(all), folder.Name)
		}
	}
}
