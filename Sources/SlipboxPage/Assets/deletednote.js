// @ts-check
// A deleted note as it last was, in a dialog with the button that restores it.

import { button, el } from "./dom.js";
import { get } from "./api.js";
import { isWritten, kindOf, labelOf, textOf, timeOf, valueOf } from "./kinds.js";
import { moment } from "./dates.js";
import { openFile } from "./files.js";
import { showMarkup } from "./markup.js";
import { openDialog, sayError } from "./messages.js";
import { restoreNote } from "./past.js";
import { readOnly, refOf } from "./store.js";
import { once } from "./turns.js";

/** The note before its deletion; a merge may have it in its second parent alone. */
async function lastVersion(note) {
  const { commit } = note.deleted;
  const read = (at) => get("note", { ref: refOf(note), at });
  try {
    return await read(`${commit}~1`);
  } catch (error) {
    if (error.status !== 404) throw error;
    return read(`${commit}^2`);
  }
}

const textIn = (note, field, titles) =>
  textOf(field, valueOf(note, field), titles, timeOf(note, field.name));

/** The kind, the tags and the values of a note in one line. */
function factsOf(note, titles) {
  const kind = kindOf(note);
  const fields = kind.fields.filter(({ name }) => !["title", "created", "tags"].includes(name));
  return [
    labelOf(kind.name),
    ...(note.tags ?? []).map((tag) => `#${tag}`),
    ...fields
      .filter((field) => isWritten(note, field))
      .map((field) => `${labelOf(field.name)}: ${textIn(note, field, titles)}`),
  ].join(" · ");
}

/** Shows a note of the list of deleted notes. `open(ref)` and `make(title)` are for the links in its text. */
export const showDeleted = (note, { open, make }) =>
  once("deleted", async () => {
    try {
      const answer = await lastVersion(note);
      const text = el("div", { class: "markup" });
      let dialog = null;
      const leaving = (run) => (value) => {
        dialog.close();
        run(value);
      };
      const actions = { open: leaving(open), make: leaving(make), file: openFile, tick: null };
      const free = showMarkup(text, answer.html, actions);
      const restore = leaving(() => restoreNote(note));
      dialog = openDialog(
        `Deleted: ${note.title || "Untitled"}`,
        (close) => [
          el(
            "div",
            { class: "dialog-body", tabIndex: 0, role: "region", "aria-label": "The deleted note" },
            el("p", { class: "muted small", text: `Deleted ${moment(note.deleted.time)}` }),
            el("p", { class: "muted small", text: factsOf(answer.note, answer.titles) }),
            text,
          ),
          el(
            "footer",
            {},
            button("Close", close),
            !readOnly() && button("Restore", restore, { class: "primary" }),
          ),
        ],
        { wide: true, name: "deleted-note" },
      );
      dialog.addEventListener("close", free);
      dialog.querySelector("footer button:last-child").focus();
    } catch (error) {
      sayError(error);
    }
  });
