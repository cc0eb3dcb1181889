// Whether all is saved: a word at the top, and a mark in the title of the tab.

import { el } from "./dom.js";
import { on, state } from "./store.js";
import { saveState } from "./saver.js";
import { titleOf } from "./listhead.js";

const MARKS = { saved: "", saving: "… ", typed: "● ", failed: "Not saved! ", conflict: "Not saved! " };

export class SavedSign {
  constructor() {
    this.node = el("span", { class: "saved", role: "status", "aria-live": "polite" });
    for (const topic of ["saving", "note", "place", "online"]) on(topic, () => this.show());
  }

  show() {
    const now = saveState();
    if (this.node.textContent !== now.text) this.node.textContent = now.text;
    this.node.dataset.word = now.word;
    document.title = `${MARKS[now.word]}${state.note?.title || titleOf(state.place)} – ${state.box.name}`;
  }
}
