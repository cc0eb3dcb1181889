import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./assets.mjs";

const { SaveJob, TRANSITIONS, slotOf } = await load("savejob.js");
const { SaveQueue } = await load("savequeue.js");

/** A queue whose server answers as `answers` say, one after another; `told` is what it says. */
function queueWith(answers) {
  const typed = new Map();
  const told = [];
  const sent = [];
  const later = [];
  const drafts = {
    keep() {},
    hasDrafts: () => typed.size > 0,
    draftOf: (ref, slot) => typed.get(`${ref} ${slot}`),
    draftsOf: (ref) => [...typed.values()].filter((draft) => draft.ref === ref),
    renameDrafts() {},
  };
  const queue = new SaveQueue({
    drafts,
    send: async (job) => {
      sent.push({ ...job.request(), sent: job.sent });
      const answer = answers.shift();
      if (answer instanceof Error) throw answer;
      if (typeof answer === "object") return { operation: "o", subject: "", notes: [], versions: [], ...answer };
      return { operation: "o", subject: "", notes: [], versions: [{ ref: job.ref, etag: answer }] };
    },
    emit: (topic) => told.push(topic),
    say: (text) => told.push(text),
    nameOf: (note) => note.id,
    isShown: () => true,
    labelOf: (field) => ({ body: "Text", title: "Title", owner: "Owner" })[field],
    later: (run) => later.push(run),
  });
  return { queue, typed, told, sent, later };
}

const refusal = (members) => Object.assign(new Error("no"), { conflicts: [], advice: "no", ...members });
const offline = () => refusal({ passing: true, code: "offline", status: 0 });
const title = (value, etag = "1", base = "Old") => ({
  ref: "a", etag, slot: slotOf("title"), base, value, changes: [{ field: "title", value }], typed: true,
});
const settled = () => new Promise((done) => setTimeout(done));

test("knows where every state leads", () => {
  for (const [state, events] of Object.entries(TRANSITIONS)) {
    for (const [event, next] of Object.entries(events)) {
      assert.ok(next in TRANSITIONS, `${state} ${event}`);
    }
    assert.equal(state === "done" ? undefined : "done", events.drop);
  }
  const job = new SaveJob(title("New"), () => {});
  assert.throws(() => job.move("acknowledge"), /a save that is waiting can't acknowledge/);
  job.move("send");
  assert.throws(() => job.move("send"));
  job.move("acknowledge");
  assert.throws(() => job.move("drop"));
});

test("saves one change after another, each over the version of the one before", async () => {
  const { queue, sent } = queueWith(["2", "3"]);
  const answers = await Promise.all([
    queue.save(title("A")), queue.save({ ref: "a", etag: "1", changes: [{ field: "tags", add: "home" }] }),
  ]);
  assert.deepEqual(answers.map((answer) => answer.versions[0].etag), ["2", "3"]);
  assert.deepEqual(sent.map(({ notes }) => notes[0].etag), ["1", "2"]);
  assert.equal(queue.summary().word, "saved");
});

test("writes a value once that is set again before it was sent", async () => {
  const { queue, sent } = queueWith(["2", "3"]);
  const first = queue.save({ ref: "b", etag: "1", changes: [] });
  const second = queue.save(title("A"));
  const third = queue.save(title("B", "1", "A"));
  assert.equal(await second, null);
  await Promise.all([first, third]);
  assert.deepEqual(sent.map(({ changes }) => changes[0]?.value), [undefined, "B"]);
});

test("sends a change again with its key when the server is back", async () => {
  const { queue, sent, later } = queueWith([offline(), "2", "3"]);
  const saved = queue.save(title("A"));
  await settled();
  assert.equal(queue.summary().word, "failed");
  const next = queue.save(title("B"));
  await Promise.all([saved, next]);
  assert.equal(later.length, 1);
  assert.equal(sent[0].idempotencyKey, sent[1].idempotencyKey);
  assert.deepEqual(sent.map(({ changes }) => changes[0].value), ["A", "A", "B"]);
  assert.deepEqual(sent.map(({ notes }) => notes[0].etag), ["1", "1", "2"]);
});

test("waits for a decision after a clash", async () => {
  const clash = refusal({ status: 409, conflicts: [{ field: "title" }], isRefusal: true });
  const { queue, sent } = queueWith([clash, "2"]);
  const saved = queue.save(title("A"));
  await settled();
  const [job] = queue.stuck("a");
  assert.equal(job.state, "conflict");
  assert.equal(job.sent, false);
  assert.equal(queue.isIdle, true);
  job.keep = "mine";
  queue.retry(job);
  queue.retry(job);
  await saved;
  assert.deepEqual(sent.map(({ keep }) => keep), [undefined, "mine"]);
});

test("keeps what was typed into a note that is gone", async () => {
  const { queue } = queueWith([refusal({ status: 404, code: "not-found", isRefusal: true }), "2"]);
  const saved = queue.save(title("A"));
  await settled();
  assert.equal(queue.stuck()[0].state, "lost");
  queue.found("a");
  assert.equal((await saved).versions[0].etag, "2");
});

test("forgets a refused value that was chosen, and keeps one that was typed", async () => {
  const { queue, told } = queueWith([refusal({ status: 400, isRefusal: true }), refusal({ status: 400, isRefusal: true })]);
  assert.equal(await queue.save({ ...title("A"), typed: false }), null);
  assert.ok(told.includes("dropped"));
  queue.save(title("B"));
  await settled();
  assert.equal(queue.stuck()[0].state, "refused");
});

test("takes the later text in place of a refused one", async () => {
  const { queue, sent } = queueWith([refusal({ status: 400, isRefusal: true }), "2"]);
  const first = queue.save(title("A"));
  const second = queue.save(title("B", "9", "A"));
  assert.equal(await first, null);
  await second;
  assert.equal(sent[1].notes[0].etag, "1");
});

test("says whose version was written, and what else was merged", async () => {
  const clash = refusal({ status: 409, isRefusal: true, conflicts: [{ field: "body" }] });
  const merged = [{ field: "body" }, { field: "owner" }];
  const { queue, told } = queueWith([clash, { merged }, { merged: [{ field: "title" }] }]);
  queue.save({ ref: "a", etag: "1", slot: "body", base: "", value: "x", body: "x" });
  await settled();
  const [job] = queue.stuck();
  job.keep = "mine";
  await queue.retry(job);
  queue.save({ ref: "b", etag: "1", slot: slotOf("owner"), base: "", value: "x" });
  await settled();
  const said = told.filter((one) => /[A-Z]/.test(one));
  assert.deepEqual(said, [
    "Your version was kept: Text. Merged with what was changed elsewhere: Owner",
    "Merged with what was changed elsewhere: Title",
  ]);
});
