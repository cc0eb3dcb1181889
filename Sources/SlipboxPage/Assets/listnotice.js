// @ts-check
// In place of rows: how to begin, what may have been meant, or what is wrong with the query.

import { button, el, replace, later } from "./dom.js";
import { go } from "./address.js";
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

/** The query with its term that is nearest to a proposal replaced by that; null if a hint has none. */
export function proposed(query, hint) {
  const proposal = /did you mean (.+?)\??$/.exec(hint)?.[1].replace(/^"([-+].*)"$/, "$1");
  if (!proposal || /:$/.test(proposal) || proposal.includes(", ")) return null;
  const terms = query.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? [];
  const likeness = (term) => {
    const least = Math.min(term.length, proposal.length);
    let [start, end] = [0, 0];
    while (start < least && term[start] === proposal[start]) start++;
    while (end < least - start && term.at(-1 - end) === proposal.at(-1 - end)) end++;
    return (start + end) / Math.max(term.length, proposal.length);
  };
  const nearest = [...terms].sort((a, b) => likeness(b) - likeness(a))[0];
  if (!nearest || nearest === proposal || (terms.length > 1 && likeness(nearest) < 0.5)) return null;
  return query.replace(nearest, () => proposal);
}

export class ListNotice {
  constructor(list) {
    this.list = list;
    this.node = el("div", { class: "empty", hidden: true });
    this.line = el("p", { class: "muted list-hint", role: "status", hidden: true });
    // While one types, the next question goes before what could be said of this one.
    this.advise = later(150, () => this.findHints());
  }

  show() {
    const { list } = this;
    const isEmpty = list.total === 0;
    this.node.hidden = !isEmpty;
    list.grid.hidden = isEmpty;
    this.line.hidden = true;
    const isExcluding = list.view === "notes" && /(^|\s)(-\S|NOT\s)/.test(list.query);
    if (!isEmpty && !isExcluding) return this.advise.cancel();
    if (!isEmpty) return this.advise();
    emit("empty", { notice: this.node });
    if (list.view === "notes" && list.query) this.advise();
  }

  /** Says below an empty list what may have been meant. */
  async findHints() {
    const { round, query } = this.list;
    try {
      const { hints } = await get("hint", { q: query });
      if (round !== this.list.round || !hints.length) return;
      if (this.list.total === 0) return emit("empty", { notice: this.node, hint: hints.join("\n") });
      // What is excluded may be nothing.
      this.line.textContent = hints.join("\n");
      this.line.hidden = false;
    } catch (error) {
      // The list says what is wrong with a query.
      if (error.code !== "offline" && error.status !== 400) sayError(error);
    }
  }

  /** A button for the query that a hint proposes. */
  offer(hint) {
    const query = proposed(this.list.query, hint);
    return query && button(`Show ${query}`, () => go({ query, ref: null }), { class: "primary" });
  }

  fault(error) {
    replace(
      this.node,
      el("p", { class: "query-error", text: error.message }),
      error.hints?.length ? el("pre", { text: error.hints.join("\n") }) : null,
      (error.hints ?? []).map((hint) => this.offer(hint)),
    );
    this.line.hidden = true;
    this.node.hidden = false;
    this.list.grid.hidden = true;
  }
}
