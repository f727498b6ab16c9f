import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { errorTable } from '#errors';
import { useApp } from '../../support/app.ts';
import { newApplication } from '../../support/application.ts';
import { importOf } from '../../support/bank-files.ts';
import { readDocument } from '../../support/described.ts';
import { newDispute } from '../../support/disputes.ts';
import { documentAt } from '../../support/documents.ts';
import { unknownPayment } from '../../support/inbound.ts';
import { follow, linkIn, mailedTo, useLiveApp, useMailServer } from '../../support/mail-server.ts';
import { newOperator } from '../../support/operators.ts';
import { unknownPayout } from '../../support/payouts.ts';
import { liveEnv } from '../../support/variables.ts';
import { earn, fundedWallet, loggedIn, newReference, newWallet, waitingPayment } from '../../support/wallets.ts';

/** The same installation as a sandbox, where what the tests need is made, and as live. */
const open = useApp({ MASTER_KEY: liveEnv.MASTER_KEY });
const mail = useMailServer();
const live = useLiveApp(mail, { APPROVAL_ABOVE: '10' }, open);
const REASON = { reason: 'as decided' };

interface Operation {
  method: string;
  path: string;
  waits: boolean;
}
const operations: Operation[] = JSON.parse(
  readFileSync(new URL('../../../src/wire/operator-operations.json', import.meta.url), 'utf8'),
);
const nameOf = ({ method, path }: Operation) => `${method} ${path}`;

/** The rows of the guide: who must agree to each operation, by its name without `/operator/v1`, which all have. */
const rows = [
  ...documentAt('src/docs/operators.md').text.matchAll(
    /^\| `(GET|POST|PATCH) \/operator\/v1(\/\S+)` \| .{3,} \| ([^|]+) \|$/gm,
  ),
].map(([, method, path, who = '']): [name: string, who: string] => [`${method} ${path}`, who]);
const waiting = rows.filter(([, who]) => who !== 'one');

it('V2.3.5: the guide has each operation once, in words that it explains', () => {
  expect(rows.map(([name]) => name).toSorted()).toEqual(operations.map(nameOf).toSorted());
  const words = new Set(rows.map(([, who]) => who));
  expect([...words].toSorted()).toEqual(['one', 'two', 'two above APPROVAL_ABOVE', 'two in live']);
  for (const word of words) expect(documentAt('src/docs/operators.md').text).toContain(`\n| ${word} | `);
});

it('what the guide has wait answers 202 as the API describes it, and nothing else does', () => {
  expect(waiting.map(([name]) => name).toSorted()).toEqual(
    operations
      .filter(({ waits }) => waits)
      .map(nameOf)
      .toSorted(),
  );
});

it('what an operation refuses its approval is described to refuse as well', async () => {
  const { paths } = await readDocument(open, '/operator/v1/openapi.json');
  const refusalsOf = (method: string, path: string) => {
    const { responses = {} } = (paths as Paths)[`/operator/v1${path}`]?.[method.toLowerCase()] ?? {};
    const refused = Object.entries(responses).filter(([status]) => Number(status) >= 400);
    const words = JSON.stringify(refused).matchAll(/"([A-Z]+(?:_[A-Z]+)+)"/g);
    return new Set([...words].map(([, code = '']) => code).filter((code) => code in errorTable));
  };
  const described = refusalsOf('POST', '/approvals/{id}/approve');
  expect(described.size).toBeGreaterThan(20);
  const missing = waiting.flatMap(([name]) => {
    const [method = '', path = ''] = name.split(' ');
    return [...refusalsOf(method, path)].filter((code) => !described.has(code)).map((code) => `${name}: ${code}`);
  });
  expect(missing).toEqual([]);
});

type Paths = Readonly<Record<string, Readonly<Record<string, { responses: object }>>>>;
type Asked = [path: string, body: object];

