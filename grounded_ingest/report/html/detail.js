// One claim: what it says, where it stands, what it rests on, side by side with its source.

const VERDICTS = { confirmed: "grounded", unknown: "waiting", refuted: "blocked" };
const SUPPORT = {
  supported: "it says this",
  unsupported: "it exists, but does not say this",
  contradicted: "it exists, and says otherwise",
  "nothing-to-compare": "it exists; nothing in it to compare",
};
const STRENGTHS = {
  person: "a person approved it", trusted: "its source is trusted", fact: "read off the code",
  quote: "in the source's own words", judge: "a model judged it",
  match: "its words stand in one place of the source", pointer: "it only says where to look",
};
const TONES = { unsupported: "waiting", contradicted: "blocked" };

function detail(claim) {
  if (!claim) return [el("p", "hint", "No claim matches. Change the filter, or press Reset.")];
  const [summary, wayOut] = RULES[claim.rule] ?? ["", ""];
  return [
    button("back", () => back(), "Back to the list"),
    el("p", "verdict", el("span", `badge ${TIERS[claim.tier]}`, TIERS[claim.tier]), el("span", "rule", claim.rule),
      claim.strength ? el("span", "said", " by ", claim.strength, `: ${STRENGTHS[claim.strength]}`) : null),
    el("blockquote", "claim", prose(claim.text)),
    context(claim),
    el("section", "why", el("h3", "", "Why"), el("p", "", prose(summary)),
      claim.why ? el("p", "", judged("cause", claim.why)) : null,
      claim.tier > 1 && wayOut ? el("p", "wayout", prose(wayOut)) : null),
    ...(claim.findings ?? []).filter((f) => f.beside || f.rule !== claim.rule).map((f) => finding(f, f.rule === claim.rule)),
    evidence(claim.evidence ?? []),
  ];
}

function context(claim) {
  const section = SECTIONS[claim.section];
  const rows = [
    ["Place", place(`${PATHS[claim.path]}:${claim.line}:${claim.column}`)],
    ["Section", section ? judged("", section) : null],
    ...(claim.context ?? []).map(([kind, text]) => [`Read with ${kind}`, judged("", text)]),
    ["Kind", [claim.kind, claim.memory, claim.class].filter(Boolean).join(", ")],
    ["Type by", claim.cues ? typing(claim) : null],
    ["Does", claim.operation ? operation(claim.operation) : null],
    ["Source", String(claim.source).replace("_", " ")],
    ["Id", el("code", "", claim.id + (claim.ordinal ? ` (${claim.ordinal + 1}. of this text)` : ""))],
  ];
  return el("dl", "context", rows.filter(([, value]) => value).map(([name, value]) =>
    el("div", "", el("dt", "", name), el("dd", "", value))));
}

function typing(claim) {
  const sure = claim.certainty < 1 ? ` (${Math.round(claim.certainty * 100)}% certain)` : "";
  return judged("", claim.cues.join(", ") + sure);
}

function operation({ name, path, line }) {
  return [name === "UPDATE" ? "revises " : "is covered by ", place(`${path}:${line}`)];
}

function evidence(cited) {
  if (!cited.length) return el("section", "evidence", el("h3", "", "Evidence"), el("p", "hint", "It cites nothing."));
  return el("section", "evidence", el("h3", "", "Evidence"), cited.map(citation));
}

function citation(e) {
  const head = el("p", "cited", el("span", `badge ${TONES[e.support] ?? VERDICTS[e.verdict]}`, e.verdict), " ", el("span", "kind", e.kind), " ",
    place(e.target), e.inherited ? el("span", "said", " inherited") : null);
  const support = SUPPORT[e.support] ?? (e.verdict === "confirmed" && "it exists; what it says was not compared");
  const said = [support, e.strength && `by ${e.strength}`, e.checked && `looked up ${plain(e.checked)}`].filter(Boolean).join(", ");
  const where = e.line ? `The source, line ${e.line}` : "The source";
  return el("div", "citation", head,
    said ? el("p", "said", said) : null,
    e.reason ? el("p", "", judged("cause", e.reason)) : null,
    e.beside ? beside("The claim", where, e.beside) : null,
    e.quote ? el("figure", "side source", el("figcaption", "", where), el("p", "", judged("", e.quote))) : null);
}

/** What a detector saw; of the one that decided, words and message stand above. */
function finding(f, decided) {
  const words = f.words && !decided ? el("p", "", "Words: ", judged("cause", f.words)) : null;
  const where = f.other ? el("span", "", "Compared with ", place(`${f.other.path}:${f.other.line}`)) : null;
  return el("section", "finding", el("h3", "", decided ? "Comparison" : ["Also: ", el("span", "rule", f.rule)]), words,
    f.message && !decided ? el("p", "", judged("cause", f.message)) : null,
    f.beside ? beside("The claim", where, f.beside) : null);
}

/** Claim and passage in two columns; marked is what one has alone. */
function beside(left, right, [claim, source]) {
  return el("div", "beside",
    el("figure", "side", el("figcaption", "", left), el("p", "", pieces(claim))),
    el("figure", "side source", el("figcaption", "", right), el("p", "", pieces(source))));
}
