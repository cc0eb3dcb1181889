// @ts-check
// Above and below the list: what is shown and how much, its order, and what can be done to the selection.

import { el, button, later, replace } from "./dom.js";
import { state, emit, on, onAny, readOnly } from "./store.js";
import { go } from "./address.js";
import {
  fieldOf,
  kindOf,
  kindOfQuery,
  labelOf,
  kinds,
  actionsFor,
  dayAction,
  dueField,
  expand,
  lateFields,
  rankField,
} from "./kinds.js";
import { newNote } from "./newnote.js";
import { aboutOf, chooseFor, chooseTags, sample as sampleOf } from "./choices.js";
import { choose } from "./chooser.js";
import { restoreNote } from "./past.js";
import { change, act, remove, typeChanges } from "./writes.js";
import { saveFilter, canSaveFilter } from "./filters.js";

/**
 * What the bar of a selection shows as buttons, from the widest form to the narrowest: so many actions of the
 * kind and so many fields, and whether there are `Change…`, `Tags` and `All`; a short one has the number
 * alone. The rest is behind `More…`, so that all of it is in one line.
 */
const BARS = [
  { actions: 2, fields: 2, hasTags: true, hasChange: true },
  { actions: 1, fields: 2, hasTags: true, hasChange: true },
  { actions: 1, fields: 2, hasTags: true },
  { actions: 1, fields: 1, hasTags: true },
  { actions: 1, fields: 1 },
  { actions: 1, fields: 0 },
  { actions: 1, fields: 0, hasNoRest: true },
  { actions: 1, fields: 0, hasNoRest: true, isShort: true },
  { actions: 0, fields: 0, hasNoRest: true, isShort: true },
];
const SORT = /(^|\s)sort:\S+/;

export const titleOf = (/** @type {Place} */ { view, query, name = "" }) => {
  if (view === "view") return labelOf(name);
  if (view === "todos") return "Check boxes";
  if (view !== "notes") return labelOf(view);
  const plain = query.replace(SORT, "").trim();
  const named = /^@(\S+)$/.exec(plain);
  const kind = /^kind:(\S+)$/.exec(plain);
  if (plain === "is:conflicted") return "Conflicts";
  const group = state.box?.groups?.find((one) => one.query === plain);
  return group ? group.title : named ? labelOf(named[1]) : kind ? labelOf(kind[1]) : plain || "All";
};

/** A sort key in words: what is compared, and what comes first. */
function orderText(key, kind) {
  const name = key.replace(/^-/, "");
  const field = kind && fieldOf(kind, name);
  if (field?.type === "boolean") return `${key.startsWith("-") ? labelOf(name) : `Not ${name}`} first`;
  const values = field?.type === "choice" ? (field.values ?? []) : [];
  const isDate = ["created", "modified"].includes(name) || ["date", "moment"].includes(field?.type);
  const [up, down] = isDate
    ? ["oldest first", "newest first"]
    : values.length
      ? [`${values[0]} first`, `${values.at(-1)} first`]
      : field?.type === "integer"
        ? ["lowest first", "highest first"]
        : ["A to Z", "Z to A"];
  return `${name === "modified" ? "Changed" : labelOf(name)}, ${key.startsWith("-") ? down : up}`;
}

/**
 * The order of a list that names none: of words the best match, else that of the kind, else the newest. A
 * kind that puts open records first is named by the order among them.
 */
function usualOrder(query, kind) {
  if (/(^|\s)[\p{L}\p{N}]+\*?(?=\s|$)/u.test(query.replace(/(^|\s)(OR|AND|NOT)(?=\s)/g, " ")))
    return "Best match first";
  const keys = (kind?.sort ?? "-created").split(",").map((key) => key.trim());
  const isOpenFirst = (key) => kind && fieldOf(kind, key)?.type === "boolean";
  return orderText(keys.find((key) => !isOpenFirst(key)) ?? keys[0], kind);
}

