import { describe, expect, it } from 'vitest';
import { prepareStatements } from '#modules/statements';
import { cleanUp } from '../../../src/worker/start-worker.ts';
import { useApp } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import { useMailServer } from '../../support/mail-server.ts';
import { completeReset, validatedReset } from '../../support/onboarding.ts';
import { type LoggedIn, loggedIn, logInAt } from '../../support/wallets.ts';

describe('prepare statements', () => {
  const PUBLIC_URL = 'https://pay.example.com';
  const mailServer = useMailServer({ lacksStarttls: true });
  const server = useApp({
    PUBLIC_URL,
    EMAIL_PROVIDER: 'smtp',
    EMAIL_FROM: 'PayTag <no-reply@example.com>',
    EMAIL_SMTP_TLS: 'none',
    get EMAIL_SMTP_URL() {
      return mailServer.url;
    },
  });
  const MINUTE_MS = 60_000;

  const newCustomer = async () => loggedIn(server, await server.newPartner({ float: 100 }), 50);
  const read = async ({ headers }: LoggedIn, reference: string) =>
    (await server.call('GET', `/v2/sso/transaction/statement/${reference}`, { headers })).json();
  async function request({ headers }: LoggedIn): Promise<string> {
    const answer = await server.call('POST', '/v2/sso/transaction/statement', {
      headers: { ...headers, prefer: 'respond-async' },
    });
    return answer.json<{ reference: string }>().reference;
  }
  const mailsTo = ({ email }: LoggedIn) => mailServer.received.filter(({ to }) => to.includes(email));

  describe('a statement left to a worker', () => {
    it('is Ready when it ties, and mailed once as a link that works for a day', async () => {
      const ada = await newCustomer();
      const reference = await request(ada);
      expect(await read(ada, reference)).toMatchObject({ reference, status: 'Pending' });
      await prepareStatements(server.resources);
      await prepareStatements(server.resources);
      expect(await read(ada, reference)).toMatchObject({ status: 'Ready', mailedAt: expect.any(String) });

      const mails = mailsTo(ada);
      expect(mails).toHaveLength(1);
      const { subject, text = '' } = mails[0]?.mail ?? {};
      expect(subject).toMatch(/^Your PayTag statement, \d\d \w{3} \d{4} to \d\d \w{3} \d{4}, \d\d:\d\d$/);
      expect(text).not.toContain('50.00');
      const link = /https:\/\/pay\.example\.com(\/statements\/\S+)/.exec(text)?.[1] ?? '';
      server.clock.advance(23 * 60 * MINUTE_MS);
      expect((await server.call('GET', link)).statusCode).toBe(200);
      server.clock.advance(60 * MINUTE_MS);
      expect((await server.call('GET', link)).statusCode).toBe(410);
    });

    it('is mailed as a link that outlives a log out, and ends with all sessions: it is not mailed after that', async () => {
      const ada = await newCustomer();
      await request(ada);
      await prepareStatements(server.resources);
      const link = /(\/statements\/\S+)/.exec(mailsTo(ada)[0]?.mail?.text ?? '')?.[1] ?? '';
      await server.call('DELETE', '/v2/sso/token', { headers: ada.headers });
      expect((await server.call('GET', link)).statusCode).toBe(200);
      const again = await logInAt(server, ada.partner, ada);
      await request(again);
      await completeReset(server, ada.partner, await validatedReset(server, ada.partner, ada.paytag));
      await prepareStatements(server.resources);
      expect((await server.call('GET', link)).statusCode).toBe(410);
      expect(mailsTo(ada)).toHaveLength(1);
    });

    it('whose worker died is taken up again when its lease has expired, and not before', async () => {
      const ada = await newCustomer();
      const reference = await request(ada);
      void prepareStatements({ ...server.resources, email: { send: () => new Promise(() => {}) } });
      await eventually(async () => expect(await read(ada, reference)).toMatchObject({ status: 'Ready' }));
      await prepareStatements(server.resources);
      expect(mailsTo(ada)).toHaveLength(0);
      server.clock.advance(2 * MINUTE_MS);
      await prepareStatements(server.resources);
      expect(mailsTo(ada)).toHaveLength(1);
    });

    it('that kills its worker each time is given up after ten, without an eleventh', async () => {
      const ada = await newCustomer();
      const reference = await request(ada);
      await server.owner.query('update statements.requested set attempts = 10 where reference = $1', [reference]);
      await prepareStatements(server.resources);
      expect(await read(ada, reference)).toMatchObject({ status: 'Failed' });
      expect(mailsTo(ada)).toHaveLength(0);
    });

    it('is Ready and mailed later where the mail server is down, and never mailed where it refuses for good', async () => {
      const [ada, bola] = [await newCustomer(), await newCustomer()];
      const late = await request(ada);
      mailServer.refuse('RCPT', 451);
      await prepareStatements(server.resources);
      const waiting = await read(ada, late);
      expect(waiting).toMatchObject({ status: 'Ready', url: expect.any(String) });
      expect(waiting).not.toHaveProperty('mailedAt');
      mailServer.refuse('RCPT', 550);
      const never = await request(bola);
      await prepareStatements(server.resources);
      mailServer.refuse();
      server.clock.advance(2 * MINUTE_MS);
      await prepareStatements(server.resources);
      expect(mailsTo(ada)).toHaveLength(1);
      expect(mailsTo(bola)).toHaveLength(0);
      expect(await read(bola, never)).toMatchObject({ status: 'Ready' });
      expect(server.logged).not.toContain(bola.email);
    });

    it('is taken up again later when reading it takes too long', async () => {
      const ada = await newCustomer();
      const reference = await request(ada);
      const locker = await server.owner.connect();
      await locker.query('begin; lock table ledger.transaction in access exclusive mode');
      const preparing = prepareStatements(server.resources);
      await eventually(async () => {
        const { rowCount } = await server.owner.query(
          `select from pg_stat_activity, pg_cancel_backend(pid)
          where datname = current_database() and application_name = 'paytag-reads' and wait_event_type = 'Lock'`,
        );
        expect(rowCount).toBe(1);
      });
      await preparing;
      await locker.query('rollback');
      locker.release();
      expect(await read(ada, reference)).toMatchObject({ status: 'Pending' });
      server.clock.advance(MINUTE_MS);
      await prepareStatements(server.resources);
      expect(await read(ada, reference)).toMatchObject({ status: 'Ready' });
    });

    it('is made ready by one of several workers at once', async () => {
      const ada = await newCustomer();
      const references = await Promise.all(Array.from({ length: 9 }, () => request(ada)));
      await Promise.all(Array.from({ length: 4 }, () => prepareStatements(server.resources)));
      for (const reference of references) expect(await read(ada, reference)).toMatchObject({ status: 'Ready' });
      expect(mailsTo(ada)).toHaveLength(9);
    });

    it('that does not tie has Failed, and no link is given out', async () => {
      const ada = await newCustomer();
      const reference = await request(ada);
      const { owner: pool } = server;
      await pool.query(`begin; set local session_replication_role = replica;
      update ledger.entry set closing = closing + 1, opening = opening + 1; commit`);
      await prepareStatements(server.resources);
      await pool.query(`begin; set local session_replication_role = replica;
      update ledger.entry set closing = closing - 1, opening = opening - 1; commit`);
      const failed = await read(ada, reference);
      expect(failed).toMatchObject({ status: 'Failed' });
      expect(failed).not.toHaveProperty('url');
      expect(mailsTo(ada)).toHaveLength(0);
    });

    it('is forgotten after thirty days', async () => {
      const ada = await newCustomer();
      await request(ada);
      const count = async () => (await server.owner.query('select from statements.requested')).rowCount;
      await cleanUp(server.resources);
      expect(await count()).toBeGreaterThan(0);
      server.clock.advance(31 * 24 * 60 * MINUTE_MS);
      await cleanUp(server.resources);
      expect(await count()).toBe(0);
    });
  });
});
