import { type OperatorOperation, parametersIn } from './operations.ts';
import type { Members } from './things.ts';

/** Operations whose amounts are naira and nothing else: rails, banks and terminals know no points. */
const inNaira: ReadonlySet<string> = new Set([
  'compareRail',
  'correctPayout',
  'createSplit',
  'createTerminal',
  'creditInboxMessage',
  'getBankImport',
  'getPayout',
  'getRailComparison',
  'getTerminal',
  'importBankFile',
  'listBankImports',
  'listPayouts',
  'listRailComparisons',
  'listRails',
  'listReconciliationItems',
  'listTerminals',
  'markPayout',
  'reportPayment',
  'resolveReconciliationItem',
  'verifyPayout',
]);

/** The currency of amounts that nothing is said of: naira, where they can be no other or are meant by default. */
export const currencyUnlessSaid = (operation: OperatorOperation): 'NGN' | undefined =>
  inNaira.has(operation.operationId) || parametersIn(operation, 'body').some(({ name }) => name === 'currency')
    ? 'NGN'
    : undefined;

/** An answer, or an item of one, with a currency for the amounts in it and in its lists; what says another keeps it. */
export function withCurrency<Thing extends Members>(currency: unknown, thing: Thing): Thing {
  if (currency === undefined) return thing;
  const lists = Object.entries(thing).filter(([, value]) => Array.isArray(value) && value.every(isThing));
  const inLists = lists.map(([name, items]) => [
    name,
    (items as Members[]).map((item) => withCurrency(currency, item)),
  ]);
  return { currency, ...thing, ...Object.fromEntries(inLists) };
}

const isThing = (value: unknown): boolean => typeof value === 'object' && value !== null;
