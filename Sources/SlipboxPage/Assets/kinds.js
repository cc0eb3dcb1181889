// @ts-check
// What the declarations of kinds say: every row, form, key and empty text is read from here.

import { state, own } from "./store.js";
import { timed } from "./dates.js";

const PLAIN = {
  name: "",
  fields: [
    { name: "title", type: "text" },
    { name: "tags", type: "tags", list: true },
  ],
  actions: {},
};

export const kinds = () => state.box?.kinds ?? [];
/** The kind of notes that name none. */
export const plainKind = () => kinds().find((kind) => kind.plain) ?? kinds()[0] ?? PLAIN;
export const kindNamed = (name) => kinds().find((kind) => kind.name === name);
export const kindOf = (note) => (note.kind && kindNamed(note.kind)) || plainKind();
/** The field of a kind; undefined without a kind, as in a list of several kinds. */
export const fieldOf = (kind, name) => kind?.fields.find((field) => field.name === name);
/** A name as people read it; the body of a note is its text. */
export const labelOf = (name) =>
  name === "body" ? "Text" : name.charAt(0).toUpperCase() + name.slice(1).replace(/[-_]/g, " ");

export const isStars = (field) =>
  field?.type === "integer" &&
  field.minimum === 1 &&
  field.maximum >= 3 &&
  field.maximum <= 10 &&
  !field.list;

/** The value of a field; a missing one counts as its default. */
export function valueOf(note, field) {
  if (field.name === "title") return note.title;
  if (field.name === "tags") return note.tags ?? [];
  const value = own(note.fields, field.name);
  if (value !== undefined && value !== null) return value;
  if (field.type === "boolean") return field.default === "true" || field.default === true;
  return field.type === "choice" ? (field.default ?? null) : null;
}

/** Whether a note has a value of its own in a field. */
export function isWritten(note, field) {
  const value = own(note.fields, field.name);
  return value !== undefined && value !== null && value !== "" && !(Array.isArray(value) && !value.length);
}

/** The time of day of a date, which a field beside it holds: `due-time` of `due`; empty if there is none. */
export const timeOf = (note, name) => String(own(note.fields, `${name}-time`) ?? "");

/** The field that decides whether a record is active: the one its kind's query names. */
export function stateField(kind) {
  const named = [...String(kind.active ?? "").matchAll(/([\p{L}][\p{L}\d_-]*):/gu)].map((match) =>
    fieldOf(kind, match[1]),
  );
  return named.find((field) => field && (field.type === "choice" || field.type === "boolean"));
}

export const rankField = (kind) =>
  kind.fields.find((field) => field.type === "choice" && field !== stateField(kind));

/** Date fields that filters look back at: a day before today is late there. */
export const lateFields = () =>
  new Set(
    (state.box?.filters ?? []).flatMap((filter) =>
      /is:active/.test(filter.query)
        ? [...filter.query.matchAll(/([\p{L}\d_-]+):\.\.yesterday/gu)].map((match) => match[1])
        : [],
    ),
  );

/** The date that `d` sets: one that a filter calls late and that is in the row, else the first date. */
export function dueField(kind) {
  const dates = kind.fields.filter((field) => field.type === "date" && !field.list);
  const late = lateFields();
  const shown = new Set(rowOf(kind).map((part) => part.field));
  return (
    dates.find((field) => late.has(field.name) && shown.has(field.name)) ??
    dates.find((field) => shown.has(field.name)) ??
    dates[0]
  );
}

/** An action that puts a date field to today, and the field: My Day, for kinds that have one. */
export function dayAction(kind) {
  for (const [action, changes] of Object.entries(kind.actions ?? {})) {
    const match = changes.length === 1 && /^([^:]+):today$/.exec(changes[0]);
    if (match && fieldOf(kind, match[1])?.type === "date")
      return { action, field: match[1], clear: `${match[1]}:` };
  }
  return null;
}

/** The fields by whose days records are due: those that are late, without that of My Day. */
export function dueFields() {
  const days = new Set(kinds().map((kind) => dayAction(kind)?.field));
  return [...lateFields()].filter((name) => !days.has(name));
}

/** What is due today and in this week, `{text, query}`: filters of every box, without those that it has. */
export const dueFilters = () =>
  dueFields()
    .flatMap((name) => [
      { text: `${labelOf(name)} today`, query: `is:active ${name}:today` },
      { text: `${labelOf(name)} this week`, query: `is:active ${name}:"this week"` },
    ])
    .filter(({ query }) => !state.box.filters.some((filter) => filter.query === query));

/** Actions that would change something: those whose values the record has already are left out. */
export function actionsFor(note) {
  const kind = kindOf(note);
  return Object.entries(kind.actions ?? {})
    .filter(
      ([, changes]) =>
        !changes.every((change) => {
          const [, name, value] = /^([^:]*):(.*)$/s.exec(change) ?? [];
          const field = name && fieldOf(kind, name);
          if (!field) return false;
          const now = valueOf(note, field);
          const then = value === "today" ? state.box.today : value;
          return String(now ?? "") === then;
        }),
    )
    .map(([name]) => name);
}

