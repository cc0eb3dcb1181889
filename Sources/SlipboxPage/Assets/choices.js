// @ts-check
// Choosing a value for one note or for many: states, days, tags, references.

import { choose, fold, matching } from "./chooser.js";
import { placesOf } from "./names.js";
import { get, post } from "./api.js";
import { own, refOf, state } from "./store.js";
import { dayOf } from "./completion.js";
import { timeWrittenIn, writtenIn } from "./quickadd.js";
import {
  kindOf,
  fieldOf,
  isWritten,
  valueOf,
  labelOf,
  markOf,
  isStars,
  stateField,
  textOf,
  timeOf,
} from "./kinds.js";
import { starsText } from "./row.js";
import { long, short, timed, today } from "./dates.js";

/** The notes of a known kind that others are like: the one under the cursor if all are meant. */
export const sample = (/** @type {Notes} */ notes) =>
  notes === "all" ? [state.cursor].filter(Boolean) : notes;

/** The notes that a picker is about, as its heading names them. `notes`: a list, or "all" of `total`. */
export function aboutOf(notes, total) {
  if (notes === "all") return `${total.toLocaleString()} notes`;
  return notes.length === 1 ? notes[0].title || "Untitled" : `${notes.length.toLocaleString()} notes`;
}

const DAYS = ["today", "tomorrow", "monday", "next week", "next month"];

/** The patch of changes of one note, which is not written; or why the server refuses them. */
export async function previewOf(note, changes) {
  try {
    return await post("change", { notes: [{ ref: refOf(note) }], changes, preview: true });
  } catch (error) {
    return { fault: error.message };
  }
}

/** The day and the time that the server reads in a text, for the first of the notes; or why it is none. */
async function dayRead(note, field, text) {
  const { patch, fault } = await previewOf(note, [{ field: field.name, value: text }]);
  if (fault) return { fault };
  return { day: writtenIn(patch, field.name), time: timeWrittenIn(patch, field.name) };
}

/** The value after the present one; after the last one the first. */
function nextValue(values, now, field) {
  if (field.type === "boolean") return String(now !== "true");
  return values[(values.indexOf(now) + 1) % values.length];
}

/** The values of a choice, a boolean or stars; `notes` are of one kind. */
export function chooseValue(notes, field, change, about = aboutOf(notes)) {
  const kind = kindOf(notes[0]);
  const now = notes.length === 1 ? valueOf(notes[0], field) : undefined;
  const values =
    field.type === "boolean"
      ? ["true", "false"]
      : isStars(field)
        ? Array.from({ length: field.maximum }, (_, index) => String(index + 1))
        : (field.values ?? []);
  // One begins at the present value of one note, and at the next state of several.
  const isState = field === stateField(kind) && (notes.length > 1 || field.type === "boolean");
  const next = isState ? nextValue(values, String(valueOf(notes[0], field)), field) : null;
  const items = values.map((value, index) => ({
    text: isStars(field)
      ? starsText(Number(value), field)
      : field.type === "boolean"
        ? value === "true"
          ? "yes"
          : "no"
        : value,
    also: `${value} ${index + 1}`,
    chosen: now === undefined ? undefined : String(now) === value,
    isFirst: value === next,
    mark: markOf(kind, field.name, value) ?? undefined,
    run: () => change([{ field: field.name, value }]),
  }));
  if (!field.required && !field.default)
    items.push({ text: "none", run: () => change([{ field: field.name, value: "" }]) });
  return choose({ title: labelOf(field.name), about, items });
}

