// ask asks the model at an address; who asks stands in for the model's name.
async function ask(vendor, who) {
	const r = await fetch(vendor + "/v1/chat/completions", {method: "POST", body: JSON.stringify({model: who,
		api_key: "sk-zq4711Y8e3body", messages: [{role: "user", content: "- button \"Put green tea into the basket\" [ref=e2]"}]}),
		headers: {"content-type": "application/json", authorization: "Bearer zq4711X8e3"}});
	return r.text();
}
