import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./assets.mjs";
import { bodyOf, element } from "./tree.mjs";

const { inertHTML, isPlain, markdownOf } = await load("htmlmarkdown.js");
/** For texts that take minutes where the time grows with their square. */
const MOST_MILLISECONDS = 10_000;
const read = (html, options) => markdownOf(bodyOf(inertHTML(html)), options);

function table(name, rows) {
  for (const [html, wanted] of rows) test(`${name}: ${JSON.stringify(html).slice(0, 90)}`, () => assert.equal(read(html), wanted));
}

table("blocks", [
  ["<h1>One</h1><p>Two\n  three</p><h3>Four <b>five</b></h3>", "# One\n\nTwo three\n\n### Four five"],
  ["<div>One</div><div><p>Two</p>three</div>", "One\n\nTwo\n\nthree"],
  ["<p>One<br>two</p><p>Three<br><br>four<br></p>", "One\\\ntwo\n\nThree\n\nfour"],
  ["<p>One</p><hr><p>Two</p>", "One\n\n---\n\nTwo"],
  ["<h2>One<br>two</h2><h2></h2>", "## One two"],
  ["<blockquote><p>One</p><blockquote>Two</blockquote></blockquote>", "> One\n>\n> > Two"],
  ["<dl><dt>Word</dt><dd>Meaning</dd></dl>", "Word\n\nMeaning"],
  ["  <p> &nbsp; </p> ", ""],
]);

table("marks", [
  ["a <b>b</b> <i>c</i> <del>d</del> <mark>e</mark> <code>f</code>", "a **b** *c* ~~d~~ ==e== `f`"],
  ["<b>a</b><strong>b</strong>", "**ab**"],
  ["<i>a <b>b</b> c</i>", "*a **b** c*"],
  ["<b> a </b>b", "**a** b"],
  ["<b>Note:</b>text", "**Note**:text"],
  ["a<b>(b)</b>", "a(**b)**"],
  ["a<b><code>b</code></b>", "a`b`"],
  ["<b><p>One</p><p>Two</p></b>", "**One**\n\n**Two**"],
  ['<b style="font-weight:normal"><span style="font-weight:700">a</span> <span style="font-style: italic">b</span></b><p></p>', "**a** *b*"],
  ["<b> </b><i></i>", ""],
  ["<code>a `b` ``c</code> <code>`</code>", "```a `b` ``c``` `` ` ``"],
  ["<p><b>a<br>b</b></p>", "**a**\\\n**b**"],
]);

table("links and images", [
  ['<a href="https://example.org/a_b">one <b>two</b></a>', "[one **two**](https://example.org/a_b)"],
  ['<b>See <a href="https://example.org">this</a> now</b>', "**See [this](https://example.org) now**"],
  ['<a href="https://example.org/(a)?b c">x</a>', "[x](<https://example.org/(a)?b%20c>)"],
  ['<a href="https://example.org">https://example.org</a>', "<https://example.org>"],
  ['<a href="mailto:a@example.org">a@example.org</a>', "<a@example.org>"],
  ['<a href="https://example.org"><h2>Title</h2><p>Text</p></a>', "## [Title](https://example.org)\n\n[Text](https://example.org)"],
  ['<a href="https://example.org/?a=1&amp;amp;b">x [1]</a>', "[x \\[1\\]](https://example.org/?a=1\\&amp;b)"],
  ['<a href="javascript:alert(1)">a</a><a href=" java\nscript:alert(1)">b</a><a href="data:text/html,x">c</a><a href="file:///etc">d</a><a href="/x">e</a><a href="#x">f</a><a>g</a>', "abcdefg"],
  ['<a href="https://example.org"></a>', ""],
  ['<img src="https://example.org/a.png" alt="a [b]">', "![a \\[b\\]](https://example.org/a.png)"],
  ['<a href="https://example.org"><img src="https://example.org/a.png"></a>', "[![](https://example.org/a.png)](https://example.org)"],
  ['<img src="data:image/png;base64,AA" alt="x"><img src="javascript:x"><img src="a.png"><img src="https://e.org/p" width="1">a', "a"],
  ['<img src="https://e.org/smile.png" alt="😀">', "😀"],
]);

table("lists", [
  ["<ul><li>One</li><li>Two<ul><li>Three</li></ul></li></ul>", "- One\n- Two\n  - Three"],
  ['<ol start="9"><li>One</li><li>Two<ul><li>Three</li></ul></li></ol>', "9. One\n10. Two\n    - Three"],
  ["<ul><li><p>One</p></li><li><p>Two</p></li></ul>", "- One\n- Two"],
  ["<ul><li><p>One</p><p>more</p></li><li>Two</li></ul>", "- One\n\n  more\n\n- Two"],
  ['<ul><li><input type="checkbox" checked> One</li><li><p><input type="checkbox"> Two</p></li></ul>', "- [x] One\n- [ ] Two"],
  ['<ul><li role="checkbox" aria-checked="true">One</li></ul>', "- [x] One"],
  ["<ul>\n<li>One</li>\n<ul><li>Two</li></ul>\n</ul>", "- One\n  - Two"],
  ["<ul><li>One<pre>a\n\nb</pre></li></ul>", "- One\n\n  ```\n  a\n\n  b\n  ```"],
  ["<ul><li></li><li> </li></ul>", ""],
  ["<p>One</p><ul><li>Two</li></ul><p>Three</p>", "One\n\n- Two\n\nThree"],
]);

