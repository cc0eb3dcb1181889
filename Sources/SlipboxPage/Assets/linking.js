// @ts-check
// A list below the caret: behind `[[` titles of notes, behind `#` headings or tags, behind `due:` days.

import { el, attribute, later, newId, typeInto } from "./dom.js";
import { get } from "./api.js";
import { state } from "./store.js";
import { today } from "./dates.js";
import { placesOf } from "./names.js";
import { blocksOf, daysFrom, headingsOf, isUnfinished, wantedAt } from "./completion.js";

const MOST = 8;
/** Pixels between the list and the line or the edge of the window. */
const GAP = 4;
/** Pixels that the list has in the smallest window: two lines. */
const LEAST_HEIGHT = 72;
const fold = (text) => text.normalize("NFC").toLowerCase().trim();

/** The link to a note: the layout's, else by its title if no other note has it, else by its id or path. */
export function linkText(note, notes) {
  if (note.link) return note.link;
  const { ref, title } = note;
  const plain = title && !/[[\]|#\n\\]/.test(title) && title === title.trim();
  if (plain && notes.filter((one) => fold(one.title ?? "") === fold(title)).length === 1)
    return `[[${title}]]`;
  return plain ? `[[${ref}|${title}]]` : `[[${ref}]]`;
}

/** Where the caret of a text area is, in pixels from its upper left corner. */
export function caretPlace(area) {
  const style = getComputedStyle(area);
  const copy = el("div", { class: "caret-copy", "aria-hidden": "true" });
  for (const name of ["font", "lineHeight", "letterSpacing", "padding", "border", "boxSizing", "tabSize"])
    copy.style[name] = style[name];
  copy.style.width = `${area.clientWidth}px`;
  const mark = el("span", { text: "|" });
  copy.append(area.value.slice(0, area.selectionStart), mark);
  area.after(copy);
  const place = { left: mark.offsetLeft, top: mark.offsetTop - area.scrollTop, line: mark.offsetHeight };
  copy.remove();
  return place;
}

/** Items whose text has what was typed, those first that begin with it. */
function fitting(items, typed) {
  const word = fold(typed);
  const has = items.filter(({ text }) => fold(text).includes(word));
  return [
    ...has.filter(({ text }) => fold(text).startsWith(word)),
    ...has.filter(({ text }) => !fold(text).startsWith(word)),
  ];
}

/**
 * Each form's items: `{text, detail, written}`; `written` replaces what was typed, from its opening brackets
 * on for notes.
 */
const SOURCES = {
  async note({ typed }, _area, from) {
    const { notes } = await get("titles", { q: typed, limit: 50, from, fit: "text" });
    const places = placesOf(notes);
    return notes.map((note, index) => ({
      text: note.title || "Untitled",
      detail: [places[index], note.kind !== "note" && note.kind].filter(Boolean).join(" · "),
      written: linkText(note, notes),
    }));
  },
  async heading({ typed, note }, area) {
    const text = note ? await textOf(note) : area.value;
    const headings = headingsOf(text).filter((one) => !/[[\]|#^]/.test(one.text));
    return fitting(
      headings.map((one) => ({ text: one.text, detail: "#".repeat(one.level), written: `${one.text}]]` })),
      typed,
    );
  },
  async block({ typed, note }, area) {
    const text = note ? await textOf(note) : area.value;
    return fitting(
      blocksOf(text).map(({ name, text }) => ({ text: name, detail: text, written: `${name}]]` })),
      typed,
    );
  },
  tag: ({ typed }) =>
    fitting(
      (state.box?.tags ?? []).map(({ tag, count }) => ({ text: tag, detail: String(count), written: tag })),
      typed,
    ).filter(({ text }) => text !== typed),
  day: ({ typed }) =>
    fitting(
      daysFrom(today()).map(({ text, day }) => ({ text, detail: day, written: day })),
      typed,
    ),
};

/** The text of the note of a title; empty if there is none. */
async function textOf(title) {
  const { notes } = await get("titles", { q: title, limit: 10, fit: "text" });
  const found =
    notes.find((one) => fold(one.title ?? "") === fold(title)) ?? notes.find((one) => one.ref === title);
  return found ? ((await get("note", { ref: found.ref })).note.body ?? "") : "";
}

export class Completion {
  /** @param {() => string} path of the note that the text area shows */
  constructor(area, path) {
    this.area = area;
    this.path = path;
    const id = newId("completions");
    this.list = el("ul", {
      class: "completions links",
      role: "listbox",
      id,
      "aria-label": "Completions",
      hidden: true,
    });
    attribute(area, "aria-autocomplete", "list");
    attribute(area, "aria-controls", id);
    this.node = this.list;
    this.items = [];
    this.round = 0;
    /** Escape was pressed since the text was typed. */
    this.isEnded = false;
    this.ask = later(60, () => this.fetch());
    area.addEventListener("input", () => {
      this.isEnded = false;
      if (this.typed() === null) this.close();
      else this.ask();
    });
    area.addEventListener("blur", () => this.close());
    area.addEventListener("click", () => this.close());
    area.addEventListener("scroll", () => this.close());
    this.list.addEventListener("mousedown", (event) => {
      event.preventDefault();
      const node = event.target.closest("[role=option]");
      if (node) this.take([...this.list.children].indexOf(node));
    });
  }

  get open() {
    return !this.list.hidden;
  }

  /** What is being written at the caret; null if nothing can be completed. */
  typed() {
    const { area } = this;
    if (area.readOnly || area.selectionStart !== area.selectionEnd) return null;
    return wantedAt(area.value.slice(0, area.selectionStart));
  }

  async fetch() {
    const round = ++this.round;
    const typed = this.typed();
    if (typed === null) return this.close();
    try {
      const items = await SOURCES[typed.form](typed, this.area, this.path());
      const isSame = JSON.stringify(this.typed()) === JSON.stringify(typed);
      if (round !== this.round || !isSame || document.activeElement !== this.area) return;
      this.items = items;
      this.draw();
    } catch {
      this.close();
    }
  }

  draw() {
    const shown = this.items.slice(0, MOST);
    this.list.replaceChildren(
      ...shown.map(({ text, detail }, index) =>
        el(
          "li",
          { role: "option", id: `${this.list.id}-${index}`, "aria-selected": "false" },
          el("span", { class: "grow", text }),
          el("span", { class: "detail", text: detail }),
        ),
      ),
    );
    this.list.hidden = shown.length === 0;
    if (!shown.length) return;
    this.put();
    this.point(0);
  }

  /** Puts the list below the line of the caret, or above it where there is more room in the window. */
  put() {
    const { area, list } = this;
    const place = caretPlace(area);
    const { top, left } = area.getBoundingClientRect();
    const view = window.visualViewport ?? { offsetTop: 0, width: innerWidth, height: innerHeight };
    const pane = (area.closest(".detail") ?? area).getBoundingClientRect();
    const line = top + place.top;
    const above = line - Math.max(pane.top, view.offsetTop) - GAP;
    const below = Math.min(pane.bottom, view.offsetTop + view.height) - line - place.line - GAP;
    list.style.maxHeight = "";
    const height = list.offsetHeight;
    const isAbove = height > below && above > below;
    const shown = Math.min(height, Math.max(LEAST_HEIGHT, (isAbove ? above : below) - GAP));
    list.style.maxHeight = `${shown}px`;
    const width = view.width - left - GAP;
    const most = Math.min(area.clientWidth, width) - list.offsetWidth;
    list.style.left = `${area.offsetLeft + Math.max(0, Math.min(place.left, most))}px`;
    list.style.top = `${area.offsetTop + place.top + (isAbove ? -shown - GAP : place.line + GAP)}px`;
  }

  point(index) {
    const count = this.list.children.length;
    this.active = (index + count) % count;
    [...this.list.children].forEach((node, at) =>
      node.setAttribute("aria-selected", String(at === this.active)),
    );
    attribute(this.area, "aria-activedescendant", this.list.children[this.active]?.id);
    const node = /** @type {HTMLElement | undefined} */ (this.list.children[this.active]);
    if (!node) return;
    // The list alone is scrolled, and not the note.
    const end = node.offsetTop + node.offsetHeight - this.list.clientHeight;
    this.list.scrollTop = Math.max(end, Math.min(this.list.scrollTop, node.offsetTop));
  }

  take(index) {
    const item = this.items[index];
    const wanted = this.typed();
    if (!item || !wanted) return this.close();
    const { area } = this;
    const end = area.selectionStart;
    const isLink = ["note", "heading", "block"].includes(wanted.form);
    const closed = isLink && area.value.slice(end, end + 2) === "]]" ? 2 : 0;
    typeInto(area, end - wanted.typed.length - (wanted.form === "note" ? 2 : 0), end + closed, item.written);
    this.close();
  }

  /** Whether a key was meant for the list. */
  key(event) {
    if (event.isComposing) return false;
    if (event.key === "Escape" && this.ends()) {
      event.preventDefault();
      event.stopPropagation();
      return true;
    }
    if (!this.open) return false;
    if (event.key === "ArrowDown") this.point(this.active + 1);
    else if (event.key === "ArrowUp") this.point(this.active - 1);
    else if (event.key === "Enter" || event.key === "Tab") this.take(this.active);
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  /** Whether Escape ends a completion, and not the writing; pressed again, it ends that. */
  ends() {
    const { area, open } = this;
    const isTag = (tag) => (state.box?.tags ?? []).some((one) => one.tag === tag);
    const isWanted = !this.isEnded && isUnfinished(area.value.slice(0, area.selectionStart), isTag);
    this.close();
    this.isEnded = true;
    return open || isWanted;
  }

  close() {
    this.round++;
    this.ask.cancel();
    this.list.hidden = true;
    attribute(this.area, "aria-activedescendant", null);
  }
}
