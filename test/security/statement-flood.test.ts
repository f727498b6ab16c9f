import { expect, it } from 'vitest';
import { collectGarbage } from '#lib/collect-garbage.ts';
import { openStatement } from '#modules/statements';
import { useApp } from '../support/app.ts';
import { type LoggedIn, loggedIn } from '../support/wallets.ts';

const server = useApp();

/** Fetches the statement of a link, and leaves it unread: it is being written until it is destroyed. */
async function open({ headers }: LoggedIn): Promise<Awaited<ReturnType<typeof openStatement>>> {
  const asked = await server.call('POST', '/v2/sso/transaction/statement', { headers });
  const token = new URL(asked.json<{ url: string }>().url).pathname.split('/').at(-1) ?? '';
  return openStatement(server.resources, token);
}

it('V15.2.2: whoever fetches statements of one wallet again and again leaves room for those of others', async () => {
  const partner = await server.newPartner();
  const [flooder, other] = [await loggedIn(server, partner), await loggedIn(server, partner)];
  const held = [await open(flooder), await open(flooder)];
  await expect(open(flooder)).rejects.toMatchObject({ code: 'BUSY', retryAfterS: 2 });
  held.push(await open(other));
  for (const { body } of held) body.destroy();
  await Promise.all(
    held.map(async ({ body }) => body.closed || (await new Promise((done) => body.once('close', done)))),
  );
  (await open(flooder)).body.destroy();
});

it('a document that was read is kept no longer, however many are read in a minute', async () => {
  const { headers } = await loggedIn(server, await server.newPartner());
  const read = async (documents: number): Promise<number> => {
    for (let count = 0; count < documents; count += 1) {
      const asked = await server.call('POST', '/v2/sso/transaction/statement', { headers });
      const { pathname } = new URL(asked.json<{ url: string }>().url);
      expect((await server.call('GET', pathname)).statusCode).toBe(200);
    }
    await collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const before = await read(3);
  expect((await read(10)) - before).toBeLessThan(10 * 2 ** 20); // of each, more than two megabytes
});
