// Keys, colours, print, the address of a claim; then everything is put up.

const PRINTED = 2000;

function back() {
  $("panes").classList.remove("reading");
  $("list").focus({ preventScroll: true });
  queue.draw();
}

function keyOf(claim) {
  return `#claim=${encodeURIComponent(PATHS[claim.path])}:${claim.id}${claim.ordinal ? `.${claim.ordinal}` : ""}`;
}

function address(claim) {
  try {
    history.replaceState(null, "", keyOf(claim));
  } catch {
    // an address that may not change costs the link, not the page
  }
}

/** Show the claim that the address names, whatever the filter. */
function fromAddress() {
  if (!location.hash.startsWith("#claim=")) return;
  const number = CLAIMS.findIndex((claim) => keyOf(claim) === location.hash);
  if (number < 0) return;
  queue.only({});
  queue.open(queue.visible.indexOf(number));
}

const KEYS = {
  j: () => queue.move(1),
  k: () => queue.move(-1),
  "/": () => $("search").focus(),
  "?": () => $("help").showModal(),
  1: () => queue.toggle(1),
  2: () => queue.toggle(2),
  3: () => queue.toggle(3),
};
const IN_LIST = {
  ArrowDown: () => queue.move(1),
  ArrowUp: () => queue.move(-1),
  PageDown: () => queue.move(5),
  PageUp: () => queue.move(-5),
  Home: () => queue.move(-Infinity),
  End: () => queue.move(Infinity),
};

function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || $("help").open) return;
  const on = event.target instanceof Element ? event.target : document.body;
  if (event.key === "Escape") {
    if (on.id === "search" && on.value) queue.ask({ words: "" });
    back();
  } else if (on.id === "search" && event.key === "Enter") {
    $("list").focus();
  } else if (on.matches("input, select, textarea")) {
    return;
  } else if (event.key === "Enter" && !on.closest("button, a")) {
    if (queue.at >= 0) queue.open(queue.at);
    $("detail").focus();
  } else {
    const action = KEYS[event.key] ?? (on.id === "list" ? IN_LIST[event.key] : null);
    if (!action) return;
    action();
  }
  event.preventDefault();
}

/** On paper there is no list to scroll: what the filter shows, in full. */
function printed() {
  for (const more of document.querySelectorAll(".more")) more.click();
  const claims = queue.visible.slice(0, PRINTED).map((n) => CLAIMS[n]);
  const left = queue.visible.length - claims.length;
  $("print").replaceChildren(
    el("h2", "", `Queue: ${$("shown").textContent}`),
    ...claims.map((claim) => el("article", "", detail(claim).slice(1))),
    left ? el("p", "hint", `${count(left)} more are not printed; filter to print them.`) : "",
  );
}

function start() {
  $("main").hidden = false;
  figures();
  theme();
  if (CLAIMS.length) queue.start();
  else $("queue").hidden = true;
  document.addEventListener("keydown", pressed);
  addEventListener("hashchange", fromAddress);
  addEventListener("beforeprint", printed);
  addEventListener("afterprint", () => $("print").replaceChildren());
  $("help-open").addEventListener("click", () => $("help").showModal());
  $("help-close").addEventListener("click", () => $("help").close());
  fromAddress();
}

start();
