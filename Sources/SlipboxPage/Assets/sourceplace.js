// @ts-check
// Where a place of the formatted text is in its Markdown, and where a place of the Markdown is in the
// formatted text.

const WORD = /[\p{L}\p{N}]+/gu;
const isLetter = (character) => character !== undefined && /[\p{L}\p{N}]/u.test(character);
/**
 * Characters of Markdown in which a word is looked for: a word that is further away was made by the
 * formatting.
 */
const AHEAD = 2000;

/** The offset of a whole word in a text from an offset on; -1 if it is not near. */
function offsetOf(word, source, from) {
  const near = source.slice(from, from + AHEAD + word.length);
  for (let at = near.indexOf(word); at >= 0; at = near.indexOf(word, at + 1)) {
    if (!isLetter(source[from + at - 1]) && !isLetter(near[at + word.length])) return from + at;
  }
  return -1;
}

/**
 * The words of a formatted text in order: `{node, offset, length, at}`, with the text node, the offset there,
 * and the offset in the Markdown. All words of the formatted text are in the Markdown in the same order, so
 * the first match is never too far.
 */
export function wordsOf(view, source) {
  const words = [];
  const nodes = document.createTreeWalker(view, NodeFilter.SHOW_TEXT, (node) =>
    node.parentElement.closest(".embed") ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
  );
  let from = 0;
  while (nodes.nextNode()) {
    const node = /** @type {Text} */ (nodes.currentNode);
    for (const match of node.data.matchAll(WORD)) {
      const [word] = match;
      const at = offsetOf(word, source, from);
      if (at < 0) continue;
      words.push({ node, offset: match.index, length: word.length, at });
      from = at + word.length;
    }
  }
  return words;
}

/** Where a word is in the window. */
export function placeOf({ node, offset, length }) {
  const range = document.createRange();
  range.setStart(node, offset);
  range.setEnd(node, Math.min(node.length, offset + length));
  return range.getBoundingClientRect();
}

/** The last word for which `isBefore` holds, of words for which it holds up to one; null if there is none. */
function lastOf(words, isBefore) {
  let low = 0,
    high = words.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(words[middle])) low = middle + 1;
    else high = middle;
  }
  return low ? words[low - 1] : null;
}

/** The first word that is not above a height of the window. */
export function firstBelow(words, height) {
  const above = lastOf(words, (word) => placeOf(word).top < height);
  return (above ? words[words.indexOf(above) + 1] : words[0]) ?? null;
}

/** The bounds of the line at an offset of a text. */
function lineAt(source, at) {
  const start = source.lastIndexOf("\n", at - 1) + 1;
  const end = source.indexOf("\n", at);
  return { start, end: end < 0 ? source.length : end };
}

/** Where writing begins at a word: behind the words of a heading, so that its signs stay in front of it. */
export function caretAt(source, at) {
  const { start, end } = lineAt(source, at);
  const line = source.slice(start, end);
  return /^ {0,3}#{1,6}[ \t]/.test(line) ? start + line.trimEnd().length : at;
}

/** Whether a line of the Markdown has no word before an offset. */
export const beginsLine = (source, at) => !/[\p{L}\p{N}]/u.test(source.slice(lineAt(source, at).start, at));

/**
 * The first word between two heights of the window that begins a line of the Markdown; without one the first
 * that is not above them.
 */
export function firstSeen(words, source, { top, bottom }) {
  const first = firstBelow(words, top);
  for (let index = words.indexOf(first); first && index < words.length; index++) {
    if (placeOf(words[index]).bottom > bottom) break;
    if (beginsLine(source, words[index].at)) return words[index];
  }
  return first;
}

/** The word at an offset of the Markdown, or the last one before it. */
export const wordAt = (words, offset) => lastOf(words, ({ at }) => at <= offset) ?? words[0] ?? null;

/** The word in which a selection of the formatted text begins; null if it is in none. */
export function selectedIn(view, words) {
  const selection = document.getSelection();
  if (!selection?.rangeCount || !view.contains(selection.anchorNode)) return null;
  const { startContainer, startOffset } = selection.getRangeAt(0);
  const word = words.findLast(({ node, offset }) => node === startContainer && offset <= startOffset);
  return word ? { ...word, at: word.at + Math.min(word.length, startOffset - word.offset) } : null;
}

/** The first word of the heading that has the focus; null if none of them has it. */
export function headingWord(headings, words) {
  const heading = headings.find((one) => one === document.activeElement);
  const word = heading && words.find(({ node }) => heading.contains(node));
  return word ? { ...word, isHeading: true } : null;
}
