// The table of actions: what can be done, its key, and when. Keys, palette, help and titles of buttons read it.

import { state, emit, readOnly, refOf } from "./store.js";
import { go } from "./address.js";
import { kindOf, stateField, rankField, dueField, dayAction, actionsFor, labelOf, kinds, fieldOf, valueOf } from "./kinds.js";
import { aboutOf, chooseFor, chooseTags } from "./choices.js";
import { choose } from "./chooser.js";
import { change, act, remove, typeChanges } from "./writes.js";
import { newNote, openDaily } from "./newnote.js";
import { undo, redo } from "./past.js";
import { openPalette, openHelp } from "./palette.js";
import { keyText } from "./keys.js";
import { say } from "./messages.js";
import { stuckJobs } from "./saver.js";
import { openUnsaved } from "./unsaved.js";
import { themeActions } from "./theme.js";
import { linkText } from "./linking.js";
import { get } from "./api.js";
import { saveFilter, canSaveFilter, dropFilter, droppable, renameFilter } from "./filters.js";

/** Whether the note that is shown is meant: nothing is selected, and the cursor is not on its way to another one. */
const meansOpen = (app) => !state.allSelected && !state.selected.size && app.meansShown();
/** The note that is meant is being read; the one before it is still in sight and must not be taken for it. */
const isAwaited = (app) => meansOpen(app) && !app.isShown();

/** What an action is done to: the selection, else the note that is shown, else the one under the cursor. */
export function targets(app) {
  if (state.allSelected) return "all";
  if (state.selected.size) return [...state.selected.values()];
  if (meansOpen(app)) return app.isShown() && state.note && !state.gone ? [app.detail.target()] : [];
  return state.cursor && state.place.view === "notes" ? [state.cursor] : [];
}

const sample = (notes) => (notes === "all" ? [state.cursor].filter(Boolean) : notes);
const changeable = () => !readOnly();

export function runAction(app, name) {
  const notes = targets(app);
  if (notes.length) act(name, notes, app.list.total);
}

function onField(app, pick, word) {
  return () => {
    const notes = targets(app);
    const [first] = sample(notes);
    if (!first) return;
    const kind = kindOf(first);
    const field = pick(kind);
    if (!field) { say(`A ${kind.name} has no ${word}`); return; }
    const write = (changes) => change(notes, changes, app.list.total);
    const about = aboutOf(notes, app.list.total);
    if (field.type === "boolean" && notes.length === 1) { const now = valueOf(first, field); write([{ field: field.name, value: String(!(now === true || now === "true")) }]); } else chooseFor(sample(notes), field.name, write, about);
  };
}

function toggleDay(app) {
  const notes = targets(app);
  const [first] = sample(notes);
  const day = first && dayAction(kindOf(first));
  if (!day) { if (first) say(`A ${kindOf(first).name} has no day`); return; }
  if (valueOf(first, fieldOf(kindOf(first), day.field)) === state.box.today) change(notes, [{ field: day.field, value: "" }], app.list.total);
  else act(day.action, notes, app.list.total);
}

function chooseAction(app) {
  const notes = targets(app);
  const [first] = sample(notes);
  if (!first) return;
  const names = notes.length === 1 ? actionsFor(first) : Object.keys(kindOf(first).actions ?? {});
  if (!names.length) { say(`A ${kindOf(first).name} has no actions`); return; }
  choose({ title: "Actions", about: aboutOf(notes, app.list.total), items: names.map((name) => ({ text: labelOf(name), run: () => act(name, notes, app.list.total) })) });
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    say(`Copied: ${text}`);
  } catch { say(`The browser does not let the page copy: ${text}`, { error: true }); }
}

/** The link to a note as it is written in a text. */
async function copyLink({ title, ...note }) {
  const { notes } = await get("titles", { q: title ?? "", limit: 50 }).catch(() => ({ notes: [] }));
  return copy(linkText({ ref: refOf(note), title }, notes));
}

/** `g` and a letter for each filter: the first of its name that is free. */
function filterActions() {
  const taken = new Set();
  return (state.box?.filters ?? []).map((filter) => {
    const letter = [...filter.name].find((one) => /[a-z]/.test(one) && !taken.has(one));
    if (letter) taken.add(letter);
    return { id: `filter-${filter.name}`, group: "Go to", title: `${labelOf(filter.name)}`, keys: letter ? [`g ${letter}`] : [],
      run: () => go({ view: "notes", query: filter.query === "" ? "" : `@${filter.name}`, ref: null }) };
  });
}

