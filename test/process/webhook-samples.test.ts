import { spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { systemClock } from '#lib/clock.ts';
import { rotateSecret } from '#modules/outbox';
import { blocksOf, documentAt } from '../support/documents.ts';
import { keyring, type TestReceiver, useDispatchers, useOutbox } from '../support/outbox.ts';
import { type Received, useReceiver } from '../support/receiver.ts';
import { type Language, languages } from './webhook-languages.ts';

const folder = mkdtempSync(join(tmpdir(), 'paytag-test-samples-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const start = ([command, ...args]: [string, ...string[]], cwd: string, input = '') =>
  spawnSync(command, args, {
    cwd,
    input,
    encoding: 'utf8',
    env: {
      ...process.env,
      GOCACHE: join(folder, 'go-cache'),
      GOPATH: join(folder, 'go'),
      GOPROXY: 'off',
      GOTOOLCHAIN: 'local',
      GOFLAGS: '-mod=mod',
    },
  });
const isHere = ({ version }: Language): boolean => start(version, folder).status === 0;

type Entries = [string, Language][];
const guide = documentAt('src/docs/webhooks.md');

/** Either signature of a request, as what has to be verified. Without an id it is R-Signature. */
interface Case {
  body: string;
  r: string;
  id: string;
  at: string;
  signatures: string;
  key: string;
}

const outbox = useOutbox();
const receiver = useReceiver();
const dispatchers = useDispatchers();
let partner: TestReceiver;
let newSecret: string;
let before: Received;
let during: Received;

/** Has a partner told before it rotates its secret and during the overlap: now, for the signatures are good for minutes. */
async function sendBeforeAndDuringOverlap(): Promise<void> {
  partner = await outbox.newReceiver(receiver.url);
  const deliverOne = async () => {
    const [reference = ''] = await outbox.emitTo(partner);
    await dispatchers.start({ pool: outbox.pool }).pump();
    return receiver.waitFor(({ body }) => body.includes(reference));
  };
  before = await deliverOne();
  const owner = { ownerId: partner.ownerId, ownerKind: 'PARTNER' as const };
  const deps = { transact: outbox.transact, keyring, clock: systemClock, webhooks: { secretOverlapH: 1 } };
  newSecret = (await rotateSecret(deps, { actor: 'test', owner, immediately: false })).secret;
  during = await deliverOne();
}

const caseOf = ({ headers, body }: Received, key: string, changed: Partial<Case> = {}): Case => ({
  body: body.toString('base64'),
  r: String(headers['r-signature']),
  id: String(headers['webhook-id']),
  at: String(headers['webhook-timestamp']),
  signatures: String(headers['webhook-signature']),
  key,
  ...changed,
});
const rCaseOf = (request: Received, key: string, changed: Partial<Case> = {}) =>
  caseOf(request, key, { ...changed, id: '' });

const lastByteChanged = ({ body }: Received): string => {
  const bytes = Buffer.from(body);
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  return bytes.toString('base64');
};
/** Signed as it should be, so many seconds from now. */
const signedAt = (request: Received, secret: string, offsetS: number): Partial<Case> => {
  const at = String(Math.floor(Date.now() / 1000) + offsetS);
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signed = Buffer.concat([Buffer.from(`${String(request.headers['webhook-id'])}.${at}.`), request.body]);
  return { at, signatures: `v1,${createHmac('sha256', key).update(signed).digest('base64')}` };
};

function cases(): { accepted: Case[]; refused: Case[] } {
  const { clientId, secret } = partner;
  const r = String(before.headers['r-signature']);
  const signature = String(before.headers['webhook-signature']);
  const refusedR = [
    { body: lastByteChanged(before) },
    { key: `${clientId}x` },
    { r: '' },
    { r: r.slice(0, -1) },
    { r: `${r.slice(0, -1)}é` },
    { r: r.toUpperCase() },
  ];
  const refusedStandard = [
    { body: lastByteChanged(before) },
    { key: newSecret },
    { signatures: '' },
    { signatures: ' ' },
    { signatures: `${signature.slice(0, -1)}é` },
    { signatures: signature.replace('v1,', 'v2,') },
    { id: 'another' },
    { at: '' },
    { at: 'now' },
    { at: '-1' },
    { at: '9'.repeat(5_000) },
    { at: String(Number(before.headers['webhook-timestamp']) + 1) },
    signedAt(before, secret, -360),
    signedAt(before, secret, 360),
  ];
  return {
    accepted: [
      rCaseOf(before, clientId),
      rCaseOf(during, clientId),
      caseOf(before, secret),
      caseOf(before, secret, signedAt(before, secret, -200)),
      caseOf(before, secret, { signatures: `v1a,b3RoZXI= ${signature}` }),
      caseOf(during, newSecret),
      caseOf(during, secret),
    ],
    refused: [
      ...refusedR.map((changed) => rCaseOf(before, clientId, changed)),
      ...refusedStandard.map((changed) => caseOf(before, secret, changed)),
    ],
  };
}

test('the guide has one block for each language that is run here', () => {
  const fences = Object.values(languages).flatMap(({ block }) => block?.fence ?? []);
  expect(fences).toHaveLength(4);
  for (const fence of fences) expect(blocksOf(guide, fence)).toHaveLength(1);
});

const [here, missing] = [true, false].map((is) =>
  Object.entries(languages).filter(([, language]) => (language.run[0] === process.execPath || isHere(language)) === is),
) as [Entries, Entries];
if (missing.length > 0) {
  const names = missing.map(([name]) => name).join(', ');
  process.stderr.write(`not on this machine, so that their blocks of the webhooks guide are not run: ${names}\n`);
}

describe.each(here)('verification in %s', (name, language) => {
  test('accepts what our engine sends and refuses all else', async () => {
    const cwd = join(folder, name);
    const { block, files } = language;
    const pasted = block === undefined ? {} : { [block.pasted]: blocksOf(guide, block.fence)[0] ?? '' };
    for (const [file, content] of Object.entries({ ...files, ...pasted })) {
      mkdirSync(dirname(join(cwd, file)), { recursive: true });
      writeFileSync(join(cwd, file), content);
    }
    start(language.run, cwd, '[]'); // what has to be compiled is
    await sendBeforeAndDuringOverlap();
    const { accepted, refused } = cases();
    const { stdout, stderr } = start(language.run, cwd, JSON.stringify([...accepted, ...refused]));
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual([...accepted.map(() => true), ...refused.map(() => false)]);
  });
});
