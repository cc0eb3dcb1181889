// @ts-check
// Changes of one note or many: many are shown as a patch first.

import { el, add } from "./dom.js";
import { get, post } from "./api.js";
import { state, emit, refOf } from "./store.js";
import { save } from "./saver.js";
import { once, afterSaves, versionOf } from "./turns.js";
import { ask, say, sayError } from "./messages.js";
import { choose } from "./chooser.js";
import { aboutOf, previewOf, sample } from "./choices.js";
import { holdWhileWriting } from "./held.js";
import { undoOf } from "./past.js";
import { kindOf, kindOfQuery, labelOf } from "./kinds.js";
import { fieldsFirst } from "./completion.js";
import { doneText, movesOf, summaryOf } from "./summary.js";
import { isDate, long, short } from "./dates.js";
import { splitChanges } from "./quickadd.js";

/** The notes that a request means: everything that the query finds, or those that are named. */
function request(notes, total) {
  return notes === "all"
    ? { where: state.place.query || "@all", expect: total }
    : { notes: notes.map((note) => ({ ref: refOf(note), etag: versionOf(note) })) };
}

export function patchView(patch) {
  const node = el("pre", { class: "patch", tabIndex: 0, "aria-label": "The patch" });
  const lines = patch.split("\n");
  for (const line of lines.slice(0, 2000)) {
    const kind = /^(diff |index |--- |\+\+\+ |new file|deleted file)/.test(line)
      ? "head"
      : line.startsWith("@@")
        ? "place"
        : line.startsWith("+")
          ? "more"
          : line.startsWith("-")
            ? "less"
            : "";
    add(node, el("span", { class: `patch-line ${kind}`, text: `${line}\n` }));
  }
  if (lines.length > 2000)
    add(node, el("span", { class: "patch-line head", text: `and ${lines.length - 2000} more lines` }));
  return node;
}

/** A value of the summary as people read it. */
const summaryText = (value) =>
  value === "" ? "nothing" : isDate(value) && value.length === 10 ? short(value) : value;

/** What a change does, a line for each field with the number of notes; the patch is behind a button. */
function summaryView(patch, moved) {
  const moves = moved ?? movesOf(patch);
  const rows = moves ? summaryOf(patch).filter(({ field }) => field !== null) : summaryOf(patch);
  const cells = ({ field, from, to }) => {
    if (field === null)
      return [
        el("td", { text: "Note" }),
        el("td", { colspan: 2, text: to === "new" ? "is created" : "is deleted" }),
      ];
    if (field === "body") return [el("td", { text: "Text" }), el("td", { colspan: 2, text: "is changed" })];
    return [
      el("td", { text: labelOf(field) }),
      el("td", { text: summaryText(from) }),
      el("td", { text: summaryText(to) }),
    ];
  };
  return [
    moves && el("p", { text: moves === 1 ? "1 note moves" : `${moves.toLocaleString()} notes move` }),
    rows.length > 0 &&
      el(
        "table",
        { class: "summary" },
        el(
          "thead",
          {},
          el(
            "tr",
            {},
            ["Field", "From", "To", "Notes"].map((text) => el("th", { scope: "col", text })),
          ),
        ),
        el(
          "tbody",
          {},
          rows
            .slice(0, 100)
            .map((row) =>
              el("tr", {}, cells(row), el("td", { class: "number", text: row.count.toLocaleString() })),
            ),
        ),
      ),
    rows.length > 100 && el("p", { class: "muted", text: `and ${rows.length - 100} more lines` }),
    el("details", { class: "patch-list" }, el("summary", { text: "Show the patch" }), patchView(patch)),
  ];
}

const MOST_TITLES = 20;

/** The titles of the notes that a change is about; of all notes of a query only the number is known. */
function titlesView(titles) {
  if (!titles.length) return null;
  const rest = titles.length - MOST_TITLES;
  return el(
    "ul",
    { class: "titles", "aria-label": "Selected notes" },
    titles.slice(0, MOST_TITLES).map((text) => el("li", { text })),
    rest > 0 && el("li", { class: "muted", text: `and ${rest.toLocaleString()} more` }),
  );
}

function written(answer) {
  say(
    answer.operation === null
      ? answer.subject || "No change: the notes already have this value"
      : doneText(answer.subject),
    undoOf(answer),
  );
  emit("fresh", answer.notes);
  emit("changed");
  return answer;
}

async function write(name, body, { refused = null }) {
  try {
    const answer = post(name, body);
    return written(await (name === "rm" ? holdWhileWriting(answer) : answer));
  } catch (error) {
    if (refused?.(error)) return null;
    sayError(error);
    if (error.status === 409) emit("changed");
    return null;
  }
}

