import { expect, it } from 'vitest';
import { follow, linkIn, mailedTo, press, useLiveApp, useMailServer } from '../../support/mail-server.ts';
import { newOperator } from '../../support/operators.ts';
import { forget } from '../../support/other-times.ts';
import { refusalOf } from '../../support/refusals.ts';

const mail = useMailServer();
const live = useLiveApp(mail, { APPLICATION_REGISTRATION: 'approval' });
const REASON = { reason: 'as they asked' };
const HOUR_MS = 3_600_000;
let contacts = 0;

/** A partner in live, and the link by which its contact proves that the address is theirs. */
async function newLivePartner() {
  const contactEmail = `ops-${++contacts}@partner.example`;
  const redirectUrl = 'https://partner.example/callback';
  const made = await live.operate('POST', '/partners', { name: `Acme ${contacts}`, redirectUrl, contactEmail });
  const partner = made.json<{ id: string; clientId: string; apiKey: string }>();
  const [text] = await mailedTo(live, mail, contactEmail);
  return { ...partner, contactEmail, proof: linkIn(text) };
}

/** The same, whose contact has done so. */
async function livePartner() {
  const partner = await newLivePartner();
  expect((await follow(live, partner.proof)).statusCode).toBe(200);
  return partner;
}

/** Has another operator approve what was asked for. */
async function approved(
  answer: { statusCode: number; json: () => { id: string } },
  role: 'finance' | 'admin' = 'admin',
) {
  expect(answer.statusCode).toBe(202);
  const second = await newOperator(live, role);
  return second.operate('POST', `/approvals/${answer.json().id}/approve`, {});
}
const secretIn = (body: string) => /<code>([^<]+)<\/code>/.exec(body)?.[1] ?? '';
const callWith = ({ clientId }: { clientId: string }, apiKey: string) =>
  live.call('GET', '/v2/partner/float', { headers: { 'x-client-id': clientId, 'x-api-key': apiKey } });

it('V2.3.5: in live a key for a partner that has one waits for another operator, and is shown to its owner alone', async () => {
  const partner = await livePartner();
  const asked = await live.operate('POST', `/partners/${partner.id}/keys`, REASON);
  expect([asked.statusCode, asked.json().status]).toEqual([202, 'PENDING']);
  expect((await live.operate('GET', `/partners/${partner.id}`)).json().keys).toHaveLength(1);
  const answer = (await approved(asked)).json();
  expect(answer).toMatchObject({ status: 'EXECUTED', answer: { id: expect.any(String) } });
  expect(answer.answer).toEqual({
    id: expect.any(String),
    createdAt: expect.any(String),
    handover: { to: 'o***@partner.example', expiresAt: expect.any(String) },
  });
  const [text] = await mailedTo(live, mail, partner.contactEmail);
  const shown = await follow(live, linkIn(text));
  expect(shown.statusCode).toBe(200);
  const apiKey = secretIn(shown.body);
  expect(apiKey).toMatch(/^sk_live_/);
  expect((await callWith(partner, apiKey)).statusCode).toBe(200);
  expect((await callWith(partner, partner.apiKey)).statusCode).toBe(200);
  expect(live.logged).not.toContain(apiKey);
});

it('V2.3.5: in live the key that an operator saw when the partner was made is good for three days, and takes no place then', async () => {
  const before = live.logged.length;
  const partner = await livePartner();
  expect(live.logged.slice(before)).toContain(`"event":"api_key_added"`);
  live.clock.advance(72 * HOUR_MS - 1_000);
  expect((await callWith(partner, partner.apiKey)).statusCode).toBe(200);
  live.clock.advance(1_000);
  expect(refusalOf(await callWith(partner, partner.apiKey))).toEqual([401, 'INVALID_CREDENTIALS']);
  const keys = [];
  for (let key = 0; key < 2; key++) {
    await approved(await live.operate('POST', `/partners/${partner.id}/keys`, REASON));
    const [text] = await mailedTo(live, mail, partner.contactEmail);
    keys.push(secretIn((await follow(live, linkIn(text))).body));
  }
  live.clock.advance(73 * HOUR_MS);
  for (const key of keys) expect((await callWith(partner, key)).statusCode).toBe(200);
});

