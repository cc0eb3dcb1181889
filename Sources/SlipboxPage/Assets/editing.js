// @ts-check
// Keys that edit Markdown. Each function takes a text and its selection and returns `{from, to, text, start,
// end}`: the stretch to replace, its new text, and the selection after it. They return null if the key has
// its usual meaning there.

const ITEM = /^((?:[ \t]|> ?)*)(?:([-*+])|(\d{1,9})([.)]))([ \t]+)(\[[ -/:-~]\][ \t]+)?/;
const ITEMS = /^(?:[ \t]|> ?)*(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)(?:\[[ -/:-~]\](?:[ \t]+|$))?/gm;
const FENCE = /^(?:[ \t]|> ?)*(`{3,}|~{3,})/;

/** The list item that a line begins: `{indent, marker, gap, box, next, width}`; null if it begins none. */
export function itemOf(line) {
  const match = ITEM.exec(line);
  if (!match) return null;
  const [all, indent, bullet, number, point, gap, box] = match;
  const marker = bullet ?? `${number}${point}`;
  return {
    indent,
    marker,
    gap,
    box: box ?? "",
    text: line.slice(all.length),
    prefix: all,
    next: bullet ?? `${Number(number) + 1}${point}`,
  };
}

export const startOfLine = (text, at) => text.lastIndexOf("\n", at - 1) + 1;
export const endOfLine = (text, at) =>
  text.indexOf("\n", at) < 0 ? text.length : text.indexOf("\n", at);

/** Whether a place is in fenced code. */
function isInFence(text, at) {
  let open = null;
  for (const line of text.slice(0, startOfLine(text, at)).split("\n")) {
    const fence = FENCE.exec(line)?.[1];
    if (!fence) continue;
    if (open === null) open = fence;
    else if (fence[0] === open[0] && fence.length >= open.length) open = null;
  }
  return open !== null;
}

const QUOTE = /^(?:[ \t]*>)+[ \t]?/;

/** Enter goes on with a quote; in an empty line of it, the quote ends. */
function quoted(text, start, end, from) {
  const line = text.slice(from, endOfLine(text, start));
  const mark = QUOTE.exec(line)?.[0];
  if (!mark || start !== end || start < from + mark.trimEnd().length || isInFence(text, start)) return null;
  if (line.trim() === mark.trim())
    return { from, to: from + line.length, text: "", start: from, end: from };
  const made = `\n${mark.trimEnd()} `;
  const to = start + /^[ \t]*/.exec(text.slice(start))[0].length;
  return { from: start, to, text: made, start: start + made.length, end: start + made.length };
}

/**
 * Enter goes on with a list, a check box or a quote; in an empty item it ends the list, or goes up one
 * level.
 */
export function newLine(text, start, end) {
  const from = startOfLine(text, start);
  const item = itemOf(text.slice(from, endOfLine(text, start)));
  if (!item) return quoted(text, start, end, from);
  if ( start !== end || start < from + item.prefix.trimEnd().length || isInFence(text, start))
    return null;
  if (!item.text.trim()) {
    if (/[ \t]/.test(item.indent)) return shifted(text, start, end, true);
    return {
      from,
      to: endOfLine(text, start),
      text: item.indent,
      start: from + item.indent.length,
      end: from + item.indent.length,
    };
  }
  const made = `\n${item.indent}${item.next}${item.gap}${item.box ? "[ ] " : ""}`;
  const to = start + /^[ \t]*/.exec(text.slice(start))[0].length;
  const { old, next } = renumbered(text.slice(to), item);
  const caret = start + made.length;
  return { from: start, to: to + old.length, text: made + next, start: caret, end: caret };
}

/** The text behind an item as far as its list counts on, and the same with higher numbers. */
function renumbered(rest, item) {
  const lines = rest.split("\n");
  const next = [...lines];
  let marker = item.next;
  let last = 0;
  for (let index = 1; index < lines.length; index++) {
    const [line, one] = [lines[index], itemOf(lines[index])];
    if (/\d/.test(marker) && one?.indent === item.indent && one.marker === marker) {
      next[index] = one.indent + one.next + line.slice(one.indent.length + one.marker.length);
      marker = one.next;
      last = index;
    } else if (line.trim() && widthOf(/^[ \t]*/.exec(line)[0]) <= widthOf(item.indent)) break;
  }
  const upTo = (all) => all.slice(0, last + 1).join("\n");
  return { old: upTo(lines), next: upTo(next) };
}

const widthOf = (blank) =>
  [...blank].reduce((width, one) => (one === "\t" ? width + 4 - (width % 4) : width + 1), 0);

/** The items above a line that it may belong to or be beside, nearest first. */
function itemsAbove(text, from) {
  const found = [];
  for (const line of text
    .slice(0, Math.max(0, from - 1))
    .split("\n")
    .reverse()) {
    const item = itemOf(line);
    if (item) found.push(item);
    else if (!line.trim() || !/^[ \t]/.test(line)) break;
  }
  return from ? found : [];
}

/** Tab moves the items of the selection below the item above them; Shift and Tab move them up one level. */
export function shifted(text, start, end, isBack) {
  const from = startOfLine(text, start),
    to = endOfLine(text, Math.max(start, end - (end > start && text[end - 1] === "\n" ? 1 : 0)));
  const first = itemOf(text.slice(from, endOfLine(text, start)));
  if (!first || isInFence(text, start)) return null;
  const now = widthOf(first.indent);
  const above = itemsAbove(text, from).filter((one) =>
    isBack ? widthOf(one.indent) < now : widthOf(one.indent) <= now,
  );
  const parent = above[0];
  // At the first level, and without an item above it, an item stays where it is.
  if (isBack ? now === 0 : !parent) return { from, to: from, text: "", start, end };
  const hasTab = `${first.indent}${parent?.indent ?? ""}`.includes("\t");
  const deeper = () =>
    hasTab ? `${parent.indent}\t` : `${parent.indent}${" ".repeat(parent.marker.length + 1)}`;
  const indent = isBack ? (parent?.indent ?? "") : deeper();
  const step = widthOf(indent) - now;
  // A list that begins in the middle of an item begins with 1.
  const sibling = isBack ? parent : itemsAbove(text, from).find((one) => widthOf(one.indent) <= now + step);
  const follows = sibling && widthOf(sibling.indent) === now + step && /\d/.test(sibling.next);
  const marker = /\d/.test(first.marker)
    ? follows
      ? sibling.next
      : `1${first.marker.at(-1)}`
    : first.marker;
  const lengthOfFirst = indent.length + marker.length - first.indent.length - first.marker.length;
  const lines = text
    .slice(from, to)
    .split("\n")
    .map((line, index) => {
      if (!line.trim()) return line;
      if (index === 0) return indent + marker + line.slice(first.indent.length + first.marker.length);
      const blank = /^[ \t]*/.exec(line)[0];
      const width = Math.max(0, widthOf(blank) + step);
      return (hasTab ? "\t".repeat(Math.round(width / 4)) : " ".repeat(width)) + line.slice(blank.length);
    });
  const made = lines.join("\n");
  return {
    from,
    to,
    text: made,
    start: Math.max(from, start + lengthOfFirst),
    end: Math.max(from, end + made.length - (to - from)),
  };
}

/** Whether so many characters have a mark in them: `**bold**` is not in italics. */
const isSignOf = (mark, length) => (mark.length === 1 ? length % 2 === 1 : length >= mark.length);

/** Whether a mark is open at a place: its paragraph has an odd number of them before it. */
function isMarkOpen(text, at, mark) {
  const runs = text
    .slice(text.lastIndexOf("\n\n", at - 1) + 1, at)
    .replace(/\\[^]|^[ \t]*[-*+][ \t]/gm, (part) => " ".repeat(part.length))
    .matchAll(new RegExp(`\\${mark[0]}+`, "g"));
  return [...runs].filter(([run]) => isSignOf(mark, run.length)).length % 2 === 1;
}

/**
 * Puts a mark such as `**` around the selection or the word at the caret, or takes it away. At the end of
 * marked text the caret steps over the closing mark, unless the mark was made just now.
 */
export function marked(text, start, end, mark, isFresh = false) {
  if (!isFresh && start === end && /\S/.test(text[start - 1] ?? "") && text[start - 1] !== mark[0]) {
    let behind = start;
    while (text[behind] === mark[0]) behind++;
    const isClosing = isSignOf(mark, behind - start) && isMarkOpen(text, start, mark);
    const at = start + mark.length;
    if (isClosing) return { from: start, to: start, text: "", start: at, end: at };
  }
  let [from, to] = [start, end];
  if (from === to) {
    while (from > 0 && /[\p{L}\p{N}_'’-]/u.test(text[from - 1])) from--;
    while (to < text.length && /[\p{L}\p{N}_'’-]/u.test(text[to])) to++;
  }
  while (from < to && /\s/.test(text[from])) from++;
  while (to > from && /\s/.test(text[to - 1])) to--;
  const inner = text.slice(from, to);
  const size = mark.length;
  const count = (at, step) => {
    let many = 0;
    while (text[at + step * many] === mark[0]) many++;
    return many;
  };
  if (isSignOf(mark, count(from - 1, -1)) && isSignOf(mark, count(to, 1)))
    return { from: from - size, to: to + size, text: inner, start: start - size, end: end - size };
  if (
    inner.length > 2 * size &&
    inner.startsWith(mark) &&
    inner.endsWith(mark) &&
    (size > 1 || inner[1] !== mark)
  ) {
    const bare = inner.slice(size, -size);
    return { from, to, text: bare, start: from, end: from + bare.length };
  }
  const moved =
    start === end ? { start: start + size, end: start + size } : { start: from + size, end: to + size };
  return { from, to, text: `${mark}${inner}${mark}`, ...moved };
}

/**
 * Makes a link of the selection, with the caret where its other half is written; null without a selection.
 */
export function linked(text, start, end) {
  const inner = text.slice(start, end);
  if (start === end || inner.includes("\n")) return null;
  if (/^(https?:\/\/|mailto:)\S+$/.test(inner))
    return { from: start, to: end, text: `[](${inner})`, start: start + 1, end: start + 1 };
  const at = start + inner.length + 3;
  return { from: start, to: end, text: `[${inner}]()`, start: at, end: at };
}

const ADDRESS = /^(?:https?:|mailto:)[^\s<>]+$/;

/**
 * Makes a link of the selection and a pasted address; null without a selection, over an address or a link,
 * and for any other text.
 */
export function pastedLink(text, start, end, pasted) {
  const inner = text.slice(start, end);
  const address = pasted.trim();
  if (!ADDRESS.test(address) || ADDRESS.test(inner.trim()) || !inner.trim()) return null;
  if (["[", "]", "\n"].some((one) => inner.includes(one)) || isInFence(text, start)) return null;
  const target = /[()]/.test(address) ? `<${address}>` : address;
  const at = start + inner.length + target.length + 4;
  return { from: start, to: end, text: `[${inner}](${target})`, start: at, end: at };
}

const BLOCK = /^(?:#{1,6} |> |[-*+] |\d{1,9}[.)] |`{3}|\||---$)/m;

