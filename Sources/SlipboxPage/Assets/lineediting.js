// @ts-check
// Buttons that edit Markdown by lines, for those who have no keys. Each function takes a text and its
// selection and returns `{from, to, text, start, end}`, as those of `editing.js` do.

import { endOfLine, itemOf, startOfLine } from "./editing.js";

const LEAD = /^(?:[ \t]|> ?)*/;
const MOST_LEVELS = 3;

/** The lines of the selection, each as `edit` makes it; the caret keeps its place in its line. */
function edited(text, start, end, edit) {
  const from = startOfLine(text, start),
    to = endOfLine(text, end);
  const old = text.slice(from, to).split("\n");
  const lines = edit(old);
  const made = lines.join("\n");
  if (start !== end) return { from, to, text: made, start: from, end: from + made.length };
  const caret = Math.max(from, start + lines[0].length - old[0].length);
  return { from, to, text: made, start: caret, end: caret };
}

/** Makes the line of the caret a heading, one of the next lower level, and text again after the third. */
export const headed = (text, start, end) =>
  edited(text, start, end, ([line, ...others]) => {
    const [mark, signs] = /^(#{1,6})[ \t]+/.exec(line) ?? ["", ""];
    const level = signs.length < MOST_LEVELS ? signs.length + 1 : 0;
    return [(level ? `${"#".repeat(level)} ` : "") + line.slice(mark.length), ...others];
  });

/** Edits each line that has a text, or the only one; `isMade` says of an item whether it is so already. */
function turned(text, start, end, isMade, make, unmake) {
  return edited(text, start, end, (lines) => {
    const some = lines.filter((line) => line.trim());
    const meant = some.length ? some : lines.slice(0, 1);
    const isDone = meant.every((line) => isMade(itemOf(line)));
    return lines.map((line) => {
      if (!meant.includes(line) || isMade(itemOf(line)) !== isDone) return line;
      return isDone ? unmake(itemOf(line)) : make(line, itemOf(line));
    });
  });
}

const asItem = (line, box) => {
  const lead = LEAD.exec(line)[0];
  return `${lead}- ${box}${line.slice(lead.length)}`;
};

/** Makes the lines of the selection items of a list without numbers, or text again. */
export const bulleted = (text, start, end) =>
  turned(
    text,
    start,
    end,
    (item) => item !== null && !/\d/.test(item.marker),
    (line, item) => (item ? `${item.indent}- ${item.box}${item.text}` : asItem(line, "")),
    (item) => item.indent + item.text,
  );

/** Makes the lines of the selection check boxes, or items without a box again. */
export const tasked = (text, start, end) =>
  turned(
    text,
    start,
    end,
    (item) => Boolean(item?.box),
    (line, item) =>
      item ? `${item.indent}${item.marker}${item.gap}[ ] ${item.text}` : asItem(line, "[ ] "),
    (item) => item.indent + item.marker + item.gap + item.text,
  );

/** Makes the selection a link to a note, with the caret where its name is completed. */
export function wikiLinked(text, start, end) {
  const inner = text.slice(start, end);
  const at = start + 2 + inner.length;
  return { from: start, to: end, text: `[[${inner}]]`, start: at, end: at };
}

/** Tab in plain text: a tab at the caret, or before each selected line; Shift and Tab take one away. */
export function indented(text, start, end, isBack) {
  if (start === end && !isBack) return { from: start, to: end, text: "\t", start: start + 1, end: end + 1 };
  return edited(text, start, end, (lines) =>
    lines.map((line) => (isBack ? line.replace(/^(\t| {1,4})/, "") : line && `\t${line}`)),
  );
}
