// @ts-check
// The palette and the help: the table of actions, each with its key beside it.

import { el } from "./dom.js";
import { choose, fold, hasWords, matching } from "./chooser.js";
import { keyText } from "./keys.js";
import { openDialog } from "./messages.js";
import { get, notesNow } from "./api.js";
import { go } from "./address.js";
import { folderTerm, kinds, labelOf, tagTerm } from "./kinds.js";
import { recentNotes } from "./recent.js";
import { placesOf } from "./names.js";
import { readOnly, refOf, state } from "./store.js";

const NONE = { notes: [] };
const MOST_RECENT = 6;
const ORDER = ["Write", "Go to", "Select", "Move", "Page"];

/** The query for what is typed: words as they are, and what has signs with a meaning as a phrase. */
const searchFor = (typed) =>
  /^[\p{L}\p{N}'’\s-]+$/u.test(typed) && !/(^|\s)-|\b(AND|OR|NOT)\b/.test(typed)
    ? typed
    : `"${typed.replace(/["\\]/g, "\\$&")}"`;

/** The terms of a query for titles that have words which begin so, in any order; null for a single word. */
export function titleTerms(typed) {
  const words = typed.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.length > 1 ? words.map((word) => `title:${word}*`).join(" ") : null;
}

/**
 * Notes whose titles fit what is typed: as a beginning or letters in order, and by words in any order.
 * Null if the server does not answer.
 */
async function notesFor(typed) {
  const terms = titleTerms(typed);
  const [byName, byWords] = await Promise.all([
    get("titles", { q: typed, limit: 12 }).catch(() => null),
    terms ? get("list", { q: terms, from: 0, limit: 12 }).catch(() => NONE) : NONE,
  ]);
  if (!byName) return null;
  const found = new Map();
  for (const { ref, title, kind, path } of [
    ...byWords.notes.map((note) => ({ ...note, ref: refOf(note) })),
    ...byName.notes,
  ])
    if (!found.has(ref)) found.set(ref, { ref, title, kind, path });
  return [...found.values()];
}

/** Kinds, groups, tags and folders that the list can show. */
function places() {
  const place = (text, detail, query) => ({
    text,
    detail,
    mark: "≡",
    run: () => go({ view: "notes", query, ref: null }),
  });
  const { box } = state;
  return [
    ...kinds()
      .filter((kind) => kind.count)
      .map((kind) => place(labelOf(kind.name), "kind", `kind:${kind.name}`)),
    ...(box.groups ?? []).map((group) => place(group.title || "Untitled", "group", group.query)),
    ...(box.folders ?? []).map(({ folder }) => place(folder, "folder", folderTerm(folder))),
    ...(box.tags ?? []).map(({ tag }) => place(`#${tag}`, "tag", tagTerm(tag))),
  ];
}

/**
 * Without a text: the notes that were open last, then every action that can be done now. With one: a note of
 * exactly that title, notes that were open last and have what is typed, actions, `parts()` of the open note,
 * places, and other notes;
 * `make(title)` makes one of a title that none has: the last item, never taken by the first Enter.
 */
export function openPalette(table, open, make, parts) {
  const rank = (action) => ORDER.indexOf(action.group);
  const now = table()
    .filter((action) => !action.when || action.when())
    .filter((action) => action.id !== "palette")
    // What an action is done to hangs on the focus, which the palette takes.
    .map((action) => ({ ...action, meant: action.about?.() }))
    .sort((a, b) => rank(a) - rank(b));
  const asked = notesNow(recentNotes());
  /** Whether the server has said which notes have such a title: else none is made. */
  let isKnown = true;
  const itemsOf = (notes) => {
    const places = placesOf(notes);
    return notes.map((note, index) => ({
      text: note.title || "Untitled",
      detail: [places[index], note.kind].filter(Boolean).join(" · "),
      mark: "→",
      run: () => open(note.ref),
    }));
  };
  const items = async (typed) => {
    const recent = await asked;
    const actions = matching(
      now.map((action) => ({
        text: action.title,
        match: action.verb,
        also: `${action.group} ${action.words ?? ""}`,
        detail: action.meant || action.group,
        key: keyText(action.keys?.[0]),
        run: action.run,
      })),
      typed,
    );
    if (!typed)
      return [
        ...itemsOf(recent.filter(({ ref }) => ref !== state.place.ref).slice(0, MOST_RECENT)),
        ...actions,
      ];
    const answer = await notesFor(typed);
    isKnown = answer !== null;
    const notes = answer ?? [];
    const isExact = (note) => fold(note.title ?? "") === fold(typed);
    const isRecent = (note) => recent.some(({ ref }) => ref === note.ref);
    const isFirst = (note) => isExact(note) || (isRecent(note) && hasWords(note.title ?? "", typed));
    const inOrder = [...notes].sort((a, b) => Number(isExact(b)) - Number(isExact(a)));
    const shown = itemsOf(inOrder);
    return [
      ...shown.filter((_, index) => isFirst(inOrder[index])),
      ...actions,
      ...matching(parts(), typed).slice(0, 20),
      ...matching(places(), typed).slice(0, 20),
      ...shown.filter((_, index) => !isFirst(inOrder[index])),
      isKnown && {
        text: `Search the notes for “${typed}”`,
        mark: "⌕",
        isConfirmed: true,
        isLast: true,
        run: () => go({ view: "notes", query: searchFor(typed), ref: null }),
      },
    ].filter(Boolean);
  };
  return choose({
    title: "Run an action, or go to a note",
    items,
    make: (text) =>
      readOnly() || !isKnown
        ? null
        : { text: `New note: ${text}`, key: "↓ Enter", mark: "+", isConfirmed: true, run: () => make(text) },
    name: "chooser palette",
  });
}

export function openHelp(table) {
  const groups = new Map();
  const isListed = ({ keys, view }) => keys?.length && (!view || view === state.place.view);
  for (const action of table())
    if (isListed(action)) groups.set(action.group, [...(groups.get(action.group) ?? []), action]);
  const dialog = openDialog(
    "Keys",
    () =>
      el(
        "div",
        { class: "dialog-body help", tabIndex: 0, role: "region", "aria-label": "All keys" },
        [...groups].map(([name, actions]) =>
          el(
            "section",
            {},
            el("h3", { text: name }),
            el(
              "dl",
              {},
              actions.map((action) =>
                el(
                  "div",
                  {},
                  el(
                    "dt",
                    {},
                    action.keys
                      .slice(0, 2)
                      .map((key, index) => [index ? " " : null, el("kbd", { text: keyText(key) })]),
                  ),
                  el("dd", { text: action.title }),
                ),
              ),
            ),
          ),
        ),
      ),
    { wide: true },
  );
  // Its keys scroll it at once.
  /** @type {HTMLElement} */ (dialog.querySelector(".help")).focus();
}
