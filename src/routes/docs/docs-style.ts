import type { BrandColours } from '#lib/brand.ts';

/** The look of the guides: one column of text, readable on a phone, in light and dark. */
export const docsStyle = ({ accent, dark }: BrandColours): string => `
:root { color-scheme: light dark; --ink: #16202e; --muted: #535f6e; --rule: #d8dee6; --band: #f1f5f4; --page: #fff; --accent: ${accent}; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e9ee; --muted: #a3afbb; --rule: #35404b; --band: #1b242c; --page: #10171d; --accent: ${dark.accent}; } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; font: 16px/1.6 system-ui, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif; color: var(--ink); background: var(--page); }
header { border-bottom: 1px solid var(--rule); }
nav, main { max-width: 860px; margin: 0 auto; padding: 0 20px; }
nav { display: flex; flex-wrap: wrap; align-items: center; gap: 0 20px; padding-top: 12px; padding-bottom: 12px; }
nav a { padding: 8px 0; }
nav [aria-current] { color: inherit; text-decoration: none; }
.brand { font-size: 22px; font-weight: 700; letter-spacing: -.02em; text-decoration: none; }
.brand img { display: block; width: auto; height: auto; max-width: 180px; max-height: 36px; }
@media (prefers-color-scheme: dark) { .brand img { padding: 4px 6px; background: #fff; border-radius: 4px; box-sizing: content-box; } }
main { padding-bottom: 64px; }
h1, h2, h3 { line-height: 1.25; letter-spacing: -.01em; overflow-wrap: anywhere; }
h1 { margin: 32px 0 12px; font-size: 30px; }
h2 { margin: 40px 0 8px; padding-top: 20px; border-top: 1px solid var(--rule); font-size: 22px; }
h3 { margin: 28px 0 8px; font-size: 18px; }
p, li, td { overflow-wrap: anywhere; }
li + li { margin-top: 6px; }
a { color: var(--accent); }
.list { padding: 0; list-style: none; }
.list a { font-weight: 600; }
.list span { color: var(--muted); }
code { padding: 1px 4px; font: .9em ui-monospace, "DejaVu Sans Mono", monospace; background: var(--band); border-radius: 3px; }
pre { padding: 14px 16px; overflow-x: auto; background: var(--band); border-radius: 4px; }
pre code { padding: 0; background: none; }
.table { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: 15px; }
th, td { padding: 8px 12px 8px 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--rule); }
td code { overflow-wrap: anywhere; }
@media (max-width: 600px) { nav .brand { flex-basis: 100%; } }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
`;

/**
 * What stands above a reference, in the colours in which Scalar draws it; and those colours of Scalar that are too pale to be
 * read by everybody (WCAG 2.2 AA), darker or lighter.
 */
export const REFERENCE_STYLE = `
:root { --scalar-custom-header-height: 48px; }
body { margin: 0; }
.top { position: sticky; z-index: 20; top: 0; height: 48px; border-bottom: 1px solid var(--scalar-border-color, #dfdfdf); background: var(--scalar-background-1, #fff); }
.top nav { display: flex; align-items: center; gap: 20px; height: 100%; padding: 0 20px; overflow-x: auto; font: 14px/1.4 system-ui, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif; white-space: nowrap; }
.top a { color: var(--scalar-color-1, #1b1b1b); text-underline-offset: 3px; }
.top [aria-current] { text-decoration: none; }
.top .brand { font-weight: 700; text-decoration: none; }
.top .brand img { display: block; width: auto; height: auto; max-width: 120px; max-height: 28px; }
.top :focus-visible { outline: 3px solid currentColor; outline-offset: 2px; }
@media (max-width: 600px) { .top nav { gap: 16px; padding: 0 16px; } .top .brand { display: none; } }
body.light-mode { --scalar-color-2: #565656; --scalar-color-3: #666; --scalar-color-green: #00754a; --scalar-color-blue: #0068a8; --scalar-color-orange: #b33e00; --scalar-color-red: #c80005; --scalar-color-yellow: #7d6200; --scalar-color-query: #006d71; }
body.dark-mode { --scalar-color-3: #9a9a9a; --scalar-color-red: #ff7a7a; }
`;
