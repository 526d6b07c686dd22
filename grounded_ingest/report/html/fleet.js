// Builds the fleet page: figures over runs, owners, rules, and the filtered repositories.

const { series: SERIES, repositories: ALL, totals: TOTALS } = DATA;
const NOW = SERIES[SERIES.length - 1];
const OWNER = new Map(ALL.map((r) => [r.repository, r.owner]));
const NOBODY = "(nobody)";

const EVERYTHING = { words: "", owner: "", rule: "", repository: "", fresh: false };
const asked = { ...EVERYTHING };

function day(run) {
  return run.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d).*$/, "$1-$2-$3 $4:$5");
}

/** Returns a table cell with a signed change, or a dash if there is no earlier run. */
function change(number) {
  if (number === null) return el("td", "number zero", DATA.before ? "new" : "–");
  const name = number > 0 ? "alarm" : number < 0 ? "better" : "zero";
  return el("td", `number ${name}`, number > 0 ? `+${count(number)}` : number < 0 ? `−${count(-number)}` : "0");
}

function figures() {
  $("scope").textContent = `run of ${day(DATA.run)} UTC` + (DATA.before ? `, beside that of ${day(DATA.before)}` : "");
  $("title").textContent = `${many(NOW.repositories, "repository", "repositories")} of ` +
    `${many(NOW.owners, "owner", "owners")}, ${many(NOW.claims, "claim", "claims")}`;
  const added = DATA.byRule.reduce((sum, r) => sum + r.fresh, 0);
  $("wrong-number").textContent = count(NOW.wrong);
  $("wrong-number").classList.toggle("alarm", NOW.wrong > 0);
  $("wrong-label").textContent = DATA.before ? `wrong: ${count(added)} new, ${count(DATA.mended)} mended` : "wrong";
  $("failed-number").textContent = count(NOW.failed);
  $("failed-number").classList.toggle("alarm", NOW.failed > 0);
  $("failed-label").textContent = "could not be read";
  if (SERIES.length > 1) overRuns();
}

function overRuns() {
  const [first, most] = [SERIES[0], Math.max(1, ...SERIES.map((p) => p.wrong))];
  const told = `from ${count(first.wrong)} on ${day(first.run)} to ${count(NOW.wrong)} on ${day(NOW.run)}`;
  const date = (p) => (day(first.run).slice(0, 10) === day(NOW.run).slice(0, 10) ? day(p.run).slice(11) : day(p.run).slice(0, 10));
  $("runs").append(el("figure", "history", el("h2", "", `Wrong, ${SERIES.length} runs`),
    curve(SERIES.map((p) => p.wrong / most), count(most), `Wrong over ${SERIES.length} runs, ${told}`),
    el("figcaption", "", [first, NOW].map((p) => el("span", "", el("b", "", count(p.wrong)), ` ${date(p)}`)))));
  $("runs").hidden = false;
}

function failures() {
  if (!DATA.failures.length) return;
  const item = (f) => el("li", "", el("span", "rule blocked", f.state), " ", repository(f.repository), " ", owned(f.owner), judged("", f.reason));
  folded($("failures").querySelector("ul"), DATA.failures, item, "of them");
  rest($("failures"), DATA.failures.length, NOW.failed, "SELECT * FROM repositories WHERE state <> 'ok'");
  $("failures").hidden = false;
}

/** Shows how many rows the page leaves out, and the query that lists them. */
function rest(panel, listed, all, sql, what = "more are") {
  if (all > listed) panel.append(el("p", "hint", `${count(all - listed)} ${what} in the tables: `, el("code", "", `grounded-ingest fleet query --out OUT "${sql}"`)));
}

function owned(owner) {
  return owner ? [judged("owner", owner), " "] : null;
}

/** Returns the name of a repository as a button that filters the page by the repository. */
function repository(name) {
  const made = button("name", () => only({ repository: name }), place(name));
  made.title = "Show only this repository";
  return made;
}

function owners() {
  if (DATA.owners.length < 2) $("owners").hidden = true;
  const name = (o) => button("name", () => only({ owner: o.owner || NOBODY }), judged("", o.owner || NOBODY));
  const row = (o) => el("tr", "", el("td", "text", name(o)), el("td", "number some", count(o.repositories)), wrong(o), change(o.change));
  $("owners").append(sortable([
    ["Owner", (o) => o.owner, "text"], ["Repositories", (o) => o.repositories, "number some"],
    ["Wrong", (o) => o.wrong, "number"], ["Change", (o) => o.change ?? 0, "number"],
  ], row, "owners").fill(DATA.owners));
}

