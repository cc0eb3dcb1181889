// @ts-check
// Keys that are pressed before the page is there, or while an action waits: they are kept, and pressed anew
// when it has run. The document loads this script first.

import { typeInto, typing } from "./dom.js";
import { say } from "./messages.js";
import { on } from "./store.js";

const PATIENCE = 2000;
/** A note that is being made is waited for longer: what is typed belongs to it. */
const MAKING = 20000;
const LISTING = 1500;
/**
 * The page that is loaded is waited for first.
 * @type {{
 *   keys: any[], timer: any, isConfirmed: boolean, isPatient: boolean, isReady: boolean, late: string,
 * }?}
 */
let held = { keys: [], timer: null, isConfirmed: false, isPatient: true, isReady: true, late: "" };
let isPressing = false;
/** Whether a key with Ctrl, Alt or Meta is one of the page. */
let isOfPage = (/** @type {KeyboardEvent} */ _event) => false;
export const holdAlso = (is) => {
  isOfPage = is;
};

/** Whether a key is kept for later; those that are pressed anew are not. */
const isHolding = () => held !== null && !isPressing;

export const MODIFIERS = ["Shift", "Control", "Alt", "Meta"];

/** Before any field or button sees a key: those of an action that waits, and Enter that is held down. */
addEventListener(
  "keydown",
  (event) => {
    if (event.isComposing || MODIFIERS.includes(event.key) || /^F\d+$/.test(event.key)) return;
    const isTyped = event.getModifierState("AltGraph");
    const isCommand = !isTyped && (event.ctrlKey || event.metaKey || event.altKey);
    if (isHolding() && (!isCommand || isOfPage(event))) return keepKey(event);
    // What one has confirmed once is not confirmed again by the same key.
    if (event.repeat && event.key === "Enter" && !(event.target instanceof HTMLTextAreaElement)) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  },
  true,
);

function drop() {
  clearTimeout(held?.timer);
  held = null;
}

/** Holds keys until a write is done and the list shows it: they mean the rows as they are then. */
export function holdWhileWriting(/** @type {Promise<any>} */ work) {
  const listed = () =>
    new Promise((done) => {
      const stop = on("listed", () => (stop(), done(null)));
      setTimeout(done, LISTING);
    });
  let isWritten = false;
  const all = async () => {
    isWritten = (await work) !== null;
    if (isWritten) await listed();
  };
  const late = "The list was not there yet";
  holdKeys(all(), () => isWritten, { isConfirmed: true, late, failed: "Nothing was written" });
  return work;
}

/** Says which text was typed for nothing, so that it can be typed again. */
function sayIgnored(keys, why) {
  const text = keys.map(({ key, ctrlKey, metaKey }) => (key.length === 1 && !ctrlKey && !metaKey ? key : ""));
  const typed = text.join("").trim();
  const end = keys.length ? `. The keys were ignored${typed && `: ${typed}`}` : "";
  say(`${why}${end}`, { error: true });
}

/** How long the keys are kept after the last one. */
function wait(mine) {
  clearTimeout(mine.timer);
  if (mine.isReady) return;
  mine.timer = setTimeout(
    () => {
      drop();
      sayIgnored(mine.keys, mine.late);
    },
    mine.isPatient ? MAKING : PATIENCE,
  );
}

const isEnter = (made) => made?.key === "Enter";

/**
 * Waits for `work`, then calls `run`, which says whether it could; then the keys of meanwhile are pressed.
 * If it could not, or not in time, they are dropped: they were meant for that note alone.
 * `isConfirmed`: Enter began the work, so another Enter that follows at once is the same one. `isPatient`: it
 * may take long. `late` and `failed` say why keys are dropped.
 */
export async function holdKeys(
  work,
  run,
  {
    isConfirmed = false,
    isPatient = isConfirmed,
    late = "The note does not exist yet",
    failed = "The note was not opened",
  } = {},
) {
  const mine = { keys: held?.keys ?? [], timer: null, isConfirmed, isPatient, isReady: false, late };
  if (isConfirmed && isEnter(mine.keys[0])) mine.keys.shift();
  drop();
  held = mine;
  wait(mine);
  try {
    await work;
  } catch {
    /* `run` sees what there is */
  }
  if (held !== mine) return;
  if (!run()) {
    drop();
    if (mine.keys.length) sayIgnored(mine.keys, failed);
    return;
  }
  mine.isReady = true;
  clearTimeout(mine.timer);
  // What waited for this work ends first: one of the keys may begin the next one.
  setTimeout(() => pressAll(mine));
}

