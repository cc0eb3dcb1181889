// @ts-check
// An editor for each type of field. Each has `node`, `input` (what takes the focus) and `show(note, titles)`,
// which leaves alone what is being typed.

import { el, button, attribute, replace, newId } from "./dom.js";
import { labelOf, valueOf, textOf, markOf, isStars } from "./kinds.js";
import { long, isDate } from "./dates.js";
import { readOnly, refOf, own } from "./store.js";
import { slotOf } from "./savejob.js";
import { jobIn } from "./saver.js";
import { asText, shownOf, textual } from "./textual.js";
import { linksIn } from "./fieldlinks.js";
import { chooseDate, chooseReference, chooseTags, chooseList } from "./choices.js";

/** A value of several lines keeps them: Shift and Enter make another one. */
function text(kind, field, actions) {
  const spelled = { spellcheck: field.type === "text" ? "true" : "false" };
  return textual(
    field,
    actions,
    field.lines
      ? el("textarea", { class: "value-lines", rows: 2, ...spelled })
      : el("input", { type: "text", autocomplete: "off", ...spelled }),
  );
}

/** A number; what is none is shown as the text that it is. */
function integer(kind, field, actions) {
  return textual(
    field,
    actions,
    el(
      "input",
      field.odd
        ? { type: "text", class: "short" }
        : { type: "number", step: "1", min: field.minimum, max: field.maximum, class: "short" },
    ),
  );
}

/**
 * A date by the browser's own picker; a date that it can't show is a text. A letter, which that picker has no
 * use for, begins a date in words: it opens the picker of `d`. Years that are being typed are no dates yet.
 */
function date(kind, field, actions) {
  const input = el("input", { type: "date", class: "short" });
  let isTyped = false,
    current = null;
  const isWhole = () =>
    input.type !== "date" || (!input.validity.badInput && (input.value === "" || input.value >= "1000"));
  const editor = textual(field, actions, input, {
    isWhole,
    holds: () => isTyped && document.activeElement === input,
    settlesOnChange: () => !isTyped,
    put: (value) => {
      isTyped = false;
      input.value = value;
    },
  });
  input.addEventListener(
    "keydown",
    (event) => {
      const isLetter = /^\p{L}$/u.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey;
      if (isLetter && input.type === "date" && current && !readOnly()) {
        event.preventDefault();
        chooseDate([current], field, actions.change, undefined, event.key);
      } else if (!["Tab", "Enter", "Escape", "Shift"].includes(event.key)) isTyped = true;
    },
    { capture: true },
  );
  // Before the input is left for good its value is what it is.
  input.addEventListener(
    "blur",
    () => {
      if (isTyped && !input.validity.badInput) editor.take();
      isTyped = false;
    },
    { capture: true },
  );
  const show = editor.show;
  return {
    ...editor,
    show(note) {
      current = note;
      const value = asText(valueOf(note, field));
      const kept = value && !/^\d{4}-\d\d-\d\d$/.test(value) ? "text" : "date";
      if (input.type !== kept && document.activeElement !== input) input.type = kept;
      attribute(input, "title", isDate(value) ? long(value) : "Type a day: friday, next monday");
      input.classList.toggle("unset", !value);
      show(note);
    },
  };
}

function choice(kind, field, { set }) {
  const input = el("select", { class: "short" });
  let base = "";
  input.addEventListener("change", () => set(field, input.value, base));
  return {
    node: input,
    input,
    show(note) {
      base = asText(valueOf(note, field));
      const value = shownOf(note, field);
      const values = [...(field.required || field.default ? [] : [""]), ...(field.values ?? [])];
      if (value && !values.includes(value)) values.push(value);
      if ([...input.options].map((option) => option.value).join("\n") !== values.join("\n")) {
        input.replaceChildren(
          ...values.map((one) => {
            const mark = one && markOf(kind, field.name, one);
            return el("option", {
              value: one,
              text: one ? `${mark && mark.length < 4 ? `${mark}  ` : ""}${one}` : "—",
            });
          }),
        );
      }
      if (input.value !== value) input.value = value;
      input.disabled = readOnly();
    },
  };
}

function boolean(kind, field, { set }) {
  const input = el("input", { type: "checkbox" });
  let base = "";
  input.addEventListener("change", () => set(field, String(input.checked), base));
  return {
    node: el("label", { class: "tick-area" }, input),
    input,
    show(note) {
      base = asText(valueOf(note, field));
      input.checked = shownOf(note, field) === "true";
      input.disabled = readOnly();
    },
  };
}

/** Stars to click: the one that is set already takes it away. Left and right change it by one. */
function stars(kind, field, actions) {
  const node = el("div", {
    class: "star-input",
    role: "slider",
    tabIndex: 0,
    "aria-valuemin": 0,
    "aria-valuemax": field.maximum,
  });
  let value = 0,
    base = "";
  const draw = () => {
    [...node.children].forEach((star, index) => {
      star.textContent = index < value ? "★" : "☆";
    });
    attribute(node, "aria-valuenow", value);
    attribute(node, "aria-valuetext", value ? `${value} of ${field.maximum}` : "none");
  };
  const set = (next) => {
    if (readOnly() || next === value) return;
    value = next;
    draw();
    actions.set(field, next ? String(next) : "", base);
  };
  for (let star = 1; star <= field.maximum; star++)
    node.append(el("span", { "aria-hidden": "true", on: { click: () => set(star === value ? 0 : star) } }));
  node.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    const typed =
      /^\d$/.test(event.key) && Number(event.key) <= field.maximum
        ? Number(event.key)
        : event.key === "Delete" || event.key === "Backspace"
          ? 0
          : null;
    if (step) set(Math.max(0, Math.min(field.maximum, value + step)));
    else if (typed !== null) set(typed);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  return {
    node,
    input: node,
    show(note) {
      base = asText(valueOf(note, field));
      value = Number(shownOf(note, field)) || 0;
      attribute(node, "aria-disabled", readOnly() ? "true" : null);
      draw();
    },
  };
}

