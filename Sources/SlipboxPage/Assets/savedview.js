// @ts-check
// A saved view in place of the list: a board, a calendar, a table, or parts one below the other.

import { el, button, focusIn, replace } from "./dom.js";
import { get, post } from "./api.js";
import { emit, on, onAny, readOnly, refOf, state } from "./store.js";
import { kindOfQuery, kindOfView, labelOf, viewNamed } from "./kinds.js";
import { go } from "./address.js";
import { choose } from "./chooser.js";
import { pauseInTyping } from "./listnotice.js";
import { meanNone } from "./meant.js";
import { say, sayError } from "./messages.js";
import { rememberName } from "./filters.js";
import { undoOf } from "./past.js";
import { doneText } from "./summary.js";
import { once } from "./turns.js";
import { Board } from "./board.js";
import { Calendar } from "./calendar.js";
import { released } from "./carrying.js";
import { selectOnly } from "./selecting.js";
import { TableView } from "./tableview.js";
import { ticksEnd } from "./ticks.js";
import { splitColumns } from "./viewdata.js";

/** The forms that a view can have, with what the page asks for besides the query. */
const FORMS = {
  board: "columns",
  calendar: "days",
  table: "rows",
  list: "a list",
  agenda: "due records by day",
};

/** Saves or removes a view: one commit. */
const write = (body) =>
  once(`view ${body.name}`, async () => {
    try {
      const answer = await post("view", body);
      say(doneText(answer.subject), undoOf(answer));
      emit("changed");
      return answer;
    } catch (error) {
      sayError(error);
      return null;
    }
  });

export class SavedView {
  /** `open(ref)` opens a note. */
  constructor(open) {
    this.openNote = open;
    this.forms = { board: new Board(this), calendar: new Calendar(this), table: new TableView(this) };
    this.bar = el("div", { class: "view-bar", role: "toolbar", "aria-label": "View" });
    this.fault = el("div", { class: "empty", hidden: true });
    this.body = el("div", { class: "view-body" }, Object.values(this.forms).map(({ node }) => node));
    this.node = el("div", { class: "saved-view", hidden: true }, this.bar, this.fault, this.body);
    this.name = "";
    on("opened", () => this.mark());
    onAny(["box"], () => this.answer && this.controls());
    on("selection", () => this.showSelection());
  }

  /** The one kind that the view is about. */
  get kind() {
    return kindOfView(this.name);
  }
  /** The fields by which a table is grouped. */
  get groups() {
    return splitColumns(viewNamed(this.name)?.by ?? "");
  }
  get form() {
    const { board } = this.forms;
    return this.forms[this.answer?.form ?? ""] ?? board;
  }
  /** Whether notes are cards, which can be selected. */
  get hasCards() {
    return this.form !== this.forms.table;
  }
  get total() {
    return this.answer?.total ?? 0;
  }

  /** Changes that give a new note the column or the day of the focus. */
  given() {
    return this.form.given?.() ?? [];
  }

  fetch(more) {
    const { name, query } = state.place;
    return get("view", { view: name, q: query || undefined, ...more }).catch((error) => {
      if (error.code !== "offline") sayError(error);
      return null;
    });
  }

