// The address of a view: #/q/QUERY/R@DATE, #/deleted, #/history. Each can be bookmarked.

import { state, emit } from "./store.js";
import { settled } from "./saver.js";

const encode = (text) => encodeURIComponent(text).replace(/%3A/g, ":").replace(/%20/g, "+").replace(/%2C/g, ",");
const decode = (text) => {
  try { return decodeURIComponent(text.replace(/\+/g, " ")); } catch { return text; }
};

export function format({ view, query, ref, at }) {
  const past = at ? `@${encode(at)}` : "";
  const note = ref ? `/${encode(ref)}` : "";
  return view === "notes" ? `#/q/${encode(query)}${note}${past}` : `#/${view}${note}${past}`;
}

export function parse(hash) {
  const [path, past] = hash.replace(/^#\/?/, "").split("@");
  const parts = path.split("/");
  const place = { view: "notes", query: "", ref: null, at: past ? decode(past) : null };
  if (parts[0] === "q") return { ...place, query: decode(parts[1] ?? ""), ref: parts[2] ? decode(parts[2]) : null };
  if (parts[0] === "note") return { ...place, ref: decode(parts.slice(1).join("/")) || null };
  if (["deleted", "history", "todos"].includes(parts[0])) return { ...place, view: parts[0], ref: parts[1] ? decode(parts[1]) : null };
  return place;
}

/**
 * Goes to a place; what is not named stays as it is. `replace` makes no entry for Back; `isPassing` makes one of all places that
 * one passes on the way.
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
  return Promise.race([settled(), new Promise((done) => setTimeout(done, PATIENCE))]).then(enter);
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
