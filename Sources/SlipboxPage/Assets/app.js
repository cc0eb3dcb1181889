// @ts-check
// The panes of the page, and which of them reads what when the address or the box changes.

import { el, button, later } from "./dom.js";
import { state, on, onAny, emit, isOfNotes, refOf, readOnly } from "./store.js";
import { get, firstState } from "./api.js";
import { go, measureBy } from "./address.js";
import { startEvents } from "./events.js";
import { Sidebar } from "./sidebar.js";
import { NoteList } from "./list.js";
import { ListHead, SelectionBar, showEmpty } from "./listhead.js";
import { FilterBar } from "./filterbar.js";
import { Detail } from "./detail.js";
import { Slider } from "./slider.js";
import { BoxPast } from "./boxpast.js";
import { showDeleted } from "./deletednote.js";
import { actionTable } from "./actions.js";
import { startKeys } from "./keys.js";
import { startContextMenu, startEntryMenus } from "./contextmenu.js";
import { startMessages, sayError, dialogOpen } from "./messages.js";
import { newNote, makeMissing } from "./newnote.js";
import { act, remove } from "./writes.js";
import { tick } from "./ticks.js";
import { holdKeys } from "./held.js";
import { saveState, recover, unsaved } from "./saver.js";
import { showBar, showFoot } from "./bars.js";
import { TopBar } from "./topbar.js";
import { Todos } from "./todos.js";
import { SavedView } from "./savedview.js";
import { viewNamed } from "./kinds.js";
import { startDragging } from "./dragging.js";
import { extend } from "./selecting.js";
import { isAtCursor, meansShown, wide } from "./meant.js";
import { Today } from "./today.js";
import { splitters } from "./splitters.js";
import { startPreviews } from "./linkpreview.js";

export class App {
  constructor() {
    this.list = new NoteList();
    this.filter = new FilterBar();
    this.sidebar = new Sidebar(() => this.list.total);
    this.slider = new Slider(() => this.focusList());
    this.past = new BoxPast();
    this.todos = new Todos((ref) => this.open(ref, { focus: true }));
    this.saved = new SavedView((ref) => this.open(ref));
    const open = (ref) => this.open(ref, { focus: true });
    /** What takes the place of the list, by its view: the overview, where notes have no pane beside it. */
    this.overview = new Today(open, "today");
    this.others = { history: this.past, todos: this.todos, view: this.saved, today: this.overview };
    this.head = new ListHead(this);
    this.selection = new SelectionBar(this);
    this.create = this.create.bind(this);
    this.today = new Today(open);
    this.detail = new Detail({
      today: this.today.node,
      open: (ref, part) => this.open(ref, { focus: true, part }),
      make: (title) => makeMissing(title, this.create),
      act: (name, notes) => act(name, notes),
      remove: (notes) => remove(notes),
      back: () => this.escape(),
      begin: () =>
        readOnly()
          ? null
          : button("New", () => newNote({ create: this.create }), { class: "primary", title: "New (c)" }),
    });
    this.filter.onDone = () => (this.focusList(), this.listing);
    this.follow = later(90, () => {
      if (state.cursor && wide.matches && document.activeElement === this.list.grid)
        this.openCursor(false, true);
    });
  }

  build() {
    const table = () => actionTable(this);
    this.top = new TopBar(this, table);
    const middle = el(
      "section",
      { class: "middle", "aria-label": "List" },
      this.head.node,
      this.list.node,
      this.past.node,
      this.todos.node,
      this.overview.node,
      this.saved.node,
      this.selection.node,
    );
    document.body.replaceChildren(
      this.top.node,
      el("div", { class: "bars" }, showBar(), this.slider.node),
      this.sidebar.node,
      this.sidebar.shade,
      el("main", { class: "panes" }, splitters(), middle, this.detail.node),
      showFoot(),
    );
    startMessages();
    this.sidebar.node.addEventListener("click", (event) => {
      if (!event.target.closest("a")) return;
      this.sidebar.close();
      queueMicrotask(() => this.focusList());
    });
    this.sidebar.closed = () => this.focusList();
    startKeys(table);
    startContextMenu(this, table);
    startEntryMenus(this.sidebar.node, this.create);
    startPreviews();
    startDragging(this.list.grid, this.sidebar.node, (row) => this.list.noteAt(Number(row.dataset.index)));
  }

