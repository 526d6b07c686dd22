// Builds parts of the fleet page: folded lists, sortable tables, bars, curves.

const FEW = 10;
/** Shows the first rows of a list, and a button that shows all rows; `item` renders a row. */
function folded(list, rows, item, what, few = FEW) {
  list.append(...rows.slice(0, few).map(item));
  if (rows.length <= few) return;
  const more = button("more", () => {
    const rest = rows.slice(few).map(item);
    list.append(...rest);
    more.remove();
    rest[0].querySelector("button")?.focus();
  }, `Show all ${count(rows.length)} ${what}`);
  (list.closest("table") ?? list).after(more);
}

/** Returns a table that sorts by a click on a column head. A column is [label, value, kind].
    Numbers are sorted from the largest first. The returned `fill` shows rows in the table. */
function sortable(columns, row, what, few = FEW) {
  const body = el("tbody");
  const heads = columns.map(([label, , kind], n) => {
    const head = el("th", kind, button("sort", () => sort(n), label));
    head.scope = "col";
    return head;
  });
  const home = el("div", "scroll", el("table", "", el("thead", "", el("tr", "", heads)), body));
  let [rows, by, down] = [[], null, true];
  function sort(column) {
    down = by === column ? !down : columns[column][2].startsWith("number");
    by = column;
    heads.forEach((h, n) => (n === by ? h.setAttribute("aria-sort", down ? "descending" : "ascending") : h.removeAttribute("aria-sort")));
    fill(rows);
  }
  function fill(given) {
    rows = given;
    if (by !== null) {
      const value = columns[by][1];
      rows = [...rows].sort((a, b) => (value(a) < value(b) ? -1 : value(a) > value(b) ? 1 : 0) * (down ? -1 : 1));
    }
    body.replaceChildren();
    home.querySelector(".more")?.remove();
    folded(body, rows, row, what, few);
    return home;
  }
  return { fill };
}

/** Returns a curve of values from 0 to 1; `top` is the label for 1. */
function curve(values, top, label) {
  const [width, height, pad] = [320, 72, 4];
  const x = (n) => (pad + (n * (width - 2 * pad)) / (values.length - 1)).toFixed(1);
  const y = (share) => (height - pad - share * (height - 2 * pad)).toFixed(1);
  const line = values.map((v, n) => `${x(n)},${y(v)}`).join(" ");
  const end = values.length - 1;
  return svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label },
    svg("path", { d: `M0 ${y(0)}H${width}M0 ${y(0.5)}H${width}M0 ${y(1)}H${width}`, class: "grid" }),
    svg("polygon", { points: `${x(0)},${y(0)} ${line} ${x(end)},${y(0)}`, class: "area" }),
    svg("polyline", { points: line, class: "line" }),
    svg("circle", { cx: x(end), cy: y(values[end]), r: 3, class: "end" }),
    svg("text", { x: 0, y: Number(y(1)) + 9, class: "axis" }, top));
}

function svg(tag, attributes, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** Returns a bar that screen readers skip, because the number is beside the bar. */
function bar(part, whole) {
  const made = el("span", "bars", el("span"));
  made.setAttribute("aria-hidden", "true");
  made.firstChild.style.width = `${(100 * part) / whole}%`;
  return made;
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
