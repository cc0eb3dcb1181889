// @ts-check
// The form of a record: its title, and a line for each field that its kind declares.

import { el, button, replace, typing } from "./dom.js";
import { state, readOnly, own } from "./store.js";
import { kindOf, rowOf, valueOf, labelOf } from "./kinds.js";
import { makeField } from "./fields.js";
import { textual } from "./textual.js";

const APART = new Set(["title", "created", "tags"]);
const isEmpty = (value) =>
  value === null || value === undefined || value === "" || (Array.isArray(value) && !value.length);

export class Form {
  /**
   * `actions`: `change(changes)`, `set(field, value, base)`, `begun()`, `open(ref)`, `past(field)`, `left()`.
   */
  constructor(actions) {
    this.actions = actions;
    this.title = el("textarea", {
      class: "note-title",
      rows: 1,
      "aria-label": "Title",
      spellcheck: "true",
      placeholder: "Untitled",
    });
    this.fields = el("div", { class: "fields" });
    this.node = el("div", { class: "form" }, this.fields);
    this.signature = null;
    this.editors = [];
    /** The fields of the open note that its kind does not declare; one that was emptied keeps its line. */
    this.undeclared = new Set();
    this.titled = textual({ name: "title", type: "text" }, actions, this.title, {
      read: () => this.title.value.replace(/\s+/g, " ").trim(),
      leave: () => this.leaveTitle(),
    });
    this.title.addEventListener("input", () => this.grow());
    this.title.addEventListener("focus", ({ relatedTarget }) => {
      // A button of the note is not gone back to: another Enter would press it.
      const isPressed = relatedTarget instanceof Element && relatedTarget.closest(".note button, .note a");
      this.before = typing(relatedTarget) || isPressed ? null : relatedTarget;
    });
  }

  /** The focus is where it was before the title was edited. Keys mean actions there. */
  leaveTitle() {
    this.before?.focus({ preventScroll: true });
    if (document.activeElement === this.title) this.actions.left();
  }

  grow() {
    if (CSS.supports("field-sizing", "content")) return;
    this.title.style.height = "auto";
    this.title.style.height = `${this.title.scrollHeight}px`;
  }

  /** Fields of the kind, then what the note has besides them. */
  fieldsOf(note, kind) {
    const declared = kind.fields
      .filter((field) => !APART.has(field.name))
      .map((field) => this.asWritten(note, field));
    const names = new Set(kind.fields.map((field) => field.name));
    for (const name of Object.keys(note.fields ?? {}))
      if (!names.has(name) && name !== "conflicts") this.undeclared.add(name);
    const others = [...this.undeclared]
      .filter((name) => !names.has(name))
      .map((name) => {
        const value = own(note.fields, name);
        const isList = Array.isArray(value) && value.every((one) => typeof one !== "object");
        return this.asWritten(note, {
          name,
          type: value && typeof value === "object" && !isList ? "other" : "text",
          list: isList,
          undeclared: true,
        });
      });
    const tags = kind.fields.find((field) => field.type === "tags" && field.name === "tags") ?? {
      name: "tags",
      type: "tags",
      list: true,
    };
    return [...declared, tags, ...others];
  }

  /** A value that the usual editor can't show is edited as the text that it is. */
  asWritten(note, field) {
    const value = own(note.fields, field.name);
    if (field.list || value === null || value === undefined) return field;
    if (typeof value === "string" && value.includes("\n")) return { ...field, lines: true };
    return field.type === "integer" && !/^-?\d+$/.test(String(value)) ? { ...field, odd: true } : field;
  }

  show(note, titles, fresh) {
    const kind = kindOf(note);
    if (fresh) this.undeclared.clear();
    const fields = this.fieldsOf(note, kind);
    const signature = JSON.stringify([
      note.id ?? note.path,
      kind.name,
      fields.map((field) => [field.name, field.type, field.list, field.lines, field.odd, field.values]),
    ]);
    if (fresh || signature !== this.signature) this.build(kind, fields, signature);
    this.titled.show(note);
    this.grow();
    const primary = new Set([
      ...rowOf(kind)
        .filter((part) => !part.only)
        .map((part) => part.field),
      "tags",
    ]);
    let hidden = 0;
    for (const editor of this.editors) {
      editor.show(note, titles);
      const { field } = editor;
      const extra =
        isEmpty(valueOf(note, field)) &&
        (!primary.has(field.name) || field.type === "recurrence") &&
        !field.required &&
        !field.undeclared &&
        field.type !== "choice" &&
        field.type !== "boolean";
      editor.row.classList.toggle("extra", extra);
      hidden += extra ? 1 : 0;
    }
    this.more.hidden = hidden === 0;
    this.more.textContent = this.open ? "Fewer fields" : `More fields (${hidden})`;
    this.count = hidden;
  }

  build(kind, fields, signature) {
    const focused = this.editors.find((editor) => editor.row.contains(document.activeElement))?.field.name;
    this.signature = signature;
    this.editors = fields.map((field) => makeField(kind, field, this.actions));
    this.more = button(
      "",
      () => {
        this.open = !this.open;
        this.fields.classList.toggle("all", this.open);
        this.more.textContent = this.open ? "Fewer fields" : `More fields (${this.count})`;
      },
      { class: "plain more" },
    );
    replace(
      this.fields,
      this.editors.map((editor) => editor.row),
      this.more,
    );
    this.fields.classList.toggle("all", Boolean(this.open));
    if (focused) this.focus(focused);
  }

  focus(name) {
    this.editors.find((editor) => editor.field.name === name)?.input?.focus();
  }
  label(name) {
    return labelOf(name);
  }
  showFaults(note) {
    for (const editor of this.editors) editor.showFault(note);
  }
  disable(gone) {
    this.node.inert = gone;
    this.title.disabled = gone;
    if (!gone) this.title.readOnly = readOnly() || !state.note;
  }
}
