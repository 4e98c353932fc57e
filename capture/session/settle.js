// Waits in the page until it is loaded, what is waited for is rendered, and it has been
// quiet for QUIET ms, at most MAX ms. The observer's memory of the last mutation makes
// earlier quiet count. Answers quiet, busy, missing (the element) or wrong (its
// selector).
(() => new Promise((resolve) => {
  const state = globalThis.__refscope;
  const end = performance.now() + MAX, wanted = FOR;
  const there = () => !wanted || Array.from(document.querySelectorAll(wanted)).some((el) => el.getClientRects().length > 0);
  let wrong = false;
  try { there(); } catch { wrong = true; }
  const look = () => {
    state.flush();
    const now = performance.now();
    const quiet = now - state.last;
    const come = wrong || there();
    if (document.readyState === 'complete' && quiet >= QUIET && come) return resolve(wrong ? 'wrong' : 'quiet');
    if (now >= end) return resolve(come ? 'busy' : 'missing');
    const wait = document.readyState === 'complete' && come ? QUIET - quiet : 50;
    // A timer of the page would count up the numbers that its own timers get.
    scheduler.postTask(look, { delay: Math.max(1, Math.min(wait, end - now)) });
  };
  look();
}))()
