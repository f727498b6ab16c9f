/** Added to the look of pages that list things, for whoever works with them. */
export const WIDE_STYLE = `
main, .brand, .banner, .foot, .tabs { max-width: 1040px; }
main { margin-top: 0; }
.tabs { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 8px; margin: 28px auto 0; }
.tabs a, .tabs button { display: inline-flex; flex: none; align-items: center; min-height: 44px; padding: 8px 16px; font-weight: 600; text-decoration: none; color: var(--ink); background: none; border: 0; border-radius: 4px 4px 0 0; }
.tabs a:hover, .tabs button:hover { color: var(--deep); background: none; text-decoration: underline; }
.tabs [aria-current] { color: var(--on); background: var(--accent); }
.tabs [aria-current]:hover { color: var(--on); background: var(--accent); }
.tabs form { margin: 0; margin-inline-start: auto; }
.whose { font-size: 14px; color: var(--muted); }
h1 + .whose { margin-top: 4px; }
summary { color: var(--accent); }
details.filter { margin-top: 20px; padding: 0; border: 0; }
.filter form { display: grid; grid-template-columns: repeat(auto-fill, minmax(220px, 1fr)); gap: 16px; margin-top: 4px; padding: 20px; background: var(--band); }
.filter .field { margin: 0; }
.filter .hint { margin: 6px 0 0; }
.filter .buttons { grid-column: 1 / -1; }
.filter button { flex: 0 1 200px; }
select { display: block; width: 100%; min-height: 48px; padding: 10px 12px; font: inherit; color: inherit; border: 1px solid var(--edge); border-radius: 4px; background: var(--field); }
.rows { list-style: none; margin: 20px 0 0; padding: 0; border-top: 1px solid var(--rule); }
.rows > li { position: relative; display: grid; grid-template-columns: 112px minmax(0, 1fr) auto; gap: 2px 16px; align-items: start; margin: 0; padding: 14px 8px; border-bottom: 1px solid var(--rule); }
.rows > li:hover { background: var(--band); }
.rows a { font-weight: 600; overflow-wrap: anywhere; }
.rows a::after { content: ""; position: absolute; inset: 0; }
.rows p { font-size: 14px; color: var(--muted); }
.rows .when { text-align: end; white-space: nowrap; font-variant-numeric: tabular-nums; }
.rows .about { grid-column: 2; }
.rows .also { grid-column: 3; text-align: end; }
.pill { display: inline-block; padding: 1px 10px; font-size: 14px; font-weight: 600; border: 1px solid currentColor; border-radius: 999px; white-space: nowrap; }
.pill.good { color: var(--accent); }
.pill.bad { color: var(--alert); background: var(--alarm); }
.pill.wait { color: var(--muted); }
.pages { display: flex; flex-wrap: wrap; gap: 8px 24px; margin-top: 20px; }
.pages a { display: inline-flex; align-items: center; min-height: 44px; font-weight: 600; }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(260px, 1fr)); column-gap: 32px; }
.facts div + div { border-top: 0; }
.facts dd { overflow-wrap: anywhere; }
.act { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 20px; margin-top: 20px; }
.act button { flex: 0 0 auto; }
.act p { flex: 1 1 260px; margin: 0; font-size: 14px; color: var(--muted); }
pre { margin-top: 12px; padding: 14px 16px; font: 13.5px/1.55 ui-monospace, "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; white-space: pre-wrap; overflow-wrap: anywhere; background: var(--band); direction: ltr; unicode-bidi: isolate; }
.tries { list-style: none; margin: 12px 0 0; padding: 0; }
.tries > li { padding: 12px 0; border-top: 1px solid var(--rule); }
.tries > li > p { display: flex; flex-wrap: wrap; gap: 2px 16px; }
.tries .note { margin-inline-start: auto; font-variant-numeric: tabular-nums; }
.tries details, .plain { margin: 4px 0 0; padding: 0; border: 0; }
.heads { padding-block: 8px; }
.heads dt { font: 13.5px/1.55 ui-monospace, "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
.heads dd { font: 13.5px/1.55 ui-monospace, "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
.heads dd i { font-family: system-ui, sans-serif; color: var(--muted); }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 440px), 1fr)); gap: 20px; align-items: start; margin-top: 20px; }
.cards section { margin: 0; padding: 20px; border: 1px solid var(--rule); border-radius: 4px; }
.cards h2 { overflow-wrap: anywhere; }
.cards h2 + p { margin-top: 6px; }
.cards dl { margin: 16px 0; }
.cards .pages { margin-top: 4px; }
@media (max-width: 600px) {
  .tabs { gap: 0; margin: 0; padding: 8px 12px 0; }
  .tabs a, .tabs button { padding: 8px; font-size: 15px; }
  .rows > li { grid-template-columns: minmax(0, 1fr) auto; gap: 4px 12px; padding: 14px 0; }
  .rows .what { grid-row: 2; grid-column: 1 / -1; }
  .rows .when { grid-row: 1; grid-column: 2; }
  .rows .about, .rows .also { grid-column: 1 / -1; text-align: start; }
  .facts { grid-template-columns: minmax(0, 1fr); }
  .facts div + div { border-top: 1px solid var(--rule); }
  .tries .note { margin-inline-start: 0; flex-basis: 100%; }
}
@media (forced-colors: active) { .tabs [aria-current] { border: 2px solid currentColor; } }
@media print { form, .tabs, .filter { display: none; } section { display: block; } }
`;
