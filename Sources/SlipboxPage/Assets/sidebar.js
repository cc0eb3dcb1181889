// @ts-check
// The sidebar: filters, kinds, groups and tags with their numbers; each entry is a query.

import { el, button, later, replace } from "./dom.js";
import { state, on, readOnly } from "./store.js";
import { format } from "./place.js";
import { get } from "./api.js";
import { dayAction, dueFilters, folderTerm, labelOf, tagTerm, kinds } from "./kinds.js";
import { act, change } from "./writes.js";
import { takeDrops } from "./dragging.js";
import { editFilter } from "./filters.js";
import { editView } from "./savedview.js";
import { openOver } from "./overlays.js";

/**
 * @typedef {object} Entry
 * @property {string} text
 * @property {number | null} [number]
 * @property {string} [query]
 * @property {string} [view]
 * @property {string} [name] The name of a saved view.
 * @property {string} [title]
 * @property {string} [sign]
 * @property {boolean} [quiet]
 * @property {(() => any) | null} [edit] Opens the menu of the entry.
 * @property {import("./entryactions.js").BoxEntry} [meant] The tag or the folder that has a menu.
 * @property {((notes: Notes) => any) | null} [drop] What becomes of notes that are dropped on it.
 */

/** @type {WeakMap<Node, import("./entryactions.js").BoxEntry>} */
const menus = new WeakMap();
/** The tag or the folder that a link of the sidebar shows. */
export const meantBy = (/** @type {Node} */ link) => menus.get(link);

/** @param {Entry} given */
function entry(given) {
  const { text, number, query, view = "notes", name, title, sign } = given;
  const { quiet = false, drop = null, edit = null, meant = null } = given;
  const place = { view, name, query: view === "notes" ? query : "", ref: null, at: state.place.at };
  const link = el(
    "a",
    { href: format(place), class: quiet ? "quiet" : undefined, title },
    el("span", { class: "grow", text }),
    sign && el("span", { class: "badge", "aria-hidden": "true", text: sign }),
    number === undefined || number === null ? null : el("span", { class: "badge", text: String(number) }),
  );
  if (meant) menus.set(link, meant);
  return el(
    "li",
    { class: edit ? "editable" : undefined },
    drop ? takeDrops(link, drop) : link,
    edit &&
      button("⋯", edit, { class: "plain edit-entry", title: `Edit ${text}`, "aria-label": `Edit ${text}` }),
  );
}

/** What a drop on an entry does: of all notes of the list only as many as it shows. */
const setting =
  (...changes) =>
  (notes) =>
    change(notes, changes, dropTotal());
let dropTotal = () => 0;

/** The action that puts records into the day that a filter lists. */
function dayDrop(filter) {
  const day = kinds()
    .map(dayAction)
    .find((one) => one && filter.query.includes(`${one.field}:today`));
  return day ? (notes) => act(day.action, notes, dropTotal()) : null;
}

const FOLDED = "slip-folded";
const folded = () => new Set((localStorage.getItem(FOLDED) ?? "").split(" ").filter(Boolean));

/** A section with its heading, which folds it; the browser remembers that. */
function section(title, entries) {
  if (!entries.length) return null;
  const id = `side-${title.toLowerCase()}`;
  const list = el("ul", { id });
  list.append(...entries);
  const head = el("button", { type: "button", class: "fold", "aria-controls": id, text: title });
  const show = (isFolded) => {
    list.hidden = isFolded;
    head.setAttribute("aria-expanded", String(!isFolded));
  };
  head.addEventListener("click", () => {
    const all = folded();
    if (!all.delete(title)) all.add(title);
    localStorage.setItem(FOLDED, [...all].join(" "));
    show(all.has(title));
  });
  show(folded().has(title));
  return el("section", {}, el("h2", {}, head), list);
}

/**
 * Entries below their parents, shown by the last part of their names: `{name, number, query, title, quiet}`.
 */
