// @ts-check
// A table: columns are chosen, sorted and resized, cells are edited in their place.

import { el, button, focusIn, replace } from "./dom.js";
import { readOnly, refOf, state } from "./store.js";
import { fieldOf, isStars, kindOf, labelOf, textOf, valueOf } from "./kinds.js";
import { chooseFor } from "./choices.js";
import { choose, matching } from "./chooser.js";
import { change } from "./writes.js";
import { say } from "./messages.js";
import { go } from "./address.js";
import { directionOf, emptied, followed, nextSort, splitColumns } from "./viewdata.js";

/** The key of the columns and the order of a view that are not saved. */
const UNSAVED = "slip-table-";
const NEAR = 600;
const LEAST = 48;
const KEY_STEP = 16;
/** Types whose cells are typed into; other values are chosen. */
const TYPED = ["text", "integer", "date", "moment", "recurrence"];

export class TableView {
  constructor(view) {
    this.view = view;
    this.table = el("table", { class: "notes-table", role: "grid" });
    this.node = el("div", { class: "table-body" }, this.table);
    this.at = { row: 0, column: 0 };
    /** @type {string[] | undefined} */
    this.columns = undefined;
    /** @type {string | undefined} */
    this.sort = undefined;
    this.node.addEventListener("scroll", () => this.want(), { passive: true });
    this.table.addEventListener("keydown", (event) => this.key(event));
    this.table.addEventListener("click", (event) => this.clicked(event));
    this.table.addEventListener("dblclick", (event) => {
      const cell = event.target.closest("td");
      if (cell) this.edit(cell);
    });
    this.table.addEventListener("focusin", (event) => {
      const cell = event.target.closest("td");
      if (!cell || !cell.dataset.row) return;
      this.at = { row: Number(cell.dataset.row), column: Number(cell.dataset.column) };
      this.view.point(this.noteAt(this.at.row));
    });
  }

  get widthsKey() {
    return `slip-widths-${this.view.name}`;
  }

  request() {
    const columns = this.columns?.join(",");
    return { columns, sort: this.sort, limit: Math.max(100, this.rows?.length ?? 0) };
  }

  /** Begins the table of a view, with the columns and the order that were chosen here and are not saved. */
  begin(name) {
    this.name = name;
    const { columns, sort } = JSON.parse(sessionStorage.getItem(UNSAVED + name) ?? "{}");
    [this.columns, this.sort] = [columns, sort];
    this.rows = undefined;
    this.at = { row: 0, column: 0 };
  }

  get isChanged() {
    return this.columns !== undefined || this.sort !== undefined;
  }

  /** Chooses columns and an order, which this tab keeps for the view until they are saved. */
  arrange(chosen) {
    Object.assign(this, chosen);
    const { name, columns, sort } = this;
    sessionStorage.setItem(UNSAVED + name, JSON.stringify({ columns, sort }));
    return this.view.load();
  }
  /** Goes back to the columns and the order of the view. */
  drop() {
    return this.arrange({ columns: undefined, sort: undefined });
  }

  show(answer) {
    const hadFocus = focusIn(this.table);
    if (hadFocus instanceof HTMLInputElement) {
      this.waiting = answer;
      return;
    }
    const row = followed(this.rows?.[this.at.row], answer.rows);
    if (row >= 0) this.at.row = row;
    this.answer = answer;
    this.rows = answer.rows;
    this.widths = JSON.parse(localStorage.getItem(this.widthsKey) ?? "{}");
    this.table.setAttribute("aria-label", labelOf(this.view.name));
    this.table.setAttribute("aria-rowcount", String(answer.total + 1));
    this.body = el("tbody", {});
    this.body.append(...answer.rows.map((row, index) => this.row(row, index)));
    replace(
      this.table,
      el("colgroup", {}, answer.columns.map((column) => this.col(column))),
      el("thead", {}, el("tr", {}, answer.columns.map((column, index) => this.head(column, index)))),
      this.body,
      answer.totals &&
        el(
          "tfoot",
          {},
          el(
            "tr",
            {},
            answer.totals.map((text, index) =>
              el("td", {
                class: answer.columns[index].numeric ? "number" : undefined,
                text: text || (index === 0 ? "Total" : ""),
              }),
            ),
          ),
        ),
    );
    if (hadFocus) this.focus();
  }

  col({ name }) {
    const col = el("col", {});
    if (this.widths[name]) col.style.width = `${this.widths[name]}px`;
    return col;
  }

