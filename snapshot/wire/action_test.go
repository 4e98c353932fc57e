package wire

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestActions has a row for each spelling of a target that agents, models and tools are known to
// write, as their own clients sent it or as their references show it (November 2026).
func TestActions(t *testing.T) {
	ref := func(verb, ref string) Action { return Action{Verb: verb, Ref: ref} }
	px := func(verb string, x, y float64) Action { return Action{Verb: verb, Point: &[2]float64{x, y}} }
	of1000 := func(verb string, x, y float64) Action {
		return Action{Verb: verb, Point: &[2]float64{x, y}, Thousandths: true}
	}
	css := func(verb, selector string) Action { return Action{Verb: verb, Selector: selector} }
	named := func(verb, words string) Action { return Action{Verb: verb, Named: words} }
	for _, c := range []struct {
		name              string
		model, call, args string
		text              string
		want              []Action
	}{
		{"our number", "m", "browse_click", `{"ref":12}`, "", []Action{ref("browse_click", "12")}},
		{"our number as text", "m", "click", `{"ref":"@e12"}`, "", []Action{ref("click", "e12")}},
		{"in brackets", "m", "click", `{"target":"[12]"}`, "", []Action{ref("click", "12")}},
		{"task loop", "m", "", "", `{"thought":"go","action":"setValue(7, 'a')"}`, []Action{ref("setValue", "7")}},
		{"task loop, bare", "m", "", "", `click(7)`, []Action{ref("click", "7")}},
		{"task loop, named", "m", "", "", `click(id=7)`, []Action{ref("click", "7")}},

		{"playwright mcp", "m", "browser_click", `{"element":"Add to cart button","ref":"e12"}`, "",
			[]Action{ref("browser_click", "e12")}},
		{"playwright mcp, target", "m", "browser_click", `{"element":"it","target":"f2e7"}`, "",
			[]Action{ref("browser_click", "f2e7")}},
		{"playwright mcp, selector", "m", "browser_click", `{"element":"it","target":"#save"}`, "",
			[]Action{css("browser_click", "#save")}},
		{"playwright mcp, a tag without words", "m", "browser_click", `{"target":"h1"}`, "", []Action{css("browser_click", "h1")}},
		{"words with strokes", "m", "click", `{"target":"Shop >> Cart link"}`, "", []Action{named("click", "Shop >> Cart link")}},
		{"no tool of Playwright's", "m", "click", `{"target":"button"}`, "", []Action{named("click", "button")}},
		{"playwright mcp, a chain without words", "m", "browser_click", `{"target":"nav >> a >> nth=2"}`, "",
			[]Action{css("browser_click", "nav >> a >> nth=2")}},
		{"playwright mcp, a locator without words", "m", "browser_click", `{"target":"locator('#f').contentFrame().getByRole('link')"}`,
			"", []Action{css("browser_click", "#f >> internal:control=enter-frame >> internal:role=link")}},
		{"playwright mcp, a frame's locator", "m", "browser_click", `{"target":"frameLocator('#f').getByRole('link')"}`,
			"", []Action{css("browser_click", "#f >> internal:control=enter-frame >> internal:role=link")}},
		{"playwright mcp, a picture of an element", "m", "browser_take_screenshot", `{"target":"f1e7"}`, "",
			[]Action{ref("browser_take_screenshot", "f1e7")}},
		{"playwright mcp, what is dropped", "m", "browser_drop", `{"target":"e7","paths":["/a"]}`, "",
			[]Action{ref("browser_drop", "e7")}},
		{"a picture of a place", "m", "take_screenshot", `{"target":"e7"}`, "", nil},
		{"playwright mcp, the name of a tag", "m", "browser_click", `{"element":"Help link","target":"button"}`, "",
			[]Action{css("browser_click", "button")}},
		{"playwright mcp, drag by tags", "m", "browser_drag",
			`{"startElement":"it","startTarget":"li","endElement":"there","endTarget":"e7"}`, "",
			[]Action{css("browser_drag", "li"), ref("browser_drag", "e7")}},
		{"words in a target, a ref beside it", "m", "click", `{"element":"e5","target":"Save"}`, "",
			[]Action{ref("click", "e5")}},
		{"selenium", "m", "interact", `{"action":"click","by":"id","value":"save"}`, "",
			[]Action{css("click", `[id="save"] >> nth=0`)}},
		{"selenium, xpath", "m", "get_element_text", `{"by":"xpath","value":"(//h1)[1]"}`, "",
			[]Action{css("get_element_text", "xpath=(//h1)[1] >> nth=0")}},
		{"selenium, class", "m", "send_keys", `{"by":"class name","value":"who","text":"Ada"}`, "",
			[]Action{css("send_keys", ".who >> nth=0")}},
		{"a date by its value", "m", "browser_fill", `{"ref":"e4","by":"hand","value":"5"}`, "",
			[]Action{ref("browser_fill", "e4")}},
		{"auto-playwright", "m", "locateElement", `{"cssSelector":"form button"}`, "",
			[]Action{css("locateElement", "form button")}},
		{"playwright mcp, role", "m", "browser_hover", `{"target":"role=button[name=\"Save\"]"}`, "",
			[]Action{css("browser_hover", `role=button[name="Save"]`)}},
		{"playwright mcp, aria-ref", "m", "browser_click", `{"target":"aria-ref=e5"}`, "",
			[]Action{ref("browser_click", "e5")}},
		{"playwright mcp, form", "m", "browser_fill_form",
			`{"fields":[{"name":"Name","type":"textbox","ref":"e3","value":"12"},{"name":"Age","type":"textbox",` +
				`"ref":"e4","value":"7"}]}`, "",
			[]Action{ref("browser_fill_form", "e3"), ref("browser_fill_form", "e4")}},
		{"playwright mcp, type", "m", "browser_type", `{"element":"Search","ref":"e9","text":"12, 14","submit":true}`,
			"", []Action{ref("browser_type", "e9")}},
		{"playwright mcp, drag", "m", "browser_drag",
			`{"startElement":"a","startRef":"e1","endElement":"b","endRef":"e2"}`, "",
			[]Action{ref("browser_drag", "e1"), ref("browser_drag", "e2")}},
		{"playwright mcp, mouse", "m", "browser_mouse_click_xy", `{"element":"Save","x":314,"y":384}`, "",
			[]Action{px("browser_mouse_click_xy", 314, 384)}},
		{"playwright mcp, key", "m", "browser_press_key", `{"key":"Enter"}`, "", nil},
		{"playwright mcp, tabs", "m", "browser_tabs", `{"action":"select","index":2}`, "", nil},
		{"playwright mcp, wait", "m", "browser_wait_for", `{"text":"Done"}`, "", nil},
		{"playwright mcp, a locator", "m", "browser_click", `{"target":"getByRole('button', { name: 'Save' })"}`, "",
			[]Action{css("browser_click", `internal:role=button[name="Save"i]`)}},
		{"playwright mcp, code", "m", "browser_run_code_unsafe", `{"code":"async (page) => {\n  await page.getByLabel('Mail', ` +
			`{ exact: true }).fill('a@b.example');\n  await page.locator('li').filter({ hasText: /^Tea$/ }).nth(1)\n    ` +
			`.getByRole('button', { name: \"Add \\\"it\\\"\", disabled: false }).click();\n  const n = await page.getByRole('row').count();\n}"}`,
			"", []Action{css("fill", `internal:label="Mail"s`), css("click", `li >> internal:has-text=/^Tea$/ >> nth=1 >> `+
				`internal:role=button[name="Add \"it\""i][disabled=false]`)}},
		{"code in a shell", "m", "Bash", `{"command":"playwriter -s 1 -e \"await state.p.getByRole('button',{name:'Price'}).click(); ` +
			`await p.locator('role=button[name=\\\"Edit\\\"i] >> nth=2').hover()\""}`, "", []Action{
			css("click", `internal:role=button[name="Price"i]`), css("hover", `role=button[name="Edit"i] >> nth=2`)}},
		{"code in Python", "m", "run_python", `{"code":"page.get_by_role(\"link\", name=\"Shop\", exact=True).first.click()\n` +
			`page.get_by_placeholder('Mail').fill('x')\npage.get_by_test_id('go').press(\"Enter\")"}`, "", []Action{
			css("click", `internal:role=link[name="Shop"s] >> nth=0`), css("fill", `internal:attr=[placeholder="Mail"i]`),
			css("press", `internal:testid=[data-testid="go"s]`)}},
		{"code with what is not known", "m", "browser_run_code_unsafe", `{"code":"page.getByRole('button', { name }).click();` +
			`page.frameLocator(id).getByRole('button').click(); page.getByText(words).click();` +
			`page.locator('p', { has: page.getByRole('link') }).click(); page.getByRole('button').and(x).click();` +
			`row.getByRole('button').nth(1).click(); rows[2].getByRole('button').click(); frame.locator('#a').click();` +
			`page.frames()[1].getByRole('button').click(); copage.x.getByRole('button').click()"}`, "", nil},
		{"code in frames", "m", "browser_run_code_unsafe", `{"code":"await page.frameLocator('#f').getByRole('button').click();` +
			`await page.locator('iframe').contentFrame().locator('a').hover()"}`, "", []Action{
			css("click", "#f >> internal:control=enter-frame >> internal:role=button"),
			css("hover", "iframe >> internal:control=enter-frame >> a")}},
		{"executeautomation, in a frame", "m", "playwright_iframe_click", `{"iframeSelector":"iframe#a","selector":"button"}`, "",
			[]Action{css("playwright_iframe_click", "iframe#a >> internal:control=enter-frame >> button")}},
		{"fast-playwright-mcp, a batch", "m", "browser_batch_execute", `{"steps":[{"tool":"browser_click","arguments":{"selectors":[` +
			`{"css":"#go"}]}},{"tool":"browser_snapshot","arguments":{}}]}`, "", []Action{css("browser_click", "#go")}},
		{"fast-playwright-mcp, what is looked at", "m", "browser_inspect_html", `{"selectors":[{"css":"button"}],"depth":2}`, "", nil},
		{"a script of the page", "m", "playwright_evaluate", `{"script":"document.querySelectorAll(\"li button\")[2].click();` +
			`document.querySelector('#a b')?.focus(); document.getElementById('go').value = 'x'"}`, "", []Action{
			css("click", "css:light=li button >> nth=2"), css("focus", "css:light=#a b >> nth=0"), css("value", `css:light=[id="go"]`)}},
		{"a script of the page, in a variable", "m", "evaluate_script", `{"function":"() => { const mail = document.querySelector('#m');` +
			` mail.focus(); mail.value = 'a@b.example'; mail.dispatchEvent(new Event('input')); }"}`, "", []Action{
			css("focus", "css:light=#m >> nth=0"), css("value", "css:light=#m >> nth=0"), css("dispatchEvent", "css:light=#m >> nth=0")}},
		{"a script that only reads, or finds by itself", "m", "puppeteer_evaluate", `{"script":"document.querySelector(\"h1\").innerText;` +
			`document.querySelectorAll('*').length; document.querySelector('#a').value == 'x'; document.querySelector(words).click();` +
			`Array.from(document.querySelectorAll('button')).find(b => b.textContent === 'Save').click();` +
			`document.querySelector('td').closest('tr').click(); document.getElementById('go').offsetTop"}`, "", nil},
		{"a script of the page whose calls are like actions", "m", "evaluate_script", `{"function":"() => { document.elementFromPoint(10, 20);` +
			` document.getElementsByTagName('h1'); document.createElement('div'); el.setSelectionRange(0, 5);` +
			` performance.getEntriesByType('paint'); return {\"x\": 1, \"y\": 2} }"}`, "", nil},
		{"midscene, where it asks for an element", "qwen3-vl", "", "", `{"bbox":[100,200,140,240],"errors":[]}`,
			[]Action{of1000("locate", 120, 220)}},
		{"qwen, where an element is", "qwen2.5-vl", "", "", "```json\n{\"bbox_2d\": [100, 200, 140, 240], \"label\": \"Save\"}\n```",
			[]Action{px("locate", 120, 220)}},
		{"magnitude", "m", "", "", `{"reasoning":"go","actions":[{"variant":"mouse:click","x":300,"y":200},` +
			`{"variant":"keyboard:type","content":"a"},{"variant":"task:done","evidence":"x"}]}`, []Action{px("mouse:click", 300, 200)}},
		{"midscene, a step", "qwen3-vl", "", "", "<planning>go on</planning>\n<action-type>Tap</action-type>\n<action-param-json>\n" +
			`{"locate":{"prompt":"the \"Submit\" button","bbox":[100,200,140,240]}}` + "\n</action-param-json>",
			[]Action{of1000("Tap", 120, 220)}},
		{"midscene, a drag", "qwen3-vl", "", "", "<action-type>DragAndDrop</action-type><action-param-json>" +
			`{"from":{"prompt":"a","bbox":[100,200,140,240]},"to":{"prompt":"b","bbox":[0,0,20,20]}}</action-param-json>`,
			[]Action{of1000("DragAndDrop", 120, 220), of1000("DragAndDrop", 10, 10)}},
		{"fast-playwright-mcp", "m", "browser_click", `{"element":"Edit button","selectors":[{"ref":"e10"},{"css":"#b"}]}`,
			"", []Action{ref("browser_click", "e10")}},
		{"fast-playwright-mcp, css", "m", "browser_type", `{"selectors":[{"css":"#mail"}],"text":"a"}`, "",
			[]Action{css("browser_type", "#mail")}},
		{"fast-playwright-mcp, text", "m", "browser_click", `{"selectors":[{"role":"button","text":"Price"}]}`, "",
			[]Action{named("browser_click", "Price")}},
		{"openator", "m", "", "", `{"goal":"g","actions":[{"name":"clickElement","params":{"index":3},"description":"Click it"},` +
			`{"name":"fillInput","params":{"index":4,"text":"Bob"}},{"name":"triggerResult","params":{"data":"12"}}]}`,
			[]Action{ref("clickElement", "3"), ref("fillInput", "4")}},
		{"browse", "m", "Bash", `{"command":"browse click @1-30 && browse fill \"#mail\" ada; browse --ws 9222 click 0-7"}`, "",
			[]Action{ref("click", "1-30"), css("fill", "#mail"), ref("click", "0-7")}},
		{"browse, places and words", "m", "Bash", `{"command":"browse click_xy 100 220\nnpx @browserbasehq/browse-cli browse hover 3 4\n` +
			`browse type 12; browse press Enter; browse click 'xpath=/html[1]/body[1]/a[2]'; browse get text @1-30"}`, "",
			[]Action{px("click_xy", 100, 220), px("hover", 3, 4), css("click", "xpath=/html[1]/body[1]/a[2]")}},
		{"no command", "m", "", "", "I browse click by click 12 pages, and browse select items 3.", nil},
		{"playwright cli", "m", "bash", `{"command":"playwright-cli click e15"}`, "", []Action{ref("click", "e15")}},

		{"chrome-devtools-mcp", "m", "click", `{"uid":"3_14"}`, "", []Action{ref("click", "3_14")}},
		{"chrome-devtools-mcp, page", "m", "click", `{"pageId":1,"uid":"1_5","dblClick":true}`, "",
			[]Action{ref("click", "1_5")}},
		{"chrome-devtools-mcp, form", "m", "fill_form",
			`{"elements":[{"uid":"1_2","value":"Ada"},{"uid":"1_4","value":"12"}]}`, "",
			[]Action{ref("fill_form", "1_2"), ref("fill_form", "1_4")}},
		{"chrome-devtools-mcp, drag", "m", "drag", `{"from_uid":"1_2","to_uid":"1_9"}`, "", []Action{ref("drag",
			"1_2"), ref("drag", "1_9")}},
		{"chrome-devtools-mcp, script", "m", "evaluate_script",
			`{"function":"(a, b) => a.contains(b)","args":["1_2","1_9"],"pageId":1}`, "",
			[]Action{ref("evaluate_script", "1_2"), ref("evaluate_script", "1_9")}},
		{"chrome-devtools-mcp, script of none", "m", "evaluate_script", `{"function":"() => 1","args":["12"]}`, "", nil},
		{"chrome-devtools-mcp, picture of one", "m", "take_screenshot", `{"uid":"1_2"}`, "",
			[]Action{ref("take_screenshot", "1_2")}},
		{"chrome-devtools-mcp, picture", "m", "take_screenshot", `{"fullPage":true}`, "", nil},
		{"chrome-devtools-mcp, styles", "m", "get_css_styles", `{"uid":"1_2","pageId":1}`, "",
			[]Action{ref("get_css_styles", "1_2")}},
		{"playwright mcp, picture of one", "m", "browser_take_screenshot", `{"element":"Save","ref":"e5"}`, "",
			[]Action{ref("browser_take_screenshot", "e5")}},
		{"playwright mcp, script", "m", "browser_evaluate", `{"element":"Save","target":"f1e5","function":"(e) => 1"}`, "",
			[]Action{ref("browser_evaluate", "f1e5")}},
		{"chrome-devtools-mcp, place", "m", "click_at", `{"x":314,"y":384}`, "", []Action{px("click_at", 314, 384)}},

		{"stagehand act", "m", "", "",
			`{"elementId":"0-36","description":"it","method":"click","arguments":[],"twoStep":false}`, []Action{ref("click", "0-36")}},
		{"stagehand act, nested", "m", "", "",
			`{"action":{"elementId":"21-3065","description":"the box","method":"fill","arguments":["Ada"]},` +
				`"twoStep":false}`,
			[]Action{ref("fill", "21-3065")}},
		{"stagehand observe", "m", "", "",
			`{"elements":[{"elementId":"0-3","description":"a","method":"click","arguments":[]},` +
				`{"elementId":"0-9","description":"b","method":"fill","arguments":["x"]}]}`,
			[]Action{ref("click", "0-3"), ref("fill", "0-9")}},
		{"stagehand agent", "m", "act", `{"action":"click the sign in button"}`, "", []Action{named("act",
			"click the sign in button")}},
		{"stagehand hybrid", "m", "click", `{"describe":"the button","coordinates":[314,384]}`, "",
			[]Action{px("click", 314, 384)}},

		{"browser-use call", "m", "AgentOutput",
			`{"memory":"x","action":[{"click":{"index":5}},{"input":{"index":6,"text":"a 7"}}]}`, "",
			[]Action{ref("click", "5"), ref("input", "6")}},
		{"browser-use, old", "m", "AgentOutput",
			`{"current_state":{"memory":"1"},"action":[{"click_element":{"index":3065,"xpath":null}},` +
				`{"input_text":{"index":6,"text":"a"}}]}`, "",
			[]Action{ref("click_element", "3065"), ref("input_text", "6")}},
		{"browser-use text", "m", "", "",
			"Sure.\n```json\n{\"action\":[{\"click_element_by_index\":{\"index\":5}}]}\n```",
			[]Action{ref("click_element_by_index", "5")}},
		{"browser-use place", "m", "AgentOutput", `{"action":[{"click":{"coordinate_x":314,"coordinate_y":384}}]}`, "",
			[]Action{px("click", 314, 384)}},
		{"browser-use, order", "m", "AgentOutput",
			`{"action":[{"type":{"index":9,"text":"x"}},{"click":{"index":2}},{"done":{"text":"5"}}]}`, "",
			[]Action{ref("type", "9"), ref("click", "2")}},
		{"browser-use tab", "m", "AgentOutput", `{"action":[{"switch_tab":{"page_id":2}}]}`, "", nil},
		{"page-agent", "m", "AgentOutput",
			`{"evaluation_previous_goal":"","action":{"click_element_by_index":{"index":3}}}`, "",
			[]Action{ref("click_element_by_index", "3")}},
		{"hyperagent", "m", "", "", `{"action":{"type":"actElement","params":{"elementId":"0-12","method":"click"}}}`,
			[]Action{ref("click", "0-12")}},

		{"browsergym", "m", "", "", "```click('a12')```", []Action{ref("click", "a12")}},
		{"browsergym, number", "m", "", "", "<action>\nfill('237', 'a, 12')\n</action>", []Action{ref("fill", "237")}},
		{"browsergym, several", "m", "", "", "click('12')\nselect_option('a48', 'blue')", []Action{ref("click", "12"),
			ref("select_option", "a48")}},
		{"browsergym, drag", "m", "", "", "drag_and_drop('56', '498')", []Action{ref("drag_and_drop", "56"),
			ref("drag_and_drop", "498")}},
		{"browsergym, mouse", "m", "", "", "mouse_click(314, 384)", []Action{px("mouse_click", 314, 384)}},
		{"browsergym, mouse drag", "m", "", "", "mouse_drag_and_drop(1, 2, 30, 40)", []Action{px("mouse_drag_and_drop",
			1, 2), px("mouse_drag_and_drop", 30, 40)}},
		{"browsergym, scroll", "m", "", "", "scroll(0, 200)", nil},
		{"browsergym, noop", "m", "", "", "noop(500)", nil},
		{"skyvern", "m", "", "",
			`{"actions":[{"reasoning":"r","action_type":"CLICK","id":"AAB3"},{"action_type":"INPUT_TEXT",` +
				`"element_id":"AAAB","text":"12"}]}`,
			[]Action{ref("CLICK", "AAB3"), ref("INPUT_TEXT", "AAAB")}},
		{"agent-e", "m", "click", `{"selector":"[mmid='114']"}`, "", []Action{ref("click", "114")}},
		{"agent-e, entry", "m", "entertext", `{"entry":{"query_selector":"[mmid='7']","text":"Ada"}}`, "",
			[]Action{ref("entertext", "7")}},
		{"agent-e, mmid", "m", "click", `{"mmid":"114"}`, "", []Action{ref("click", "114")}},
		{"agent-browser", "m", "bash", `{"command":"agent-browser click @e12"}`, "", []Action{ref("click", "e12")}},
		{"agent-browser, text", "m", "", "",
			"Now:\n```\nagent-browser --session a fill @e3 \"12, 5\"\nagent-browser click \"#go\"\n```",
			[]Action{ref("fill", "e3"), css("click", "#go")}},
		{"playwright-cli", "m", "Bash", `{"command":"npx @playwright/cli@latest -s=a click e12 && sleep 1"}`, "",
			[]Action{ref("click", "e12")}},
		{"chrome-devtools-axi", "m", "Bash", `{"command":"npx -y chrome-devtools-axi@0.1.35 fill @g2:1_12 \"Ada\""}`, "",
			[]Action{ref("fill", "g2:1_12")}},
		{"claude in chrome", "m", "computer", `{"action":"left_click","ref":"ref_12","tabId":5}`, "",
			[]Action{ref("left_click", "ref_12")}},
		{"claude in chrome, form", "m", "form_input", `{"ref":"ref_3","value":"Ada"}`, "", []Action{ref("form_input",
			"ref_3")}},

		{"css", "m", "click", `{"selector":"form > button.primary"}`, "", []Action{css("click",
			"form > button.primary")}},
		{"xpath", "m", "click", `{"xpath":"/html/body/div[2]/button[1]"}`, "", []Action{css("click",
			"/html/body/div[2]/button[1]")}},
		{"xpath as selector", "m", "act", `{"method":"click","selector":"xpath=//button[1]"}`, "",
			[]Action{css("click", "xpath=//button[1]")}},
		{"text selector", "m", "click", `{"selector":"text=Sign in"}`, "", []Action{css("click", "text=Sign in")}},
		{"by its words", "m", "click", `{"text":"Add to cart"}`, "", []Action{named("click", "Add to cart")}},
		{"words in element", "m", "click", `{"element":"Add to cart"}`, "", []Action{named("click", "Add to cart")}},

		{"a place, spelled", "m", "", "", "click(314, 384)", []Action{px("click", 314, 384)}},
		{"a place as a ref", "m", "click", `{"ref":"314,384"}`, "", []Action{px("click", 314, 384)}},
		{"a place as a target", "m", "click", `{"target":"(314, 384)"}`, "", []Action{px("click", 314, 384)}},
		{"a place as an element", "m", "click", `{"element":[314,384]}`, "", []Action{px("click", 314, 384)}},
		{"a place in texts", "m", "click", `{"x":"314","y":"384"}`, "", []Action{px("click", 314, 384)}},
		{"shares", "m", "click", `{"point":[0.25,0.5]}`, "", []Action{of1000("click", 250, 500)}},
		{"pyautogui", "m", "", "",
			"```python\nimport pyautogui\npyautogui.click(x=314, y=384)\npyautogui.write('12')\n```", []Action{px("click", 314, 384)}},
		{"pyautogui, positional", "m", "", "",
			"pyautogui.moveTo(314, 384)\npyautogui.doubleClick()\npyautogui.scroll(5)", []Action{px("moveTo", 314,
				384)}},
		{"ui-tars box", "ui-tars-1.0", "", "", "Thought: x\nAction: click(start_box='(120,340)')",
			[]Action{of1000("click", 120, 340)}},
		{"ui-tars 1.5", "bytedance-seed/ui-tars-1.5-7b", "", "", "Action: click(start_box='(120,340)')",
			[]Action{px("click", 120, 340)}},
		{"ui-tars tags", "m", "", "", "Action: click(start_box='<|box_start|>(120,340)<|box_end|>')",
			[]Action{of1000("click", 120, 340)}},
		{"ui-tars list", "ui-tars", "", "", "Action: left_double(start_box='[100, 300, 140, 380]')",
			[]Action{of1000("left_double", 120, 340)}},
		{"ui-tars point", "doubao-1-5-ui-tars", "", "", "Action: click(point='<point>120 340</point>')",
			[]Action{of1000("click", 120, 340)}},
		{"ui-tars drag", "ui-tars", "", "", "drag(start_box='(1,2)', end_box='(30,40)')", []Action{of1000("drag", 1,
			2), of1000("drag", 30, 40)}},
		{"autoglm", "autoglm-phone-9b", "", "", `<answer>do(action="Tap", element=[120,340])</answer>`, []Action{of1000("Tap", 120, 340)}},
		{"autoglm, swipe", "autoglm-phone-9b", "", "", `do(action="Swipe", start=[1,2], end=[30,40])`,
			[]Action{of1000("Swipe", 1, 2), of1000("Swipe", 30, 40)}},
		{"autoglm, type", "autoglm-phone-9b", "", "", `do(action="Type", text="12, 14")`, nil},
		{"glm", "glm-4.5v", "", "", `left_click(start_box='[120,340]', element_info='button')`, []Action{of1000("left_click", 120, 340)}},
		{"glm that sees nothing", "glm-4.6", "", "", "click(120, 340)", []Action{px("click", 120, 340)}},
		{"ui-tars type", "ui-tars", "", "", "Action: type(content='12, 14')", nil},
		{"ui-tars hotkey", "ui-tars", "", "", "Action: hotkey(key='ctrl 1')", nil},
		{"qwen2.5", "qwen2.5-vl-72b", "", "",
			"<tool_call>\n{\"name\":\"computer_use\",\"arguments\":{\"action\":\"left_click\"," +
				"\"coordinate\":[314,384]}}\n</tool_call>",
			[]Action{px("left_click", 314, 384)}},
		{"qwen3", "qwen3-vl-plus", "computer_use", `{"action":"left_click","coordinate":[314,384]}`, "",
			[]Action{of1000("left_click", 314, 384)}},
		{"qwen, arguments as text", "m", "", "",
			`{"name":"computer_use","arguments":"{\"action\":\"left_click\",\"coordinate\":[314,384]}"}`,
			[]Action{px("left_click", 314, 384)}},
		{"qwen mobile", "qwen3-vl", "mobile_use", `{"action":"swipe","coordinate":[1,2],"coordinate2":[30,40]}`, "",
			[]Action{of1000("swipe", 1, 2), of1000("swipe", 30, 40)}},
		{"qwen box", "qwen2.5-vl", "click", `{"bbox":[10,20,30,40]}`, "", []Action{px("click", 20, 30)}},
		{"qwen wait", "m", "computer_use", `{"action":"wait","time":2}`, "", nil},
		{"midscene", "qwen2.5-vl", "", "",
			`{"actions":[{"type":"Tap","locate":{"bbox":[10,20,30,40],"prompt":"the button"}}],` +
				`"more_actions_needed_by_instruction":false}`,
			[]Action{px("Tap", 20, 30)}},
		{"midscene, param", "m", "", "",
			`{"action":{"type":"Tap","param":{"locate":{"prompt":"the button","bbox":[10,20,30,40]}}}}`, []Action{px("Tap", 20, 30)}},
		{"midscene gemini", "gemini-3-pro", "", "", `{"actions":[{"type":"Tap","locate":{"bbox":[20,10,40,30]}}]}`,
			[]Action{of1000("Tap", 20, 30)}},

		{"anthropic", "claude-x", "computer", `{"action":"left_click","coordinate":[640,360]}`, "",
			[]Action{px("left_click", 640, 360)}},
		{"anthropic, drag", "claude-x", "computer",
			`{"action":"left_click_drag","start_coordinate":[1,2],"coordinate":[30,40]}`, "",
			[]Action{px("left_click_drag", 1, 2), px("left_click_drag", 30, 40)}},
		{"anthropic, scroll", "claude-x", "computer",
			`{"action":"scroll","coordinate":[640,360],"scroll_direction":"down","scroll_amount":3}`, "", []Action{px("scroll", 640, 360)}},
		{"openai, scroll", "gpt-x", "computer", `{"type":"scroll","x":100,"y":200,"scroll_x":0,"scroll_y":500}`, "",
			[]Action{px("scroll", 100, 200)}},
		{"gemini, scroll", "gemini-x", "scroll_at", `{"x":100,"y":200,"direction":"down","magnitude":400}`, "",
			[]Action{of1000("scroll_at", 100, 200)}},
		{"magnitude, scroll", "m", "", "", `{"actions":[{"variant":"mouse:scroll","x":100,"y":200,"deltaX":0,"deltaY":300}]}`,
			[]Action{px("mouse:scroll", 100, 200)}},
		{"how far it scrolls", "m", "scroll", `{"x":0,"y":-300}`, "", nil},
		{"how far it scrolls, of an element", "m", "scroll", `{"x":0,"y":500,"selector":"#list"}`, "", []Action{css("scroll", "#list")}},
		{"anthropic, type", "claude-x", "computer", `{"action":"type","text":"12, 14"}`, "", nil},
		{"anthropic, key", "claude-x", "computer", `{"action":"key","text":"Return"}`, "", nil},
		{"anthropic, screenshot", "claude-x", "computer", `{"action":"screenshot"}`, "", nil},
		{"openai computer", "computer-use-preview", "computer", `{"type":"click","x":10,"y":20,"button":"left"}`, "",
			[]Action{px("click", 10, 20)}},
		{"openai, several", "gpt-x", "computer",
			`[{"type":"move","x":1,"y":2},{"type":"click","x":10,"y":20,"button":"left"},{"type":"keypress",` +
				`"keys":["ENTER"]}]`, "",
			[]Action{px("move", 1, 2), px("click", 10, 20)}},
		{"openai, drag", "gpt-x", "computer", `{"type":"drag","path":[{"x":1,"y":2},{"x":5,"y":6},{"x":30,"y":40}]}`,
			"", []Action{px("drag", 1, 2), px("drag", 30, 40)}},
		{"gemini", "gemini-x", "click_at", `{"x":500,"y":250}`, "", []Action{of1000("click_at", 500, 250)}},
		{"gemini, type", "gemini-x", "type_text_at", `{"x":500,"y":250,"text":"a","press_enter":true}`, "",
			[]Action{of1000("type_text_at", 500, 250)}},
		{"gemini, drag", "gemini-x", "drag_and_drop", `{"x":1,"y":2,"destination_x":30,"destination_y":40}`, "",
			[]Action{of1000("drag_and_drop", 1, 2), of1000("drag_and_drop", 30, 40)}},
		{"gemini, box", "gemini-x", "click", `{"box_2d":[20,10,40,30]}`, "", []Action{of1000("click", 20, 30)}},

		{"a tab", "m", "switch_tab", `{"index":2}`, "", nil},
		{"done", "m", "done", `{"text":"all 3 done"}`, "", nil},
		{"prose", "m", "", "", "I see 3 buttons (one is blue). Nothing to do.", nil},
		{"a page in the answer", "m", "", "", `{"summary":"It has [12] buttons","items":[1,2,3]}`, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := Answer{Dialect: OpenAIChat, Model: c.model, Text: c.text}
			if c.call != "" {
				a.Calls = []ToolCall{{Name: c.call, Arguments: json.RawMessage(c.args)}}
			}
			require.Equal(t, c.want, a.Actions(nil))
		})
	}
	several := Answer{Calls: []ToolCall{{Name: "click", Arguments: json.RawMessage(`{"ref":"e2"}`)}, {Name: "type",
		Arguments: json.RawMessage(`{"ref":"e1"}`)}}}
	require.Equal(t, []Action{ref("click", "e2"), ref("type", "e1")}, several.Actions(nil))
}

