// @ts-check
// The table of actions: what can be done, its key, and when. Keys, palette, help and titles of buttons read
// it.

import { state, emit, readOnly, refOf } from "./store.js";
import { go } from "./address.js";
import {
  actionsFor,
  dueField,
  dueFilters,
  kindOf,
  kinds,
  labelOf,
  rankField,
  stateField,
  viewNamed,
} from "./kinds.js";
import { runAction, setField, chooseField, setTags, toggleDay, chooseAction } from "./acting.js";
import { isAwaited, targets } from "./meant.js";
import { aboutOf, sample } from "./choices.js";
import { copy, copyLink } from "./clipboard.js";
import { range, toggle, toggleNote } from "./selecting.js";
import { moveNotes, splitNote, mergeNote, sync, exportNotes } from "./shaping.js";
import { remove, typeChanges } from "./writes.js";
import { newNote, openDaily, makeMissing } from "./newnote.js";
import { redoNext, undoNext } from "./past.js";
import { partsOf } from "./outline.js";
import { openPalette, openHelp } from "./palette.js";
import { keyText } from "./keys.js";
import { filterLetters } from "./names.js";
import { say } from "./messages.js";
import { stuckJobs } from "./saver.js";
import { openUnsaved } from "./unsaved.js";
import { themeActions } from "./theme.js";
import { canSaveView, renameView, saveView } from "./savedview.js";
import { shownEntryActions } from "./entryactions.js";
import {
  saveFilter,
  canSaveFilter,
  dropFilter,
  droppable,
  renameFilter,
  changeFilter,
  shownFilter,
} from "./filters.js";

/**
 * An action: `when` says whether it can be done now, `why` the reason why not; `repeats`: while its key is
 * held down; `everywhere`: its key counts while one types too; `verb`: what the palette searches in place of
 * the title; `words`: what it searches beside it; `view`: the one view that the help lists it in; `about`:
 * names the notes that it is done to.
 */
const action = (id, title, keys, run, more = {}) => ({ id, title, keys, run, ...more });

const changeable = () => !readOnly();
/** Why nothing can be changed; null if it can be. */
const whyNot = () => {
  if (state.place.at) return "The past can't be changed. Return to the present first";
  return state.box?.readOnly ? "This page was opened to be read only" : null;
};
/** Why an action finds no note. */
function whyNoNote(app) {
  const { todos } = app;
  return isTodos() && todos.cursorRef() !== null
    ? `Open the note “${todos.cursorTitle()}” first (Enter): this key changes notes, not check boxes`
    : "No note is selected";
}
const isList = () => !["history", "today", "todos"].includes(state.place.view);
const isTodos = () => state.place.view === "todos";
const isOpen = () => state.note !== null && !state.gone;
/** Keys of the list mean nothing while the open note has the focus: their row may be that of another note. */
const isInNote = (app) => state.place.ref !== null && app.detail.node.contains(document.activeElement);
const about = (app) => () => {
  const notes = targets(app);
  return notes.length ? aboutOf(notes, app.list.total) : "";
};
const show = (view, query = "") => go({ view, query, ref: null });

function moveActions(app) {
  const { list } = app;
  const isView = () => state.place.view === "view";
  const inView = { when: isView, repeats: true, view: "view" };
  const page = () => (isTodos() ? app.todos : list).page();
  const pageOf = (step) => (isView() ? app.saved.page(step) : app.move(step * page()));
  const isLines = () => isList() || isTodos();
  const listed = { when: isLines };
  const moving = { when: isLines, repeats: true };
  const onRow = { when: () => state.cursor && isList() && !isInNote(app) };
  const onLine = { when: () => (isTodos() && !isInNote(app)) || onRow.when() };
  const peek = () => app.openCursor(state.place.view === "deleted");
  return [
    action("down", "Next note", ["j", "ArrowDown"], () => app.move(1), moving),
    action("up", "Previous note", ["k", "ArrowUp"], () => app.move(-1), moving),
    action("page-down", "Page down", ["PageDown"], () => pageOf(1), moving),
    action("page-up", "Page up", ["PageUp"], () => pageOf(-1), moving),
    action("first", "First note", ["Home"], () => app.move(-Infinity), listed),
    action("last", "Last note", ["End"], () => app.move(Infinity), listed),
    action("column-left", "Column or day before", ["ArrowLeft"], () => app.saved.form.turn(-1), inView),
    action("column-right", "Next column or day", ["ArrowRight"], () => app.saved.form.turn(1), inView),
    action("open", "Open the note", ["Enter", "o"], () => app.openCursor(true), onLine),
    action("peek", "Peek at the note", ["space"], peek, onRow),
    action("back", "Back to the list", ["Escape"], () => app.escape()),
    action("sidebar", "Go to the sidebar", ["b"], () => app.sidebar.toggle()),
  ];
}

