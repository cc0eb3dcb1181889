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

/** The place of the first of some boxes that is still among others; null if none of them is. */
function placeAmong(todos, wanted) {
  for (const { ref, line, text } of wanted) {
    const alike = todos.filter((one) => one.ref === ref && one.text === text);
    const found = alike.find((one) => one.line === line) ?? alike[0];
    if (found) return todos.indexOf(found);
  }
  return null;
}

/**
 * The offset behind the line of a box in the text of its note; -1 if the text does not have it. `todos`: all
 * that are listed, which may be alike.
 */
export function placeOfBox(text, todo, todos) {
  const isAlike = ({ ref, text: other }) => ref === todo.ref && other === todo.text;
  const number = todos.filter((one) => isAlike(one) && one.line < todo.line).length;
  const lines = [...text.matchAll(/^.*\[ \] +(.*?)[ \t]*$/gm)].filter(([, own]) => own === todo.text);
  const found = lines[number] ?? lines[0];
  return found ? found.index + found[0].length : -1;
}

export class Todos {
  /** `open(ref)` opens a note. */
  constructor(open) {
    this.open = open;
    this.list = el("ul", { class: "entries todo-list", tabIndex: 0, "aria-label": "Open check boxes" });
    this.node = el("div", { class: "box-past", hidden: true }, this.list);
    /** The line of the cursor. */
    this.index = 0;
    this.todos = [];
    this.list.addEventListener("focusin", ({ target }) => {
      const index = this.lines().indexOf(target.closest(".todo"));
      if (index >= 0) this.mark(index);
    });
    // A box that was clicked has the focus: arrows and Enter mean its line.
    this.list.addEventListener("keydown", (event) => {
      const isBox = event.target instanceof HTMLInputElement;
      if (!isBox || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "Enter") this.openCursor();
      else if (event.key === "ArrowDown" || event.key === "ArrowUp")
        this.move(event.key === "ArrowDown" ? 1 : -1);
      else return;
      event.preventDefault();
    });
  }

  /** @returns {HTMLElement[]} */
  lines() {
    return [...this.list.querySelectorAll(".todo")];
  }

  /** Tab reaches the line of the cursor, or the list if it has no lines. */
  mark(index = this.index) {
    const lines = this.lines();
    this.index = Math.max(0, Math.min(index, lines.length - 1));
    lines.forEach((line, at) => {
      line.tabIndex = at === this.index ? 0 : -1;
    });
    this.list.tabIndex = lines.length ? -1 : 0;
  }

  move(step) {
    // The first key shows the cursor, the next one moves it.
    this.mark(this.hasFocus() || !Number.isFinite(step) ? this.index + step : this.index);
    this.focus();
  }

  /** The lines that the list shows at once. */
  page() {
    const height = this.lines()[0]?.offsetHeight || 1;
    return Math.max(1, Math.floor(this.list.clientHeight / height) - 1);
  }

  hasFocus() {
    return this.list.contains(document.activeElement);
  }

  /** The note that has the box of the cursor; null if the list is empty. */
  cursorRef() {
    return this.todos[this.index]?.ref ?? null;
  }

  cursorTitle() {
    return this.todos[this.index]?.title || "Untitled";
  }

  /** Edits a text at the box of the cursor; `body` shows the note that has it. */
  editCursor(body) {
    const todo = this.todos[this.index];
    const at = todo ? placeOfBox(body.area.value, todo, this.todos) : -1;
    return at < 0 ? body.write() : body.writeAt(at);
  }

  openCursor() {
    const ref = this.cursorRef();
    if (ref) this.open(ref);
  }

  /** Ticks the box of the cursor. */
  tickCursor() {
    const box = this.lines()[this.index]?.querySelector("input");
    if (box && !box.checked) box.click();
  }

  async load() {
    const round = (this.round = (this.round ?? 0) + 1);
    try {
      const { todos, total } = await get("todos", { q: state.place.query });
      if (round !== this.round) return;
      const hadFocus = this.hasFocus();
      const index = placeAmong(todos, this.todos.slice(this.index)) ?? this.index;
      this.todos = todos;
      replace(
        this.list,
        todos.length
          ? todos.map((todo) => this.line(todo))
          : el("li", { class: "muted", text: "No open check boxes. Write one in a note: - [ ] text" }),
        total > todos.length &&
          el("li", { class: "muted", text: `and ${(total - todos.length).toLocaleString()} more` }),
      );
      this.mark(index);
      if (hadFocus) this.focus();
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
      el("label", { class: "tick-area" }, box),
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
    const line = this.lines()[this.index] ?? this.list;
    line.focus({ preventScroll: true });
    line.scrollIntoView({ block: "nearest" });
  }
}
