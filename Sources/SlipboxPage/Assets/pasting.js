// @ts-check
// Text that is pasted: HTML becomes Markdown, an address over words a link; Ctrl+Shift+V pastes plain text.

import { continued, pastedLink } from "./editing.js";
import { inertHTML, isPlain, markdownOf } from "./htmlmarkdown.js";
import { parsed } from "./markup.js";

/** Longer HTML is pasted as plain text. */
const MOST_LETTERS = 4 << 20;
/** More lines take Chromium seconds to type, since it lays out the text again after each. */
const MOST_LINES = 250;

/** The Markdown of the clipboard's HTML; empty if only its plain text counts. */
function markdownIn(/** @type {DataTransfer} */ data) {
  const html = data.getData("text/html");
  if (!html.trim() || html.length > MOST_LETTERS) return "";
  const root = parsed(inertHTML(html));
  return isPlain(root) ? "" : markdownOf(root, { origin: location.origin });
}

/**
 * Makes long edits of a text area at once, with an undo of their own: the browser knows only of typed text.
 * Returns the function that makes one.
 */
function longEdits(/** @type {HTMLTextAreaElement} */ area) {
  let last = null;
  const put = ({ text, start, end }) => {
    area.value = text;
    area.setSelectionRange(start, end);
    area.dispatchEvent(new InputEvent("input", { bubbles: true }));
  };
  area.addEventListener("keydown", (event) => {
    if (!last || !(event.ctrlKey || event.metaKey) || event.altKey) return;
    const key = event.key.toLowerCase();
    const isUndo = key === "z" && !event.shiftKey;
    const isRedo = key === "y" || (key === "z" && event.shiftKey);
    const [from, to] = isUndo ? [last.after, last.before] : [last.before, last.after];
    if (!(isUndo || isRedo) || area.value !== from.text) return;
    event.preventDefault();
    event.stopPropagation();
    put(to);
  });
  return ({ from, to, text, start, end }) => {
    const { value, selectionStart, selectionEnd } = area;
    last = {
      before: { text: value, start: selectionStart, end: selectionEnd },
      after: { text: value.slice(0, from) + text + value.slice(to), start, end },
    };
    put(last.after);
  };
}

/**
 * Makes what is pasted into a text area Markdown. `apply(made, event)` makes an edit; `attach(files)` takes
 * pictures.
 */
export function startPasting(/** @type {HTMLTextAreaElement} */ area, { apply, attach }) {
  const editLong = longEdits(area);
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
    } else if (!asText) {
      const made = continued(...place, markdownIn(data));
      if (!made || made.text.split("\n").length <= MOST_LINES) return void apply(made, event);
      event.preventDefault();
      editLong(made);
    }
  });
}