function nestedEntries(items) {
  const names = new Set(items.map(({ name }) => name));
  return items.map(({ name, ...item }) => {
    const cut = name.lastIndexOf("/");
    const isNested = cut > 0 && names.has(name.slice(0, cut));
    const made = entry({ ...item, text: isNested ? name.slice(cut + 1) : name });
    if (isNested) made.classList.add(`level-${Math.min(3, name.split("/").length - 1)}`);
    return made;
  });
}

const tagEntries = (tags) =>
  nestedEntries(
    tags.map(({ tag, active, count }) => ({
      name: tag,
      number: count,
      query: tagTerm(tag),
      title: `${tag}: ${active} active, ${count} in all`,
      quiet: active === 0,
      drop: setting({ field: "tags", add: tag }),
      meant: { type: "tag", name: tag },
    })),
  );
const folderEntries = (folders) =>
  nestedEntries(
    folders.map(({ folder, count }) => ({
      name: folder,
      number: count,
      query: folderTerm(folder),
      title: `The notes in ${folder} and below it`,
      meant: { type: "folder", name: folder },
    })),
  );

const conflictEntries = ({ conflicts: number }) =>
  number ? [entry({ text: "Conflicts", number, query: "is:conflicted", title: "Notes to resolve" })] : [];

/** On a phone the overview has no pane of its own. */
function todayEntry() {
  const made = entry({ text: "Today", view: "today", title: "Late, due, in progress and changed last" });
  made.classList.add("narrow");
  return made;
}

/** How many notes were due last, by the query. */
const dueCounts = new Map();
/** The entries that are shown, by the query. */
const dueShown = new Map();

/** The box does not have these numbers: they are asked for when what is shown has been read. */
const countDue = later(300, async () => {
  for (const [query, shown] of dueShown) {
    const answer = await get("list", { q: query, from: 0, limit: 1 }).catch(() => null);
    if (!answer) return;
    dueCounts.set(query, answer.total);
    shown.querySelector(".badge").textContent = String(answer.total);
  }
});

/** What is due today and in this week. */
function dueEntries() {
  dueShown.clear();
  for (const { text, query } of dueFilters())
    dueShown.set(query, entry({ text, number: dueCounts.get(query) ?? "", query, title: query }));
  if (!state.box.brief) countDue();
  return [...dueShown.values()];
}

const behind = (all, index, others) => [...all.slice(0, index + 1), ...others, ...all.slice(index + 1)];

const filterSection = (box) =>
  section("Filters", [
    todayEntry(),
    ...conflictEntries(box),
    ...behind(
      box.filters.map((filter) =>
        entry({
          text: labelOf(filter.name),
          number: filter.count,
          query: filter.query === "" ? "" : `@${filter.name}`,
          title: filter.query || "every note",
          drop: dayDrop(filter),
          edit: filter.own && !readOnly() ? () => editFilter(filter) : null,
        }),
      ),
      box.filters.findIndex(({ query }) => query.includes(":..yesterday")),
      dueEntries(),
    ),
  ]);

const FORM_SIGNS = { board: "▥", calendar: "▦", table: "▤", list: "≡", agenda: "◷" };

const viewSection = (box) =>
  section(
    "Views",
    (box.views ?? []).map((view) =>
      entry({
        text: labelOf(view.name),
        sign: FORM_SIGNS[view.form] ?? "!",
        view: "view",
        name: view.name,
        title: view.line,
        quiet: !view.form,
        edit: readOnly() ? null : () => editView(view),
      }),
    ),
  );

function groupsOf(box) {
  return (box.groups ?? []).map((group) =>
    entry({
      text: group.title || "Untitled",
      number: group.count,
      query: group.query,
      title: `${group.active} active, ${group.count} in all`,
      quiet: group.active === 0,
      drop: setting({ field: group.field, value: group.ref }),
    }),
  );
}

const countsOf = ({ name, comment, count, activeCount }) =>
  `${comment ?? name}: ${activeCount ?? count} active, ${count} in all`;

