// @ts-check
// Actions that change where notes are and how they are cut: move, split, merge; and the exchange with others:
// sync, export.

import { el, button } from "./dom.js";
import { get, post, titlesLike } from "./api.js";
import { state, emit, refOf } from "./store.js";
import { go } from "./address.js";
import { choose, matching } from "./chooser.js";
import { aboutOf } from "./choices.js";
import { headingsOf } from "./completion.js";
import { copy } from "./clipboard.js";
import { placesOf } from "./names.js";
import { openDialog, say, sayError } from "./messages.js";
import { afterSaves, once } from "./turns.js";
import { apply } from "./writes.js";

/** Asks for a folder, and moves notes there; links to them follow. */
export function moveNotes(/** @type {Notes} */ notes, total) {
  const move = (folder) =>
    apply("move", notes, total, { to: folder }, `Move to ${folder || "the top folder"}`, { yes: "Move" });
  const items = [
    { text: "The top folder", detail: "no folder", run: () => move("") },
    ...(state.box.folders ?? []).map(({ folder, count }) => ({
      text: folder,
      detail: `${count} ${count === 1 ? "note" : "notes"}`,
      run: () => move(folder),
    })),
  ];
  const make = (text) => {
    const folder = text.replace(/^\/+|\/+$/g, "");
    return folder ? { text: `New folder “${folder}”`, run: () => move(folder) } : null;
  };
  return choose({ title: "Move to a folder", about: aboutOf(notes, total), items, make });
}

/** Asks for a section of the open note, and makes a note of it. */
export function splitNote(/** @type {Note} */ note, text) {
  const split = (heading) => apply("split", [note], 1, { heading }, "Split");
  const headings = headingsOf(text);
  if (!headings.length) return say("The note has no headings to split at", { error: true });
  return choose({
    title: "Split a section into a new note",
    about: aboutOf([note], 1),
    items: headings.map((heading) => ({ text: heading.text, run: () => split(heading.text) })),
  });
}

/** Asks for the note that stays; the text, fields and links of the other one are added to it. */
export function mergeNote(/** @type {Note} */ note) {
  const own = refOf(note);
  const merge = async (target) => {
    /** @type {any[]} */
    const notes = [{ ref: target.ref, path: target.path ?? "", title: target.title }, note];
    const answer = await apply("merge", notes, 2, {}, `Merge into ${target.title}`, { yes: "Merge" });
    if (!answer) return;
    emit("removed", { refs: new Set([own, note.path]), operation: answer.operation });
    go({ ref: target.ref });
  };
  const items = async (typed) => {
    const notes = (await titlesLike(typed, 30)).notes.filter(({ ref }) => ref !== own);
    const places = placesOf(notes);
    return notes.map((one, index) => ({
      text: one.title || "Untitled",
      detail: [places[index], one.kind].filter(Boolean).join(" · "),
      run: () => merge(one),
    }));
  };
  return choose({ title: "Merge into another note", about: aboutOf([note], 1), items });
}

/** What a sync did, in words. */
export function syncText({ remote, received, sent, conflicts }) {
  const count = (files) => `${files.length} ${files.length === 1 ? "file" : "files"}`;
  const parts = [];
  if (received.length) parts.push(`received ${count(received)}`);
  if (sent.length) parts.push(`sent ${count(sent)}`);
  const done = parts.length ? `Synced with ${remote}: ${parts.join(", ")}` : `Up to date with ${remote}`;
  if (!conflicts.length) return done;
  const clashes = `${conflicts.length} ${conflicts.length === 1 ? "conflict" : "conflicts"}`;
  return `${done}. ${clashes}: both versions are kept`;
}

/** Sends what was saved to the remote, and gets what others sent there. */
export const sync = () =>
  once("sync", async () => {
    if (!(await afterSaves())) return;
    say("Syncing…");
    try {
      const answer = await post("sync", {});
      const show = { action: "Show", run: () => go({ view: "notes", query: "is:conflicted", ref: null }) };
      say(syncText(answer), answer.conflicts.length ? show : {});
    } catch (error) {
      sayError(error);
    }
    emit("changed");
  });

/** The forms of an export, each with what it is and where it goes; files in the box could become notes. */
const FORMS = [
  ["html", "A web site of plain files", "-o ../site"],
  ["markdown", "One text in Markdown", "> ../notes.md"],
  ["csv", "A table for a spreadsheet", "> ../notes.csv"],
  ["json", "JSON, which slip import reads", "> ../notes.json"],
  ["ical", "A calendar (iCalendar)", "> ../notes.ics"],
  ["todotxt", "Tasks as todo.txt", "> ../todo.txt"],
  ["taskwarrior", "Tasks for Taskwarrior", "> ../tasks.json"],
];

/** The command that exports what a query finds. */
export function exportCommand(form, query) {
  const [, , target] = FORMS.find(([name]) => name === form);
  const quoted = query ? ` '${query.replaceAll("'", "'\\''")}'` : "";
  return `slip export ${form}${quoted} ${target}`;
}

/** Shows the commands that export what the list shows: the page writes no files. */
export function exportNotes() {
  const query = state.place.view === "notes" ? state.place.query : "";
  const row = ([form, text]) => {
    const command = exportCommand(form, query);
    return el(
      "li",
      { class: "export-form" },
      el("span", { class: "grow" }, text, el("code", { text: command })),
      button("Copy", () => copy(command), { "aria-label": `Copy the command: ${text}` }),
    );
  };
  const about = query ? `The notes that “${query}” finds` : "All notes";
  openDialog(
    "Export",
    () =>
      el(
        "div",
        { class: "dialog-body" },
        el("p", { class: "muted", text: `${about}. Run one of these commands in the folder of the box.` }),
        el("ul", {}, FORMS.map(row)),
      ),
    { wide: true },
  );
}
