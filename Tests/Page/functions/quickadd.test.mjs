import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./assets.mjs";

const { parseLine, lackingFields, combined, writtenIn, splitChanges, kindOfLine, readLine, otherTitle } = await load("quickadd.js");

const kinds = {
  task: { name: "task", fields: [{ name: "due", type: "date" }, { name: "priority", type: "choice" }, { name: "group", type: "reference" }, { name: "after", type: "reference", list: true }] },
  note: { name: "note", fields: [] },
};
const ranks = { "!": "low", "!!": "medium", "!!!": "high" };
const shape = {
  kindNamed: (name) => kinds[name],
  fieldOf: (kind, name) => kind.fields.find((field) => field.name === name),
  rankOf: (kind, mark) => (kind.name === "task" && ranks[mark] ? { field: "priority", value: ranks[mark] } : undefined),
};
const read = (line, kind = "task") => {
  const { kind: found, title, changes } = parseLine(line, kinds[kind], shape);
  return [found.name, title, changes.map((one) => one.text)];
};

test("reads a title with changes", () => {
  const rows = [
    ["Call Ada due:tomorrow +home !!", ["task", "Call Ada", ["due:tomorrow", "+home", "!!"]]],
    ["due:friday Call #home Ada", ["task", "Call Ada", ["due:friday", "#home"]]],
    ["Call due:next week now", ["task", "Call now", ["due:next week"]]],
    ["Call due:in 3 days", ["task", "Call", ["due:in 3 days"]]],
    ["Call due:\"3 dec\" Ada", ["task", "Call Ada", ["due:3 dec"]]],
    ["Call due:next monday Ada", ["task", "Call Ada", ["due:next monday"]]],
    ["Call due:5 dec 2026 Ada", ["task", "Call Ada", ["due:5 dec 2026"]]],
    ["Call due:dec 5 Ada", ["task", "Call Ada", ["due:dec 5"]]],
    ["due:day after tomorrow Call Ada", ["task", "Call Ada", ["due:day after tomorrow"]]],
    ["Call due:monday 9am Ada", ["task", "Call Ada", ["due:monday 9am"]]],
    ["Call due:friday 3 times", ["task", "Call 3 times", ["due:friday"]]],
    ["Call at 12:30", ["task", "Call at 12:30", []]],
    ["Re: login", ["task", "Re: login", []]],
    ["Re:login", ["task", "Re:login", []]],
    ["due:", ["task", "due:", []]],
    ["Say \"due:friday\" +1 #2", ["task", "Say due:friday +1 #2", []]],
    ["Use the \"old shed\" for \"bikes\"", ["task", "Use the \"old shed\" for \"bikes\"", []]],
    ["\"note\" taking", ["task", "note taking", []]],
    ["Wow ! !!!!", ["task", "Wow !!!!", ["!"]]],
    ["note Call Ada +home", ["note", "Call Ada", ["+home"]]],
    ["note", ["task", "note", []]],
    ["", ["task", "", []]],
  ];
  for (const [line, wanted] of rows) assert.deepEqual(read(line), wanted, line);
  assert.deepEqual(read("Call due:friday !!", "note"), ["note", "Call due:friday !!", []]);
});

test("takes the kind of a line from a chosen one, the first word, then the fields", () => {
  const rows = [
    ["task Buy milk", "note", false, ["task", "Buy milk"]],
    ["Task force meeting", "note", false, ["note", "Task force meeting"]],
    ["task", "note", false, ["note", "task"]],
    ["task Buy milk", "note", true, ["note", "task Buy milk"]],
    ["note Call Ada", "task", true, ["task", "note Call Ada"]],
    ["\"task\" force", "note", false, ["note", "task force"]],
    ["\"task\" force", "note", true, ["note", "task force"]],
    ["Call due:friday", "note", false, ["task", "Call"]],
    ["Call", "note", false, ["note", "Call"]],
    ["Call due:friday", "note", true, ["note", "Call due:friday"]],
    ["note Call due:friday", "task", false, ["note", "Call due:friday"]],
    ["due:friday", "note", false, ["task", ""]],
    ["", "note", false, ["note", ""]],
  ];
  for (const [line, kind, isChosen, wanted] of rows) {
    const { kind: found, title } = readLine(line, kinds[kind], isChosen, Object.values(kinds), shape);
    assert.deepEqual([found.name, title], wanted, line);
  }
});

test("gives the title where it is another text than the line", () => {
  const rows = [["Call Ada", "Call Ada", null], [" Call  Ada ", "Call Ada", null], ["Call +home", "Call", "Call"], ["+home", "", null]];
  for (const [line, title, wanted] of rows) assert.equal(otherTitle(line, title), wanted, line);
});

test("gives changes as the server reads them", () => {
  assert.deepEqual(parseLine("A due:friday after:B +c !!", kinds.task, shape).changes.map(({ text, ...change }) => change), [
    { field: "due", value: "friday" }, { field: "after", add: "B" }, { field: "tags", add: "c" }, { field: "priority", value: "medium" }]);
});

test("lets the last change of a field count", () => {
  assert.deepEqual(combined([{ field: "due", value: "today" }, { field: "tags", add: "a" }], [{ field: "due", value: "friday", text: "x" }, { field: "tags", add: "b" }, { field: "tags", add: "a" }]), [
    { field: "due", value: "friday" }, { field: "tags", add: "b" }, { field: "tags", add: "a" }]);
});

test("reads values of a patch", () => {
  assert.equal(writtenIn("+id: a\n+due: 2026-12-01\n+\n", "due"), "2026-12-01");
  assert.equal(writtenIn("+id: a\n", "due"), undefined);
});

test("splits a line into changes", () => {
  const rows = [
    ['status:closed +tag  due:"next week" ""', ["status:closed", "+tag", "due:next week"]],
    ["due:next monday", ["due:next monday"]],
    ["due:in 3 days +home -old priority:high", ["due:in 3 days", "+home", "-old", "priority:high"]],
    ["due: next monday", ["due:next monday"]],
    ["due=next monday", ["due:next monday"]],
    ["note=1", ["note=1"]],
    ["+home garden", ["+home", "garden"]],
    ["title:Re: the shed", ["title:Re: the shed"]],
    ["source:https://example.org x", ["source:https://example.org x"]],
    ["due:", ["due:"]],
    [" ", []],
  ];
  for (const [line, wanted] of rows) assert.deepEqual(splitChanges(line, ["due"]), wanted, line);
});

test("chooses the kind that has the fields of a line", () => {
  const meant = (line, kind) => kindOfLine(line, kinds[kind], Object.values(kinds), shape).name;
  assert.equal(meant("Call Ada due:tomorrow !!", "note"), "task");
  assert.equal(meant("Well done !!", "note"), "note");
  assert.equal(meant("Re: 12:30 other:x", "note"), "note");
  assert.equal(meant("Call due:x", "task"), "task");
});

test("names the fields that the kind lacks and another has", () => {
  const lacking = (title, kind) => lackingFields(title, kinds[kind], Object.values(kinds), shape);
  assert.deepEqual(lacking("Flaky due:friday", "note"), ["due"]);
  assert.deepEqual(lacking("Flaky due:friday", "task"), []);
  assert.deepEqual(lacking("Re: login", "note"), []);
});
