// @ts-check
// Requests to the server: the token in a header, one kind of error for all.

import { state, emit } from "./store.js";
import { sentences } from "./names.js";

let token = null;
export function useToken(value) {
  token = value;
}

/** Without the quotes of a shell around a query, which the command line needs and the page does not. */
const withoutShell = (text) => text.replace(/'([^'\n]*"[^'\n]*)'/g, "$1");

export class ApiError extends Error {
  constructor(status, { code, message, field = null, hints = [] }, body = {}) {
    super(withoutShell(message));
    this.status = status;
    this.code = code;
    /** The field whose value is refused; null for other errors. */
    this.field = field;
    this.hints = hints.map(withoutShell);
    this.conflicts = body.conflicts ?? [];
  }
  /** It may succeed when it is tried again: no server, or a box that is held. */
  get passing() {
    return this.code === "offline" || this.code === "busy" || this.code === "unauthorized";
  }
  /** The server applied nothing, now or at an earlier attempt with the same idempotency key. */
  get isRefusal() {
    return this.status >= 400 && this.status < 500 && this.status !== 401 && this.status !== 403;
  }
  get advice() {
    return sentences([this.message.replace(/^the new note: /, ""), ...this.hints]);
  }
}

export function setOnline(online) {
  if (state.online === online) return;
  state.online = online;
  emit("online", online);
}

export async function request(path, options = {}) {
  let answer;
  try {
    answer = await fetch(path, {
      ...options,
      headers: { "Slip-Token": token ?? "", ...options.headers },
      cache: "no-store",
      credentials: "omit",
      redirect: "error",
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    setOnline(false);
    throw new ApiError(0, {
      code: "offline",
      message: "the server does not answer",
      hints: ["start it again with slip page; your text is kept"],
    });
  }
  if (answer.status === 401) emit("unauthorized");
  else setOnline(true);
  return answer;
}

let listed = null;
/** The word for the box as the first list showed it. */
export const firstState = () => listed;

/** @returns {Promise<any>} */
async function json(path, options) {
  const answer = await request(path, options);
  if (listed === null && path.startsWith("/api/list")) listed = answer.headers.get("Slip-State");
  let body = {};
  try {
    body = await answer.json();
  } catch {
    /* an error without a body */
  }
  if (!answer.ok)
    throw new ApiError(
      answer.status,
      body.error ?? { code: "failed", message: `the server answered ${answer.status}` },
      body,
    );
  return body;
}

const search = (params) => {
  const used = Object.entries(params).filter(
    ([, value]) => value !== null && value !== undefined && value !== "",
  );
  return used.length ? `?${new URLSearchParams(used)}` : "";
};

/** Reads; the past where the address names one. */
export function get(name, params = {}, options = {}) {
  return json(`/api/${name}${search({ at: state.place.at, ...params })}`, options);
}

/** The notes whose titles fit a text; none if the server does not say. */
export const titlesLike = async (q, limit) => {
  try {
    return await get("titles", { q, limit });
  } catch {
    return { notes: [] };
  }
};

/** Notes of the browser's memory as they are now, `{ref, title, kind, path}`, without those that are gone. */
export async function notesNow(notes) {
  if (!notes.length) return [];
  try {
    return (await get("titles", { refs: notes.map(({ ref }) => ref).join("\n") })).notes;
  } catch {
    return notes;
  }
}

const send = (name, body, options) =>
  json(`/api/${name}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
    ...options,
  });

/** The idempotency keys of the writes whose answers were lost, by request. */
const unanswered = new Map();

/**
 * Writes. If the answer is lost, the same request sent again has the same idempotency key: the server applies
 * it once. A body with a key of its own keeps it.
 */
export async function post(name, body, options = {}) {
  if (body.preview || body.idempotencyKey) return send(name, body, options);
  const request = `${name} ${JSON.stringify(body)}`;
  const idempotencyKey = unanswered.get(request) ?? crypto.randomUUID();
  unanswered.set(request, idempotencyKey);
  try {
    const answer = await send(name, { ...body, idempotencyKey }, options);
    unanswered.delete(request);
    return answer;
  } catch (error) {
    if (error.isRefusal) unanswered.delete(request);
    throw error;
  }
}

/** Sends a picture, which the server adds to the box and links at `place` in the text of a note. */
export const sendPicture = (file, { ref, etag, place }) =>
  json(`/api/attach${search({ ref, etag, place, idempotencyKey: crypto.randomUUID() })}`, {
    method: "POST",
    headers: { "Content-Type": "application/octet-stream" },
    body: file,
  });

/** The address of an attachment's bytes in this page; the caller revokes it. */
export async function fileAddress(path) {
  const answer = await request(`/api/file${search({ path, at: state.place.at })}`);
  if (!answer.ok) throw new ApiError(answer.status, { code: "not-found", message: `${path} can't be read` });
  return {
    address: URL.createObjectURL(await answer.blob()),
    type: answer.headers.get("Content-Type") ?? "",
  };
}
