/// The style of a site: light and dark as the reader's system has it, fit for a phone and for paper.
enum SiteStyle {
  static let css = """
    :root {
      color-scheme: light dark;
      --page: #fdfdfb; --ink: #22262a; --faint: #59636c; --line: #d9dcdf; --accent: #1f5c9e; --box: #f2f3f1;
      --mark: #fff1a8; --broken: #a8321f; --warning: #8a5a00; --success: #1d6b3a;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --page: #16181b; --ink: #e3e6e8; --faint: #9aa4ad; --line: #3a3f45; --accent: #8cc0ff; --box: #212429;
        --mark: #5a4a0c; --broken: #ff9a86; --warning: #e8b04a; --success: #7fd19b;
      }
    }
    * { box-sizing: border-box; }
    html { -webkit-text-size-adjust: 100%; scroll-padding-top: 1rem; }
    body {
      margin: 0 auto; padding: 0 1rem 4rem; max-width: 46rem; background: var(--page); color: var(--ink);
      font: 1.0625rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
      overflow-wrap: anywhere;
    }
    a { color: var(--accent); text-underline-offset: 0.15em; }
    a:focus-visible, input:focus-visible, [tabindex]:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
    .skip { position: absolute; left: -100vw; }
    .skip:focus { left: 1rem; top: 0.5rem; padding: 0.25rem 0.75rem; background: var(--page); z-index: 3; }
    header { display: flex; flex-wrap: wrap; gap: 0.5rem 1.25rem; align-items: center; padding: 1rem 0; border-bottom: 1px solid var(--line); }
    .home { font-weight: 650; color: inherit; text-decoration: none; }
    header nav { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; }
    header nav a { text-decoration: none; }
    form { position: relative; margin-left: auto; display: flex; gap: 0.5rem; align-items: center; }
    [hidden] { display: none !important; }
    form label { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
    input[type="search"] {
      width: 14rem; padding: 0.375rem 0.625rem; font: inherit; font-size: 1rem; color: inherit; background: var(--page);
      border: 1px solid var(--faint); border-radius: 0.375rem;
    }
    [id="s:found"] {
      position: absolute; top: calc(100% + 0.375rem); right: 0; width: min(34rem, calc(100vw - 2rem)); max-height: 70vh; overflow: auto;
      padding: 0.5rem; background: var(--page); border: 1px solid var(--line); border-radius: 0.5rem;
      box-shadow: 0 4px 18px rgb(0 0 0 / 18%); z-index: 2;
    }
    [id="s:preview"] {
      position: absolute; z-index: 4; max-width: min(24rem, calc(100vw - 1rem)); padding: 0.5rem 0.75rem; background: var(--page);
      border: 1px solid var(--line); border-radius: 0.5rem; box-shadow: 0 4px 18px rgb(0 0 0 / 18%); font-size: 0.9375rem; line-height: 1.45;
    }
    [id="s:preview"] strong, [id="s:preview"] span { display: block; }
    [id="s:count"] { margin: 0 0.5rem; color: var(--faint); font-size: 0.875rem; }
    [id="s:list"] { list-style: none; margin: 0; padding: 0; }
    [id="s:list"] a { display: block; padding: 0.25rem 0.5rem; border-radius: 0.25rem; text-decoration: none; }
    [id="s:list"] a:hover, [id="s:list"] a:focus { background: var(--box); }
    [id="s:list"] small { color: var(--faint); margin-left: 0.5rem; }
    h1, h2, h3, h4, h5, h6 { line-height: 1.25; margin: 1.8em 0 0.5em; }
    h1 { font-size: 1.9rem; margin-top: 1.5rem; }
    h2 { font-size: 1.35rem; }
    h3 { font-size: 1.125rem; }
    h4, h5, h6 { font-size: 1rem; }
    .facts { margin: 0 0 1.75rem; font-size: 0.875rem; color: var(--faint); }
    .facts div { display: flex; gap: 0.75rem; }
    .facts dt { flex: none; width: 6.5rem; }
    .facts dd { margin: 0; color: var(--ink); white-space: pre-wrap; min-width: 0; }
    .crumbs ol { display: flex; flex-wrap: wrap; gap: 0 0.5rem; list-style: none; margin: 1rem 0 -1rem; padding: 0; font-size: 0.875rem; }
    .crumbs li:not(:last-child)::after { content: "/"; margin-inline-start: 0.5rem; color: var(--faint); }
    .crumbs a { color: var(--faint); text-decoration: none; }
    .tag { text-decoration: none; }
    .kind, .counts, small, time { color: var(--faint); }
    .kind { font-size: 0.875rem; }
    .notes { list-style: none; padding: 0; }
    .notes li { padding: 0.25rem 0; }
    .notes time { font-variant-numeric: tabular-nums; font-size: 0.875rem; margin-right: 0.5rem; }
    .notes .tag, td .tag { font-size: 0.875rem; }
    .done, .done a { color: var(--faint); }
    p.tags { line-height: 2; }
    ul.tags { columns: 14rem; list-style: none; padding: 0; }
    .broken { color: var(--broken); text-decoration: underline dotted; }
    .backlinks { margin-top: 3rem; padding-top: 0.25rem; border-top: 1px solid var(--line); font-size: 0.9375rem; }
    .backlinks h2 { font-size: 1rem; color: var(--faint); margin: 0.75rem 0 0.25rem; }
    .backlinks ul { padding: 0; list-style: none; }
    .backlinks li { padding: 0.25rem 0; }
    .backlinks p { margin: 0; color: var(--faint); }
    .backlinks mark { color: var(--ink); }
    mark { background: var(--mark); color: inherit; border-radius: 0.125rem; }
    code { font-family: ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace; font-size: 0.9em; background: var(--box); padding: 0.1em 0.3em; border-radius: 0.25rem; }
    pre { overflow-x: auto; background: var(--box); padding: 0.75rem 1rem; border-radius: 0.5rem; line-height: 1.45; overflow-wrap: normal; }
    pre code { background: none; padding: 0; }
    pre.source { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; color: var(--faint); }
    blockquote { margin: 1em 0; padding: 0.1em 1em; border-left: 3px solid var(--line); color: var(--faint); }
    .callout { margin: 1em 0; padding: 0.5rem 1rem; border-left: 4px solid var(--callout, var(--accent)); background: var(--box); border-radius: 0.25rem; }
    .callout-title { margin: 0.25rem 0; font-weight: 650; color: var(--callout, var(--accent)); }
    summary.callout-title { cursor: pointer; }
    [data-callout="warning"], [data-callout="caution"], [data-callout="attention"], [data-callout="question"] { --callout: var(--warning); }
    [data-callout="danger"], [data-callout="error"], [data-callout="bug"], [data-callout="failure"] { --callout: var(--broken); }
    [data-callout="tip"], [data-callout="success"], [data-callout="check"], [data-callout="done"] { --callout: var(--success); }
    .embed { margin: 1em 0; padding: 0.25rem 1rem; border: 1px solid var(--line); border-radius: 0.5rem; }
    .embed-title { margin: 0.25rem 0; font-size: 0.875rem; }
    math { font-size: 1.1em; }
    .math { font-family: ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace; font-size: 0.9em; }
    math[display="block"] { overflow-x: auto; overflow-y: hidden; max-width: 100%; padding: 0.25rem 0; }
    .math.display { display: block; overflow-x: auto; white-space: pre; margin: 1em 0; }
    pre .k, pre .kd, pre .kn, pre .kr, pre .kt, pre .kc, pre .ow, pre .nt { color: var(--accent); }
    pre .s, pre .s1, pre .s2, pre .sb, pre .sd, pre .sh, pre .sx, pre .sr, pre .m, pre .mi, pre .mf, pre .mh { color: var(--success); }
    pre .c, pre .c1, pre .cm, pre .cp, pre .ch, pre .cs { color: var(--faint); font-style: italic; }
    pre .nf, pre .nc, pre .nd, pre .na, pre .nb, pre .bp { color: var(--warning); }
    img, video { max-width: 100%; height: auto; }
    .table { overflow-x: auto; margin: 1em 0; overflow-wrap: normal; }
    table { border-collapse: collapse; font-size: 0.9375rem; }
    th, td { padding: 0.3rem 0.75rem 0.3rem 0; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top; }
    th { color: var(--faint); font-weight: 600; }
    .records { width: 100%; }
    .whole { white-space: nowrap; }
    .right { text-align: right; }
    .centre { text-align: center; }
    article p, article li, article th, article td, article h2, article h3, article h4, article h5, article h6, .backlinks p {
      unicode-bidi: plaintext;
    }
    li.task { list-style: none; margin-left: -1.4em; }
    input[data-task] { appearance: none; display: inline-grid; place-content: center; width: 1em; height: 1em; margin: 3px 3px 3px 4px; border: 1px solid; border-radius: .2em; }
    input[data-task]::before { content: attr(data-task); font: 700 .75em/1 monospace; }
    .footnotes { margin-top: 2.5rem; border-top: 1px solid var(--line); font-size: 0.9375rem; }
    .footnotes .back { float: right; text-decoration: none; }
    hr { border: 0; border-top: 1px solid var(--line); margin: 2em 0; }
    .pages { margin-top: 1.5rem; }
    :target { background: var(--box); }
    @media (max-width: 40rem) {
      form { margin-left: 0; width: 100%; }
      input[type="search"] { flex: 1; width: auto; min-width: 0; }
      [id="s:found"] { left: 0; right: 0; width: auto; }
      .notes time { display: block; }
      .facts dt { width: 5.5rem; }
    }
    @media print {
      header nav, form, [id="s:preview"], .skip, .crumbs, .pages { display: none; }
      body { max-width: none; padding: 0; font-size: 11pt; }
      a { color: inherit; }
      pre { white-space: pre-wrap; }
      h1, h2, h3, h4 { break-after: avoid; }
      pre, table, img, blockquote { break-inside: avoid; }
    }

    """
}