  async start() {
    measureBy(() => ({ note: this.detail.node.scrollTop, list: this.list.scrolled() }));
    on("place", (change) => {
      this.arrival = this.arrived(change);
    });
    on("changed", () => this.refresh());
    on("cursor", () => this.follow());
    on("online", (online) => online && this.refresh());
    on("open-cursor", ({ focus }) => this.openCursor(focus));
    on("empty", ({ notice, hint }) => showEmpty(notice, hint, this.create));
    on("tick", ({ note, field }) => tick(note, field));
    document.addEventListener("focusin", ({ target }) => {
      if (target instanceof Element && !target.closest("dialog, .messages"))
        this.wasInNote = this.detail.node.contains(target);
    });
    document.addEventListener("slip-focus-lost", () => this.refocus());
    addEventListener("beforeunload", (event) => {
      if (unsaved()) {
        this.detail.body.save();
        if (saveState().word !== "saved" && !state.online) event.preventDefault();
      }
    });
    // What had the focus may be gone with a row or a form: keys must still mean something.
    onAny(["listed", "note"], () =>
      queueMicrotask(() => {
        if (document.activeElement === document.body && !dialogOpen()) this.refocus();
      }),
    );
    on("box", () => {
      document.body.dataset.wide = String(this.isWide());
    });
    emit("box");
    this.showView();
    recover();
    const first = this.others[state.place.view]?.load() ?? this.list.load(state.place);
    this.listing = first.then(() => this.focusList());
    this.detail.load(state.place.ref);
    this.top.saved.show();
    // The numbers are worked out after the first rows are there.
    await this.listing;
    if (state.box.brief) await this.readBox();
    // What an empty list says hangs on whether there are notes at all.
    if (
      this.list.ready &&
      this.list.total === 0 &&
      this.list.notice.node.querySelector(".query-error") === null
    ) {
      this.list.notice.show();
      if (document.activeElement === this.detail.node) this.focusList();
    }
    startEvents(state.place.at ? null : firstState());
  }

  /** Reads everything that is in sight anew; called again meanwhile, once more. */
  async refresh() {
    if (this.refreshing) {
      this.stale = true;
      return;
    }
    this.refreshing = true;
    do {
      this.stale = false;
      await Promise.all([
        this.readBox(),
        this.others[state.place.view]?.load() ?? this.list.load(state.place, { keep: true }),
        state.place.ref ? this.detail.load(state.place.ref) : null,
      ]);
    } while (this.stale);
    this.refreshing = false;
  }

  async readBox() {
    const { at } = state.place;
    const round = (this.boxRound = (this.boxRound ?? 0) + 1);
    try {
      const box = await get("box");
      // Of another day than the one that is shown now, or older than an answer that is there.
      if (round !== this.boxRound || at !== state.place.at) return;
      state.box = box;
      this.top.update();
      emit("box");
    } catch (error) {
      if (error.code !== "offline") sayError(error);
    }
  }

  async arrived({ before, now }) {
    const past = before.at !== now.at;
    const other = past || before.query !== now.query || before.view !== now.view || before.name !== now.name;
    if (other) this.unselect();
    this.showView();
    if (past) await this.readBox();
    // One may have gone on meanwhile.
    const { place } = state;
    if (other) this.listing = this.others[place.view]?.load() ?? this.list.load(place, { keep: past });
    if (before.ref !== now.ref || past) this.detail.load(place.ref);
    if (before.ref !== now.ref) emit("opened");
  }

  showView() {
    const other = this.others[state.place.view];
    this.list.node.hidden = Boolean(other);
    for (const one of Object.values(this.others)) one.node.hidden = one !== other;
    document.body.dataset.wide = String(this.isWide());
    document.body.dataset.pane = state.place.ref ? "note" : "list";
    // The focus does not stay in a list that is hidden: keys would mean nothing.
    if (document.activeElement?.closest("[hidden]")) this.focusList();
  }

  /** The list has the place of the note too, as long as no note is open. */
  isWide() {
    const { view, name } = state.place;
    return view === "view" && ["board", "calendar", "table"].includes(viewNamed(name)?.form);
  }

  /** Opens a note; `part` is the heading that it is scrolled to. */
  open(ref, { focus = false, replace = false, part = null } = {}) {
    const same = state.place.ref === ref;
    go({ ref }, { replace });
    if (focus) this.detail.focus();
    if (same) this.detail.load(ref);
    if (part) this.whenShown(() => this.detail.body.showPart(part));
  }

  openCursor(focus, quiet = false) {
    if (state.place.view === "todos") return this.todos.openCursor();
    if (!state.cursor) return;
    if (state.place.view === "deleted") {
      if (!focus) return;
      const open = (ref) => this.open(ref, { focus: true });
      const make = (title) => makeMissing(title, this.create);
      return showDeleted(state.cursor, { open, make });
    }
    if (!isAtCursor()) go({ ref: refOf(state.cursor) }, { isPassing: quiet });
    if (focus) this.detail.focus();
  }

