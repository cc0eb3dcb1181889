// @ts-check
// The words for which a note was found, marked in its formatted text.

import { isAtCursor } from "./meant.js";
import { onAny, state } from "./store.js";

const NAME = "found";
/** Marks of one text; more are no help. */
const MOST = 500;

/** The words that the row of the open note has as hits. */
function wordsFound() {
  const parts = state.place.view === "notes" && isAtCursor() ? (state.cursor?.snippet ?? []) : [];
  return [...new Set(parts.filter(({ hit }) => hit).map(({ text }) => text))];
}

/** The places of whole words in a formatted text, in any case. */
export function rangesOf(/** @type {Node} */ view, /** @type {string[]} */ words) {
  const found = [];
  if (!words.length) return found;
  const any = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|");
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${any})(?![\\p{L}\\p{N}])`, "giu");
  const nodes = document.createTreeWalker(view, NodeFilter.SHOW_TEXT);
  while (nodes.nextNode() && found.length < MOST) {
    const node = /** @type {Text} */ (nodes.currentNode);
    for (const { index, 0: word } of node.data.matchAll(pattern)) {
      const range = new Range();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      found.push(range);
    }
  }
  return found;
}

/** Marks the words in the text that `view` has, as long as the list shows why the note was found. */
export function startFound(/** @type {HTMLElement} */ view) {
  // Not every browser can mark text without changing it.
  const { highlights } = /** @type {any} */ (CSS);
  const { Highlight } = /** @type {any} */ (globalThis);
  if (!highlights) return;
  onAny(["note", "opened", "listed"], () => {
    const ranges = rangesOf(view, wordsFound());
    if (ranges.length) highlights.set(NAME, new Highlight(...ranges));
    else highlights.delete(NAME);
  });
}
