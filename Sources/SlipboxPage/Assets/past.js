// @ts-check
// History: of the box, of a note, of one field; what stood there can be put back.

import { el, button, replace } from "./dom.js";
import { get, post } from "./api.js";
import { emit, readOnly, refOf, state } from "./store.js";
import { labelOf } from "./kinds.js";
import { moment } from "./dates.js";
import { openDialog, say, sayError } from "./messages.js";
import { go } from "./address.js";
import { once, afterSaves } from "./turns.js";
import { flush, rename } from "./saver.js";
import { doneText } from "./summary.js";

const shown = (value) =>
  value === null || value === undefined || value === ""
    ? "nothing"
    : Array.isArray(value)
      ? value.join(", ") || "nothing"
      : String(value);
const cut = (text, most = 120) => (text.length > most ? `${text.slice(0, most)}…` : text);
const QUIET = new Set(["path", "id", "kind", "created"]);

/** What one commit changed in the text, word by word. */
async function showText(ref, commit) {
  try {
    const { hunks } = await get("diff", { ref, commit });
    const piece = ({ same, removed, added }) =>
      same ?? (removed === undefined ? el("ins", { text: added }) : el("del", { text: removed }));
    openDialog(
      "Changes in the text",
      () =>
        el(
          "div",
          { class: "dialog-body" },
          hunks.map((hunk) => el("pre", { class: "text-change" }, hunk.pieces.map(piece))),
        ),
      { wide: true },
    );
  } catch (error) {
    sayError(error);
  }
}

function changeLine(change, ref, entry) {
  if (change.field === "conflicts") {
    const isLeft = [change.new].flat().some((value) => value !== null && value !== "");
    return el("li", { class: "muted", text: isLeft ? "Conflict stored" : "Conflict resolved" });
  }
  if (change.field === "body")
    return el(
      "li",
      {},
      el("span", { class: "muted", text: "Text" }),
      " ",
      button("Show the change", () => showText(ref, entry.commit), { class: "plain" }),
    );
  return el(
    "li",
    {},
    el("span", { class: "muted", text: labelOf(change.field) }),
    " ",
    change.old !== null && change.old !== undefined && change.old !== ""
      ? [el("del", { text: cut(shown(change.old)) }), " "]
      : null,
    el("ins", { text: cut(shown(change.new)) }),
  );
}

/** Asks for one write, after `isReady` has said that all is saved; null where it came to nothing. */
const reverse = (name, body, isReady = afterSaves) =>
  once(`${name} ${JSON.stringify(body)}`, async () => {
    if (!(await isReady())) return null;
    try {
      const answer = await post(name, body);
      // A note without an id goes by its path.
      for (const { from, to } of answer.moved ?? []) rename(from, to);
      emit("changed");
      return answer;
    } catch (error) {
      sayError(error);
      return null;
    }
  });

/** The button that takes back what an answer tells of, and nothing else. */
export const undoOf = (/** @type {{ operation?: string | null }} */ { operation }) =>
  operation ? { action: "Undo", run: () => undo(operation) } : {};

/**
 * What can't be saved may be what was typed into the very note that was deleted: it is saved when the note is
 * there again.
 */
async function restore(ref, at) {
  const answer = await reverse("restore", at ? { ref, at } : { ref }, async () => {
    await flush();
    return true;
  });
  if (answer) say(doneText(answer.subject), undoOf(answer));
  return answer !== null;
}

/** A change with who made it and when; `buttons(entry)` gives what can be done. */
export function entryNode(entry, ref, buttons) {
  // The history of a note has no changes of others; before a rename they have its former path.
  const changes = entry.changes.filter((change) => !QUIET.has(change.field));
  return el(
    "li",
    { class: "entry" },
    el(
      "div",
      { class: "line" },
      el("strong", { text: entry.subject }),
      el("time", { class: "date", text: moment(entry.time) }),
    ),
    el("div", {
      class: "muted small",
      text: [entry.author, entry.device].filter(Boolean).join(" · "),
    }),
    ref && changes.length
      ? el(
          "ul",
          { class: "changes" },
          changes.slice(0, 12).map((change) => changeLine(change, ref, entry)),
        )
      : null,
    el("div", { class: "buttons" }, buttons(entry)),
  );
}

