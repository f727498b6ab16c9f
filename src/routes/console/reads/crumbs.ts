import { type Html, html } from '#lib/html.ts';
import { filled, homeOf, namesIn, type OperatorOperation } from '../catalogue/operations.ts';
import { labelOf, thingIn } from '../catalogue/words.ts';
import { addressOf, titleInMenu } from '../look/menu.ts';
import { CONSOLE, type ConsoleVisitor } from '../session.ts';

/** The way up: to the list that a thing stands in, or to the thing that it is of. */
export function crumbsOf(
  { may }: ConsoleVisitor,
  operation: OperatorOperation,
  known: Readonly<Record<string, string>> = {},
): Html {
  const home = homeOf(operation);
  const there = home && filled(home.path, known);
  if (home === undefined || there === undefined || !may(home)) return html`<a href="${CONSOLE}">Overview</a>`;
  const isThing = namesIn(home.path).length > 0;
  return html`<a href="${isThing ? `${CONSOLE}${there}` : addressOf(home)}">${isThing ? thingIn(home) : (titleInMenu(home) ?? labelOf(home.noun))}</a>`;
}