/** A key that was approved for a partner, and the link that shows it. */
async function handedOver() {
  const partner = await livePartner();
  const answer = await approved(await live.operate('POST', `/partners/${partner.id}/keys`, REASON));
  expect(answer.statusCode).toBe(200);
  const [text] = await mailedTo(live, mail, partner.contactEmail);
  return { partner, path: linkIn(text) };
}

it('a scanner of mail uses no link up, and of twenty who press the button one is shown the secret', async () => {
  const { path } = await handedOver();
  for (let time = 0; time < 5; time++) {
    for (const method of ['GET', 'HEAD'] as const) {
      const page = await live.call(method, path);
      expect([method, page.statusCode, page.body.includes('sk_live_')]).toEqual([method, expect.any(Number), false]);
    }
  }
  const page = await live.call('GET', path);
  const form = /name="form" value="([^"]*)"/.exec(page.body)?.[1] ?? '';
  const token = path.slice('/handover/'.length);
  const answers = await Promise.all(Array.from({ length: 20 }, () => press(live, { form, token })));
  expect(answers.filter(({ body }) => secretIn(body) !== '')).toHaveLength(1);
  expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, ...Array(19).fill(410)]);
  expect((await live.call('GET', path)).statusCode).toBe(410);
});

it('a link is good for three days, and a form for no other link and from no other page', async () => {
  const [{ path }, other] = [await handedOver(), await handedOver()];
  const page = await live.call('GET', path);
  const form = /name="form" value="([^"]*)"/.exec(page.body)?.[1] ?? '';
  const foreign = await press(live, { form, token: other.path.slice('/handover/'.length) });
  expect([foreign.statusCode, secretIn(foreign.body)]).toEqual([403, '']);
  live.clock.advance(72 * HOUR_MS);
  for (const gone of [path, '/handover/nobody-made-this', '/handover/x']) {
    expect([gone, (await live.call('GET', gone)).statusCode]).toEqual([gone, 410]);
  }
  await forget(live.resources, 'letters.letter', live.clock.now());
  const { rows } = await live.owner.query(
    'select count(*)::int as kept from letters.letter where secret_sealed is not null',
  );
  expect(rows).toEqual([{ kept: 0 }]);
});

it('at rest the token is a digest, and the secret opens in its own row alone', async () => {
  const [one, other] = [await handedOver(), await handedOver()];
  const { rows } = await live.owner.query<{ row: string }>('select l::text as row from letters.letter l');
  const stored = rows.map(({ row }) => row).join();
  const token = one.path.slice('/handover/'.length);
  for (const plain of [token, one.partner.contactEmail, 'sk_live_']) {
    expect(stored).not.toContain(plain);
    expect(stored).not.toContain(Buffer.from(plain).toString('hex'));
  }
  await live.owner.query(
    `update letters.letter l set secret_sealed = o.secret_sealed from letters.letter o
      where l.owner_id = $1 and o.owner_id = $2 and l.kind = 'API_KEY' and o.kind = 'API_KEY'`,
    [one.partner.id, other.partner.id],
  );
  expect((await follow(live, one.path)).statusCode).toBe(500);
});

it('without a proven contact nothing is stored, and the refusal says what is to be done', async () => {
  const redirectUrl = 'https://partner.example/callback';
  const without = (await live.operate('POST', '/partners', { name: 'No contact', redirectUrl })).json();
  const none = await live.operate('POST', `/partners/${without.id}/keys`, REASON);
  expect(refusalOf(none)).toEqual([409, 'CONTACT_NOT_PROVEN']);
  expect(none.json().message).toContain('PATCH /operator/v1/partners/{id}');
  const unproven = await newLivePartner();
  live.clock.advance(2 * HOUR_MS);
  for (const path of ['keys', 'webhook/secret/rotate']) {
    const refused = await live.operate('POST', `/partners/${unproven.id}/${path}`, REASON);
    expect([path, ...refusalOf(refused)]).toEqual([path, 409, 'CONTACT_NOT_PROVEN']);
    expect(refused.json().message).toContain('we mailed a link there');
  }
  const texts = await mailedTo(live, mail, unproven.contactEmail);
  expect(texts, 'one more, for both').toHaveLength(1);
  expect((await follow(live, linkIn(texts[0]))).statusCode).toBe(200);
  expect((await live.operate('POST', `/partners/${unproven.id}/keys`, REASON)).statusCode).toBe(202);
});

