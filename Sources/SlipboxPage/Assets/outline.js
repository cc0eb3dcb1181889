// @ts-check
// The headings of a long text: each leads to its place.

import { button, el, later, replace } from "./dom.js";
import { headingsOf } from "./completion.js";
import { goToHeading, headingsIn } from "./markup.js";
import { caretAt } from "./sourceplace.js";
import { lineStart } from "./textmerge.js";

/** Fewer headings need no outline. */
const LEAST = 3;

export class Outline {
  /** `go(number)` shows the heading of that number. */
  constructor(go) {
    this.go = go;
    this.list = el("ol", {});
    this.node = el(
      "nav",
      { class: "outline", "aria-label": "Outline", hidden: true },
      el("h2", { text: "Outline" }),
      this.list,
    );
    this.mark = later(60, () => this.markNow());
  }

  /** `view` has the formatted text; `text` is its Markdown. */
  show(text, view) {
    this.view = view;
    const headings = headingsOf(text);
    this.node.hidden = headings.length < LEAST;
    const highest = Math.min(...headings.map(({ level }) => level));
    const signature = JSON.stringify(headings.map(({ text: one, level }) => [one, level]));
    if (signature === this.signature) return this.mark();
    this.signature = signature;
    const plain = (one) =>
      one.replace(/\[\[(?:[^\]|]*\|)?([^\]]*)\]\]/g, "$1").replace(/[*`]|\[([^\]]*)\]\([^)]*\)/g, "$1");
    replace(
      this.list,
      headings.map(({ text: one, level }, number) =>
        el(
          "li",
          { class: `level-${Math.min(3, level - highest)}` },
          button(plain(one), () => this.go(number), { class: "link" }),
        ),
      ),
    );
    return this.mark();
  }

  /** Marks the heading whose part is at the top of the pane. */
  markNow() {
    if (this.node.hidden || !this.view?.isConnected || this.view.hidden) return;
    const top = this.view.closest(".detail").getBoundingClientRect().top + 40;
    const headings = headingsIn(this.view);
    const here = Math.max(
      0,
      headings.findLastIndex((heading) => heading.getBoundingClientRect().top <= top),
    );
    [...this.list.querySelectorAll("button")].forEach((node, number) =>
      number === here ? node.setAttribute("aria-current", "true") : node.removeAttribute("aria-current"),
    );
  }
}

/** Scrolls to the heading of a number, in the formatted text of a body or in its Markdown. */
export function showHeading(body, number) {
  const text = body.area.value;
  const headings = headingsOf(text);
  if (body.writing) return body.writeAt(caretAt(text, lineStart(text, headings[number].line)));
  const shown = headingsIn(body.view);
  // Headings that only one of the two forms has shift the numbers.
  const heading =
    shown.length === headings.length
      ? shown[number]
      : shown.find((one) => one.textContent.trim() === headings[number]?.text);
  return heading && goToHeading(heading);
}

/** The parts of the open note that the palette finds: the choices of its conflicts, headings and links. */
export function partsOf({ answer, isReading, content, body }) {
  if (!answer || isReading) return [];
  const part = (node, detail, run = () => node.click()) => ({
    text: node.textContent.trim(),
    also: detail,
    detail,
    mark: "§",
    run,
  });
  const parts = (selector, detail) =>
    [...content.querySelectorAll(selector)].map((node) => part(node, detail));
  return [
    ...parts(".conflict button", "conflict of the note"),
    ...headingsIn(body.view).map((node, number) => part(node, "heading", () => showHeading(body, number))),
    ...parts(".markup a:not(.tag-link)", "link in the note"),
    ...parts(".backlinks button", "links to the note"),
  ].filter(({ text }) => text);
}
