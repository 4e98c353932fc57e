importScripts("ask.js");
const asked = new URLSearchParams(location.search);
ask(asked.get("vendor"), asked.get("early"));
