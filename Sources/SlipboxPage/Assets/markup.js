// @ts-check
// The body's HTML, rebuilt: it is parsed in a document without scripts, walked, and only what is listed here
// is made anew.

import { el } from "./dom.js";
import { fileAddress } from "./api.js";
import { go } from "./address.js";
import { tagTerm } from "./kinds.js";
import { format } from "./place.js";

const ELEMENTS = new Set(
  (
    "a b blockquote br caption code dd del details div dl dt em h1 h2 h3 h4 h5 h6 hr i img input ins kbd " +
    "li mark ol p pre q s section small span strong sub summary sup table tbody td tfoot th thead tr u ul"
  ).split(" "),
);
const DROPPED = new Set(
  (
    "script style template iframe object embed svg form textarea select button link meta base title " +
    "noscript"
  ).split(" "),
);
const MATH = "http://www.w3.org/1998/Math/MathML";
/** Elements of MathML; none of them leads anywhere or fetches anything. */
const MATH_ELEMENTS = new Set(
  (
    "math menclose mfrac mi mlabeledtr mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow " +
    "ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover semantics"
  ).split(" "),
);
const MATH_ATTRIBUTES = new Set(
  (
    "accent accentunder columnalign columnlines columnspacing depth display displaystyle fence form height " +
    "largeop linethickness lspace mathcolor mathvariant maxsize minsize movablelimits notation rowalign " +
    "rowlines rowspacing rspace scriptlevel separator stretchy symmetric voffset width"
  ).split(" "),
);
const SCHEMES = new Set(["http:", "https:", "mailto:"]);
/** Elements whose text decides its direction, and with it the side of bullets and bars. */
const BLOCKS = new Set("blockquote dd dl dt li ol p table td th ul".split(" "));
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
/**
 * The direction of the first letter; `dir=auto` on a list would pass over items that have one of their own.
 */
const directionOf = (node) =>
  RIGHT_TO_LEFT.test(/\p{L}/u.exec(node.textContent)?.[0] ?? "") ? "rtl" : "ltr";
/** Classes of callouts, math and embedded notes. */
const CLASSES = ["callout", "callout-title", "math", "display", "embed", "embed-title"];
/** Classes of cells, as the server writes them, and those of the page. */
const ALIGN = { right: "align-right", centre: "align-center" };
const SIZE = /^[1-9]\d{0,3}$/;

const policy = globalThis.trustedTypes?.createPolicy("slip-markup", { createHTML: (text) => text });

/** The body of a document of its own, which runs no script and fetches nothing. */
export function parsed(html) {
  return new DOMParser().parseFromString(policy ? policy.createHTML(html) : html, "text/html").body;
}

function safeAddress(text) {
  try {
    return SCHEMES.has(new URL(text).protocol) ? text : null;
  } catch {
    return null;
  }
}

/** A tag lists the notes that have it. */
function tagLink(/** @type {string} */ tag) {
  const query = tagTerm(tag);
  return el("a", {
    href: format({ view: "notes", query, ref: null, at: null }),
    class: "tag-link",
    title: `Filter by #${tag}`,
    on: {
      click: (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        go({ view: "notes", query, ref: null });
      },
    },
  });
}

