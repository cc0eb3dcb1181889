// @ts-check
// HTML as Markdown. The nodes of a parsed document are only read: none of them gets into the page.

import { addressOf, codeOf, fenced, paragraphsOf, targetOf } from "./inlinemarkdown.js";

/** Elements whose content nobody reads. */
const DROPPED = new Set(
  (
    "applet area audio base button canvas datalist dialog embed frame frameset head iframe input link map " +
    "meta noembed noframes noscript object option param progress script select style svg template textarea " +
    "title track video"
  ).split(" "),
);
const BLOCKS = new Set(
  (
    "address article aside blockquote body caption center dd details dir div dl dt fieldset figcaption " +
    "figure footer form header hgroup html legend li main menu nav ol p section summary table tbody td " +
    "tfoot th thead tr ul"
  ).split(" "),
);
/** Elements that editors and terminals colour plain text with. */
const WRAPPERS = new Set("body br div font head html meta pre span style title".split(" "));
const CODE = new Set("code kbd samp tt".split(" "));
/** Elements that Markdown has no sign for and the page shows. */
const KEPT = new Set(["sub", "sup"]);
const FORMULAS = new Set(["katex"]);
const DISPLAYS = new Set(["katex-display"]);
/** Cells of tables that show code line by line: of numbers, and of code. */
const NUMBER_CELLS = new Set("blob-num gutter hljs-ln-numbers linenos lineno rouge-gutter".split(" "));
const CODE_CELLS = new Set("blob-code hljs-ln-code rouge-code".split(" "));
const MARKED = {
  b: { bold: true },
  strong: { bold: true },
  i: { italic: true },
  em: { italic: true },
  cite: { italic: true },
  del: { strike: true },
  s: { strike: true },
  strike: { strike: true },
  mark: { mark: true },
};
/** Elements that are deeper are text. */
const DEEPEST = 120;
/** Lists and quotes that are deeper in one another are text. */
const MOST_LEVELS = 12;
const MOST_COLUMNS = 50;
const MOST_SPAN = 1000;
const ELEMENT = 1;
const TEXT = 3;

const attributeOf = (node, name) => node.getAttribute(name) ?? "";
const childrenOf = (node) => [...node.childNodes].filter(({ nodeType }) => nodeType === ELEMENT);
const isNamed = (node, ...names) => names.includes(node.localName);
/** A style is a short text; a long one is cut, since it is searched. */
const styleOf = (node) => attributeOf(node, "data-style").slice(0, 2000);
const isHidden = (node) =>
  node.getAttribute("hidden") !== null ||
  attributeOf(node, "aria-hidden") === "true" ||
  /display:\s*none/i.test(styleOf(node));
const hasClass = (node, classes) =>
  attributeOf(node, "class")
    .split(/\s+/)
    .some((one) => classes.has(one));

/** The text of an element with its line breaks, however deep it is. */
function textOf(root) {
  let out = "";
  const open = [root];
  while (open.length) {
    const node = open.pop();
    if (typeof node === "string") {
      if (!out.endsWith("\n")) out += node;
    } else if (node.nodeType === TEXT) out += node.data;
    else if (node.nodeType === ELEMENT && node.localName === "br") out += "\n";
    else if (node.nodeType === ELEMENT && !DROPPED.has(node.localName) && !isHidden(node)) {
      const isLine = node !== root && BLOCKS.has(node.localName);
      if (isLine && out) open.push("\n");
      for (const child of [...node.childNodes].reverse()) open.push(child);
      if (isLine && out && !out.endsWith("\n")) out += "\n";
    }
  }
  return out;
}

/**
 * HTML without style sheets, and with other names for styles and event handlers: browsers report those to
 * the console when they parse them, although nothing runs. `markdownOf` reads the styles by the new name.
 */
