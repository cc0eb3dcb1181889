import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./assets.mjs";

const { carry, diffRange, lineStart, placeAfter } = await load("textmerge.js");

test("finds the range in which two texts differ", () => {
  const rows = [
    ["same", "same", { start: 4, end: 4, text: "" }],
    ["one two", "one red two", { start: 4, end: 4, text: "red " }],
    ["aaa", "aa", { start: 2, end: 3, text: "" }],
    ["", "new", { start: 0, end: 0, text: "new" }],
  ];
  for (const [from, to, wanted] of rows) assert.deepEqual(diffRange(from, to), wanted);
});

test("puts what was typed into a merged text", () => {
  const rows = [
    ["one two three", "one two three four", "zero two three", "zero two three four"],
    ["one two three", "red two three", "one two blue", "red two blue"],
    ["one two three", "one two three", "one two blue", "one two blue"],
    ["one two three", "one red three", "one blue three", null],
  ];
  for (const [sent, typed, merged, wanted] of rows) assert.equal(carry(sent, typed, merged), wanted);
  assert.equal(carry("one two", "one and two", "one red two"), null);
  assert.equal(carry("one two", "one and two", "one red two", 4), "one red and two");
});

test("finds a place again in another text", () => {
  const move = placeAfter("one two three", "one red two three");
  assert.deepEqual([0, 4, 5, 13].map(move), [0, 4, 9, 17]);
  assert.deepEqual([0, 2, 4].map(placeAfter("abcd", "ad")), [0, 1, 2]);
});

test("finds where a line begins", () => {
  assert.deepEqual([1, 2, 3].map((line) => lineStart("a\nbb\nc", line)), [0, 2, 5]);
});
