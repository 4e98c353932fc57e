// What custom elements say of themselves by ElementInternals. No script can read that, so the browser's accessibility
// tree is asked about them (internals.go), and the world's registry remembers what it said: told is element →
// {role, name, value, states}, speaks the tags of which an element has said something.

const MAX_TOLD = 500, // asked about in one capture
  SAMPLE = 3; // of a tag of which none has said anything yet; of one that was silent in an earlier capture 1

// toldOf is what the tree said of an element, undefined where that is nothing.
const toldOf = (el) =>
  el.localName.includes('-') && globalThis.__refscope.told ? globalThis.__refscope.told.get(el) : undefined;

// speakers leaves in the registry the elements that are to be asked about, and gives how many: of a tag that has said
// something all, of others the first few, what is in view first. tell takes the answers, null for nothing, and chooses
// further ones; news: something is not as it was; left: how many there was no room for.
function speakers(out, registry) {
  const told = registry.told || (registry.told = new WeakMap()),
    speaks = registry.speaks || (registry.speaks = new Set()),
    met = registry.met || (registry.met = new Set()),
    silent = new Set(met),
    asked = new Set(),
    unseen = (i) => !(out.flags[i] & FLAG_IN_VIEWPORT);
  let left = 0,
    news = false;
  const choose = () => {
    const counts = new Map();
    const list = out.customs.filter((i) => {
      const tag = out.els[i].localName,
        n = counts.get(tag) || 0;
      counts.set(tag, n + 1);
      return !asked.has(i) && (n < (silent.has(tag) ? 1 : SAMPLE) || speaks.has(tag));
    });
    list.sort((a, b) => unseen(a) - unseen(b) || a - b);
    const chosen = list.slice(0, MAX_TOLD - asked.size);
    left = list.length - chosen.length;
    for (const i of chosen) asked.add(i);
    registry.speakers = chosen.map((i) => out.els[i]);
    return chosen.length;
  };
  registry.tell = (said) => {
    registry.speakers.forEach((el, k) => {
      const now = said[k] || undefined;
      if (JSON.stringify(told.get(el)) !== JSON.stringify(now)) news = true;
      told.set(el, now);
      met.add(el.localName);
      if (now) speaks.add(el.localName);
    });
    return JSON.stringify({ more: choose(), news, left });
  };
  return choose();
}
