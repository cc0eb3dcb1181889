// @ts-check
// A box to type into with a list below it: palette, states, tags, references and dates are chosen here.

import { el, attribute, newId, later } from "./dom.js";
import { holdKeys } from "./held.js";
import { openDialog } from "./messages.js";

export const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

const wordsOf = (typed) => fold(typed).split(/\s+/).filter(Boolean);

/** Whether a text has every word that was typed. */
export const hasWords = (text, typed) => wordsOf(typed).every((word) => fold(text).includes(word));

/**
 * Items that have every word that was typed: first those whose text begins with it, then those whose text has
 * all, then those that need `also`. `match` is searched in place of the text.
 */
export function matching(items, typed) {
  const words = wordsOf(typed);
  const found = items.filter((item) => hasWords(`${item.match ?? item.text} ${item.also ?? ""}`, typed));
  if (!words.length) return found;
  const rankOf = ({ text, match = text }) => {
    if (fold(match).startsWith(words[0]) && hasWords(match, typed)) return 0;
    return hasWords(match, typed) ? 1e6 : 2e6;
  };
  return found
    .map((item, index) => ({ item, rank: rankOf(item) + index }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}

/** Pixels that a menu may need. */
const MENU_HEIGHT = 420;

function option(item, id) {
  return el(
    "li",
    { role: "option", id, class: item.class, "aria-selected": item.chosen === true ? "true" : "false" },
    item.chosen !== undefined &&
      el("span", {
        class: "tick",
        "aria-hidden": "true",
        text: item.chosen === "some" ? "–" : item.chosen ? "✓" : "",
      }),
    item.mark && el("span", { class: "mark", "aria-hidden": "true", text: item.mark }),
    el("span", { class: "grow", text: item.text }),
    item.detail && el("span", { class: "detail", text: item.detail }),
    item.key && el("kbd", { text: item.key }),
  );
}

/**
 * Opens a chooser. `about`: the notes that it is about, as a heading. `fault`: an error below the text.
 * `at`: the place of a menu. `items`: `[{text, detail, key, mark, chosen, isFirst, isLast, isConfirmed,
 * also, run}]`, or an async function of the typed text. `chosen`: true, false, or "some" where only some
 * notes have the value. `isConfirmed`: the first Enter shows the item, and the second takes it, if no other
 * one fits. `isLast`: it comes behind what `make` gives.
 * `typed`: the text to begin with; `isProposal`: typing replaces it. `make(text)`: an item for what nothing
 * has; `many`: it stays open, and items are read anew.
 */
export function choose({
  title,
  about = null,
  fault = "",
  at = null,
  placeholder = "",
  items,
  make = null,
  many = false,
  name = "chooser",
  typed = "",
  isProposal = false,
}) {
  const list = newId("list");
  const options = el("ul", { role: "listbox", id: list, "aria-label": title, tabIndex: -1 });
  if (many) options.setAttribute("aria-multiselectable", "true");
  const input = el("input", {
    type: "text",
    value: typed,
    placeholder: placeholder || title,
    role: "combobox",
    autocomplete: "off",
    spellcheck: "false",
    "aria-label": title,
    "aria-expanded": "true",
    "aria-controls": list,
    "aria-autocomplete": "list",
  });
  const empty = el("p", { class: "muted empty-line", hidden: true });
  let shown = [];
  let active = 0;
  let round = 0;
  let dialog = null;

  const isPrompt = Array.isArray(items) && items.length === 0 && make !== null;
  const none = (text) => (isPrompt || !text ? "" : "No matches");
  const point = (index) => {
    active = Math.max(-1, Math.min(index, shown.length - 1));
    [...options.children].forEach((node, at) => {
      node.classList.toggle("active", at === active);
      if (!many) node.setAttribute("aria-selected", String(at === active));
    });
    const node = options.children[active];
    attribute(input, "aria-activedescendant", node?.id);
    node?.scrollIntoView({ block: "nearest" });
  };
  const fill = async (keep = false) => {
    const mine = ++round;
    const text = input.value.trim();
    let found = typeof items === "function" ? await items(text) : matching(items, text);
    if (mine !== round) return;
    // A key that a menu shows means its own line.
    const keyed = Array.isArray(items) && items.find(({ key }) => key && key === text);
    if (keyed) found = [keyed, ...found.filter((item) => item !== keyed)];
    const made = make && text && !found.some((item) => fold(item.text) === fold(text)) ? make(text) : null;
    const last = found.filter((item) => item.isLast);
    if (made) found = [...found.filter((item) => !item.isLast), made, ...last];
    shown = found.slice(0, 300);
    options.replaceChildren(...shown.map((item, index) => option(item, `${list}-${index}`)));
    // A prompt for a new text has nothing to find.
    empty.textContent = none(text);
    empty.hidden = shown.length > 0 || !empty.textContent;
    // Without a text, one begins at the item that is to be first, else at the present value.
    const begin = (is) => (many || text ? -1 : shown.findIndex(is));
    const first = begin((item) => item.isFirst);
    const at = keep ? active : Math.max(0, first < 0 ? begin((item) => item.chosen) : first);
    point(shown[at]?.isConfirmed ? -1 : at);
  };
  const taken = new Set();
  /** Runs an item once: a second Enter or click before it is done is the same one. */
  const take = async (index) => {
    const item = shown[index];
    if (item?.disabled) input.select();
    if (!item || item.disabled || taken.has(item.text) || !dialog.open) return;
    taken.add(item.text);
    const text = input.value;
    if (!many) dialog.close();
    try {
      await item.run();
    } finally {
      taken.delete(item.text);
    }
    if (!many || !dialog.open) return;
    // What was typed meanwhile stays.
    if (input.value === text) {
      input.select();
      input.value = "";
    }
    await fill(true);
  };
  let filled = Promise.resolve();
  const refill = () => {
    filled = fill();
  };
  const isAsked = typeof items === "function";
  const refillLater = later(60, refill);
  // Whoever types and presses Enter at once means what fits the text, not what was listed before.
  const takeTyped = () => {
    if (refillLater.waits()) {
      refillLater.cancel();
      refill();
    }
    // Keys that follow at once mean what the item opens.
    const run = () => {
      // An item that is to be confirmed is shown first.
      if (active < 0) point(0);
      else take(active);
      return true;
    };
    return holdKeys(filled, run, { isPatient: true, late: "The list was not there yet" });
  };
  input.addEventListener("input", isAsked ? refillLater : refill);
  input.addEventListener("keydown", (event) => {
    const step =
      { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key] ??
      (event.ctrlKey && { n: 1, p: -1 }[event.key]);
    if (step) {
      event.preventDefault();
      point(Math.max(0, active + step));
    } else if (event.key === "Enter" && !event.isComposing) {
      event.preventDefault();
      takeTyped();
    }
  });
  options.addEventListener("mousedown", (event) => event.preventDefault());
  // A finger that has opened the menu is lifted over it: that is no choice.
  let isPressed = false;
  options.addEventListener("pointerdown", () => {
    isPressed = true;
  });
  options.addEventListener("click", (event) => {
    if (event.detail && !isPressed) return;
    isPressed = false;
    const node = event.target.closest("[role=option]");
    if (node) take([...options.children].indexOf(node));
  });
  dialog = openDialog(
    title,
    () => [
      about
        ? el("p", { class: "about", text: `${title}: ${about}` })
        : isProposal && el("p", { class: "about", text: title }),
      el("div", { class: "chooser-input" }, input),
      fault && el("p", { class: "query-error", role: "alert", text: fault }),
      options,
      empty,
    ],
    { name, heading: false },
  );
  if (at) {
    dialog.classList.add("at-place");
    const { width, height } = dialog.getBoundingClientRect();
    dialog.style.left = `${Math.max(8, Math.min(at.x, innerWidth - width - 8))}px`;
    dialog.style.top = `${Math.max(8, Math.min(at.y, innerHeight - Math.max(height, MENU_HEIGHT) - 8))}px`;
  }
  // A menu under a finger needs no keyboard.
  const isTouched = at !== null && matchMedia("(pointer: coarse)").matches;
  (isTouched ? options : input).focus();
  if (isProposal) input.select();
  refill();
  return dialog;
}
