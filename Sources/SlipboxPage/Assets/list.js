// @ts-check
// The list: windows of 50 rows are asked for before one scrolls to them, and only the rows in sight are made.

import { el, attribute } from "./dom.js";
import { takeScrolled } from "./address.js";
import { get } from "./api.js";
import { state, emit, on, refOf, readOnly } from "./store.js";
import { makeRow, emptyRow } from "./row.js";
import { kindOfQuery } from "./kinds.js";
import { ListNotice, pauseInTyping } from "./listnotice.js";
import { sayError } from "./messages.js";
import { range, toggle } from "./selecting.js";
import { isAside, meanNone } from "./meant.js";
import { SeenRows, ticksEnd } from "./ticks.js";

export const WINDOW = 50;
const KEPT = 24;
const MORE = 6;
const AHEAD = 140;

export class NoteList {
  constructor() {
    this.grid = el("div", {
      class: "grid",
      role: "grid",
      tabIndex: 0,
      "aria-label": "Notes",
      "aria-multiselectable": "true",
      "aria-rowcount": 0,
    });
    this.space = el("div", { class: "space", role: "rowgroup" });
    this.grid.append(this.space);
    this.query = "";
    this.view = "";
    this.seen = new SeenRows();
    this.notice = new ListNotice(this);
    this.node = el("div", { class: "list-body" }, this.notice.line, this.grid, this.notice.node);
    this.reset();
    this.grid.addEventListener("scroll", () => this.draw(), { passive: true });
    this.grid.addEventListener("pointerdown", (event) => {
      this.pressed = { node: event.target, ref: event.target.closest(".row")?.dataset.ref };
    });
    // Browsers report no click if rows are drawn while the button is down: the row of the same note is meant.
    this.grid.addEventListener("mouseup", (event) => {
      if (
        event.button === 0 &&
        this.pressed?.ref &&
        !this.pressed.node.isConnected &&
        event.target.closest(".row")?.dataset.ref === this.pressed.ref
      )
        this.clicked(event);
    });
    this.grid.addEventListener("mousedown", (event) => {
      if (event.target.closest("button")) event.preventDefault();
    });
    this.grid.addEventListener("click", (event) => this.clicked(event));
    this.grid.addEventListener("dblclick", (event) => {
      if (event.target.closest(".row")) emit("open-cursor", { focus: true });
    });
    new ResizeObserver(() => this.draw()).observe(this.grid);
    on("selection", () => this.draw());
    on("opened", () => {
      const { ref } = state.place;
      this.isAhead = false;
      this.sought = state.cursor && refOf(state.cursor) === ref ? null : ref;
      this.findOpened();
      if (this.isListed(state.place)) this.scrollBack();
      this.draw();
    });
    on("written", ({ note }) => {
      if (note) this.put([note]);
    });
    on("fresh", (notes) => {
      this.put(notes);
      this.changed = notes.map(refOf);
    });
  }

  reset() {
    this.windows = new Map();
    this.asked = new Map();
    // Names come from notes: here `__proto__` is one like any other.
    this.titles = Object.create(null);
    this.total = 0;
    this.index = 0;
    /** The cursor was moved since a note was opened: it is ahead of what is shown. */
    this.isAhead = false;
    this.anchor = 0;
    this.round = (this.round ?? 0) + 1;
    this.height = 52;
    this.ready = false;
  }

  /** Shows another query from its beginning, or with `keep` the same one, whose rows stay till then. */
  async load({ query, view }, { keep = false } = {}) {
    const isSame = () => keep && this.isListed({ query, view });
    if (isSame() && (await ticksEnd(), !isSame())) return;
    const again = isSame();
    const round = ++this.round;
    Object.assign(this, { query, view, isReading: true });
    const isFirst = !this.ready;
    const back = again ? null : takeScrolled("list");
    const from = this.windowOf(again ? this.firstInSight() : (back?.first ?? 0));
    const places = [from];
    if (again) while (places.at(-1) < this.windowOf(this.lastInSight())) places.push(places.at(-1) + WINDOW);
    try {
      const answers = await Promise.all(places.map((at) => this.fetch(at)));
      if (round !== this.round) return;
      this.isReading = false;
      if (!again) this.reset();
      this.windows = new Map(answers.map((answer, place) => [places[place], answer.notes]));
      this.asked = new Map();
      const first = answers[0];
      this.total = first.total;
      this.titles = Object.assign(Object.create(null), ...answers.map((answer) => answer.titles));
      for (const { notes } of answers) this.renew(notes);
      this.unselectLeft();
      this.height = first.notes.some((note) => note.snippet?.length) ? 74 : 52;
      this.ready = true;
      this.grid.classList.toggle("mixed", !kindOfQuery(query));
      if (back) this.index = back.index;
      // The first list begins at the open note.
      if (isFirst) this.scrollTo(0);
      this.find(again);
      if (!again && (back || !isFirst)) this.scrollTo(back?.top ?? 0);
      this.draw();
      this.notice.show();
      emit("listed", { total: this.total });
    } catch (error) {
      if (round !== this.round) return;
      // Rows of another query are not left in sight; those of this one are read when the server is back.
      if (error.code === "offline") return again ? (this.isReading = false) : this.showNone(error);
      await pauseInTyping(error);
      if (round !== this.round) return;
      this.ready = true;
      this.showNone(error);
    }
  }