/**
 * Puts Markdown in the place of the selection: blocks get lines of their own, in the quote or the item that
 * the caret is in. Null for no text, and in code.
 */
export function continued(text, start, end, markdown) {
  if (!markdown || isInFence(text, start)) return null;
  const line = startOfLine(text, start);
  const before = text.slice(line, start);
  const item = itemOf(before);
  const isBlock = markdown.includes("\n\n") || BLOCK.test(markdown);
  // A list takes the place of an item that is empty.
  const isItem = isBlock && item && !item.text.trim() && itemOf(markdown);
  const from = isItem ? line : start;
  const indent = item?.indent ?? /^(?:[ \t]|> ?)*/.exec(before)[0];
  const lead = item && !isItem ? indent + " ".repeat(item.marker.length + item.gap.length) : indent;
  const lines = (isItem ? indent + markdown : markdown).split("\n");
  const made = lines.map((one, index) => (index ? (lead + one).trimEnd() : one)).join("\n");
  const blank = `\n${lead.trimEnd()}`;
  const above = text.slice(startOfLine(text, line - 1), Math.max(0, line - 1));
  const lineEnd = endOfLine(text, end);
  const below = text.slice(lineEnd + 1, endOfLine(text, lineEnd + 1));
  const isListed = (one) => Boolean(itemOf(one)) && Boolean(itemOf(lines.at(-1).trimStart()));
  const isBeside = (one) => Boolean(one.replace(/^(?:[ \t]|> ?)*/, "")) && !isListed(one);
  let [head, tail] = ["", ""];
  if (isBlock && !isItem) {
    if (before.slice(item?.prefix.length ?? lead.length).trim()) head = `${blank}\n${lead}`;
    else if (!item && isBeside(above)) head = `\n${lead}`;
  }
  if (isBlock && text.slice(end, lineEnd).trim()) tail = `${blank}\n${lead}`;
  else if (isBlock && isBeside(below)) tail = blank;
  const at = from + head.length + made.length;
  return { from, to: end, text: head + made + tail, start: at, end: at };
}

