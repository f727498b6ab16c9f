import { type Html, html } from '#lib/html.ts';

interface Figure {
  label: string;
  what: Html | string;
  /** Where what it counts is listed. */
  address?: string | undefined;
  /** What there is to know beside it. */
  small?: Html | string | undefined;
  look?: 'bad' | 'wait' | undefined;
}

/** The numbers that somebody looks at a thing for; each leads to what it counts. */
export const figures = (shown: readonly Figure[]): Html =>
  html`<ul class="tiles figures">${shown.map((one) => html`<li>${figure(one)}</li>`)}</ul>`;

function figure({ label, what, address, small, look }: Figure): Html {
  const inside = html`<strong>${what}</strong><span>${label}</span>${small !== undefined && html`<small>${small}</small>`}`;
  const kind = look ?? 'plain';
  return address === undefined
    ? html`<div class="${kind}">${inside}</div>`
    : html`<a class="${kind}" href="${address}">${inside}</a>`;
}
