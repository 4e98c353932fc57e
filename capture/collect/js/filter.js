// Host filters (D-8): what the site's profile or a predicate takes out of the page's
// text, subtree and all.

// makeFilter answers, for one element, which rule drops it: its selector, 'filter'
// for the predicate, '' for none. A rule that cannot be used is noted in broken.
function makeFilter(opt, predicate) {
  const broken = [];
  const rules = [];
  for (const selector of opt.drop || []) {
    try {
      document.createDocumentFragment().querySelector(selector);
      rules.push(selector);
    } catch {
      broken.push('filter selector ' + JSON.stringify(selector) + ' is not a valid CSS selector');
    }
  }
  let failed = 0;
  function drops(el) {
    for (const selector of rules) if (el.matches(selector)) return selector;
    if (predicate && failed < 100) {
      try {
        if (!predicate(el)) return 'filter';
      } catch (e) {
        // One sentence for all of them; the elements are kept.
        if (failed++ === 0)
          broken.push('the filter failed on a ' + el.localName + ': ' + String(e && e.message).slice(0, 200));
      }
    }
    return '';
  }
  return rules.length > 0 || predicate ? { drops, broken } : { drops: null, broken };
}