// FuzzActions: whatever an answer says, its actions are bounded, each has one target, and the same
// answer has the same actions.
func FuzzActions(f *testing.F) {
	for _, seed := range []string{`{"action":[{"click":{"index":5}}]}`, "click(start_box='(1,2)')",
		`[[[{"x":1e308,"y":-1}]]]`, "pyautogui.click(x=1, y=2)",
		`{"name":"a","arguments":"{\"name\":\"a\",\"arguments\":\"{}\"}"}`, "agent-browser click @e12", "click((((1))))"} {
		f.Add(seed, seed)
	}
	f.Fuzz(func(t *testing.T, text, args string) {
		a := Answer{Dialect: OpenAIChat, Text: text}
		if json.Valid([]byte(args)) {
			a.Calls = []ToolCall{{Name: "computer", Arguments: json.RawMessage(args)}}
		}
		got := a.Actions(nil)
		require.LessOrEqual(t, len(got), 2*maxActions)
		for _, one := range got {
			targets := 0
			for _, has := range []bool{one.Ref != "", one.Selector != "", one.Named != "", one.Point != nil} {
				if has {
					targets++
				}
			}
			require.Equal(t, 1, targets, "%+v", one)
			require.NotRegexp(t, `,`, one.Ref)
			if one.Point != nil {
				require.False(t, math.IsNaN(one.Point[0]+one.Point[1]) || math.IsInf(one.Point[0], 0) ||
					math.IsInf(one.Point[1], 0))
			}
		}
		require.Equal(t, got, a.Actions(nil))
	})
}