export class ListHead {
  constructor(app) {
    this.title = el("h1", {});
    this.count = el("span", { class: "muted", role: "status" });
    this.sort = el("select", { class: "sort", "aria-label": "Order", title: "Order" });
    this.sort.addEventListener("change", () => {
      const rest = state.place.query.replace(SORT, "").trim();
      go(
        { query: this.sort.value ? `${rest} sort:${this.sort.value}`.trim() : rest, ref: state.place.ref },
        { replace: true },
      );
    });
    this.keep = button("☆ Keep", () => saveFilter(), {
      class: "plain keep",
      title: "Save this filter",
      "aria-label": "Save this filter",
      hidden: true,
    });
    this.node = el("header", { class: "list-head" }, this.title, this.count, this.keep, this.sort);
    on("listed", ({ total, word = total === 1 ? "note" : "notes" }) => {
      this.title.textContent = titleOf(state.place);
      this.count.textContent = total === null ? "" : `${total.toLocaleString()} ${word}`;
    });
    on("place", ({ before, now }) => {
      // The title of another query comes with its rows.
      if (before.view !== now.view || before.name !== now.name) this.title.textContent = titleOf(now);
      this.draw();
    });
    on("box", () => {
      if (!app.list.isReading) this.title.textContent = titleOf(state.place);
      this.draw();
    });
  }

  draw() {
    const { place } = state;
    this.sort.hidden = place.view !== "notes";
    this.keep.hidden = !canSaveFilter();
    const kind = kindOfQuery(place.query);
    const fields = (kind?.fields ?? [])
      .filter((field) => !field.list && !["title", "created"].includes(field.name))
      .map((field) => field.name);
    const names = [
      "-created",
      "created",
      "-modified",
      "title",
      ...fields.flatMap((name) => [name, `-${name}`]),
    ];
    const now = SORT.exec(place.query)?.[0].trim().slice(5) ?? "";
    if (now && !names.includes(now)) names.push(now);
    const usual = usualOrder(place.query, kind);
    const others = [...new Set(names)].filter((name) => orderText(name, kind) !== usual);
    this.offer(usual, others, kind);
    this.sort.value = others.includes(now) ? now : "";
  }

  /** The orders that may be chosen; made anew where they are others than before. */
  offer(usual, names, kind) {
    const offered = `${usual} ${names.join(" ")}`;
    if (this.offered === offered) return;
    this.offered = offered;
    replace(
      this.sort,
      el("option", { value: "", text: usual }),
      names.map((name) => el("option", { value: name, text: orderText(name, kind) })),
    );
  }
}

export class SelectionBar {
  constructor(app) {
    this.app = app;
    this.node = el("div", {
      class: "selection-bar",
      role: "toolbar",
      "aria-label": "Selection",
      hidden: true,
    });
    onAny(["selection", "listed", "place", "cursor"], () => this.draw());
    app.list.grid.addEventListener("scroll", later(100, () => this.draw()), { passive: true });
    // It is as wide as the list, which a note may have hidden.
    let width = 0;
    new ResizeObserver(() => {
      if (this.node.clientWidth === width) return;
      width = this.node.clientWidth;
      if (width) this.draw();
    }).observe(this.node);
  }

  draw() {
    const some = state.allSelected || state.selected.size > 0;
    const deleted = state.place.view === "deleted" && state.cursor && this.app.list.total > 0;
    const isNew = this.node.hidden;
    this.node.hidden = !(some || deleted) || readOnly();
    if (this.node.hidden) return;
    const fits = () => this.node.scrollWidth <= this.node.clientWidth;
    for (const form of BARS) {
      this.drawButtons(deleted, form);
      if (fits()) break;
    }
    if (isNew) this.node.scrollLeft = 0;
  }

