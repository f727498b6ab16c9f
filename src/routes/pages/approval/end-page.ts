import type { Page } from '#http/page.ts';
import { html } from '#lib/html.ts';
import type { PlainWords } from './plain-words.ts';

/** What became of a request: there is nothing more to do. */
export const endPage = (title: string, text: string): Page => ({
  title,
  body: html`<h1>${title}</h1>
<div class="panel" role="status"><p dir="auto">${text}</p></div>
<p class="note">You can close this page.</p>`,
});

/** Nothing but what happened, and what to do about it. */
export const messagePage = ({ title, text }: PlainWords): Page => ({
  title,
  body: html`<h1>${title}</h1><p>${text}</p>`,
});
