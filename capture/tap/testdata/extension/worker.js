importScripts("ask.js");
self.ready = true;
