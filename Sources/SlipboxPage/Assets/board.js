// @ts-check
// A board: a column for each value of a field, the notes as cards. A card is carried, or moved by keys.

import { el, button, focusIn, later, replace } from "./dom.js";
import { emit, on, own, readOnly, refOf, state } from "./store.js";
import { fieldOf, kindOf, labelOf } from "./kinds.js";
import { makeCard, tickMark } from "./row.js";
import { choose } from "./chooser.js";
import { aboutOf } from "./choices.js";
import { act, change } from "./writes.js";
import { moveOf } from "./viewdata.js";
import { plain } from "./dates.js";
import { startCarrying } from "./carrying.js";
import { movedWith } from "./selecting.js";
import { say } from "./messages.js";

const NEAR = 400;

export class Board {
  /** `view`: the saved view that it belongs to. */
  constructor(view) {
    this.view = view;
    this.node = el("div", { class: "board", role: "group" });
    this.mover = button("Move to…", () => this.chooseColumn(this.seen()), { class: "plain" });
    /** Where the cursor was last. @type {{ name: string, column: number, index: number } | null} */
    this.left = null;
    on("cursor", () => this.answer && this.mark());
    const markLater = later(80, () => this.answer && this.mark());
    this.node.addEventListener("scroll", markLater, { passive: true, capture: true });
    startCarrying(this.node, {
      cardAt: (target) => (this.answer?.movable ? target.closest(".card") : null),
      placeAt: (target) => target.closest(".column"),
      drop: (card, place) => this.move(this.noteOf(card), this.columnOf(card), Number(place.dataset.column)),
      scrollers: (target) => [this.node, target?.closest?.(".cards")].filter(Boolean),
    });
    new ResizeObserver(() => this.fit()).observe(this.node);
    this.node.addEventListener("click", (event) => {
      const card = event.target.closest(".card");
      const field = event.target.closest("[data-tick]")?.dataset.tick;
      if (field) emit("tick", { note: this.noteOf(card), field });
      else if (card) this.view.open(this.noteOf(card), { card });
    });
    this.node.addEventListener("focusin", (event) => {
      const card = event.target.closest(".card");
      this.view.point(card ? this.noteOf(card) : null);
    });
  }

  notesShown() {
    return this.columns.flatMap((column) => column.notes);
  }

  /** Shows an answer of the server; the focus stays on its note. */
  show(answer) {
    const focus = focusIn(this.node);
    const at = focus?.closest(".card") ? { ref: focus.dataset.ref, ...this.placeOf(focus) } : null;
    const empty = at ? null : focus?.closest(".column");
    const number = empty ? this.columnOf(empty) : null;
    this.keepPlace();
    const scrolled = [...this.node.querySelectorAll(".cards")].map((node) => node.scrollTop);
    this.answer = answer;
    const isStacked = answer.form !== "board";
    this.node.classList.toggle("stacked", isStacked);
    // It scrolls as a whole, so that the keys have to reach it.
    this.node.tabIndex = isStacked ? 0 : -1;
    this.node.setAttribute("aria-label", labelOf(this.view.name));
    replace(this.node, ...answer.columns.map((column, index) => this.column(column, index)));
    this.fit();
    this.node.querySelectorAll(".cards").forEach((node, index) => {
      node.scrollTop = scrolled[index] ?? 0;
    });
    if (at)
      (this.cardOf(at.ref) ?? this.cardAt(at.column, at.index) ?? this.node).focus({ preventScroll: true });
    else if (number !== null) this.node.querySelectorAll(".cards")[number]?.focus({ preventScroll: true });
  }

  fit() {
    this.node.classList.toggle("fits", this.node.scrollWidth <= this.node.clientWidth);
  }

  titleOf(column) {
    if ((column.value ?? null) === null) return `No ${this.answer.field}`;
    const field = fieldOf(this.view.kind, this.answer.field ?? "");
    if (field?.type === "boolean") return column.value === "true" ? labelOf(field.name) : `Not ${field.name}`;
    if (field?.type === "choice") return labelOf(column.title);
    // The parts of an agenda are named by days.
    return column.title.replace(/\d{4}-\d\d-\d\d$/, plain);
  }