export function actionTable(app) {
  const { list, detail, filter, sidebar, slider } = app;
  const listed = () => !["history", "todos"].includes(state.place.view);
  const some = () => isAwaited(app) || targets(app).length > 0;
  const free = () => changeable() && some();
  const open = (ref) => app.open(ref, { focus: true });
  const here = sample(targets(app))[0];
  const all = [
    { id: "down", group: "Move", repeats: true, title: "Next note", keys: ["j", "ArrowDown"], run: () => app.move(1), when: listed },
    { id: "up", group: "Move", repeats: true, title: "Previous note", keys: ["k", "ArrowUp"], run: () => app.move(-1), when: listed },
    { id: "page-down", group: "Move", repeats: true, title: "Page down", keys: ["PageDown"], run: () => app.move(list.page()), when: listed },
    { id: "page-up", group: "Move", repeats: true, title: "Page up", keys: ["PageUp"], run: () => app.move(-list.page()), when: listed },
    { id: "first", group: "Move", title: "First note", keys: ["Home"], run: () => app.move(-Infinity), when: listed },
    { id: "last", group: "Move", title: "Last note", keys: ["End"], run: () => app.move(Infinity), when: listed },
    { id: "open", group: "Move", title: "Open the note", keys: ["Enter", "o"], run: () => app.openCursor(true), when: () => state.cursor && listed() },
    { id: "peek", group: "Move", title: "Peek at the note", keys: ["space"], run: () => app.openCursor(false), when: () => state.cursor && listed() },
    { id: "back", group: "Move", title: "Back to the list", keys: ["Escape"], run: () => app.escape() },
    { id: "sidebar", group: "Move", title: "To the sidebar", keys: ["b"], run: () => app.showSidebar() },
    { id: "select", group: "Select", title: "Select or deselect the note", keys: ["x"], run: () => list.toggle(), when: changeable },
    { id: "range", group: "Select", title: "Select the range from the last selected note", keys: ["X"], run: () => list.range(), when: changeable },
    { id: "all", group: "Select", title: "Select all", keys: ["ctrl+a"], run: () => { state.allSelected = list.total > 0; emit("selection"); }, when: () => changeable() && state.place.view === "notes" },
    { id: "none", group: "Select", title: "Clear the selection", keys: [], run: () => app.unselect(), when: () => state.allSelected || state.selected.size > 0 },
    { id: "new", group: "Write", title: "New note or record", keys: ["c"], run: () => newNote({ create: app.create }), when: changeable },
    ...kinds().map((kind) => ({ id: `new-${kind.name}`, group: "Write", title: `New ${kind.name}`, keys: [], run: () => newNote({ kind: kind.name, create: app.create }), when: changeable })),
    { id: "daily", group: "Go to", title: "Today’s note", keys: ["g ."], run: () => openDaily(app.create), when: changeable },
    { id: "edit", group: "Write", title: "Edit the text", keys: ["e"], run: () => app.edit(), when: free },
    { id: "title", group: "Write", title: "Edit the title", keys: ["t"], run: () => app.editTitle(), when: free },
    { id: "state", group: "Write", title: "Set the state", keys: ["s"], run: onField(app, stateField, "state"), when: free },
    { id: "rank", group: "Write", title: "Set the priority", keys: ["p"], run: onField(app, rankField, "priority"), when: free },
    { id: "due", group: "Write", title: "Set the date", keys: ["d"], run: onField(app, dueField, "date"), when: free },
    { id: "tags", group: "Write", title: "Tags", keys: ["l"], when: free, run: () => {
      const notes = targets(app);
      chooseTags(sample(notes), (changes) => change(notes, changes, list.total), aboutOf(notes, list.total));
    } },
    { id: "day", group: "Write", title: "Add to or remove from My Day", keys: ["m"], run: () => toggleDay(app), when: free },
    { id: "fields", group: "Write", title: "Set a field…", keys: ["f"], when: free, run: () => {
      const notes = targets(app);
      const [first] = sample(notes);
      const kind = kindOf(first);
      const about = aboutOf(notes, list.total);
      const write = (changes) => change(notes, changes, list.total);
      const fields = kind.fields.filter((field) => field.name !== "created");
      choose({ title: "Field", about, items: fields.map((field) => ({
        text: labelOf(field.name), detail: field.comment, run: () => chooseFor(sample(notes), field.name, write, about),
      })) });
    } },
    { id: "actions", group: "Write", title: "Actions of the kind…", keys: ["a"], run: () => chooseAction(app), when: free },
    ...(here && free() ? actionsFor(here).map((name) => ({ id: `do-${name}`, group: `Actions of ${kindOf(here).name}`, title: labelOf(name), keys: [], run: () => runAction(app, name) })) : []),
    { id: "bulk", group: "Write", title: "Change the selection…", keys: ["="], run: () => typeChanges(targets(app), list.total), when: free },
    { id: "delete", group: "Write", title: "Delete", keys: ["#", "Delete"], run: () => remove(targets(app), list.total), when: free },
    { id: "undo", group: "Write", verb: "Undo", title: state.box?.undo ? `Undo: ${state.box.undo.subject}` : "Undo", keys: ["z", "ctrl+z"], run: () => undo(), when: changeable },
    { id: "redo", group: "Write", verb: "Redo", title: state.box?.redo ? `Redo: ${state.box.redo.subject}` : "Redo", keys: ["Z", "ctrl+y"], run: () => redo(), when: changeable },
    { id: "attach", group: "Write", title: "Attach a picture…", keys: [], run: () => detail.body.choosePicture(), when: () => changeable() && state.note !== null && !state.gone },
    { id: "save", group: "Write", title: "Save the text now", keys: ["ctrl+s"], everywhere: true, run: () => detail.body.save() },
    { id: "filter", group: "Go to", title: "Filter", keys: ["/"], run: () => filter.focus() },
    { id: "keep-filter", group: "Go to", title: "Save this filter…", keys: ["S"], run: () => saveFilter(), when: canSaveFilter },
    { id: "drop-filter", group: "Go to", verb: "Drop the filter", title: `Drop the filter ${droppable()?.name ?? ""}`.trim(), keys: [], run: () => dropFilter(), when: () => Boolean(droppable()) },
    { id: "rename-filter", group: "Go to", verb: "Rename the filter", title: `Rename the filter ${droppable()?.name ?? ""}`.trim(), keys: [], run: () => renameFilter(), when: () => Boolean(droppable()) },
    { id: "palette", group: "Go to", title: "All actions, and notes by title", keys: ["ctrl+k"], everywhere: true, run: () => openPalette(() => actionTable(app), open) },
    { id: "past", group: "Go to", title: "The past: as of a day", keys: ["@"], run: () => slider.open() },
    { id: "now", group: "Go to", title: "Return to the present", keys: [], run: () => slider.now(), when: () => state.place.at },
    ...filterActions(),
    { id: "deleted", group: "Go to", title: "Deleted notes", keys: ["g D"], run: () => go({ view: "deleted", query: "", ref: null }) },
    { id: "history", group: "Go to", title: "History of the box", keys: ["g H"], run: () => go({ view: "history", query: "", ref: null }) },
    { id: "todos", group: "Go to", title: "Open check boxes", keys: ["g x"], run: () => go({ view: "todos", query: "", ref: null }) },
    { id: "conflicts", group: "Go to", title: "Conflicts", keys: ["g C"], run: () => go({ view: "notes", query: "is:conflicted", ref: null }) },
    { id: "kinds", group: "Go to", title: "To the sidebar's tags and kinds", keys: ["g g"], run: () => sidebar.focus() },
    { id: "unsaved", group: "Go to", title: "Unsaved changes", keys: ["g !"], run: () => openUnsaved(), when: () => stuckJobs().length > 0 },
    { id: "copy-link", group: "Page", title: "Copy the link to the note", keys: [], run: () => copyLink(targets(app)[0]), when: () => targets(app).length === 1 },
    { id: "copy-address", group: "Page", title: "Copy the address of this view", keys: [], run: () => copy(location.href) },
    ...themeActions(),
    { id: "help", group: "Go to", title: "All keys", keys: ["?"], run: () => openHelp(() => actionTable(app)) },
  ];
  // What is done to the note that is being read waits for it.
  return all.map((action) => (action.when === free ? { ...action, run: () => (isAwaited(app) ? app.whenShown(action.run) : action.run()) } : action));
}

/** The title of a button for an action of the table: what it does, and its key. */
export function titled(app, id) {
  const action = actionTable(app).find((one) => one.id === id);
  const key = keyText(action?.keys?.[0]);
  return key ? `${action.title} (${key})` : action?.title;
}
