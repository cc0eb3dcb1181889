// @ts-check
// Elements are made by name and attribute; no text of a note is ever read as HTML.

const PROPERTIES = new Set([
  "value",
  "checked",
  "disabled",
  "hidden",
  "readOnly",
  "selected",
  "tabIndex",
  "type",
  "indeterminate",
]);

/**
 * Makes an element. `props`: `class`, `text`, `on` (listeners), `data`, attributes. Children that are null or
 * false are left out.
 */
export function el(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null) continue;
    if (name === "class") node.className = value;
    else if (name === "text") node.textContent = value;
    else if (name === "on")
      for (const [type, listener] of Object.entries(value)) node.addEventListener(type, listener);
    else if (name === "data") Object.assign(node.dataset, value);
    else if (PROPERTIES.has(name)) node[name] = value;
    else if (value !== false) node.setAttribute(name, value === true ? "" : String(value));
  }
  return add(node, ...children);
}

export function add(node, ...children) {
  for (const child of children.flat(2))
    if (child !== null && child !== undefined && child !== false) node.append(child);
  return node;
}

export function replace(node, ...children) {
  node.replaceChildren();
  return add(node, ...children);
}

/** A button with a text; `title` names its key too. */
export function button(text, run, props = {}) {
  return el("button", { type: "button", text, ...props, on: { click: run, ...props.on } });
}

let made = 0;
/** An id that no other element of the page has. */
export function newId(prefix = "e") {
  return `${prefix}-${++made}`;
}

/**
 * The element with the focus, if a node has it inside.
 * @param {Node} node
 */
export function focusIn(node) {
  const focus = document.activeElement;
  return focus instanceof HTMLElement && node.contains(focus) ? focus : null;
}

/** Sets an attribute, or takes it away for null and false; writes nothing where it has the value already. */
export function attribute(node, name, value) {
  if (value === null || value === undefined || value === false) {
    if (node.hasAttribute(name)) node.removeAttribute(name);
  } else if (node.getAttribute(name) !== String(value)) node.setAttribute(name, String(value));
}

export function typing(node) {
  return (
    node instanceof HTMLTextAreaElement ||
    node instanceof HTMLSelectElement ||
    (node instanceof HTMLInputElement && !["checkbox", "radio", "button", "range"].includes(node.type))
  );
}

/** Replaces a stretch of a field as if it was typed: the browser can undo it too. */
export function typeInto(field, from, to, text) {
  if (from === to && !text) return;
  field.setSelectionRange(from, to);
  if (document.execCommand(text ? "insertText" : "delete", false, text)) return;
  field.setRangeText(text, from, to, "end");
  field.dispatchEvent(new InputEvent("input", { bubbles: true }));
}

export function later(milliseconds, run) {
  let timer = null;
  const call = (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      timer = null;
      run(...args);
    }, milliseconds);
  };
  call.cancel = () => {
    clearTimeout(timer);
    timer = null;
  };
  call.waits = () => timer !== null;
  return call;
}