function wrong(row) {
  return el("td", `number ${row.wrong ? "alarm" : "zero"}`, count(row.wrong));
}

function rules() {
  if (!DATA.byRule.length) return $("rules").append(el("p", "hint", "There are no errors."));
  const most = Math.max(...DATA.byRule.map((r) => r.findings));
  const item = (r) => {
    const name = button("name", () => only({ rule: r.rule }), r.rule);
    name.title = DATA.rules[r.rule]?.[0] ?? "";
    return el("li", "", name, bar(r.findings, most), el("span", "value", count(r.findings)));
  };
  const list = el("ul", "rules");
  $("rules").append(list);
  folded(list, DATA.byRule, item, "rules");
  return null;
}

const table = sortable([
  ["Repository", (r) => r.repository, "text"], ["Owner", (r) => r.owner, "text wide"],
  ["Wrong", (r) => r.wrong, "number"], ["Change", (r) => r.change ?? 0, "number"], ["Blocked", (r) => r.blocked, "number some"],
  ["Claims", (r) => r.claims, "number some"],
], repositoryRow, "repositories", 25);

function repositoryRow(r) {
  const read = r.state === "ok" || r.state === "empty";
  const said = r.state === "ok" ? null : el("p", read ? "hint" : "hint alarm", `${r.state}: `, judged("", r.reason));
  const blocked = el("td", `number some ${r.blocked ? "alarm" : "zero"}`, count(r.blocked));
  const number = (n) => el("td", `number some${n ? "" : " zero"}`, count(n));
  return el("tr", "", el("td", "text", repository(r.repository), el("span", "under", owned(r.owner)), said),
    el("td", "text wide", owned(r.owner)), wrong(r), read ? change(r.change) : el("td", "number zero", "–"),
    blocked, number(r.claims));
}

/** Scrolls from a figure to the rows that it counts. */
function only(what) {
  ask({ ...EVERYTHING, ...what });
  $("lists").scrollIntoView({ block: "start" });
  $("search").focus({ preventScroll: true });
}

function ask(change) {
  Object.assign(asked, change);
  draw();
}

/** Returns whether a row with these repositories and words matches the filter. */
function wanted(repositories, texts) {
  const { words, owner, repository: one } = asked;
  if (one && !repositories.includes(one)) return false;
  if (owner && !repositories.some((r) => (OWNER.get(r) || NOBODY) === owner)) return false;
  if (!words) return true;
  const hay = plain([...repositories, ...texts].join("\n")).toLowerCase();
  return plain(words).toLowerCase().split(/\s+/).every((word) => hay.includes(word));
}

function draw() {
  $("owner").value = asked.owner;
  $("rule").value = asked.rule;
  $("fresh").setAttribute("aria-pressed", String(asked.fresh));
  if ($("search").value !== asked.words) $("search").value = asked.words;
  const rows = ALL.filter((r) => wanted([r.repository], [r.owner, r.state, r.reason]));
  const home = table.fill(rows);
  if (!home.parentNode) $("repositories").append(home);
  $("repositories").classList.toggle("none", !rows.length);
  const found = among();
  const one = asked.repository ? `, of ${plain(asked.repository)} alone` : "";
  $("shown").textContent = `${count(rows.length)} of ${many(TOTALS.repositories, "repository", "repositories")}, ` +
    `${count(found)} of ${many(TOTALS.findings, "finding", "findings")}${one}`;
}

function start() {
  $("main").hidden = false;
  theme();
  figures();
  failures();
  owners();
  rules();
  const choices = (select, every, names) => select.append(...["", ...names].map((name) => new Option(name ? plain(name) : every, name)));
  choices($("owner"), "every owner", DATA.owners.map((o) => o.owner || NOBODY).sort());
  choices($("rule"), "every rule", DATA.byRule.map((r) => r.rule).sort());
  $("fresh").hidden = !DATA.before;
  $("search").addEventListener("input", () => ask({ words: $("search").value.trim() }));
  for (const name of ["owner", "rule"]) $(name).addEventListener("change", () => ask({ [name]: $(name).value }));
  $("fresh").addEventListener("click", () => ask({ fresh: !asked.fresh }));
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
