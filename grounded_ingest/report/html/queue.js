// The queue: what is shown of it, in what order, and the one claim that is read.

const ROW = 78; // px, the height of .option
const BEYOND = 6; // rows kept ready above and below what is seen

const queue = {
  order: CLAIMS.map((_, n) => n).sort((a, b) => weight(CLAIMS[a]) - weight(CLAIMS[b]) || a - b),
  asked: {},
  visible: [],
  at: -1,
  haystacks: null,

  start() {
    const { tier_1, tier_2, tier_3 } = DATA.summary;
    this.usual = new Set(tier_2 + tier_3 ? [2, 3] : [1]);
    [3, 2, 1].forEach((tier) => {
      const number = [tier_1, tier_2, tier_3][tier - 1];
      const label = [key(tier), TIERS[tier], " ", el("span", "value", count(number))];
      const made = button(`tier ${TIERS[tier]}`, () => this.toggle(tier), label);
      made.dataset.tier = tier;
      $("tiers").append(made);
    });
    options($("rule"), "every rule", [...grouped(CLAIMS, "rule").keys()].sort().map((r) => [r, r]));
    options($("memory"), "every type", [...grouped(CLAIMS, "memory").keys()].sort().map((t) => [t, t]));
    options($("document"), "every document", PATHS.map((p, n) => [n, plain(p)]));
    this.spacer = el("div", "spacer");
    this.spacer.setAttribute("role", "presentation");
    $("list").append(this.spacer);
    $("list").addEventListener("scroll", () => this.draw(), { passive: true });
    addEventListener("resize", () => this.draw());
    $("search").addEventListener("input", () => this.ask({ words: $("search").value }));
    $("rule").addEventListener("change", () => this.ask({ rule: $("rule").value }));
    $("memory").addEventListener("change", () => this.ask({ memory: $("memory").value }));
    $("document").addEventListener("change", () => {
      this.ask({ path: $("document").value, section: "" });
    });
    $("reset").addEventListener("click", () => this.reset());
    this.reset();
  },

  reset() {
    this.asked = { tiers: this.usual, rule: "", strength: "", memory: "", path: "", section: "", words: "" };
    this.ask({});
  },

  toggle(tier) {
    const tiers = new Set(this.asked.tiers);
    if (!tiers.delete(tier)) tiers.add(tier);
    this.ask({ tiers });
  },

  /** From a figure to its claims, of every tier. */
  only(what) {
    this.asked = { tiers: new Set([0, 1, 2, 3]), rule: "", strength: "", memory: "", path: "", section: "", words: "" };
    this.ask(what);
    $("queue").scrollIntoView({ block: "start" });
    $("list").focus({ preventScroll: true });
  },

  ask(change) {
    Object.assign(this.asked, change);
    const { tiers, rule, strength, memory, path, section, words } = this.asked;
    const wanted = plain(words).toLowerCase().split(/\s+/).filter(Boolean);
    if (wanted.length) this.haystacks ??= CLAIMS.map(haystack);
    this.visible = this.order.filter((n) => {
      const claim = CLAIMS[n];
      return (
        tiers.has(claim.tier) && (!rule || claim.rule === rule) &&
        (!strength || claim.strength === strength) &&
        (!memory || claim.memory === memory) &&
        (path === "" || claim.path === Number(path)) &&
        (section === "" || claim.section === section) &&
        wanted.every((word) => this.haystacks[n].includes(word))
      );
    });
    this.mark();
    $("list").scrollTop = 0;
    $("panes").classList.remove("reading");
    this.select(this.visible.length ? 0 : -1);
  },

  /** Controls and counts as they were asked for. */
  mark() {
    const { tiers, rule, strength, memory, path, section, words } = this.asked;
    for (const made of $("tiers").children) {
      made.setAttribute("aria-pressed", String(tiers.has(Number(made.dataset.tier))));
    }
    $("rule").value = rule;
    $("memory").value = memory;
    $("document").value = path;
    if ($("search").value !== words) $("search").value = words;
    const within = section === "" ? "" : `, in “${plain(SECTIONS[section] || "before the first heading")}”`;
    const among = (strength ? `, by ${strength}` : "") + within;
    $("shown").textContent = `${count(this.visible.length)} of ${many(CLAIMS.length, "claim", "claims")}${among}`;
    this.spacer.style.height = `${this.visible.length * ROW}px`;
    $("list").classList.toggle("empty", !this.visible.length);
  },

  move(by) {
    if (!this.visible.length) return;
    this.select(Math.max(0, Math.min(this.visible.length - 1, this.at + by)));
  },

  select(at) {
    this.at = at;
    const [list, top] = [$("list"), at * ROW];
    if (at >= 0 && top < list.scrollTop) list.scrollTop = top;
    const low = top + ROW - list.clientHeight;
    if (at >= 0 && list.clientHeight && low > list.scrollTop) list.scrollTop = low;
    this.draw();
    $("detail").replaceChildren(...detail(CLAIMS[this.visible[at]]));
    $("detail").scrollTop = 0;
  },

  open(at) {
    this.select(at);
    $("panes").classList.add("reading");
    $("detail").scrollIntoView({ block: "nearest" });
    address(CLAIMS[this.visible[at]]);
  },

  /** The rows that are seen, and the chosen one wherever it is. */
  draw() {
    const list = $("list");
    const first = Math.max(0, Math.floor(list.scrollTop / ROW) - BEYOND);
    const last = Math.min(this.visible.length, Math.ceil((list.scrollTop + list.clientHeight) / ROW) + BEYOND);
    const wanted = new Set(this.at >= 0 ? [this.at] : []);
    for (let n = first; n < last; n += 1) wanted.add(n);
    this.spacer.replaceChildren(...[...wanted].sort((a, b) => a - b).map((n) => this.option(n)));
    if (this.at >= 0) list.setAttribute("aria-activedescendant", `option-${this.at}`);
    else list.removeAttribute("aria-activedescendant");
  },

  option(at) {
    const claim = CLAIMS[this.visible[at]];
    const made = el("div", `option ${TIERS[claim.tier]}`,
      el("p", "claim", prose(claim.text.slice(0, 300))),
      el("p", "meta", el("span", "rule", claim.rule), " ", place(`${PATHS[claim.path]}:${claim.line}`)));
    made.id = `option-${at}`;
    made.style.top = `${at * ROW}px`;
    for (const [name, value] of [["role", "option"], ["aria-selected", at === this.at],
      ["aria-posinset", at + 1], ["aria-setsize", this.visible.length]]) made.setAttribute(name, String(value));
    made.addEventListener("click", () => this.open(at));
    return made;
  },
};

/** What blocks, what is wrong, doubts, then all of which nothing is known. */
function weight(claim) {
  return claim.tier === 3 ? 0 : ["wrong", "doubt", "note", "silent"].indexOf(RULES[claim.rule]?.[2]) + 1;
}

function options(select, every, rows) {
  select.append(...[["", every], ...rows].map(([value, label]) => new Option(label, value)));
}

function haystack(claim) {
  const cited = (claim.evidence ?? []).flatMap((e) => [e.target, e.reason, e.quote, e.beside?.[1].join("")]);
  const where = [`${PATHS[claim.path]}:${claim.line}`, SECTIONS[claim.section], claim.id, claim.source];
  return plain([claim.text, claim.rule, claim.why, ...where, ...cited].filter(Boolean).join("\n")).toLowerCase();
}
