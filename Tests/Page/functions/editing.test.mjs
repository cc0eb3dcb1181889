import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./assets.mjs";

const { continued, newLine, shifted, marked, linked, pastedLink, wordsIn, ticked } = await load("editing.js");

/** A text in which `|` is the caret, or two of them the selection. */
function parse(shown) {
  const parts = shown.split("|");
  return { text: parts.join(""), start: parts[0].length, end: parts[0].length + (parts.length > 2 ? parts[1].length : 0) };
}

/** The text after an edit, written the same way; null if the key has its usual meaning. */
function after(shown, edit) {
  const { text, start, end } = parse(shown);
  const made = edit(text, start, end);
  if (!made) return null;
  const whole = text.slice(0, made.from) + made.text + text.slice(made.to);
  const carets = made.start === made.end ? [made.start] : [made.start, made.end];
  return carets.reverse().reduce((out, at) => `${out.slice(0, at)}|${out.slice(at)}`, whole);
}

function table(name, edit, rows) {
  for (const [before, wanted] of rows) test(`${name}: ${JSON.stringify(before)}`, () => assert.equal(after(before, edit), wanted));
}

table("Enter", newLine, [
  ["- one|", "- one\n- |"],
  ["* one|\n* two", "* one\n* |\n* two"],
  ["- one| two", "- one\n- |two"],
  ["1. one|", "1. one\n2. |"],
  ["9) one|", "9) one\n10) |"],
  ["1. one|\n2. two\n\n   more\n3. three\nend", "1. one\n2. |\n3. two\n\n   more\n4. three\nend"],
  ["1. one|\n   1. in\n2. two\n7. seven", "1. one\n2. |\n   1. in\n3. two\n7. seven"],
  ["1. one|\n1. two", "1. one\n2. |\n1. two"],
  ["8. a| b\n9. c\n\ntext\n10. d", "8. a\n9. |b\n10. c\n\ntext\n10. d"],
  ["- [ ] one|", "- [ ] one\n- [ ] |"],
  ["- [x] one|", "- [x] one\n- [ ] |"],
  ["  - one|", "  - one\n  - |"],
  ["> - one|", "> - one\n> - |"],
  ["> one|", "> one\n> |"],
  ["> [!note] one| two", "> [!note] one\n> |two"],
  [">> one|", ">> one\n>> |"],
  ["> one\n> |", "> one\n|"],
  ["|> one", null],
  ["> |one", "> \n> |one"],
  ["-   one|", "-   one\n-   |"],
  ["- one\n- |", "- one\n|"],
  ["- one\n- [ ] |\n\nmore", "- one\n|\n\nmore"],
  ["- one\n  - |", "- one\n- |"],
  ["|- one", null],
  ["plain|", null],
  ["-one|", null],
  ["- o|n|e", null],
  ["```\n- one|\n```", null],
  ["```\na\n```\n- one|", "```\na\n```\n- one\n- |"],
  ["2026. one| year", "2026. one\n2027. |year"],
]);

table("Tab", (text, start, end) => shifted(text, start, end, false), [
  ["- one\n- two|", "- one\n  - two|"],
  ["1. one\n2. two|", "1. one\n   1. two|"],
  ["1. one\n   1. two\n2. three|", "1. one\n   1. two\n   2. three|"],
  ["- one\n  - two\n  - three|", "- one\n  - two\n    - three|"],
  ["- one\n- |two\n- three|", "- one\n  - |two\n  - three|"],
  ["- one\n\t- two\n\t- three|", "- one\n\t- two\n\t\t- three|"],
  ["- one|", "- one|"],
  ["- one\n\n- two|", "- one\n\n- two|"],
  ["plain|", null],
  ["```\n- one\n- two|\n```", null],
]);

table("Shift and Tab", (text, start, end) => shifted(text, start, end, true), [
  ["- one\n  - two|", "- one\n- two|"],
  ["- one\n  - two\n    - three|", "- one\n  - two\n  - three|"],
  ["1. one\n   1. two|", "1. one\n2. two|"],
  ["- one\n  - |two\n    - three|", "- one\n- |two\n  - three|"],
  ["  - one|", "- one|"],
  ["- one|", "- one|"],
  ["plain|", null],
]);

table("Ctrl+B", (text, start, end) => marked(text, start, end, "**"), [
  ["a |bold| word", "a **|bold|** word"],
  ["a **|bold|** word", "a |bold| word"],
  ["a |**bold**| word", "a |bold| word"],
  ["a bo|ld word", "a **bo|ld** word"],
  ["a **bo|ld** word", "a bo|ld word"],
  ["a | word", "a **|** word"],
  ["a| bold |word", "a **|bold|** word"],
  ["a **bold|**", "a **bold**|"],
  ["a **two words|** b", "a **two words**| b"],
  ["* a **bold|**", "* a **bold**|"],
  ["**a** b **(c)|**", "**a** b **(c)**|"],
  ["***both|***", "***both**|*"],
  ["a bold|**c**", "a **bold|****c**"],
  ["a **|**", "a |"],
]);

table("Ctrl+I", (text, start, end) => marked(text, start, end, "*"), [
  ["a |word|", "a *|word|*"],
  ["a *|word|*", "a |word|"],
  ["a **|word|**", "a ***|word|***"],
  ["a ***|word|***", "a **|word|**"],
  ["|**word**|", "*|**word**|*"],
  ["a *word|*", "a *word*|"],
  ["* a *two words|*", "* a *two words*|"],
  ["***both|***", "***both*|**"],
  ["a **word|**", "a ***word|***"],
]);

