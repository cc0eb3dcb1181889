// @ts-check
// What is typed and not saved yet: a draft is bound to the note and to the version on which typing began,
// wherever the page has gone meanwhile.

import { state, emit } from "./store.js";
import { BODY } from "./savejob.js";

const KEY = "slip-tab";
const word = () => Math.random().toString(36).slice(2, 12);
let tab = sessionStorage.getItem(KEY) ?? word();
sessionStorage.setItem(KEY, tab);

const drafts = new Map();
const keyOf = (ref, slot) => `${ref}\n${slot}`;

/**
 * What was typed into a place of a note: `{ref, slot, etag, base, value, title}`; nothing of it counts in the
 * past.
 */
export const draftOf = (ref, slot) => drafts.get(keyOf(ref, slot));
export const draftsOf = (ref) => [...drafts.values()].filter((draft) => ref === null || draft.ref === ref);
export const hasDrafts = () => drafts.size > 0;

/** Holds what is typed. `begun`: the version and value on which typing began, for what is not a draft yet. */
export function hold(ref, slot, value, begun) {
  const known = draftOf(ref, slot) ?? begun;
  const { etag, base, keep } = known;
  const draft = { ref, slot, etag, base, title: begun.title, value, keep };
  drafts.set(keyOf(ref, slot), draft);
  keepTyped(draft);
  emit("saving");
}

/** What is typed now stands over a newer version, with what came in from there. */
export function rebase(draft, etag, base, value) {
  Object.assign(draft, { etag, base, value, keep: undefined });
  keep(draft.ref);
}

export function drop(ref, slot) {
  if (!drafts.delete(keyOf(ref, slot))) return;
  keep(ref);
  emit("saving");
}

/** A note goes by another name now. */
export function renameDrafts(from, to) {
  for (const draft of draftsOf(from)) {
    drafts.delete(keyOf(from, draft.slot));
    drafts.set(keyOf(to, draft.slot), { ...draft, ref: to });
  }
}

// In the browser's storage

let jobsOf = (/** @type {string} */ _ref) => [];
/** Who tells of the saves that wait; they are stored beside the drafts. */
export function storeJobs(source) {
  jobsOf = source;
}

const prefix = () => `slip-draft:${state.box.path}:`;

/**
 * A long text is stored when one pauses, and when the page is left: each time costs as much as it is long.
 */
const LONG = 50000;
const waiting = new Map();

function keepTyped({ ref, value }) {
  clearTimeout(waiting.get(ref));
  if (value.length < LONG) return keep(ref);
  waiting.set(
    ref,
    setTimeout(() => keep(ref), 400),
  );
}
addEventListener("pagehide", () => {
  for (const ref of [...waiting.keys()]) keep(ref);
});

/** Stores all of one note that is not written yet. What a text was typed over is known by its version. */
export function keep(ref) {
  clearTimeout(waiting.get(ref));
  waiting.delete(ref);
  const jobs = jobsOf(ref),
    typed = draftsOf(ref).map((draft) => (draft.slot === BODY ? { ...draft, base: undefined } : draft));
  const key = `${prefix()}${tab}:${ref}`;
  try {
    if (!jobs.length && !typed.length) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify({ ref, drafts: typed, jobs }));
  } catch {
    /* a browser without room keeps the text in the page alone */
  }
}

/** Makes this tab's name its own: a tab that is copied begins with the name of the other one. */
async function claim() {
  if (!navigator.locks) return new Set();
  const held = () =>
    new Promise((/** @type {(isOurs: boolean) => void} */ done) => {
      navigator.locks.request(`slip-tab-${tab}`, { ifAvailable: true }, (lock) => {
        done(lock !== null);
        return lock && new Promise(() => {});
      });
    });
  while (!(await held())) {
    tab = word();
    sessionStorage.setItem(KEY, tab);
  }
  return new Set((await navigator.locks.query()).held.map((lock) => lock.name));
}

/**
 * Takes what this tab before it was loaded anew, or tabs that are closed, not imported: `[{ref, drafts,
 * jobs}]`.
 */
export async function takeLeft() {
  const held = await claim();
  const left = [];
  for (const key of Object.keys(localStorage).filter((name) => name.startsWith(prefix()))) {
    const owner = key.slice(prefix().length).split(":")[0];
    if (owner !== tab && held.has(`slip-tab-${owner}`)) continue;
    try {
      const found = JSON.parse(localStorage.getItem(key));
      // As versions before this one stored it.
      if (found.text) found.drafts = [{ ...found.text, ref: found.ref, slot: BODY, value: found.text.body }];
      left.push({ ref: found.ref, drafts: found.drafts ?? [], jobs: found.jobs ?? [] });
    } catch {
      /* not ours */ continue;
    }
    localStorage.removeItem(key);
  }
  return left;
}