  move(step) {
    if (state.place.view === "view") return this.saved.move(step);
    if (state.place.view === "todos") return this.todos.move(step);
    const { list } = this;
    if (document.activeElement !== list.grid && !this.detail.node.contains(document.activeElement))
      list.focus();
    list.move(Number.isFinite(step) ? step : step < 0 ? -list.index : list.total);
    if (this.detail.node.contains(document.activeElement)) this.openCursor(false, true);
  }

  extend(step) {
    this.list.focus();
    return extend(this.list, step);
  }

  escape() {
    if (this.sidebar.release) return this.sidebar.close();
    const inside = this.detail.node.contains(document.activeElement);
    if (inside && document.activeElement !== this.detail.node && wide.matches) return this.detail.focus();
    if (!wide.matches && state.place.ref) {
      go({ ref: null });
      return this.focusList();
    }
    if (inside && state.place.view !== "view") return this.focusList();
    if (state.place.view === "view" && state.place.ref) {
      go({ ref: null });
      return this.focusList();
    }
    if (state.selected.size || state.allSelected) return this.unselect();
    if (state.place.at && document.activeElement === this.list.grid) return this.slider.now();
    return this.focusList();
  }

  edit() {
    const { body } = this.detail;
    const isOfBox = state.place.view === "todos" && this.todos.hasFocus();
    return this.withNote(() => (isOfBox ? this.todos.editCursor(body) : body.write()));
  }
  editTitle() {
    return this.withNote(() => {
      this.detail.form.title.focus();
      this.detail.form.title.select();
    });
  }

  /** Whether the cursor is on a note, or on the box of one. */
  openable() {
    return state.place.view === "todos" ? this.todos.cursorRef() !== null : state.cursor && isOfNotes();
  }

  /** The note under the cursor is opened first, if it is the one that keys mean. */
  withNote(run) {
    if (!meansShown(this) && this.openable()) this.openCursor(true);
    return this.whenShown(run);
  }

  /**
   * Makes a note, opens it and puts the caret into its text. Keys that are pressed meanwhile are typed there:
   * none of them may mean an action. `make` gives the name of the note, or null if it could not be made.
   */
  create(make) {
    let isWriting = false;
    const work = async () => {
      const ref = await make();
      if (!ref) return;
      this.open(ref, { focus: true });
      await this.arrival;
      await this.detail.isLoaded();
      if (!this.isShown() || !state.note || ![state.note.id, state.note.path].includes(state.place.ref))
        return;
      this.detail.body.write();
      isWriting = true;
    };
    return holdKeys(work(), () => isWriting, { isConfirmed: true });
  }

  /** The detail shows the note of the place, on its day. */
  isShown() {
    return this.detail.shownRef === state.place.ref && (this.detail.at ?? null) === state.place.at;
  }

  /**
   * Runs what is meant for the note of the place when it is shown; not at all where one has gone to another
   * place by then.
   */
  whenShown(run) {
    if (this.isShown()) return run();
    const { place } = state;
    // It may be known by its id by now.
    const isSame = (/** @type {Note} */ { path, id }) =>
      [id, path].includes(place.ref) && state.place.at === place.at;
    const shown = async () => {
      await this.arrival;
      await this.detail.isLoaded();
    };
    return holdKeys(shown(), () => {
      const isThere = this.isShown() && state.note && !state.gone && isSame(state.note);
      if (isThere) run();
      return isThere;
    });
  }

  unselect() {
    if (!state.selected.size && !state.allSelected) return;
    state.selected.clear();
    state.allSelected = false;
    emit("selection");
  }

  /** What had the focus is gone: its pane has it now, so that keys mean the same note as before. */
  refocus() {
    if (this.wasInNote && state.place.ref !== null) this.detail.focus();
    else this.focusList();
  }

  focusList() {
    if (!wide.matches && state.place.ref) this.detail.focus();
    else if (this.others[state.place.view]) this.others[state.place.view].focus();
    else if (!this.list.grid.hidden) this.list.focus();
    // Keys are to mean actions there too, not to be typed.
    else
      (
        this.list.notice.node.querySelector("button") ??
        (wide.matches || state.box.brief ? this.detail.node : this.filter.input)
      ).focus();
  }

  showToday() {
    if (!wide.matches) return go({ view: "today", query: "", ref: null });
    go({ ref: null });
    return this.detail.focus();
  }
}
