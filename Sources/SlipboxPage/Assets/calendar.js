// @ts-check
// A calendar: the days of a month or a week with their notes. A note is carried or moved by keys to another
// day.

import { el, button, focusIn, replace } from "./dom.js";
import { on, readOnly, refOf, state } from "./store.js";
import { fieldOf, kindOf, labelOf, viewNamed } from "./kinds.js";
import { go } from "./address.js";
import { makeCard } from "./row.js";
import { chooseDate } from "./choices.js";
import { change } from "./writes.js";
import { long, span, today } from "./dates.js";
import { addDays, addMonths, daysShown, joined, mondayOf } from "./viewdata.js";
import { startCarrying } from "./carrying.js";
import { say } from "./messages.js";
import { movedWith } from "./selecting.js";

/** So many notes of a day are shown in a month. */
const SHOWN = 4;
const WEEK = "slip-calendar-week";
const named = (options) => new Intl.DateTimeFormat(undefined, { timeZone: "UTC", ...options });
const monthName = named({ month: "long", year: "numeric" });
const weekdayName = named({ weekday: "short" });
const at = (day) => Date.parse(`${day}T00:00:00Z`);

export class Calendar {
  /** `view`: the saved view that it belongs to. */
  constructor(view) {
    this.view = view;
    this.node = el("div", { class: "calendar", role: "grid" });
    this.isWeek = localStorage.getItem(WEEK) === "true";
    on("cursor", () => this.mark());
    startCarrying(this.node, {
      cardAt: (target) => {
        const card = this.answer?.movable ? target.closest(".card") : null;
        return card && !this.noteOf(card)?.earlier ? card : null;
      },
      placeAt: (target) => target.closest(".day"),
      drop: (card, place) => this.move(this.noteOf(card), place.dataset.day),
      scrollers: () => [this.node.parentElement],
    });
    this.node.addEventListener("click", (event) => {
      const card = event.target.closest(".card");
      if (card) this.view.open(this.noteOf(card), { card });
    });
    this.node.addEventListener("focusin", (event) => {
      const day = event.target.closest(".day");
      if (day) this.day = day.dataset.day;
      const card = event.target.closest(".card");
      this.view.point(card ? this.noteOf(card) : null);
    });
  }

  notesShown() {
    return [...this.notes.values()].flatMap((day) => day.notes);
  }

  /** The days of the answer that is asked for. */
  request() {
    // The day of the cursor, and a day of the month or the week that is shown.
    this.day ??= today();
    this.base ??= this.day;
    const days = daysShown(this.base, this.isWeek);
    return { first: days[0], last: days.at(-1), limit: this.isWeek ? 500 : 50 };
  }

  show(answer) {
    const focus = focusIn(this.node);
    const ref = focus?.dataset.ref;
    this.answer = answer;
    this.notes = new Map(answer.days.map((day) => [day.date, day]));
    const days = daysShown(this.base, this.isWeek);
    this.node.classList.toggle("of-week", this.isWeek);
    this.node.setAttribute("aria-label", `${labelOf(answer.field)}, ${this.title()}`);
    const weeks = Array.from({ length: days.length / 7 }, (_, week) => days.slice(week * 7, week * 7 + 7));
    const names = weeks[0].map((day) =>
      el("div", { class: "weekday", role: "columnheader", text: weekdayName.format(at(day)) }),
    );
    replace(
      this.node,
      el("div", { class: "week weekdays", role: "row" }, names),
      weeks.map((week) =>
        el(
          "div",
          { class: "week", role: "row" },
          week.map((day) => this.cell(day)),
        ),
      ),
    );
    const isFirst = this.shown !== this.view.name;
    this.shown = this.view.name;
    // On a narrow screen the days are a long list.
    if (isFirst) this.cellOf(this.day)?.scrollIntoView({ block: "center" });
    if (focus) ((ref && this.cardOf(ref)) ?? this.cellOf(this.day))?.focus({ preventScroll: true });
  }

