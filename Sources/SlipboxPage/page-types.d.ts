// The data that scripts of the page share, for tsc and for editors. Members that notes define freely are `any`.

/** A note as the server lists it. */
interface Note {
  id?: string | null;
  path: string;
  /** The name by which the server knows it, if that is not its id. */
  ref?: string;
  title: string;
  kind?: string;
  tags?: string[];
  fields?: Record<string, any>;
  body?: string;
  created: string;
  modified: string;
  /** Whether a record is active; missing in notes. */
  active?: boolean;
  /** `overdue`, `blocked` or `waiting`, and a day after it. */
  state?: string;
  /** The version of the file. */
  etag?: string;
  /** The deletion, in the list of deleted notes. */
  deleted?: { time: string; commit: string; command?: string };
  snippet?: { text: string; hit?: boolean }[];
}

/** The notes of an action: everything that the query finds, or those that are named. */
type Notes = "all" | Note[];

interface Field {
  name: string;
  type: string;
  list?: boolean;
  required?: boolean;
  default?: any;
  values?: string[];
  minimum?: number;
  maximum?: number;
  /** The kind of the records that it refers to. */
  target?: string;
  comment?: string;
}

interface Kind {
  name: string;
  comment?: string;
  fields: Field[];
  /** The changes of each action. */
  actions?: Record<string, string[]>;
  active?: string;
  row?: any[];
  plain?: boolean;
  count?: number;
  activeCount?: number;
}

/** One field of a change. */
interface FieldChange {
  field: string;
  value?: any;
  add?: string;
  remove?: string;
  /** The words of the change as they were typed. */
  text?: string;
}

/** What the address names. */
interface Place {
  view: string;
  /** The name of a saved view. */
  name?: string;
  query: string;
  ref: string | null;
  /** The day of the past that is shown. */
  at: string | null;
}

/** What is typed into one place of a note and not sent yet. */
interface Draft {
  ref: string;
  slot: string;
  /** The version on which typing began, and what the place held in it. */
  etag: string;
  base?: any;
  value: any;
  title?: string;
  /** Whose value of a conflict is written: `mine`. */
  keep?: string | null;
}

/** A change of one note that is to be saved. */
interface SaveRequest {
  ref: string;
  etag?: string;
  /** The one place that it sets, if it sets one; `base`: what the place held. */
  slot?: string | null;
  base?: any;
  value?: any;
  changes?: (FieldChange | string)[];
  body?: string;
  title?: string;
  /** Whose value of a conflict is written: `mine`. */
  keep?: string | null;
  /** Whether it was typed, and not chosen. */
  typed?: boolean;
  /** Whether the server may have applied it. */
  sent?: boolean;
  idempotencyKey?: string;
}

/** What the server says after a write. */
interface WriteAnswer {
  operation: string | null;
  subject: string;
  notes: Note[];
  versions: { ref?: string; path: string; etag: string }[];
  merged?: { field: string }[];
  hints?: string[];
  /** Nothing had to be written. */
  already?: boolean;
}

/** An action of the page. */
interface Action {
  id: string;
  group: string;
  title: string;
  keys: string[];
  run: (event?: Event) => any;
  when?: () => any;
  repeats?: boolean;
  everywhere?: boolean;
  verb?: string;
}

/** A line of a chooser. */
interface Item {
  text: string;
  detail?: string;
  key?: string;
  mark?: string;
  chosen?: boolean;
  /** The first Enter shows it, the second takes it. */
  isConfirmed?: boolean;
  disabled?: boolean;
  class?: string;
  /** What is searched besides the text, or in its place. */
  also?: string;
  match?: string;
  run: () => any;
}

interface Array<T> {
  findLast(test: (value: T, index: number) => unknown): T | undefined;
  findLastIndex(test: (value: T, index: number) => unknown): number;
}
