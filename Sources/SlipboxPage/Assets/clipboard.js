// @ts-check
// Copying: a text, and the link to a note.

import { say } from "./messages.js";
import { linkText } from "./linking.js";
import { refOf } from "./store.js";
import { titlesLike } from "./api.js";

export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    say(`Copied: ${text}`);
  } catch {
    say(`The browser does not let the page copy: ${text}`, { error: true });
  }
}

/** Copies the link to a note as it is written in a text. */
export async function copyLink(/** @type {Note} */ { title, ...note }) {
  const { notes } = await titlesLike(title ?? "", 50);
  return copy(linkText({ ref: refOf(note), title }, notes));
}