  cell(day) {
    const { notes = [], count = 0 } = this.notes.get(day) ?? {};
    const most = this.isWeek || count <= SHOWN ? count : SHOWN - 1;
    const isOther = !this.isOfPeriod(day);
    const classes = ["day", isOther && "other", day === today() && "is-today", !count && "blank"];
    const shown = notes.slice(0, most);
    return el(
      "div",
      {
        class: classes.filter(Boolean).join(" "),
        role: "gridcell",
        tabIndex: day === this.day ? 0 : -1,
        "aria-label": count ? `${long(day)}, ${count} ${count === 1 ? "note" : "notes"}` : long(day),
        "aria-current": day === today() ? "date" : undefined,
        data: { day },
      },
      el(
        "div",
        { class: "day-name", "aria-hidden": "true" },
        el("span", { class: "day-word", text: `${weekdayName.format(at(day))} ` }),
        el("span", { class: "day-number", text: String(Number(day.slice(8))) }),
      ),
      shown.map((note) =>
        makeCard(note, {
          titles: this.answer.titles,
          role: "button",
          isSmall: !this.isWeek,
          open: refOf(note) === state.place.ref,
          time: note.time ?? null,
        }),
      ),
      count > shown.length &&
        button(`${count - shown.length} more`, () => this.showWeek(day), {
          class: "plain small more-notes",
          "aria-label": `${count - shown.length} more on ${long(day)}`,
        }),
    );
  }

  title() {
    if (!this.isWeek) return monthName.format(at(this.base));
    const monday = mondayOf(this.base);
    return span(monday, addDays(monday, 6));
  }

  /** @returns {HTMLElement | null} */
  cellOf(day) {
    return this.node.querySelector(`.day[data-day="${day}"]`);
  }
  /** @returns {HTMLElement | null} */
  current() {
    return focusIn(this.node)?.closest(".card") ?? null;
  }
  /** @returns {HTMLElement | null} */
  cardOf(ref) {
    const cards = /** @type {NodeListOf<HTMLElement>} */ (this.node.querySelectorAll(".card"));
    return [...cards].find((card) => card.dataset.ref === ref) ?? null;
  }
  dayOf(card) {
    return card?.closest(".day").dataset.day;
  }
  noteOf(card) {
    return this.notes.get(this.dayOf(card))?.notes.find((note) => refOf(note) === card.dataset.ref);
  }
  focus() {
    (this.current() ?? this.cellOf(this.day))?.focus({ preventScroll: false });
  }

  /** Whether a day is of the month or the week that is shown, and not one of the days around a month. */
  isOfPeriod(day) {
    return this.isWeek
      ? daysShown(this.base, true).includes(day)
      : day.slice(0, 7) === this.base.slice(0, 7);
  }

  /** Shows another day, and reads its month or week if it is not shown, or if it `isTurning` there. */
  async to(day, { isFocused = true, isTurning = false } = {}) {
    const isShown = daysShown(this.base, this.isWeek).includes(day) && this.cellOf(day);
    this.day = day;
    if (!isShown || (isTurning && !this.isOfPeriod(day))) {
      this.base = day;
      await this.view.load();
    }
    for (const cell of /** @type {NodeListOf<HTMLElement>} */ (this.node.querySelectorAll(".day")))
      cell.tabIndex = cell.dataset.day === day ? 0 : -1;
    const first = /** @type {HTMLElement | null} */ (this.cellOf(day)?.querySelector(".card") ?? null);
    if (isFocused) (first ?? this.cellOf(day))?.focus();
  }

  turn(step) {
    return this.to(addDays(this.day, step));
  }

  /** To the next note of the day, else to the day a week later. */
  step(step) {
    const card = this.current();
    const next = step > 0 ? card?.nextElementSibling : card?.previousElementSibling;
    if (next instanceof HTMLElement && next.classList.contains("card")) return next.focus();
    return this.to(addDays(this.day, Math.sign(step) * 7));
  }

