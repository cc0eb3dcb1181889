// @ts-check
// Names beside each other: the places of notes with the same title, and the keys of filters.

const fold = (text) => text.normalize("NFC").toLowerCase().trim();
const folderOf = (path) => path.slice(0, path.lastIndexOf("/") + 1);

/**
 * What tells each note of a list from those with the same title: its folder, else the path of its file; empty
 * for a title that only one note has.
 * @param {{ title?: string | null, path?: string }[]} notes
 * @returns {string[]}
 */
export function placesOf(notes) {
  const alike = new Map();
  for (const note of notes) {
    const title = fold(note.title ?? "");
    alike.set(title, [...(alike.get(title) ?? []), folderOf(note.path ?? "")]);
  }
  return notes.map(({ title, path = "" }) => {
    const folders = alike.get(fold(title ?? ""));
    if (folders.length === 1) return "";
    const folder = folderOf(path);
    if (folders.filter((one) => one === folder).length > 1) return path;
    return folder || "no folder";
  });
}

/** The letters behind `g` that open filters: the first of each name that is not taken, else null. */
export function filterLetters(names, keys) {
  const taken = new Set(keys.filter((key) => key.startsWith("g ")).map((key) => key.slice(2)));
  return names.map((name) => {
    const letter = [...name].find((one) => /[a-z]/.test(one) && !taken.has(one)) ?? null;
    if (letter) taken.add(letter);
    return letter;
  });
}

/** Texts as sentences: all but the first begin with a capital letter. */
export const sentences = (/** @type {string[]} */ [first, ...others]) =>
  [first, ...others.map((text) => text.charAt(0).toUpperCase() + text.slice(1))].join(". ");