table("code", (text, start, end) => marked(text, start, end, "`"), [
  ["a `some code|`", "a `some code`|"],
  ["a `|code|`", "a |code|"],
  ["a code|", "a `code|`"],
]);

table("Ctrl+K", linked, [
  ["see |this|", "see [this](|)"],
  ["see |https://example.org/a|", "see [|](https://example.org/a)"],
  ["see |", null],
  ["|a\nb|", null],
]);

test("counts the words of a text", () => {
  assert.equal(wordsIn(""), 0);
  assert.equal(wordsIn("# A heading\n\n- it's so-called, *two* — words"), 6);
  assert.equal(wordsIn("Grüße из Москвы"), 3);
  assert.equal(wordsIn("- [ ] buy milk\n- [x] two eggs\n  * [X] both\n> 1. [x] quoted\n12) last one\n3."), 8);
  assert.equal(wordsIn("- [/] half done\n- [1] is a reference"), 6);
  assert.equal(wordsIn("[x] is a word here, 1.5 too"), 7);
  assert.equal(wordsIn("<<<<<<< HEAD\none two\n||||||| base of it\n=======\nthree\n>>>>>>> other branch\n"), 3);
  assert.equal(wordsIn("<!-- slip: version 1, phone Ben -->\none\n<!-- slip: version 2 -->\ntwo\n<!-- slip: end of versions -->"), 2);
  assert.equal(wordsIn("<!-- slip: several\nlines -->\none\n<!-- slip list +x -->"), 4);
});

test("ticks a check box and opens it again", () => {
  const rows = [
    ["- [ ] one", 1, true, "- [x] one"],
    ["- [x] one", 1, false, "- [ ] one"],
    ["a\n  1. [ ] one\nb", 2, true, "a\n  1. [x] one\nb"],
    ["> - [ ] one", 1, true, "> - [x] one"],
    ["- > - [ ] one", 1, true, "- > - [x] one"],
    ["> 1. - [ ]", 1, true, "> 1. - [x]"],
    ["[^a]: - [ ] one", 1, true, "[^a]: - [x] one"],
    ["> [ ] one", 1, true, null],
    ["- [ ] one 📅 2026-12-01", 1, true, "- [x] one 📅 2026-12-01 ✅ 2026-11-27"],
    ["- [ ] one 📅 2026-12-01 ^a1", 1, true, "- [x] one 📅 2026-12-01 ✅ 2026-11-27 ^a1"],
    ["- [x] one 📅 2026-12-01 ✅ 2026-11-27 ^a1", 1, false, "- [ ] one 📅 2026-12-01 ^a1"],
    ["- [ ] one [due:: 2026-12-01]", 1, true, "- [x] one [due:: 2026-12-01] [completion:: 2026-11-27]"],
    ["- [x] one [due:: 2026-12-01] [completion:: 2026-11-27]", 1, false, "- [ ] one [due:: 2026-12-01]"],
    ["- [/] one", 1, true, "- [x] one"],
    ["> - [-] one", 1, true, "> - [x] one"],
    ["- [/ ] one", 1, true, null],
    ["plain", 1, true, null],
    ["- [ ] one", 2, true, null],
  ];
  for (const [before, line, isDone, wanted] of rows) assert.equal(ticked(before, line, isDone, "2026-11-27"), wanted, before);
});

test("makes a link of the selection and a pasted address", () => {
  const rows = [
    ["see peat bogs now", 4, 13, " https://a.org/b\n", "see [peat bogs](https://a.org/b) now"], ["x", 0, 1, "mailto:a@b.org", "[x](mailto:a@b.org)"],
    ["x", 0, 1, "https://a.org/b_(c)", "[x](<https://a.org/b_(c)>)"], ["x", 1, 1, "https://a.org", null], ["x", 0, 1, "two words", null],
    ["x", 0, 1, "https://a.org and more", null], ["https://b.org", 0, 13, "https://a.org", null], ["[x]", 0, 3, "https://a.org", null],
    ["a\nb", 0, 3, "https://a.org", null], ["```\nx\n```", 4, 5, "https://a.org", null],
  ];
  for (const [text, start, end, pasted, wanted] of rows) {
    const made = pastedLink(text, start, end, pasted);
    assert.equal(made && text.slice(0, made.from) + made.text + text.slice(made.to), wanted, `${text} ${pasted}`);
    if (made) assert.equal(made.start, made.from + made.text.length);
  }
});

const LIST = "- x\n- y";
for (const [before, markdown, wanted] of [
  ["a |b| c", "**x**", "a **x**| c"],
  ["a | c", "# x", "a \n\n# x|\n\n c"],
  ["|", "# x\n\ny", "# x\n\ny|"],
  ["a\n|\nb", LIST, "a\n\n- x\n- y|\n\nb"],
  ["- a\n- |\n- b", LIST, "- a\n- x\n- y|\n- b"],
  ["- a\n  - [ ] |", LIST, "- a\n  - x\n  - y|"],
  ["- a|", "x\n\ny", "- a\n\n  x\n\n  y|"],
  ["- a |", "x", "- a x|"],
  ["1. |", "x\\\ny", "1. x\\\n   y|"],
  ["> a\n> |", "# x\n\ny", "> a\n> \n> # x\n>\n> y|"],
  ["> |", "x\\\ny", "> x\\\n> y|"],
]) test(`pasted Markdown: ${JSON.stringify(before)}`, () =>
  assert.equal(after(before, (text, start, end) => continued(text, start, end, markdown)), wanted));

test("code and an empty text are pasted as they are", () => {
  assert.equal(continued("```\na\n```", 5, 5, "# x"), null);
  assert.equal(continued("a", 1, 1, ""), null);
});