  head({ name, numeric }, index) {
    const direction = directionOf(this.answer.sort ?? "", name);
    const handle = el("span", {
      class: "resizer",
      role: "separator",
      tabIndex: 0,
      "aria-orientation": "vertical",
      "aria-label": `Width of ${name}`,
      "aria-valuenow": this.widths[name] ?? 160,
      "aria-valuemin": LEAST,
      "aria-valuemax": 900,
      on: {
        pointerdown: (event) => this.resize(event, name, index),
        keydown: (event) => {
          const step = { ArrowLeft: -KEY_STEP, ArrowRight: KEY_STEP }[event.key];
          if (!step) return;
          event.preventDefault();
          const width = this.table.querySelectorAll("th")[index].offsetWidth + step;
          this.setWidth(name, index, width);
          handle.setAttribute("aria-valuenow", String(Math.max(LEAST, width)));
        },
      },
    });
    return el(
      "th",
      {
        scope: "col",
        class: numeric ? "number" : undefined,
        "aria-sort": direction === 1 ? "ascending" : direction === -1 ? "descending" : "none",
      },
      button(labelOf(name), () => this.sortBy(name), { class: "plain", title: `Sort by ${name}` }),
      direction !== 0 && el("span", { "aria-hidden": "true", text: direction === 1 ? " ↑" : " ↓" }),
      handle,
    );
  }

  row(row, index) {
    const note = row.note?.[0];
    return el(
      "tr",
      { class: note && refOf(note) === state.place.ref ? "open" : undefined, "aria-rowindex": index + 2 },
      row.cells.map((text, column) => {
        const { name, numeric } = this.answer.columns[column];
        const field = note && this.fieldAt(note, name);
        return el("td", {
          role: "gridcell",
          class: numeric ? "number" : undefined,
          tabIndex: index === this.at.row && column === this.at.column ? 0 : -1,
          "aria-readonly": field && !readOnly() ? undefined : "true",
          data: { row: index, column },
          text: field?.type === "reference" ? textOf(field, valueOf(note, field), this.answer.titles) : text,
        });
      }),
    );
  }

  fieldAt(note, name) {
    const field = fieldOf(kindOf(note), name);
    if (name === "title") return field ?? { name, type: "text" };
    if (name === "tags") return field ?? { name, type: "tags", list: true };
    return ["created", "modified", "path", "id", "kind"].includes(name) ? null : field;
  }

  notesShown() {
    return (this.rows ?? []).map((row) => row.note?.[0]).filter(Boolean);
  }
  noteAt(row) {
    return this.rows?.[row]?.note?.[0] ?? null;
  }
  cell(row, column) {
    return this.body?.children[row]?.children[column] ?? null;
  }

  /** Reads further rows before one has scrolled to the end. */
  async want() {
    const { rows, answer, node } = this;
    if (!rows || this.isAsked || rows.length >= answer.total) return;
    if (node.scrollHeight - node.scrollTop - node.clientHeight > NEAR) return;
    this.isAsked = true;
    const more = await this.view.fetch({ ...this.request(), from: rows.length, limit: 100 });
    this.isAsked = false;
    if (!more || answer !== this.answer) return;
    Object.assign(answer.titles, more.titles);
    this.body.append(...more.rows.map((row, index) => this.row(row, rows.length + index)));
    rows.push(...more.rows);
  }

  focus() {
    const { row, column } = this.at;
    const cell = this.cell(Math.min(row, (this.rows?.length ?? 1) - 1), column);
    (cell ?? this.table.querySelector("th button"))?.focus();
  }

  go(row, column) {
    const [rows, columns] = [this.rows?.length ?? 0, this.answer?.columns.length ?? 0];
    const cell = this.cell(Math.max(0, Math.min(row, rows - 1)), Math.max(0, Math.min(column, columns - 1)));
    this.cell(this.at.row, this.at.column)?.setAttribute("tabindex", "-1");
    if (cell) cell.tabIndex = 0;
    cell?.focus();
    this.want();
  }

  step(step) {
    this.go(this.at.row + step, this.at.column);
  }
  turn(step) {
    this.go(this.at.row, this.at.column + step);
  }
  shift() {
    return null;
  }
  chooseColumn() {
    return say("A table has no cards to move");
  }

  key(event) {
    const cell = event.target.closest("td");
    if (!cell || event.target !== cell || event.ctrlKey || event.metaKey || event.altKey) return;
    if (["Delete", "Backspace"].includes(event.key)) {
      event.preventDefault();
      if (!event.repeat) this.clear(this.at);
      return;
    }
    if (event.key !== "Enter" && event.key !== "F2") return;
    event.preventDefault();
    const { name } = this.answer.columns[this.at.column];
    if (name === "title" && event.key === "Enter") this.openRow(this.at.row);
    else this.edit(cell);
  }

  clicked(event) {
    const cell = event.target.closest("td[data-row]");
    if (!cell || event.target !== cell) return;
    cell.focus();
    const { row, column } = cell.dataset;
    if (this.answer.columns[column].name === "title" || this.answer.grouped) this.openRow(Number(row));
  }

  /** Opens the note of a row, or the notes of a group. */
  openRow(row) {
    const note = this.noteAt(row);
    if (note) this.view.open(note, { card: this.cell(row, this.at.column) });
    else if (this.rows[row]?.query !== undefined)
      go({ view: "notes", query: this.rows[row].query, ref: null });
  }

