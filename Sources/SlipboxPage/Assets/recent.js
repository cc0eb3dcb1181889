// @ts-check
// The notes that were open last in this browser, the latest first.

import { own, on, refOf, state } from "./store.js";

const MOST = 12;
const key = () => `slip-recent:${state.box.path}`;

/** `[{ref, title, kind}]`. */
export function recentNotes() {
  try {
    const notes = JSON.parse(localStorage.getItem(key()) ?? "[]");
    return Array.isArray(notes)
      ? notes.filter((note) => typeof own(note, "ref") === "string" && typeof own(note, "title") === "string")
      : [];
  } catch {
    return [];
  }
}

/** The list with a note at its front, once. */
export const withLatest = (notes, note) =>
  [note, ...notes.filter(({ ref }) => ref !== note.ref)].slice(0, MOST);

on("note", () => {
  const { note, place, gone } = state;
  if (!note || gone || place.at) return;
  const { title, kind } = note;
  try {
    localStorage.setItem(
      key(),
      JSON.stringify(withLatest(recentNotes(), { ref: refOf(note), title: title ?? "", kind: kind ?? "" })),
    );
  } catch {
    /* a full storage forgets */
  }
});
on("removed", ({ refs }) => {
  const left = refs === null ? [] : recentNotes().filter(({ ref }) => !refs.has(ref));
  try {
    localStorage.setItem(key(), JSON.stringify(left));
  } catch {
    /* as above */
  }
});