function selectActions(app) {
  const { list } = app;
  const isCards = () => state.place.view === "view" && app.saved.hasCards;
  const selectAll = () => {
    if (isCards()) return app.saved.selectShown();
    state.allSelected = list.total > 0;
    return emit("selection");
  };
  const select = () => {
    if (!isCards()) toggle(list);
    else if (state.cursor) toggleNote(state.cursor);
  };
  const isSelected = () => state.allSelected || state.selected.size > 0;
  const notes = { when: () => changeable() && state.place.view === "notes", view: "notes" };
  const boxes = { when: () => changeable() && isTodos() && !isInNote(app), view: "todos" };
  const shown = isCards() ? { when: changeable, view: "view" } : notes;
  const extending = { ...notes, repeats: true };
  return [
    action("tick", "Tick the check box", ["x", "space"], () => app.todos.tickCursor(), boxes),
    action("select", "Select or deselect the note", ["x"], select, shown),
    action("range", "Select the range from the last selected note", ["X"], () => range(list), notes),
    action("extend-down", "Extend the selection down", ["shift+ArrowDown"], () => app.extend(1), extending),
    action("extend-up", "Extend the selection up", ["shift+ArrowUp"], () => app.extend(-1), extending),
    action("all", "Select all", ["ctrl+a"], selectAll, shown),
    action("none", "Clear the selection", [], () => app.unselect(), { when: isSelected }),
  ];
}