it.each([
  ['redirectUrl', 'https://evil.example/callback'],
  ['webhookUrl', 'https://evil.example/hooks'],
  ['webhookUrl', null],
  ['contactEmail', 'me@evil.example'],
  ['contactEmail', null],
])('in live another %s waits: %s', async (member, value) => {
  const partner = await livePartner();
  const before = (await live.operate('GET', `/partners/${partner.id}`)).json();
  const asked = await live.operate('PATCH', `/partners/${partner.id}`, { ...REASON, [member]: value });
  expect(asked.statusCode).toBe(202);
  expect((await live.operate('GET', `/partners/${partner.id}`)).json()).toEqual(before);
  expect((await approved(asked)).statusCode).toBe(200);
  const after = (await live.operate('GET', `/partners/${partner.id}`)).json();
  expect(after[member]).toEqual(value ?? undefined);
  const told = await mailedTo(live, mail, partner.contactEmail);
  expect(told.join(), 'the contact so far is told').toContain('were changed');
});

it('another name does not wait, and what could never be done is refused at once', async () => {
  const partner = await livePartner();
  const named = await live.operate('PATCH', `/partners/${partner.id}`, { ...REASON, name: 'Acme Payments' });
  expect([named.statusCode, named.json().name]).toEqual([200, 'Acme Payments']);
  const bad = await live.operate('PATCH', `/partners/${partner.id}`, { ...REASON, redirectUrl: 'http://evil.example' });
  expect(refusalOf(bad)).toEqual([400, 'REDIRECT_URL_REFUSED']);
});

it('a new contact gets no secret before they have proven to be it, and the one before no more', async () => {
  const partner = await livePartner();
  const contactEmail = `new-${partner.contactEmail}`;
  await approved(await live.operate('PATCH', `/partners/${partner.id}`, { ...REASON, contactEmail }));
  expect(refusalOf(await live.operate('POST', `/partners/${partner.id}/keys`, REASON))).toEqual([
    409,
    'CONTACT_NOT_PROVEN',
  ]);
  const [proof] = await mailedTo(live, mail, contactEmail);
  expect((await follow(live, linkIn(proof))).statusCode).toBe(200);
  await approved(await live.operate('POST', `/partners/${partner.id}/keys`, REASON));
  expect(await mailedTo(live, mail, contactEmail)).toHaveLength(1);
});

it('a contact that was left and comes back within the hour is mailed a link that opens', async () => {
  const partner = await newLivePartner();
  for (const contactEmail of [`else-${partner.contactEmail}`, partner.contactEmail]) {
    await approved(await live.operate('PATCH', `/partners/${partner.id}`, { ...REASON, contactEmail }));
  }
  const again = (await mailedTo(live, mail, partner.contactEmail)).find((text) => text.includes('/handover/'));
  expect((await follow(live, linkIn(again))).statusCode).toBe(200);
  expect((await live.operate('POST', `/partners/${partner.id}/keys`, REASON)).statusCode).toBe(202);
});

it('a letter that the mail server will never take is a security event that names the secret in it', async () => {
  const partner = await livePartner();
  const { id: keyId } = (await approved(await live.operate('POST', `/partners/${partner.id}/keys`, REASON))).json()
    .answer;
  const before = live.logged.length;
  mail.refuse('RCPT', 550);
  await mailedTo(live, mail, partner.contactEmail);
  mail.refuse();
  const events = live.logged
    .slice(before)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(events.filter(({ event }) => event === 'owner_not_told')).toMatchObject([{ partnerId: partner.id, keyId }]);
  await live.operate('POST', `/partners/${partner.id}/keys/${keyId}/revoke`, REASON);
  await approved(await live.operate('POST', `/partners/${partner.id}/keys`, REASON));
  const [text] = await mailedTo(live, mail, partner.contactEmail);
  expect((await follow(live, linkIn(text))).body, 'the next one reaches them').toContain('sk_live_');
});

it('links that were mailed to a contact open nothing once it is another', async () => {
  const unproven = await newLivePartner();
  const { partner, path } = await handedOver();
  for (const { id } of [unproven, partner]) {
    await approved(await live.operate('PATCH', `/partners/${id}`, { ...REASON, contactEmail: null }));
  }
  for (const gone of [unproven.proof, path]) expect((await live.call('GET', gone)).statusCode).toBe(410);
});

