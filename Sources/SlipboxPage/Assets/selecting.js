// @ts-check
// Selecting rows of the list: one, or all from the last selected one on.

import { WINDOW } from "./list.js";
import { sayError } from "./messages.js";
import { emit, refOf, state } from "./store.js";

/** Takes a note into the selection, or out of it. */
export function toggleNote(note) {
  const ref = refOf(note);
  state.allSelected = false;
  if (state.selected.has(ref)) state.selected.delete(ref);
  else state.selected.set(ref, note);
  emit("selection");
}

/** Takes the note of a row into the selection, or out of it. */
export function toggle(list, index = list.index) {
  const note = list.noteAt(index);
  if (!note || list.view !== "notes") return;
  list.anchor = index;
  toggleNote(note);
}

/** Selects some notes and no others. */
export function selectOnly(notes) {
  state.allSelected = false;
  state.selected = new Map(notes.map((note) => [refOf(note), note]));
  emit("selection");
}

/** The notes that move with one: the selection if it is selected. */
export const movedWith = (note) =>
  state.selected.has(refOf(note)) ? [...state.selected.values()] : [note];

/** Selects from where the last one was selected to here, with those between that are not in sight. */
export async function range(list, index = list.index) {
  if (list.view !== "notes") return;
  const { query } = list;
  const [low, high] = [Math.min(list.anchor, index), Math.max(list.anchor, index)];
  const notes = [];
  try {
    for (let from = list.windowOf(low); from <= high; from += WINDOW)
      notes.push(
        ...(list.windows.get(from) ?? (await list.fetch(from)).notes).slice(
          Math.max(0, low - from),
          high - from + 1,
        ),
      );
  } catch (error) {
    return sayError(error);
  }
  if (list.view !== "notes" || list.query !== query) return;
  state.allSelected = false;
  for (const note of notes) state.selected.set(refOf(note), note);
  emit("selection");
}

/** Moves the cursor, and selects from the last selected note to it: a step back takes a note out. */
export function extend(list, step) {
  if (!state.selected.size) list.anchor = list.index;
  const left = list.noteAt(list.index);
  const isBack = (list.anchor - list.index) * step > 0;
  if (isBack && left) state.selected.delete(refOf(left));
  list.point(list.index + step);
  return range(list);
}
