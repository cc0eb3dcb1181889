import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./assets.mjs";

const { caretAt, beginsLine } = await load("sourceplace.js");

test("begins to write behind the words of a heading", () => {
  const text = "# One  \n\nTwo words\n  ## Three\n#four\n";
  const rows = [["One", 5], ["Two", 9], ["words", 13], ["Three", 29], ["four", 31]];
  for (const [word, wanted] of rows) assert.equal(caretAt(text, text.indexOf(word)), wanted, word);
  assert.equal(caretAt("## Last", 0), 7);
  assert.equal(caretAt("", 0), 0);
});

test("knows the first word of a line", () => {
  const text = "# One two\n- [ ] three four\n";
  const rows = [["One", true], ["two", false], ["three", true], ["four", false]];
  for (const [word, wanted] of rows) assert.equal(beginsLine(text, text.indexOf(word)), wanted, word);
});
