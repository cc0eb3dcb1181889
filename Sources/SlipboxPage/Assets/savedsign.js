// @ts-check
// Whether all is saved: a word at the top, which leads to what is not, and a mark in the title of the tab.

import { attribute, el } from "./dom.js";
import { onAny, state } from "./store.js";
import { saveState, stuckJobs } from "./saver.js";
import { titleOf } from "./listhead.js";
import { openUnsaved } from "./unsaved.js";

const narrow = matchMedia("(max-width: 719px)");
const MARKS = { saved: "", saving: "… ", typed: "● ", failed: "Not saved! ", conflict: "Not saved! " };

export class SavedSign {
  constructor() {
    this.word = el("span", { role: "status", "aria-live": "polite" });
    this.node = el(
      "button",
      { type: "button", class: "saved", on: { click: () => openUnsaved() } },
      this.word,
    );
    onAny(["saving", "note", "place", "online"], () => this.show());
  }

  show() {
    const now = saveState();
    const word = narrow.matches ? (now.short ?? now.text) : now.text;
    if (this.word.textContent !== word) this.word.textContent = word;
    attribute(this.node, "title", word === now.text ? null : now.text);
    this.node.disabled = !stuckJobs().length;
    this.node.dataset.word = now.word;
    const title = `${MARKS[now.word]}${state.note?.title || titleOf(state.place)} – ${state.box.name}`;
    // Chromium takes each change of the document as the end of what Ctrl+Z undoes at once.
    if (document.title !== title) document.title = title;
  }
}
