// @ts-check
// The filter bar: its text is a query as the command takes it, completed by the server.

import { el, attribute, button, later, newId } from "./dom.js";
import { get } from "./api.js";
import { isOfNotes, on, state } from "./store.js";
import { go } from "./address.js";
import { holdKeys } from "./held.js";

/** What is listed while one types: the last word counts as the beginning of one. */
function whileTyped(text) {
  const last = /(?:^|\s)([\p{L}\p{N}]{2,})$/u.exec(text)?.[1];
  const isQuoted = text.split('"').length % 2 === 0;
  return !last || isQuoted || ["or", "and", "not"].includes(last.toLowerCase())
    ? text.trim()
    : `${text.trim()}*`;
}

export class FilterBar {
  constructor() {
    const list = newId("terms");
    this.input = el("input", {
      type: "text",
      class: "filter-input",
      role: "combobox",
      placeholder: "Filter: words, kind:…, +tag, field:value",
      autocomplete: "off",
      spellcheck: "false",
      autocapitalize: "off",
      "aria-label": "Filter, in the query language",
      "aria-expanded": "false",
      "aria-controls": list,
      "aria-autocomplete": "list",
    });
    this.options = el("ul", {
      role: "listbox",
      id: list,
      class: "completions",
      "aria-label": "Completions",
      hidden: true,
    });
    this.clear = button(
      "×",
      () => {
        this.set("");
        this.apply();
        this.input.focus();
      },
      { class: "plain clear", "aria-label": "Clear the filter", hidden: true },
    );
    this.node = el(
      "div",
      { class: "filter", role: "search" },
      el("span", { class: "lens", "aria-hidden": "true", text: "⌕" }),
      this.input,
      this.clear,
      this.options,
    );
    /** What is done when one leaves the bar by a key. @type {() => any} */
    this.onDone = () => {};
    this.items = [];
    this.active = -1;
    this.round = 0;
    this.complete = later(40, () => this.fetch());
    this.input.addEventListener("input", () => {
      this.clear.hidden = !this.input.value;
      this.complete();
      this.apply();
    });
    this.input.addEventListener("keydown", (event) => this.key(event));
    this.input.addEventListener("focus", () => {
      this.sitting = false;
    });
    this.input.addEventListener("blur", () => {
      this.sitting = false;
      this.close();
      // What is listed is what the bar says.
      if (isOfNotes() && state.place.query === whileTyped(this.input.value))
        this.set(state.place.query);
    });
    this.options.addEventListener("mousedown", (event) => {
      event.preventDefault();
      const node = event.target.closest("[role=option]");
      if (node) this.take([...this.options.children].indexOf(node));
    });
    on("place", () => this.show());
    on("listed", () => {
      this.busy = false;
      if (this.waiting) this.apply();
    });
    this.show();
  }

  /** Asks at once; while an answer is awaited, only for the last text. */
  apply({ isWhole = document.activeElement !== this.input } = {}) {
    const query = isWhole ? this.input.value.trim() : whileTyped(this.input.value);
    clearTimeout(this.patience);
    this.waiting = this.busy;
    if (query === state.place.query && isOfNotes()) return;
    // An answer that does not come must not hold back the next question.
    this.patience = setTimeout(
      () => {
        this.busy = false;
        if (this.waiting) this.apply();
      },
      this.busy ? 400 : 2000,
    );
    if (this.busy) return;
    this.busy = true;
    // A saved view is narrowed; it stays the view.
    go({ view: isOfNotes() ? state.place.view : "notes", query, ref: null }, { replace: this.sitting });
    this.sitting = true;
  }

  show() {
    const { query } = state.place;
    const isTyped =
      document.activeElement === this.input &&
      [this.input.value.trim(), whileTyped(this.input.value)].includes(query);
    if (!isTyped) this.set(query);
  }

