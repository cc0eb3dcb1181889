// @ts-check
// In place of rows: how to begin, what may have been meant, or what is wrong with the query.

import { el, replace, later } from "./dom.js";
import { get } from "./api.js";
import { emit } from "./store.js";
import { sayError } from "./messages.js";

/** Milliseconds in which one types the next letter. */
const TYPING_PAUSE = 1500;

/**
 * Waits where a query is refused that may not be finished: the notes stay in sight until one pauses, or
 * leaves the filter.
 */
export async function pauseInTyping(error) {
  const input = document.activeElement;
  if (error.status !== 400 || !input?.matches(".filter-input")) return;
  await new Promise((done) => {
    setTimeout(done, TYPING_PAUSE);
    input.addEventListener("blur", done, { once: true });
  });
}

export class ListNotice {
  constructor(list) {
    this.list = list;
    this.node = el("div", { class: "empty", hidden: true });
    // While one types, the next question goes before what could be said of this one.
    this.advise = later(150, () => this.findHints());
  }

  show() {
    const { list } = this;
    const isEmpty = list.total === 0;
    this.node.hidden = !isEmpty;
    list.grid.hidden = isEmpty;
    if (!isEmpty) return this.advise.cancel();
    emit("empty", { notice: this.node });
    if (list.view === "notes" && list.query) this.advise();
  }

  /** Says below an empty list what may have been meant. */
  async findHints() {
    const { round, query } = this.list;
    try {
      const { hints } = await get("hint", { q: query });
      if (round === this.list.round && this.list.total === 0 && hints.length)
        emit("empty", { notice: this.node, hint: hints.join("\n") });
    } catch (error) {
      // The list says what is wrong with a query.
      if (error.code !== "offline" && error.status !== 400) sayError(error);
    }
  }

  fault(error) {
    replace(
      this.node,
      el("p", { class: "query-error", text: error.message }),
      error.hints?.length ? el("pre", { text: error.hints.join("\n") }) : null,
    );
    this.node.hidden = false;
    this.list.grid.hidden = true;
  }
}
