// @ts-check
// New: a line with the title and its changes, the kind, and what the kind requires; a record that is made
// where one looks fits there.

import { el, attribute, button, later, replace, newId } from "./dom.js";
import { get, post } from "./api.js";
import { state, emit, refOf } from "./store.js";
import {
  kinds,
  kindNamed,
  kindOfQuery,
  kindOfView,
  changesOfPlace,
  changesOfQuery,
  dueField,
  fieldOf,
  labelOf,
  lateFields,
  plainKind,
  rankOfMark,
  viewNamed,
} from "./kinds.js";
import { combined, lackingFields, otherTitle, readLine, timeWrittenIn, writtenIn } from "./quickadd.js";
import { fromNumber, timed, today, toNumber } from "./dates.js";
import { openDialog, say, sayError } from "./messages.js";
import { renewWhenOnline } from "./bars.js";
import { undoOfNew } from "./created.js";
import { doneText } from "./summary.js";
import { once } from "./turns.js";

/** The typed line of a form that was closed without Create or Cancel. */
const DRAFT = "slip-new-line";
const AGAIN = "The server answers again. Press Create again; no note is created twice.";

function inputOf(field, id) {
  if (field.type === "choice")
    return el(
      "select",
      { id },
      (field.required ? [] : [""])
        .concat(field.values ?? [])
        .map((value) => el("option", { value, text: value || "—" })),
    );
  const type = { integer: "number", date: "text" }[field.type] ?? "text";
  return el("input", {
    type,
    id,
    min: field.minimum,
    max: field.maximum,
    required: Boolean(field.required),
    autocomplete: "off",
  });
}

/** A change as people read it: a group by its title. */
function shown(/** @type {FieldChange} */ { field, value, add }) {
  const text = add ?? value;
  if (field === "tags") return `+${text}`;
  const group = state.box.groups?.find((one) => one.ref === text);
  return group ? `${labelOf(field)}: ${group.title || "Untitled"}` : `${field}:${text}`;
}

/** What a typed line means in terms of the kinds of the box. */
const SHAPE = { kindNamed, fieldOf, rankOf: rankOfMark };

/** A typed change as it will be written, once the server has said so. */
function typedChip(change, patch) {
  const value = change.add ?? change.value;
  // A reference is written as an id; people know its title.
  const isTyped =
    change.field === "tags" || kinds().some((kind) => fieldOf(kind, change.field)?.type === "reference");
  const written = isTyped ? undefined : writtenIn(patch, change.field);
  const read = written ? timed(written, timeWrittenIn(patch, change.field)) : value;
  return el("span", {
    class: "chip",
    data: { field: change.field },
    text: change.field === "tags" ? `#${value}` : `${labelOf(change.field)}: ${read}`,
  });
}

const lacking = (kind, field) => `${labelOf(kind.name)} has no field ${field}: it stays in the title`;

/** Whether a refusal is about the value of a typed change, and not about a field without a value. */
const isAbout = (error, changes) =>
  changes.some((change) => change.field.toLowerCase() === error.field?.toLowerCase());

/** An input with its label, and room for what is wrong with it. */
const boxOf = (label, id, input) =>
  el(
    "div",
    { class: "dialog-field" },
    el("label", { for: id, text: label }),
    input,
    el("p", { class: "fault", id: `${id}-fault`, role: "alert" }),
  );

/** Says beside each empty input that it is required; the first one has the focus. */
function areFilled(inputs) {
  const isMissing = ({ input, isEmpty = !input.value.trim() }) => isEmpty;
  const empty = inputs.filter(isMissing);
  for (const { label, input, ...more } of inputs) {
    const isEmpty = isMissing({ input, ...more });
    input.nextElementSibling.textContent = isEmpty ? `${label} is required` : "";
    attribute(input, "aria-invalid", isEmpty ? "true" : null);
    attribute(input, "aria-describedby", isEmpty ? `${input.id}-fault` : null);
  }
  empty[0]?.input.focus();
  return !empty.length;
}

/** Whether a query finds a note; true if the server does not say. */
async function isFound(query, path) {
  const terms = query.replace(/(^|\s)sort:\S+/g, " ").trim();
  if (!terms) return true;
  try {
    const q = `(${terms}) path:"${path.replace(/["\\]/g, "\\$&")}"`;
    return (await get("list", { q, limit: 1 })).total > 0;
  } catch {
    return true;
  }
}