  showNone(error) {
    Object.assign(this, { total: 0, isReading: false });
    this.windows.clear();
    meanNone();
    this.draw();
    emit("listed", { total: null, error });
    this.notice.fault(error);
  }

  isListed({ query, view }) {
    return this.query === query && this.view === view && this.ready;
  }

  /** How far the list is scrolled, with its cursor; null while it is hidden. */
  scrolled() {
    if (!this.grid.clientHeight) return null;
    return { top: this.grid.scrollTop, first: this.firstInSight(), index: this.index };
  }

  scrollTo(top) {
    this.space.style.height = `${this.total * this.height}px`;
    this.grid.scrollTop = top;
  }

  /** Scrolls to where the list was at the place that one came back to. */
  scrollBack() {
    const back = takeScrolled("list");
    if (back) this.scrollTo(back.top);
  }

  fetch(from) {
    // The first rows were asked for with the box.
    const early = this.early;
    this.early = null;
    if (early && from === 0 && early.query === this.query && early.view === this.view) return early.answer;
    return this.view === "deleted"
      ? get("deleted", { from, limit: WINDOW })
      : get("list", { q: this.query, from, limit: WINDOW });
  }

  /** What is selected is written as it is now, not as it was when it was selected. */
  renew(notes) {
    if (this.view !== "notes") return;
    for (const note of notes) if (state.selected.has(refOf(note))) state.selected.set(refOf(note), note);
  }

  /** Ends the selection if one of its notes was changed and has left the list: none is changed unseen. */
  unselectLeft() {
    const left = (this.changed ?? []).filter((ref) => state.selected.has(ref) && this.placeOf(ref) === null);
    this.changed = [];
    if (!left.length) return;
    state.selected.clear();
    emit("selection");
  }

  /** Notes as a write has left them; the list is read anew after it. */
  put(notes) {
    if (this.view !== "notes") return;
    const fresh = new Map(notes.map((note) => [refOf(note), note]));
    for (const [from, listed] of this.windows) {
      if (!listed.some((note) => fresh.has(refOf(note)))) continue;
      this.windows.set(
        from,
        listed.map((note) =>
          fresh.has(refOf(note)) ? { ...fresh.get(refOf(note)), snippet: note.snippet } : note,
        ),
      );
    }
    this.renew(notes);
    // Another view has a cursor of its own.
    if (state.place.view === this.view) state.cursor = this.noteAt(this.index) ?? state.cursor;
    this.draw();
  }

  /** The cursor follows its note where that is near; else it stays on its line. */
  find(again) {
    const ref = state.cursor && refOf(state.cursor);
    if (this.findOpened()) return;
    const index = this.placeOf(again ? ref : (state.place.ref ?? ref));
    if (index !== null) return this.point(index, { scroll: !again, quiet: true });
    this.point(Math.min(this.index, Math.max(0, this.total - 1)), { scroll: false, quiet: true });
  }

  /** The cursor goes to a note that was opened from elsewhere, as soon as the list has it. */
  findOpened() {
    const index = this.sought && this.view === "notes" ? this.placeOf(this.sought) : null;
    if (index === null) return false;
    this.sought = null;
    this.point(index, { scroll: true, quiet: true });
    return true;
  }

  placeOf(ref) {
    for (const [from, notes] of this.windows) {
      const place = notes.findIndex((note) => refOf(note) === ref);
      if (place >= 0) return from + place;
    }
    return null;
  }

  windowOf(index) {
    return Math.floor(index / WINDOW) * WINDOW;
  }
  noteAt(index) {
    return this.windows.get(this.windowOf(index))?.[index % WINDOW] ?? null;
  }
  firstInSight() {
    return Math.max(0, Math.floor(this.grid.scrollTop / this.height));
  }
  lastInSight() {
    const { scrollTop, clientHeight } = this.grid;
    return Math.max(0, Math.min(this.total - 1, Math.ceil((scrollTop + clientHeight) / this.height)));
  }

