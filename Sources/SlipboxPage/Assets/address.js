// @ts-check
// Going from one view to another, with the Back of the browser.

import { state, emit } from "./store.js";
import { flush } from "./saver.js";
import { closeOver } from "./overlays.js";
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
  else if (isPassing && history.state?.isPassing) history.replaceState({ isPassing, entry }, "", hash);
  else {
    leave();
    entry = crypto.randomUUID();
    // The entry of what lay over the page is that of the next place.
    history[history.state?.isOver ? "replaceState" : "pushState"]({ isPassing, entry }, "", hash);
  }
  if (!replace) state.scrolled = null;
  return arrive();
}

/** The entry of the history that is shown, and how far the panes of each were scrolled when it was left. */
let entry = null;
const scrolled = new Map();
/** @type {() => object} */
let measure = () => ({});

/** `run()` gives how far the panes are scrolled. */
export function measureBy(run) {
  measure = run;
}

function leave() {
  scrolled.set(entry, { ...measure(), hash: format(state.place) });
}

/** How far a pane was scrolled at the place that one came back to; null once that was taken. */
export function takeScrolled(pane) {
  const found = state.scrolled?.[pane] ?? null;
  if (state.scrolled) state.scrolled[pane] = null;
  return found;
}

/** The entry that is shown has a name; one that a link made gets it. */
function nameEntry() {
  entry = history.state?.entry ?? crypto.randomUUID();
  if (history.state?.entry !== entry) history.replaceState({ ...history.state, entry }, "");
}

/** Back and Forward: the panes are scrolled as they were there. */
function turn() {
  // Back closes what lies over the page. If it was closed before, Back means the entry before that.
  if (history.state?.entry === entry && !history.state.isOver) return closeOver() ? null : history.back();
  leave();
  nameEntry();
  const there = scrolled.get(entry);
  state.scrolled = there?.hash === location.hash ? { ...there } : null;
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
  nameEntry();
  addEventListener("popstate", turn);
  state.place = parse(location.hash);
}
