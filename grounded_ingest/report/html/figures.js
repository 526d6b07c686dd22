// The figures: how much is grounded, by document and section, by rule, over history.

const MEANS = {
  semantic: "what is true", episodic: "what happened, or is done once", procedural: "what one should do",
};

function scopeWords({ mode, head, base, range, online }) {
  const at = head ? ` at ${head.slice(0, 10)}` : "";
  const what = {
    all: `whole knowledge base${at}`,
    paths: `named documents${at}`,
    staged: "what is staged",
    worktree: "what differs from HEAD",
    range: `changes of ${range}`,
  }[mode];
  const against = base && base !== head ? `, judged against ${base.slice(0, 10)}` : "";
  return what + against + (online ? "" : ", offline");
}

function figures() {
  const { summary, scope } = DATA;
  const [grounded, waiting, blocked] = [summary.tier_1, summary.tier_2, summary.tier_3];
  const checkable = summary.claims - summary.nothing_to_check;
  const changed = scope.mode === "all" || scope.mode === "paths" ? "" : "changed ";
  $("scope").append(...shown(scopeWords(scope)));
  $("title").textContent =
    `${many(summary.claims, `${changed}claim`, `${changed}claims`)} in ` +
    many(summary.documents, "document", "documents");
  $("share").textContent = percent(grounded, checkable);
  $("share").classList.toggle("nothing", !grounded);
  $("share-label").append(key(1), `grounded: ${count(grounded)} of ${count(checkable)}` +
    (checkable < summary.claims ? " checkable" : ""));
  $("waiting").textContent = count(waiting);
  $("waiting-label").append(key(2), waiting === 1 ? "waits for review" : "wait for review");
  $("blocked").textContent = count(blocked);
  $("blocked").classList.toggle("alarm", blocked > 0);
  const problems = DATA.problems.filter((p) => p.tier === 3).length;
  const beside = problems ? `, and ${many(problems, "problem", "problems")}` : "";
  $("blocked-label").append(key(3), `blocked${beside}`);
  $("whole").append(bar({ 1: grounded, 2: waiting, 3: blocked }, checkable));
  history_();
  problems_();
  documents();
  rules();
  strengths();
  types();
}

function history_() {
  const points = DATA.history;
  if (points.length < 2) return;
  const [first, last] = [points[0], points[points.length - 1]];
  const drawn = curve(points.map((p) => p.grounded), "100%",
    `Grounded share at ${points.length} commits, from ${share(first)} on ${plain(String(first.date))} ` +
      `to ${share(last)} on ${plain(String(last.date))}`);
  const ends = [first, last].map((p) =>
    el("span", "", el("b", "", share(p)), " ", shown(String(p.date)), ", ", many(p.claims, "claim", "claims")),
  );
  $("history").append(drawn, el("figcaption", "", ends));
  $("history").hidden = false;
}

function share(point) {
  return percent(point.tier_1, point.checkable);
}

function problems_() {
  if (!DATA.problems.length) return;
  const worst = [...DATA.problems].sort((a, b) => b.tier - a.tier);
  const item = ({ path, line, rule, message, tier }) => {
    const where = path ? place(line ? `${path}:${line}` : path) : null;
    const name = el("span", `rule ${TIERS[tier] || "said"}`, rule);
    return el("li", "", name, " ", where, where ? " " : null, prose(message));
  };
  folded($("problems").querySelector("ul"), worst, item, "problems");
  $("problems").hidden = false;
}

function documents() {
  const columns = [
    ["Document", (d) => d.path, "text"],
    ["Grounded", (d) => (d.checkable ? d.tiers[1] / d.checkable : -1), "share"],
    ["Waiting", (d) => d.tiers[2], "number"],
    ["Blocked", (d) => d.tiers[3], "number"],
    ["Claims", (d) => d.all, "number"],
  ];
  const rows = [...grouped(CLAIMS, "path")].map(([path, claims]) => ({
    number: path, path: PATHS[path], claims, ...counted(claims), all: claims.length,
  }));
  rows.sort((a, b) => b.tiers[3] - a.tiers[3] || b.tiers[2] - a.tiers[2]);
  $("documents").append(sortable(columns, documentRow, "documents").fill(rows));
}

/** Claims by tier, and how many of them can be checked. */
function counted(claims) {
  const tiers = tally(claims);
  return { tiers, checkable: claims.length - tiers[0] };
}

function documentRow(row) {
  let sections = null;
  const open = button("twist", () => {
    const shut = open.getAttribute("aria-expanded") === "true";
    open.setAttribute("aria-expanded", String(!shut));
    sections ??= sectionRows(row);
    if (shut) sections.forEach((s) => s.remove());
    else made.after(...sections);
  });
  open.setAttribute("aria-expanded", "false");
  open.setAttribute("aria-label", `Sections of ${plain(row.path)}`);
  const name = button("name", () => queue.only({ path: row.number }), place(row.path));
  const made = el("tr", "", el("td", "text", el("div", "cell", open, name)), cells(row));
  return made;
}

function sectionRows(row) {
  return [...grouped(row.claims, "section")].map(([section, claims]) => {
    const title = SECTIONS[section] || "before the first heading";
    const name = button("name", () => queue.only({ path: row.number, section }), judged("", title));
    return el("tr", "section", el("td", "text", name), cells({ ...counted(claims), all: claims.length }));
  });
}

function cells({ tiers, checkable, all }) {
  const number = (n, name) => el("td", `number${n ? ` ${name}` : " zero"}`, count(n));
  return [
    el("td", "share", el("div", "cell", bar(tiers, checkable), el("span", "value", percent(tiers[1], checkable)))),
    number(tiers[2], ""), number(tiers[3], "alarm"), number(all, ""),
  ];
}

function rules() {
  const rows = [...grouped(CLAIMS, "rule")].map(([name, claims]) => ({ name, claims, tiers: tally(claims) }));
  const weight = (r) => r.tiers[3] * 1e9 + r.tiers[2];
  rows.sort((a, b) => weight(b) - weight(a) || b.claims.length - a.claims.length);
  barred($("rules"), rows, (rule) => ({ rule }), (rule) => RULES[rule]?.[0] ?? "");
}

/** How tier 1 was reached, the strongest first. */
function strengths() {
  const all = grouped(CLAIMS.filter((c) => c.strength), "strength");
  const rows = Object.keys(STRENGTHS).filter((name) => all.has(name))
    .map((name) => ({ name, claims: all.get(name), tiers: tally(all.get(name)) }));
  if (!rows.length) return;
  barred($("strengths"), rows, (strength) => ({ strength }), (name) => STRENGTHS[name]);
  $("strengths").hidden = false;
}

function types() {
  const all = [...grouped(CLAIMS, "memory")].map(([name, claims]) => ({ name, claims, tiers: tally(claims) }));
  barred($("types"), all.sort((a, b) => b.claims.length - a.claims.length), (memory) => ({ memory }), (type) => MEANS[type]);
}

/** Named groups of claims as bars of one scale, each leading to its claims. */
function barred(panel, rows, asked, titled) {
  const most = Math.max(...rows.map((r) => r.claims.length));
  const items = rows.map(({ name, claims, tiers }) => {
    const made = button("name", () => queue.only(asked(name)), name);
    made.title = titled(name);
    return el("li", "", made, bar(tiers, most), el("span", "value", count(claims.length)));
  });
  panel.append(el("ul", "rules", items));
}
