"""Pages of different kinds and what is read of them."""

from __future__ import annotations

import pytest

from grounded_ingest.net.body_text import TEXT_LIMIT
from grounded_ingest.net.html_text import read_html

SPHINX = """<!DOCTYPE html><html><head><title>Timeouts &#8212; Client 2.1 documentation</title></head><body>
<div class="related" role="navigation"><a href="i">index</a></div>
<div class="document"><div class="body" role="main">
<section id="timeouts"><span id="old-name"></span>
<h1>Timeouts<a class="headerlink" href="#timeouts" title="Link">¶</a></h1>
<p>Requests wait <em>at most</em> 30&nbsp;seconds. See <code class="docutils literal"><span class="pre">client.timeout</span></code>.</p>
<section id="retries"><h2>Retries<a class="headerlink" href="#retries">¶</a></h2>
<p>A request is sent three times.</p>
<div class="highlight-python"><div class="highlight"><pre><span></span><span class="n">client</span><span class="o">.</span><span class="n">retries</span> <span class="o">=</span> <span class="mi">3</span>
</pre></div></div></section>
<dl class="py function"><dt class="sig" id="client.get"><code>get</code>(<em>url</em>, <em>timeout=30</em>)<a class="headerlink" href="#client.get">¶</a></dt>
<dd><p>Fetches a URL.</p><dl class="field-list"><dt>Returns</dt><dd><p>the answer</p></dd></dl></dd>
<dt id="client.put">put(url)</dt><dd><p>Sends a body.</p></dd></dl>
</section></div></div><div class="sphinxsidebar" role="navigation">TOC</div><footer>© 2024</footer></body></html>"""

SPHINX_TEXT = """# Timeouts

Requests wait at most 30 seconds. See `client.timeout`.

## Retries

A request is sent three times.

```
client.retries = 3
```

- `get`(url, timeout=30): Fetches a URL.
- Returns: the answer
- put(url): Sends a body."""

README = """<html><head><title>GitHub - o/r: A tool</title></head><body>
<header role="banner">Sign in</header><div id="repo">Files 12 Stars 99</div>
<article class="markdown-body entry-content"><div class="markdown-heading"><h1>Tool</h1>
<a id="user-content-tool" class="anchor" aria-label="Permalink: Tool" href="#tool"><svg><path d="M1"></path></svg></a></div>
<p>A tool that <a href="x">listens</a> on port <code>8443</code>.<br>It is <del>slow</del> fast.</p>
<div class="markdown-heading"><h2>Install</h2><a id="user-content-install" class="anchor" href="#install"></a></div>
<ul><li>Python 3.11<ul><li>or newer</li></ul></li><li><p>git</p></li></ul>
<ol start="1"><li>clone<li>run</ol>
<details><summary>More</summary><p>Needs 2 GB.</p></details>
<div class="markdown-heading"><h2>License</h2><a id="user-content-license" href="#license"></a></div><p>MIT</p></article>
<footer>© GitHub</footer></body></html>"""

README_TEXT = """# Tool

A tool that listens on port `8443`. It is fast.

## Install

- Python 3.11
  - or newer
- git
1. clone
2. run

More

Needs 2 GB.

## License

MIT"""

TABLE = """<title>Limits</title><main><h2>Limits of the API and what they are for each of the plans there are today</h2>
<table><caption>Per minute</caption><colgroup><col></colgroup><thead><tr><th>Plan</th><th>Requests</th></tr></thead>
<tbody><tr><td>Free</td><td>60</td></tr><tr><td><p>Paid</p></td><td>5,000<br>more on request</td></tr><tr hidden><td>Secret</td><td>9</td></tr></tbody></table>
<table><tr><td><h3>Layout</h3><p>In a cell.</p></td></tr></table></main>"""

TABLE_TEXT = """## Limits of the API and what they are for each of the plans there are today

Per minute

| Plan | Requests |
| Free | 60 |
| Paid | 5,000 more on request |

### Layout

In a cell."""

CODE = """<title>server.conf</title><body><h1>Configuration</h1><table class="highlighttable"><tr>
<td class="linenos"><div class="linenodiv"><pre>1\n2</pre></div></td><td class="code"><div><pre><code>
port = 8443
```
<div class="line">host = a</div><div class="line">  deep = b</div></code></pre></div></td></tr></table>
<p>Press <kbd>Ctrl</kbd>. ~~~</p></body>"""

CODE_TEXT = """# Configuration

```
port = 8443

host = a
  deep = b
```

Press `Ctrl`. ~~~"""

