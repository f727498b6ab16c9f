import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { lowestContrast } from '../support/chromium.ts';

/** Runs in the page: what a screen reader, a keyboard or a finger would stumble over, by the criteria of WCAG 2.2. */
const FAULTS = `
  const all = (selector) => [...document.querySelectorAll(selector)];
  const faults = [];
  const unless = (isRight, fault) => { if (!isRight) faults.push(fault); };
  const ids = all('[id]').map(({ id }) => id);
  unless(all('h1').length === 1, 'not one h1');
  unless(document.documentElement.lang !== '', 'no language');
  unless(document.title.trim() !== '', 'no title');
  unless(all('main').length === 1, 'not one main');
  unless(new Set(ids).size === ids.length, 'an id twice');
  unless(all('[autofocus]').length <= 1, 'two want the focus');
  unless(all('[tabindex]').every(({ tabIndex }) => tabIndex <= 0), 'an order of its own');
  for (const field of all('input:not([type=hidden])')) {
    unless(field.labels.length === 1, 'a field without a label: ' + field.name);
    unless(!field.required || field.autocomplete !== '', 'a field that cannot be filled in: ' + field.name);
    unless(field.getAttribute('aria-invalid') !== 'true' || field.hasAttribute('aria-describedby'), 'a wrong field without a word');
  }
  for (const one of all('[aria-describedby]')) {
    unless(one.getAttribute('aria-describedby').split(' ').every((id) => ids.includes(id)), 'described by nothing');
  }
  for (const { hash } of all('a[href^="#"]')) unless(ids.includes(hash.slice(1)), 'a link to nothing: ' + hash);
  for (const one of all('button, a')) unless(one.textContent.trim() !== '', 'a control without a name');
  for (const radio of all('input[type=radio]')) unless(radio.closest('fieldset')?.querySelector('legend'), 'choices without a question');
  for (const one of all('button, input:not([type=hidden], [type=radio], [type=checkbox]), label.choice, summary')) {
    unless(one.checkVisibility() === false || one.getBoundingClientRect().height >= 44, 'too small for a finger: ' + one.outerHTML);
  }
  unless(document.documentElement.scrollWidth <= innerWidth, 'wider than the screen');
  faults
`;

/** The same but for the colours, which do not depend on what a page says. */
export const faultsInText = (page: Page): Promise<string[]> => page.evaluate<string[]>(FAULTS);

/** What hinders somebody from reading and using a page: nothing, when all is well. */
export async function faultsOf(page: Page): Promise<string[]> {
  const faults = await faultsInText(page);
  return (await lowestContrast(page)) >= 4.5 ? faults : [...faults, 'too little contrast'];
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe-core finds wrong with a page, as rule and element. It is no part of the page. What is right is not described, which took most of its time. */
export async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const violations = await page.evaluate<AxeResults['violations']>(
    "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)",
  );
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
