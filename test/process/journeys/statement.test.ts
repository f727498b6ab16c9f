import { expect, it } from 'vitest';
import { clientOf, remoteCustomer, remotePartner } from '../../support/client.ts';
import { useDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { useMailServer } from '../../support/mail-server.ts';
import { serverEnv } from '../../support/process.ts';
import { serveHere } from '../../support/served.ts';
import { readPdf } from '../../support/statements.ts';

const database = useDatabase();
const mailServer = useMailServer({ lacksStarttls: true });

it('a statement asked for while no worker runs is made ready by the next one, mailed, and read', async () => {
  const env = {
    ...serverEnv(database.url),
    EMAIL_PROVIDER: 'smtp',
    EMAIL_FROM: 'PayTag <no-reply@example.com>',
    EMAIL_SMTP_TLS: 'none',
    EMAIL_SMTP_URL: mailServer.url,
  };
  const api = await serveHere({ ...env, ROLE: 'api' });
  const call = clientOf(api.url);
  const partner = await remotePartner(call, { name: 'Acme', float: 100 });
  const names = { paytag: 'ada', bvn: '22212345678', firstName: 'Ada' };
  const person = { ...names, phone: '08031234567', email: 'ada@example.com' };
  const ada = await remoteCustomer(call, partner, person);
  const money = { amount: 75.5, reference: 'salary' };
  await call('POST', `/v2/partner/wallet/${ada.wallet}/credit`, { headers: partner.headers, json: money });
  const asked = await call<{ reference: string }>('POST', '/v2/sso/transaction/statement', {
    headers: { ...ada.headers, prefer: 'respond-async' },
  });
  expect(asked.status).toBe(202);
  const path = `/v2/sso/transaction/statement/${asked.body.reference}`;
  expect((await call('GET', path, { headers: ada.headers })).body).toMatchObject({ status: 'Pending' });

  const worker = await serveHere({ ...env, ROLE: 'worker', PUBLIC_URL: api.url });
  const { mail } = await mailServer.waitFor('ada@example.com');
  const ready = await eventually(async () => {
    const { body } = await call('GET', path, { headers: ada.headers });
    expect(body).toMatchObject({ status: 'Ready', mailedAt: expect.any(String) });
    return body;
  });
  expect(ready).toHaveProperty('url');
  const link = /http:\S+\/statements\/\S+/.exec(mail.text ?? '')?.[0] ?? '';
  const document = await fetch(link);
  const { pages } = await readPdf(Buffer.from(await document.arrayBuffer()));
  expect(pages).toHaveLength(1);
  expect(pages[0]).toContain('Closing balance ₦75.50');
  await Promise.all([worker.stop(), api.stop()]);
  const token = link.split('/statements/')[1] ?? '';
  expect(api.stdout + worker.stdout).not.toContain(token);
  expect(api.stdout + worker.stdout).not.toContain('ada@example.com');
});
