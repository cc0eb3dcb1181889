import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./assets.mjs";

const { blocksOf, isUnfinished, wantedAt, headingsOf, daysFrom, dayOf, slugOf, fieldsFirst } = await load("completion.js");

test("finds what is being written", () => {
  const rows = [
    ["see [[Gar", { form: "note", typed: "Gar" }],
    ["see [[", { form: "note", typed: "" }],
    ["[[Garden#", { form: "heading", typed: "", note: "Garden" }],
    ["[[Garden #We", { form: "heading", typed: "We", note: "Garden" }],
    ["[[#We", { form: "heading", typed: "We", note: "" }],
    ["[[Garden#^a", { form: "block", typed: "a", note: "Garden" }],
    ["[[#^", { form: "block", typed: "", note: "" }],
    ["[[Garden#^a b", null],
    ["[[Garden|la", null],
    ["[[Garden]] ", null],
    ["a #ho", { form: "tag", typed: "ho" }],
    ["#home/gar", { form: "tag", typed: "home/gar" }],
    ["(#ho", { form: "tag", typed: "ho" }],
    ["a#ho", null],
    ["# ho", null],
    ["#", null],
    ["- [ ] Call due:", { form: "day", typed: "" }],
    ["- [ ] Call due:fri", { form: "day", typed: "fri" }],
    ["- [ ] Call 📅 fri", { form: "day", typed: "fri" }],
    ["- [ ] Call [due:: ", { form: "day", typed: "" }],
    ["- [x] Call due:", null],
    ["Call due:", null],
    ["- [ ] due:2026-01-01 ", null],
  ];
  for (const [text, wanted] of rows) assert.deepEqual(wantedAt(`first\n${text}`), wanted, text);
});

test("knows links and tags that are not finished", () => {
  const isWhole = (tag) => tag === "soil";
  const rows = [
    ["see [[Pe", true], ["[[Peat#^", true], ["[[Peat#^a", true], ["[[Peat|la", true], ["[[a]", true], ["a #", true], ["(#so", true],
    ["[[Peat]]", false], ["[[Peat]] on", false], ["a #soil", false], ["a #so on", false], ["# Title", false], ["a#so", false], ["a", false], ["[[Peat\na", false],
  ];
  for (const [text, wanted] of rows) assert.equal(isUnfinished(text, isWhole), wanted, text);
});

test("lists the headings of a text", () => {
  const text = "# One\ntext # no\n```\n# code\n```\n## Two ##\n####### no\n#no\n   ### Three\n";
  assert.deepEqual(headingsOf(text), [{ text: "One", level: 1, line: 1 }, { text: "Two", level: 2, line: 6 }, { text: "Three", level: 3, line: 9 }]);
});

test("lists the blocks of a text that have a name", () => {
  const text = "A line ^one\nno^name\n```\ncode ^two\n```\n^three\n- an item ^four-4  \ntext ^a b\n";
  assert.deepEqual(blocksOf(text), [{ name: "one", text: "A line" }, { name: "three", text: "" }, { name: "four-4", text: "- an item" }]);
});

test("names the days of the next week", () => {
  const days = daysFrom("2026-11-27");
  assert.deepEqual(days.slice(0, 4), [{ text: "today", day: "2026-11-27" }, { text: "tomorrow", day: "2026-11-28" }, { text: "sunday", day: "2026-11-29" }, { text: "monday", day: "2026-11-30" }]);
  assert.deepEqual(days.at(-1), { text: "in two weeks", day: "2026-12-11" });
});

test("knows the days of a picker", () => {
  const rows = [["2026-11-27", "today", "2026-11-27"], ["2026-11-27", "tomorrow", "2026-11-28"], ["2026-11-27", "monday", "2026-11-30"], ["2026-11-30", "monday", "2026-11-30"],
    ["2026-11-30", "next week", "2026-12-07"], ["2026-11-29", "next week", "2026-11-30"], ["2026-12-31", "next month", "2027-01-01"], ["2026-01-31", "next month", "2026-02-01"]];
  for (const [today, word, wanted] of rows) assert.equal(dayOf(word, today), wanted, `${word} on ${today}`);
});

test("names a heading as addresses do", () => {
  assert.equal(slugOf("What’s next? "), "whats-next");
  assert.equal(slugOf("Über  Gärten"), "über-gärten");
});

test("lists the fields of the notes first", () => {
  const items = ["author:", "due:", "priority:", "+home"].map((text) => ({ text }));
  const texts = (word) => fieldsFirst(items, ["priority", "due", "done"], word).map(({ text }) => text);
  assert.deepEqual(texts(""), ["priority:", "due:", "done:", "author:", "+home"]);
  assert.deepEqual(texts("a"), ["priority:", "due:", "author:", "+home"]);
});