/** A partner or application whose contact has proven that the address is theirs. */
async function reachable(kind: 'partners' | 'applications', at: number): Promise<string> {
  const email = `owner-${kind}-${at}@owner.example`;
  if (kind === 'partners') {
    const given = { name: `Reached ${at}`, redirectUrl: 'https://reached.example/cb', contactEmail: email };
    const { id } = (await live.operate('POST', '/partners', given)).json();
    await follow(live, linkIn((await mailedTo(live, mail, email))[0]));
    return id;
  }
  const { applicationId: id } = await newApplication(open, `Reached ${at}`, { email });
  await live.operate('POST', `/applications/${id}/secret/rotate`, REASON); // which mails the link
  await follow(live, linkIn((await mailedTo(live, mail, email))[0]));
  return id;
}

/** A customer with 100 naira, who is frozen. */
async function frozenCustomer(): Promise<string> {
  const ada = await loggedIn(open, await open.newPartner({ float: 100 }), 100);
  const { id } = (await open.operate('POST', '/customers/find', { paytag: ada.paytag })).json().items[0];
  await open.operate('POST', `/customers/${id}/freeze`, REASON);
  return id;
}

let made = 0;
const moved = () => ({ amount: 11, reference: newReference() });
const sender = { name: 'Bola Ade' };

/** A good request for each operation that waits, above the threshold where there is one. */
const requests: Record<string, () => Promise<Asked>> = {
  'PATCH /partners/{id}': async () => [
    `/partners/${await reachable('partners', ++made)}`,
    { ...REASON, redirectUrl: 'https://evil.example/cb' },
  ],
  'PATCH /wallets/{reference}': async () => {
    const { wallet } = await fundedWallet(open, 50);
    await open.operate('PATCH', `/wallets/${wallet}`, { ...REASON, status: 'Blocked' });
    return [`/wallets/${wallet}`, { ...REASON, status: 'Enabled' }];
  },
  'POST /applications/{id}/fund': async () => [
    `/applications/${(await newApplication(open)).applicationId}/fund`,
    moved(),
  ],
  'POST /applications/{id}/restore': async () => {
    const { applicationId } = await newApplication(open);
    await open.operate('POST', `/applications/${applicationId}/suspend`, REASON);
    return [`/applications/${applicationId}/restore`, REASON];
  },
  'POST /applications/{id}/secret/rotate': async () => [
    `/applications/${await reachable('applications', ++made)}/secret/rotate`,
    REASON,
  ],
  'POST /applications/{id}/settlement': async () => [
    `/applications/${(await newApplication(open)).applicationId}/settlement`,
    moved(),
  ],
  'POST /applications/{id}/webhook/secret/rotate': async () => [
    `/applications/${await reachable('applications', ++made)}/webhook/secret/rotate`,
    REASON,
  ],
  'POST /customers/reveal': async () => ['/customers/reveal', { ...REASON, ids: [await frozenCustomer()] }],
  'POST /customers/{id}/hand-back-bvn': async () => [`/customers/${await frozenCustomer()}/hand-back-bvn`, REASON],
  'POST /customers/{id}/release': async () => [`/customers/${await frozenCustomer()}/release`, REASON],
  'POST /disputes/{id}/decide': async () => [
    `/disputes/${(await newDispute(open)).id}/decide`,
    { ...REASON, outcome: 'WON' },
  ],
  'POST /inbox/{id}/credit': async () => {
    const { reference: walletReference } = await newWallet(open, await open.newPartner());
    return [`/inbox/${await unknownPayment(open)}/credit`, { ...REASON, walletReference }];
  },
  'POST /partners/{id}/float': async () => [`/partners/${(await open.newPartner()).id}/float`, moved()],
  'POST /partners/{id}/keys': async () => [`/partners/${await reachable('partners', ++made)}/keys`, REASON],
  'POST /partners/{id}/restore': async () => {
    const { id } = await open.newPartner({ float: 50 });
    await open.operate('POST', `/partners/${id}/suspend`, REASON);
    return [`/partners/${id}/restore`, REASON];
  },
  'POST /partners/{id}/settlement': async () => [
    `/partners/${(await open.newPartner({ float: 50 })).id}/settlement`,
    moved(),
  ],
  'POST /partners/{id}/webhook/secret/rotate': async () => [
    `/partners/${await reachable('partners', ++made)}/webhook/secret/rotate`,
    REASON,
  ],
  'POST /payouts/{id}/correct': async () => {
    const { id } = await unknownPayout(open);
    return [`/payouts/${id}/correct`, { ...REASON, account: 'WALLET' }];
  },
  'POST /payouts/{id}/mark': async () => [
    `/payouts/${(await unknownPayout(open)).id}/mark`,
    { ...REASON, outcome: 'SUCCESSFUL' },
  ],
  'POST /reconciliation/items/{id}/resolve': async () => {
    const day = new Date(open.clock.now().getTime() - 86_400_000).toISOString().slice(0, 10);
    const line = { day, amount: 200_000n, reference: `NIP-${newReference()}` };
    const { id } = (await open.operate('POST', '/reconciliation/imports', importOf('INBOUND', 'CSV', [line]))).json();
    const { items } = (await open.operate('GET', `/reconciliation/items?importId=${id}&limit=100`)).json();
    const alone = items.find((one: { line?: number }) => one.line !== undefined);
    return [`/reconciliation/items/${alone.id}/resolve`, { ...REASON, action: 'POST', account: 'DIFFERENCE' }];
  },
  'POST /remittances': async () => {
    await earn(open, 100n);
    return ['/remittances', { ...moved(), ...REASON, account: 'FEE' }];
  },
  'POST /suspense/{id}/resolve': async () => {
    const { id } = await waitingPayment(open, await open.newPartner());
    return [`/suspense/${id}/resolve`, { ...REASON, to: 'float' }];
  },
  'POST /transactions': async () => {
    const { nuban } = await newWallet(open, await open.newPartner());
    return ['/transactions', { ...moved(), type: 'INBOUND', nuban, sender }];
  },
  'POST /transactions/{reference}/refund': async () => {
    const { partner } = await fundedWallet(open, 50);
    return ['/transactions/opening/refund', { ...REASON, ...moved(), partnerId: partner.id }];
  },
  'POST /transactions/{reference}/reverse': async () => {
    const { partner } = await fundedWallet(open, 50);
    return ['/transactions/opening/reverse', { ...REASON, reference: newReference(), partnerId: partner.id }];
  },
  'POST /wallets/{reference}/liens/{id}/lift': async () => {
    const { wallet } = await fundedWallet(open, 50);
    const lien = (await open.operate('POST', `/wallets/${wallet}/liens`, { ...REASON, amount: 40 })).json();
    return [`/wallets/${wallet}/liens/${lien.id}/lift`, REASON];
  },
};

