// Links in the text: behind `[[` the titles of notes are offered, and the one that is taken is written as a link.

import { el, attribute, later, newId, typeInto } from "./dom.js";
import { get } from "./api.js";

const OPEN = /\[\[([^[\]\n|#]*)$/;
const MOST = 8;
const fold = (text) => text.normalize("NFC").toLowerCase().trim();

/** The link to a note: by its title where that names it alone, else by its id or path. */
export function linkText(note, notes) {
  const { ref, title } = note;
  const plain = title && !/[[\]|#\n\\]/.test(title) && title === title.trim();
  if (plain && notes.filter((one) => fold(one.title ?? "") === fold(title)).length === 1) return `[[${title}]]`;
  return plain ? `[[${ref}|${title}]]` : `[[${ref}]]`;
}

/** Where the caret of a text area is, in pixels from its upper left corner. */
export function caretPlace(area) {
  const style = getComputedStyle(area);
  const copy = el("div", { class: "caret-copy", "aria-hidden": "true" });
  for (const name of ["font", "lineHeight", "letterSpacing", "padding", "border", "boxSizing", "tabSize"]) copy.style[name] = style[name];
  copy.style.width = `${area.clientWidth}px`;
  const mark = el("span", { text: "|" });
  copy.append(area.value.slice(0, area.selectionStart), mark);
  area.after(copy);
  const place = { left: mark.offsetLeft, top: mark.offsetTop - area.scrollTop, line: mark.offsetHeight };
  copy.remove();
  return place;
}

export class LinkCompletion {
  constructor(area) {
    this.area = area;
    const id = newId("links");
    this.list = el("ul", { class: "completions links", role: "listbox", id, "aria-label": "Notes to link to", hidden: true });
    attribute(area, "aria-autocomplete", "list");
    attribute(area, "aria-controls", id);
    this.node = this.list;
    this.notes = [];
    this.round = 0;
    this.ask = later(60, () => this.fetch());
    area.addEventListener("input", () => { if (this.typed() === null) this.close(); else this.ask(); });
    area.addEventListener("blur", () => this.close());
    area.addEventListener("click", () => this.close());
    area.addEventListener("scroll", () => this.close());
    this.list.addEventListener("mousedown", (event) => {
      event.preventDefault();
      const node = event.target.closest("[role=option]");
      if (node) this.take([...this.list.children].indexOf(node));
    });
  }

  get open() { return !this.list.hidden; }

  /** What stands between `[[` and the caret; null where no link is being written. */
  typed() {
    const { area } = this;
    if (area.readOnly || area.selectionStart !== area.selectionEnd) return null;
    return OPEN.exec(area.value.slice(0, area.selectionStart))?.[1] ?? null;
  }

  async fetch() {
    const round = ++this.round;
    const typed = this.typed();
    if (typed === null) return this.close();
    try {
      const { notes } = await get("titles", { q: typed, limit: 50 });
      if (round !== this.round || this.typed() !== typed || document.activeElement !== this.area) return;
      this.notes = notes;
      this.draw();
    } catch { this.close(); }
  }

  draw() {
    const shown = this.notes.slice(0, MOST);
    this.list.replaceChildren(...shown.map((note, index) => el("li", { role: "option", id: `${this.list.id}-${index}`, "aria-selected": "false" },
      el("span", { class: "grow", text: note.title || "Untitled" }), el("span", { class: "detail", text: note.kind && note.kind !== "note" ? note.kind : "" }))));
    this.list.hidden = shown.length === 0;
    if (!shown.length) return;
    const place = caretPlace(this.area);
    const left = Math.min(place.left, Math.max(0, this.area.clientWidth - 280));
    this.list.style.left = `${this.area.offsetLeft + left}px`;
    this.list.style.top = `${this.area.offsetTop + place.top + place.line + 2}px`;
    this.point(0);
  }

  point(index) {
    const count = this.list.children.length;
    this.active = (index + count) % count;
    [...this.list.children].forEach((node, at) => node.setAttribute("aria-selected", String(at === this.active)));
    attribute(this.area, "aria-activedescendant", this.list.children[this.active]?.id);
    this.list.children[this.active]?.scrollIntoView({ block: "nearest" });
  }

  take(index) {
    const note = this.notes[index];
    const typed = this.typed();
    if (!note || typed === null) return this.close();
    const { area } = this;
    const end = area.selectionStart;
    const closed = area.value.slice(end, end + 2) === "]]" ? 2 : 0;
    typeInto(area, end - typed.length - 2, end + closed, linkText(note, this.notes));
    this.close();
  }

  /** Whether a key was meant for the list. */
  key(event) {
    if (!this.open || event.isComposing) return false;
    if (event.key === "ArrowDown") this.point(this.active + 1);
    else if (event.key === "ArrowUp") this.point(this.active - 1);
    else if (event.key === "Enter" || event.key === "Tab") this.take(this.active);
    else if (event.key === "Escape") this.close();
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  close() {
    this.round++;
    this.ask.cancel();
    this.list.hidden = true;
    attribute(this.area, "aria-activedescendant", null);
  }
}
