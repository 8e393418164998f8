// The style sheet of the HTML report: wide and narrow screens, light and dark, paper. Nothing is loaded.

export const REPORT_STYLE = `
:root {
  color-scheme: light dark;
  --page: #ffffff; --text: #1c2024; --soft: #586068; --line: #d9dde1; --panel: #f4f6f8; --link: #0a5bc4;
  --warn: #8a5200; --bad: #a8261c; --mark: #fff0b3;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #15181b; --text: #e4e7ea; --soft: #a3acb5; --line: #363c43; --panel: #1e2226; --link: #82b4ff;
    --warn: #f0b45f; --bad: #ff9d94; --mark: #4d4416;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--page); color: var(--text);
  font: 1rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  overflow-wrap: break-word;
}
main { max-width: 46rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
h1 { font-size: 1.8rem; line-height: 1.25; margin: 0 0 1rem; }
h2 { font-size: 1.25rem; line-height: 1.35; margin: 2.25rem 0 .75rem; }
h3 { font-size: 1.05rem; margin: 1.5rem 0 .4rem; }
h4 { font-size: 1rem; margin: 1.25rem 0 .25rem; color: var(--soft); }
h1, h2, h3, h4 { text-wrap: balance; }
p { margin: 0 0 .75rem; }
ul, ol { margin: 0 0 .75rem; padding-inline-start: 1.4rem; }
li { margin: 0 0 .35rem; }
a { color: var(--link); text-underline-offset: .15em; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 2px; }
:target { scroll-margin-top: 1rem; }
li:target { background: var(--panel); box-shadow: 0 0 0 .35rem var(--panel); }
code, pre { font: .9em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
code { overflow-wrap: anywhere; }
pre { margin: 0 0 .75rem; padding: .6rem .8rem; background: var(--panel); border-radius: .3rem; overflow-x: auto; }
pre code { font-size: 1em; overflow-wrap: normal; }
.small, .note { color: var(--soft); font-size: .88rem; }
.note { margin-top: 2rem; }
.lacks { color: var(--warn); font-size: .88rem; }
.doubt { color: var(--bad); font-size: .92rem; font-weight: 600; }
.partial { border-inline-start: 4px solid var(--warn); background: var(--panel); padding: .6rem .8rem; margin: 0 0 1rem; }
.partial p { margin: 0 0 .4rem; }
.partial p:first-child { font-weight: 600; }
.partial p:last-child { margin: 0; }
.answer h2 { margin-top: 0; }
.contradicted { border-inline-start: 3px solid var(--bad); padding-inline-start: 1rem; margin-top: 2.25rem; }
.contradicted h2 { margin-top: 0; }

nav { font-size: .9rem; background: var(--panel); border-radius: .4rem; padding: .7rem 1rem; margin: 1.5rem 0 0; }
nav ol { list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; }
nav li { margin: 0; }
nav a { color: var(--text); text-decoration: none; }
nav a:hover { text-decoration: underline; }

.keep { white-space: nowrap; }
.mark {
  appearance: none; border: 0; background: none; margin: 0; padding: 0 .15em; cursor: pointer;
  font: inherit; font-size: .72em; line-height: 1; vertical-align: super; color: var(--link);
}
.mark:hover { text-decoration: underline; }
.code .mark { font-size: .88rem; vertical-align: baseline; }
.code .mark::before { content: "["; }
.code .mark::after { content: "]"; }

blockquote { margin: 0; }
blockquote > :last-child { margin-bottom: 0; }
.lines { white-space: pre-wrap; tab-size: 4; }
mark { background: var(--mark); color: inherit; border-radius: .15em; box-decoration-break: clone; -webkit-box-decoration-break: clone; }
.excerpt { margin: 0 0 1.25rem; border-inline-start: 3px solid var(--line); padding: .1rem 0 .1rem 1rem; }
figcaption { margin-top: .4rem; font-size: .88rem; color: var(--soft); }
.lacks { margin-inline-start: .5em; }
details { font-size: .85rem; color: var(--soft); margin-top: .2rem; }
summary { cursor: pointer; width: fit-content; }
details p { margin: .3rem 0; }
details pre { white-space: pre-wrap; overflow-wrap: anywhere; overflow: visible; margin: 0 0 .3rem; }
details pre code { overflow-wrap: anywhere; }

.card {
  width: min(34rem, calc(100vw - 1.5rem)); max-height: min(28rem, 80vh); overflow-y: auto; padding: .9rem 1rem;
  color: var(--text); background: var(--page); border: 1px solid var(--line); border-radius: .5rem;
  box-shadow: 0 .5rem 2rem rgb(0 0 0 / .25); font-size: .95rem;
}
@supports (position-area: block-end) {
  .card { inset: auto; margin: .3rem .75rem; position-area: block-end; position-try-fallbacks: flip-block; }
}
.card > :last-child { margin-bottom: 0; }
.card .place { font-size: .88rem; margin-bottom: .4rem; }
.card blockquote { border-inline-start: 3px solid var(--line); padding-inline-start: .8rem; margin-bottom: .4rem; }

.wide { overflow-x: auto; margin: 0 0 1rem; }
table { min-width: 100%; border-collapse: collapse; font-size: .92rem; }
caption { text-align: start; color: var(--soft); font-size: .9rem; padding-bottom: .4rem; }
th, td { text-align: start; vertical-align: top; padding: .45rem .6rem; border-bottom: 1px solid var(--line); min-width: 4.5rem; }
th { font-weight: 600; }
thead th { font-size: .85rem; color: var(--soft); }
td { font-variant-numeric: tabular-nums; }
ol.sources { padding-inline-start: 1.75rem; }
ol.sources > li { margin-bottom: .9rem; padding-inline-start: .25rem; }
.sources .title { font-weight: 600; }
.sources code { font-size: .85em; }
.on-paper { display: none; }

@media (min-width: 80rem) {
  nav {
    position: fixed; inset-block-start: 2.5rem; inset-inline-end: calc(50% + 24.5rem); width: 14rem; margin: 0;
    max-height: calc(100vh - 5rem); overflow-y: auto; background: none; padding: 0;
  }
  nav ol { flex-direction: column; gap: .35rem; }
  nav a { color: var(--soft); }
}
@media (max-width: 34rem) {
  main { padding: 1.25rem 1rem 3rem; }
  h1 { font-size: 1.45rem; }
  .excerpt { padding-inline-start: .75rem; }
  th, td { padding: .4rem .4rem; }
}
@media print {
  :root {
    --page: #ffffff; --text: #000000; --soft: #444444; --line: #bbbbbb; --panel: #ffffff; --link: #000000;
    --warn: #000000; --bad: #000000; --mark: #e6e6e6;
  }
  @page { margin: 18mm 16mm; }
  html { font-size: 10.5pt; }
  main { max-width: none; padding: 0; }
  a { text-decoration: none; }
  nav, details, .card { display: none; }
  .on-paper { display: block; margin-top: .4rem; font-size: .9rem; }
  pre { white-space: pre-wrap; border: 1px solid var(--line); }
  .wide { overflow: visible; }
  mark { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  h1, h2, h3, h4, caption { break-after: avoid; }
  li, tr { break-inside: avoid; }
  figcaption { break-before: avoid; }
  p, pre { orphans: 3; widows: 3; }
}
`;