  async want(index) {
    const from = this.windowOf(index);
    if (this.isReading || this.windows.has(from) || this.asked.has(from) || index >= this.total) return;
    const round = this.round;
    this.asked.set(from, true);
    try {
      const answer = await this.fetch(from);
      if (round !== this.round) return;
      this.windows.set(from, answer.notes);
      this.renew(answer.notes);
      Object.assign(this.titles, answer.titles);
      const here = this.windowOf(this.firstInSight());
      const cursor = this.windowOf(this.index);
      const far = [...this.windows.keys()]
        .filter((at) => at !== cursor)
        .sort((a, b) => Math.abs(b - here) - Math.abs(a - here));
      while (this.windows.size > KEPT) this.windows.delete(far.shift());
      const isSeen =
        this.total !== answer.total ||
        cursor === from ||
        (from <= this.lastInSight() + MORE && from + WINDOW > this.firstInSight() - MORE);
      this.total = answer.total;
      if (cursor === from && !state.cursor) this.point(this.index, { scroll: false });
      if (isSeen) this.draw();
    } catch (error) {
      if (error.code !== "offline") sayError(error);
    } finally {
      this.asked.delete(from);
    }
  }

  /** Asks for the next rows on both sides, once those in sight are drawn. */
  lookAhead() {
    if (this.isLooking) return;
    this.isLooking = true;
    requestAnimationFrame(() =>
      setTimeout(() => {
        this.isLooking = false;
        const first = this.firstInSight() - MORE,
          last = this.lastInSight() + MORE;
        for (let index = first - AHEAD; index < last + AHEAD + WINDOW; index += WINDOW)
          this.want(Math.max(0, Math.min(this.total - 1, index)));
      }),
    );
  }

  draw() {
    this.space.style.height = `${this.total * this.height}px`;
    attribute(this.grid, "aria-rowcount", this.total);
    const isMeant = !isAside(this);
    this.grid.classList.toggle("aside", !isMeant);
    if (!this.total) {
      this.space.replaceChildren();
      return attribute(this.grid, "aria-activedescendant", null);
    }
    const first = Math.max(0, this.firstInSight() - MORE);
    const last = Math.min(this.total - 1, this.lastInSight() + MORE);
    for (const index of [first, last]) this.want(index);
    this.lookAhead();
    const shown = Array.from({ length: last - first + 1 }, (_, place) => first + place);
    // The row of the cursor is there wherever one has scrolled to: it is what the list has as its active one.
    if (this.index < first) shown.unshift(this.index);
    if (this.index > last) shown.push(this.index);
    const rows = shown.map((index) => {
      const note = this.noteAt(index) ?? (index === this.index ? state.cursor : null);
      const ref = note && refOf(note);
      this.seen.see(index, ref);
      const row = note
        ? makeRow(note, {
            id: `row-${index}`,
            index,
            titles: this.titles,
            locked: readOnly(),
            gone: this.view === "deleted",
            selected: this.view === "notes" && (state.allSelected || state.selected.has(ref)),
            current: index === this.index,
            open: ref === state.place.ref,
          })
        : emptyRow(index);
      row.style.transform = `translateY(${index * this.height}px)`;
      row.style.height = `${this.height}px`;
      return row;
    });
    this.space.replaceChildren(...rows);
    attribute(
      this.grid,
      "aria-activedescendant",
      isMeant && rows.some((row) => row.id === `row-${this.index}`) ? `row-${this.index}` : null,
    );
  }

  point(index, { scroll = true, quiet = false } = {}) {
    if (this.total === 0) {
      state.cursor = null;
      return;
    }
    this.index = Math.max(0, Math.min(index, this.total - 1));
    state.cursor = this.noteAt(this.index);
    if (scroll) {
      const top = this.index * this.height;
      if (top < this.grid.scrollTop) this.grid.scrollTop = top;
      else if (top + this.height > this.grid.scrollTop + this.grid.clientHeight)
        this.grid.scrollTop = top + this.height - this.grid.clientHeight;
    }
    if (!quiet) {
      this.sought = null;
      this.isAhead = true;
      this.draw();
      emit("cursor");
    }
  }

  move(step) {
    this.point(this.index + step);
    if (!state.selected.size) this.anchor = this.index;
  }

  page() {
    return Math.max(1, Math.floor(this.grid.clientHeight / this.height) - 1);
  }
  focus() {
    this.grid.focus({ preventScroll: true });
  }

  clicked(event) {
    const row = event.target.closest(".row");
    if (!row?.dataset.index) return;
    const index = Number(row.dataset.index);
    const part = event.target.closest("button");
    this.focus();
    if (part?.dataset.tick)
      return this.seen.isSeen(index) && emit("tick", { note: this.noteAt(index), field: part.dataset.tick });
    if (event.shiftKey) {
      range(this, index);
      return this.point(index, { scroll: false });
    }
    if (part?.dataset.select || event.ctrlKey || event.metaKey) {
      toggle(this, index);
      return this.point(index, { scroll: false });
    }
    if (!state.selected.size) this.anchor = index;
    this.point(index, { scroll: false, quiet: true });
    this.draw();
    emit("cursor");
    emit("open-cursor", { focus: false });
  }
}
