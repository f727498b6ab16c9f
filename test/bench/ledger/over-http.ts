import { Pool as HttpPool } from 'undici';
import { randomId } from '#lib/random.ts';
import { clientOf, remotePartner } from '../../support/client.ts';
import { serverEnv, startServer } from '../../support/process.ts';
import { throughput } from '../table.ts';

const CONNECTIONS = 64;
const WALLETS = 200;
const PARTNERS = 20;

/** Credits a second through the real server process: spread over many partners, and all from one partner's float. */
export async function overHttp(databaseUrl: string, count: number): Promise<{ spread: number; hot: number }> {
  const server = await startServer({ ...serverEnv(databaseUrl), ROLE: 'api', LOG_LEVEL: 'warn' });
  const http = new HttpPool(server.url, { connections: CONNECTIONS, pipelining: 1 });
  try {
    const call = clientOf(server.url);
    const partners: { headers: Record<string, string>; wallets: string[] }[] = [];
    for (let index = 0; index < PARTNERS; index++) {
      const { headers } = await remotePartner(call, { name: `Bench ${index}`, float: 9_000_000 });
      const wallets: string[] = [];
      for (let one = 0; one < WALLETS / PARTNERS; one++) {
        const json = { kyc: { firstName: 'Chidi', lastName: 'Okafor' } };
        wallets.push(
          (await call<{ Reference: string }>('POST', '/v2/partner/wallet', { headers, json })).body.Reference,
        );
      }
      partners.push({ headers, wallets });
    }
    let turn = 0;
    const credit = async (hot: boolean) => {
      turn += 1;
      const partner = partners[hot ? 0 : turn % partners.length];
      const { statusCode, body } = await http.request({
        method: 'POST',
        path: `/v2/partner/wallet/${partner?.wallets[turn % partner.wallets.length]}/credit`,
        headers: { ...partner?.headers, 'content-type': 'application/json' },
        body: JSON.stringify({ amount: 1.5, reference: randomId() }),
      });
      const text = await body.text();
      if (statusCode !== 200) throw new Error(`a credit answered ${statusCode}: ${text} ${server.stdout.slice(-3000)}`);
    };
    await throughput(count / 4, CONNECTIONS, () => credit(false)); // warm-up
    const spread = await throughput(count, CONNECTIONS, () => credit(false));
    const hot = await throughput(count, CONNECTIONS, () => credit(true));
    return { spread, hot };
  } finally {
    await http.close();
    await server.stop();
  }
}
