// @ts-check
// What is on today, while no note is open: late, due, in progress, changed last.

import { button, el, focusIn, later, replace } from "./dom.js";
import { get } from "./api.js";
import { emit, onAny, readOnly, refOf, state } from "./store.js";
import { go } from "./address.js";
import { dueFields, kindOf, kinds, labelOf, lateFields, stateField, timeOf } from "./kinds.js";
import { moment, timed } from "./dates.js";
import { tickBox } from "./row.js";

const MOST = 5;

/** The lists of the pane: a title and a query. Those of filters are there if the box has the filter. */
function sections() {
  const filter = (name) =>
    state.box.filters.some((one) => one.name === name) ? [{ title: labelOf(name), query: `@${name}` }] : [];
  const due = dueFields().map((name) => ({
    title: `${labelOf(name)} today`,
    query: `is:active ${name}:today`,
  }));
  const progress = kinds().some((kind) => stateField(kind)?.values?.includes("in-progress"))
    ? [{ title: "In progress", query: "status:in-progress" }]
    : [];
  return [
    ...filter("my-day"),
    ...filter("overdue"),
    ...due,
    ...progress,
    { title: "Changed last", query: "sort:-modified", isRecent: true },
  ];
}

export class Today {
  /** `open(ref)` opens a note; `view`: the view in which it has the place of the list. */
  constructor(open, view = null) {
    this.open = open;
    this.view = view;
    this.node = el("div", { class: "today", hidden: view !== null, tabIndex: -1 });
    this.refresh = later(120, () => this.load());
    onAny(["box", "listed", "note"], () => this.refresh());
  }

  async load() {
    const isShown = this.view ? state.place.view === this.view : !state.note;
    if (!state.box || state.box.brief || !isShown || this.node.offsetParent === null) return;
    const round = (this.round = (this.round ?? 0) + 1);
    const lists = [];
    try {
      for (const section of sections()) {
        const { notes, total } = await get("list", { q: section.query, from: 0, limit: MOST });
        if (round !== this.round) return;
        if (total) lists.push({ ...section, notes, total });
      }
    } catch {
      return;
    }
    if (this.view) emit("listed", { total: null });
    const focus = focusIn(this.node)?.textContent ?? null;
    replace(
      this.node,
      lists.map((list) => this.section(list)),
    );
    if (focus !== null)
      [...this.node.querySelectorAll("button")].find((one) => one.textContent === focus)?.focus();
  }

  focus() {
    (this.node.querySelector(".link") ?? this.node).focus({ preventScroll: true });
  }

  section({ title, query, notes, total, isRecent = false }) {
    const line = (note) =>
      el(
        "li",
        {},
        isRecent ? null : this.tickOf(note),
        button(note.title || "Untitled", () => this.open(refOf(note)), {
          class: "link",
          data: { ref: refOf(note) },
        }),
        el("span", {
          class: "muted small",
          text: isRecent ? `changed ${moment(note.modified)}` : this.dayOf(note) || kindOf(note).name,
        }),
      );
    return el(
      "section",
      { "aria-label": title },
      el(
        "h3",
        {},
        title,
        !isRecent &&
          total > notes.length &&
          button(`all ${total.toLocaleString()}`, () => go({ view: "notes", query, ref: null }), {
            class: "plain",
          }),
      ),
      el("ul", {}, notes.map(line)),
    );
  }

  /** The box that ticks a record off. */
  tickOf(note) {
    const box = tickBox(note, readOnly());
    box?.addEventListener("click", () => emit("tick", { note, field: box.dataset.tick }));
    return box;
  }

  /** The day by which a record is due. */
  dayOf(note) {
    const name = [...lateFields()].find((one) => note.fields?.[one]);
    return name ? `${labelOf(name).toLowerCase()} ${timed(note.fields[name], timeOf(note, name))}` : "";
  }
}
