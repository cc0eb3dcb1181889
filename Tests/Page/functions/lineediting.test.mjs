import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./assets.mjs";

const { headed, bulleted, tasked, wikiLinked } = await load("lineediting.js");

/** Runs an edit on a text whose caret is `|`, or whose selection is between two of them. */
function run(edit, marked) {
  const [before, selected, after] = marked.split("|");
  const text = after === undefined ? before + selected : before + selected + after;
  const start = before.length;
  const made = edit(text, start, after === undefined ? start : start + selected.length);
  const whole = text.slice(0, made.from) + made.text + text.slice(made.to);
  const parts = [whole.slice(0, made.start), whole.slice(made.start, made.end), whole.slice(made.end)];
  return made.start === made.end ? `${parts[0]}|${parts[2]}` : parts.join("|");
}

const rows = (name, edit, cases) =>
  test(name, () => {
    for (const [before, after] of cases) assert.equal(run(edit, before), after, before);
  });

rows("makes headings", headed, [
  ["|", "# |"],
  ["a\nb|c", "a\n# b|c"],
  ["# b|c", "## b|c"],
  ["### b|c", "b|c"],
  ["###### |b", "|b"],
]);

rows("makes lists", bulleted, [
  ["|", "- |"],
  ["a|b", "- a|b"],
  ["- a|b", "a|b"],
  ["- [ ] a|", "a|"],
  ["1. a|", "- a|"],
  ["|1. a\n- b|", "|- a\n- b|"],
  ["> a|", "> - a|"],
  ["|a\n\nb|\nc", "|- a\n\n- b|\nc"],
  ["|- a\nb|", "|- a\n- b|"],
  ["|- a\n- b|", "|a\nb|"],
]);

rows("makes check boxes", tasked, [
  ["|", "- [ ] |"],
  ["a|b", "- [ ] a|b"],
  ["- a|b", "- [ ] a|b"],
  ["1. a|", "1. [ ] a|"],
  ["- [x] a|", "- a|"],
  ["- [/] a|", "- a|"],
  ["|a\n- b|", "|- [ ] a\n- [ ] b|"],
]);

rows("makes links to notes", wikiLinked, [
  ["a |", "a [[|]]"],
  ["a |b|", "a [[b|]]"],
]);
