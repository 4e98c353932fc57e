'use strict';
// Refscope's tap has programs of Node.js load this by NODE_OPTIONS. A Chrome that such a program drives through a pipe
// gets a debugging port beside it, so that the tap can look at the pages; nothing else of what is started changes.
const { ChildProcess } = require('child_process');

const start = ChildProcess.prototype.spawn;
const pipe = (arg) => /^--remote-debugging-pipe(=|$)/.test(arg);
const port = (arg) => /^--remote-debugging-port(=|$)/.test(arg);

ChildProcess.prototype.spawn = function spawn(options) {
  let changed = options;
  try {
    const { args, envPairs } = options;
    if (Array.isArray(args) && args.some(pipe) && !args.some(port)) {
      const at = args.findIndex(pipe);
      changed = { ...changed, args: [...args.slice(0, at), '--remote-debugging-port=0', ...args.slice(at)] };
    }
    // A server of tools is often started with few of the variables.
    const own = process.env.NODE_OPTIONS;
    if (own && Array.isArray(envPairs) && !envPairs.some((pair) => pair.startsWith('NODE_OPTIONS=')))
      changed = { ...changed, envPairs: [...envPairs, `NODE_OPTIONS=${own}`] };
  } catch {
    changed = options; // the program is not to notice
  }
  return Reflect.apply(start, this, [changed]);
};
