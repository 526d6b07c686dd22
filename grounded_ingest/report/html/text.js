"use strict";
// Turns document text into text nodes. No code on this page parses document text as markup.

const DATA = JSON.parse(document.getElementById("data").textContent);
const UNSEEN = new RegExp(DATA.unseen, "gu");
const BLANK = /^[\t\n\r]$/;

const $ = (id) => document.getElementById(id);

/** Returns an element. Children are nodes or strings; null children are left out. */
function el(tag, name, ...children) {
  const made = document.createElement(tag);
  if (name) made.className = name;
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== ""));
  return made;
}

function button(name, press, ...children) {
  const made = el("button", name, ...children);
  made.type = "button";
  made.addEventListener("click", press);
  return made;
}

function named(char) {
  return "U+" + char.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
}

/** Returns nodes for document text. Shows the names of invisible and reordering characters. */
function shown(text) {
  const nodes = [];
  let at = 0;
  for (const { 0: char, index } of text.matchAll(UNSEEN)) {
    nodes.push(text.slice(at, index), BLANK.test(char) ? " " : el("span", "unseen", named(char)));
    at = index + char.length;
  }
  nodes.push(text.slice(at));
  return nodes;
}

/** Returns document text as a string, with the names of invisible characters. */
function plain(text) {
  return text.replace(UNSEEN, (char) => (BLANK.test(char) ? " " : `⟨${named(char)}⟩`));
}

/** Returns document text that is isolated from the text direction around it. */
function judged(name, text) {
  const made = el("bdi", name, shown(text));
  made.dir = "auto";
  return made;
}

/** Returns a path that may break after a slash. */
function place(text) {
  return el("bdi", "path", text.split(/(?<=\/)/).flatMap((p) => [...shown(p), el("wbr")]));
}

/** Returns a text in which words between backticks are formatted as code. */
function prose(text) {
  const made = el("bdi", "", text.split(/`([^`]+)`/).map((p, n) => (n % 2 ? el("code", "", shown(p)) : shown(p))));
  made.dir = "auto";
  return made;
}

function count(number) {
  return number.toLocaleString("en");
}

function many(number, one, more) {
  return `${count(number)} ${number === 1 ? one : more}`;
}

/** Lets the user choose between the light and the dark theme. */
function theme() {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const root = document.documentElement;
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : dark.matches);
  const label = () => ($("theme").textContent = isDark() ? "Light" : "Dark");
  try {
    const kept = localStorage.getItem("grounded-theme");
    if (kept === "dark" || kept === "light") root.dataset.theme = kept;
  } catch {
    // there is no storage; the choice is lost when the page closes
  }
  $("theme").addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    try {
      localStorage.setItem("grounded-theme", root.dataset.theme);
    } catch {
      // there is no storage
    }
    label();
  });
  dark.addEventListener("change", label);
  label();
}
