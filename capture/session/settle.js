// Waits in the page until it is loaded, what is waited for is rendered, and it has been
// quiet for QUIET ms, at most MAX ms. The observer's memory of the last mutation makes
// earlier quiet count, and a page that is loaded and has nothing that could change it is not
// waited for. Answers quiet, still (nothing can change it), busy, missing (the element) or
// wrong (its selector).
(() =>
  new Promise((resolve) => {
    const state = globalThis.__refscope;
    const end = performance.now() + MAX,
      wanted = FOR;
    const there = () =>
      !wanted || Array.from(document.querySelectorAll(wanted)).some((el) => el.getClientRects().length > 0);
    let wrong = false;
    try {
      there();
    } catch {
      wrong = true;
    }

    // still: no script has run or is there to run, in this document or in one inside it, its
    // load event is over, and nobody has done anything in it. Data blocks are no scripts. What an
    // element does by itself, such as playing or going to another page, counts as a script.
    const DATA = /^(application\/(ld\+)?json|text\/(html|template|x-[\w-]+))$/i;
    const LIVE =
      'iframe,frame,object,embed,fencedframe,meta[http-equiv=refresh i],marquee,[autofocus],' +
      'svg animate,svg set,svg animateTransform,svg animateMotion,svg script';
    const HANDLERS = [
      'load',
      'error',
      'focus',
      'pageshow',
      'message',
      'resize',
      'scroll',
      'toggle',
      'animationstart',
      'animationend',
      'animationiteration',
      'transitionend',
      'canplay',
      'loadeddata',
      'loadedmetadata',
      'play',
      'timeupdate',
      'begin',
      'end',
      'hashchange',
      'popstate',
    ];
    const times = performance.timing,
      settling = 50;
    const loaded = () => times.loadEventEnd > 0;
    const still = () => {
      if (
        state.written ||
        state.from > times.domInteractive ||
        performance.timeOrigin + state.last > times.loadEventEnd + settling
      )
        return false;
      if (
        navigator.userActivation.hasBeenActive ||
        document.fonts.status !== 'loaded' ||
        Array.from(document.images).some((el) => !el.complete)
      )
        return false;
      if (Array.from(document.scripts).some((el) => !DATA.test(el.type))) return false;
      if (document.querySelector(LIVE + ',' + HANDLERS.map((name) => '[on' + name + ']').join(','))) return false;
      for (const el of document.getElementsByTagName('*')) if (el.shadowRoot) return false;
      return document.getAnimations().length === 0;
    };
    const look = () => {
      state.flush();
      const now = performance.now();
      const quiet = now - state.last;
      const come = wrong || there();
      // A view transition lies over the page and takes its clicks until it is over.
      if (document.readyState === 'complete' && come && !document.activeViewTransition) {
        if (loaded() && still()) return resolve(wrong ? 'wrong' : 'still');
        if (quiet >= QUIET) return resolve(wrong ? 'wrong' : 'quiet');
      }
      if (now >= end) return resolve(come ? 'busy' : 'missing');
      const wait = document.readyState !== 'complete' || !come ? 50 : loaded() && quiet < QUIET ? QUIET - quiet : 20;
      // A timer of the page would count up the numbers that its own timers get.
      scheduler.postTask(look, { delay: Math.max(1, Math.min(wait, end - now)) });
    };
    look();
  }))()
