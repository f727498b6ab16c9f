import { type Html, html } from '#lib/html.ts';
import { lagosTime } from './lagos-time.ts';

/** A name that somebody gave himself, in whichever direction it is written. */
export const name = (text: string): Html => html`<bdi>${text}</bdi>`;

export const untilFact = (at: Date): Html =>
  html`<div><dt>Answer until</dt><dd><time datetime="${at.toISOString()}">${lagosTime(at)}</time><small>Lagos time (UTC+1)</small></dd></div>`;
