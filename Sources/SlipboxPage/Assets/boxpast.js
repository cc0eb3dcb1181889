// @ts-check
// The history of the whole box, in place of the list: by days, with changes that follow each other in one
// line.

import { button, el, later, replace } from "./dom.js";
import { get } from "./api.js";
import { emit, readOnly, state } from "./store.js";
import { long, short } from "./dates.js";
import { sayError } from "./messages.js";
import { fold } from "./chooser.js";
import { go } from "./address.js";
import { entryNode, undo } from "./past.js";
import { daysOf } from "./sittings.js";

/** Changes that are read at first, and at most. */
const FIRST = 100;
const MOST = 500;
const isNote = (ref) => /^[a-z]{8}$|\.(md|markdown)$/.test(ref);

/** Whether every word that was typed is in an entry. */
const fits = (entry, words) => {
  const text = fold([entry.subject, entry.author, entry.device, entry.command].filter(Boolean).join(" "));
  return words.every((word) => text.includes(word));
};

export class BoxPast {
  constructor() {
    this.limit = FIRST;
    this.entries = [];
    this.search = el("input", {
      type: "search",
      class: "past-search",
      placeholder: "Find a change: words, a person, a device",
      "aria-label": "Find a change",
      spellcheck: "false",
    });
    this.list = el("div", {
      class: "entries",
      tabIndex: 0,
      role: "region",
      "aria-label": "History of the box",
    });
    this.node = el("div", { class: "box-past", hidden: true }, this.search, this.list);
    const draw = later(120, () => this.draw());
    this.search.addEventListener("input", () => draw());
    this.search.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      event.stopPropagation();
      this.search.value = "";
      this.draw();
      this.focus();
    });
  }

  async load() {
    try {
      this.entries = (await get("history", { limit: this.limit })).entries;
      this.draw();
    } catch (error) {
      if (error.code !== "offline") sayError(error);
    }
  }

  draw() {
    const words = fold(this.search.value).split(/\s+/).filter(Boolean);
    const found = this.entries.filter((entry) => fits(entry, words));
    const isMore = this.entries.length === this.limit && this.limit < MOST;
    const scroll = this.list.scrollTop;
    replace(
      this.list,
      daysOf(found).map((day) => this.day(day)),
      found.length === 0 &&
        el("p", { class: "muted", text: words.length ? "No change has these words." : "No changes yet." }),
      isMore && button("Show older changes", () => this.more(), { class: "more" }),
    );
    this.list.scrollTop = scroll;
    const word = found.length === 1 ? "change" : "changes";
    emit("listed", { total: found.length, word: isMore && !words.length ? `latest ${word}` : word });
  }

  more() {
    this.limit = MOST;
    this.load();
  }

  /** A day with its sittings; a button shows the box as it was then. */
  day({ day, sittings }) {
    return el(
      "section",
      { class: "day-part", "aria-label": long(day) },
      el(
        "header",
        {},
        el("h2", { text: long(day), title: short(day) }),
        day !== state.box.today && button("Show this day", () => go({ at: day }), { class: "plain" }),
      ),
      el(
        "ol",
        {},
        sittings.map((entries) => (entries.length === 1 ? this.line(entries[0]) : this.sitting(entries))),
      ),
    );
  }

  /** Changes of one note that follow each other; they can be unfolded. */
  sitting(entries) {
    const [last] = entries;
    const [ref] = entries.flatMap((entry) => entry.changes.map((change) => change.note)).filter(Boolean);
    const title = last.subject.replace(/^[^:]*: /, "");
    return el(
      "li",
      { class: "entry" },
      el(
        "details",
        {},
        el(
          "summary",
          { class: "line" },
          el("strong", { text: title }),
          el("span", { class: "muted", text: `${entries.length} changes` }),
        ),
        el(
          "ol",
          {},
          entries.map((entry) => this.line(entry)),
        ),
      ),
      isNote(ref) && button("Open", () => go({ ref }), { class: "plain" }),
    );
  }

  line(entry) {
    return entryNode(entry, null, () => {
      const notes = [...new Set(entry.changes.map((change) => change.note).filter(Boolean))];
      return [
        notes.length === 1 && isNote(notes[0])
          ? button("Open", () => go({ ref: notes[0] }), { class: "plain" })
          : notes.length > 1 && el("span", { class: "muted", text: `${notes.length} notes` }),
        entry.operation && !readOnly() && button("Undo", () => undo(entry.operation), { class: "plain" }),
      ];
    });
  }

  focus() {
    this.list.focus();
  }
}