/** The request with those notes as they are now that were changed since it was made. */
async function renewed(body, conflicts) {
  const changed = new Map();
  for (const ref of new Set(conflicts.map((one) => one.ref)))
    changed.set(ref, (await get("note", { ref })).etag);
  return body.notes
    ? { ...body, notes: body.notes.map((one) => ({ ...one, etag: changed.get(one.ref) ?? one.etag })) }
    : body;
}

/** Shows what would be written; resolves to the request for just that, or to null. */
async function agreed(name, body, title, isAgain, { yes = "Apply", danger = false, titles = [] }) {
  const { expect, ...meant } = body;
  const preview = await post(name, { ...meant, preview: true });
  if (!preview.patch) {
    say("No change: the notes already have this value");
    return null;
  }
  const notice = isAgain
    ? el("p", {
        class: "query-error",
        role: "alert",
        text: "The notes have changed since the preview. Nothing was written. This is the new preview.",
      })
    : null;
  // A file that is moved is one that is new and one that is gone, and links to it change other files.
  const moved = name === "move" ? (body.notes?.length ?? expect) : null;
  const count = moved ?? preview.count;
  const yesText = `${yes} (${count})`;
  if (
    !(await ask(
      `${title}: ${count} ${count === 1 ? "note" : "notes"}`,
      [notice, titlesView(titles), ...summaryView(preview.patch, moved)],
      { yes: yesText, danger },
    ))
  )
    return null;
  return preview.seen === undefined ? body : { ...meant, seen: preview.seen };
}

function unselect() {
  if (!state.selected.size && !state.allSelected) return;
  state.selected.clear();
  state.allSelected = false;
  emit("selection");
}

const ATTEMPTS = 5;

/** Writes what was seen and agreed to; where it is no longer that, it is shown anew. */
async function seenFirst(name, asked, title, options) {
  let body = asked;
  for (let attempt = 1; ; attempt++) {
    try {
      const shown = await agreed(name, body, title, attempt > 1, options);
      if (!shown) return null;
      const answer = await holdWhileWriting(post(name, shown));
      // Notes that were changed can be changed again; the list unselects them if they leave it.
      if (!body.notes || !["change", "do"].includes(name)) unselect();
      return written(answer);
    } catch (error) {
      if (options.refused?.(error)) return null;
      if (error.status !== 409 || attempt === ATTEMPTS) {
        sayError(error);
        return null;
      }
      emit("changed");
      try {
        body = await renewed(body, error.conflicts);
      } catch (other) {
        sayError(other);
        return null;
      }
    }
  }
}

function changeText(change) {
  if (typeof change === "string") return change;
  const { field, add, remove, value = "" } = change;
  return `${field}:${add !== undefined ? `+${add}` : remove !== undefined ? `-${remove}` : (value ?? "")}`;
}

const titleOf = (changes) => `Change ${changes.map(changeText).join(" ")}`;
const many = (notes) => notes === "all" || notes.length > 1;

/**
 * One write of its kind at a time, when all is saved: many notes are seen first.
 * @param {string} name
 * @param {Notes} notes
 * @param {any} options
 */
export const apply = (name, notes, total, more, title, options = {}) =>
  once(`${name} ${JSON.stringify([notes === "all" || notes.map(refOf), more])}`, async () => {
    if (!(await afterSaves())) return null;
    const body = { ...request(notes, total), ...more };
    if (!many(notes) && !options.isSeen) return write(name, body, options);
    const titles = notes === "all" ? [] : notes.map((note) => note.title || "Untitled");
    return seenFirst(name, body, title, { ...options, titles });
  });

/** One change of the whole box at a time, when all is saved: it is seen first. */
export const applyToBox = (name, body, title, options = {}) =>
  once(`${name} ${JSON.stringify(body)}`, async () =>
    (await afterSaves()) ? seenFirst(name, body, title, options) : null,
  );

export async function change(notes, changes, total) {
  if (many(notes))
    return apply("change", notes, total, { changes }, titleOf(changes));
  const [note] = notes;
  const answer = await save({ ref: refOf(note), etag: note.etag, changes, title: note.title });
  if (answer?.operation) say(doneText(answer.subject), undoOf(answer));
  if (answer) emit("changed");
  return answer;
}

export const act = (action, notes, total) =>
  apply("do", notes, total, { action, changes: [] }, labelOf(action));
