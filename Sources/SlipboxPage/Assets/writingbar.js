// @ts-check
// The bar above the keyboard of a phone, while one writes: what keys do elsewhere.

import { button, el } from "./dom.js";
import { marked, shifted } from "./editing.js";
import { bulleted, headed, tasked, wikiLinked } from "./lineediting.js";

const EDITS = [
  { sign: "H", name: "Heading", edit: headed },
  { sign: "B", name: "Bold", edit: (text, start, end) => marked(text, start, end, "**") },
  { sign: "•", name: "List", edit: bulleted },
  { sign: "☑", name: "Check box", edit: tasked },
  { sign: "[[", name: "Link to a note", edit: wikiLinked },
  { sign: "⇥", name: "Indent", edit: (text, start, end) => shifted(text, start, end, false) },
  { sign: "⇤", name: "Outdent", edit: (text, start, end) => shifted(text, start, end, true) },
];

/** `apply(made, event)` makes an edit in the text of `area`. */
export function writingBar(area, apply) {
  const keepsFocus = { mousedown: (event) => event.preventDefault() };
  const one = ({ sign, name, edit }) =>
    button(
      sign,
      (event) => {
        if (!area.readOnly) apply(edit(area.value, area.selectionStart, area.selectionEnd), event);
      },
      { class: "plain", "aria-label": name, title: name, on: keepsFocus },
    );
  const edits = EDITS.map(one);
  // The bar has room for eight: Redo takes the place of the first one as long as something can be redone.
  const offerRedo = (/** @type {boolean} */ isOffered) => {
    redo.hidden = !isOffered;
    edits[0].hidden = isOffered;
  };
  area.addEventListener("input", (event) => {
    if (!/^history/.test(/** @type {InputEvent} */ (event).inputType)) offerRedo(false);
  });
  const turn = (sign, command, name) =>
    button(sign, () => (document.execCommand(command), offerRedo(document.queryCommandEnabled("redo"))), {
      class: "plain",
      "aria-label": name,
      title: name,
      on: keepsFocus,
    });
  const redo = turn("↷", "redo", "Redo typing");
  offerRedo(false);
  const node = el(
    "div",
    { class: "writing-bar", role: "toolbar", "aria-label": "Formatting" },
    edits,
    turn("↶", "undo", "Undo typing"),
    redo,
  );
  const place = () => {
    const { height, offsetTop } = visualViewport;
    node.style.bottom = `${Math.max(0, innerHeight - height - offsetTop)}px`;
  };
  for (const type of ["resize", "scroll"]) globalThis.visualViewport?.addEventListener(type, place);
  return node;
}
