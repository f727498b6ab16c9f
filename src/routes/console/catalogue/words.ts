/** Words that are written otherwise than a name in the API. */
const written: Readonly<Record<string, string>> = {
  api: 'API',
  bvn: 'BVN',
  csv: 'CSV',
  id: 'ID',
  kid: 'Key ID',
  kyc: 'KYC',
  nuban: 'Nuban',
  otp: 'OTP',
  paytag: 'PayTag',
  pnc: 'PNC',
  pnd: 'PND',
  sha: 'SHA',
  url: 'URL',
};

/** Things that a member names by their id, and that have a page: "Partner" says it. */
const THINGS = new Set([
  'app',
  'application',
  'customer',
  'endpoint',
  'import',
  'owner',
  'partner',
  'receiver',
  'transaction',
]);

/** Members with a better label than their name. */
const members: Readonly<Record<string, string>> = {
  createdByAppId: 'Created by',
  'decidedBy.name': 'Decided by',
  ownerApplicationId: 'Application',
  'process.host': 'Host',
  'process.node': 'Node.js',
  'process.pid': 'Process ID',
  'process.role': 'Role',
  'requestedBy.name': 'Requested by',
  requestedByAppId: 'Requested by',
  'sender.name': 'Sender',
  tagString: 'Tag',
};

/**
 * What a member of the API is called on a page: `createdAt` is "Created", `partnerId` is "Partner", `sender.name` is "Sender
 * name", `ExternalReference` is "External reference".
 */
export function labelOf(name: string): string {
  if (Object.hasOwn(members, name)) return members[name] ?? name;
  const words = name
    .replaceAll(/[._-]/g, ' ')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])(?=[A-Z][a-z])/g, '$1 ')
    .split(' ')
    .map((word) => word.toLowerCase())
    .filter((word) => word !== '');
  const [before = '', last = ''] = words.slice(-2);
  const isSaid = words.length > 1 && (last === 'at' || (last === 'id' && THINGS.has(before)));
  const kept = isSaid ? words.slice(0, -1) : words;
  return kept.map((word, at) => written[word] ?? (at === 0 ? capital(word) : word)).join(' ');
}

const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

/** Values that stand for no words: currencies, names of formats, and what a wallet takes. */
const NO_WORDS = /^(?:[A-Z]{2,3}|MT940|CAMT\.053|HTTPS?)$/;
/** What is a word all the same, though it is short. */
const WORDS = /^(?:DAY|DUE|FEE|LOW|NEW|OFF|OLD|ONE|OUT|TAG|WON|YES|UP)$/;

/** One of the values that the API names in capitals, as it is read: `PARTNER_WALLET_CREDIT` is "Partner wallet credit". */
export const valueInWords = (value: string): string =>
  /^[A-Z][A-Z_]+$/.test(value) && (WORDS.test(value) || !NO_WORDS.test(value)) ? labelOf(value.toLowerCase()) : value;

/** The thing that a read shows, or one of what a list has: "Bank import", "Wallet". */
export const thingIn = ({ operationId, noun }: { operationId: string; noun: string }): string =>
  operationId.startsWith('get')
    ? labelOf(operationId.slice('get'.length))
    : labelOf(noun.split(' ')[0] ?? noun)
        .replace(/ies$/, 'y')
        .replace(/s$/, '');

/** The part of a summary that names what is done: up to the first comma, semicolon or colon. */
export const shortOf = (summary: string): string => summary.split(/[;:,]/)[0] ?? summary;

/** Verbs whose past is not made by rule. */
const past: Readonly<Record<string, string>> = {
  find: 'found',
  freeze: 'frozen',
  hand: 'handed',
  resend: 'sent again',
  send: 'sent',
  set: 'set',
};

const pastOf = (verb: string): string =>
  past[verb] ?? (verb.endsWith('e') ? `${verb}d` : /[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ied` : `${verb}ed`);

/** What an operation did, by its name: `suspendPartner` is "Partner suspended", `handBackBvn` "BVN handed back". */
export function doneInWords(operationId: string): string {
  const [verb = '', ...rest] = operationId.split(/(?=[A-Z])/);
  const isTwo = rest[0] === 'Back';
  const what = labelOf((isTwo ? rest.slice(1) : rest).join(''));
  return `${what} ${pastOf(verb)}${isTwo ? ' back' : ''}`;
}
