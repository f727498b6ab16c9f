import { randomUUID } from 'node:crypto';
import { clientOf, type RemotePartner, remotePartner } from '../support/client.ts';
import type { Receiver } from '../support/receiver.ts';
import type { ServedHere } from '../support/served.ts';

const CALLERS = 4;
const FLOAT = 1_000_000;

/** A partner for each receiver, with a wallet: whatever happens to it is told. */
export interface EventProducer {
  readonly partners: readonly RemotePartner[];
  /**
   * Credits the wallets in turn, a few at once, `count` times in all. A call that fails is left: what was committed is
   * what the outbox holds. Resolves to how many were answered with 200.
   */
  credit(count: number): Promise<number>;
}

export async function startEventProducer(
  api: Pick<ServedHere, 'url'>,
  receivers: readonly Receiver[],
): Promise<EventProducer> {
  const call = clientOf(api.url);
  const partners: (RemotePartner & { headers: Record<string, string>; wallet: string })[] = [];
  for (const [index, { url }] of receivers.entries()) {
    const partner = await remotePartner(call, { name: `Partner ${index}`, webhookUrl: url, float: FLOAT });
    const json = { kyc: { firstName: 'Chidi', lastName: 'Okafor' } };
    const { body } = await call<{ Reference: string }>('POST', '/v2/partner/wallet', {
      headers: partner.headers,
      json,
    });
    partners.push({ ...partner, wallet: body.Reference });
  }
  let turn = 0;
  async function creditNext(): Promise<boolean> {
    const partner = partners[turn++ % partners.length];
    const answer = call('POST', `/v2/partner/wallet/${partner?.wallet}/credit`, {
      headers: partner?.headers ?? {},
      json: { amount: 1, reference: randomUUID() },
    });
    return answer.then(
      ({ status }) => status === 200,
      () => false,
    );
  }
  return {
    partners,
    async credit(count) {
      let left = count;
      let made = 0;
      const caller = async () => {
        while (left-- > 0) if (await creditNext()) made += 1;
      };
      await Promise.all(Array.from({ length: CALLERS }, caller));
      return made;
    },
  };
}
