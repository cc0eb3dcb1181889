// @ts-check
// Short messages, and dialogs that give the focus back where it was.

import { el, button, add, newId } from "./dom.js";
import { openOver } from "./overlays.js";

const SHORT = 6000,
  LONG = 12000;
let said = null;
let failed = null;
let timer = null;

/** What was done is told when there is time for it, errors at once. */
export function startMessages() {
  said = el("div", { role: "status", "aria-live": "polite" });
  failed = el("div", { role: "alert" });
  const node = el("div", { class: "messages" }, said, failed);
  // A text that is being written keeps the focus: else the bar below it goes, and the button moves away.
  node.addEventListener("mousedown", (event) => {
    if (event.target instanceof Element && event.target.closest("button")) event.preventDefault();
  });
  document.body.append(node);
}

function leave(line) {
  const hadFocus = line.contains(document.activeElement);
  line.remove();
  if (hadFocus) document.dispatchEvent(new CustomEvent("slip-focus-lost"));
}

/** A message goes away by itself, but not while one points at it or is in it. */
function leaveLater(line, milliseconds) {
  clearTimeout(timer);
  timer = setTimeout(
    () => (line.matches(":hover, :focus-within") ? leaveLater(line, 1000) : leave(line)),
    milliseconds,
  );
}

/** Says what was done; with a button for what undoes it. */
export function say(text, { error = false, action = null, run = null } = {}) {
  if (!text || !said) return;
  const line = el(
    "div",
    { class: error ? "message error" : "message" },
    el("span", { text }),
    action &&
      button(
        action,
        () => {
          leave(line);
          run();
        },
        { class: "plain" },
      ),
    button("×", () => leave(line), { class: "plain", "aria-label": "Close the message" }),
  );
  said.replaceChildren(...(error ? [] : [line]));
  failed.replaceChildren(...(error ? [line] : []));
  leaveLater(line, error || action ? LONG : SHORT);
}

export const sayError = (error) => say(error?.advice ?? error?.message ?? String(error), { error: true });

export const dialogOpen = () => document.querySelector("dialog[open]") !== null;

/** Opens a dialog; `build(close)` gives its content. Focus goes back to where it was. */
export function openDialog(title, build, { wide = false, name = "dialog", heading = true } = {}) {
  const back = /** @type {HTMLElement | null} */ (document.activeElement);
  const id = newId("title");
  const dialog = el("dialog", { class: `${name}${wide ? " wide" : ""}`, "aria-labelledby": id });
  const close = () => dialog.close();
  const top = heading
    ? el(
        "header",
        { class: "dialog-top" },
        el("h2", { id, text: title }),
        button("×", close, { class: "plain", "aria-label": "Close" }),
      )
    : el("h2", { id, class: "hidden-text", text: title });
  add(dialog, top, build(close, dialog));
  const release = openOver(close, () => dialog.open);
  dialog.addEventListener("close", () => {
    release();
    dialog.remove();
    // The browser gave the focus back already; only what is gone by now needs another place.
    if (document.activeElement === document.body && back?.isConnected) back.focus({ preventScroll: true });
    if (document.activeElement === document.body) document.dispatchEvent(new CustomEvent("slip-focus-lost"));
  });
  dialog.addEventListener("mousedown", (event) => {
    const box = dialog.getBoundingClientRect();
    const outside =
      event.clientX < box.left ||
      event.clientX > box.right ||
      event.clientY < box.top ||
      event.clientY > box.bottom;
    if (event.target === dialog && outside) close();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** Asks before something that is seen first: a patch, a number. Resolves to true or false. */
export function ask(title, content, { yes = "Apply", danger = false, wide = true } = {}) {
  return new Promise((answer) => {
    let said = false;
    const dialog = openDialog(
      title,
      (close) => {
        const agree = button(
          yes,
          () => {
            said = true;
            close();
          },
          { class: danger ? "primary danger" : "primary" },
        );
        queueMicrotask(() => agree.focus());
        return [
          el("div", { class: "dialog-body" }, content),
          el("footer", {}, button("Cancel", close), agree),
        ];
      },
      { wide },
    );
    dialog.addEventListener("close", () => answer(said));
  });
}
