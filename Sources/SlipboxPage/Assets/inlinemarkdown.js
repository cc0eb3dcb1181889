// @ts-check
// The text of a paragraph as Markdown. A paragraph is a list of runs: texts with the marks that they have.

/**
 * A piece of a paragraph: a text, Markdown that stays as it is (code and images), or a line break.
 * @typedef {{ text?: string, raw?: string, isBreak?: boolean, marks: Marks }} Run
 * @typedef {{ link?: string, bold?: boolean, italic?: boolean, strike?: boolean, mark?: boolean }} Marks
 */

const SIGNS = { bold: "**", italic: "*", strike: "~~", mark: "==" };
/** Of marks with the same extent, the first is the outermost. */
const MARKS = ["link", ...Object.keys(SIGNS)];
const isWord = (/** @type {string} */ letter) => /[\p{L}\p{N}]/u.test(letter);
const isBlank = (/** @type {string} */ letter) => /\s/.test(letter);

/** Whether a sign of a text would mean something in Markdown or in a note. */
function isMeant(sign, text, at) {
  const [before, after] = [text[at - 1] ?? "", text[at + 1] ?? ""];
  const rest = text.slice(at, at + 300);
  const isFree = isBlank(before) && isBlank(after);
  switch (sign) {
    case "*":
      return !isFree;
    case "_":
      return !isFree && !(isWord(before) && isWord(after));
    case "<":
      return /[\p{L}/!?]/u.test(after);
    case "&":
      return /^&(#\d+|#x[\da-f]+|\w+);/i.test(rest);
    case "#":
      return !isWord(before) && /^#[\d/]*[^\s\d#/.,;:!?)\]]/u.test(rest);
    case "$":
      return rest.slice(1).includes("$") || text.slice(Math.max(0, at - 300), at).includes("$");
    case "~":
      return rest.slice(1).includes("~") || before === "~";
    case "=":
      return after === "=" && before !== "=";
    case "%":
      return after === "%" && before !== "%";
    case "^":
      return (before === "" || isBlank(before)) && /^\^[A-Za-z0-9-]+\s*$/.test(rest);
    case "\\":
      return after === "" || /[!-/:-@[-`{-~]/.test(after);
    default:
      return true;
  }
}

/** A text that Markdown shows as it is. */
const escaped = (text) =>
  text.replace(/[\\*_`[\]<&#$~=%^]/g, (sign, at) => (isMeant(sign, text, at) ? `\\${sign}` : sign));

const addressed = (address) => (/[*_~$[\]=]/.test(address) ? `<${address}>` : address);

/** The same with addresses as links, if a sign in them would mean something. */
const escapedText = (text, isInLink) =>
  isInLink
    ? escaped(text)
    : text
        .split(/(https?:\/\/[^\s<>"`\\]*[^\s<>"`\\.,;:!?)\]'*_])/)
        .map((part, index) => (index % 2 ? addressed(part) : escaped(part)))
        .join("");

/** A line of a paragraph that begins no heading, list, quote, table or field. */
const escapedLine = (line) =>
  line
    .replace(/^(?=#{1,6}(\s|$)|>|[-+](\s|$)|-{2,}\s*$|=+\s*$|\|)/, "\\")
    .replace(/^(\d{1,9})(?=[.)](\s|$))/, "$1\\")
    .replace(/^([\p{L}\p{N}_-]+( [\p{L}\p{N}_-]+)*:)(?=:(\s|$))/u, "$1\\");

/** Code with a fence that is longer than those in it. */
export function codeOf(text) {
  const line = text.replace(/\s+/g, " ");
  if (!line.trim()) return "";
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  const space = /^`|`$|^ .* $/.test(line) ? " " : "";
  return `${fence}${space}${line}${space}${fence}`;
}

/** A block of code. */
export function fenced(text, language = "") {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** An address of the web or of mail; null for all others. */
export function addressOf(text, schemes = ["http:", "https:", "mailto:"]) {
  // Browsers pass over these characters.
  const address = text.replace(/[\u0000-\u001f\u007f]/g, "").trim();
  try {
    const url = new URL(address);
    if (!schemes.includes(url.protocol)) return null;
    return /^[!#-;=?-[\]_a-z~]+$/i.test(address) ? address : url.href;
  } catch {
    return null;
  }
}

/** An address as the target of a link or an image. */
export const targetOf = (address) => {
  const safe = address.replace(/[\s<>\\]/g, encodeURIComponent).replace(/&(?=#?\w+;)/g, "\\&");
  return /[()]/.test(safe) ? `<${safe}>` : safe;
};

/** @returns {Run[]} The runs with single blanks, none at the ends and beside line breaks. */
function collapsed(/** @type {Run[]} */ runs) {
  const out = [];
  const trimEnd = () => {
    const last = out.at(-1);
    if (last?.text === undefined) return;
    const text = last.text.trimEnd();
    if (text === last.text) return;
    out.pop();
    if (text) out.push({ ...last, text });
  };
  let isAfterBlank = true;
  for (const run of runs) {
    if (run.isBreak) trimEnd();
    let { text } = run;
    if (text !== undefined) {
      text = text.replace(/[\u200b\ufeff]/g, "").replace(/[\s\u00a0]+/g, " ");
      if (isAfterBlank) text = text.replace(/^ /, "");
      if (!text) continue;
    }
    isAfterBlank = run.isBreak || Boolean(text?.endsWith(" "));
    const last = out.at(-1);
    if (text !== undefined && last?.text !== undefined && isSame(last.marks, run.marks))
      out[out.length - 1] = { ...last, text: last.text + text };
    else out.push(text === undefined ? run : { ...run, text });
  }
  while (out.length && (trimEnd(), out.at(-1)?.isBreak)) out.pop();
  while (out[0]?.isBreak) out.shift();
  return out;
}

const isSame = (/** @type {Marks} */ one, /** @type {Marks} */ other) =>
  MARKS.every((mark) => one[mark] === other[mark]);

const without = (/** @type {Run} */ run, mark) => ({ ...run, marks: { ...run.marks, [mark]: undefined } });

/** The end of the runs from a place on that have the same mark. */
function endOf(runs, at, mark) {
  let end = at;
  while (end < runs.length && !runs[end].isBreak && runs[end].marks[mark] === runs[at].marks[mark]) end++;
  return end;
}

/** Parts a text at one end into the characters that fit and the rest. */
function parted(text, fits, isAtEnd) {
  const letters = [...text];
  let count = 0;
  while (count < letters.length && fits(letters.at(isAtEnd ? -1 - count : count))) count++;
  const cut = isAtEnd ? letters.length - count : count;
  const parts = [letters.slice(0, cut).join(""), letters.slice(cut).join("")];
  return isAtEnd ? parts.reverse() : parts;
}

/**
 * Takes a mark off one end of a group: off blanks, and beside a letter off signs too, since Markdown reads
 * no mark there. Returns the runs that lose the mark.
 */
function peeled(group, mark, isAtEnd, isBesideWord) {
  const lost = [];
  const signs = isBesideWord && mark !== "link";
  const fits = signs ? (letter) => !isWord(letter) : isBlank;
  while (group.length) {
    const run = isAtEnd ? group.at(-1) : group[0];
    const isWhole = run.text === undefined || (run.marks.link !== undefined && mark !== "link");
    if (isWhole && !signs) break;
    const [part, rest] = isWhole ? [run.text, ""] : parted(run.text, fits, isAtEnd);
    if (part === "") break;
    const piece = without(isWhole ? run : { ...run, text: part }, mark);
    if (isAtEnd) lost.unshift(piece);
    else lost.push(piece);
    group.splice(isAtEnd ? -1 : 0, 1, ...(rest ? [{ ...run, text: rest }] : []));
    if (rest) break;
  }
  return lost;
}

/** The runs with a mark only where Markdown reads it. */
function tightened(/** @type {Run[]} */ runs, mark) {
  const out = [];
  for (let at = 0; at < runs.length; ) {
    if (!runs[at].marks[mark] || runs[at].isBreak) {
      out.push(runs[at++]);
      continue;
    }
    const end = endOf(runs, at, mark);
    const group = runs.slice(at, end);
    // A link around the whole group has its bracket before the sign.
    const [{ marks: first }] = group;
    const isInLink = mark !== "link" && first.link && group.every(({ marks }) => marks.link === first.link);
    const before = !isInLink && isWord(out.at(-1)?.text?.at(-1) ?? "");
    const after = !isInLink && isWord(runs[end]?.text?.[0] ?? "");
    out.push(...peeled(group, mark, false, before));
    const tail = peeled(group, mark, true, after);
    out.push(...group, ...tail);
    at = end;
  }
  return out;
}

/** The Markdown of a link: an address alone is written as one. */
function linkOf(inner, address, runs) {
  const text = runs.map((one) => one.text ?? one.raw).join("");
  const isAddress = [address, `mailto:${text}`].includes(text) || address === `mailto:${text}`;
  if (isAddress && !/[\s<>]/.test(text)) return `<${text}>`;
  return `[${inner}](${targetOf(address)})`;
}

/** The Markdown of runs of one line; `free` are the marks that no sign around them is for. */
function written(runs, free = MARKS, isInLink = false) {
  let out = "";
  for (let at = 0; at < runs.length; ) {
    const marks = free.filter((mark) => runs[at].marks[mark]);
    if (!marks.length) {
      const { raw, text } = runs[at++];
      out += raw ?? escapedText(text, isInLink);
      continue;
    }
    const ends = marks.map((mark) => endOf(runs, at, mark));
    const end = Math.max(...ends);
    const mark = marks[ends.indexOf(end)];
    const group = runs.slice(at, end);
    const inner = written(group, free.filter((one) => one !== mark), isInLink || mark === "link");
    out += mark === "link" ? linkOf(inner, group[0].marks.link, group) : SIGNS[mark] + inner + SIGNS[mark];
    at = end;
  }
  return out;
}

/** Parts runs at line breaks. */
function linesOf(/** @type {Run[]} */ runs) {
  const lines = [[]];
  for (const run of runs) {
    if (run.isBreak) lines.push([]);
    else lines.at(-1).push(run);
  }
  return lines;
}

/**
 * The paragraphs of runs: two line breaks begin another one. In `isOneLine` a line break is `lineBreak`, and
 * a line may begin with any sign.
 */
export function paragraphsOf(/** @type {Run[]} */ runs, { isOneLine = false, lineBreak = " " } = {}) {
  const tight = MARKS.reduce(tightened, collapsed(runs));
  const lines = linesOf(tight).map((line) => written(line).trim());
  if (isOneLine) return [lines.filter(Boolean).join(lineBreak)].filter(Boolean);
  const paragraphs = [[]];
  for (const line of lines) {
    if (line) paragraphs.at(-1).push(escapedLine(line));
    else paragraphs.push([]);
  }
  return paragraphs.filter(({ length }) => length).map((all) => all.join("\\\n"));
}