  drawButtons(isDeleted, form) {
    const { list } = this.app;
    if (isDeleted) {
      const note = state.cursor;
      replace(
        this.node,
        el("strong", { class: "grow", text: note.title || "Untitled" }),
        button("Show", () => this.app.openCursor(true), { title: "Show the deleted note (Enter)" }),
        button("Restore", () => restoreNote(note), { class: "primary", title: "Restore the note" }),
      );
      return;
    }
    const { size } = state.selected;
    // A view selects only notes that are in sight.
    const total = state.place.view === "view" ? size : list.total;
    // Asked for at each click: notes may have changed since the bar was drawn.
    const notes = () => (state.allSelected ? "all" : [...state.selected.values()]);
    const sample = () => sampleOf(notes());
    // Of all notes only a query tells that they are of one kind.
    const isMixed = state.allSelected && !kindOfQuery(state.place.query);
    const alike = new Set(isMixed ? [] : sample().map((note) => kindOf(note).name));
    const canDo = (name) => state.allSelected || sample().some((note) => actionsFor(note).includes(name));
    const names = alike.size === 1 ? Object.keys(kindOf(sample()[0]).actions ?? {}).filter(canDo) : [];
    const about = aboutOf(notes(), total);
    const actions = names.map((name) => ({ text: labelOf(name), run: () => act(name, notes(), list.total) }));
    const fields = isMixed ? [] : this.fields(sample(), notes);
    const set = (changes) => change(notes(), changes, list.total);
    const meant = state.allSelected ? total : size;
    const tag = () => chooseTags(sample(), set, aboutOf(notes(), list.total), meant);
    const tags = { text: "Tags", key: "l", run: tag };
    const typed = { text: "Change…", key: "=", run: () => typeChanges(notes(), list.total) };
    const selectRest = () => {
      state.allSelected = true;
      emit("selection");
    };
    const rest =
      !state.allSelected && size < total && { text: `Select all ${total.toLocaleString()}`, run: selectRest };
    const count = (state.allSelected ? total : size).toLocaleString();
    const more = [
      ...actions.slice(form.actions),
      ...fields.slice(form.fields),
      ...(form.hasTags ? [] : [tags]),
      ...(form.hasChange ? [] : [typed]),
      ...(form.hasNoRest && rest ? [rest] : []),
    ];
    const shown = ({ text, run, key }) => button(text, run, key && { title: `${text} (${key})` });
    replace(
      this.node,
      button("×", () => this.app.unselect(), { class: "plain", "aria-label": "Clear the selection" }),
      el("strong", {}, count, el("span", { class: form.isShort && "hidden-text", text: " selected" })),
      this.unseen(),
      rest && !form.hasNoRest && button(`All ${total.toLocaleString()}`, selectRest, { class: "plain" }),
      actions.slice(0, form.actions).map(shown),
      more.length > 0 &&
        button("More…", () => choose({ title: "Actions", about, items: more }), { title: "More actions" }),
      fields.slice(0, form.fields).map(shown),
      form.hasTags && shown(tags),
      form.hasChange && shown(typed),
      button("Delete", () => remove(notes(), list.total), { class: "danger" }),
    );
  }

  /** How many of the selected rows are out of sight above and below; a click scrolls to the first of them. */
  unseen() {
    const { list } = this.app;
    if (state.place.view !== "notes" || state.allSelected) return [];
    const { height } = list;
    const { scrollTop, clientHeight } = list.grid;
    const sideOf = (row) => {
      if (row * height < scrollTop) return "above";
      return (row + 1) * height > scrollTop + clientHeight ? "below" : null;
    };
    const rows = [...state.selected.keys()].map((ref) => list.placeOf(ref)).filter((row) => row !== null);
    return ["above", "below"].map((side) => {
      const there = rows.filter((row) => sideOf(row) === side);
      const show = () => list.scrollTo(Math.min(...there) * height);
      const text = `${there.length} ${side}`;
      return there.length > 0 && button(text, show, { class: "plain", title: "Show them" });
    });
  }

