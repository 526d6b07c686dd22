// Builds the report page: the findings, errors first, then every claim with its deciding rule.

const { claims: CLAIMS, findings: FINDINGS, paths: PATHS, sections: SECTIONS, rules: RULES } = DATA;
const TITLES = { error: "Wrong", warning: "Warnings", note: "About this run" };
const TONES = { error: "blocked", warning: "waiting", note: "said" };
const TIERS = { 1: "approve", 2: "review", 3: "block" };
const PAGE = 100; // number of list entries to show at a time

const EVERYTHING = { words: "", rule: "", path: "" };
const asked = { ...EVERYTHING };

function scopeWords({ mode, head, base, range, online }) {
  const at = head ? ` at ${head.slice(0, 10)}` : "";
  const what = {
    all: `every document${at}`,
    paths: `named documents${at}`,
    staged: "staged changes",
    worktree: "changes since HEAD",
    range: `changes in ${range}`,
  }[mode];
  const against = base && base !== head ? `, judged against ${base.slice(0, 10)}` : "";
  return what + against + (online ? "" : ", offline");
}

function finding({ severity, rule, path, line, claim, message, way_out }) {
  const where = path ? place(line ? `${path}:${line}` : path) : null;
  return el("li", "", el("span", `rule ${TONES[severity]}`, rule), " ", where,
    el("p", "cause", prose(message || (RULES[rule.split("[")[0]]?.[0] ?? ""))),
    claim ? el("p", "claim", prose(claim)) : null,
    severity === "note" ? null : el("p", "wayout", prose(way_out)));
}

/** Returns a claim as one line that opens to show all details about the claim. */
function claim(one) {
  const made = el("details", "row", el("summary", "",
    el("span", "claim", prose(one.text)), " ",
    el("span", "meta", el("span", "rule", one.rule), `, tier ${one.tier} (${TIERS[one.tier]}), `, place(`${PATHS[one.path]}:${one.line}`))));
  made.addEventListener("toggle", () => made.children.length > 1 || made.append(...detail(one)));
  return el("li", "", made);
}

function detail(one) {
  const [summary, wayOut] = RULES[one.rule] ?? ["", ""];
  const rows = [
    ["Why", [prose(summary), " ", one.why ? judged("cause", one.why) : null]],
    ["Way out", one.tier > 1 ? prose(wayOut) : null],
    ["Section", SECTIONS[one.section] ? judged("", SECTIONS[one.section]) : null],
    ...(one.context ?? []).map(([kind, text]) => [`Below ${kind}`, judged("", text)]),
    ["Kind", [one.kind, one.memory, one.class].filter(Boolean).join(", ")],
    ["Revises", one.operation?.name === "UPDATE" ? place(`${one.operation.path}:${one.operation.line}`) : null],
    ["Source", String(one.source).replace("_", " ")],
    ...(one.findings ?? []).map((f) => ["Found", [el("span", "rule", f.rule), " ", judged("", f.message ?? ""),
      f.other ? [" Compared with ", place(`${f.other.path}:${f.other.line}`), ": ", judged("", f.other.text)] : null]]),
    ...(one.evidence ?? []).map((e) => ["Reference", reference(e)]),
  ];
  return [el("dl", "context", rows.filter(([, value]) => value).map(([name, value]) =>
    el("div", "", el("dt", "", name), el("dd", "", value))))];
}

function reference(e) {
  const judge = { supported: "judge model: the source supports the claim", contradicted: "judge model: the source contradicts the claim" }[e.judged];
  const said = [e.verdict, e.inherited && "inherited", judge, e.checked && `looked up ${plain(e.checked)}`].filter(Boolean);
  return [e.kind, " ", place(e.target), `: ${said.join(", ")}`, e.reason ? [". ", judged("", e.reason)] : null,
    e.quote ? el("p", "quote", judged("", e.quote)) : null];
}

/** Shows the first entries of a list, and a button that shows more entries. */
function paged(list, rows, item, from = 0) {
  list.append(...rows.slice(from, from + PAGE).map(item));
  const left = rows.length - from - PAGE;
  if (left <= 0) return;
  const more = button("more", () => {
    more.remove();
    paged(list, rows, item, from + PAGE);
    list.children[from + PAGE].querySelector("summary")?.focus();
  }, `Show ${count(Math.min(left, PAGE))} of ${count(left)} more`);
  list.after(more);
}

function draw() {
  const { words, rule, path } = asked;
  const wanted = plain(words).toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (one, name) => (!rule || one.rule === rule) && (path === "" || name === PATHS[path]) &&
    (!wanted.length || wanted.every((word) => haystack(one, name).includes(word)));
  const found = FINDINGS.filter((f) => fits(f, f.path));
  const claims = CLAIMS.filter((c) => fits(c, PATHS[c.path]));
  $("findings").replaceChildren();
  for (const [severity, title] of Object.entries(TITLES)) {
    const rows = found.filter((f) => f.severity === severity);
    if (!rows.length) continue;
    const list = el("ul", "problems");
    $("findings").append(el("section", "group", el("h2", "", `${title}: ${count(rows.length)}`), list));
    paged(list, rows, finding);
  }
  if (!found.length) $("findings").append(el("p", "hint", FINDINGS.length ? "No finding matches. Change the filter, or press Reset." : "There are no findings."));
  $("claims-title").textContent = `All claims: ${count(claims.length)}`;
  $("claims").hidden = !CLAIMS.length;
  const list = el("ul", "problems");
  $("claims-list").replaceChildren(list);
  paged(list, claims, claim);
  $("shown").textContent = `${count(found.length)} of ${many(FINDINGS.length, "finding", "findings")}, ` +
    `${count(claims.length)} of ${many(CLAIMS.length, "claim", "claims")}`;
}

const haystacks = new Map();

function haystack(one, path) {
  if (!haystacks.has(one)) {
    const cited = (one.evidence ?? []).flatMap((e) => [e.target, e.reason, e.quote]);
    const parts = [`${path}:${one.line}`, one.rule, one.text, one.why, one.claim, one.message, SECTIONS[one.section], ...cited];
    haystacks.set(one, plain(parts.filter(Boolean).join("\n")).toLowerCase());
  }
  return haystacks.get(one);
}

function ask(change) {
  Object.assign(asked, change);
  if ($("search").value !== asked.words) $("search").value = asked.words;
  $("rule").value = asked.rule;
  $("document").value = asked.path;
  draw();
}

function start() {
  $("lists").hidden = false;
  $("scope").append(...shown(scopeWords(DATA.scope)));
  theme();
  const choices = (select, every, rows) => select.append(...[["", every], ...rows].map(([value, label]) => new Option(label, value)));
  const names = new Set([...FINDINGS, ...CLAIMS].map((one) => one.rule));
  choices($("rule"), "every rule", [...names].sort().map((name) => [name, name]));
  choices($("document"), "every document", PATHS.map((path, n) => [n, plain(path)]));
  $("search").addEventListener("input", () => ask({ words: $("search").value }));
  $("rule").addEventListener("change", () => ask({ rule: $("rule").value }));
  $("document").addEventListener("change", () => ask({ path: $("document").value }));
  $("reset").addEventListener("click", () => ask(EVERYTHING));
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") ask(EVERYTHING);
    else if (event.key === "/" && !event.target.matches("input, select")) $("search").focus();
    else return;
    event.preventDefault();
  });
  draw();
}

start();