func TestSections(t *testing.T) {
	for dialect, body := range map[string]string{
		OpenAIChat: `{"model":"m","messages":[{"role":"system","content":"S"},{"role":"user","content":[{"type":"text","text":"T"},
			{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}}]}],"tools":[{"type":"function","function":{"name":"f"}}]}`,
		OpenAIResponses: `{"model":"m","input":[{"role":"user","content":[{"type":"input_text","text":"T"},
			{"type":"input_image","image_url":"data:image/png;base64,AAAA"}]}],"tools":[{"type":"function","name":"f"}],"instructions":"S"}`,
		Anthropic: `{"messages":[{"role":"user","content":[{"type":"text","text":"T"},{"type":"image","source":{"type":"base64",
			"media_type":"image/png","data":"AAAA"}}]}],"model":"m","system":[{"type":"text","text":"S"}],"tools":[{"name":"f"}]}`,
		Interactions: `{"input":[{"type":"user_input","content":[{"type":"text","text":"T"},{"type":"image","mime_type":"image/png",
			"data":"AAAA"}]}],"system_instruction":"S","tools":[{"type":"function","name":"f"}]}`,
		Gemini: `{"contents":[{"parts":[{"text":"T"},{"inlineData":{"mimeType":"image/png","data":"AAAA"}}]}],
			"systemInstruction":{"parts":[{"text":"S"}]},"tools":[{"functionDeclarations":[{"name":"f"}]}]}`,
	} {
		t.Run(dialect, func(t *testing.T) {
			got, err := Sections(dialect, []byte(body))
			require.NoError(t, err)
			require.Len(t, got, 4)
			require.Equal(t, "tools", got[0].Role)
			require.Equal(t, []string{"S", "T", ""}, []string{got[1].Text(), got[2].Text(), got[3].Text()})
			require.Equal(t, Image, got[3].Parts[0].Kind)
			require.Contains(t, body[got[3].Start:got[3].End], "AAAA")
			require.NotContains(t, body[got[2].Start:got[2].End], "AAAA")
		})
	}
}

