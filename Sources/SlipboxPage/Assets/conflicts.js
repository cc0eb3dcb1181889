// @ts-check
// Two values for one field: of a save that met another change, and of a merge of two devices.

import { el, button } from "./dom.js";
import { post } from "./api.js";
import { emit, readOnly, state } from "./store.js";
import { labelOf } from "./kinds.js";
import { settle, giveUp, retry } from "./saver.js";
import { fieldOfSlot } from "./savejob.js";
import { moment } from "./dates.js";
import { say, sayError } from "./messages.js";
import { restoreRef, undoOf } from "./past.js";
import { doneText } from "./summary.js";

const shown = (value) =>
  value === null || value === undefined || value === ""
    ? "(nothing)"
    : Array.isArray(value)
      ? value.join(", ")
      : String(value);

function side(title, value, action, run, detail) {
  return el(
    "div",
    { class: "side" },
    el(
      "div",
      { class: "side-head" },
      el("strong", { text: title }),
      detail && el("span", { class: "muted", text: detail }),
    ),
    el("pre", { text: shown(value) }),
    action && button(action, run),
  );
}

/** A save that could not be merged: nothing was written yet. */
function saveConflict(job) {
  return el(
    "section",
    { class: "conflict", role: "alert", "aria-label": "Conflicting change" },
    el("h2", { text: "This was changed elsewhere while you edited it" }),
    job.conflicts.map((conflict) =>
      el(
        "div",
        { class: "conflict-field" },
        el("h3", { text: labelOf(conflict.field) }),
        el("div", { class: "sides" }, side("Yours", conflict.mine), side("Theirs", conflict.theirs)),
      ),
    ),
    el(
      "div",
      { class: "buttons" },
      button("Keep my version", () => settle(job, "mine"), { class: "primary" }),
      button("Use the other version", () => settle(job, "theirs")),
    ),
  );
}

/** A save that was refused: what was typed stays, and the reason is said. */
function refusal(job) {
  return el(
    "section",
    { class: "conflict", role: "alert", "aria-label": "Not saved" },
    el("h2", { text: `Not saved: ${nameOf(job)}` }),
    el("p", { text: job.error.advice }),
    el(
      "div",
      { class: "buttons" },
      button("Try again", () => retry(job)),
      button("Discard this change", () => giveUp(job)),
    ),
  );
}

/** What was typed into a note that is gone: it waits for the note, and can be copied. */
function waiting(job) {
  return el(
    "section",
    { class: "conflict", role: "alert", "aria-label": "Not saved" },
    el("h2", { text: `Not saved: ${nameOf(job)}` }),
    el("p", {
      text: "The note does not exist. Your text is kept in this browser and saved when the note is restored.",
    }),
    job.value === undefined ? null : el("pre", { class: "kept-text", tabIndex: 0, text: shown(job.value) }),
    el(
      "div",
      { class: "buttons" },
      readOnly() ? null : button("Restore the note", () => restoreRef(job.ref), { class: "primary" }),
      button("Try again", () => retry(job)),
      button("Discard this change", () => giveUp(job)),
    ),
  );
}

const nameOf = (job) => labelOf(job.slot ? fieldOfSlot(job.slot) : "change");

/** What stands in the way of a save, and what can be done about it. */
export const stuck = (job) => ({ conflict: saveConflict, refused: refusal, lost: waiting })[job.state](job);

/** A value on a button: its words if they are few. */
const named = (value) => {
  const text = shown(value);
  return text.length > 24 || text.includes("\n") ? "this version" : `“${text}”`;
};

/** The heading of a conflict. */
export function conflictTitle({ field }) {
  if (field === "note") return "One device deleted this note, and another changed it";
  if (field === "path") return "This note was moved to two places";
  return `${field === "body" ? "The text" : labelOf(field)} was changed on two devices`;
}

/** The text of a version and of its button: a note that a device deleted has no values. */
export function versionWords({ field }, { value, inNote }) {
  if (field !== "note") return { text: shown(value), keep: `Keep ${named(value)}` };
  return inNote
    ? { text: "The changed note", keep: "Keep the note" }
    : { text: "Deleted", keep: "Delete the note" };
}

/** What a choice settled: the field, and the title that the note has since. */
function resolvedText(field, { subject, notes }) {
  if (field === "note" || !notes[0]) return doneText(subject);
  return `Resolved ${labelOf(field).toLowerCase()}: ${notes[0].title || "Untitled"}`;
}

/** The versions that a merge of two devices kept: each with its device, its time and a button. */
export function storedConflicts(ref, conflicts) {
  const resolve = async (field, choice) => {
    try {
      const answer = await post("resolve", { ref, field, ...choice });
      const left = conflicts.length - 1;
      say(
        left
          ? `${resolvedText(field, answer)}. Conflicts left in this note: ${left}`
          : `${resolvedText(field, answer)}. All conflicts of this note are resolved`,
        undoOf(answer),
      );
      emit("changed");
    } catch (error) {
      sayError(error);
    }
  };
  const version = (conflict, one) => {
    const { number, device, author, time, inNote } = one;
    const words = versionWords(conflict, one);
    const from = device && device === state.box?.device ? `this device (${device})` : device || author;
    return side(
      inNote ? "In the note" : `From ${from || "the other device"}`,
      words.text,
      readOnly() ? null : words.keep,
      () => resolve(conflict.field, { version: number }),
      [inNote && from && `from ${from}`, time && moment(time)].filter(Boolean).join(", "),
    );
  };
  return conflicts.map((conflict) => {
    const canKeepBoth =
      !readOnly() &&
      (conflict.field === "body" || conflict.versions.every(({ value }) => Array.isArray(value)));
    return el(
      "section",
      { class: "conflict", "aria-label": `Conflict in ${labelOf(conflict.field)}` },
      el("h2", { text: conflictTitle(conflict) }),
      el(
        "div",
        { class: "sides" },
        conflict.versions.map((one) => version(conflict, one)),
      ),
      canKeepBoth &&
        el(
          "div",
          { class: "buttons" },
          button("Keep both", () => resolve(conflict.field, { all: true })),
        ),
    );
  });
}

/** Whoever edits the text of a note goes on with that after a choice in the pane of its conflicts. */
export function returnToText(/** @type {HTMLElement} */ pane, { area }) {
  let isEditing = false;
  pane.addEventListener("mousedown", (event) => {
    if (document.activeElement === area) event.preventDefault();
  });
  pane.addEventListener("focusin", ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && pane.contains(relatedTarget))) isEditing = relatedTarget === area;
  });
  pane.addEventListener("click", ({ target }) => {
    if (isEditing && !area.hidden && target instanceof Element && target.closest("button")) area.focus();
  });
}