it('what waits when its contact changes goes to nobody', async () => {
  const partner = await livePartner();
  const asked = await live.operate('POST', `/partners/${partner.id}/keys`, REASON);
  const headers = { 'x-client-id': partner.clientId, 'x-api-key': partner.apiKey };
  const payload = { email: 'thief@evil.example' };
  expect((await live.call('PUT', '/v2/partner/webhook/contact', { headers, payload })).statusCode).toBe(200);
  expect(refusalOf(await approved(asked))).toEqual([409, 'CONTACT_NOT_PROVEN']);
  expect((await mailedTo(live, mail, partner.contactEmail)).join(), 'the contact so far is told').toContain(
    'at its own request',
  );
});

/** An application in live, approved, whose e-mail address is proven. */
async function liveApplication() {
  const email = `app-${++contacts}@app.example`;
  const payload = { applicationName: `Lumen ${contacts}`, email, webhookUrl: 'https://app.example/hooks' };
  const made = (await live.call('POST', '/api/v1/applications', { payload })).json().data;
  const id: string = (await live.operate('GET', '/applications?status=PENDING')).json().items[0].id;
  await live.operate('POST', `/applications/${id}/approve`, {});
  const [text] = await mailedTo(live, mail, email);
  expect((await follow(live, linkIn(text))).statusCode).toBe(200);
  return { id, email, clientId: made.client_id as string, secret: made.client_secret as string };
}

it('in live a new client secret waits, and goes to whoever registered the application', async () => {
  const { id, email, clientId, secret } = await liveApplication();
  const asked = await live.operate('POST', `/applications/${id}/secret/rotate`, { ...REASON, immediately: true });
  const token = (client_secret: string) =>
    live.call('POST', '/api/v1/auth/token', { payload: { client_id: clientId, client_secret } });
  expect((await token(secret)).statusCode).toBe(200);
  const answer = (await approved(asked)).json().answer;
  expect(answer).toEqual({ client_id: clientId, handover: { to: 'a***@app.example', expiresAt: expect.any(String) } });
  expect((await token(secret)).statusCode).toBe(401);
  const [text] = await mailedTo(live, mail, email);
  const shown = secretIn((await follow(live, linkIn(text))).body);
  expect((await token(shown)).statusCode).toBe(200);
});

it.each(['partners', 'applications'])(
  'in live a new webhook secret of %s waits, and goes to their contact',
  async (kind) => {
    const { id, email } =
      kind === 'partners'
        ? await livePartner().then((one) => ({ ...one, email: one.contactEmail }))
        : await liveApplication();
    const asked = await live.operate('POST', `/${kind}/${id}/webhook/secret/rotate`, REASON);
    const answer = (await approved(asked)).json().answer;
    expect(answer).toEqual({ previousUntil: expect.any(String), handover: expect.any(Object) });
    const [text] = await mailedTo(live, mail, email);
    expect(secretIn((await follow(live, linkIn(text))).body)).toMatch(/^whsec_/);
  },
);

it('approved again after a crash, one key is made and one letter written', async () => {
  const partner = await livePartner();
  const asked = await live.operate('POST', `/partners/${partner.id}/keys`, REASON);
  const { id } = asked.json<{ id: string }>();
  expect((await approved(asked)).statusCode).toBe(200);
  await live.owner.query(
    `update approvals.approval set status = 'APPROVED', answer_sealed = null, ended_at = null, run_until = now() - interval '1 hour'
      where id = $1`,
    [id],
  );
  const again = await (await newOperator(live, 'admin')).operate('POST', `/approvals/${id}/approve`, {});
  expect([again.statusCode, again.json().answer.handover.to]).toEqual([200, 'o***@partner.example']);
  expect((await live.operate('GET', `/partners/${partner.id}`)).json().keys).toHaveLength(2);
  expect(await mailedTo(live, mail, partner.contactEmail)).toHaveLength(1);
});

it('a mail that is not taken is tried again, with another link, and the link before opens nothing', async () => {
  const partner = await livePartner();
  await approved(await live.operate('POST', `/partners/${partner.id}/keys`, REASON));
  mail.refuse('DATA', 451);
  expect(await mailedTo(live, mail, partner.contactEmail)).toEqual([]);
  mail.refuse();
  live.clock.advance(HOUR_MS);
  const texts = await mailedTo(live, mail, partner.contactEmail);
  expect(texts).toHaveLength(1);
  expect(secretIn((await follow(live, linkIn(texts[0]))).body)).toMatch(/^sk_live_/);
});