/** Keeps a key for later. */
function keepKey(event) {
  const { key, code, shiftKey, repeat } = event;
  // AltGr types a character.
  const isTyped = event.getModifierState("AltGraph");
  const [ctrlKey, metaKey, altKey] = isTyped ? [] : [event.ctrlKey, event.metaKey, event.altKey];
  const isSecondEnter = held.isConfirmed && isEnter(event) && !held.keys.length;
  if (!isSecondEnter) held.keys.push({ key, code, ctrlKey, metaKey, altKey, shiftKey, repeat });
  wait(held);
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** Keys that come meanwhile are pressed after them; one that begins a work leaves the rest to that. */
async function pressAll(mine) {
  while (held === mine && mine.keys.length) {
    press(mine.keys.shift());
    // A dialog that it opened takes the focus first.
    await Promise.resolve();
  }
  if (held === mine) drop();
}

function press(made) {
  const target = /** @type {HTMLElement} */ (document.activeElement ?? document.body);
  isPressing = true;
  try {
    if (target.dispatchEvent(new KeyboardEvent("keydown", { ...made, bubbles: true, cancelable: true })))
      doAsBrowser(target, made);
  } finally {
    isPressing = false;
  }
}

/** What a browser does by itself for a key that nothing has taken. */
function doAsBrowser(/** @type {any} */ target, { key, ctrlKey, metaKey, altKey, shiftKey }) {
  const dialog = target.closest("dialog[open]") ?? document.querySelector("dialog[open]");
  if (ctrlKey || metaKey) {
    const command = { a: "selectAll", z: "undo", y: "redo" }[key];
    if (command && typing(target)) document.execCommand(command);
  } else if (altKey) return;
  else if (key === "Escape") dialog?.close();
  else if (key === "Tab") goOn(dialog ?? document, target, shiftKey ? -1 : 1);
  else if (target instanceof HTMLSelectElement && key !== "Enter") {
    if (key.length === 1) chooseByLetters(target, key);
  } else if (key === "Enter" && target instanceof HTMLTextAreaElement) insert(target, "\n");
  else if (key === "Enter" && typing(target)) target.form?.requestSubmit();
  else if ((key === "Enter" || key === " ") && !typing(target)) {
    if (target.matches("button, a, summary, input")) target.click();
  } else if (!typing(target)) return;
  else if (key.length === 1) insert(target, key);
  else if (key === "Backspace") document.execCommand("delete");
  else if (key === "Delete") document.execCommand("forwardDelete");
  else moveCaret(target, key);
}

/** The focus goes to the next thing that takes it. */
function goOn(area, from, step) {
  const all = [...area.querySelectorAll("input, select, textarea, button, a[href], summary, [tabindex]")];
  const open = all.filter((node) => node.tabIndex >= 0 && !node.disabled && node.offsetParent !== null);
  const next = open.at((open.indexOf(from) + step) % open.length);
  next?.focus();
  if (next instanceof HTMLInputElement) next.select();
}

/** The letters that were pressed on a list of values. */
let letters = { node: null, text: "" };
function chooseByLetters(select, letter) {
  const text = (letters.node === select ? letters.text : "") + letter.toLowerCase();
  const found = [...select.options].find((one) => one.text.toLowerCase().startsWith(text));
  letters = { node: select, text };
  if (!found || found.selected) return;
  select.value = found.value;
  for (const type of ["input", "change"]) select.dispatchEvent(new Event(type, { bubbles: true }));
}

function moveCaret(field, key) {
  const { selectionStart: start, selectionEnd: end, value } = field;
  const lineStart = value.lastIndexOf("\n", start - 1) + 1;
  const lineEnd = value.indexOf("\n", end) < 0 ? value.length : value.indexOf("\n", end);
  const at = {
    ArrowLeft: start === end ? Math.max(0, start - 1) : start,
    ArrowRight: start === end ? Math.min(value.length, end + 1) : end,
    Home: lineStart,
    End: lineEnd,
  }[key];
  if (at !== undefined && start !== null) field.setSelectionRange(at, at);
}

function insert(field, text) {
  // A number has no caret that scripts know.
  if (field.selectionStart === null) document.execCommand("insertText", false, text);
  else typeInto(field, field.selectionStart, field.selectionEnd, text);
}

// A click means something else.
addEventListener(
  "pointerdown",
  () => {
    const keys = held?.keys ?? [];
    drop();
    if (keys.length) sayIgnored(keys, "You clicked before the note was there");
  },
  true,
);
