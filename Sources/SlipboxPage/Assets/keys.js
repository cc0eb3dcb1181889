// @ts-check
// Keys: one table of actions is read here, by the palette, by help and by the titles of buttons.

import { typing } from "./dom.js";
import { state } from "./store.js";
import { dialogOpen, say } from "./messages.js";
import { holdAlso, MODIFIERS } from "./held.js";

const NAMES = { " ": "Space", ArrowDown: "↓", ArrowUp: "↑", Escape: "Esc" };
const mac = /Mac|iP(hone|ad)/.test(navigator.platform);

/** A key as it is shown: `ctrl+k` as Ctrl+K, `g i` as G I. */
export const keyText = (key) =>
  (key ?? "")
    .split(" ")
    .filter(Boolean)
    .map((one) =>
      one
        .split("+")
        .map((part) => {
          if (part === "ctrl") return mac ? "⌘" : "Ctrl";
          if (part === "alt") return "Alt";
          if (part === "shift") return "Shift";
          if (one.startsWith("ctrl+") && part.length === 1) return part.toUpperCase();
          return (
            NAMES[part] ??
            (part === "space"
              ? "Space"
              : part === "plus"
                ? "+"
                : /^[A-Z]$/.test(part)
                  ? `Shift+${part}`
                  : part)
          );
        })
        .join("+"),
    )
    .join(" ");

function pressed(event) {
  const key = event.key === " " ? "space" : event.key === "+" ? "plus" : event.key;
  const command = event.ctrlKey || event.metaKey;
  if (event.shiftKey && !command && /^Arrow(Up|Down)$/.test(key)) return `shift+${key}`;
  return `${command ? "ctrl+" : ""}${event.altKey ? "alt+" : ""}${command ? key.toLowerCase() : key}`;
}

/** Keys that scroll a note that has the focus; j and k go through the list from there too. */
const SCROLLING = ["PageDown", "PageUp", "Home", "End", "space", "ArrowDown", "ArrowUp"];

/** `table()` gives the actions as they are now: `{id, title, keys: [...], run, when, repeats}`. */
export function startKeys(table) {
  let prefix = "";
  let timer = null;
  holdAlso((event) => table().some((action) => action.keys?.includes(pressed(event))));
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || dialogOpen()) return;
    const key = pressed(event);
    const plain = key.replace("shift+", "");
    const held = event.ctrlKey || event.metaKey || event.altKey;
    const target = /** @type {HTMLElement} */ (event.target);
    const control = target.closest?.(
      "button, a, summary, [role=slider], input[type=checkbox], input[type=range]",
    );
    if (typing(event.target) && !held && key !== "Escape") return;
    const isRange = event.target instanceof HTMLInputElement && ["range", "date"].includes(event.target.type);
    if (isRange && ["Home", "End", "PageUp", "PageDown"].includes(key)) return;
    if (control && ["Enter", "space", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"].includes(plain))
      return;
    if (MODIFIERS.includes(event.key)) return;
    if (SCROLLING.includes(key) && state.place.ref !== null && target.closest?.(".detail")) return;
    clearTimeout(timer);
    const whole = prefix ? `${prefix} ${key}` : key;
    prefix = "";
    const all = table();
    const actions = all.filter((action) => !action.when || action.when());
    const action = actions.find((one) => one.keys?.includes(whole));
    if (action) {
      // In a field, keys of text with Ctrl belong to the field, but for those of the page.
      if (typing(event.target) && held && !action.everywhere) return;
      event.preventDefault();
      // A key that is held down moves, and does nothing else.
      if (event.repeat && !action.repeats) return;
      return action.run(event);
    }
    if (event.repeat) return;
    const refused = all.find((one) => one.why && one.keys?.includes(whole));
    if (refused && !typing(event.target)) {
      event.preventDefault();
      return say(refused.why());
    }
    if (!held && actions.some((one) => one.keys?.some((name) => name.startsWith(`${whole} `)))) {
      prefix = whole;
      timer = setTimeout(() => {
        prefix = "";
      }, 1500);
      event.preventDefault();
    }
  });
}
