"use strict";
// What was judged comes in here and leaves as text nodes; nothing on this page parses markup.

const DATA = JSON.parse(document.getElementById("data").textContent);
const { claims: CLAIMS, paths: PATHS, sections: SECTIONS, rules: RULES } = DATA;
const TIERS = { 0: "unchecked", 1: "grounded", 2: "waiting", 3: "blocked" };
const UNSEEN = new RegExp(DATA.unseen, "gu");
const BLANK = /^[\t\n\r]$/;

const $ = (id) => document.getElementById(id);

/** An element; children are nodes or strings, null is left out. */
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

function svg(tag, attributes, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function named(char) {
  return "U+" + char.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
}

/** Nodes of a judged text: characters that hide or reorder are named instead of obeyed. */
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

/** The same for places that take a string alone. */
function plain(text) {
  return text.replace(UNSEEN, (char) => (BLANK.test(char) ? " " : `⟨${named(char)}⟩`));
}

/** A judged text apart from its surroundings, whichever way its script runs. */
function judged(name, text) {
  const made = el("bdi", name, shown(text));
  made.dir = "auto";
  return made;
}

/** A path, which may break after a slash. */
function place(text) {
  return el("bdi", "path", text.split(/(?<=\/)/).flatMap((p) => [...shown(p), el("wbr")]));
}

/** A claim, what stands between backticks set as code. */
function prose(text) {
  const made = el("bdi", "", text.split(/`([^`]+)`/).map((p, n) => (n % 2 ? el("code", "", shown(p)) : shown(p))));
  made.dir = "auto";
  return made;
}

/** Pieces as `beside.parts` gives them: every second one stands on this side alone. */
function pieces(parts) {
  const paired = parts.join("").split("`").length % 2;
  let code = false;
  const set = (text) => text.split(paired ? "`" : /(?!)/).map((p, n) => {
    if (n) code = !code;
    return code && p ? el("code", "", shown(p)) : shown(p);
  });
  const made = el("bdi", "", parts.map((p, n) => (n % 2 ? el("mark", "", set(p)) : set(p))));
  made.dir = "auto";
  return made;
}

function count(number) {
  return number.toLocaleString("en");
}

function many(number, one, more) {
  return `${count(number)} ${number === 1 ? one : more}`;
}

/** A share in percent that says 0 or 100 only where it is. */
function percent(part, whole) {
  if (!whole) return "–";
  if (part && part * 100 < whole) return "<1%";
  return `${Math.floor((part * 100) / whole)}%`;
}

/** A bar of the three tiers; the numbers stand beside it for those who do not see it. */
function bar(tiers, whole) {
  const made = el("span", "tierbar");
  made.setAttribute("aria-hidden", "true");
  for (const tier of [1, 2, 3]) {
    if (!tiers[tier]) continue;
    const part = el("span", TIERS[tier]);
    part.style.flexGrow = tiers[tier];
    made.append(part);
  }
  const rest = whole - tiers[1] - tiers[2] - tiers[3];
  if (rest > 0) {
    const gap = el("span", "none");
    gap.style.flexGrow = rest;
    made.append(gap);
  }
  return made;
}

function tally(claims) {
  const tiers = { 0: 0, 1: 0, 2: 0, 3: 0 };
  for (const claim of claims) tiers[claim.tier] += 1;
  return tiers;
}

function grouped(claims, key) {
  const groups = new Map();
  for (const claim of claims) {
    const group = groups.get(claim[key]);
    if (group) group.push(claim);
    else groups.set(claim[key], [claim]);
  }
  return groups;
}