  /** Empties a cell, as in a spreadsheet; the note itself stays. */
  clear({ row, column }) {
    const note = this.noteAt(row);
    const field = note && this.fieldAt(note, this.answer.columns[column].name);
    if (!field || readOnly()) return null;
    if (field.name === "title") return say("A title can't be empty; press # to delete the note");
    const changes = emptied(field, valueOf(note, field));
    return changes.length ? change([note], changes, 1) : null;
  }

  /** Edits the value of a cell: typed in its place, or chosen. */
  edit(cell) {
    const { row, column } = cell.dataset;
    const note = this.noteAt(Number(row));
    if (!note) return this.openRow(Number(row));
    const field = this.fieldAt(note, this.answer.columns[column].name);
    if (!field || readOnly()) return null;
    const write = (changes) => change([note], changes, 1);
    if (field.list || isStars(field) || !TYPED.includes(field.type))
      return chooseFor([note], field.name, write);
    return this.type(cell, note, field, write);
  }

  type(cell, note, field, write) {
    const before = String(valueOf(note, field) ?? "");
    const text = cell.textContent;
    const input = el("input", {
      type: "text",
      class: "cell-input",
      value: before,
      "aria-label": `${labelOf(field.name)} of ${note.title || "Untitled"}`,
    });
    let isOver = false;
    const end = (isKept) => {
      if (isOver) return;
      isOver = true;
      const value = input.value.trim();
      cell.textContent = isKept ? value : text;
      cell.focus();
      const { waiting } = this;
      this.waiting = null;
      if (isKept && value !== before)
        write([{ field: field.name, value }]).then((answer) => {
          if (!answer && cell.textContent === value) cell.textContent = text;
        });
      else cell.textContent = text;
      if (waiting) this.show(waiting);
    };
    input.addEventListener("keydown", (event) => {
      if (event.isComposing) return;
      if (event.key === "Enter" || event.key === "Tab") {
        event.preventDefault();
        end(true);
        if (event.key === "Tab") this.turn(event.shiftKey ? -1 : 1);
      } else if (event.key === "Escape") end(false);
      else return;
      event.stopPropagation();
    });
    input.addEventListener("blur", () => end(true));
    replace(cell, input);
    input.focus();
    input.select();
  }

  sortBy(name) {
    return this.arrange({ sort: nextSort(this.sort ?? this.answer.sort ?? "", name) });
  }

  setWidth(name, index, width) {
    this.widths[name] = Math.max(LEAST, Math.round(width));
    this.table.querySelectorAll("col")[index].style.width = `${this.widths[name]}px`;
    localStorage.setItem(this.widthsKey, JSON.stringify(this.widths));
  }

  /** Follows the pointer with the edge of a column. */
  resize(event, name, index) {
    event.preventDefault();
    const handle = event.target;
    const [start, width] = [event.clientX, this.table.querySelectorAll("th")[index].offsetWidth];
    handle.setPointerCapture(event.pointerId);
    const move = (now) => this.setWidth(name, index, width + now.clientX - start);
    handle.addEventListener("pointermove", move);
    handle.addEventListener("lostpointercapture", () => handle.removeEventListener("pointermove", move), {
      once: true,
    });
  }

  /** Ticks the columns: fields of the kind, and what else is typed. */
  chooseColumns() {
    const shown = () => this.columns ?? this.answer.columns.map(({ name }) => name);
    const first = shown();
    const fields = (this.view.kind?.fields ?? []).map(({ name }) => name);
    const all = [...new Set([...first, "title", ...fields, "tags", "created", "modified"])];
    const turn = (name) =>
      this.arrange({
        columns: shown().includes(name) ? shown().filter((one) => one !== name) : [...shown(), name],
      });
    const item = (name) => ({ text: name, chosen: shown().includes(name), run: () => turn(name) });
    return choose({
      title: "Columns",
      about: labelOf(this.view.name),
      placeholder: "A field, or pages / days(started, completed)",
      many: true,
      items: async (typed) => matching(all.map(item), typed),
      make: (text) => ({
        text: `Add the column “${text}”`,
        run: async () => {
          const added = splitColumns(text);
          all.push(...added);
          await this.arrange({ columns: [...shown(), ...added] });
        },
      }),
    });
  }

  controls() {
    const save = () => {
      const columns = this.columns?.filter((name) => !this.view.groups.includes(name)).join(",");
      const { sort } = this;
      this.view.save({ columns, sort }).then((answer) => answer && this.drop());
    };
    return [
      button("Columns…", () => this.chooseColumns(), { class: "plain" }),
      this.isChanged && !readOnly() && button("Save view", save, { class: "plain" }),
      this.isChanged &&
        button("Reset", () => this.drop(), { class: "plain", title: "Show the view as it is saved" }),
    ];
  }
}