function reference(kind, field, { change, open }) {
  const node = el("div", { class: "reference" });
  const pick = button("", () => chooseReference(current, field, change), { class: "picker" });
  let current = null;
  node.append(pick);
  const links = el("span", { class: "reference-links" });
  node.append(links);
  return {
    node,
    input: pick,
    show(note, titles = {}) {
      current = note;
      const value = valueOf(note, field);
      const refs = Array.isArray(value) ? value : value ? [value] : [];
      pick.textContent = refs.length ? textOf(field, value, titles) : "—";
      pick.disabled = readOnly();
      replace(
        links,
        refs.map((ref) =>
          button("↗", () => open(ref), {
            class: "plain",
            "aria-label": `Open ${own(titles, ref) ?? ref}`,
            title: `Open ${own(titles, ref) ?? ref}`,
          }),
        ),
      );
    },
  };
}

function tags(kind, field, { change }) {
  const pick = button("", () => chooseTags([current], change), {
    class: "picker tag-picker",
    data: { field: "tags" },
  });
  let current = null;
  return {
    node: pick,
    input: pick,
    show(note) {
      current = note;
      replace(
        pick,
        note.tags?.length
          ? note.tags.map((tag) => el("span", { class: "chip", text: tag }))
          : el("span", { class: "muted", text: "No tags" }),
      );
      pick.disabled = readOnly();
    },
  };
}

/** A list of values: each one a chip; they are taken out and added in a menu. */
function list(kind, field, { change }) {
  const pick = button("", () => chooseList(current, field, change), { class: "picker list-picker" });
  let current = null;
  return {
    node: pick,
    input: pick,
    show(note, titles) {
      current = note;
      const values = valueOf(note, field);
      const all = Array.isArray(values) ? values : values ? [values] : [];
      replace(
        pick,
        all.length
          ? all.map((one) =>
              el("span", { class: "chip", text: textOf({ ...field, list: false }, one, titles) }),
            )
          : el("span", { class: "muted", text: "—" }),
      );
      pick.disabled = readOnly();
    },
  };
}

/** What no kind declares, or no editor fits: shown as it is. */
function plain(kind, field) {
  const node = el("span", { class: "plain-value" });
  return {
    node,
    input: null,
    show(note, titles) {
      node.textContent = textOf(field, valueOf(note, field), titles) || "—";
    },
  };
}

function editorOf(field) {
  if (field.type === "tags") return tags;
  if (field.type === "reference") return reference;
  if (isStars(field)) return stars;
  if (field.type === "moment" || field.type === "other") return plain;
  if (field.list) return list;
  return { integer, date, choice, boolean, text, recurrence: text }[field.type] ?? text;
}

/** A link of a value, as a button or, for an address elsewhere, as a link of the browser. */
function linkOf({ text, ref, part, file, address, missing }, actions) {
  if (address)
    return el("a", { class: "link", href: address, target: "_blank", rel: "noopener noreferrer", text });
  if (missing) {
    const make = () => actions.make(missing);
    return readOnly()
      ? null
      : button(text, make, { class: "link missing", title: `Make “${missing}”` });
  }
  const run = file ? () => actions.file(file) : () => actions.open(ref, part);
  return button(text, run, { class: "link", "aria-label": `Open ${text}` });
}

/** One line of the form: a label, the editor, a button for the field's past, and why a value was refused. */
export function makeField(kind, field, actions) {
  const editor = editorOf(field)(kind, field, actions);
  const id = newId("field");
  const label = labelOf(field.name);
  const native = editor.input && /^(INPUT|SELECT|TEXTAREA)$/.test(editor.input.tagName);
  if (editor.input) editor.input.id = id;
  if (editor.input && !native) editor.input.setAttribute("aria-label", label);
  if (editor.input && !native && editor.input.tagName === "BUTTON") {
    editor.input.removeAttribute("aria-label");
    editor.input.setAttribute("aria-labelledby", `${id}-label ${id}`);
  }
  if (field.comment && editor.input) editor.input.title = field.comment;
  const name = native
    ? el("label", { for: id, id: `${id}-label`, text: label })
    : el("span", { class: "label", id: `${id}-label`, text: label });
  const past = button("◷", () => actions.past(field.name), {
    class: "plain past",
    "aria-label": `History of ${label}`,
    title: `History of ${label}`,
  });
  const links = el("div", { class: "field-links" });
  const fault = el("p", { class: "fault field-fault", id: `${id}-fault`, hidden: true });
  const row = el(
    "div",
    { class: "field", data: { name: field.name } },
    name,
    el("div", { class: "value" }, editor.node, past),
    links,
    fault,
  );
  const showFault = (note) => {
    const job = readOnly() ? null : jobIn(refOf(note), slotOf(field.name));
    fault.textContent = job?.state === "refused" ? job.error.message : "";
    fault.hidden = !fault.textContent;
    if (editor.input) {
      attribute(editor.input, "aria-invalid", fault.hidden ? null : "true");
      attribute(editor.input, "aria-describedby", fault.hidden ? null : fault.id);
    }
  };
  return {
    ...editor,
    row,
    field,
    show(note, titles) {
      editor.show(note, titles);
      const found = field.type === "reference" ? [] : linksIn(note, field.name);
      replace(
        links,
        found.map((one) => linkOf(one, actions)),
      );
      showFault(note);
    },
    showFault,
  };
}