  /** What sets the priority and the date of notes of one kind: `{text, run}`. */
  fields(sample, notes) {
    const alike = new Set(sample.map((note) => kindOf(note).name));
    if (alike.size !== 1) return [];
    const kind = kindOf(sample[0]);
    const set = (changes) => change(notes(), changes, this.app.list.total);
    const due = dueField(kind);
    return [rankField(kind), due && lateFields().has(due.name) && due]
      .filter(Boolean)
      .map((field) => ({
        text: `${labelOf(field.name)}…`,
        run: () => chooseFor(sample, field.name, set, aboutOf(notes(), this.app.list.total)),
      }));
  }
}

/** How words and phrases are written, for a query that has some. */
function wordsHint(query) {
  const words = query.match(/(?:[^\s"]|"[^"]*")+/g) ?? [];
  const isWord = (word) => /^[\p{L}\p{N}]+\*?$/u.test(word) && !/^(AND|OR|NOT)$/.test(word);
  const [word] = words.filter(isWord);
  const value = /(?:^|\s)(\p{L}[\p{L}\p{N}_-]*):([^\s"]+) ([\p{L}\p{N}]+)/u.exec(query);
  return [
    value && `A value of several words needs quotes: ${value[1]}:"${value[2]} ${value[3]}".`,
    word &&
      `Words are found by their beginnings; *${word.replace(/\*$/, "")}* finds letters anywhere in a word.`,
    words.filter(isWord).length > 1 && "A phrase needs quotes.",
  ].filter(Boolean);
}

/** What an empty list says: how to begin, or what was looked for. */
export function showEmpty(notice, hint, create) {
  const { query, view, at } = state.place;
  if (state.box?.brief) return replace(notice);
  const some = (state.box?.kinds ?? []).some((kind) => kind.count > 0);
  const kind = kindOfQuery(query);
  const make = (name) =>
    readOnly() ? null : button(`New ${name}`, () => newNote({ kind: name, create }), { class: "primary" });
  if (view === "deleted")
    return replace(
      notice,
      el("h2", { text: "No deleted notes" }),
      el("p", { text: "Deleted notes are listed here and can be restored." }),
    );
  if (at && !query)
    return replace(
      notice,
      el("h2", { text: "No notes on that day" }),
      el("p", { text: "Move the slider to a later day." }),
    );
  if (at) {
    return replace(
      notice,
      el("h2", { text: "No matches on that day" }),
      el("p", { text: `No note of that day matches ${query}.` }),
      el(
        "div",
        { class: "buttons" },
        button("Clear the filter", () => go({ query: "", ref: null })),
      ),
    );
  }
  if (!some) {
    return replace(
      notice,
      el("h2", { text: "No notes yet" }),
      el("p", {}, "To create the first note or record, press ", el("kbd", { text: "c" }), " or choose one."),
      el(
        "div",
        { class: "buttons" },
        kinds().map((one) =>
          button(`New ${one.name}`, () => newNote({ kind: one.name, create }), { title: one.comment }),
        ),
      ),
      el("p", { class: "muted" }, "All keys: ", el("kbd", { text: "?" })),
    );
  }
  if (kind && !kind.count)
    return replace(
      notice,
      el("h2", { text: `No ${kind.name} yet` }),
      el("p", { text: kind.comment ? `${labelOf(kind.name)}: ${kind.comment}.` : "" }),
      make(kind.name),
    );
  const named = /^@\S+$/.test(query);
  const day =
    named && kinds().find((one) => dayAction(one) && expand(query).includes(`${dayAction(one).field}:today`));
  return replace(
    notice,
    el("h2", { text: named ? `Nothing in ${titleOf(state.place)}` : "No matches" }),
    day &&
      el(
        "p",
        { class: "muted" },
        "Press ",
        el("kbd", { text: "m" }),
        ` on a ${day.name} to add it here for today.`,
      ),
    hint && el("p", { class: "muted", text: hint }),
    wordsHint(query).map((text) => el("p", { class: "muted", text })),
    el(
      "div",
      { class: "buttons" },
      kind && make(kind.name),
      query && button("Clear the filter", () => go({ query: "", ref: null })),
    ),
  );
}