describe('what the guide says that two must agree to waits in live', () => {
  it('and each of them is tried', () => {
    expect(Object.keys(requests).toSorted()).toEqual(waiting.map(([name]) => name).toSorted());
  });

  it.each(waiting)('%s: %s', async (name) => {
    const [path, body] = (await requests[name]?.()) ?? ['', {}];
    const method = name.startsWith('PATCH') ? 'PATCH' : 'POST';
    const admin = await newOperator(live, 'admin');
    const answer = await admin.operate(method, path, body);
    expect([answer.statusCode, answer.json().status, answer.json().errorCode]).toEqual([202, 'PENDING', undefined]);
    const own = await admin.operate('POST', `/approvals/${answer.json().id}/approve`, {});
    expect([own.statusCode, own.json().errorCode]).toEqual([403, 'APPROVAL_OWN']);
  });
});

it('of those that wait in live only, none waits in the sandbox', async () => {
  const { id } = await open.newPartner();
  const { applicationId } = await newApplication(open);
  const key = await open.operate('POST', `/partners/${id}/keys`, REASON);
  expect([key.statusCode, key.json().apiKey, key.json().handover]).toEqual([201, expect.any(String), undefined]);
  for (const [path, member] of [
    [`/applications/${applicationId}/secret/rotate`, 'client_secret'],
    [`/applications/${applicationId}/webhook/secret/rotate`, 'webhookSecret'],
    [`/partners/${id}/webhook/secret/rotate`, 'webhookSecret'],
  ] as const) {
    const answer = await open.operate('POST', path, REASON);
    expect([path, answer.statusCode, answer.json()[member]]).toEqual([path, 200, expect.any(String)]);
  }
});

it('the books are whole after all of it', async () => {
  expect((await open.operate('GET', '/ledger/check')).json()).toMatchObject({ ok: true });
});