export function rowOf(kind) {
  if (kind.row?.length) return kind.row.map((part) => (typeof part === "string" ? { field: part } : part));
  const first = kind.fields
    .filter((field) => field.type === "boolean")
    .map((field) => ({ field: field.name }));
  const state = stateField(kind);
  const rest = kind.fields.filter(
    (field) =>
      ["choice", "date", "reference", "integer"].includes(field.type) && !field.list && field !== state,
  );
  return [
    ...first,
    { field: "title" },
    ...(state?.type === "choice" ? [{ field: state.name }] : []),
    ...rest.map((field) => ({ field: field.name, stars: isStars(field) })),
  ];
}

/** How the row of a kind writes a value: its mark, else null. */
export function markOf(kind, name, value) {
  const mark = own(rowOf(kind).find((part) => part.field === name)?.as, String(value));
  return mark === undefined ? null : Array.isArray(mark) ? mark[0] : mark;
}

/**
 * The change that a word of exclamation marks means, as `slip new` reads it: to the value with that sign
 * in the row. Otherwise `!!!` is the value with the longest sign, `!!` the next one, `!` the third.
 */
export function rankOfMark(kind, mark) {
  const field = rankField(kind);
  const values = field?.values ?? [];
  const signs = values.map((value) => /^!+$/.exec(markOf(kind, field.name, value) ?? "")?.[0] ?? "");
  const longest = Math.max(0, ...signs.map((sign) => sign.length));
  if (!longest) return undefined;
  const top = signs.findIndex((sign) => sign.length === longest);
  const down = 3 - mark.length;
  const counted = { 0: values[down], [values.length - 1]: values[top - down] };
  const value = values[signs.indexOf(mark)] ?? counted[top];
  return value === undefined ? undefined : { field: field.name, value };
}

/** A value as a line of text; `time`: the time of day of a date. */
export function textOf(field, value, titles = {}, time = "") {
  if (value === null || value === undefined || value === "") return "";
  if (Array.isArray(value))
    return value.map((one) => textOf({ ...field, list: false }, one, titles)).join(", ");
  if (typeof value === "object") return JSON.stringify(value);
  if (field?.type === "reference") return own(titles, value) ?? String(value);
  if (field?.type === "date" || field?.type === "moment") return timed(value, time);
  if (field?.type === "boolean") return value === true || value === "true" ? "yes" : "no";
  return String(value);
}

/** The kind that a query names by itself, through filters too. */
export function kindOfQuery(query) {
  const match = /(?:^|\s)kind:([^\s,()]+)(?=\s|$)/.exec(expand(query));
  return match ? kindNamed(match[1]) : null;
}

/** The saved view of a name; undefined if there is none. */
export const viewNamed = (name) => (state.box?.views ?? []).find((view) => view.name === name);
/** The one kind that a saved view is about. */
export const kindOfView = (name) => kindNamed(viewNamed(name)?.kind) ?? null;

export function expand(query) {
  return query.replace(
    /(^|\s)@([^\s()]+)/g,
    (all, before, name) =>
      before + (state.box?.filters.find((filter) => filter.name === name)?.query ?? all.trim()),
  );
}

/** Changes that make a new record one that the query finds: its tags, references and days. */
export function changesOfQuery(query, kind) {
  const found = [];
  for (const term of expand(query).split(/\s+/)) {
    const tag = /^\+([^\s()"*]+)$/.exec(term);
    const field = /^([\p{L}\d_-]+):([^\s()"*,]+)$/u.exec(term);
    const declared = field && fieldOf(kind, field[1]);
    if (tag) found.push({ field: "tags", add: tag[1] });
    else if (
      declared &&
      (declared.type === "reference" || (declared.type === "date" && field[2] === "today"))
    )
      found.push({ field: field[1], [declared.list ? "add" : "value"]: field[2] });
  }
  return found;
}

/** Changes that put a new record of a kind where one looks: those of fields that the kind has. */
export const changesOfPlace = (changes, kind) =>
  changes.flatMap(({ field, value }) => {
    if (["tag", "tags"].includes(field)) return [{ field: "tags", add: value }];
    const declared = fieldOf(kind, field);
    return declared ? [{ field, [declared.list ? "add" : "value"]: value }] : [];
  });

/** A term of a query that names a tag. */
export const tagTerm = (tag) =>
  /^[\p{L}\d_/-]+$/u.test(tag) ? `+${tag}` : `tag:"${tag.replace(/["\\]/g, "\\$&")}"`;
/** A term of a query that names a folder. */
export const folderTerm = (folder) => fieldTerm("path", `${folder}/`);
export const fieldTerm = (name, value) =>
  /^[\p{L}\d_/.-]+$/u.test(value)
    ? `${name}:${value}`
    : `${name}:"${String(value).replace(/["\\]/g, "\\$&")}"`;
