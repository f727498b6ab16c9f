import { beforeAll, expect, it } from 'vitest';
import { useApp } from '../support/app.ts';
import type { TestClaim } from '../support/claims.ts';
import { answerConsent } from '../support/claims.ts';
import { answerByPassword, customerWithPendingClaim, openPage } from '../support/consent-page.ts';
import { eventually } from '../support/eventually.ts';
import { completeReset, validatedReset } from '../support/password-reset.ts';
import { refusalOf } from '../support/refusals.ts';
import { waitersFor } from '../support/row-locks.ts';

const server = useApp();
let page = '';
let claim: TestClaim;
beforeAll(async () => {
  ({ claim } = await customerWithPendingClaim(server, { name: 'Zuma Market', displayName: `O'Neil & "Sons"` }));
  page = (await openPage(server, claim)).body;
});

it('V3.2.2: a name with every character that HTML reads is shown as the text it is', () => {
  expect(page).toContain('O&#39;Neil &amp; &quot;Sons&quot;');
  expect(page).not.toContain('"Sons"');
});

it('V6.2.6: the field of the password is masked', () => {
  const fields = [...page.matchAll(/<input[^>]+name="password"[^>]*>/g)].map(([field]) => field);
  expect(fields).toHaveLength(1);
  expect(fields[0]).toMatch(/\stype="password"\s/);
});

it('V6.2.7: it takes what is pasted and what a password manager fills in', () => {
  expect(page).toMatch(/<input[^>]+name="paytag"[^>]+autocomplete="username"/);
  expect(page).toMatch(/<input[^>]+name="password"[^>]+autocomplete="current-password"/);
  expect(page).not.toMatch(/<script|\son\w+=|autocomplete="off"/i);
});

it('V10.7.2: the page says who asks, for what, until when it can be answered, and how long an approval holds', () => {
  for (const said of ['Zuma Market', claim.tagString, 'Lagos time', 'holds until you or', 'end it, at any time']) {
    expect(page).toContain(said);
  }
});

it('V7.4.3: a reset of the password takes back what was approved with the old one and fetched by nobody yet', async () => {
  const { claim: asked, requester } = await customerWithPendingClaim(server);
  const partner = await server.newPartner();
  expect((await answerByPassword(server, asked)).statusCode).toBe(303);
  await completeReset(server, partner, await validatedReset(server, partner, asked.tagString));
  expect(refusalOf(await answerConsent(server, requester, asked.consentToken, 'approve'))).toEqual([
    403,
    'OWNER_CONSENT_REQUIRED',
  ]);
});

it('V7.4.3: of a fetch and a reset at once, one that waits for the other finds what it has done', async () => {
  const { claim: asked, requester } = await customerWithPendingClaim(server);
  await answerByPassword(server, asked);
  const client = await server.owner.connect();
  try {
    await client.query('begin');
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    await client.query('update claims.claim set owner_confirmed_at = null, owner_confirmed_by = null where id = $1', [
      asked.id,
    ]);
    const fetched = answerConsent(server, requester, asked.consentToken, 'approve');
    await eventually(async () => expect(await waitersFor(server.owner, Number(rows[0]?.pid))).toBe(1));
    await client.query('commit');
    expect(refusalOf(await fetched)).toEqual([403, 'OWNER_CONSENT_REQUIRED']);
  } finally {
    client.release();
  }
});

it('V8.2.1: the page of an application that was suspended takes no consent', async () => {
  const { claim: asked, requester } = await customerWithPendingClaim(server);
  await server.operate('POST', `/applications/${requester.applicationId}/suspend`, { reason: 'phishing' });
  expect((await openPage(server, asked)).body).not.toContain('value="approve"');
  expect((await answerByPassword(server, asked)).statusCode).toBe(409);
});
