interface Named {
  operationId: string;
  method: string;
  /** Under /operator/v1. */
  path: string;
  /** Whether it answers a page of a list. */
  list: boolean;
}

/** Commands whose name is not made of path and operationId, because it would read badly or be another’s. */
const named: Readonly<Record<string, string>> = {
  importBankFile: 'reconciliation import',
  revealCustomers: 'customers reveal-many',
  settleApplication: 'applications settle',
  settleFloat: 'partners float settle',
};

/**
 * The words of an operation's command: the names in its path, and the verb of its operationId where the path has none. A list is
 * `list`, one thing of it `show`; what a thing has one of (`partners day`) goes without a verb.
 */
export function commandOf({ operationId, method, path, list }: Named): string[] {
  const given = named[operationId];
  if (given !== undefined) return given.split(' ');
  const parts = path.split('/').slice(1);
  const words = parts.filter((part) => !part.startsWith('{'));
  const last = words.at(-1) ?? '';
  const verb = kebab(operationId).split('-')[0] ?? '';
  if (last === verb || last.startsWith(`${verb}-`)) return words;
  if (method !== 'GET') return [...words, verb];
  const isNoun = words.length === 1;
  if (list) return isNoun || isPlural(last) ? [...words, 'list'] : words;
  const isOneOfMany = parts.at(-1) !== last && (isNoun || isPlural(last));
  return isOneOfMany ? [...words, 'show'] : words;
}

const isPlural = (word: string): boolean => /[^s]s$/.test(word);

/** `partnerId` as the command line writes it: `partner-id`. */
const kebab = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
