// How the HTML report looks: on wide and narrow screens, light and dark, and on paper. Nothing is loaded.

export const REPORT_STYLE = `
:root {
  color-scheme: light dark;
  --page: #ffffff; --text: #1c2024; --soft: #586068; --line: #d9dde1; --panel: #f4f6f8; --link: #0a5bc4;
  --strong: #1a6b3c; --moderate: #0a5bc4; --weak: #8a5200; --none: #a8261c;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #15181b; --text: #e4e7ea; --soft: #a3acb5; --line: #363c43; --panel: #1e2226; --link: #82b4ff;
    --strong: #7fd3a0; --moderate: #82b4ff; --weak: #f0b45f; --none: #ff9d94;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--page); color: var(--text);
  font: 1rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  overflow-wrap: anywhere;
}
main { max-width: 46rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
h1 { font-size: 1.8rem; line-height: 1.25; margin: 0 0 .75rem; }
h2 { font-size: 1.2rem; line-height: 1.35; margin: 2.5rem 0 .75rem; padding-top: 1rem; border-top: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 1.5rem 0 .25rem; }
p { margin: 0 0 .75rem; }
a { color: var(--link); text-underline-offset: .15em; }
a:focus-visible, summary:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 2px; }
code { font: .9em ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.lead, .note { color: var(--soft); }
.lead { font-size: .95rem; }
.note { font-size: .9rem; }
.partial { border-inline-start: 4px solid var(--weak); background: var(--panel); padding: .6rem .8rem; margin: 0 0 1rem; }
.partial p { margin: 0 0 .4rem; }
.partial p:first-child { font-weight: 600; }
.partial p:last-child { margin: 0; }
section.answer { background: var(--panel); border: 1px solid var(--line); border-radius: .5rem; margin-top: 1.75rem; padding: 1.1rem 1.25rem .5rem; }
section.answer h2 { border: 0; margin: 0 0 .75rem; padding: 0; }
ol.claims { list-style: none; margin: 0; padding: 0; }
ol.claims > li { display: grid; grid-template-columns: 2rem minmax(0, 1fr); align-items: baseline; margin: 0 0 1rem; }
ol.claims > li > .number { color: var(--soft); font-size: .8rem; font-variant-numeric: tabular-nums; }
li p { margin: 0; }
.refs { font-size: .85rem; }
.refs a, .from a { display: inline-block; max-width: 100%; }
.doubt { color: var(--none); font-weight: 600; font-size: .9rem; }
:target { scroll-margin-top: 1rem; }
li:target, li:target > div { background: var(--panel); box-shadow: 0 0 0 .35rem var(--panel); }
details { font-size: .85rem; color: var(--soft); }
summary { cursor: pointer; width: fit-content; }
details[open] { border-inline-start: 2px solid var(--line); padding-inline-start: .75rem; margin: .25rem 0 .5rem; }
blockquote { margin: .5rem 0; color: var(--text); white-space: pre-wrap; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .1rem .75rem; margin: .25rem 0 .75rem; }
dd { margin: 0; }
table { width: 100%; border-collapse: collapse; font-size: .92rem; margin: .5rem 0 1rem; }
caption { text-align: start; color: var(--soft); font-size: .9rem; padding-bottom: .4rem; }
.compared caption { color: var(--text); font-weight: 600; padding-top: .5rem; }
th, td { text-align: start; vertical-align: top; padding: .45rem .6rem; border-bottom: 1px solid var(--line); }
th { font-weight: 600; }
thead th { font-size: .85rem; color: var(--soft); overflow-wrap: normal; }
.value { font-variant-numeric: tabular-nums; width: 22%; }
.from { width: 26%; font-size: .85rem; }
.level { font-weight: 600; white-space: nowrap; }
.level.strong { color: var(--strong); } .level.moderate { color: var(--moderate); }
.level.weak { color: var(--weak); } .level.none { color: var(--none); }
ol.sources { padding-inline-start: 1.75rem; }
ol.sources > li { margin-bottom: .9rem; padding-inline-start: .25rem; }
ol.sources .title { font-weight: 600; }
.small { font-size: .85rem; color: var(--soft); }
@media (max-width: 34rem) {
  main { padding: 1.5rem 1rem 3rem; }
  h1 { font-size: 1.45rem; }
  section.answer { margin-inline: -.5rem; padding-inline: .9rem; }
  ol.claims > li { grid-template-columns: 1.5rem minmax(0, 1fr); }
  dl { grid-template-columns: minmax(0, 1fr); }
  th, td { padding: .4rem .35rem; }
}
@media print {
  :root {
    --page: #ffffff; --text: #000000; --soft: #444444; --line: #bbbbbb; --panel: #ffffff; --link: #000000;
    --strong: #000000; --moderate: #000000; --weak: #000000; --none: #000000;
  }
  @page { margin: 18mm 16mm; }
  html { font-size: 10.5pt; }
  main { max-width: none; padding: 0; }
  a { text-decoration: none; }
  details, .back { display: none; }
  section.answer { padding: .75rem 1rem .25rem; }
  h1, h2, h3, caption { break-after: avoid; }
  ol > li, tr { break-inside: avoid; }
}
`;