export const inertHTML = (/** @type {string} */ html) =>
  html
    .split(/<style\b/i)
    .map((part, index) => {
      const end = index ? part.search(/<\/style/i) : 0;
      return end < 0 ? "" : part.slice(end);
    })
    .join("")
    .replace(/<[a-z][^<>]*>/gi, (tag) => tag.replace(/([\s/"'])(style|on[a-z]+)(?=\s*=)/gi, "$1 data-$2"));

/** Whether HTML only colours a plain text, as that of an editor or a terminal does. */
export function isPlain(root) {
  const open = [root];
  while (open.length) {
    const node = open.pop();
    if (node.nodeType !== ELEMENT) continue;
    if (!WRAPPERS.has(node.localName)) return false;
    for (const child of node.childNodes) open.push(child);
  }
  return true;
}

/** A link to a note of this page, by the reference in its address; null for other links. */
function ownLinkOf(node, origin) {
  const href = attributeOf(node, "href");
  const path = origin && href.startsWith(`${origin}/`) ? href.slice(origin.length + 1) : href;
  if (!path.startsWith("#/")) return null;
  const text = textOf(node).trim();
  if (/(^| )tag-link( |$)/.test(attributeOf(node, "class")) && /^#[\p{L}\p{N}_/-]+$/u.test(text)) return text;
  try {
    const ref = decodeURIComponent(/^#\/note\/([^/@]+)$/.exec(path)?.[1] ?? "");
    const isWhole = [ref, text].every((part) => /^[^[\]|#<>\n\\]+$/.test(part));
    return isWhole ? `[[${ref}|${text}]]` : null;
  } catch {
    return null;
  }
}

/** The marks of an element beside those around it; `b` without weight, as of Google's editor, has none. */
function marksOf(node, marks) {
  const style = styleOf(node);
  const own = { ...(Object.hasOwn(MARKED, node.localName) ? MARKED[node.localName] : {}) };
  if (/font-weight:\s*(normal|[1-4]00)/i.test(style)) delete own.bold;
  if (/font-style:\s*normal/i.test(style)) delete own.italic;
  if (isNamed(node, "span", "font")) {
    if (/font-weight:\s*(bold|[6-9]00)/i.test(style)) own.bold = true;
    if (/font-style:\s*(italic|oblique)/i.test(style)) own.italic = true;
    if (/text-decoration(-line)?:[^;]*line-through/i.test(style)) own.strike = true;
  }
  return { ...marks, ...own };
}

/** Collects the blocks of an element, and the runs of the paragraph that is open. */
class Flow {
  /** `isOneLine`: the blocks are the text of one line with such line breaks, as in a heading or a cell. */
  constructor(options, { level = 0, isOneLine = false, isItem = false, lineBreak = " " } = {}) {
    this.options = options;
    this.level = level;
    this.isOneLine = isOneLine;
    this.isItem = isItem;
    this.lineBreak = lineBreak;
    /** @type {{ text: string, isList?: boolean }[]} */
    this.blocks = [];
    this.runs = [];
    /** Whether the item has a check box that is ticked; null without one. */
    this.isDone = null;
  }

  end() {
    if (this.isOneLine) return this.runs.push({ text: " ", marks: {} });
    for (const text of paragraphsOf(this.runs)) this.blocks.push({ text });
    this.runs = [];
    return undefined;
  }

  add(text, isList = false) {
    this.end();
    if (text) this.blocks.push({ text, isList });
  }

  /** The text of the flow. */
  text({ isTight = false } = {}) {
    const { isOneLine, lineBreak } = this;
    if (isOneLine) return paragraphsOf(this.runs, { isOneLine, lineBreak })[0] ?? "";
    this.end();
    return this.blocks.map(({ text }) => text).join(isTight ? "\n" : "\n\n");
  }

  inside(node, marks, depth, more = {}) {
    const flow = new Flow(this.options, { level: this.level, ...more });
    flow.walk(node, marks, depth);
    return flow;
  }

  walk(node, marks, depth) {
    for (const child of node.childNodes) this.take(child, marks, depth + 1);
  }

  take(node, marks, depth) {
    if (node.nodeType === TEXT) return this.runs.push({ text: node.data, marks });
    if (node.nodeType !== ELEMENT) return undefined;
    const name = node.localName;
    if (name === "input") return this.takeBox(node);
    if (DROPPED.has(name) || isHidden(node)) return undefined;
    if (name === "br") return this.runs.push({ isBreak: true, marks: {} });
    if (depth > DEEPEST) return this.runs.push({ text: textOf(node), marks });
    if (name === "img") return this.takeImage(node, marks);
    if (name === "a") return this.takeLink(node, marks, depth);
    if (hasClass(node, DISPLAYS)) return this.takeMath(node, marks, true);
    if (name === "math" || hasClass(node, FORMULAS)) return this.takeMath(node, marks);
    if (KEPT.has(name)) return this.takeKept(node, marks, depth);
    if (CODE.has(name)) return this.runs.push({ raw: codeOf(textOf(node)), marks });
    if (name === "pre" && !this.isOneLine) return this.add(fenceOf(node));
    if (name === "pre") return this.runs.push({ raw: codeOf(textOf(node)), marks });
    if (this.isOneLine && BLOCKS.has(name)) return this.takeBlock(node, marks, depth);
    if (/^h[1-6]$/.test(name)) return this.takeHeading(node, marks, depth);
    if (name === "hr") return this.isOneLine ? undefined : this.add("---");
    if (this.level < MOST_LEVELS) {
      if (isNamed(node, "ul", "ol", "menu", "dir")) return this.takeList(node, marks, depth);
      if (name === "blockquote") return this.takeQuote(node, marks, depth);
    }
    if (name === "table") return this.takeTable(node, marks, depth);
    if (BLOCKS.has(name)) return this.takeBlock(node, marks, depth);
    return this.walk(node, marksOf(node, marks), depth);
  }

  takeBlock(node, marks, depth) {
    this.end();
    this.walk(node, marks, depth);
    this.end();
  }

  /** The check box of an item, before its text. */
  takeBox(node) {
    const isFirst = !this.blocks.length && this.runs.every(({ text }) => text !== undefined && !text.trim());
    if (this.isItem && isFirst && /^checkbox$/i.test(attributeOf(node, "type")))
      this.isDone = node.getAttribute("checked") !== null;
  }

  takeImage(node, marks) {
    const alt = attributeOf(node, "alt").replace(/\s+/g, " ").trim();
    if (/^\p{Extended_Pictographic}\p{M}?$/u.test(alt)) return this.runs.push({ text: alt, marks });
    const address = addressOf(attributeOf(node, "src"), ["http:", "https:"]);
    // A picture of one pixel counts readers.
    const isPixel = ["width", "height"].some((side) => /^[01]$/.test(attributeOf(node, side)));
    if (!address || isPixel || address.startsWith(`${this.options.origin}/`)) return undefined;
    const text = alt.replace(/[\\[\]|]/g, "\\$&");
    return this.runs.push({ raw: `![${text}](${targetOf(address)})`, marks });
  }

  takeLink(node, marks, depth) {
    const own = ownLinkOf(node, this.options.origin);
    if (own) return this.runs.push({ raw: own, marks: { ...marks, link: undefined } });
    const address = addressOf(attributeOf(node, "href"));
    const isOwn = address?.startsWith(`${this.options.origin}/`);
    return this.walk(node, address && !isOwn ? { ...marks, link: address } : marks, depth);
  }

  /** An element of the text that keeps its tags. */
  takeKept(node, marks, depth) {
    const text = this.inside(node, {}, depth, { isOneLine: true }).text();
    if (text) this.runs.push({ raw: `<${node.localName}>${text}</${node.localName}>`, marks });
  }

  /** A formula, if its source is with it. */
  takeMath(node, marks, isDisplay = false) {
    const source = [...(node.querySelectorAll?.("annotation") ?? [])].find((one) =>
      /tex/i.test(attributeOf(one, "encoding")),
    );
    const text = source?.textContent.trim().replace(/\s+/g, " ") ?? "";
    const isFormula = text && !/[$`\\]$|\$/.test(text);
    if (isFormula && isDisplay && !this.isOneLine) return this.add(`$$${text}$$`);
    return this.runs.push(isFormula ? { raw: `$${text}$`, marks } : { text: textOf(node), marks });
  }

  takeHeading(node, marks, depth) {
    const flow = this.inside(node, marks, depth, { isOneLine: true });
    flow.runs = flow.runs.map((run) => ({ ...run, marks: { ...run.marks, bold: undefined } }));
    const text = flow.text();
    // Headings of a note that the page shows are two levels lower than in its text.
    const own = /(?:^| )size-([1-6])(?: |$)/.exec(attributeOf(node, "class"))?.[1];
    if (this.isOneLine) return this.runs.push({ raw: text, marks }, { text: " ", marks: {} });
    return this.add(text && `${"#".repeat(Number(own ?? node.localName[1]))} ${text}`);
  }

  takeQuote(node, marks, depth) {
    const text = this.inside(node, marks, depth, { level: this.level + 1 }).text();
    this.add(text && text.replace(/^(?=.)/gm, "> ").replace(/^$/gm, ">"));
  }

  takeList(node, marks, depth) {
    const start = /^\d{1,9}$/.exec(attributeOf(node, "start"))?.[0] ?? "1";
    const items = [];
    const options = { level: this.level + 1, isItem: true };
    for (const child of node.childNodes) {
      const isItem = child.nodeType === ELEMENT && isNamed(child, "li");
      // A list in a list, without an item, belongs to the item before it.
      const last = items.at(-1);
      if (!isItem && last) last.take(child, marks, depth + 1);
      else if (isItem) items.push(this.inside(child, marks, depth, options));
      else if (child.nodeType === ELEMENT) {
        const flow = new Flow(this.options, options);
        flow.take(child, marks, depth + 1);
        items.push(flow);
      }
      if (isItem && attributeOf(child, "role") === "checkbox")
        items.at(-1).isDone = attributeOf(child, "aria-checked") === "true";
    }
    const isLoose = (flow) => flow.blocks.filter(({ isList }) => !isList).length > 1;
    items.forEach((flow) => flow.end());
    const filled = items.filter(({ blocks, isDone }) => blocks.length || isDone !== null);
    const isOrdered = isNamed(node, "ol");
    const lines = filled.map((flow, index) => {
      const marker = isOrdered ? `${Math.min(999999999, Number(start) + index)}.` : "-";
      const box = flow.isDone === null ? "" : `[${flow.isDone ? "x" : " "}] `;
      const text = flow.text({ isTight: !isLoose(flow) });
      return `${marker} ${box}${indented(text, marker.length + 1)}`.trimEnd();
    });
    this.add(lines.join(filled.some(isLoose) ? "\n\n" : "\n"), true);
  }

  takeTable(node, marks, depth) {
    const rows = rowsOf(node);
    const isCode = (cell) => hasClass(cell, NUMBER_CELLS) || hasClass(cell, CODE_CELLS);
    if (rows.length && rows.every((row) => row.some(isCode))) return this.add(codeTableOf(rows));
    const isLayout =
      /^(presentation|none)$/.test(attributeOf(node, "role")) ||
      rows.every(({ length }) => length < 2) ||
      rows.flat().some((cell) => childrenOf(cell).some((one) => isNamed(one, "table")));
    if (isLayout || depth + 4 > DEEPEST) return this.takeBlock(node, marks, depth);
    for (const caption of childrenOf(node).filter((one) => isNamed(one, "caption")))
      this.takeBlock(caption, marks, depth);
    const options = { isOneLine: true, lineBreak: "<br>" };
    return this.add(tableOf(rows, (cell) => this.inside(cell, marks, depth + 3, options).text()));
  }
}

const indented = (text, width) => text.replace(/\n(?=.)/g, `\n${" ".repeat(width)}`);

/** A block of code with the language that its class names. */
function fenceOf(node) {
  const text = textOf(node).replace(/^\n/, "").trimEnd();
  if (!text) return "";
  const [inner] = childrenOf(node);
  const classes = [node, ...(inner ? [inner] : [])].map((one) => attributeOf(one, "class")).join(" ");
  const language = /(?:^| )(?:language|lang|highlight-source)-([\w+#-]{1,30})/.exec(classes)?.[1] ?? "";
  return fenced(text, language);
}

/** The code of a table that shows it line by line, without the numbers of the lines. */
function codeTableOf(rows) {
  const codeOfRow = (row) => row.filter((cell) => !hasClass(cell, NUMBER_CELLS)).map(textOf).join("");
  const text = rows.map((row) => codeOfRow(row).replace(/\n$/, "")).join("\n").trimEnd();
  return text && fenced(text);
}

/** The rows of a table, each a list of cells. */
function rowsOf(table) {
  const parts = childrenOf(table).flatMap((one) =>
    isNamed(one, "thead", "tbody", "tfoot") ? childrenOf(one) : [one],
  );
  return parts
    .filter((one) => isNamed(one, "tr"))
    .map((row) => childrenOf(row).filter((one) => isNamed(one, "td", "th")))
    .filter(({ length }) => length);
}

const spanOf = (cell, name, most) =>
  Math.max(1, Math.min(most, Number(/^\d{1,4}$/.exec(attributeOf(cell, name))?.[0] ?? 1)));

function alignOf(cell) {
  const word =
    /text-align:\s*(left|right|center)/i.exec(styleOf(cell))?.[1] || attributeOf(cell, "align");
  return { center: ":-:", right: "--:" }[word.toLowerCase()] ?? "---";
}

/** A table whose first row is its head; cells over several columns or rows are followed by empty ones. */
function tableOf(rows, textOf) {
  const grid = rows.map(() => []);
  rows.forEach((row, at) => {
    let column = 0;
    for (const cell of row) {
      while (grid[at][column] !== undefined) column++;
      if (column >= MOST_COLUMNS) break;
      const [width, height] = [spanOf(cell, "colspan", MOST_COLUMNS), spanOf(cell, "rowspan", MOST_SPAN)];
      for (let line = at; line < Math.min(grid.length, at + height); line++)
        for (let place = column; place < Math.min(MOST_COLUMNS, column + width); place++)
          grid[line][place] ??= "";
      grid[at][column] = textOf(cell).replace(/\|/g, "\\|");
      column += width;
    }
  });
  const filled = grid.filter((row) => row.some(Boolean));
  if (!filled.length) return "";
  const width = Math.max(...filled.map(({ length }) => length));
  const line = (cells) => `| ${Array.from({ length: width }, (_, at) => cells[at] ?? "").join(" | ")} |`;
  const aligns = Array.from({ length: width }, (_, at) => (rows[0][at] ? alignOf(rows[0][at]) : "---"));
  return [line(filled[0]), line(aligns), ...filled.slice(1).map(line)].join("\n");
}

/**
 * The Markdown of an element. `origin`: the address of this page, whose links become links of notes.
 * @param {any} root
 */
export function markdownOf(root, { origin = "" } = {}) {
  const flow = new Flow({ origin });
  flow.walk(root, {}, 0);
  return flow.text();
}