/** A note's history below it, read when it is opened. */
export function notePast(ref) {
  const list = el("ol", { class: "entries" });
  const node = el("details", { class: "past-list" }, el("summary", { text: "History" }), list);
  const fill = async () => {
    try {
      const { entries } = await get("history", { ref, limit: 50 });
      const hadFocus = list.contains(document.activeElement);
      replace(
        list,
        entries.map((entry, index) =>
          entryNode(entry, ref, () => [
            index > 0 && !readOnly()
              ? button("Restore this version", () => restore(ref, entry.commit), { class: "plain" })
              : null,
            button("Show this day", () => go({ at: entry.time.slice(0, 10) }), { class: "plain" }),
          ]),
        ),
      );
      if (hadFocus) node.querySelector("summary").focus({ preventScroll: true });
    } catch (error) {
      replace(list, el("li", { class: "muted", text: error.message }));
    }
  };
  node.addEventListener("toggle", () => {
    if (node.open) fill();
  });
  return {
    node,
    refresh: () => {
      if (node.open) fill();
    },
    /** Opens it and goes there. */
    show: () => {
      node.open = true;
      const summary = node.querySelector("summary");
      summary.scrollIntoView({ block: "start" });
      summary.focus({ preventScroll: true });
    },
  };
}

/** What one field was: each value, when, by whom, and a button that puts it back. */
export function fieldPast(note, name, change) {
  const ref = refOf(note);
  openDialog(
    `History of ${labelOf(name)}`,
    (close) => {
      const list = el("ol", { class: "entries" }, el("li", { class: "muted", text: "…" }));
      get("history", { ref, field: name, limit: 50 })
        .then(({ entries }) => {
          const values = entries.flatMap((entry) =>
            entry.changes
              .filter((one) => one.field === name)
              .map((one) => ({ entry, value: one.new })),
          );
          const back = async (value) => {
            const answer = await change([{ field: name, value: String(value ?? "") }]);
            if (answer?.operation) say(doneText(answer.subject), undoOf(answer));
          };
          replace(
            list,
            values.length
              ? values.map(({ entry, value }, index) =>
                  el(
                    "li",
                    { class: "entry" },
                    el(
                      "div",
                      { class: "line" },
                      el("strong", { text: cut(shown(value), 400) }),
                      el("time", { class: "date", text: moment(entry.time) }),
                    ),
                    el("div", { class: "muted small", text: `${entry.subject} · ${entry.author ?? ""}` }),
                    index > 0 && !readOnly() && !Array.isArray(value) && name !== "body"
                      ? button(
                          "Restore",
                          () => {
                            close();
                            back(value);
                          },
                          { class: "plain" },
                        )
                      : null,
                  ),
                )
              : el("li", { class: "muted", text: "No changes." }),
          );
        })
        .catch((error) => replace(list, el("li", { class: "muted", text: error.message })));
      return el("div", { class: "dialog-body" }, list);
    },
    { wide: true },
  );
}

/** Presses of a key that are still to be done, one after another: none of them is lost. */
let pressed = Promise.resolve();
const inTurn = (run) => {
  pressed = pressed.then(run, run);
  return pressed;
};
export const undoNext = () => inTurn(() => undo());
export const redoNext = () => inTurn(() => redo());

/**
 * Takes back an operation, else the last one; its message does the opposite with just that, by the word for
 * it.
 */
export async function undo(operation, word = "Redo") {
  const answer = await reverse("undo", operation ? { operation } : {});
  if (!answer) return;
  emit("removed", { refs: null, operation: answer.operation, redo: true });
  const back = () => undo(answer.operation, word === "Redo" ? "Undo" : "Redo");
  say(doneText(answer.subject) || "Undone", answer.operation ? { action: word, run: back } : {});
}

export async function redo() {
  if (state.box?.redo === null && !state.box.undo) return say("Nothing to redo");
  const answer = await reverse("redo", {});
  if (answer) say(doneText(answer.subject) || "Redone", undoOf(answer));
}

export const restoreNote = (note) => restoreRef(refOf(note));
export const restoreRef = (ref) => restore(ref, null);
export const undoText = () => state.box?.undo?.subject ?? null;
