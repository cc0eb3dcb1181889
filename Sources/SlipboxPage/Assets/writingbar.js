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
  const turn = (sign, command, name) =>
    button(sign, () => document.execCommand(command), {
      class: "plain",
      "aria-label": name,
      title: name,
      on: keepsFocus,
    });
  const node = el(
    "div",
    { class: "writing-bar", role: "toolbar", "aria-label": "Formatting" },
    EDITS.map(one),
    turn("↶", "undo", "Undo typing"),
    turn("↷", "redo", "Redo typing"),
  );
  const place = () => {
    const { height, offsetTop } = visualViewport;
    node.style.bottom = `${Math.max(0, innerHeight - height - offsetTop)}px`;
  };
  for (const type of ["resize", "scroll"]) globalThis.visualViewport?.addEventListener(type, place);
  return node;
}