/** Actions that make notes or change those that are meant. */
function writeActions(app) {
  const { list, detail } = app;
  const given = () => (state.place.view === "view" ? app.saved.given() : []);
  const create = (kind = null) => newNote({ kind, given: given(), create: app.create });
  const some = () => isAwaited(app) || targets(app).length > 0;
  // What is done to the note that is being read waits for it.
  const onNotes = (id, title, keys, run, more = {}) =>
    action(id, title, keys, () => (isAwaited(app) ? app.whenShown(run) : run()), {
      when: () => changeable() && some(),
      why: () => whyNot() ?? whyNoNote(app),
      about: about(app),
      ...more,
    });
  /** Runs what is done to one note. */
  const ofOne = (run) => {
    const notes = targets(app);
    if (notes.length === 1) run(notes[0]);
    else say("Select one note", { error: true });
  };
  const textOf = (note) =>
    app.isShown() && state.note && refOf(note) === refOf(state.note) ? detail.body.area.value : note.body;
  const can = { when: changeable, why: whyNot };
  /** In the list of check boxes, the note of a box is opened first. */
  const opening = { when: () => changeable() && (some() || (isTodos() && app.openable())) };
  const ofView = {
    when: () => changeable() && state.place.view === "view",
    why: () => whyNot() ?? "Only a board or a calendar has cards to move",
    view: "view",
  };
  const attach = () => detail.body.pictures.choose();
  const reversed = (word) => {
    const operation = state.box?.[word.toLowerCase()];
    return operation ? `${word}: ${operation.subject}` : word;
  };
  return [
    action("new", "New note or record", ["c"], () => create(), { ...can, words: "create add template" }),
    ...kinds().map(({ name }) => action(`new-${name}`, `New ${name}`, [], () => create(name), can)),
    onNotes("edit", "Edit the text", ["e"], () => app.edit(), opening),
    onNotes("title", "Edit the title", ["t"], () => app.editTitle(), {
      ...opening,
      words: "rename retitle",
    }),
    onNotes("state", "Set the state", ["s"], () => setField(app, stateField, "state")),
    onNotes("rank", "Set the priority", ["p"], () => setField(app, rankField, "priority")),
    onNotes("due", "Set the date", ["d"], () => setField(app, dueField, "date")),
    onNotes("tags", "Tags", ["l"], () => setTags(app)),
    onNotes("day", "Add to or remove from My Day", ["m"], () => toggleDay(app)),
    onNotes("fields", "Set a field…", ["f"], () => chooseField(app)),
    onNotes("actions", "Actions of the kind…", ["a"], () => chooseAction(app)),
    onNotes("bulk", "Change the selection…", ["="], () => typeChanges(targets(app), list.total)),
    onNotes("move", "Move to a folder…", [], () => moveNotes(targets(app), list.total)),
    onNotes("split", "Split a section into a new note…", [], () =>
      ofOne((note) => splitNote(note, textOf(note))),
    ),
    onNotes("merge", "Merge into another note…", [], () => ofOne((note) => mergeNote(note))),
    onNotes("delete", "Delete", ["#", "Delete"], () => remove(targets(app), list.total), {
      words: "remove",
    }),
    action("undo", reversed("Undo"), ["z", "ctrl+z"], () => undoNext(), { ...can, verb: "Undo" }),
    action("redo", reversed("Redo"), ["Z", "ctrl+y"], () => redoNext(), { ...can, verb: "Redo" }),
    action("shift-left", "Move the card back", ["<"], () => app.saved.form.shift(-1), ofView),
    action("shift-right", "Move the card on", [">"], () => app.saved.form.shift(1), ofView),
    action("shift-to", "Move the card to…", ["P"], () => app.saved.form.chooseColumn(), ofView),
    action("attach", "Attach a picture…", [], attach, { when: () => changeable() && isOpen() }),
    action("preview", "Show the formatted text", [], () => detail.body.read(), {
      when: () => detail.body.writing,
      words: "preview markdown",
    }),
    action("note-history", "History of the note", [], () => detail.past_.show(), {
      when: isOpen,
      words: "versions restore earlier",
    }),
    action("save", "Save the text now", ["ctrl+s"], () => detail.body.save(), { everywhere: true }),
  ];
}

/** Actions of the kind of the note that is meant. */
function kindActions(app) {
  const [note] = sample(targets(app));
  if (!note || readOnly()) return [];
  const group = `Actions of ${kindOf(note).name}`;
  return actionsFor(note).map((name) =>
    action(`do-${name}`, labelOf(name), [], () => runAction(app, name), { group, about: about(app) }),
  );
}

/** `g` and a letter for each filter; the keys of other actions are not free. */
function filterActions(others) {
  const filters = state.box?.filters ?? [];
  const letters = filterLetters(
    filters.map(({ name }) => name),
    others.flatMap(({ keys }) => keys),
  );
  return filters.map(({ name, query }, index) => {
    const letter = letters[index];
    const open = () => show("notes", query === "" ? "" : `@${name}`);
    const keys = letter ? [`g ${letter}`] : [];
    return action(`filter-${name}`, labelOf(name), name === "my-day" ? [...keys, "M"] : keys, open);
  });
}

