import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import * as fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { listenLocally } from '../../../src/embedded/port.ts';
import { type Email, EmailProviderDown, EmailRefused } from '../../../src/providers/email/port.ts';
import { type SmtpOptions, smtpEmail } from '../../../src/providers/email/smtp.ts';
import { providerClient } from '../../../src/providers/http-client.ts';
import { MessagingProviderDown } from '../../../src/providers/messaging/port.ts';
import { termiiPhone } from '../../../src/providers/messaging/termii.ts';
import { repetitions } from '../../support/cases.ts';
import { type MailServer, useMailServer } from '../../support/mail-server.ts';
import { ownPort } from '../../support/process.ts';
import { failureOf, termii, useless, useStandIn } from '../../support/provider.ts';

describe('SMTP', () => {
  const FROM = 'PayTag <no-reply@paytag.example>';
  const account = { user: 'mailer@paytag.example', password: 'p@ss/word:of%it' };
  const server = useMailServer({ account });
  const implicit = useMailServer({ secure: true, account });
  const plain = useMailServer({ lacksStarttls: true, account });

  const mailer = (to: MailServer, given: Partial<SmtpOptions> = {}) =>
    smtpEmail({ url: to.url, ca: to.ca, tls: 'required', from: FROM, timeoutMs: 60_000, ...given });
  const hello: Email = { to: 'ada@example.com', subject: 'Hello', text: 'Hello, Ada.' };

  /** What a send fails with. It tells neither who we are at the mail server nor whom the message is for. */
  const failure = (sent: Promise<void>) => failureOf(sent, [account.user, account.password, 'ada@', 'refused.']);

  beforeEach(() => server.refuse());

  describe('a message', () => {
    it('comes as it was written, over TLS, by who logged in', async () => {
      const content = Buffer.from(Array.from({ length: 70_000 }, (_, index) => (index * 7) % 256));
      await mailer(server).send({
        to: 'ada.statement@example.com',
        subject: 'Your statement, ₦1,500 paid',
        text: 'Dear Adaobí,\n.\nit is attached.',
        html: '<p>Dear Adaobí</p>',
        attachments: [{ filename: 'statement – May.pdf', contentType: 'application/pdf', content }],
      });
      const { mail, ...envelope } = await server.waitFor('ada.statement@example.com');
      expect(envelope).toEqual({
        from: 'no-reply@paytag.example',
        to: ['ada.statement@example.com'],
        isSecure: true,
        user: account.user,
      });
      expect(mail.from).toMatchObject({ name: 'PayTag', address: 'no-reply@paytag.example' });
      expect(mail.to).toMatchObject([{ address: 'ada.statement@example.com' }]);
      expect(mail.subject).toBe('Your statement, ₦1,500 paid');
      expect(mail.text?.trim()).toBe('Dear Adaobí,\n.\nit is attached.');
      expect(mail.html?.trim()).toBe('<p>Dear Adaobí</p>');
      expect(mail.attachments).toHaveLength(1);
      expect(mail.attachments[0]).toMatchObject({ filename: 'statement – May.pdf', mimeType: 'application/pdf' });
      expect(Buffer.from(mail.attachments[0]?.content as ArrayBuffer).equals(content)).toBe(true);
    });

    it('goes by TLS from the first byte where the URL says smtps', async () => {
      await mailer(implicit).send(hello);
      expect((await implicit.waitFor(hello.to)).isSecure).toBe(true);
    });

    it('goes in the clear where the configuration says so, and only there', async () => {
      const error = await failure(mailer(plain).send(hello));
      expect(error).toBeInstanceOf(EmailProviderDown);
      expect(plain.logins).toEqual([]);
      await mailer(plain, { tls: 'none' }).send(hello);
      expect((await plain.waitFor(hello.to)).isSecure).toBe(false);
    });
  });

  describe('a mail server', () => {
    it('whose certificate nobody vouches for gets neither password nor message', async () => {
      for (const untrusted of [server, implicit]) {
        const before = untrusted.logins.length;
        expect(await failure(mailer(untrusted, { ca: undefined }).send(hello))).toBeInstanceOf(EmailProviderDown);
        expect(untrusted.logins).toHaveLength(before);
      }
    });

    it('that refuses our login is down, and the error tells neither user nor password', async () => {
      const url = server.url.replace(encodeURIComponent(account.password), 'wrong-password');
      const error = await failure(mailer(server, { url }).send(hello));
      expect(error).toBeInstanceOf(EmailProviderDown);
      expect(error.message).toBe('the mail server did not take the message: EAUTH 535 AUTH PLAIN');
    });

    it.each([
      ['RCPT', 550, EmailRefused],
      ['DATA', 552, EmailRefused],
      ['RCPT', 451, EmailProviderDown],
      ['DATA', 451, EmailProviderDown],
      ['MAIL', 553, EmailProviderDown],
      ['MAIL', 421, EmailProviderDown],
    ] as const)(
      'that refuses %s with %i: whether it is for ever is told, and no address is',
      async (at, code, kind) => {
        const to = `refused.${at}.${code}@example.com`;
        server.refuse(at, code);
        const error = await failure(mailer(server).send({ ...hello, to }));
        expect(error).toBeInstanceOf(kind);
        expect(error.message).toContain(String(code));
        expect(error instanceof EmailProviderDown && error.mayHaveSent).toBe(false);
        server.refuse();
        await mailer(server).send({ ...hello, to });
        expect(await server.waitFor(to)).toBeDefined();
      },
    );

    it.each([
      ['says nothing', () => {}],
      ['greets with something else', (socket: Socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
      ['hangs up', (socket: Socket) => socket.destroy()],
    ])('that %s is down, within the time', async (_, greet) => {
      const stranger = createServer((socket) => {
        socket.on('error', () => {});
        greet(socket);
      });
      const port = await listenLocally(stranger);
      const url = `smtp://127.0.0.1:${port}`;
      expect(await failure(mailer(server, { url, timeoutMs: 300 }).send(hello))).toBeInstanceOf(EmailProviderDown);
      const closed = once(stranger, 'close');
      stranger.close();
      await closed;
    });

    it('that is not there is down', async () => {
      const url = `smtp://127.0.0.1:${await ownPort()}`;
      const error = await failure(mailer(server, { url }).send(hello));
      expect(error).toBeInstanceOf(EmailProviderDown);
      expect(error).toMatchObject({ mayHaveSent: false });
    });

    it('that says nothing after the whole message may have taken it', async () => {
      const replies: Record<string, string> = { DATA: '354 go on', QUIT: '221 bye' };
      const forgetful = createServer((socket) => {
        socket.on('error', () => {});
        socket.write('220 here\r\n');
        socket.on('data', (said) => {
          const [command = ''] = String(said).split(/[ \r]/);
          if (/^(EHLO|MAIL|RCPT|DATA|QUIT)$/.test(command)) socket.write(`${replies[command] ?? '250 ok'}\r\n`);
        });
      });
      const url = `smtp://127.0.0.1:${await listenLocally(forgetful)}`;
      const error = await failure(mailer(server, { url, tls: 'none', timeoutMs: 4_000 }).send(hello));
      expect(error).toBeInstanceOf(EmailProviderDown);
      expect(error).toMatchObject({ mayHaveSent: true });
      forgetful.close();
    });
  });

  describe('what a client wrote', () => {
    it.each([
      'ada@example.com, eve@example.com',
      'ada@example.com\r\nBcc: eve@example.com',
      'ada@example.com>\r\nRCPT TO:<eve@example.com',
      'Ada <ada@example.com>',
      'ada',
      '',
      'ada@@example.com',
      'a@b\0c.com',
    ])('as the address %j is refused before any mail server hears of it', async (to) => {
      const before = server.logins.length;
      expect(await failure(mailer(server).send({ ...hello, to }))).toBeInstanceOf(EmailRefused);
      expect(server.logins).toHaveLength(before);
    });

    it('as subject or file name makes no header, whatever is in it', async () => {
      let mails = 0;
      const hostile = fc.stringMatching(/^[\r\nA-Za-z:;="@<> \t\u2028éß₦-]{1,60}$/);
      const property = fc.asyncProperty(hostile, hostile, async (subject, filename) => {
        const to = `injected.${++mails}@example.com`;
        const injected = `${subject}\r\nBcc: eve@example.com\r\n\r\nBody`;
        const attachments = [
          { filename: `${filename}\r\nX-Eve: 1`, contentType: 'text/plain', content: Buffer.from('content') },
        ];
        await mailer(server).send({ ...hello, to, subject: injected, attachments });
        const { mail, to: envelope } = await server.waitFor(to);
        expect(envelope).toEqual([to]);
        const allowed = ['content-type', 'date', 'from', 'message-id', 'mime-version', 'subject', 'to'];
        expect(mail.headers.map((header) => header.key).toSorted()).toEqual(allowed);
        expect(mail.text?.trim()).toBe(hello.text);
        expect(mail.attachments).toHaveLength(1);
        expect(Buffer.from(mail.attachments[0]?.content as ArrayBuffer).toString()).toBe('content');
      });
      await fc.assert(property, { numRuns: repetitions({ short: 8, soak: 250 }) });
    });
  });
});

describe('Termii', () => {
  const standIn = useStandIn();
  const { receiver } = standIn;
  const options = {
    apiKey: 'TL_not_to_be_seen',
    senderId: 'PayTag',
    whatsappDevice: 'PayTag device',
    route: 'dnd',
  } as const;
  const message = { channel: 'sms', to: '+2348030009999', text: '482913 is your PayTag code.' } as const;
  const secrets = [options.apiKey, '8030009999', '482913'];
  const phone = (given: Partial<Parameters<typeof termiiPhone>[1]> = {}) =>
    termiiPhone(standIn.client, { ...options, ...given });

  beforeEach(() => receiver.reset());

  describe('the request', () => {
    it.each([
      ['sms', 'dnd', 'dnd', 'PayTag'],
      ['sms', 'generic', 'generic', 'PayTag'],
      ['whatsapp', 'dnd', 'whatsapp', 'PayTag device'],
    ] as const)('by %s over the route %s is the documented one', async (channel, route, sentBy, from) => {
      receiver.answer([termii.sent]);
      await phone({ route }).send({ ...message, channel });
      expect(receiver.requests).toHaveLength(1);
      expect(receiver.requests[0]).toMatchObject({
        method: 'POST',
        path: '/api/sms/send',
        headers: { 'content-type': 'application/json' },
      });
      expect(JSON.parse(String(receiver.requests[0]?.body))).toEqual({
        api_key: options.apiKey,
        to: '2348030009999',
        from,
        sms: message.text,
        type: 'plain',
        channel: sentBy,
      });
    });
  });

  describe('a message', () => {
    it.each(['sent', 'sentAsOnceWas'] as const)('is taken when Termii answers %s', async (reply) => {
      receiver.answer([termii[reply]]);
      await expect(phone().send(message)).resolves.toBeUndefined();
    });

    it.each(['notOk', 'invalidSender', 'insufficientBalance', 'unprocessable'] as const)(
      'is not taken on %s, and the error gives nothing away',
      async (reply) => {
        receiver.answer([termii[reply]]);
        expect(await failureOf(phone().send(message), secrets)).toBeInstanceOf(MessagingProviderDown);
      },
    );

    it.each([...useless, ['breaks the connection', 'drop'] as const])(
      'is not taken by one that %s; it is sent once, and never again by itself',
      async (_, reply) => {
        receiver.answer([reply, termii.sent]);
        expect(await failureOf(phone().send(message), secrets)).toBeInstanceOf(MessagingProviderDown);
        expect(receiver.requests).toHaveLength(1);
      },
    );
  });

  it.each([
    ['says nothing', 'hang', true],
    ['breaks the connection', 'drop', true],
    ['fails', 500, false],
  ] as const)('a message to one that %s may come: %s, %s', async (_, reply, mayHaveSent) => {
    receiver.answer([reply]);
    expect(await failureOf(phone().send(message), secrets)).toMatchObject({ mayHaveSent });
  });

  it('a message to one that is not there never comes', async () => {
    const client = providerClient({ origin: `http://127.0.0.1:${await ownPort()}`, timeoutMs: 60_000 });
    expect(await failureOf(termiiPhone(client, options).send(message), secrets)).toMatchObject({ mayHaveSent: false });
    await client.close();
  });

  it('a code has six digits, and hardly ever comes twice', () => {
    const codes = Array.from({ length: 200 }, () => phone().newCode());
    expect(codes.every((code) => /^\d{6}$/.test(code))).toBe(true);
    expect(new Set(codes).size).toBeGreaterThan(190);
  });
});
