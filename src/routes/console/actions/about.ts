import type { FastifyRequest } from 'fastify';
import { type Html, html } from '#lib/html.ts';
import { filled, homeOf, namesIn, type OperatorOperation } from '../catalogue/operations.ts';
import { calledOf, type Members } from '../catalogue/things.ts';
import { thingIn, valueInWords } from '../catalogue/words.ts';
import { moneyText, stateOf } from '../look/values.ts';
import { learnWhom, whatWillHappen } from '../pages/what-will-happen.ts';
import { asking } from '../reads/asking.ts';
import { askApi, CONSOLE, visitorOf } from '../session.ts';
import type { Fields } from './action-body.ts';
import { pathParameters } from './action-page.ts';

/** What an action is done to, in the words of its own page: whoever sends the form sees whether it is the right one. */
export async function aboutOf(
  request: FastifyRequest,
  operation: OperatorOperation,
  fields: Fields,
): Promise<Html | undefined> {
  const home = homeOf(operation);
  const path = home && filled(home.path, pathParameters(operation, fields));
  const visitor = visitorOf(request);
  if (home === undefined || path === undefined || namesIn(home.path).length === 0 || !visitor.may(home))
    return undefined;
  const { status, body } = await askApi(request, { method: 'GET', path });
  if (status !== 200) return undefined;
  const thing = Object(body) as Members;
  const link = (text: string): Html => html`<a href="${CONSOLE}${path}">${text}</a>`;
  switch (home.operationId) {
    case 'getApproval':
      await learnWhom(visitor, asking(request), [thing]);
      return html`<div class="panel"><h2>${link('What will happen')}</h2><p>${whatWillHappen(visitor, thing)}</p></div>`;
    case 'getTransaction': {
      const { Reference, Type, Amount, Currency, ...of } = thing['transaction'] as Members;
      return line(
        'Transaction',
        link(String(Reference)),
        of,
        html`${valueInWords(String(Type))} of ${moneyText(Number(Amount), Currency)}`,
      );
    }
    default:
      return line(
        thingIn(home),
        link(calledOf(thing) ?? Object.values(pathParameters(operation, fields))[0] ?? ''),
        thing,
      );
  }
}

const line = (what: string, called: Html, thing: Members, small?: Html): Html =>
  html`<p class="about">${what} ${called} ${stateOf(thing)}${small !== undefined && html` <span class="note">${small}</span>`}</p>`;