  column(column, index) {
    const title = this.titleOf(column);
    const facts = (column.facts ?? []).map(({ name, text }) => `${name} ${text}`).join(", ");
    const label = [title, `${column.count} ${column.count === 1 ? "note" : "notes"}`, facts].filter(Boolean);
    const cards = el("div", {
      class: "cards",
      role: "listbox",
      "aria-label": label.join(", "),
      tabIndex: column.notes.length ? -1 : 0,
    });
    cards.append(...column.notes.map((note) => this.card(note)));
    cards.addEventListener("scroll", () => this.want(column, cards), { passive: true });
    return el(
      "section",
      { class: "column", data: { column: index } },
      el(
        "header",
        { class: "column-head" },
        el("h2", { text: title }),
        el("span", { class: "badge", text: column.count.toLocaleString() }),
        facts && el("span", { class: "facts", text: facts }),
      ),
      cards,
    );
  }

  card(note) {
    const { titles } = this.answer;
    const open = refOf(note) === state.place.ref;
    const box = note.listed ? tickMark(note, readOnly()) : null;
    const card = makeCard(note, { titles, role: "option", open, box });
    card.setAttribute("aria-selected", String(state.selected.has(refOf(note))));
    card.classList.toggle("selected", state.selected.has(refOf(note)));
    return card;
  }

  /** Reads further cards of a column before one has scrolled to its end. */
  async want(column, cards) {
    if (column.isAsked || column.notes.length >= column.count) return;
    if (cards.scrollHeight - cards.scrollTop - cards.clientHeight > NEAR) return;
    column.isAsked = true;
    const { answer } = this;
    const more = await this.view.fetch({ column: answer.columns.indexOf(column), from: column.notes.length });
    column.isAsked = false;
    if (more?.columns?.[0]?.value !== column.value || answer !== this.answer) return;
    Object.assign(answer.titles, more.titles);
    const { notes } = more.columns[0];
    column.notes.push(...notes);
    cards.append(...notes.map((note) => this.card(note)));
  }

  get columns() {
    return this.answer?.columns ?? [];
  }
  cardsOf(column) {
    return [...(this.node.querySelectorAll(".cards")[column]?.children ?? [])];
  }
  columnOf(card) {
    return Number(card.closest(".column").dataset.column);
  }
  placeOf(card) {
    const column = this.columnOf(card);
    return { column, index: this.cardsOf(column).indexOf(card) };
  }
  cardAt(column, index) {
    const cards = this.cardsOf(column);
    return cards[Math.max(0, Math.min(index, cards.length - 1))] ?? null;
  }
  cardOf(ref) {
    return [...this.node.querySelectorAll(".card")].find((card) => card.dataset.ref === ref) ?? null;
  }
  noteOf(card) {
    const { column, index } = this.placeOf(card);
    return this.columns[column].notes[index];
  }

  /** The card with the focus, else that of the cursor. */
  current() {
    return focusIn(this.node)?.closest(".card") ?? (state.cursor && this.cardOf(refOf(state.cursor)));
  }

  /** Keeps the place of the cursor: if its card is gone, the one beside it gets the focus. */
  keepPlace() {
    const { name } = this.view;
    const card = state.cursor && this.cardOf(refOf(state.cursor));
    if (card) this.left = { name, ...this.placeOf(card) };
    else if (this.left?.name !== name) this.left = null;
  }

  focus() {
    const beside = this.left && this.cardAt(this.left.column, this.left.index);
    const first = () => this.node.querySelector(".card") ?? this.node.querySelector(".cards");
    const card = this.current() ?? beside ?? first();
    card?.focus({ preventScroll: false });
  }

  /** The value of the column with the focus: a new note gets it. */
  given() {
    const column = this.answer?.movable && focusIn(this.node)?.closest(".column");
    const value = column ? this.columns[this.columnOf(column)]?.value : null;
    return (value ?? null) === null ? [] : [{ field: this.answer.field, value }];
  }

  /** Goes up and down in a column. */
  step(step) {
    const card = this.current();
    if (!card) return this.focus();
    const { column, index } = this.placeOf(card);
    return this.cardAt(column, index + step)?.focus();
  }