/** Deletes notes; panes that show one of them hear that it was done here. */
async function applyRemoval(notes, total, more, options) {
  const answer = await apply("rm", notes, total, more, "Delete", { yes: "Delete", danger: true, ...options });
  if (answer)
    emit("removed", {
      refs: notes === "all" ? null : new Set(notes.flatMap((note) => [refOf(note), note.path])),
      operation: answer.operation,
    });
  return answer;
}

export const remove = (notes, total) =>
  applyRemoval(notes, total, {}, { refused: (error) => askReferrers(error, notes, total) });

/** Records refer to the deleted notes: what becomes of them is chosen, and seen before it is done. */
function askReferrers(error, notes, total) {
  if (error.code !== "has-referrers") return false;
  const also = (referrers) => applyRemoval(notes, total, { referrers }, { isSeen: true });
  choose({
    title: error.message,
    about: aboutOf(notes, total),
    items: [
      {
        text: "Remove the references, and delete it",
        run: () => {
          also("detach");
        },
      },
      {
        text: "Delete the records too",
        run: () => {
          also("cascade");
        },
      },
    ],
  });
  return true;
}

/** Terms that queries have and changes do not; a text is edited in its note. */
const NOT_SET = /^(is|has|kind|links|linked-by|sort|limit|path|body|id|created|modified):/;

/** What the last word of a query can become; nothing if the server does not say. */
async function completionsOf(word) {
  try {
    return (await get("complete", { q: word, cursor: word.length })).items;
  } catch {
    return [];
  }
}

/** The names of the fields that the kinds of the notes have; each note has a title and tags. */
function fieldNamesOf(notes) {
  const { place, cursor } = state;
  const kinds = notes === "all" ? [kindOfQuery(place.query), cursor && kindOf(cursor)] : notes.map(kindOf);
  const names = new Set(kinds.flatMap((kind) => kind?.fields.map(({ name }) => name) ?? []));
  return [...names].filter((name) => !["title", "tags"].includes(name));
}

/** What changes do to a note, as the server reads them: `due:next monday` is shown with its day. */
async function meaningOf(note, changes) {
  const { patch, fault } = await previewOf(note, changes);
  if (fault) return fault;
  const rows = summaryOf(patch).filter(({ field }) => field && field !== "body");
  const texts = rows.map(({ field, from, to }) => {
    if (field === "tags") return [to && `+${to}`, from && `-${from}`].filter(Boolean).join(" ");
    return `${labelOf(field)}: ${isDate(to) && to.length === 10 ? long(to) : summaryText(to)}`;
  });
  return texts.join(", ") || "the present value";
}

/** A change as it is typed among others. */
const typedAs = (change) =>
  splitChanges(change).length === 1 ? change : change.replace(/:(.*)$/s, (all, value) => `:"${value}"`);
const isSet = (text) => /^[+-].|:/.test(text) && !NOT_SET.test(text);

/**
 * Changes as the command takes them, typed for the whole selection. After a refused change the dialog has its
 * text (`typed`) and the error (`fault`).
 */
export function typeChanges(notes, total, { typed = "", fault = "" } = {}) {
  const names = fieldNamesOf(notes);
  const [first] = sample(notes);
  const run = (changes, text) => () => {
    const refused = (error) => {
      if (error.status === 409 || error.code === "offline") return false;
      typeChanges(notes, total, { typed: text, fault: error.advice ?? error.message });
      return true;
    };
    return apply("change", notes, total, { changes }, titleOf(changes), { refused });
  };
  const items = async (text) => {
    const changes = splitChanges(text, names);
    const last = changes.at(-1) ?? "";
    const isWhole = changes.length > 0 && changes.every(isSet);
    const detail = isWhole && first ? meaningOf(first, changes) : "show the change";
    const found = last.includes(" ") ? [] : await completionsOf(last);
    const completions = fieldsFirst(found, last.includes(" ") ? [] : names, last)
      .filter((item) => isSet(item.text) && item.text !== last)
      .map((item) => {
        const whole = [...changes.slice(0, -1).map(typedAs), item.text].join(" ");
        const next = () => typeChanges(notes, total, { typed: whole });
        return {
          text: whole,
          detail: item.detail,
          run: whole.endsWith(":") ? next : run(splitChanges(whole, names), whole),
        };
      });
    const own = isWhole ? [{ text, detail: await detail, run: run(changes, text) }] : [];
    return [...own, ...completions];
  };
  return choose({
    title: "Change",
    about: aboutOf(notes, total),
    fault,
    placeholder: "status:closed +tag -tag due:friday",
    typed,
    items,
  });
}
