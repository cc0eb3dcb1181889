// @ts-check
// The notes that link to the open one, each with the sentence around the link.

import { el, button, focusIn, replace } from "./dom.js";
import { refOf } from "./store.js";

export class Backlinks {
  /** `open(ref)` opens a note. */
  constructor(open) {
    this.open = open;
    this.node = el("section", { class: "backlinks", "aria-label": "Backlinks" });
  }

  /** `backlinks`: a `note` each, and its `sentence` in pieces. */
  show(backlinks) {
    const focus = focusIn(this.node)?.dataset.ref;
    const line = ({ note, sentence }) => {
      const ref = refOf(note);
      const link = button(note.title || "Untitled", () => this.open(ref), { class: "link", data: { ref } });
      const pieces = sentence.map(({ text, hit }) => (hit ? el("mark", { text }) : text));
      return el("li", {}, link, el("p", { class: "muted" }, pieces));
    };
    replace(
      this.node,
      backlinks.length > 0 && [
        el("h2", { text: `Linked from (${backlinks.length})` }),
        el("ul", {}, backlinks.map(line)),
      ],
    );
    if (focus) [...this.node.querySelectorAll("button")].find((node) => node.dataset.ref === focus)?.focus();
  }
}
