import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { PASSWORD } from '../../support/client.ts';
import { compare, during } from '../compare.ts';
import { wire } from '../load/load.ts';
import type { Row } from '../table.ts';
import type { World } from '../world/world.ts';
import { besideLoad } from './neighbours.ts';

/** All of them may wait. */
const CONNECTIONS = 32;
const FLOOD = 64;
/** As `modules/customers/passwords.ts` hashes, with as many at once. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const hashesAtOnce = Math.max(1, Math.min(availableParallelism() - 1, 3));

/** Logins as a share of the hashes alone, and what else is answered while many logins wait. */
export async function* logins(world: World, seconds: number, isWanted: (what: string) => boolean): AsyncGenerator<Row> {
  const { load, server, customers, partners } = world;
  const [{ headers }] = partners;
  const requests = customers.map(({ paytag }) =>
    wire('POST', '/v2/sso/auth-code?scope=profile', headers, { paytag, password: PASSWORD }),
  );
  const what = 'POST auth-code';
  if (isWanted(what)) {
    const passwordHash = await hash(PASSWORD, cost);
    const measured = await compare(
      seconds,
      (ms) => load.run({ port: server.port, connections: CONNECTIONS, ms, requests }),
      (ms) => during(ms, hashesAtOnce, () => verify(passwordHash, PASSWORD)),
    );
    yield { what, ...measured, rssMb: await world.residentMb(), target: { atLeast: 0.85 } };
  }
  const beside = `GET partner wallet beside ${FLOOD} logins`;
  if (!isWanted(beside)) return;
  const other = partners[1] ?? partners[0];
  const reads = other.wallets.map(({ reference }) => wire('GET', `/v2/partner/wallet/${reference}`, other.headers));
  const measured = await besideLoad(seconds, { world, requests: reads }, { connections: FLOOD, requests });
  yield { what: beside, ...measured, rssMb: await world.residentMb(), target: { atMost: 3 } };
}
