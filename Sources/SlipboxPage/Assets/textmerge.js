// @ts-check
// A text that was changed in two places, and where a place of the old text is in the new one.

/**
 * The one range in which two texts differ: `{start, end}` of the first one, and the `text` there of the
 * second.
 */
export function diffRange(from, to) {
  let start = 0;
  const least = Math.min(from.length, to.length);
  while (start < least && from[start] === to[start]) start++;
  let end = 0;
  while (end < least - start && from[from.length - 1 - end] === to[to.length - 1 - end]) end++;
  return { start, end: from.length - end, text: to.slice(start, to.length - end) };
}

/**
 * What was typed since `sent`, put into `merged`; null if both changed the same place. What was typed at
 * `place`, where `merged` has an insertion, goes behind that.
 * @param {string} sent
 * @param {string} typed
 * @param {string} merged
 * @param {number | null} place
 */
export function carry(sent, typed, merged, place = null) {
  if (typed === sent) return merged;
  const mine = diffRange(sent, typed);
  const other = diffRange(sent, merged);
  const isInsertion = ({ start, end }) => start === place && end === place;
  if (isInsertion(mine) && isInsertion(other)) {
    const after = place + other.text.length;
    return merged.slice(0, after) + mine.text + merged.slice(after);
  }
  if (mine.end < other.start) return merged.slice(0, mine.start) + mine.text + merged.slice(mine.end);
  if (other.end < mine.start) {
    const moved = other.text.length - (other.end - other.start);
    return merged.slice(0, mine.start + moved) + mine.text + merged.slice(mine.end + moved);
  }
  return null;
}

/** A function from a place of one text to that place in another one. */
export function placeAfter(from, to) {
  const { start, end, text } = diffRange(from, to);
  return (at) => {
    if (at <= start) return at;
    return at >= end ? at + text.length - (end - start) : start + text.length;
  };
}

/** Where a line of a text begins; lines are counted from 1. */
export function lineStart(text, line) {
  let at = 0;
  for (let passed = 1; passed < line; passed++) at = text.indexOf("\n", at) + 1;
  return at;
}
