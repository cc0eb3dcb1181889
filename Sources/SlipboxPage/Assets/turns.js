// @ts-check
// Before a write: no second one of its kind at the same time, and nothing that waits to be saved.

import { flush, saveState } from "./saver.js";
import { on, refOf } from "./store.js";
import { say } from "./messages.js";

const under = new Set();

/** Runs `work`; null where work of that name is under way: a second click begins nothing. */
export async function once(name, work) {
  if (under.has(name)) return null;
  under.add(name);
  try {
    return await work();
  } finally {
    under.delete(name);
  }
}

/**
 * Waits till everything is saved. Where something can't be saved, says so: then nothing else may be written.
 */
export async function afterSaves() {
  if (await flush()) return true;
  say(`Nothing was done. ${saveState().text}`, { error: true });
  return false;
}

// The version that a save of ours made of another one: a list may not have heard of it yet.
const versions = new Map();

on("written", ({ ref, etag, answer, job }) => {
  if (!etag || etag === job.etag) return;
  versions.delete(`${ref} ${etag}`);
  if (!answer.merged?.length) versions.set(`${ref} ${job.etag}`, etag);
});

// An undo gives older versions again.
on("removed", ({ redo }) => {
  if (redo) versions.clear();
});

/** The newest version that this page made of a note. */
export function versionOf(note) {
  const ref = refOf(note);
  let { etag } = note;
  for (let next; (next = versions.get(`${ref} ${etag}`)); ) etag = next;
  return etag;
}
