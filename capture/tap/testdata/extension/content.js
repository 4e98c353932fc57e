// A page tells it what to do: to ask, or to show a page of the extension in a frame.
addEventListener("message", e => {
	if (e.data.ask) ask(e.data.vendor, e.data.ask);
	if (e.data.frame) document.body.append(Object.assign(document.createElement("iframe"), {
		src: chrome.runtime.getURL("page.html?early=" + e.data.frame + "&vendor=" + encodeURIComponent(e.data.vendor))}));
});
document.documentElement.dataset.agent = "there";
