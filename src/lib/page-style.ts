import type { BrandColours } from './brand.ts';

/** The style of a page with a form: one column, readable on a phone and at four times the size, in light and dark. */
export const pageStyle = ({ accent, onAccent, deep, dark }: BrandColours): string => `
:root { color-scheme: light dark; --ink: #16202e; --muted: #535f6e; --rule: #d8dee6; --edge: #6b7683; --ground: #e9eded; --sheet: #fff; --band: #f1f5f4; --field: #fff; --accent: ${accent}; --on: ${onAccent}; --deep: ${deep}; --alert: #a3211b; --alarm: #fdf3f2; --focus: #1a56c4; --note: #ffe08a; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e9ee; --muted: #a8b3bf; --rule: #35404b; --edge: #7d8996; --ground: #0d1318; --sheet: #161e26; --band: #1f2933; --field: #10171d; --accent: ${dark.accent}; --on: ${dark.onAccent}; --deep: ${dark.deep}; --alert: #ff9d95; --alarm: #34191a; --focus: #9cc1ff; --note: #e6c766; } }
* { box-sizing: border-box; margin: 0; }
html { -webkit-text-size-adjust: 100%; }
body { font: 16px/1.5 system-ui, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif; color: var(--ink); background: var(--ground); }
main { max-width: 560px; margin: 32px auto; padding: 32px; background: var(--sheet); border-top: 4px solid var(--accent); }
.brand { max-width: 560px; margin: 32px auto -12px; font-size: 24px; line-height: 1.1; font-weight: 700; letter-spacing: -.02em; color: var(--accent); }
.brand img { display: block; width: auto; height: auto; max-width: 220px; max-height: 48px; }
@media (prefers-color-scheme: dark) { .brand img { padding: 6px 8px; background: #fff; border-radius: 4px; box-sizing: content-box; } }
.banner { max-width: 560px; margin: 20px auto -20px; padding: 8px 16px; font-size: 14px; font-weight: 600; color: #16202e; background: var(--note); }
.foot p + p { margin-top: 8px; }
.foot { max-width: 560px; margin: -12px auto 32px; font-size: 14px; color: var(--muted); }
h1 { font-size: 24px; line-height: 1.25; letter-spacing: -.01em; overflow-wrap: anywhere; }
h2 { font-size: 18px; line-height: 1.3; }
p, li, dd { overflow-wrap: anywhere; }
dl { margin: 20px 0; padding: 4px 16px; background: var(--band); }
dl div { padding: 10px 0; }
dl div + div { border-top: 1px solid var(--rule); }
dt { font-size: 14px; color: var(--muted); }
dd { font-weight: 600; }
dd small { display: block; font-size: 14px; font-weight: 400; color: var(--muted); }
ul, ol { margin: 16px 0 0; padding-inline-start: 20px; }
li + li { margin-top: 6px; }
form { margin-top: 16px; }
section { margin-top: 28px; padding-top: 24px; border-top: 1px solid var(--rule); }
label, legend { display: block; margin-bottom: 6px; padding: 0; font-weight: 600; }
input { font: inherit; color: inherit; }
.field { margin-bottom: 16px; }
.field input { display: block; width: 100%; min-height: 48px; padding: 10px 12px; border: 1px solid var(--edge); border-radius: 4px; background: var(--field); }
.field input[aria-invalid] { border: 2px solid var(--alert); }
.field .code { max-width: 200px; font-size: 22px; letter-spacing: .15em; font-variant-numeric: tabular-nums; }
.hint { margin: 0 0 6px; font-size: 14px; color: var(--muted); }
fieldset { margin: 0 0 16px; padding: 0; border: 0; }
.choice { display: flex; align-items: center; gap: 12px; min-height: 44px; margin: 0; font-weight: 400; }
.choice input { width: 20px; height: 20px; margin: 0; accent-color: var(--accent); }
.buttons { display: flex; flex-wrap: wrap; gap: 12px; }
button { flex: 1 1 160px; min-height: 48px; padding: 10px 20px; font: inherit; font-weight: 600; border: 2px solid var(--accent); border-radius: 4px; color: var(--accent); background: var(--sheet); cursor: pointer; }
button.main { color: var(--on); background: var(--accent); }
button:hover { color: var(--on); background: var(--deep); border-color: var(--deep); }
button.quiet { flex: 0 1 auto; }
.back { margin-top: 24px; }
.back a { display: inline-block; padding: 10px 20px; font-weight: 600; border: 2px solid var(--accent); border-radius: 4px; color: var(--on); background: var(--accent); text-decoration: none; }
.back a:hover { color: var(--on); background: var(--deep); border-color: var(--deep); }
a { color: var(--accent); }
a:hover { color: var(--deep); }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
.panel { margin: 0 0 24px; padding: 16px; border-inline-start: 4px solid var(--accent); background: var(--band); }
.panel.alert { border-color: var(--alert); background: var(--alarm); }
.panel h2 + p { margin-top: 4px; }
h1 + *, main > * + p { margin-top: 16px; }
h1 + .panel { margin-top: 16px; }
section + .note, p + .panel { margin-top: 16px; }
section h2 + p { margin-top: 8px; }
section h2 + .hint { margin: 8px 0 16px; }
details { margin-top: 28px; padding-top: 20px; border-top: 1px solid var(--rule); }
summary { min-height: 44px; padding: 8px 0; font-weight: 600; color: var(--accent); cursor: pointer; }
.qr { display: block; max-width: 100%; margin: 16px 0; background: #fff; border: 1px solid var(--rule); border-radius: 4px; }
.note { font-size: 14px; color: var(--muted); }
@media (max-width: 600px) {
  body { background: var(--sheet); }
  main { margin: 0; padding: 24px 20px; }
  .brand { margin: 0; padding: 16px 20px; }
  .banner { margin: 0; padding: 8px 20px; }
  .foot { margin: 0; padding: 0 20px 32px; }
}
@media (forced-colors: active) { button, .panel { border-color: currentColor; } }
@media print { form, section { display: none; } }
`;

/** Further style of pages with lists: the console and the partners' pages. */
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