/** Pixels by which a finger moves to the left to close it. */
const SWIPE = 50;

export class Sidebar {
  /** `total()`: how many notes are listed. */
  constructor(total) {
    dropTotal = total;
    this.node = el("nav", { class: "sidebar", "aria-label": "Filters, kinds and tags" });
    /** Lies over the rest of the page while the sidebar does: a tap on it only closes. */
    this.shade = el("div", { class: "side-shade", on: { click: () => this.close() } });
    /** Ends that it lies over the page; null where it does not. @type {(() => void) | null} */
    this.release = null;
    let from = 0;
    this.node.addEventListener("touchstart", ({ touches }) => (from = touches[0].clientX), { passive: true });
    this.node.addEventListener("touchend", ({ changedTouches }) => {
      if (from - changedTouches[0].clientX > SWIPE) this.close();
    });
    on("box", () => this.draw());
    on("entry-chosen", () => this.close());
    // Between two places of one day only the mark differs.
    on("place", ({ before, now }) => {
      if (before.at === now.at) this.mark();
      else this.draw();
    });
  }

  draw() {
    if (!state.box) return;
    const focus = this.node.contains(document.activeElement)
      ? document.activeElement.getAttribute("href")
      : null;
    const scroll = this.node.scrollTop;
    const brief = () => [filterSection(state.box), viewSection(state.box)];
    replace(this.node, ...(state.box.brief ? brief() : this.sections(state.box)));
    this.links = new Map(
      [...this.node.querySelectorAll("a")].map((link) => [link.getAttribute("href"), link]),
    );
    this.mark();
    this.node.scrollTop = scroll;
    if (focus) this.links.get(focus)?.focus({ preventScroll: true });
  }

  /** Marks the entry of the place that is shown. */
  mark() {
    const { view, name, query, at } = state.place;
    const here = this.links?.get(format({ view, name, query: view === "notes" ? query : "", ref: null, at }));
    if (here === this.here) return;
    this.here?.removeAttribute("aria-current");
    here?.setAttribute("aria-current", "page");
    this.here = here;
  }

  sections(box) {
    const kindEntries = kinds()
      .filter((kind) => kind.count > 0)
      .map((kind) =>
        entry({
          text: labelOf(kind.name),
          number: kind.count,
          query: `kind:${kind.name}`,
          title: countsOf(kind),
        }),
      );
    return [
      filterSection(box),
      viewSection(box),
      section(
        "Kinds",
        kindEntries.length
          ? kindEntries
          : kinds().map((kind) =>
              entry({
                text: labelOf(kind.name),
                number: 0,
                query: `kind:${kind.name}`,
                title: kind.comment,
                quiet: true,
              }),
            ),
      ),
      section("Groups", groupsOf(box)),
      section("Tags", tagEntries(box.tags)),
      section("Folders", folderEntries(box.folders ?? [])),
      section("Box", [
        entry({ text: "Deleted", number: box.deleted, view: "deleted", quiet: !box.deleted }),
        entry({ text: "Check boxes", view: "todos", title: "The open check boxes of all notes" }),
        entry({ text: "History", view: "history" }),
      ]),
    ];
  }

  /** Whether it lies over the page when it is opened, as on a narrow screen. */
  isOverlay() {
    return getComputedStyle(this.node).position === "fixed";
  }

  /** Goes there, or closes it if it lies over the page. */
  toggle() {
    if (!this.isOverlay()) this.focus();
    else if (this.release) this.close();
    else this.open();
  }

  /** Opens it over the page. A tap beside it, a swipe, Escape and Back close it. */
  open() {
    this.release ??= openOver(() => this.close());
    document.body.classList.add("side-open");
    this.focus();
  }

  close() {
    if (!this.release) return;
    this.release();
    this.release = null;
    document.body.classList.remove("side-open");
    this.closed();
  }

  /** What has the focus then. */
  closed() {}

  focus() {
    (this.node.querySelector("[aria-current]") ?? this.node.querySelector("a"))?.focus();
  }
}
