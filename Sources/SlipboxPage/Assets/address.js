// @ts-check
// Going from one view to another, with the Back of the browser.

import { state, emit } from "./store.js";
import { flush } from "./saver.js";
import { format, parse } from "./place.js";

/**
 * Goes to a place; what is not named stays as it is. `replace` makes no entry for Back; `isPassing` makes one
 * of all places that one passes on the way.
 */
export function go(change, { replace = false, isPassing = false } = {}) {
  // The address is ahead of the place while one waits for what is being saved.
  const next = { ...(isWaiting ? parse(location.hash) : state.place), ...change };
  const hash = format(next);
  if (hash === location.hash) return null;
  if (replace) history.replaceState(history.state, "", hash);
  else history[isPassing && history.state?.isPassing ? "replaceState" : "pushState"]({ isPassing }, "", hash);
  return arrive();
}

const PATIENCE = 2500;
let isWaiting = false;

/** Tells the panes what the address names. What was typed now is saved before the past is shown. */
export function arrive() {
  if (!parse(location.hash).at || state.place.at) return enter();
  isWaiting = true;
  return Promise.race([flush(), new Promise((done) => setTimeout(done, PATIENCE))]).then(enter);
}

function enter() {
  isWaiting = false;
  const before = state.place;
  state.place = parse(location.hash);
  emit("place", { before, now: state.place });
}

export function startAddress() {
  addEventListener("popstate", arrive);
  state.place = parse(location.hash);
}