// A conversation that goes on does not break; a mark for the cache that moved is none either.
func TestFirstBreak(t *testing.T) {
	read := func(body string) ([]byte, []Section) {
		s, err := Sections(Anthropic, []byte(body))
		require.NoError(t, err)
		return []byte(body), s
	}
	a, as := read(`{"system":"at 10:01","messages":[{"role":"user","content":[{"type":"text","text":"one",` +
		`"cache_control":{"type":"ephemeral"}}]}]}`)
	b, bs := read(`{"system":"at 10:01","messages":[{"role":"user","content":[{"type":"text","text":"one"}]},` +
		`{"role":"assistant","content":"x"}]}`)
	require.Equal(t, 2, FirstBreak(a, as, b, bs).Section)
	c, cs := read(`{"system":"at 10:02","messages":[{"role":"user","content":[{"type":"text","text":"one"}]}]}`)
	got := FirstBreak(a, as, c, cs)
	require.Equal(t, 0, got.Section)
	require.Equal(t, "2", string(c[got.Now]))
}

// TestPlacesAsAsked: what the instructions say of places counts before the model's family.
func TestPlacesAsAsked(t *testing.T) {
	answer := &Answer{Dialect: OpenAIChat, Model: "some-model", Text: `{"bbox":[100,200,140,240]}`}
	for says, want := range map[string]Action{
		"": {Verb: "locate", Point: &[2]float64{120, 220}},
		"2d bounding box, should be [xmin, ymin, xmax, ymax] normalized to 0-1000 relative to the screenshot. Do":    {Verb: "locate", Point: &[2]float64{120, 220}, Thousandths: true},
		"2d bounding box, should be [ymin, xmin, ymax, xmax] normalized to 0-1000 relative to the screenshot. Do":    {Verb: "locate", Point: &[2]float64{220, 120}, Thousandths: true},
		"2d bounding box, should be [xmin, ymin, xmax, ymax] in actual pixel coordinates relative to the screenshot": {Verb: "locate", Point: &[2]float64{120, 220}},
	} {
		asked := &Request{Messages: []Message{{Role: "system", Parts: []Part{{Kind: Text, Text: says}}}}}
		require.Equal(t, []Action{want}, answer.Actions(asked), says)
	}
	qwen := &Answer{Dialect: OpenAIChat, Model: "qwen3-vl", Text: `{"bbox":[100,200,140,240]}`}
	asked := &Request{Messages: []Message{{Role: "system", Parts: []Part{{Kind: Text,
		Text: "should be [xmin, ymin, xmax, ymax] in actual pixel coordinates"}}}}}
	require.False(t, qwen.Actions(asked)[0].Thousandths)
}