  /** Goes to the next column that has cards. */
  turn(step) {
    const card = this.current();
    if (!card) return this.focus();
    const { column, index } = this.placeOf(card);
    for (let next = column + step; this.columns[next]; next += step)
      if (this.columns[next].notes.length) return this.cardAt(next, index).focus();
    return null;
  }

  /** Moves the card of the cursor to the next column. */
  shift(step) {
    const card = this.current();
    if (!card || !this.answer.movable || readOnly()) return null;
    const column = this.columnOf(card);
    return this.columns[column + step] ? this.move(this.noteOf(card), column, column + step) : null;
  }

  /** Why no card can be moved; null if one can. */
  get hindrance() {
    if (!this.answer?.movable) return "The notes of this view can't be moved to another column";
    return this.notesShown().length ? null : "There is no card to move";
  }

  /** Asks for a column; first for the card if keys mean none. */
  chooseColumn(card = this.current()) {
    if (this.hindrance) return say(this.hindrance);
    const note = card && this.noteOf(card);
    return note ? this.chooseColumnOf(note, this.columnOf(card)) : this.chooseCard();
  }

  chooseCard() {
    return choose({
      title: "Move a card",
      placeholder: "Find the card by its title",
      items: this.columns.flatMap((column, index) =>
        column.notes.map((note) => ({
          text: note.title || "Untitled",
          detail: this.titleOf(column),
          run: () => this.chooseColumnOf(note, index),
        })),
      ),
    });
  }

  chooseColumnOf(note, from) {
    return choose({
      title: labelOf(this.answer.field),
      about: aboutOf(movedWith(note)),
      items: this.columns.map((column, index) => ({
        text: this.titleOf(column),
        detail: own(column.actions, kindOf(note).name),
        chosen: index === from,
        run: () => this.move(note, from, index),
      })),
    });
  }

  /** Moves a note, or the selection that it is part of: one commit, by the kind's action if there is one. */
  move(note, from, to) {
    // The board may have been read again while the card was carried.
    if (!note || !this.columns[from] || !this.columns[to]) return null;
    const moves = new Map();
    for (const one of movedWith(note)) {
      const move = this.moveOf(one, from, to);
      if (move) moves.set(one, move);
    }
    const notes = [...moves.keys()];
    const [move] = moves.values();
    if (!move) return null;
    if ([...moves.values()].some((other) => JSON.stringify(other) !== JSON.stringify(move))) {
      say("The selected notes need different changes. Move them one by one", { error: true });
      return null;
    }
    const carry = (isOn) =>
      notes.forEach((one) => this.cardOf(refOf(one))?.classList.toggle("carried", isOn));
    carry(true);
    state.cursor = note;
    const done = move.action
      ? act(move.action, notes, notes.length)
      : change(notes, move.changes, notes.length);
    return done.then((answer) => {
      if (!answer) carry(false);
    });
  }

  /** How a note comes from one column, or from its own, to another; null if it is there already. */
  moveOf(note, from, to) {
    const { field = "" } = this.answer;
    const isIn = (column) => column.notes.some((one) => refOf(one) === refOf(note));
    const old = isIn(this.columns[from]) ? this.columns[from] : this.columns.find(isIn);
    const isList = field === "tags" || Boolean(fieldOf(kindOf(note), field)?.list);
    return (
      old && moveOf(this.answer, { from: old, to: this.columns[to], kind: kindOf(note).name, isList })
    );
  }

  /** Buttons above the board. */
  controls() {
    this.mark();
    return [this.answer?.movable && !readOnly() && this.mover];
  }

  /** Whether a card is in sight: none that one does not see is moved by the button. */
  isSeen(card) {
    const { left, right, top, bottom } = card.getBoundingClientRect();
    const pane = this.node.getBoundingClientRect();
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    return x >= pane.left && x <= pane.right && y >= pane.top && y <= pane.bottom;
  }

  /** The card that keys mean, if it is in sight. */
  seen() {
    const current = this.current();
    return current && this.isSeen(current) ? current : null;
  }

  /** Marks the card that the button above the board moves; without one in sight the button asks for it. */
  mark() {
    const card = this.seen();
    for (const one of this.node.querySelectorAll(".card"))
      one.classList.toggle("marked", one === card);
    this.mover.title = card
      ? `Move “${this.noteOf(card)?.title || "Untitled"}” (P)`
      : "Choose a card and its column";
  }
}
