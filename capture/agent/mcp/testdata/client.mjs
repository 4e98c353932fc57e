// The official TypeScript client drives the demo shop: navigate, snapshot, fill, click,
// verify. Arguments: stdio PROGRAM-ARGUMENTS-AS-JSON SITE, or http URL SITE with the token
// in TOKEN. REFSCOPE_TS_SDK is the folder of @modelcontextprotocol/sdk. It prints one line
// of JSON, and exits 1 where something is not as it should be.
import { pathToFileURL } from "node:url";

const sdk = (file) => import(pathToFileURL(`${process.env.REFSCOPE_TS_SDK}/dist/esm/client/${file}.js`).href);
const { Client } = await sdk("index");
const [how, where, site] = process.argv.slice(2);
const began = Date.now();

let transport;
if (how === "stdio") {
  const { StdioClientTransport } = await sdk("stdio");
  const [command, ...args] = JSON.parse(where);
  transport = new StdioClientTransport({ command, args, env: process.env, stderr: "inherit" });
} else {
  const { StreamableHTTPClientTransport } = await sdk("streamableHttp");
  transport = new StreamableHTTPClientTransport(new URL(where), { requestInit: { headers: { Authorization: `Bearer ${process.env.TOKEN}` } } });
}
const client = new Client({ name: "ts-test", version: "1" });
await client.connect(transport);

const fail = (why) => {
  console.error(why);
  process.exit(1);
};
let calls = 0;
const call = async (name, args = {}, options = {}) => {
  calls++;
  const res = await client.callTool({ name, arguments: args }, undefined, options);
  const text = res.content.map((c) => c.text ?? "").join("\n");
  if (res.isError) fail(`${name}: ${text}`);
  return { text, content: res.content };
};
const ref = (text, ...words) => {
  const line = text.split("\n").find((l) => words.every((w) => l.includes(w)) && /^@e\d+ /.test(l));
  if (!line) fail(`no line with ${words}`);
  return Number(/^@e(\d+)/.exec(line)[1]);
};
const verified = ({ text }) => text.includes('"verification_passed":true') || fail(`not verified: ${text}`);

const { tools } = await client.listTools();
const progress = [];
const page = await call("browse_navigate", { url: `${site}checkout.html` }, { onprogress: (p) => progress.push(p.message) });
verified(await call("browse_click", { ref: ref(page.text, "Only essential"), expect: { type: "element_disappears", text: "A biscuit with your tea?" } }));
const now = await call("browse_snapshot");
verified(await call("browse_fill", { ref: ref(now.text, "Full name"), value: "Grace Hopper" }));
verified(await call("browse_fill", { ref: ref(now.text, "[email]"), value: "grace@example.test" }));
verified(await call("browse_select", { ref: ref(now.text, "Country"), value: "Portugal" }));
verified(await call("browse_click", { ref: ref(now.text, "[checkbox]", "I agree") }));
const picture = (await call("browse_screenshot")).content.find((c) => c.type === "image");
if (!Buffer.from(picture.data, "base64").subarray(1, 4).equals(Buffer.from("PNG"))) fail("the picture is no PNG");
const order = await call("browse_click", { ref: ref(now.text, "Place order"), expect: { type: "navigation" }, snapshot: true });
verified(order);
if (!order.text.includes("Orders")) fail(order.text);
const wrong = await client.callTool({ name: "browse_click", arguments: { ref: 4.5 } });
if (!wrong.isError || !wrong.content[0].text.includes('parameter "ref"')) fail("wrong arguments were taken");
const { contents } = await client.readResource({ uri: "refscope://session/turns" });
const turns = JSON.parse(contents[0].text).turns.length;
if (turns !== calls + 1) fail(`${turns} turns of ${calls + 1} calls`);
console.log(JSON.stringify({ tools: tools.length, calls: calls + 1, turns, progress, ms: Date.now() - began }));
if (how === "http") await transport.terminateSession();
await client.close();