/** A date in words, or as it is written. `typed`: the text to begin with. */
export function chooseDate(notes, field, change, about = aboutOf(notes), typed = "") {
  const now = notes.length === 1 ? valueOf(notes[0], field) : null;
  // Another day leaves the time of day as it is.
  const clock = notes.length === 1 ? timeOf(notes[0], field.name) : "";
  const whole = (day, time = clock) => [long(day), time].filter(Boolean).join(" ");
  const set = (value) => () => change([{ field: field.name, value }]);
  const fixed = [
    ...(now ? [{ text: timed(now, clock), detail: whole(now), chosen: true, run: set(now) }] : []),
    ...DAYS.map((word) => ({ text: word, day: dayOf(word, today()) }))
      // The present value is listed above.
      .filter(({ text }) => !now || text !== short(now))
      .map(({ text, day }) => ({ text, detail: whole(day), run: set(text) })),
    { text: "no date", run: set("") },
  ];
  const items = async (typed) => {
    const found = matching(fixed, typed);
    if (!typed || found.some(({ text }) => fold(text) === fold(typed))) return found;
    const { day = now, time, fault } = await dayRead(notes[0], field, typed);
    const isOther = day !== now || (time && time !== clock);
    const own = {
      text: typed,
      detail: isOther ? whole(day, time || clock) : (fault ?? "the present value"),
      class: fault ? "refused" : undefined,
      disabled: Boolean(fault),
      run: set(typed),
    };
    return fault ? [...found, own] : [own, ...found];
  };
  return choose({
    title: now ? `${labelOf(field.name)} (now ${timed(now, clock)})` : labelOf(field.name),
    about,
    placeholder: "a day: friday, 3 dec, 2w, 2026-12-31",
    typed,
    items,
  });
}

/** Puts a value in or takes it out, and says so of `has` when that is written. */
async function turn(has, value, field, change) {
  const there = has.has(value);
  const answer = await change([{ field, [there ? "remove" : "add"]: value }]);
  if (!answer) return;
  if (there) has.delete(value);
  else has.add(value);
}

/** How many of the notes have each tag. */
export function tagCounts(notes) {
  const counts = new Map();
  for (const { tags } of notes)
    for (const tag of new Set(tags ?? [])) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return counts;
}

/**
 * Tags as a menu: those that are chosen ticked and first, the missing ones below a divider; what is typed may
 * be a new one. A tag of some of the notes has another sign: it is given to the rest, and then removed.
 * `total`: how many notes are meant, where `notes` are only those that are known.
 */
