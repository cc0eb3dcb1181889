// @ts-check
// An input whose text is a draft of a field while one types.

import { valueOf } from "./kinds.js";
import { readOnly, refOf } from "./store.js";
import { slotOf } from "./savejob.js";
import { commit, heldIn, revert, updateDraft } from "./saver.js";

export const asText = (value) =>
  value === null || value === undefined
    ? ""
    : Array.isArray(value)
      ? value.join(", ")
      : typeof value === "object"
        ? JSON.stringify(value)
        : String(value);

/** What the form shows of a field: what is typed or being saved, else what the note has. */
export const shownOf = (note, field) =>
  heldIn(refOf(note), slotOf(field.name))?.value ?? asText(valueOf(note, field));

/**
 * @typedef {object} TextualOptions
 * @property {() => string} [read]
 * @property {() => boolean} [isWhole]
 * @property {() => boolean} [holds]
 * @property {() => boolean} [settlesOnChange]
 * @property {(text: string) => void} [put]
 * @property {(() => void) | null} [leave]
 */

/**
 * What is typed into an input is a draft of its field; Enter and leaving the input have it written, Escape
 * gives it up. `read`: its value; `isWhole`: whether that may be one already; `holds`: whether the input is
 * left as it is; `leave`: gives the focus to another element after Enter and Escape.
 * @param {Field} field
 * @param {any} actions
 * @param {any} input
 * @param {TextualOptions} options
 */
export function textual(
  field,
  actions,
  input,
  {
    read = () => input.value.trim(),
    isWhole = () => true,
    holds = () => false,
    settlesOnChange = () => true,
    put = (text) => {
      input.value = text;
    },
    leave = null,
  } = {},
) {
  const slot = slotOf(field.name);
  let ref = null,
    base = "";
  const take = () => {
    if (ref !== null && !input.readOnly) updateDraft(ref, slot, read(), { ...actions.begun(), base });
  };
  const write = () => {
    if (ref !== null) commit(ref, slot);
  };
  input.addEventListener("input", () => {
    if (isWhole()) take();
  });
  input.addEventListener("change", () => {
    if (settlesOnChange()) write();
  });
  input.addEventListener("blur", write);
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      write();
      leave?.();
    }
    if (event.key !== "Escape" || event.isComposing) return;
    const isChanged = ref !== null && (heldIn(ref, slot) || read() !== base);
    if (isChanged) {
      revert(ref, slot);
      put(base);
    }
    if (!isChanged && !leave) return;
    event.stopPropagation();
    // Keys mean actions then: none is typed into the field.
    (leave ?? actions.left)?.();
  });
  return {
    input,
    node: input,
    take,
    show(note) {
      ref = refOf(note);
      base = asText(valueOf(note, field)).trim();
      const text = heldIn(ref, slot)?.value ?? asText(valueOf(note, field));
      if (!holds() && read() !== text.trim()) put(text);
      input.readOnly = readOnly();
    },
  };
}
