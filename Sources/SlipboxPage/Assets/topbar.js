// @ts-check
// The line above the panes: the filter, whether all is saved, and buttons for what is done most.

import { el, button, attribute } from "./dom.js";
import { state, readOnly } from "./store.js";
import { SavedSign } from "./savedsign.js";
import { redoNext, undoNext } from "./past.js";
import { titled } from "./actions.js";

export class TopBar {
  /** `table`: the actions of the page, as they are now. */
  constructor(app, table) {
    this.app = app;
    const tool = (id, text, run, props = {}) =>
      button(text, run, {
        class: "tool",
        data: { action: id },
        title: titled(app, id),
        "aria-label": titled(app, id),
        ...props,
      });
    const by = (id) => () => {
      const action = table().find((one) => one.id === id);
      if (!action.when || action.when()) action.run();
    };
    this.saved = new SavedSign();
    this.undo = tool("undo", "↶", () => undoNext());
    this.create = tool("new", "+ New", by("new"), { class: "tool new-button" });
    this.redo = tool("redo", "↷", () => redoNext(), { disabled: true });
    this.node = el(
      "header",
      { class: "top" },
      button("☰", () => app.sidebar.toggle(), {
        class: "tool menu",
        "aria-label": "Filters, kinds and tags",
        title: "Filters, kinds and tags (b)",
      }),
      el("a", { class: "box-name", href: "#/q/", text: state.box.name, title: state.box.path }),
      app.filter.node,
      this.saved.node,
      this.create,
      this.undo,
      this.redo,
      tool("past", "◷", by("past")),
      tool("palette", "⋯", by("palette")),
      tool("help", "?", by("help")),
    );
  }

  /** Shows what can be undone in the box as it is now. */
  update() {
    attribute(this.undo, "title", titled(this.app, "undo"));
    attribute(this.redo, "title", titled(this.app, "redo"));
    this.undo.disabled = readOnly() || !state.box.undo;
    this.create.disabled = readOnly();
    this.redo.disabled = readOnly() || !state.box.redo;
  }
}