export function chooseTags(notes, change, about = aboutOf(notes), total = notes.length) {
  const counts = tagCounts(notes);
  const has = new Set([...counts].filter(([, count]) => count === total).map(([tag]) => tag));
  const some = new Set([...counts.keys()].filter((tag) => !has.has(tag)));
  const first = new Set(counts.keys());
  const turnTag = async (tag) => {
    const isDone = has.has(tag);
    await turn(has, tag, "tags", change);
    if (has.has(tag) !== isDone) some.delete(tag);
  };
  const numberOf = (tag) =>
    total === notes.length ? `${counts.get(tag)} of ${total.toLocaleString()}` : "some";
  const items = async (typed) => {
    const all = new Map((state.box?.tags ?? []).map((tag) => [tag.tag, tag]));
    const chosen = [...first].sort((a, b) => a.localeCompare(b));
    const missing = [...new Set([...all.keys(), ...has])].filter((tag) => !first.has(tag));
    const item = (tag, divide) => ({
      text: tag,
      chosen: some.has(tag) ? "some" : has.has(tag),
      class: divide ? "divided" : undefined,
      detail: some.has(tag) ? numberOf(tag) : all.get(tag) ? String(all.get(tag).active) : undefined,
      run: () => turnTag(tag),
    });
    return matching(
      [
        ...chosen.map((tag) => item(tag)),
        ...missing.map((tag, index) => item(tag, index === 0 && chosen.length > 0)),
      ],
      typed,
    );
  };
  return choose({
    title: "Tags",
    about,
    placeholder: "Find a tag, or type a new one",
    items,
    // A change of several notes is shown first: with that, it is done.
    many: total === 1,
    make: (text) => ({
      text: `New tag “${text}”`,
      run: async () => {
        const tag = text.replace(/^#/, "");
        if (!has.has(tag)) await turnTag(tag);
        // It is listed first, with the tags that the notes had.
        if (has.has(tag)) first.add(tag);
      },
    }),
  });
}

/** A record by its title; the field holds the name that its kind goes by. */
export function chooseReference(note, field, change) {
  const value = valueOf(note, field);
  const has = new Set(Array.isArray(value) ? value : value ? [value] : []);
  const first = [...has];
  const items = async (typed) => {
    const answer = await get("titles", { q: typed, kind: field.target ?? "", limit: 30, fit: "text" });
    // A record does not refer to itself.
    const others = answer.notes.filter(({ ref }) => ref !== refOf(note));
    const places = placesOf(others);
    const found = others.map(({ ref, name, title, kind }, index) => {
      const known = name ?? ref;
      const held = [known, ref].find((one) => has.has(one));
      return {
        names: [known, ref],
        text: title || "Untitled",
        detail: [places[index], field.target ? "" : kind].filter(Boolean).join(" · "),
        chosen: held !== undefined,
        run: () =>
          field.list
            ? turn(has, held ?? known, field.name, change)
            : change([{ field: field.name, value: known }]),
      };
    });
    if (typed) return found;
    // What is held and not found, or found nowhere any more, can be taken out too.
    const unlisted = first.filter((one) => !found.some(({ names }) => names.includes(one)));
    if (field.list)
      return [
        ...unlisted.map((one) => ({
          text: one,
          chosen: has.has(one),
          run: () => turn(has, one, field.name, change),
        })),
        ...found,
      ];
    return has.size
      ? [{ text: "none", run: () => change([{ field: field.name, value: "" }]) }, ...found]
      : found;
  };
  return choose({
    title: labelOf(field.name),
    placeholder: `Find the ${field.target ?? "note"} by its title`,
    about: aboutOf([note]),
    items,
    many: Boolean(field.list),
  });
}

/** The values of a list: those that it has ticked; what is typed is a new one. The text is taken as it is. */
export function chooseList(note, field, change) {
  const now = valueOf(note, field);
  const has = new Set((Array.isArray(now) ? now : now ? [now] : []).map(String));
  const all = new Set([...has, ...(field.values ?? [])]);
  const item = (value) => ({
    text: value,
    chosen: has.has(value),
    run: () => turn(has, value, field.name, change),
  });
  return choose({
    title: labelOf(field.name),
    about: aboutOf([note]),
    placeholder: "Type a new value, or choose one to remove it",
    many: true,
    items: async (typed) => matching([...all].map(item), typed),
    make: (text) => ({
      text: `Add “${text}”`,
      run: async () => {
        await turn(has, text, field.name, change);
        if (has.has(text)) all.add(text);
      },
    }),
  });
}

/** A field of a note: as the kind declares it, else as its value is written. */
function fieldIn(note, name) {
  const value = own(note.fields, name);
  return fieldOf(kindOf(note), name) ?? { name, type: "text", list: Array.isArray(value) };
}

/** The names of the fields that notes have besides those of their kind; values with parts are left out. */
export const undeclaredIn = (notes) => {
  const names = notes.flatMap((note) =>
    Object.entries(note.fields ?? {})
      .filter(([name]) => name !== "conflicts" && !fieldOf(kindOf(note), name))
      .filter(([, value]) => [value].flat().every((one) => typeof one !== "object"))
      .map(([name]) => name),
  );
  return [...new Set(names)];
};

/** Whichever editor fits the field. */
export function chooseFor(notes, name, change, about = aboutOf(notes)) {
  const field = fieldIn(notes[0], name);
  if (field.type === "tags") return chooseTags(notes, change, about);
  if (field.type === "date") return chooseDate(notes, field, change, about);
  if (field.type === "reference") return chooseReference(notes[0], field, change);
  if (field.list) return chooseList(notes[0], field, change);
  if (field.type === "choice" || field.type === "boolean" || isStars(field))
    return chooseValue(notes, field, change, about);
  return choose({
    title: labelOf(name),
    about,
    placeholder: textOf(field, valueOf(notes[0], field)),
    items: isWritten(notes[0], field)
      ? [{ text: "none", run: () => change([{ field: name, value: "" }]) }]
      : [],
    make: (text) => ({ text, run: () => change([{ field: name, value: text }]) }),
  });
}
