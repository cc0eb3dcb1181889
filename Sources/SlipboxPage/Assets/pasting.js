// @ts-check
// Text that is pasted: HTML becomes Markdown, an address over words a link; Ctrl+Shift+V pastes plain text.

import { continued, pastedLink } from "./editing.js";
import { inertHTML, isPlain, markdownOf } from "./htmlmarkdown.js";
import { parsed } from "./markup.js";

/** Longer HTML is pasted as plain text. */
const MOST_LETTERS = 4 << 20;

/** The Markdown of the clipboard's HTML; empty if only its plain text counts. */
function markdownIn(/** @type {DataTransfer} */ data) {
  const html = data.getData("text/html");
  if (!html.trim() || html.length > MOST_LETTERS) return "";
  const root = parsed(inertHTML(html));
  return isPlain(root) ? "" : markdownOf(root, { origin: location.origin });
}

/**
 * Makes what is pasted into a text area Markdown. `apply(made, event)` makes an edit; `attach(files)` takes
 * pictures.
 */
export function startPasting(/** @type {HTMLTextAreaElement} */ area, { apply, attach }) {
  let isOfText = false;
  area.addEventListener("keydown", (event) => {
    if (!["Control", "Meta", "Shift"].includes(event.key))
      isOfText = event.shiftKey && (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "v";
  });
  area.addEventListener("paste", (event) => {
    const data = event.clipboardData;
    const asText = isOfText;
    isOfText = false;
    if (!data || area.readOnly) return;
    const { value, selectionStart, selectionEnd } = area;
    const place = [value, selectionStart, selectionEnd];
    if (!asText && apply(pastedLink(...place, data.getData("text/plain")), event)) return;
    const files = [...data.files];
    // A program that copies text may add a picture of it.
    if (files.length && !data.types.includes("text/plain")) {
      event.preventDefault();
      attach(files);
    } else if (!asText) apply(continued(...place, markdownIn(data)), event);
  });
}
