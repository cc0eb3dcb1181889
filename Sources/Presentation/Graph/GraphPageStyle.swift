/// The style of the page that shows a graph.
enum GraphPageStyle {
  static let css = """
    :root {
      color-scheme: light dark;
      --page: #fbfbf9; --panel: #ffffff; --ink: #22262a; --faint: #667079; --line: #d9dcdf;
      --node: #3f6f9f; --record: #8a6bb0; --chosen: #d2541b; --link: #8a949d; --accent: #2463a8;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --page: #16181b; --panel: #1f2226; --ink: #e6e8ea; --faint: #98a2ab; --line: #3a3f45;
        --node: #7fb0e0; --record: #b99be0; --chosen: #ff9a5c; --link: #6d7780; --accent: #8cc0ff;
      }
    }
    * { box-sizing: border-box; }
    html, body { height: 100%; margin: 0; }
    body {
      background: var(--page); color: var(--ink); overflow: hidden;
      font: 15px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
    }
    canvas { position: fixed; inset: 0; width: 100%; height: 100%; touch-action: none; cursor: grab; }
    canvas.dragging { cursor: grabbing; }
    .box {
      position: fixed; background: var(--panel); border: 1px solid var(--line); border-radius: 8px;
      box-shadow: 0 1px 6px rgb(0 0 0 / 12%);
    }
    #tools { top: 12px; left: 12px; width: min(320px, calc(100% - 24px)); padding: 10px; }
    #tools label { display: block; color: var(--faint); font-size: 13px; }
    #tools input[type="search"], #tools select {
      width: 100%; margin: 2px 0 8px; padding: 6px 8px; font: inherit; color: inherit; background: var(--page);
      border: 1px solid var(--line); border-radius: 6px;
    }
    #found { list-style: none; margin: -4px 0 8px; padding: 0; max-height: 40vh; overflow: auto; }
    #found button, #panel li button {
      display: block; width: 100%; padding: 3px 8px; border: 0; border-radius: 4px; text-align: left;
      font: inherit; color: inherit; background: none; cursor: pointer; overflow-wrap: anywhere;
    }
    #found button:hover, #panel li button:hover, #found button[aria-selected="true"] { background: var(--line); }
    #ways { margin: 0; padding: 0; list-style: none; max-height: 20vh; overflow: auto; }
    #ways label { display: flex; align-items: center; gap: 6px; color: var(--ink); }
    #ways i { flex: none; width: 18px; height: 3px; border-radius: 2px; }
    #count { margin: 8px 0 0; color: var(--faint); font-size: 13px; }
    #panel {
      top: 12px; right: 12px; bottom: 12px; width: min(340px, calc(100% - 24px)); padding: 14px 16px; overflow: auto;
    }
    #panel h1 { font-size: 19px; line-height: 1.25; margin: 0 28px 6px 0; overflow-wrap: anywhere; }
    #panel h2 { font-size: 13px; margin: 14px 0 2px; color: var(--faint); font-weight: 600; }
    #panel p { margin: 4px 0; overflow-wrap: anywhere; }
    #panel ul { list-style: none; margin: 0 -8px; padding: 0; }
    #panel small { color: var(--faint); }
    #panel a { color: var(--accent); }
    #tags button {
      margin: 0 4px 4px 0; padding: 1px 8px; font: inherit; font-size: 13px; color: inherit; cursor: pointer;
      background: var(--page); border: 1px solid var(--line); border-radius: 10px;
    }
    #close {
      position: absolute; top: 8px; right: 8px; width: 28px; height: 28px; border: 0; border-radius: 6px;
      background: none; color: var(--faint); font-size: 20px; line-height: 1; cursor: pointer;
    }
    #zoom { left: 12px; bottom: 12px; display: flex; }
    #zoom button { width: 34px; height: 34px; border: 0; background: none; color: inherit; font-size: 18px; cursor: pointer; }
    button:focus-visible, input:focus-visible, select:focus-visible, a:focus-visible {
      outline: 2px solid var(--accent); outline-offset: 1px;
    }
    [hidden] { display: none !important; }
    """
}
