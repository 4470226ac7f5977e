/// How a report looks: light or dark as the reader's system is, in one column, on paper too.
extension HTMLReport {
    /// The style sheet.
    ///
    /// Pictures are drawn for white paper. In the dark their few greys are replaced by name, as ``Chart`` sets them, and the
    /// one colour of series that is too dark for it.
    static let style = """
        :root {
          --paper: #ffffff; --ink: #1c1e21; --muted: #555b63; --line: #d5d8dc; --soft: #f3f4f6; --link: #0058a3;
        }
        @media screen and (prefers-color-scheme: dark) {
          :root {
            --paper: #17191c; --ink: #e6e7e9; --muted: #a9afb7; --line: #3a3f45; --soft: #212429; --link: #7fbdf0;
          }
          figure svg [fill="#000"], figure svg [fill="#333333"], figure svg [fill="black"] { fill: var(--ink); }
          figure svg [fill="#555555"] { fill: var(--muted); }
          figure svg [fill="white"] { fill: var(--paper); }
          figure svg [stroke="white"] { stroke: var(--paper); }
          figure svg [stroke="#E5E5E5"], figure svg [stroke="#ddd"] { stroke: var(--line); }
          figure svg [stroke="#888"] { stroke: var(--muted); }
          figure svg [fill="#0072B2"] { fill: #2a8fdc; }
          figure svg [stroke="#0072B2"] { stroke: #2a8fdc; }
          figure svg [stroke="#333333"], figure svg [stroke="black"] { stroke: var(--ink); }
        }
        * { box-sizing: border-box; }
        body {
          margin: 0; background: var(--paper); color: var(--ink);
          font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "DejaVu Sans", sans-serif;
        }
        main { max-width: 54rem; margin: 0 auto; padding: 1.5rem 1.25rem 4rem; overflow-wrap: break-word; }
        h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 1rem; }
        h2 { font-size: 1.3rem; margin: 2.6rem 0 .8rem; padding-top: .8rem; border-top: 1px solid var(--line); }
        h3 { font-size: 1.05rem; margin: 1.6rem 0 .5rem; }
        h1 + p strong { font-size: 1.15rem; font-weight: 600; }
        a { color: var(--link); }
        nav ul { margin: 1.5rem 0 0; padding: 0; display: flex; flex-wrap: wrap; gap: .3rem 1.1rem; list-style: none; }
        .notice { border-left: 4px solid #e69f00; background: var(--soft); padding: .6rem .9rem; }
        .table { overflow-x: auto; margin: 1rem 0; }
        table { border-collapse: collapse; font-size: .92rem; font-variant-numeric: tabular-nums; }
        th, td { padding: .28rem .8rem; text-align: left; vertical-align: baseline; border-bottom: 1px solid var(--line); }
        th:first-child { padding-left: 0; }
        thead th { color: var(--muted); font-weight: 600; }
        tbody th { font-weight: 400; }
        .number { text-align: right; white-space: nowrap; }
        pre { overflow-x: auto; padding: .7rem .9rem; background: var(--soft); line-height: 1.25; }
        code { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .88em; }
        @media (min-width: 60rem) { .table { width: max-content; max-width: max(100%, 50vw + 24.5rem); } }
        figure { margin: 1.2rem 0; }
        figure svg { display: block; max-width: 100%; height: auto; }
        @media print {
          body { font-size: 12px; }
          main { max-width: none; padding: 0; }
          nav { display: none; }
          h2 { break-after: avoid; }
          figure, tr, .notice { break-inside: avoid; }
          .table, pre { overflow: visible; }
          pre { white-space: pre-wrap; }
        }
        """
}