function goActions(app) {
  const { filter, sidebar, slider } = app;
  const kept = droppable()?.name ?? "";
  const shown = shownFilter()?.name ?? "";
  const isShown = { when: () => Boolean(shownFilter()) };
  const ofView = { when: () => !readOnly() && Boolean(viewNamed(state.place.name)), verb: "Rename the view" };
  const palette = () =>
    openPalette(
      () => actionTable(app),
      (ref) => app.open(ref, { focus: true }),
      (title) => makeMissing(title, app.create),
      () => partsOf(app.detail),
    );
  const daily = (word) => ({ when: changeable, words: `daily note journal ${word}` });
  const before = [
    action("daily", "Today’s note", ["g ."], () => openDaily(app.create), daily("today")),
    action("yesterday", "Yesterday’s note", [], () => openDaily(app.create, -1), daily("yesterday")),
    action("tomorrow", "Tomorrow’s note", [], () => openDaily(app.create, 1), daily("tomorrow")),
    action("filter", "Filter", ["/"], () => filter.focus()),
    action("keep-filter", "Save this filter…", ["S"], () => saveFilter(), {
      when: canSaveFilter,
      words: "keep query",
    }),
    action("drop-filter", `Remove the filter ${kept}`.trim(), [], () => dropFilter(), {
      when: () => Boolean(droppable()),
      verb: "Remove the filter",
    }),
    action("change-filter", `Change the query of ${shown}`, [], () => changeFilter(), {
      ...isShown,
      verb: "Change the query of the filter",
    }),
    action("rename-filter", `Rename the filter ${shown}`.trim(), [], () => renameFilter(), {
      ...isShown,
      verb: "Rename the filter",
    }),
    action("rename-view", `Rename the view ${state.place.name ?? ""}`.trim(), [], () => renameView(), ofView),
    action("keep-view", "Save as a view…", ["V"], () => saveView(), {
      when: canSaveView,
      words: "board calendar table agenda list",
    }),
    action("palette", "All actions, and notes by title", ["ctrl+k"], palette, { everywhere: true }),
    action("past", "Show the box as of a day", ["@"], () => slider.open(), {
      words: "yesterday earlier date time",
    }),
    action("now", "Return to the present", [], () => slider.now(), { when: () => state.place.at }),
  ];
  const after = [
    ...dueFilters().map(({ text, query }) => action(`due-${query}`, text, [], () => show("notes", query))),
    ...shownEntryActions(app.create),
    ...(state.box?.views ?? []).map(({ name }) =>
      action(`view-${name}`, labelOf(name), [], () => go({ view: "view", name, query: "", ref: null })),
    ),
    action("deleted", "Deleted notes", ["g D"], () => show("deleted")),
    action("history", "History of the box", ["g H"], () => show("history")),
    action("overview", "Today: late, due, in progress and changed last", [], () => app.showToday(), {
      words: "overview",
    }),
    action("todos", "Open check boxes", ["g x"], () => show("todos")),
    action("conflicts", "Conflicts", ["g C"], () => show("notes", "is:conflicted")),
    action("kinds", "Go to the tags and kinds of the sidebar", ["g g"], () => sidebar.focus()),
    action("unsaved", "Unsaved changes", ["g !"], () => openUnsaved(), {
      when: () => stuckJobs().length > 0,
    }),
    action("help", "All keys", ["?"], () => openHelp(() => actionTable(app)), { words: "shortcuts" }),
  ];
  return [...before, ...filterActions([...before, ...after]), ...after];
}

function pageActions(app) {
  const isOne = { when: () => targets(app).length === 1, about: about(app) };
  return [
    action("copy-link", "Copy the link to the note", [], () => copyLink(targets(app)[0]), isOne),
    action("sync", "Sync now", [], () => sync(), { when: () => changeable() && state.box?.remote }),
    action("export", "Export…", [], () => exportNotes(), { when: () => !state.place.at }),
    action("copy-address", "Copy the address of this view", [], () => copy(location.href)),
    ...themeActions(),
  ];
}

/** The actions of the page, as they are now, each with the group that help and palette list it in. */
export function actionTable(app) {
  const groups = {
    Move: moveActions(app),
    Select: selectActions(app),
    Write: [...writeActions(app), ...kindActions(app)],
    "Go to": goActions(app),
    Page: pageActions(app),
  };
  return Object.entries(groups).flatMap(([group, list]) => list.map((one) => ({ group, ...one })));
}

/** The title of a button for an action of the table: what it does, and its key. */
export function titled(app, id) {
  const found = actionTable(app).find((one) => one.id === id);
  const key = keyText(found?.keys?.[0]);
  return key ? `${found.title} (${key})` : found?.title;
}
