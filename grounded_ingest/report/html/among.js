// Shows the errors by rule, and findings that only a comparison of repositories can find.

/** Draws every list again with the current filter. Returns the number of shown findings. */
function among() {
  const found = DATA.findings.filter((f) =>
    (!asked.rule || f.rule === asked.rule) && (!asked.fresh || f.fresh) && wanted([f.repository], [f.path, f.message, f.rule]));
  findings(found);
  listed("contradictions", DATA.contradictions, (c) => [c.members.map((m) => m.repository), [c.slot, c.subject, ...c.members.map((m) => m.value)]],
    contradiction, "of them", "SELECT * FROM contradictions WHERE shared ORDER BY about, value");
  listed("elsewhere", DATA.elsewhere, (e) => [[e.repository, e.there], [e.path, e.cited, e.reason]],
    elsewhere, "of them", "SELECT * FROM elsewhere_verdicts WHERE verdict = 'refuted'");
  listed("drift", DATA.drift, (d) => [d.members.map((m) => m.repository), d.members.map((m) => m.path)],
    drifted, "texts", "SELECT * FROM drift ORDER BY files DESC, ancestor");
  listed("repetitions", DATA.repetitions, (r) => [r.named, [r.text]], repeated, "sets of texts", "SELECT * FROM repetitions ORDER BY repositories DESC");
  return found.length;
}

/** Fills a panel with its rows, or hides the panel if there are no rows. */
function listed(id, rows, read, item, what, sql) {
  const panel = $(id);
  panel.hidden = !rows.length;
  emptied(panel);
  if (!rows.length) return;
  const left = rows.filter((row) => wanted(...read(row)));
  const list = el("ul", "problems");
  panel.append(list);
  folded(list, left, item, what);
  if (!left.length) panel.append(el("p", "hint", "No row matches the filter."));
  if (left.length === rows.length) rest(panel, rows.length, TOTALS[id], sql);
}

function emptied(panel) {
  panel.replaceChildren(panel.querySelector("h2"));
}

function findings(found) {
  const panel = $("findings");
  panel.hidden = !DATA.findings.length;
  emptied(panel);
  const order = (f) => `${f.fresh ? 0 : 1}\n${f.repository}\n${f.path}\n${String(f.line).padStart(9)}`;
  const groups = grouped([...found].sort((a, b) => (order(a) < order(b) ? -1 : 1)), "rule");
  for (const { rule, findings: all, repositories, fresh } of DATA.byRule) {
    if (!groups.has(rule)) continue;
    const [summary, wayOut] = DATA.rules[rule] ?? ["", ""];
    const more = fresh && DATA.before ? `, ${count(fresh)} new` : "";
    const list = el("ul", "problems");
    panel.append(el("div", "group",
      el("h3", "", el("span", "rule", rule), ` ${count(all)} in ${many(repositories, "repository", "repositories")}${more}`),
      el("p", "hint", prose(`${summary} ${wayOut}`)), list));
    folded(list, groups.get(rule), finding, "that are listed");
  }
  if (!found.length) panel.append(el("p", "hint", "No row matches the filter."));
  rest(panel, DATA.findings.length, TOTALS.findings, "SELECT * FROM findings WHERE severity = 'error'");
}

function finding(f) {
  const tag = f.fresh && DATA.before ? [el("span", "badge", "new"), " "] : null;
  return el("li", "", tag, repository(f.repository), " ", place(`${f.path}:${f.line}`), el("p", "", prose(f.message)));
}

function contradiction(c) {
  const thing = [c.subject, c.slot].filter(Boolean).join(": ");
  const values = c.members.map((m) => el("li", "", el("b", "", judged("", `${m.polarity ? "" : "not "}${m.value}`)),
    ` in ${many(m.repositories, "repository", "repositories")}: `, repository(m.repository), " ", place(`${m.path}:${m.line}`)));
  const more = c.stated - c.members.length;
  return el("li", "", el("p", "cause", judged("", thing)), el("ul", "values", values),
    more > 0 ? el("p", "hint", `${count(more)} more values`) : null);
}

function elsewhere(e) {
  return el("li", "", repository(e.repository), " ", place(`${e.path}:${e.line}`),
    el("p", "", "cites ", place(e.cited), e.there ? [" of ", repository(e.there)] : null, ": ", judged("", e.reason)));
}

function drifted(d) {
  const stayed = d.files - d.moved;
  const sides = ["moved", "stayed"].map((side) => [side, d.members.filter((m) => m.side === side)]).filter(([, on]) => on.length);
  const rows = sides.map(([side, on]) => el("li", "", el("b", "", side === "moved" ? "moved on" : "kept it"), ": ", on.map((m, n) => [
    n ? ", " : null, repository(m.repository), " ", place(m.path), m.moved_at ? ` (${m.moved_at.slice(0, 10)})` : null])));
  const more = d.listed - d.members.length;
  if (d.moved > d.apart) rows.push(el("li", "", `${count(d.moved - d.apart)} moved on to a newer text that others have`));
  return el("li", "", el("p", "cause", `One text of ${many(d.files, "file", "files")}: ${count(d.moved)} moved on, ${count(stayed)} kept it`),
    el("ul", "values", rows), more > 0 ? el("p", "hint", `${count(more)} more files`) : null);
}

function repeated(r) {
  const more = r.repositories - r.named.length;
  const texts = r.texts > 1 ? `and ${count(r.texts - 1)} more of the same ` : "";
  return el("li", "", el("p", "cause", prose(r.text)), el("p", "hint", `${texts}in ${many(r.repositories, "repository", "repositories")}: `,
    r.named.map((name, n) => [n ? ", " : null, repository(name)]), more > 0 ? ` and ${count(more)} more` : null));
}