  page(step) {
    const from = this.isOfPeriod(this.day) ? this.day : this.base;
    return this.to(this.isWeek ? addDays(from, step * 7) : addMonths(from, step), {
      isFocused: Boolean(focusIn(this.node)),
      isTurning: true,
    });
  }

  showWeek(day = this.day, isWeek = true) {
    this.day = day;
    this.base = day;
    this.isWeek = isWeek;
    localStorage.setItem(WEEK, String(isWeek));
    return this.view.load().then(() => this.to(day));
  }

  /** Lists the notes of the view without a date. */
  showUndated() {
    const query = joined(viewNamed(this.view.name)?.query, state.place.query, `${this.answer.field}:`);
    return go({ view: "notes", query, ref: null });
  }

  /** The day of the focus: a new note gets it. */
  given() {
    const day = this.answer?.movable && focusIn(this.node)?.closest(".day")?.getAttribute("data-day");
    return day ? [{ field: this.answer.field, value: day }] : [];
  }

  /** Moves the note of the cursor to an earlier or later day. */
  shift(step) {
    const card = this.current();
    const note = card && this.noteOf(card);
    if (!note || note.earlier || !this.answer.movable || readOnly()) return null;
    return this.move(note, addDays(this.dayOf(card), step));
  }

  chooseColumn() {
    const card = this.current();
    const note = card && this.noteOf(card);
    const field = note && fieldOf(kindOf(note), this.answer.field);
    if (!field) return say("Select a note of the calendar first");
    const notes = movedWith(note);
    return chooseDate(notes, field, (changes) => change(notes, changes, notes.length));
  }

  move(note, day) {
    const from = this.dayOf(this.cardOf(refOf(note)));
    if (from === day) return null;
    const notes = movedWith(note);
    const carry = (isOn) =>
      notes.forEach((one) => this.cardOf(refOf(one))?.classList.toggle("carried", isOn));
    carry(true);
    // A drop on a day of the next month leaves this one in sight.
    this.day = day;
    if (!this.cellOf(day)) this.base = day;
    return change(notes, [{ field: this.answer.field, value: day }], notes.length).then((answer) => {
      if (!answer) carry(false);
    });
  }

  /** Marks the card of the note that keys mean. */
  mark() {
    const ref = state.cursor && refOf(state.cursor);
    for (const card of /** @type {NodeListOf<HTMLElement>} */ (this.node.querySelectorAll(".card")))
      card.classList.toggle("marked", card.dataset.ref === ref);
  }

  controls() {
    this.mark();
    const { undated } = this.answer ?? {};
    const period = this.isWeek ? "week" : "month";
    const turn = (sign, step, name, key) =>
      button(sign, () => this.page(step), {
        class: "plain",
        "aria-label": name,
        title: `${name} (${key})`,
      });
    return [
      turn("‹", -1, `Previous ${period}`, "Page up"),
      el("strong", { class: "period", role: "status", text: this.title() }),
      turn("›", 1, `Next ${period}`, "Page down"),
      button("Today", () => this.to(today(), { isTurning: true }), { class: "plain" }),
      el("span", { class: "grow" }),
      undated > 0 &&
        button(`${undated.toLocaleString()} without a date`, () => this.showUndated(), {
          class: "plain small",
          disabled: !/^[\p{L}\p{N}_-]+$/u.test(this.answer.field),
          title: `List the notes without a date in ${this.answer.field}`,
        }),
      el(
        "span",
        { class: "periods" },
        [false, true].map((isWeek) =>
          button(isWeek ? "Week" : "Month", () => this.showWeek(this.day, isWeek), {
            class: "plain",
            "aria-pressed": String(this.isWeek === isWeek),
          }),
        ),
      ),
    ];
  }
}
