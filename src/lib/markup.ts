import { type Html, html } from './html.ts';

/** A name that somebody chose, in whichever direction it is written. */
export const name = (text: string): Html => html`<bdi>${text}</bdi>`;

/** A tag, whose @ stands before it in a page that is read from the right too. */
export const handle = (tag: string): Html => html`<bdi>@${tag}</bdi>`;

/** A line of the facts: what it is called, what it is, and what is added in small. */
export const fact = (label: string, what: Html, small?: Html | string): Html =>
  html`<div><dt>${label}</dt><dd>${what}${small !== undefined && html`<small>${small}</small>`}</dd></div>`;

/** A state, in a look of its own: `good`, `bad` or `wait`. */
export const pill = (look: string, text: Html | string): Html => html`<span class="pill ${look}">${text}</span>`;
