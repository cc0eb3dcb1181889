// @ts-check
// Keys that are pressed while an action waits for its note: they are kept, and pressed anew when it has run.

import { typeInto, typing } from "./dom.js";
import { say } from "./messages.js";

const PATIENCE = 2000;
let held = null;

export const isHolding = () => held !== null;

function drop() {
  clearTimeout(held?.timer);
  held = null;
}

/** How long the keys are kept after the last one. */
function wait(mine) {
  clearTimeout(mine.timer);
  mine.timer = setTimeout(() => {
    drop();
    say(
      mine.keys.length ? "The note does not exist yet: the keys were ignored" : "The note does not exist yet",
      { error: true },
    );
  }, PATIENCE);
}

/**
 * Waits for `work`, then calls `run`, which says whether it could; then the keys of meanwhile are pressed.
 * If it could not, or not in time, they are dropped: they were meant for that note alone.
 * `isConfirmed`: Enter began the work, so another Enter that follows at once is the same one.
 */
export async function holdKeys(work, run, { isConfirmed = false } = {}) {
  const mine = { keys: held?.keys ?? [], timer: null, isConfirmed };
  drop();
  held = mine;
  wait(mine);
  try {
    await work;
  } catch {
    /* `run` sees what there is */
  }
  if (held !== mine) return;
  drop();
  if (run()) pressAll(mine.keys);
}

/** Keeps a key for later. */
export function keepKey(event) {
  const { key, code, ctrlKey, metaKey, altKey, shiftKey, repeat } = event;
  const isSecondEnter = held.isConfirmed && key === "Enter" && !held.keys.length;
  if (!isSecondEnter) held.keys.push({ key, code, ctrlKey, metaKey, altKey, shiftKey, repeat });
  wait(held);
  event.preventDefault();
  event.stopImmediatePropagation();
}

function pressAll(keys) {
  while (keys.length && !held) press(keys.shift());
  held?.keys.push(...keys);
}

function press(made) {
  const target = document.activeElement ?? document.body;
  const isTaken = !target.dispatchEvent(
    new KeyboardEvent("keydown", { ...made, bubbles: true, cancelable: true }),
  );
  if (isTaken || !typing(target) || made.ctrlKey || made.metaKey || made.altKey) return;
  if (made.key.length === 1) insert(target, made.key);
  else if (made.key === "Enter" && target instanceof HTMLTextAreaElement) insert(target, "\n");
  else if (made.key === "Backspace") document.execCommand("delete");
}

const insert = (field, text) => typeInto(field, field.selectionStart, field.selectionEnd, text);

// A click means something else.
addEventListener("pointerdown", drop, true);
