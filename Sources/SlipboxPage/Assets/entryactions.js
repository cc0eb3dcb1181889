// @ts-check
// What can be done to a tag or a folder of the sidebar: for its menu, for the palette and the help.

import { emit, isOfNotes, state, readOnly } from "./store.js";
import { go } from "./address.js";
import { choose } from "./chooser.js";
import { copy } from "./clipboard.js";
import { folderTerm, tagTerm } from "./kinds.js";
import { rememberName } from "./filters.js";
import { newNote } from "./newnote.js";
import { applyToBox } from "./writes.js";

/**
 * A tag or a folder of the box.
 * @typedef {{ type: "tag" | "folder", name: string }} BoxEntry
 */

const termOf = (/** @type {BoxEntry} */ { type, name }) =>
  type === "tag" ? tagTerm(name) : folderTerm(name);
const wordOf = (/** @type {BoxEntry} */ { type, name }) => (type === "tag" ? `#${name}` : `${name}/`);

/** Leaves the notes of an entry out of the list or the saved view that is shown. */
function exclude(entry) {
  const term = termOf(entry);
  const excluded = entry.type === "tag" && term.startsWith("+") ? `-${term.slice(1)}` : `NOT ${term}`;
  const { view, query } = isOfNotes() ? state.place : { view: "notes", query: "" };
  const words = query.split(" ").filter(Boolean);
  const others = words.filter((word) => word !== term && word !== excluded);
  const kept = others.length < words.length ? others.join(" ") : query;
  return go({ view, query: [kept, excluded].filter(Boolean).join(" "), ref: null });
}

/**
 * The tag or the folder that the list shows; null if it shows something else.
 * @returns {BoxEntry | null}
 */
export function shownEntry() {
  const { view, query } = state.place;
  if (view !== "notes" || !query || !state.box) return null;
  const { tags = [], folders = [] } = state.box;
  const tag = tags.find((one) => tagTerm(one.tag) === query);
  if (tag) return { type: "tag", name: tag.tag };
  const folder = folders.find((one) => folderTerm(one.folder) === query);
  return folder ? { type: "folder", name: folder.folder } : null;
}

/** Shows an entry, or one below it, by its new name, if the list shows it by the old one. */
function follow(entry, name, shown) {
  if (shown?.type !== entry.type || !`${shown.name}/`.startsWith(`${entry.name}/`)) return;
  const query = termOf({ type: entry.type, name: name + shown.name.slice(entry.name.length) });
  rememberName({ view: "notes", query: state.place.query }, { view: "notes", query });
  go({ view: "notes", query }, { replace: true });
}

async function change(entry, request, title, yes, name) {
  const shown = shownEntry();
  if (await applyToBox(entry.type, request, title, { yes })) follow(entry, name, shown);
}

function renameTag(entry) {
  const { name } = entry;
  const merge = (other) =>
    change(entry, { tag: name, to: other, merge: true }, `Merge #${name} into #${other}`, "Merge", other);
  const rename = (other) =>
    change(entry, { tag: name, to: other }, `Rename #${name} to #${other}`, "Rename", other);
  const others = (state.box?.tags ?? []).filter(({ tag }) => !`${tag}/`.startsWith(`${name}/`));
  return choose({
    title: "Rename the tag",
    about: `#${name}`,
    typed: name,
    isProposal: true,
    items: others.map(({ tag, count }) => ({
      text: tag,
      detail: `merge into ${count} ${count === 1 ? "note" : "notes"}`,
      run: () => merge(tag),
    })),
    make: (text) => {
      const other = text.replace(/^[#+]/, "").trim();
      return other && other !== name ? { text: `Rename to “${other}”`, run: () => rename(other) } : null;
    },
  });
}

function moveFolder(entry) {
  const { name } = entry;
  const last = name.slice(name.lastIndexOf("/") + 1);
  const outer = name.slice(0, name.length - last.length).replace(/\/$/, "");
  const move = (to, other) =>
    change(entry, { folder: name, to }, `Move ${name}/ to ${other}/`, "Move", other);
  const others = (state.box?.folders ?? [])
    .map(({ folder }) => folder)
    .filter((folder) => !`${folder}/`.startsWith(`${name}/`) && folder !== outer);
  const top = { text: "The top folder", detail: "no folder", run: () => move("./", last) };
  return choose({
    title: "Rename or move the folder",
    about: `${name}/`,
    typed: name,
    isProposal: true,
    items: [
      ...(outer ? [top] : []),
      ...others.map((folder) => ({
        text: folder,
        detail: "move into this folder",
        run: () => move(`${folder}/`, `${folder}/${last}`),
      })),
    ],
    make: (text) => {
      const other = text.replace(/^\/+|\/+$/g, "");
      const item = { text: `Rename to “${other}/”`, run: () => move(other, other) };
      return other && other !== name ? item : null;
    },
  });
}

const rename = (entry) => (entry.type === "tag" ? renameTag(entry) : moveFolder(entry));

/**
 * The actions of an entry, as the table of actions has them: `{id, title, run, when}`. `create` makes a note.
 * @param {BoxEntry} entry
 */
export function entryActions(entry, create) {
  const isTag = entry.type === "tag";
  const place = isTag ? { given: [{ field: "tags", value: entry.name }] } : { folder: entry.name };
  const canChange = () => !readOnly();
  const show = (query) => go({ view: "notes", query, ref: null });
  return [
    { id: "entry-open", title: "Open", run: () => show(termOf(entry)) },
    {
      id: "entry-new",
      title: isTag ? "New note with this tag" : "New note in this folder",
      run: () => newNote({ ...place, isElsewhere: true, create }),
      when: canChange,
    },
    { id: "entry-exclude", title: "Exclude from the filter", run: () => exclude(entry) },
    { id: "entry-copy", title: "Copy the name", run: () => copy(entry.name) },
    {
      id: "entry-rename",
      title: isTag ? "Rename or merge…" : "Rename or move…",
      run: () => rename(entry),
      when: canChange,
    },
  ];
}

/** The actions of the tag or the folder that the list shows, with its name in their titles. */
export function shownEntryActions(create) {
  const entry = shownEntry();
  if (!entry) return [];
  return entryActions(entry, create)
    .filter(({ id }) => !["entry-open", "entry-exclude"].includes(id))
    .map((one) => ({ ...one, title: `${one.title.replace(/…$/, "")}: ${wordOf(entry)}`, keys: [] }));
}

/** Opens the menu of an entry at a place of the window. */
export function openEntryMenu(/** @type {BoxEntry} */ entry, create, at) {
  const items = entryActions(entry, create).filter(({ when }) => !when || when());
  choose({
    title: "Actions",
    about: wordOf(entry),
    items: items.map(({ title, run }) => ({
      text: title,
      run: () => {
        // On a narrow screen the sidebar is above what is shown.
        emit("entry-chosen");
        return run();
      },
    })),
    at,
  });
}
