// @ts-check
// Undo of a note that was made here. If it was changed since then, it is deleted with its text.

import { el } from "./dom.js";
import { get } from "./api.js";
import { ask, sayError } from "./messages.js";
import { undo, undoOf } from "./past.js";
import { on, refOf } from "./store.js";
import { afterSaves } from "./turns.js";
import { remove } from "./writes.js";

/** The note as it is now, with its version; null if it is gone. */
async function noteNow(ref) {
  try {
    const { note, etag } = await get("note", { ref });
    return { ...note, etag };
  } catch (error) {
    if (error.status === 404) return null;
    throw error;
  }
}

/** The note of the last message: its name and its version then, and the operation that made it. */
let made = { operation: "", ref: "", etag: "" };

// A note without an id goes by its path.
on("renamed", ({ from, to }) => {
  if (from === made.ref) made.ref = to;
});

/** Undoes the creation of a note, and asks first if that takes more than what was created. */
async function undoNew({ operation, ref, etag }) {
  if (!(await afterSaves())) return;
  try {
    const now = await noteNow(ref);
    if (!now || now.etag === etag) return await undo(operation);
    const title = `Delete “${now.title || "Untitled"}” with its text?`;
    const text = "It was changed after it was created. You can undo the deletion.";
    const options = { yes: "Delete", danger: true, wide: false };
    if (await ask(title, el("p", { text }), options)) await remove([now], 1);
  } catch (error) {
    sayError(error);
  }
}

/** The button that undoes the creation of a note, whatever was written into it since then. */
export function undoOfNew(answer) {
  const { operation, notes } = answer;
  if (!operation || notes.length !== 1) return undoOf(answer);
  const own = { operation, ref: refOf(notes[0]), etag: notes[0].etag };
  made = own;
  return { action: "Undo", run: () => undoNew(own) };
}
