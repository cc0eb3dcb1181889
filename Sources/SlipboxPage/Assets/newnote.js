// New: kind, title and what the kind requires; a record that is made where one looks fits there.

import { el, attribute, button, replace, newId } from "./dom.js";
import { post } from "./api.js";
import { state, emit, refOf } from "./store.js";
import { kinds, kindOfQuery, changesOfQuery, labelOf } from "./kinds.js";
import { openDialog, say, sayError } from "./messages.js";
import { undoOf } from "./past.js";
import { once } from "./turns.js";

const CHOSEN = "slip-new-kind";

function inputOf(field, id) {
  if (field.type === "choice") return el("select", { id }, (field.required ? [] : [""]).concat(field.values ?? []).map((value) => el("option", { value, text: value || "—" })));
  const type = { integer: "number", date: "text" }[field.type] ?? "text";
  return el("input", { type, id, min: field.minimum, max: field.maximum, required: Boolean(field.required), autocomplete: "off" });
}

/** A change as people read it: a group by its title. */
function shown({ field, value, add }) {
  const text = add ?? value;
  if (field === "tags") return `+${text}`;
  const group = state.box.groups?.find((one) => one.ref === text);
  return group ? `${labelOf(field)}: ${group.title || "Untitled"}` : `${field}:${text}`;
}

/** An input with its label, and room for what is wrong with it. */
const boxOf = (label, id, input) => el("div", { class: "dialog-field" }, el("label", { for: id, text: label }), input, el("p", { class: "fault", id: `${id}-fault`, role: "alert" }));

/** Says beside each empty input that it is required; the first one has the focus. */
function areFilled(inputs) {
  const empty = inputs.filter(({ input }) => !input.value.trim());
  for (const { label, input } of inputs) {
    const isEmpty = !input.value.trim();
    input.nextElementSibling.textContent = isEmpty ? `${label} is required` : "";
    attribute(input, "aria-invalid", isEmpty ? "true" : null);
    attribute(input, "aria-describedby", isEmpty ? `${input.id}-fault` : null);
  }
  empty[0]?.input.focus();
  return !empty.length;
}

/** Makes a note; its name. */
async function make(kind, title, changes) {
  const answer = await post("new", { kind, title, changes, body: "" });
  say(answer.subject, undoOf(answer));
  emit("changed");
  return answer.notes[0] ? refOf(answer.notes[0]) : answer.versions[0]?.ref ?? null;
}

/** Opens the form. `create(make)` opens the note that `make` gives the name of, ready for its text. */
export function newNote({ title = "", kind = null, create }) {
  const query = state.place.view === "notes" ? state.place.query : "";
  const start = kind ?? kindOfQuery(query)?.name ?? sessionStorage.getItem(CHOSEN) ?? kinds()[0]?.name;
  openDialog("New", (close) => {
    const ids = { kind: newId("new"), title: newId("new") };
    const select = el("select", { id: ids.kind }, kinds().map((one) => el("option", { value: one.name, text: one.comment ? `${labelOf(one.name)}: ${one.comment}` : labelOf(one.name), selected: one.name === start })));
    const name = el("input", { type: "text", id: ids.title, value: title, required: true, autocomplete: "off", class: "new-title" });
    const required = el("div", { class: "required" });
    const given = el("p", { class: "given muted" });
    const fault = el("p", { class: "fault form-fault", role: "alert" });
    let editors = [], changes = [];
    const show = () => {
      const chosen = kinds().find((one) => one.name === select.value);
      editors = chosen.fields.filter((field) => field.required && field.name !== "title" && !field.default).map((field) => {
        const id = newId("new");
        return { field, id, input: inputOf(field, id) };
      });
      replace(required, editors.map(({ field, id, input }) => boxOf(labelOf(field.name), id, input)));
      changes = changesOfQuery(query, chosen);
      replace(given, changes.length ? ["As in the list: ", changes.map((change) => el("span", { class: "chip", text: shown(change) }))] : null);
    };
    const submit = async () => {
      const chosen = select.value;
      const values = editors.filter(({ input }) => input.value.trim()).map(({ field, input }) => ({ field: field.name, value: input.value.trim() }));
      fault.textContent = "";
      const all = [{ label: "Title", input: name }, ...editors.map(({ field, input }) => ({ label: labelOf(field.name), input }))];
      if (!areFilled(all)) return;
      await create(async () => {
        try {
          const ref = await make(chosen, name.value.trim(), [...changes, ...values]);
          sessionStorage.setItem(CHOSEN, chosen);
          close();
          return ref;
        } catch (error) {
          fault.textContent = error.advice ?? error.message;
          return null;
        }
      });
    };
    select.addEventListener("change", show);
    show();
    queueMicrotask(() => name.focus());
    return el("form", { class: "dialog-body new-form", novalidate: true, on: { submit: (event) => { event.preventDefault(); once("new", submit); } } },
      boxOf("Title", ids.title, name),
      el("div", { class: "dialog-field" }, el("label", { for: ids.kind, text: "Kind" }), select),
      required, given, fault,
      el("footer", {}, button("Cancel", close), el("button", { type: "submit", class: "primary", text: "Create" })));
  }, { name: "new" });
}

/** A note that a link names and that is not there yet. */
export const makeMissing = (title, create) => once(`new ${title}`, () => create(async () => {
  try { return await make(kinds()[0]?.name, title, []); } catch (error) {
    sayError(error);
    return null;
  }
}));
