// @ts-check
// Links in the values of fields: to notes, files and addresses.

import { own } from "./store.js";

const ADDRESS = /https?:\/\/[^\s<>"'\])}]*[^\s<>"'\])}.,;:!?]/g;

/** The text that a value shows for a link: `[[target|text]]` or `[text](target)`; null if it has none. */
function labelOf(value, target) {
  const wiki = value.indexOf(`[[${target}|`);
  if (wiki >= 0) return /^([^\]]+)\]\]/.exec(value.slice(wiki + target.length + 3))?.[1].trim() || null;
  const end = value.indexOf(`](${target}`);
  const begin = value.lastIndexOf("[", end);
  return end > 0 && begin >= 0 ? value.slice(begin + 1, end).trim() || null : null;
}

/**
 * The links in the value of a field, in their order: each has a `text`, and a `ref` with the `part` of that
 * note, a `file`, an `address`, or the title of a note that is `missing`.
 */
export function linksIn(note, name) {
  const values = [own(note.fields, name)].flat(2).filter((value) => typeof value === "string");
  const found = (note.links ?? [])
    .filter(({ field }) => field === name)
    .map(({ target, form, id, path, title, dangling }) => {
      const [, bare, part] = /^([^#]*)(?:#(.*))?$/s.exec(target) ?? [];
      const label = values.map((value) => labelOf(value, target)).find(Boolean);
      if (title !== undefined) return { text: label ?? (title || "Untitled"), ref: id ?? path, part };
      if (dangling) return form === "path" ? null : { text: label ?? target, missing: bare };
      return path === undefined ? null : { text: label ?? target, file: path };
    })
    .filter(Boolean);
  const addresses = values.flatMap((value) => value.match(ADDRESS) ?? []);
  return [...found, ...[...new Set(addresses)].map((address) => ({ text: address, address }))];
}
