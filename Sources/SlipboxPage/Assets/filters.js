// @ts-check
// Filters of one's own: what the list shows now, kept under a name.

import { post } from "./api.js";
import { state, emit, on, readOnly } from "./store.js";
import { choose } from "./chooser.js";
import { go } from "./address.js";
import { say, sayError } from "./messages.js";
import { once } from "./turns.js";
import { folderTerm, tagTerm, viewNamed } from "./kinds.js";
import { undoOf } from "./past.js";
import { doneText } from "./summary.js";

/** A name as filters have it: one word. */
const nameOf = (text) =>
  text
    .trim()
    .toLowerCase()
    .replace(/^@/, "")
    .replace(/[^\p{L}\p{N}_-]+/gu, "-")
    .replace(/^-+|-+$/g, "");
const own = () => (state.box?.filters ?? []).filter((filter) => filter.own);

/** A query that no filter is already. */
export function canSaveFilter() {
  const { view, query } = state.place;
  return (
    view === "notes" &&
    query !== "" &&
    !readOnly() &&
    !state.box?.brief &&
    !/^@\S+$/.test(query) &&
    !state.box.filters.some((filter) => filter.query === query)
  );
}

/** What was shown before a name was given or changed, and since. @type {[any, any][]} */
const renamed = [];

/** Remembers a name that was given here: its undo leads back to what was shown before, and its redo there. */
export const rememberName = (before, after) => renamed.push([before, after]);

/** Whether a place that was remembered has notes; a query that names nothing always has. */
function isThere({ view, name, query }) {
  const { filters = [], tags = [], folders = [] } = state.box;
  if (view === "view") return Boolean(viewNamed(name));
  const filter = /^@(\S+)$/.exec(query)?.[1];
  if (filter) return filters.some((one) => one.name === filter);
  const terms = [...tags.map(({ tag }) => tagTerm(tag)), ...folders.map(({ folder }) => folderTerm(folder))];
  return !/^(\+|path:|tags:)/.test(query) || terms.includes(query);
}

/** Goes to the other name of what is shown, if its own is gone. */
function followNames() {
  if (state.box.brief) return;
  const { view, name, query } = state.place;
  const isShown = (place) =>
    place.view === view && (view === "view" ? place.name === name : place.query === query);
  for (const [before, after] of [...renamed].reverse())
    for (const [gone, there] of [[after, before], [before, after]])
      if (isShown(gone) && !isThere(gone) && isThere(there))
        return go({ query: "", ...there }, { replace: true });
}
on("box", followNames);

/** Writes a filter: its query, or null to remove it; `from`: the name that it had. */
const write = ({ name, query, from = undefined }, then = () => {}) =>
  once(`filter ${name}`, async () => {
    try {
      const answer = await post("filter", { name, query, from });
      say(doneText(answer.subject), undoOf(answer));
      emit("changed");
      then();
    } catch (error) {
      sayError(error);
    }
  });

/** Shows a filter by its name, if the list shows the filter of a name now. */
function follow(name, to) {
  const before = { view: "notes", query: `@${name}` };
  const after = { view: "notes", query: to };
  if (state.place.view !== "notes" || state.place.query !== before.query) return;
  rememberName(before, after);
  go(after, { replace: true });
}

/** Asks for a name and keeps the present query under it. */
export function saveFilter() {
  const { query } = state.place;
  const keep = (name) =>
    write({ name, query }, () => {
      const after = { view: "notes", query: `@${name}` };
      rememberName({ view: "notes", query }, after);
      go(after, { replace: true });
    });
  return choose({
    title: "Save this filter",
    placeholder: "A name, such as urgent",
    typed: nameOf(query.replace(/(^|\s)(kind|is):/g, " ")),
    isProposal: true,
    items: own().map((filter) => ({
      text: filter.name,
      detail: `in place of ${filter.query}`,
      run: () => keep(filter.name),
    })),
    make: (text) =>
      nameOf(text)
        ? { text: `Save as “${nameOf(text)}”`, detail: query, run: () => keep(nameOf(text)) }
        : null,
  });
}

/** The filter of one's own that the list shows. */
export function droppable() {
  const name = state.place.view === "notes" && !readOnly() ? /^@(\S+)$/.exec(state.place.query)?.[1] : null;
  return name ? (own().find((filter) => filter.name === name) ?? null) : null;
}

/** The filter of one's own that is shown: that of the list, or one that the query of the view names. */
export function shownFilter() {
  if (state.place.view !== "view" || readOnly()) return droppable();
  const words = (viewNamed(state.place.name)?.query ?? "").split(/[\s()]+/);
  return own().find(({ name }) => words.includes(`@${name}`)) ?? null;
}

/** Gives a filter another name. */
export function renameFilter(filter = shownFilter()) {
  if (!filter) return null;
  const rename = (name) =>
    write({ name, query: filter.query, from: filter.name }, () => follow(filter.name, `@${name}`));
  return choose({
    title: `Rename the filter ${filter.name}`,
    placeholder: "A new name",
    typed: filter.name,
    isProposal: true,
    items: [],
    make: (text) =>
      nameOf(text) && nameOf(text) !== filter.name
        ? { text: `Rename to “${nameOf(text)}”`, run: () => rename(nameOf(text)) }
        : null,
  });
}

/** Gives a filter another query. */
export function changeFilter(filter = shownFilter()) {
  if (!filter) return null;
  const save = (query) => () => write({ name: filter.name, query });
  const { view, query: shown } = state.place;
  const isOther = view === "notes" && shown && shown !== filter.query && shown !== `@${filter.name}`;
  const listed = { text: shown, detail: "the query of the list", run: save(shown) };
  return choose({
    title: `Change the query of ${filter.name}`,
    placeholder: "A query, such as kind:task is:active",
    typed: filter.query,
    isProposal: true,
    items: (text) => (isOther && (!text || text === filter.query) ? [listed] : []),
    make: (text) => (text === filter.query ? null : { text: `Save “${text}”`, run: save(text) }),
  });
}

export function dropFilter(filter = droppable()) {
  if (filter) write({ name: filter.name, query: null }, () => follow(filter.name, filter.query));
}

/** Asks what is to be done to a filter. */
export const editFilter = (filter) =>
  choose({
    title: "Filter",
    about: filter.name,
    items: [
      { text: "Rename…", run: () => renameFilter(filter) },
      { text: "Change the query…", detail: filter.query, run: () => changeFilter(filter) },
      { text: "Remove", run: () => dropFilter(filter) },
    ],
  });