// TestPlacesOfTools: what a tool or the instructions say of the numbers of a place, and which tool moves the mouse to px
// itself, counts before the model's family.
func TestPlacesOfTools(t *testing.T) {
	const resolution = `{"messages":[{"role":"system","content":"<tools>{\"name\":\"computer_use\",\"description\":\"* The screen's resolution is %s.\"}</tools>"}]}`
	const chat = `{"messages":[{"role":"user","content":"Go."}],"tools":[{"type":"function","function":{"name":%q,"description":%q}}]}`
	const gemini = `{"contents":[{"role":"user","parts":[{"text":"Go."}]}],"tools":[%s]}`
	own := func(name, x string) string {
		return fmt.Sprintf(`{"functionDeclarations":[{"name":%q,"parameters":{"properties":{"x":{"description":%q}}}}]}`, name, x)
	}
	for name, c := range map[string]struct {
		dialect, model, body, call, args string
		want                             bool // thousandths
		display                          [2]int
	}{
		"Qwen's tool of another family": {OpenAIChat, "evocua-32b", fmt.Sprintf(resolution, "1000x1000"), "computer_use",
			`{"action":"left_click","coordinate":[120,340]}`, true, [2]int{}},
		"Qwen's tool in px": {OpenAIChat, "qwen2.5-vl", fmt.Sprintf(resolution, "1372x756"), "computer_use",
			`{"action":"left_click","coordinate":[120,340]}`, false, [2]int{1372, 756}},
		"Qwen's tool as one of the API": {OpenAIChat, "m", fmt.Sprintf(chat, "computer_use", "* The screen's resolution is 1000x1000."),
			"computer_use", `{"action":"left_click","coordinate":[120,340]}`, true, [2]int{}},
		"instructions with a grid": {OpenAIChat, "m", `{"messages":[{"role":"system","content":"Click at a target in the 1000x1000 coordinate space."}]}`,
			"", `{"actions":[{"type":"click","x":120,"y":340}]}`, true, [2]int{}},
		"instructions that normalize": {Anthropic, "claude-x", `{"system":"All coordinates are normalized to the range 0-1000.","messages":[]}`,
			"click", `{"x":120,"y":340}`, true, [2]int{}},
		"instructions about something else": {OpenAIChat, "m", `{"messages":[{"role":"system","content":"Scroll by 0-1000 px. The picture is 1000x1000 px."}]}`,
			"click", `{"x":120,"y":340}`, false, [2]int{}},
		"Qwen's tool without its screen": {OpenAIChat, "qwen3-vl", fmt.Sprintf(chat, "computer_use",
			"The x (pixels from the left edge) and y (pixels from the top edge) coordinates to move the mouse to"),
			"computer_use", `{"action":"left_click","coordinate":[120,340]}`, true, [2]int{}},
		"Anthropic's computer by Bedrock": {Bedrock, "claude-x", `{"messages":[],"additionalModelRequestFields":{"tools":[{"type":` +
			`"computer_20250124","name":"computer","display_width_px":1024,"display_height_px":768}]}}`, "computer",
			`{"action":"left_click","coordinate":[120,340]}`, false, [2]int{1024, 768}},
		"Anthropic's computer by LiteLLM": {OpenAIChat, "claude-x", `{"messages":[],"tools":[{"type":"computer_20250124","function":{"name":` +
			`"computer","parameters":{"display_width_px":1024,"display_height_px":768}}}]}`, "computer",
			`{"action":"left_click","coordinate":[120,340]}`, false, [2]int{1024, 768}},
		"words of a page": {OpenAIChat, "m", `{"messages":[{"role":"user","content":"The page: The screen's resolution is 1000x1000. ` +
			`Coordinates normalized to 0-1000."}]}`, "click", `{"x":120,"y":340}`, false, [2]int{}},
		"a tool that says thousandths": {OpenAIChat, "m", fmt.Sprintf(chat, "click_at", "Coordinates are normalized to 0-999."),
			"click_at", `{"x":120,"y":340}`, true, [2]int{}},
		"a tool that says px": {OpenAIChat, "qwen3-vl", fmt.Sprintf(chat, "tap_on", "The x and y coordinates in pixels of the screenshot"),
			"tap_on", `{"x":120,"y":340}`, false, [2]int{}},
		"a tool with a delay": {OpenAIChat, "m", fmt.Sprintf(chat, "click_at", "Waits for 0-1000 ms before"),
			"click_at", `{"x":120,"y":340}`, false, [2]int{}},
		"Gemini's own tool": {Gemini, "gemini-x", fmt.Sprintf(gemini, `{"computer_use":{"environment":"ENVIRONMENT_BROWSER"}}`),
			"click_at", `{"x":120,"y":340}`, true, [2]int{}},
		"Gemini, Playwright MCP": {Gemini, "gemini-x", fmt.Sprintf(gemini, own("browser_mouse_click_xy", "X coordinate")),
			"browser_mouse_click_xy", `{"element":"it","x":120,"y":340}`, false, [2]int{}},
		"Gemini, Playwright MCP under a client's name": {Gemini, "gemini-x", fmt.Sprintf(gemini, own("mcp_playwright_browser_mouse_move_xy", "X")),
			"mcp_playwright_browser_mouse_move_xy", `{"x":120,"y":340}`, false, [2]int{}},
		"Gemini, chrome-devtools-mcp": {Gemini, "gemini-x", fmt.Sprintf(gemini, own("click_at", "The x coordinate")),
			"click_at", `{"x":120,"y":340}`, false, [2]int{}},
		"Gemini's tools as the agent's own": {Gemini, "gemini-x", fmt.Sprintf(gemini, own("click_at", "x")+","+own("type_text_at", "x")),
			"click_at", `{"x":120,"y":340}`, true, [2]int{}},
		"Gemini's tool as the agent's own": {Gemini, "gemini-x", fmt.Sprintf(gemini, own("click_at", "x, normalized to 0-1000")),
			"click_at", `{"x":120,"y":340}`, true, [2]int{}},
		"Gemini, a tool of no known kind": {Gemini, "gemini-x", fmt.Sprintf(gemini, own("tap", "where")),
			"tap", `{"x":120,"y":340}`, true, [2]int{}},
		"Gemini, browser-use": {Gemini, "gemini-x", fmt.Sprintf(gemini, ""), "",
			`{"memory":"m","action":[{"click":{"coordinate_x":120,"coordinate_y":340}}]}`, false, [2]int{}},
	} {
		t.Run(name, func(t *testing.T) {
			asked, err := ReadRequest(c.dialect, []byte(c.body))
			require.NoError(t, err)
			a := &Answer{Dialect: c.dialect, Model: c.model}
			if c.call == "" {
				a.Text = c.args
			} else {
				a.Calls = []ToolCall{{Name: c.call, Arguments: json.RawMessage(c.args)}}
			}
			got := a.Actions(asked)
			require.Len(t, got, 1)
			require.Equal(t, &[2]float64{120, 340}, got[0].Point)
			require.Equal(t, c.want, got[0].Thousandths)
			require.Equal(t, c.display, asked.Display)
		})
	}
}