  /** Enter: the last word is whole; if no note has it, words that begin with it are listed. */
  async confirm() {
    this.busy = false;
    const text = this.input.value;
    const [typed, listed] = [text.trim(), whileTyped(text)];
    if (listed === typed) {
      this.apply({ isWhole: true });
      return this.done();
    }
    const answer = await get("list", { q: typed, from: 0, limit: 1 }).catch(() => null);
    if (this.input.value !== text) return null;
    if (answer?.total === 0) this.set(listed);
    this.apply({ isWhole: true });
    return this.done();
  }

  set(text) {
    if (this.input.value.trim() !== text) this.input.value = text;
    this.clear.hidden = !this.input.value;
  }

  async fetch() {
    const round = ++this.round;
    const cursor = this.input.selectionStart ?? this.input.value.length;
    try {
      const answer = await get("complete", { q: this.input.value, cursor });
      if (round !== this.round || document.activeElement !== this.input) return;
      this.start = answer.start;
      this.cursor = cursor;
      this.items = answer.items.slice(0, 12);
      this.draw();
    } catch {
      this.close();
    }
  }

  draw() {
    this.active = -1;
    this.options.replaceChildren(
      ...this.items.map((item, index) =>
        el(
          "li",
          { role: "option", id: `${this.options.id}-${index}`, "aria-selected": "false" },
          el("span", { class: "grow", text: item.text }),
          item.detail && el("span", { class: "detail", text: item.detail }),
        ),
      ),
    );
    this.options.hidden = !this.items.length;
    attribute(this.input, "aria-expanded", String(this.items.length > 0));
    attribute(this.input, "aria-activedescendant", null);
  }

  close() {
    this.round++;
    this.complete.cancel();
    this.items = [];
    this.draw();
  }

  point(index) {
    this.active = (index + this.items.length + 1) % (this.items.length + 1);
    if (this.active === this.items.length) this.active = -1;
    [...this.options.children].forEach((node, at) =>
      node.setAttribute("aria-selected", String(at === this.active)),
    );
    attribute(this.input, "aria-activedescendant", this.options.children[this.active]?.id);
    this.options.children[this.active]?.scrollIntoView({ block: "nearest" });
  }

  take(index) {
    const item = this.items[index];
    if (!item) return;
    const open = /[:+(]$/.test(item.text);
    const rest = this.input.value.slice(this.cursor);
    const blank = open || rest.startsWith(" ") ? "" : " ";
    const text = `${this.input.value.slice(0, this.start)}${item.text}${blank}`;
    this.input.value = text + rest;
    this.input.setSelectionRange(text.length, text.length);
    this.close();
    this.clear.hidden = false;
    this.apply();
    if (open) this.complete();
  }

  /** Whether a completion goes on with what is typed at the caret. */
  isPart({ text }) {
    const typed = this.input.value.slice(this.start, this.cursor).toLowerCase();
    return typed !== "" && text.toLowerCase() !== typed && text.toLowerCase().startsWith(typed);
  }

  key(event) {
    if (event.isComposing) return;
    const open = this.items.length > 0;
    if (event.key === "ArrowDown" && !open) {
      event.preventDefault();
      this.fetch();
    } else if (event.key === "ArrowDown") {
      event.preventDefault();
      this.point(this.active + 1);
    } else if (event.key === "ArrowUp" && open) {
      event.preventDefault();
      this.point(this.active < 0 ? this.items.length - 1 : this.active - 1);
    } else if ((event.key === "Enter" || event.key === "Tab") && open && this.active >= 0) {
      event.preventDefault();
      this.take(this.active);
    } else if (event.key === "Tab" && open && !event.shiftKey && this.isPart(this.items[0])) {
      event.preventDefault();
      this.take(0);
    } else if (event.key === "Enter") {
      event.preventDefault();
      // What is pressed next means the rows of this query, and is not typed behind it.
      holdKeys(this.confirm(), () => true, { late: "The list was not there yet" });
    } else if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      if (open) this.close();
      else this.done();
    }
  }

  /** Resolves when the list is there. */
  done() {
    this.close();
    return this.onDone();
  }
  focus() {
    this.input.focus();
    this.input.select();
  }
}
