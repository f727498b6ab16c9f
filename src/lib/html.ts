import { cleaned } from './text/output.ts';

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Cleans a text, and escapes it for use between tags or in a quoted attribute. */
export const escapeHtml = (text: string): string =>
  cleaned(text).replace(/[&<>"']/g, (character) => entities[character] ?? '');

/** Markup that is safe to send: every text from outside is escaped in it. Only `html` and `trustedHtml` make one. */
class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}
export type Html = Markup;

/** What a template takes. Undefined and false are left out. */
type Part = string | number | Html | readonly Html[] | undefined | false;

/** A template tag that escapes every text, so that it cannot be forgotten; markup made by it goes in as it is. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Markup(strings.reduce((text, string, index) => `${text}${rendered(parts[index - 1])}${string}`));

/** Takes a text for markup without escaping it. Only for constants of ours, never for a text from outside. */
export const trustedHtml = (text: string): Html => new Markup(text);

function rendered(part: Part): string {
  if (part === undefined || part === false) return '';
  if (part instanceof Markup) return part.text;
  return typeof part === 'object' ? part.map(({ text }) => text).join('') : escapeHtml(String(part));
}

/** A name that a user chose, isolated in its own text direction. */
export const name = (text: string): Html => html`<bdi>${text}</bdi>`;

/** A tag, whose @ stands before it in a page that is read from the right too. */
export const handle = (tag: string): Html => html`<bdi>@${tag}</bdi>`;

/** A line of the facts: what it is called, what it is, and what is added in small. */
export const fact = (label: string, what: Html, small?: Html | string): Html =>
  html`<div><dt>${label}</dt><dd>${what}${small !== undefined && html`<small>${small}</small>`}</dd></div>`;

/** A state, in a look of its own: `good`, `bad` or `wait`. */
export const pill = (look: string, text: Html | string): Html => html`<span class="pill ${look}">${text}</span>`;