// What an answer types, with the words that it has for the field.
func TestTypings(t *testing.T) {
	for says, want := range map[string]Typing{
		`send_keys {"by":"id","value":"pw","text":"x1"}`:                                         {Action{Verb: "send_keys", Selector: `[id="pw"] >> nth=0`}, "x1", ""},
		`browser_type {"element":"Password","target":"e18","text":"x1"}`:                         {Action{Verb: "browser_type", Ref: "e18"}, "x1", "Password"},
		`fill {"uid":"3_14","value":"x1"}`:                                                       {Action{Verb: "fill", Ref: "3_14"}, "x1", ""},
		`act {"elementId":"0-36","method":"fill","description":"the PIN","arguments":["x1"]}`:    {Action{Verb: "fill", Ref: "0-36"}, "x1", "the PIN"},
		`input_text {"index":12,"text":"x1"}`:                                                    {Action{Verb: "input_text", Ref: "12"}, "x1", ""},
		`puppeteer_fill {"selector":"#password","value":"x1"}`:                                   {Action{Verb: "puppeteer_fill", Selector: "#password"}, "x1", ""},
		`browser_fill_form {"fields":[{"name":"PIN","type":"textbox","ref":"e7","value":"x1"}]}`: {Action{Verb: "browser_fill_form", Ref: "e7"}, "x1", "PIN"},
		`action {"action":[{"input":{"index":12,"text":"x1"}}]}`:                                 {Action{Verb: "input", Ref: "12"}, "x1", ""},
		`click {"ref":"e1","text":"Password"}`:                                                   {},
	} {
		name, arguments, _ := strings.Cut(says, " ")
		a := &Answer{Calls: []ToolCall{{Name: name, Arguments: json.RawMessage(arguments)}}}
		got := a.Typings(nil)
		if want.Text == "" {
			require.Empty(t, got, says)
			continue
		}
		require.Equal(t, []Typing{want}, got, says)
	}
}
