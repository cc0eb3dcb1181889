// @ts-check
// Files that notes link to.

import { el } from "./dom.js";
import { fileAddress } from "./api.js";
import { openDialog, sayError } from "./messages.js";

/** Milliseconds that a browser may need to save a file. */
const SAVING = 60000;

/** Shows a picture; another file is saved where the browser saves files. */
export async function openFile(path) {
  try {
    const { address, type } = await fileAddress(path);
    const name = path.split("/").pop();
    const free = () => setTimeout(() => URL.revokeObjectURL(address), SAVING);
    if (!/^image\/(png|jpeg|gif|webp)/.test(type)) {
      el("a", { href: address, download: name }).click();
      free();
      return;
    }
    const picture = () =>
      el("div", { class: "dialog-body" }, el("img", { src: address, alt: name, class: "attachment" }));
    openDialog(name, picture, { wide: true }).addEventListener("close", free);
  } catch (error) {
    sayError(error);
  }
}
