import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./assets.mjs";

const { summaryOf, movesOf, doneText } = await load("summary.js");

const file = (name, ...lines) => [`diff --git a/${name} b/${name}`, "index 1..2 100644", `--- a/${name}`, `+++ b/${name}`, ...lines].join("\n");

test("sums up what a patch changes", () => {
  const high = (name) => file(name, "@@ -2,5 +2,5 @@", " id: a", "-priority: high", "+priority: low", " due: 2026-01-01", " ---", "-due: text", "+due: words");
  assert.deepEqual(summaryOf([high("a.md"), high("b.md"), file("c.md", "@@ -3 +3 @@", "-priority: medium", "+priority: low")].join("\n")), [
    { field: "priority", from: "high", to: "low", count: 2 }, { field: "body", from: "", to: "", count: 2 }, { field: "priority", from: "medium", to: "low", count: 1 }]);
});

test("names what is added to lists and removed from them", () => {
  assert.deepEqual(summaryOf(file("a.md", "@@ -1,4 +1,4 @@", " ---", "-tags: [a, b]", "+tags: [b, \"c d\"]", " ---")), [{ field: "tags", from: "a", to: "c d", count: 1 }]);
  assert.deepEqual(summaryOf(file("a.md", "@@ -1,4 +1,5 @@", " ---", " tags:", "   - a", "+  - b", " ---")), [{ field: "tags", from: "", to: "b", count: 1 }]);
  assert.deepEqual(summaryOf(file("a.md", "@@ -1,4 +1,5 @@", " ---", "+tags: [a]", " ---")), [{ field: "tags", from: "", to: "a", count: 1 }]);
});

test("counts new and deleted notes", () => {
  const patch = ["diff --git a/a.md b/a.md", "deleted file mode 100644", "--- a/a.md", "+++ /dev/null", "@@ -1,3 +0,0 @@", "----", "-id: a", "----"].join("\n");
  assert.deepEqual(summaryOf(patch), [{ field: null, from: "", to: "deleted", count: 1 }]);
  assert.deepEqual(summaryOf(""), []);
});

test("counts notes that only move", () => {
  const gone = (name, blob) => `diff --git a/${name} b/${name}\ndeleted file mode 100644\nindex ${blob}..0000000\n--- a/${name}\n+++ /dev/null\n@@ -1 +0,0 @@\n-text\n`;
  const come = (name, blob) => `diff --git a/${name} b/${name}\nnew file mode 100644\nindex 0000000..${blob}\n--- /dev/null\n+++ b/${name}\n@@ -0,0 +1 @@\n+text\n`;
  assert.equal(movesOf(gone("a/y.md", "1a") + come("b/y.md", "1a") + gone("a/z.md", "2b") + come("b/z.md", "2b")), 2);
  assert.equal(movesOf(gone("a/y.md", "1a") + come("b/y.md", "3c")), null);
  assert.equal(movesOf(file("c.md", "@@ -3 +3 @@", "-a", "+b") + "\n" + gone("a/y.md", "1a") + come("b/y.md", "1a")), null);
  assert.equal(movesOf(""), null);
});

test("says what was done", () => {
  const rows = [
    ["Delete note: Ann", "Deleted note: Ann"], ["Set priority high, add tag home: Ann", "Set priority high, added tag home: Ann"],
    ["New task: Set the table", "Created task: Set the table"], ["Undo: Delete note: Ann", "Undone: Delete note: Ann"],
    ["Retitle Ann to Bob", "Retitled Ann to Bob"], ["Today: Ann", "Today: Ann"], ["Finish task: Ann", "Finished task: Ann"], ["constructor: x", "Constructor: x"],
  ];
  for (const [subject, wanted] of rows) assert.equal(doneText(subject), wanted);
});