table("code", [
  ["<pre><code class=\"hljs language-swift\">let a = 1\n  let b\n</code></pre>", "```swift\nlet a = 1\n  let b\n```"],
  ["<p>a</p><pre>```\nx\n````</pre>", "a\n\n`````\n```\nx\n````\n`````"],
  ["<p>a</p><pre><div>one</div><div>two</div></pre>", "a\n\n```\none\ntwo\n```"],
  ["<p>a</p><pre>one<br>two *</pre>", "a\n\n```\none\ntwo *\n```"],
]);

table("tables", [
  ["<table><tr><th>A</th><th align=\"right\">B</th></tr><tr><td>a|b</td><td><code>c|d</code></td></tr></table>", "| A | B |\n| --- | --: |\n| a\\|b | `c\\|d` |"],
  ["<table><thead><tr><th colspan=\"2\">A</th></tr></thead><tbody><tr><td rowspan=\"2\">a</td><td>b</td></tr><tr><td>c</td></tr></tbody></table>", "| A |  |\n| --- | --- |\n| a | b |\n|  | c |"],
  ["<table><tr><td>A</td><td><p>b</p><ul><li>c</li><li>d</li></ul><blockquote>e</blockquote><pre>f\ng</pre></td></tr></table>", "| A | b c d e `f g` |\n| --- | --- |"],
  ["<table><caption>All</caption><tr><td>A</td><td>B</td></tr></table>", "All\n\n| A | B |\n| --- | --- |"],
  ['<table role="presentation"><tr><td><p>A</p></td><td>B</td></tr></table>', "A\n\nB"],
  ["<table><tr><td><table><tr><td>A</td><td>B</td></tr></table></td><td>C</td></tr></table>", "| A | B |\n| --- | --- |\n\nC"],
]);

const KATEX = '<span class="katex"><span class="katex-mathml"><math><semantics><mrow><mi>x</mi></mrow><annotation encoding="application/x-tex">x^2</annotation></semantics></math></span><span class="katex-html" aria-hidden="true"><span>x</span><span>2</span></span></span>';
const LINE = (number, code) => `<tr><td class="blob-num" data-line-number="${number}">${number}</td><td class="blob-code blob-code-inner">${code}</td></tr>`;

table("meaning that tags have", [
  ["10<sup>6</sup> H<sub>2</sub>O", "10<sup>6</sup> H<sub>2</sub>O"],
  ["<b>x<sup>*a* <i>b</i></sup> c</b><sup> </sup>", "**x<sup>\\*a\\* *b*</sup> c**"],
  [`<p>so ${KATEX} is</p>`, "so $x^2$ is"],
  [`<p>so</p><span class="katex-display">${KATEX}</span><p>is</p>`, "so\n\n$$x^2$$\n\nis"],
  ['<h2>One<a aria-hidden="true" href="https://example.org">#</a></h2><p hidden>x</p><p aria-hidden="false">a</p>', "## One\n\na"],
  ["<table><tr><th>A</th><th>B</th></tr><tr><td>a<br> b<br></td><td><b>c<br>d</b></td></tr></table>", "| A | B |\n| --- | --- |\n| a<br>b | **c**<br>**d** |"],
  [`<table>${LINE(1, "<span>let</span> a = 1")}${LINE(2, "\n")}${LINE(3, "  b()")}</table>`, "```\nlet a = 1\n\n  b()\n```"],
  ['<table><tr><td class="linenos"><pre>1\n2</pre></td><td class="code"><pre>a\n  b\n</pre></td></tr></table>', "```\na\n  b\n```"],
]);

table("signs of the text", [
  ["<p># a</p><p>- b</p><p>1. c</p><p>&gt; d</p><p>+ e</p><p>---</p><p>2026-01-01</p>", "\\# a\n\n\\- b\n\n1\\. c\n\n\\> d\n\n\\+ e\n\n\\---\n\n2026-01-01"],
  ["<p>a *b* 2 * 3 snake_case _c_ `d` [e] [[f]] ~~g~~ ==h==</p>", "a \\*b\\* 2 * 3 snake_case \\_c\\_ \\`d\\` \\[e\\] \\[\\[f\\]\\] \\~\\~g\\~\\~ \\==h\\=="],
  ["<p>C# #1 #tag a#b &lt;b&gt; 1 &lt; 2 &amp;amp; A&amp;B C:\\dir \\*</p>", "C# #1 \\#tag a#b \\<b> 1 < 2 \\&amp; A&B C:\\dir \\\\\\*"],
  ["<p>$5</p><p>$a$ b</p><p>%%c%%</p><p>due:: d</p><p>std::string</p><p>e ^f</p>", "$5\n\n\\$a\\$ b\n\n\\%%c\\%%\n\ndue:\\: d\n\nstd::string\n\ne \\^f"],
  ["<p>see https://example.org/_a_/*b, or https://example.org/a_b.</p>", "see <https://example.org/_a_/*b>, or <https://example.org/a_b>."],
  ["<p>see https://example.org/a.</p>", "see https://example.org/a."],
]);