  /** Reads the view; what is in sight stays until the answer is there. */
  async load() {
    const { name, query, at } = state.place;
    const round = (this.round = (this.round ?? 0) + 1);
    const isOther = name !== this.name;
    if (isOther) {
      this.name = name;
      this.forms.table.begin(name);
      this.answer = null;
      // The cursor of another list must not be taken for a card of this view.
      state.cursor = null;
      this.isAhead = false;
      replace(this.bar);
    }
    try {
      const form = this.answer?.form ?? viewNamed(name)?.form;
      const ask = (one) => get("view", { view: name, q: query || undefined, ...this.requestOf(one) });
      let answer = await ask(form);
      // It has got another form, which asks for other notes.
      if (answer.form !== form) answer = await ask(answer.form);
      await released();
      await ticksEnd();
      if (round !== this.round || at !== state.place.at) return;
      this.answer = answer;
      const isBlank = Boolean(query) && answer.total === 0;
      this.fault.hidden = !isBlank;
      for (const one of Object.values(this.forms)) one.node.hidden = one !== this.form || isBlank;
      this.form.show(answer);
      this.renewCursor();
      this.renewSelection();
      this.controls();
      if (isBlank) this.say(el("h2", { text: "No notes of this view match the filter" }));
      // The rows of a grouped table are groups.
      const word = answer.grouped ? (answer.total === 1 ? "group" : "groups") : undefined;
      emit("listed", { total: answer.total, word });
    } catch (error) {
      await pauseInTyping(error);
      if (round !== this.round || error.code === "offline") return;
      const hadFocus = focusIn(this.node) !== null;
      this.showNone();
      const isGone = error.status === 404;
      this.say(
        el("h2", { text: isGone ? `There is no view “${name}”` : "The view can't be shown" }),
        isGone
          ? el("p", { text: "It was removed or renamed." })
          : el("pre", { class: "query-error", text: error.advice ?? error.message }),
        isGone && button("Show all notes", () => go({ view: "notes", query: "", ref: null })),
        this.forms.table.isChanged &&
          button("Reset columns and order", () => this.forms.table.drop(), { class: "primary" }),
      );
      this.fault.hidden = false;
      if (hadFocus) this.focus();
      emit("listed", { total: null, error });
    }
  }

  /** Hides the notes of the last answer: keys mean none of them. */
  showNone() {
    for (const one of Object.values(this.forms)) one.node.hidden = true;
    this.answer = null;
    this.forms.board.answer = null;
    this.isAhead = false;
    this.bar.hidden = true;
    meanNone();
  }

  /** Says in place of the notes why none is shown. */
  say(...lines) {
    const { query } = state.place;
    replace(this.fault, ...lines, query && button("Clear the filter", () => go({ query: "", ref: null })));
  }

  /** What a form asks for; by default as many cards as are shown, at most those of one answer. */
  requestOf(form) {
    const own = this.forms[form]?.request?.();
    if (own) return own;
    const most = Math.max(50, ...(this.answer?.columns ?? []).map((column) => column.notes?.length ?? 0));
    return { limit: Math.min(500, most) };
  }

  controls() {
    replace(this.bar, ...this.form.controls().flat().filter(Boolean));
    this.bar.hidden = !this.bar.children.length;
  }

  /** The cursor is on a note; on null, as on an empty day, keys mean no note. */
  point(note) {
    state.cursor = note ?? null;
    this.isAhead = true;
    emit("cursor");
  }

  /** Points at the note of the cursor as it is now; at nothing if the view doesn't show it any more. */
  renewCursor() {
    if (!state.cursor) return;
    const ref = refOf(state.cursor);
    state.cursor = this.form.notesShown().find((note) => refOf(note) === ref) ?? null;
  }

  /** Opens a note; the focus stays on its card. */
  open(note, { card }) {
    card?.focus();
    state.cursor = note;
    this.openNote(refOf(note));
  }

  /** Marks the card of the note that is open. */
  mark() {
    this.isAhead = false;
    for (const card of this.node.querySelectorAll(".card")) {
      const isOpen = card.dataset.ref === state.place.ref;
      card.classList.toggle("open", isOpen);
      if (isOpen) card.setAttribute("aria-current", "true");
      else card.removeAttribute("aria-current");
    }
  }

  /** Selects the notes whose cards are shown. */
  selectShown() {
    const shown = new Set(
      /** @type {HTMLElement[]} */ ([...this.node.querySelectorAll(".card")]).map((card) => card.dataset.ref),
    );
    selectOnly(this.form.notesShown().filter((note) => shown.has(refOf(note))));
  }

  /** What is selected is changed as it is now; what the view doesn't show any more is not changed. */
  renewSelection() {
    if (!state.selected.size) return;
    selectOnly(this.form.notesShown().filter((note) => state.selected.has(refOf(note))));
  }

  /** Marks the cards that are selected. */
  showSelection() {
    for (const card of this.node.querySelectorAll(".card")) {
      const isSelected = state.selected.has(card.dataset.ref);
      card.classList.toggle("selected", isSelected);
      if (card.getAttribute("role") === "option") card.setAttribute("aria-selected", String(isSelected));
    }
  }

