// The address of a view: #/q/QUERY/R@DATE, #/deleted, #/history. Each can be bookmarked.

import { state, emit } from "./store.js";

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
  if (parts[0] === "deleted" || parts[0] === "history") return { ...place, view: parts[0], ref: parts[1] ? decode(parts[1]) : null };
  return place;
}

/** Goes to a place; what is not named stays as it is. `replace` makes no entry for Back. */
export function go(change, { replace = false } = {}) {
  const next = { ...state.place, ...change };
  const hash = format(next);
  if (hash === location.hash) return;
  history[replace ? "replaceState" : "pushState"](null, "", hash);
  arrive();
}

/** Tells the panes what the address names. */
export function arrive() {
  const before = state.place;
  state.place = parse(location.hash);
  emit("place", { before, now: state.place });
}

export function startAddress() {
  addEventListener("popstate", arrive);
  state.place = parse(location.hash);
}

const KEY = "slip-token";
/** Takes the token out of the address before anything else is done. */
export function takeToken() {
  const found = /(?:^#|[#&])token=([0-9a-fA-F]+)/.exec(location.hash);
  if (found) {
    sessionStorage.setItem(KEY, found[1]);
    const rest = location.hash.replace(/[#&]?token=[0-9a-fA-F]+/, "").replace(/^&/, "#");
    history.replaceState(null, "", location.pathname + (rest.startsWith("#/") ? rest : ""));
  }
  return sessionStorage.getItem(KEY);
}
