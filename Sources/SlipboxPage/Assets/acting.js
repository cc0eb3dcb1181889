// @ts-check
// The choosers of the actions that ask for a value.

import { state } from "./store.js";
import { targets } from "./meant.js";
import { dayAction, actionsFor, kindOf, labelOf, fieldOf, valueOf } from "./kinds.js";
import { aboutOf, chooseFor, chooseTags, sample, undeclaredIn } from "./choices.js";
import { choose } from "./chooser.js";
import { change, act } from "./writes.js";
import { say } from "./messages.js";

export function runAction(app, name) {
  const notes = targets(app);
  if (notes.length) act(name, notes, app.list.total);
}

/** Asks for the value of one field of the kind; a yes-or-no field of one note is turned at once. */
export function setField(app, pick, word) {
  const notes = targets(app);
  const [first] = sample(notes);
  if (!first) return;
  const kind = kindOf(first);
  const field = pick(kind);
  if (!field) {
    say(`${aboutOf(notes, app.list.total)}: the kind ${kind.name} has no ${word}`);
    return;
  }
  const write = (changes) => change(notes, changes, app.list.total);
  if (field.type === "boolean" && notes.length === 1) {
    const now = valueOf(first, field);
    write([{ field: field.name, value: String(!(now === true || now === "true")) }]);
  } else chooseFor(sample(notes), field.name, write, aboutOf(notes, app.list.total));
}

/** Asks for a field, then for its value. */
export function chooseField(app) {
  const notes = targets(app);
  const [first] = sample(notes);
  const about = aboutOf(notes, app.list.total);
  const write = (changes) => change(notes, changes, app.list.total);
  const { fields } = kindOf(first);
  const known = fields.filter((field) => field.name !== "created");
  const others = undeclaredIn(sample(notes)).map((name) => ({ name, comment: "" }));
  const set = (name) => () => chooseFor(sample(notes), name, write, about);
  // A field that no kind declares is one that a note has, or one that is typed.
  const added = (text) => {
    const name = text.trim().toLowerCase().replace(/\s+/g, "-");
    const isName = /^\p{L}[\p{L}\p{N}_-]*$/u.test(name) && !fields.some((field) => field.name === name);
    return isName && !["body", "conflicts", "id", "kind", "modified", "path"].includes(name)
      ? { text: `New field “${name}”`, run: set(name) }
      : null;
  };
  choose({
    title: "Field",
    about,
    items: [...known, ...others].map(({ name, comment }) => ({
      text: labelOf(name),
      also: name,
      detail: comment,
      run: set(name),
    })),
    make: added,
  });
}

export function setTags(app) {
  const notes = targets(app);
  const write = (changes) => change(notes, changes, app.list.total);
  const { total } = app.list;
  chooseTags(sample(notes), write, aboutOf(notes, total), notes === "all" ? total : notes.length);
}

export function toggleDay(app) {
  const notes = targets(app);
  const [first] = sample(notes);
  const day = first && dayAction(kindOf(first));
  if (!day) {
    const about = aboutOf(notes, app.list.total);
    if (first) say(`${about}: records of the kind ${kindOf(first).name} can't be added to My Day`);
    return;
  }
  if (valueOf(first, fieldOf(kindOf(first), day.field)) === state.box.today)
    change(notes, [{ field: day.field, value: "" }], app.list.total);
  else act(day.action, notes, app.list.total);
}

/** Asks for an action of the kind. */
export function chooseAction(app) {
  const notes = targets(app);
  const [first] = sample(notes);
  if (!first) return;
  const names = notes.length === 1 ? actionsFor(first) : Object.keys(kindOf(first).actions ?? {});
  if (!names.length) {
    const about = aboutOf(notes, app.list.total);
    say(`${about}: the kind ${kindOf(first).name} has no actions`);
    return;
  }
  choose({
    title: "Actions",
    about: aboutOf(notes, app.list.total),
    items: names.map((name) => ({ text: labelOf(name), run: () => act(name, notes, app.list.total) })),
  });
}