function link(from, actions) {
  if (from.classList.contains("tag")) return tagLink(from.textContent.replace(/^#/, ""));
  const { note, part, state, missing, missingFile, file } = from.dataset;
  if (note !== undefined) {
    return el("a", {
      href: `#/note/${encodeURIComponent(note)}`,
      class: "note-link",
      data: { ref: note, ...(part !== undefined && { part }), ...(state !== undefined && { state }) },
      on: {
        click: (event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          actions.open(note, part);
        },
      },
    });
  }
  if (missing !== undefined) {
    return el("a", {
      href: "#",
      class: "missing",
      title: `Make “${missing}”`,
      on: {
        click: (event) => {
          event.preventDefault();
          if (event.detail < 2) actions.make(missing);
        },
      },
    });
  }
  if (missingFile !== undefined)
    return el("span", { class: "missing missing-file", text: `Missing file: ${missingFile}` });
  if (file !== undefined)
    return el("a", {
      href: "#",
      class: "file-link",
      title: file,
      on: {
        click: (event) => {
          event.preventDefault();
          actions.file(file);
        },
      },
    });
  const anchor = /^#((?:fn|ref):[\d-]+)$/.exec(from.getAttribute("href") ?? "")?.[1];
  if (anchor)
    return el("a", {
      href: "#",
      data: { anchor: from.id },
      "aria-label": from.getAttribute("aria-label"),
      on: {
        click: (event) => {
          event.preventDefault();
          toAnchor(event.currentTarget, anchor);
        },
      },
    });
  const address = safeAddress(from.getAttribute("href") ?? "");
  return address ? el("a", { href: address, target: "_blank", rel: "noopener noreferrer" }) : el("span");
}

/** Goes to a footnote, and back. */
function toAnchor(link, anchor) {
  const target = link.closest(".markup")?.querySelector(`[data-anchor="${anchor}"]`);
  target?.scrollIntoView({ block: "center" });
  (target?.matches("a") ? target : target?.querySelector("a"))?.focus({ preventScroll: true });
}

function image(from, made) {
  const alt = from.getAttribute("alt") ?? "";
  const node = el("img", { alt, class: "attachment", data: { state: "waiting" } });
  for (const side of ["width", "height"])
    if (SIZE.test(from.getAttribute(side) ?? "")) node[side] = Number(from.getAttribute(side));
  const path = from.dataset.file;
  if (!path) return el("span", { class: "muted", text: alt || "image" });
  fileAddress(path)
    .then(({ address, type }) => {
      made.push(address);
      if (/^image\/(png|jpeg|gif|webp)/.test(type)) node.src = address;
      else node.replaceWith(el("span", { class: "muted", text: alt || path }));
    })
    .catch(() =>
      node.replaceWith(el("span", { class: "missing missing-file", text: `Missing file: ${path}` })),
    );
  return node;
}

/**
 * The check box of a list item; `data-line` is its line in the text, `data-task` its sign if that is neither
 * a blank nor `x`.
 */
function box(from, { tick }) {
  const { line, task } = from.dataset;
  const isFixed = !line || !tick;
  const text = from.parentElement.textContent.trim().slice(0, 100) || "empty";
  const node = el("input", {
    type: "checkbox",
    checked: from.checked,
    disabled: isFixed,
    "aria-label": task ? `${text} (${task})` : text,
    title: task && `Marked ${task}`,
    data: { ...(line && { line }), ...(task && { task }) },
  });
  // Copied HTML has the attribute alone.
  node.defaultChecked = from.checked;
  node.addEventListener("change", () => {
    tick?.(node, Number(line));
    node.defaultChecked = node.checked;
    if (node.checked) delete node.dataset.task;
  });
  return node;
}

/** A finger that taps the text of an item ticks its box. */
function tickByText(event) {
  const item = event.currentTarget;
  if (event.pointerType !== "touch" || event.target.closest("a, button, input, summary, li") !== item) return;
  item.querySelector(":scope > input[type=checkbox], :scope > p > input[type=checkbox]")?.click();
}

/** A formula with its known elements and attributes; what another element holds is left out. */
function formula(from, level) {
  if (from.nodeType === Node.TEXT_NODE) return document.createTextNode(from.data);
  if (from.namespaceURI !== MATH || !MATH_ELEMENTS.has(from.localName) || level > 200) return null;
  const node = document.createElementNS(MATH, from.localName);
  for (const { name, value } of from.attributes)
    if (MATH_ATTRIBUTES.has(name)) node.setAttribute(name, value);
  node.append(...[...from.childNodes].map((child) => formula(child, level + 1)).filter(Boolean));
  return node;
}

function rebuilt(from, actions, made, level) {
  if (from.nodeType === Node.TEXT_NODE) return document.createTextNode(from.data);
  if (from.nodeType !== Node.ELEMENT_NODE || level > 200) return null;
  const name = from.localName;
  if (name === "math") return formula(from, level);
  if (DROPPED.has(name) || from.namespaceURI !== "http://www.w3.org/1999/xhtml") return null;
  let node;
  if (!ELEMENTS.has(name)) node = document.createDocumentFragment();
  else if (name === "a") node = link(from, actions);
  else if (name === "img") return image(from, made);
  else if (name === "input") return from.type === "checkbox" ? box(from, actions) : null;
  // The title of the note is the page's heading: headings of its text come below it.
  else if (/^h[1-6]$/.test(name))
    node = el(`h${Math.min(6, Number(name[1]) + 2)}`, { class: `size-${name[1]}`, dir: directionOf(from) });
  else {
    node = el(name, BLOCKS.has(name) ? { dir: directionOf(from) } : {});
    if ((name === "td" || name === "th") && Object.hasOwn(ALIGN, from.className))
      node.classList.add(ALIGN[from.className]);
    if (name === "ol" && /^\d{1,9}$/.test(from.getAttribute("start") ?? ""))
      node.setAttribute("start", from.getAttribute("start"));
    if (
      name === "li" &&
      from.querySelector(":scope > input[type=checkbox], :scope > p > input[type=checkbox]")
    ) {
      node.classList.add("task-item");
      node.addEventListener("click", tickByText);
    }
    if (name === "pre" || name === "table") node.tabIndex = 0;
  }
  // The language of code goes with what is copied.
  const language = name === "code" && /(?:^| )(language-[\w+#-]+)(?: |$)/.exec(from.className)?.[1];
  if (language) node.classList.add(language);
  for (const kept of CLASSES) if (from.classList.contains(kept)) node.classList.add(kept);
  if (name === "details" && from.open) node.open = true;
  if (from.dataset.missingFile !== undefined) return node;
  for (const child of from.childNodes) {
    const copy = rebuilt(child, actions, made, level + 1);
    if (copy) node.append(copy);
  }
  if (name === "li" && /^fn:[\d-]+$/.test(from.id)) node.dataset.anchor = from.id;
  return node;
}

/** Scrolls to a heading; it has the focus, so that Tab goes on from there, and nothing else is marked. */
export function goToHeading(/** @type {HTMLElement} */ heading) {
  document.getSelection()?.removeAllRanges();
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
  heading.scrollIntoView({ block: "start" });
}

/** The headings of a formatted text, in their order; those of embedded notes are none of it. */
export const headingsIn = (view) =>
  [...view.querySelectorAll("h3, h4, h5, h6")].filter((heading) => !heading.closest(".embed"));

/**
 * Writes a body into `target`. `actions`: `open(ref)`, `make(title)`, `file(path)`, `tick(box, line)`.
 * Returns what frees the pictures.
 */
export function showMarkup(target, html, actions) {
  const made = [];
  target.replaceChildren(
    ...[...parsed(html).childNodes].map((node) => rebuilt(node, actions, made, 0)).filter(Boolean),
  );
  return () => made.splice(0).forEach((address) => URL.revokeObjectURL(address));
}
