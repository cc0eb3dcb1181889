// @ts-check
// The open check boxes of all notes, in place of the list: those that are due first. Each can be ticked here.

import { button, el, replace } from "./dom.js";
import { get, post } from "./api.js";
import { emit, readOnly, state } from "./store.js";
import { say, sayError } from "./messages.js";
import { timed, today } from "./dates.js";
import { undoOf } from "./past.js";
import { doneText } from "./summary.js";
import { afterSaves, once } from "./turns.js";

/** The time of day behind a day in a text: `14:30` in `due:2026-12-02T14:30`; empty if it has none. */
const timeIn = (/** @type {string} */ text, day) =>
  new RegExp(`${day}[T ](\\d\\d:\\d\\d)`).exec(text)?.[1] ?? "";

export class Todos {
  /** `open(ref)` opens a note. */
  constructor(open) {
    this.open = open;
    this.list = el("ul", { class: "entries todo-list", tabIndex: 0, "aria-label": "Open check boxes" });
    this.node = el("div", { class: "box-past", hidden: true }, this.list);
  }

  async load() {
    const round = (this.round = (this.round ?? 0) + 1);
    try {
      const { todos, total } = await get("todos", { q: state.place.query });
      if (round !== this.round) return;
      const place = [...this.list.querySelectorAll("input")].indexOf(document.activeElement);
      replace(
        this.list,
        todos.length
          ? todos.map((todo) => this.line(todo))
          : el("li", { class: "muted", text: "No open check boxes. Write one in a note: - [ ] text" }),
        total > todos.length &&
          el("li", { class: "muted", text: `and ${(total - todos.length).toLocaleString()} more` }),
      );
      const boxes = this.list.querySelectorAll("input");
      if (place >= 0) (boxes[Math.min(place, boxes.length - 1)] ?? this.list).focus({ preventScroll: true });
      emit("listed", { total, word: total === 1 ? "check box" : "check boxes" });
    } catch (error) {
      if (error.code !== "offline") sayError(error);
    }
  }

  line(todo) {
    const { text, title, ref, due } = todo;
    const box = el("input", {
      type: "checkbox",
      disabled: readOnly(),
      "aria-label": text,
      on: { change: () => this.tick(todo, box) },
    });
    const isLate = due && due < today();
    return el(
      "li",
      { class: "todo" },
      box,
      el(
        "div",
        { class: "grow-text" },
        el("div", { text }),
        button(title || "Untitled", () => this.open(ref), { class: "link small", data: { ref } }),
      ),
      due && el("span", { class: isLate ? "date late" : "date", text: timed(due, timeIn(text, due)) }),
    );
  }

  /** Ticks a box: one commit. */
  tick({ ref, line, text }, box) {
    return once(`tick ${ref} ${line}`, async () => {
      try {
        if (!(await afterSaves())) {
          box.checked = false;
          return;
        }
        const answer = await post("tick", { ref, line, text });
        say(doneText(answer.subject), undoOf(answer));
      } catch (error) {
        box.checked = false;
        sayError(error);
      }
      emit("changed");
    });
  }

  focus() {
    this.list.focus();
  }
}