/** Lines of git and of slip that hold two versions of a text apart, and those around lists of slip. */
const MARKERS = /^(?:(?:<{7}|={7}|>{7}|\|{7})(?: .*)?$|<!-- (?:slip:[^]*?|\/slip )-->)/gm;

/** The number of words of a text; markers of lists, check boxes and conflicts are none. */
export const wordsIn = (text) =>
  (text.replace(MARKERS, "").replace(ITEMS, "").match(/\S*[\p{L}\p{N}]\S*/gu) ?? []).length;

/** The box of a list item with any sign, which may be in quotes, in other items and in a footnote. */
const BOX =
  /^((?:\[\^[^\]\s]+\]:)?(?=[ \t>]*[-*+\d])(?:[ \t>]|(?:[-*+]|\d{1,9}[.)])[ \t])+\[)([ -~])(\](?:[ \t].*)?)$/;
/** How a line writes its dates, and with it the date on which it was done. */
const DATES = [
  { signs: ["📅", "⏳", "🛫", "➕", "✅"], done: "✅ ", end: "" },
  {
    signs: ["[due::", "[scheduled::", "[start::", "[created::", "[completion::"],
    done: "[completion:: ",
    end: "]",
  },
];

/**
 * A text with the check box of a line, counted from 1, ticked or not; null if the line has no such box. A
 * line with dates has the day too on which it was done.
 */
export function ticked(text, number, isDone, today) {
  const lines = text.split("\n");
  const match = BOX.exec(lines[number - 1] ?? "");
  if (!match) return null;
  let [, before, , rest] = match;
  const form = DATES.find(({ signs }) => signs.some((sign) => rest.includes(sign)));
  if (form && isDone && !rest.includes(form.done.trim())) {
    const name = /[ \t]+\^[A-Za-z0-9-]+[ \t]*$/.exec(rest)?.[0] ?? "";
    rest = `${rest.slice(0, rest.length - name.length)} ${form.done}${today}${form.end}${name}`;
  }
  if (form && !isDone)
    rest = form.end
      ? rest.replace(/ *\[completion:: *\d{4}-\d\d-\d\d\]/, "")
      : rest.replace(/ *✅ *\d{4}-\d\d-\d\d/, "");
  lines[number - 1] = `${before}${isDone ? "x" : " "}${rest}`;
  return lines.join("\n");
}