/** Makes a note; its name. A note that the list of `query` does not find is said to be elsewhere. */
async function make(kind, title, changes, folder = undefined, query = "") {
  const answer = await post("new", { kind, title, changes, body: "", folder });
  const path = answer.notes[0]?.path;
  const note = path === undefined || (await isFound(query, path)) ? "" : ". It is not in this list";
  say(`${doneText(answer.subject)}${note}`, undoOfNew(answer));
  emit("changed");
  return answer.notes[0] ? refOf(answer.notes[0]) : (answer.versions[0]?.ref ?? null);
}

/**
 * Opens the form. `create(make)` opens the note that `make` gives the name of, ready for its text. `given`:
 * what the place of the focus adds, such as the column of a board. `isElsewhere`: the list adds nothing.
 */
export function newNote({
  title = "",
  kind = null,
  given: placed = [],
  folder = undefined,
  isElsewhere = false,
  create,
}) {
  const isView = !isElsewhere && state.place.view === "view";
  const isList = !isElsewhere && state.place.view === "notes";
  const query = isView ? (viewNamed(state.place.name)?.query ?? "") : isList ? state.place.query : "";
  const listed = isView ? kindOfView(state.place.name) : kindOfQuery(query);
  const from = isView ? "From the view: " : isList ? "From the filter of the list: " : "The note gets: ";
  const start = kind ?? listed?.name ?? plainKind().name;
  openDialog(
    "New",
    (close) => {
      const ids = { kind: newId("new"), title: newId("new") };
      const select = el(
        "select",
        { id: ids.kind },
        kinds().map((one) =>
          el("option", {
            value: one.name,
            text: one.comment ? `${labelOf(one.name)}: ${one.comment}` : labelOf(one.name),
            selected: one.name === start,
          }),
        ),
      );
      const name = el("input", {
        type: "text",
        id: ids.title,
        value: title || (sessionStorage.getItem(DRAFT) ?? ""),
        required: true,
        autocomplete: "off",
        autocapitalize: "off",
        spellcheck: "true",
        class: "new-title",
        placeholder: "Call Ada due:tomorrow +home !!",
      });
      const typed = el("p", { class: "given typed", role: "status" });
      const required = el("div", { class: "required" });
      const given = el("p", { class: "given muted" });
      const fault = el("p", { class: "fault form-fault", role: "alert" });
      // A kind that was chosen, or that the list gives, is not changed by words of the line.
      let isChosen = kind !== null || Boolean(listed);
      let base = start;
      /** What was typed into fields: it is there again when the kind has the field. */
      const kept = new Map();
      let editors = [],
        optional = [],
        patch = "",
        round = 0;
      const chosen = () => kindNamed(select.value) ?? kinds()[0];
      const line = () => readLine(name.value, kindNamed(base) ?? kinds()[0], isChosen, kinds(), SHAPE);
      const filled = (from) => from.filter(({ input }) => input.value.trim());
      const givenTo = (kind) => combined(changesOfQuery(query, kind), changesOfPlace(placed, kind));
      const changesOf = (parsed) =>
        combined(
          givenTo(chosen()),
          filled(optional).flatMap((one) => one.changes(one.input.value.trim())),
          filled(editors).map(({ field, input }) => ({ field: field.name, value: input.value.trim() })),
          parsed.changes,
        );
      const showTyped = ({ kind, title, changes }) => {
        const other = otherTitle(name.value, title);
        replace(
          typed,
          other !== null && el("span", { class: "title-read", text: `Title: ${other}` }),
          changes.map((change) => typedChip(change, patch)),
          lackingFields(title, kind, kinds(), SHAPE).map((field) =>
            el("span", { text: lacking(kind, field) }),
          ),
        );
      };
      /**
       * Asks the server how it reads what was typed: days get their dates, and a mistake is said before it is
       * saved.
       */
      const check = later(200, async () => {
        const parsed = line();
        const mine = ++round;
        if (!parsed.title || !parsed.changes.length) return;
        try {
          const answer = await post("new", {
            kind: parsed.kind.name,
            title: parsed.title,
            changes: changesOf(parsed),
            preview: true,
          });
          if (mine !== round) return;
          patch = answer.patch;
          fault.textContent = "";
          showTyped(parsed);
        } catch (error) {
          if (mine !== round || !isAbout(error, parsed.changes)) return;
          fault.textContent = error.advice;
          for (const chip of typed.children)
            chip.classList.toggle("wrong", chip.dataset.field === error.field?.toLowerCase());
        }
      });
      const show = () => {
        const kind = chosen();
        const changes = givenTo(kind);
        for (const { label, input } of [...editors, ...optional]) kept.set(label, input.value);
        editors = kind.fields
          .filter((field) => field.required && field.name !== "title" && !field.default)
          .filter(({ name }) => !changes.some((change) => change.field === name))
          .map((field) => {
            const id = newId("new");
            return { field, label: labelOf(field.name), id, input: inputOf(field, id) };
          });
        const due = dueField(kind);
        const text = (label, placeholder, changes) => {
          const id = newId("new");
          return {
            label,
            id,
            input: el("input", { type: "text", id, placeholder, autocomplete: "off" }),
            changes,
          };
        };
        optional = [
          due &&
            !due.required &&
            lateFields().has(due.name) &&
            text(labelOf(due.name), "tomorrow, friday, 3 dec", (value) => [{ field: due.name, value }]),
          text("Tags", "home garden", (value) =>
            value
              .split(/[\s,]+/)
              .map((tag) => ({ field: "tags", add: tag.replace(/^[+#]/, "") }))
              .filter(({ add }) => add),
          ),
        ].filter(Boolean);
        for (const { label, input } of [...editors, ...optional]) {
          const value = kept.get(label);
          if (value && (!input.options || [...input.options].some((one) => one.value === value)))
            input.value = value;
        }
        replace(
          required,
          editors.map(({ label, id, input }) => boxOf(label, id, input)),
          el(
            "div",
            { class: "dialog-row" },
            optional.map(({ label, id, input }) => boxOf(label, id, input)),
          ),
        );
        const texts = [...changes.map(shown), ...(folder ? [`${folder}/`] : [])];
        const chips = texts.map((text) => el("span", { class: "chip", text }));
        replace(given, chips.length ? [from, chips] : null);
        read();
      };
      const read = () => {
        round++;
        patch = "";
        // It was about the line as it was before.
        fault.textContent = "";
        const parsed = line();
        // Without its word or its field the kind is again what it was.
        if (parsed.kind.name !== select.value) {
          select.value = parsed.kind.name;
          return show();
        }
        showTyped(parsed);
        return check();
      };
      const submit = async () => {
        const parsed = line();
        fault.textContent = "";
        const isSet = ({ field }) => parsed.changes.some((change) => change.field === field.name);
        const wanted = editors
          .filter((one) => !isSet(one))
          .map(({ label, input }) => ({ label, input }));
        if (!areFilled([{ label: "Title", input: name, isEmpty: !parsed.title }, ...wanted])) return;
        await create(async () => {
          try {
            const ref = await make(parsed.kind.name, parsed.title, changesOf(parsed), folder, query);
            sessionStorage.removeItem(DRAFT);
            close();
            return ref;
          } catch (error) {
            fault.textContent = error.advice ?? error.message;
            if (error.code === "offline") renewWhenOnline(fault, AGAIN);
            return null;
          }
        });
      };
      select.addEventListener("change", () => {
        isChosen = true;
        base = select.value;
        show();
      });
      name.addEventListener("input", () => {
        sessionStorage.setItem(DRAFT, name.value);
        read();
      });
      show();
      queueMicrotask(() => {
        name.focus();
        // A kept line is selected, so that typing replaces it.
        name.setSelectionRange(title ? name.value.length : 0, name.value.length);
      });
      return el(
        "form",
        {
          class: "dialog-body new-form",
          novalidate: true,
          on: {
            submit: (event) => {
              event.preventDefault();
              once("new", submit);
            },
          },
        },
        boxOf("Title", ids.title, name),
        typed,
        el("div", { class: "dialog-field" }, el("label", { for: ids.kind, text: "Kind" }), select),
        required,
        given,
        fault,
        el(
          "footer",
          {},
          button("Cancel", () => {
            sessionStorage.removeItem(DRAFT);
            close();
          }),
          el("button", { type: "submit", class: "primary", text: "Create" }),
        ),
      );
    },
    { name: "new" },
  );
}

/** Opens the note of today, or of so many days later; it is made if there is none. */
export const openDaily = (create, days = 0) =>
  once(`daily ${days}`, () =>
    create(async () => {
      try {
        const answer = await post("daily", days ? { day: fromNumber(toNumber(today()) + days) } : {});
        if (answer.operation) say(doneText(answer.subject), undoOfNew(answer));
        emit("changed");
        return answer.notes[0] ? refOf(answer.notes[0]) : null;
      } catch (error) {
        sayError(error);
        return null;
      }
    }),
  );

/** A note that a link names and that is not there yet. */
export const makeMissing = (title, create) =>
  once(`new ${title}`, () =>
    create(async () => {
      try {
        return await make(plainKind().name, title, []);
      } catch (error) {
        sayError(error);
        return null;
      }
    }),
  );