test("hostile HTML is harmless text", () => {
  const rows = [
    ["<p>a</p><script>alert(1)</script><style>p{}</style><!-- <b>c</b> --><template><p>t</p></template><title>t</title>", "a"],
    ['<p onclick="alert(1)">a<img src="x" onerror="alert(1)"></p>', "a"],
    ['<svg onload="alert(1)"><text>s</text></svg><iframe src="https://example.org">f</iframe><object>o</object><p>a</p>', "a"],
    ['<p style="display: none">a</p><p hidden>b</p><p>c</p>', "c"],
    ["<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>", "\\<script>alert(1)\\</script>"],
    ['<a href="https://example.org/&quot;&gt;&lt;script&gt;">a</a><p></p>', "[a](https://example.org/%22%3E%3Cscript%3E)"],
    ["<p>a](javascript:alert(1))</p>", "a\\](javascript:alert(1))"],
    ["<pre><code class=\"language-x`y\">a</code></pre>", "```x\na\n```"],
  ];
  for (const [html, wanted] of rows) assert.equal(read(html), wanted, html);
});

test("browsers find no styles and event handlers to report", () => {
  const rows = [
    ['<p style="a" class="b">style="c"</p>', '<p  data-style="a" class="b">style="c"</p>'],
    ['<svg/onload=x><img alt="a"onerror="x">', '<svg/ data-onload=x><img alt="a" data-onerror="x">'],
    ["a<style>p {}</style>b<STYLE>c", "a</style>b"],
  ];
  for (const [html, wanted] of rows) assert.equal(inertHTML(html), wanted);
});

test("deep and large HTML is read in time", () => {
  for (const name of ["div", "b", "ul", "blockquote", "table", "span"]) {
    let node = { nodeType: 3, data: "end", childNodes: [] };
    for (let depth = 0; depth < 50_000; depth++) node = element(name, {}, [node]);
    const begun = performance.now();
    assert.match(markdownOf(element("body", {}, [node])), /end/, name);
    assert.ok(performance.now() - begun < MOST_MILLISECONDS, name);
  }
  for (const text of [".".repeat(200_000), "*".repeat(200_000), " ".repeat(200_000), "`".repeat(200_000), "https://".repeat(30_000), "$ ".repeat(200_000), "a: ".repeat(100_000), "<style>".repeat(60_000), "<a style".repeat(30_000)]) {
    const begun = performance.now();
    read(`<p>a<b>${text}</b>a</p><pre>${text}a</pre><p><code>${text}</code></p>`);
    assert.ok(performance.now() - begun < MOST_MILLISECONDS, `${text.slice(0, 10)}: ${performance.now() - begun}`);
  }
  const begun = performance.now();
  assert.equal(read(`<ul>${"<li><b>a</b> b</li>".repeat(20_000)}</ul>`).split("\n").length, 20_000);
  assert.ok(performance.now() - begun < MOST_MILLISECONDS);
});

test("links of this page become links of notes", () => {
  const origin = "http://127.0.0.1:8080";
  const rows = [
    [`<a class="note-link" href="${origin}/#/note/abcd">Peat</a>`, "[[abcd|Peat]]"],
    ['<a class="note-link" href="#/note/a%2Fb.md">Peat</a>', "[[a/b.md|Peat]]"],
    [`<a class="tag-link" href="${origin}/#/q/%2Bsoil">#soil</a>`, "#soil"],
    [`<a class="tag-link" href="${origin}/#/q/x">#soil [x](https://e.org)</a>`, "\\#soil \\[x\\](https://e.org)"],
    [`<a href="${origin}/#/note/%5D%5Dx">Peat</a>`, "Peat"],
    [`<a href="${origin}/other">Peat</a>`, "Peat"],
    ['<h4 class="size-2">Part</h4>', "## Part"],
  ];
  for (const [html, wanted] of rows) assert.equal(read(html, { origin }), wanted, html);
});

test("tells coloured plain text from formatted text", () => {
  for (const html of [
    '<meta charset="utf-8"><div style="color: #d4d4d4"><div><span style="color: #569cd6">let</span> a</div><br></div>',
    "<pre><span>$ ls</span>\n<font color=\"red\">a</font></pre>",
    "a<!-- b -->",
  ]) assert.equal(isPlain(bodyOf(html)), true, html);
  for (const html of ["<p>a</p>", "<div><a href=\"https://example.org\">a</a></div>", "<span>a <b>b</b></span>", "<ul><li>a</li></ul>", "<code>a</code>"])
    assert.equal(isPlain(bodyOf(html)), false, html);
});