HIDDEN = """<title>Rates</title><style>/* x */ .ghost, p.gone { color: red; display : none } #veil{visibility:hidden}
@media print { .screen { display: none } } @media screen { .never { display: none } }</style>
<body><p>The rate is 5.</p><p hidden>The rate is 10.</p><p style="DISPLAY : none !important">The rate is 11.</p>
<div aria-hidden="true"><p>The rate is 12.</p></div><!-- The rate is 13. --><template><p>The rate is 14.</p></template>
<noscript><p>The rate is 15.</p></noscript><p class="x ghost">The rate is 16.</p><p class="gone">The rate is 17.</p>
<div id="veil">The rate is 18.<p>And 19.</p></div><span class="sr-only">The rate is 20.</span><p class="screen">On screen.</p>
<p class="never">The rate is 21.</p><p style="position:absolute; left:-9999px">The rate is 22.</p><p style="font-size:0">The rate is 23.</p>
<p style="opacity: 0">The rate is 24.</p><p style="opacity: 0.9">Pale.</p><script>"The rate is 25."</script><textarea>The rate is 26.</textarea>
<select><option>The rate is 27.</select><nav>The rate is 28.</nav><s>The rate is 29.</s><img alt="The rate is 30.">
<p>The ra\u200bte\u00ad is\u2066 5 still.\U000e0041</p><dialog>The rate is 31.</dialog><p style="color: transparent">The rate is 32.</p>
<div hidden><main>The rate is 33, which is said in a main element nobody sees, and is longer than all the rest.</main></div></body>"""

HIDDEN_TEXT = """The rate is 5.

On screen.

Pale.

The rate is 5 still."""

ANCHORS = """<title>Guide</title><main><h1>Guide</h1><p>Intro to all of it, long enough to be the main text of this very page.</p>
<a name="first"></a><h2>First</h2><p>One.</p><h3>Detail</h3><p>Deep.</p><h2 id="second">Second</h2><p>Two.</p>
<div id="box"><p>Boxed.</p><p>Both.</p></div><p>After.</p><h2><span id="third">Third</span></h2><ul><li id="item">Item.</li><li>Other.</li></ul>
<h2 id="void"></h2></main><aside id="outside"><p>Beside.</p></aside>"""


@pytest.mark.parametrize(
    ("html", "title", "text"),
    [
        (SPHINX, "Timeouts — Client 2.1 documentation", SPHINX_TEXT),
        (README, "GitHub - o/r: A tool", README_TEXT),
        (TABLE, "Limits", TABLE_TEXT),
        (CODE, "server.conf", CODE_TEXT),
        (HIDDEN, "Rates", HIDDEN_TEXT),
        ("plain words", "", "plain words"),
        ("<h1>Only</h1>", "Only", "# Only"),
        ("", "", ""),
        ("<frameset><frame src=x></frameset>", "", ""),
    ],
)
def test_what_is_read_of_a_page(html: str, title: str, text: str) -> None:
    found, (section,) = read_html(html, [""])
    assert (found, section.text, section.found) == (title, text, True)


@pytest.mark.parametrize(
    ("html", "anchor", "text"),
    [
        (ANCHORS, "first", "## First\n\nOne.\n\n### Detail\n\nDeep."),
        (ANCHORS, "second", "## Second\n\nTwo.\n\nBoxed.\n\nBoth.\n\nAfter."),
        (ANCHORS, "box", "Boxed.\n\nBoth."),
        (ANCHORS, "third", "## Third\n\n- Item.\n- Other."),
        (ANCHORS, "item", "- Item."),
        (ANCHORS, "outside", "Beside."),
        (
            SPHINX,
            "retries",
            "## Retries\n\nA request is sent three times.\n\n```\nclient.retries = 3\n```",
        ),
        (SPHINX, "client.get", "- `get`(url, timeout=30): Fetches a URL.\n- Returns: the answer"),
        (SPHINX, "client.put", "- put(url): Sends a body."),
        (README, "license", "## License\n\nMIT"),
    ],
)
def test_an_anchor_selects_its_section(html: str, anchor: str, text: str) -> None:
    _, (section,) = read_html(html, [anchor])
    assert (section.text, section.found) == (text, True)


@pytest.mark.parametrize("anchor", ["nowhere", "void", "veil"])
def test_an_anchor_that_names_no_text_selects_the_page(anchor: str) -> None:
    html = ANCHORS + HIDDEN
    _, (whole, section) = read_html(html, ["", anchor])
    assert section.text == whole.text
    assert not section.found


def test_a_long_text_is_cut_between_blocks() -> None:
    _, (section,) = read_html("<p>word</p>" * 80_000, [""])
    assert TEXT_LIMIT - 10 < len(section.text) <= TEXT_LIMIT
    assert section.text.endswith("\n\nword")
    _, (one,) = read_html("x" * 1_000_000, [""])
    assert len(one.text) == TEXT_LIMIT