  focus() {
    if (this.fault.hidden) this.form.focus();
    else this.fault.querySelector("button")?.focus();
  }
  move(step) {
    if (Math.abs(step) === Infinity) this.form.step(step > 0 ? 1e6 : -1e6);
    else this.form.step(step);
  }
  page(step) {
    if (this.form.page) this.form.page(step);
    else this.form.step(step * 10);
  }

  save(changes) {
    return write({ name: this.name, ...changes });
  }
}

const nameOf = (text) =>
  text
    .trim()
    .replace(/[^\p{L}\p{N}_-]+/gu, "-")
    .replace(/^-+|-+$/g, "");

/** The fields that can make the columns of a board or the days of a calendar. */
const FIELDS = {
  board: ({ type, list }) => !list && ["choice", "boolean", "reference"].includes(type),
  calendar: ({ type, list }) => !list && type === "date",
};

/** Asks for the field of a board or a calendar if the query's kind has several, and runs `then(field)`. */
function askField(form, query, then) {
  const fields = (FIELDS[form] && kindOfQuery(query)?.fields.filter(FIELDS[form])) || [];
  if (fields.length < 2) return then(undefined);
  return choose({
    title: form === "board" ? "Group the columns by" : "Show the days of",
    items: fields.map(({ name }) => ({ text: labelOf(name), run: () => then(name) })),
  });
}

/** Asks for a form, a field and a name, and saves the present query as a view. */
export function saveView() {
  const { query } = state.place;
  const keep = async (form, by, name) => {
    if (!(await write({ name, form, query, by }))) return;
    rememberName({ view: "notes", query }, { view: "view", name });
    go({ view: "view", name, query: "", ref: null });
  };
  const named = (form, by) =>
    choose({
      title: `Save as ${form === "agenda" ? "an" : "a"} ${form}`,
      placeholder: "A name, such as reading",
      items: [],
      make: (text) =>
        nameOf(text)
          ? { text: `Save as “${nameOf(text)}”`, detail: query, run: () => keep(form, by, nameOf(text)) }
          : null,
    });
  return choose({
    title: "Save as a view",
    items: Object.entries(FORMS).map(([form, detail]) => ({
      text: form,
      detail,
      run: () => askField(form, query, (by) => named(form, by)),
    })),
  });
}

/** The columns that a view had as a table, by its name: another form drops them. */
const columnsBefore = new Map();

/** Shows a view in another form. As a table it gets the columns back that it had in this visit. */
function showAs(form, { name, columns }, by) {
  if (columns) columnsBefore.set(name, columns);
  return write({ name, form, by, columns: form === "table" ? columnsBefore.get(name) : undefined });
}

/** Asks for another name of a view. */
export function renameView({ name } = viewNamed(state.place.name)) {
  const rename = async (to) => {
    const isShown = state.place.view === "view" && state.place.name === name;
    if (!(await write({ name: to, from: name })) || !isShown) return;
    rememberName({ view: "view", name }, { view: "view", name: to });
    go({ view: "view", name: to, ref: state.place.ref }, { replace: true });
  };
  return choose({
    title: `Rename the view ${name}`,
    placeholder: "A new name",
    typed: name,
    isProposal: true,
    items: [],
    make: (text) =>
      nameOf(text) && nameOf(text) !== name
        ? { text: `Rename to “${nameOf(text)}”`, run: () => rename(nameOf(text)) }
        : null,
  });
}

/** Asks what is to be done to a view. */
export const editView = (view) =>
  choose({
    title: "View",
    about: `${view.name}: ${view.line}`,
    items: [
      ...Object.entries(FORMS).map(([form, detail]) => ({
        text: `Show as ${form}`,
        detail,
        chosen: view.form === form,
        run: () => askField(form, view.query ?? "", (by) => showAs(form, view, by)),
      })),
      { text: "Rename…", run: () => renameView(view) },
      { text: "Remove", run: () => write({ name: view.name, remove: true }) },
    ],
  });

export const canSaveView = () => state.place.view === "notes" && !readOnly();
export const viewTitle = () => labelOf(state.place.name ?? "");
