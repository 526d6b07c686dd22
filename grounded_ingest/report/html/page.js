// Builds the report page: the findings, errors first, then the documents, then what was not checked.

const { findings: FINDINGS, paths: PATHS, advice: ADVICE, documents: DOCUMENTS, skipped: SKIPPED } = DATA;
const TITLES = { error: "Wrong", warning: "Warnings", note: "About this run" };
const TONES = { error: "blocked", warning: "waiting", note: "said" };
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

/** Returns a path with its line, or null for what is about the whole run. */
function at(path, line) {
  return path === null ? null : place(line ? `${PATHS[path]}:${line}` : PATHS[path]);
}

function finding([advice, path, line, claim, message]) {
  const [severity, rule, wayOut] = ADVICE[advice];
  return el("li", "", el("span", `rule ${TONES[severity]}`, rule), " ", at(path, line),
    el("p", "cause", prose(message)),
    claim ? el("p", "claim", prose(claim)) : null,
    wayOut ? el("p", "wayout", prose(wayOut)) : null);
}

/** Lists the documents. A click on a document shows only what belongs to this document. */
function documents() {
  $("documents").hidden = !DOCUMENTS.length;
  const item = ([path, errors, warnings, hold, unknown, skipped]) => {
    const name = button("name", () => {
      ask({ ...EVERYTHING, path: String(path) });
      $("findings").focus();
    }, at(path, 0));
    const numbers = [many(hold, "reference holds", "references hold"), unknown && `${count(unknown)} unknown`, skipped && `${count(skipped)} skipped`];
    return el("li", "", name, " ", errors ? el("b", "alarm", many(errors, "error", "errors")) : null, errors ? " " : null,
      warnings ? el("b", "", many(warnings, "warning", "warnings"), " ") : null,
      el("span", "said", numbers.filter(Boolean).join(", ")));
  };
  const list = el("ul", "problems");
  $("documents").append(list);
  paged(list, DOCUMENTS, item);
}

/** Shows what was not checked, folded and with the most frequent reasons first. */
function skipped(rows) {
  const short = (reason) => reason.split(/[:(]/)[0].trim() || "no reason";
  const item = ([path, line, target, reason]) =>
    el("li", "", at(path, line), " ", target ? el("code", "", shown(target)) : null, reason === short(reason) ? null : el("p", "said", prose(reason)));
  $("skipped").replaceChildren($("skipped").firstElementChild);
  $("skipped").hidden = !SKIPPED.length && !DATA.unread;
  if (DATA.unread) $("skipped").append(el("p", "hint", `${many(DATA.unread, "document was", "documents were")} not read. `, el("code", "", "--show-skipped"), " lists them."));
  const groups = Map.groupBy(rows, ([, , , reason]) => short(reason));
  for (const [head, all] of [...groups].sort(([, a], [, b]) => b.length - a.length)) {
    const list = el("ul", "problems");
    const made = el("details", "", el("summary", "", prose(head), `: ${count(all.length)}`), list);
    made.addEventListener("toggle", () => list.children.length || paged(list, all, item));
    $("skipped").append(made);
  }
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
  const fits = (where, ...texts) => (path === "" || String(where) === path) &&
    (!wanted.length || wanted.every((word) => plain(texts.join("\n")).toLowerCase().includes(word)));
  const found = FINDINGS.filter(([advice, where, line, ...texts]) => (!rule || ADVICE[advice][1] === rule) &&
    fits(where, `${PATHS[where] ?? ""}:${line}`, ADVICE[advice][1], ...texts));
  const left = rule ? [] : SKIPPED.filter(([where, line, ...texts]) => fits(where, `${PATHS[where]}:${line}`, ...texts));
  $("findings").replaceChildren();
  for (const [severity, title] of Object.entries(TITLES)) {
    const rows = found.filter(([advice]) => ADVICE[advice][0] === severity);
    if (!rows.length) continue;
    const list = el("ul", "problems");
    $("findings").append(el("section", "group", el("h2", "", title), list));
    paged(list, rows, finding);
  }
  if (!found.length) $("findings").append(el("p", "hint", FINDINGS.length ? "No finding matches. Change the filter, or press Reset." : "There are no findings."));
  skipped(left);
  $("shown").textContent = `${count(found.length)} of ${many(FINDINGS.length, "finding", "findings")}`;
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
  const names = new Set(ADVICE.map(([, rule]) => rule));
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
  documents();
  draw();
}

start();
