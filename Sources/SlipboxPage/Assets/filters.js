// @ts-check
// Filters of one's own: what the list shows now, kept under a name.

import { post } from "./api.js";
import { state, emit, readOnly } from "./store.js";
import { choose } from "./chooser.js";
import { go } from "./address.js";
import { say, sayError } from "./messages.js";
import { once } from "./turns.js";
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

const write = (name, query, then) =>
  once(`filter ${name}`, async () => {
    try {
      const answer = await post("filter", { name, query });
      say(doneText(answer.subject), undoOf(answer));
      emit("changed");
      then();
    } catch (error) {
      sayError(error);
    }
  });

/** Asks for a name and keeps the present query under it. */
export function saveFilter() {
  const { query } = state.place;
  const keep = (name) =>
    write(name, query, () => go({ view: "notes", query: `@${name}` }, { replace: true }));
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

/** Gives the filter that the list shows another name. */
export function renameFilter() {
  const filter = droppable();
  if (!filter) return null;
  const rename = (name) =>
    write(name, filter.query, () => {
      go({ view: "notes", query: `@${name}` }, { replace: true });
      if (name !== filter.name) write(filter.name, null, () => {});
    });
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

export function dropFilter() {
  const filter = droppable();
  if (filter) write(filter.name, null, () => go({ view: "notes", query: filter.query }, { replace: true }));
}
