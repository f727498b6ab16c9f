/** The console's additions to the page style: a side menu, tables, and less white space. */
export const CONSOLE_STYLE = `
body { font-size: 15px; }
[hidden] { display: none; }
.skip { position: absolute; inset-inline-start: 16px; top: -60px; z-index: 2; padding: 12px 20px; background: var(--sheet); }
.skip:focus { top: 8px; }
.unseen { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.bar { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 20px; padding: 8px 24px; background: var(--sheet); border-bottom: 1px solid var(--rule); border-top: 4px solid var(--accent); }
.bar .mark { display: inline-flex; align-items: center; min-height: 44px; font-size: 20px; font-weight: 700; letter-spacing: -.02em; color: var(--accent); text-decoration: none; }
.bar .mark img { display: block; width: auto; max-width: 160px; max-height: 36px; }
.bar form { margin: 0; }
.bar button { flex: none; min-height: 44px; padding: 8px 16px; }
.find { display: flex; flex: 1 1 280px; gap: 8px; max-width: 620px; }
.find input { flex: 1 1 auto; min-width: 0; min-height: 44px; padding: 8px 12px; border: 1px solid var(--edge); border-radius: 4px; background: var(--field); }
.me { display: flex; align-items: center; gap: 12px; margin-inline-start: auto; }
.me p { line-height: 1.25; text-align: end; }
.me small { display: block; color: var(--muted); }
.me .to-menu { display: none; }
.banner { max-width: none; margin: 0; padding: 6px 24px; }
.banner.live { color: #fff; background: #a3211b; }
.frame { display: grid; grid-template-columns: 216px minmax(0, 1fr); align-items: start; max-width: 1480px; margin: 0 auto; }
.frame.alone { display: block; max-width: 480px; padding: 24px 0; }
.alone main { min-height: 0; margin: 20px 0; }
.side { position: sticky; top: 0; max-height: 100vh; padding: 20px 8px 32px 24px; overflow-y: auto; }
.side p { margin: 12px 0 2px; padding: 0 12px; font-size: 13px; font-weight: 600; color: var(--muted); }
.side .all { margin-top: 12px; }
.side ul { margin: 0; padding: 0; list-style: none; }
.side li { margin: 0; }
.side a { display: block; padding: 3px 12px; color: var(--ink); border-radius: 4px; text-decoration: none; }
.side a:hover { text-decoration: underline; }
.side [aria-current] { font-weight: 600; color: var(--on); background: var(--accent); }
.side .close { display: none; }
main { max-width: none; min-width: 0; min-height: 70vh; margin: 20px 24px 20px 12px; padding: 24px 28px 32px; }
.foot { max-width: none; margin: 0 24px 24px 240px; }
.crumbs { margin-bottom: 4px; font-size: 14px; color: var(--muted); }
.head { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 16px; }
.head > * { margin: 0; }
.head + * { margin-top: 16px; }
.head + .lead { margin-top: 6px; }
.lead { color: var(--muted); }
.does { display: flex; flex-wrap: wrap; gap: 8px; margin: 16px 0 0; padding: 0; list-style: none; }
.does li { margin: 0; }
.does a, .pages a, .go { display: inline-flex; align-items: center; min-height: 40px; padding: 6px 14px; font-weight: 600; border: 1px solid var(--edge); border-radius: 4px; color: var(--accent); background: var(--sheet); text-decoration: none; }
.does a:hover, .pages a:hover, .go:hover { color: var(--on); background: var(--deep); border-color: var(--deep); }
.does a.grave { color: var(--alert); border-color: var(--alert); }
.does a.grave:hover { color: var(--sheet); background: var(--alert); }
table { width: 100%; margin-top: 16px; border-collapse: collapse; font-size: 14px; }
caption { padding: 0 0 6px; font-weight: 600; text-align: start; }
th { padding: 8px 10px; font-weight: 600; text-align: start; color: var(--muted); border-bottom: 2px solid var(--rule); vertical-align: bottom; }
td { padding: 9px 10px; border-bottom: 1px solid var(--rule); vertical-align: top; }
tbody tr:hover { background: var(--band); }
td.num, th.num { text-align: end; font-variant-numeric: tabular-nums; }
td.empty.num { color: var(--muted); }
td.num { white-space: nowrap; overflow-wrap: normal; }
td time { white-space: nowrap; font-variant-numeric: tabular-nums; }
td.short { white-space: nowrap; }
td.long { min-width: 22ch; }
.wide-list .do { position: sticky; inset-inline-end: 0; background: var(--sheet); }
.wide-list tr:hover td.do { background: var(--band); }
strong code { font-weight: 700; }
td ul.does { margin: 0; gap: 4px 12px; }
td .does a { min-height: 0; padding: 0; border: 0; background: none; text-decoration: underline; }
td .does a:hover, td .does a.grave:hover { color: var(--deep); background: none; }
code, .id { font: 13px/1.5 ui-monospace, "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
.wide-list { overflow-x: auto; }
td code { display: inline-block; min-width: min(18ch, 100%); }
td code[title] { min-width: 0; }
td .does { flex-wrap: nowrap; }
td .does a, td code[title] { white-space: nowrap; overflow-wrap: normal; }
.ways { display: flex; flex-wrap: wrap; gap: 4px 20px; margin: 16px 0 0; padding: 0; list-style: none; }
.ways li { margin: 0; }
.ways a { display: inline-block; padding: 6px 0; }
.none { margin-top: 20px; padding: 20px; color: var(--muted); background: var(--band); }
.facts { margin: 16px 0 0; }
.facts dd { font-weight: 400; }
.facts div { padding: 8px 0; }
.facts div + div { border-top: 0; }
section { margin-top: 24px; padding-top: 20px; }
details.filter summary { padding: 11px 0; list-style: inside disclosure-closed; }
details.filter[open] summary { list-style-type: disclosure-open; }
details.filter { margin-top: 12px; }
.filter form { padding: 16px; }
.form { max-width: 640px; margin-top: 20px; }
.form textarea { display: block; width: 100%; min-height: 96px; padding: 10px 12px; font: inherit; color: inherit; border: 1px solid var(--edge); border-radius: 4px; background: var(--field); }
.form textarea.code, .form input.code { max-width: none; font: 13px/1.5 ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace; letter-spacing: 0; }
.field input, select { min-height: 44px; padding: 8px 12px; }
.field input[type=file] { padding: 8px; }
.field .must { font-weight: 400; color: var(--muted); }
.form .wrong { margin: 6px 0 0; font-weight: 600; color: var(--alert); }
.form fieldset { margin-top: 20px; padding: 16px 16px 0; border: 1px solid var(--rule); border-radius: 4px; }
.form fieldset.boxes { padding-bottom: 8px; }
.form legend { padding: 0 6px; margin-inline-start: -6px; }
.form .buttons button { flex: 0 1 auto; min-width: 160px; }
button.grave { color: #fff; background: #a3211b; border-color: #a3211b; }
button.grave:hover { color: #fff; background: #7d1813; border-color: #7d1813; }
.kinds { display: flex; flex-wrap: wrap; gap: 8px; margin: 16px 0 0; padding: 0; list-style: none; }
.kinds li { margin: 0; }
.kinds a { display: inline-flex; align-items: center; min-height: 44px; padding: 8px 14px; border: 1px solid var(--edge); border-radius: 4px; text-decoration: none; }
.kinds [aria-current] { color: var(--on); background: var(--accent); border-color: var(--accent); }
.secret { display: block; padding: 10px 12px; user-select: all; background: var(--field); border: 1px solid var(--edge); border-radius: 4px; }
.panel { margin: 16px 0 0; }
.panel + .panel { margin-top: 12px; }
.form .panel { margin-bottom: 16px; }
td .beneath { display: block; margin-top: 2px; font-size: 13px; color: var(--muted); }
h3 { font-size: 15px; overflow-wrap: anywhere; }
.cards h3 + p, .cards h3 + p + p { margin-top: 6px; }
td .pairs { display: flex; flex-wrap: wrap; gap: 0 14px; min-width: 200px; margin: 0; padding: 0; list-style: none; font-size: 13px; }
td .pairs li { margin: 0; overflow-wrap: anywhere; }
td .pairs small { font-size: inherit; color: var(--muted); }
.panel h2 { font-size: 16px; }
.tiles { display: grid; grid-template-columns: repeat(auto-fill, minmax(200px, 1fr)); gap: 12px; margin: 16px 0 0; padding: 0; list-style: none; background: none; }
.tiles > li { margin: 0; }
.tiles a, .tiles li > div { display: block; height: 100%; padding: 12px 16px; border: 1px solid var(--rule); border-inline-start: 4px solid var(--rule); border-radius: 4px; color: var(--ink); text-decoration: none; }
.figures { display: flex; flex-wrap: wrap; }
.figures > li { flex: 1 1 160px; max-width: 320px; }
.figures strong { font-size: 20px; white-space: nowrap; }
.figures .plain { margin: 0;  border-inline-start-width: 1px; padding-inline-start: 19px; }
.figures a span { text-decoration: underline; text-underline-offset: 3px; }
.done dl { display: flex; flex-wrap: wrap; gap: 4px 28px; margin: 8px 0 0; padding: 0; background: none; }
.done dl div { padding: 0; }
.done dl div + div { border: 0; }
.cards .facts { grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); margin: 12px 0 0; }
.cards .facts dd { font-weight: 400; }
.cards h2 a { overflow-wrap: anywhere; }
.inline { display: flex; flex-wrap: wrap; align-items: end; gap: 12px; margin-top: 8px; }
.inline .field { margin: 0; }
.inline button { flex: none; min-height: 44px; padding: 8px 16px; }
details.everything summary { list-style: inside disclosure-closed; }
details.everything[open] summary { list-style-type: disclosure-open; }
section h2 + .wide-list table { margin-top: 4px; }
.tiles a:hover { background: var(--band); }
.tiles .bad { border-inline-start-color: var(--alert); background: var(--alarm); }
.tiles .wait { border-inline-start-color: var(--note); }
.tiles .calm strong { color: var(--muted); font-weight: 400; }
.tiles strong { display: block; font-size: 24px; line-height: 1.2; letter-spacing: -.01em; font-variant-numeric: tabular-nums; }
.tiles .bad strong { color: var(--alert); }
.tiles span { display: block; }
.tiles small { display: block; color: var(--muted); }
.tiles .bad strong, .tiles .wait strong { overflow-wrap: anywhere; }
main h2 + .tiles { margin-top: 8px; }
#now > h2 { margin-top: 24px; }
.calm-signs { display: flex; flex-wrap: wrap; gap: 4px 24px; margin: 8px 0 0; padding: 0; list-style: none; }
.calm-signs li { margin: 0; }
.calm-signs a, .calm-signs span { display: inline-block; padding: 6px 0; color: var(--muted); }
.calm-signs strong { font-weight: 600; font-variant-numeric: tabular-nums; }
.chart { display: block; width: 100%; height: auto; max-height: 220px; margin-top: 12px; }
.chart .in { fill: var(--accent); }
.chart .hit { fill: transparent; }
.chart a:hover .hit { fill: var(--band); }
.chart line { stroke: var(--rule); }
.chart text { font-size: 12px; fill: var(--muted); }
.htmx-request { opacity: .6; }
td code.long { display: block; width: max-content; max-width: 22ch; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
@media (max-width: 860px) {
  td code.long { display: inline-block; width: auto; max-width: 100%; white-space: normal; overflow-wrap: anywhere; }
  .bar { padding: 8px 16px; }
  .find { order: 3; flex-basis: 100%; max-width: none; }
  .me p { display: none; }
  .me .to-menu { display: inline-flex; align-items: center; min-height: 44px; padding: 8px 12px; font-weight: 600; }
  .frame { display: block; }
  .side { display: none; position: static; max-height: none; padding: 12px 16px 20px; background: var(--sheet); border-bottom: 1px solid var(--rule); }
  .side:target { display: block; }
  .side ul { display: grid; grid-template-columns: repeat(auto-fill, minmax(150px, 1fr)); }
  .side a { padding: 10px 12px; }
  .side .close { display: inline-flex; align-items: center; min-height: 44px; font-weight: 600; color: var(--accent); }
  .banner { padding: 6px 16px; }
  main { margin: 0; padding: 20px 16px 32px; }
  .foot { margin: 0; padding: 16px; }
  .facts { grid-template-columns: minmax(0, 1fr); }
  .facts div { display: grid; grid-template-columns: 128px minmax(0, 1fr); gap: 10px; padding: 6px 0; }
  .facts dd { min-width: 0; }
  .facts .pill { justify-self: start; }
  table.list, .list tbody, .list tr, .list td { display: block; }
  .list thead { display: none; }
  .list tr { padding: 10px 0; border-bottom: 1px solid var(--rule); }
  .list td { display: grid; grid-template-columns: 112px minmax(0, 1fr); gap: 10px; padding: 2px 0; border: 0; text-align: start; }
  .list td { overflow-wrap: anywhere; }
  .frame.alone { padding: 0; }
  .list td.num, .list td.short, .list td time { text-align: start; white-space: normal; }
  .list td::before { content: attr(data-label); color: var(--muted); }
  .list td > * { justify-self: start; }
  .list td.do { position: static; }
  .list td.long { min-width: 0; }
  .list td.empty { display: none; }
  td .pairs { min-width: 0; }
  .list td .does { flex-wrap: wrap; }
  .tiles { grid-template-columns: repeat(auto-fill, minmax(150px, 1fr)); }
  .chart text { font-size: 22px; }
}
@media print { .bar, .side, .does, .filter, .pages { display: none; } .frame { display: block; } main { margin: 0; padding: 0; border: 0; } }
`;
