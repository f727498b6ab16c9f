/** The look of a page that asks somebody something: one column, readable on a phone and at four times the size. */
export const PAGE_STYLE = `
:root { --ink: #16202e; --muted: #535f6e; --rule: #d8dee6; --edge: #6b7683; --band: #f1f5f4; --accent: #0a5c4a; --deep: #074436; --alert: #a3211b; }
* { box-sizing: border-box; margin: 0; }
html { -webkit-text-size-adjust: 100%; }
body { font: 16px/1.5 system-ui, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif; color: var(--ink); background: #e9eded; }
main { max-width: 560px; margin: 32px auto; padding: 32px; background: #fff; border-top: 4px solid var(--accent); }
.brand { max-width: 560px; margin: 32px auto -12px; font-size: 24px; line-height: 1.1; font-weight: 700; letter-spacing: -.02em; color: var(--accent); }
.banner { max-width: 560px; margin: 20px auto -20px; padding: 8px 16px; font-size: 14px; font-weight: 600; color: #16202e; background: #ffe08a; }
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
ul, ol { margin: 16px 0 0; padding-left: 20px; }
li + li { margin-top: 6px; }
form { margin-top: 16px; }
section { margin-top: 28px; padding-top: 24px; border-top: 1px solid var(--rule); }
label, legend { display: block; margin-bottom: 6px; padding: 0; font-weight: 600; }
input { font: inherit; color: inherit; }
.field { margin-bottom: 16px; }
.field input { display: block; width: 100%; min-height: 48px; padding: 10px 12px; border: 1px solid var(--edge); border-radius: 4px; background: #fff; }
.field input[aria-invalid] { border: 2px solid var(--alert); }
.field .code { max-width: 200px; font-size: 22px; letter-spacing: .15em; font-variant-numeric: tabular-nums; }
.hint { margin: 0 0 6px; font-size: 14px; color: var(--muted); }
fieldset { margin: 0 0 16px; padding: 0; border: 0; }
.choice { display: flex; align-items: center; gap: 12px; min-height: 44px; margin: 0; font-weight: 400; }
.choice input { width: 20px; height: 20px; margin: 0; accent-color: var(--accent); }
.buttons { display: flex; flex-wrap: wrap; gap: 12px; }
button { flex: 1 1 160px; min-height: 48px; padding: 10px 20px; font: inherit; font-weight: 600; border: 2px solid var(--accent); border-radius: 4px; color: var(--accent); background: #fff; cursor: pointer; }
button.main { color: #fff; background: var(--accent); }
button:hover { color: #fff; background: var(--deep); border-color: var(--deep); }
button.quiet { flex: 0 1 auto; }
a { color: var(--accent); }
a:hover { color: var(--deep); }
:focus-visible { outline: 3px solid #1a56c4; outline-offset: 2px; }
.panel { margin: 0 0 24px; padding: 16px; border-left: 4px solid var(--accent); background: var(--band); }
.panel.alert { border-color: var(--alert); background: #fdf3f2; }
.panel h2 + p { margin-top: 4px; }
h1 + *, main > * + p { margin-top: 16px; }
h1 + .panel { margin-top: 16px; }
section + .note, p + .panel { margin-top: 16px; }
section h2 + p { margin-top: 8px; }
section h2 + .hint { margin: 8px 0 16px; }
details { margin-top: 28px; padding-top: 20px; border-top: 1px solid var(--rule); }
summary { min-height: 44px; padding: 8px 0; font-weight: 600; color: var(--accent); cursor: pointer; }
.qr { display: block; max-width: 100%; margin: 16px 0; background: #fff; }
.note { font-size: 14px; color: var(--muted); }
@media (max-width: 600px) {
  body { background: #fff; }
  main { margin: 0; padding: 24px 20px; }
  .brand { margin: 0; padding: 16px 20px; }
  .banner { margin: 0; padding: 8px 20px; }
  .foot { margin: 0; padding: 0 20px 32px; }
}
@media (forced-colors: active) { button, .panel { border-color: currentColor; } }
@media print { form, section { display: none; } }
`;
