import { wire } from '../load/load.ts';
import type { Row } from '../table.ts';
import type { World } from '../world/world.ts';
import { besideBare } from './beside-bare.ts';

interface Read {
  readonly name: string;
  /** Whole requests, to be sent by turns. */
  readonly requests: readonly string[];
  /** What the ceiling reads for it: one row, or a page of rows. */
  readonly ceiling: 'one' | 'page';
}

/** The reads that callers make all day. */
export function readsOf({ partners, customers, applications }: World): Read[] {
  const [{ headers, wallets }] = partners;
  const get = (path: string, given: Record<string, string> = headers) => wire('GET', path, given);
  // of the credits that filled it, on whatever set of rows
  const references = wallets.map(({ reference }) => `${reference}-1`);
  const ofWallets = (rest = '') => wallets.map(({ reference }) => get(`/v2/partner/wallet/${reference}${rest}`));
  const ofCustomers = (rest: string) => customers.map((one) => get(`/v2/sso/wallet${rest}`, one.headers));
  return [
    { name: 'partner wallet', requests: ofWallets(), ceiling: 'one' },
    { name: 'partner float', requests: [get('/v2/partner/float')], ceiling: 'one' },
    {
      name: 'partner transaction',
      requests: references.map((one) => get(`/v2/partner/transaction/${one}`)),
      ceiling: 'one',
    },
    { name: 'partner wallet history', requests: ofWallets('/history'), ceiling: 'page' },
    { name: 'partner deliveries', requests: [get('/v2/partner/webhook/deliveries')], ceiling: 'page' },
    { name: 'SSO wallet', requests: ofCustomers(''), ceiling: 'one' },
    { name: 'SSO wallet limit', requests: ofCustomers('/limit'), ceiling: 'one' },
    {
      name: 'switch pending',
      requests: applications.map(({ headers: of }) => get('/api/v1/transactions/pending', of)),
      ceiling: 'page',
    },
    {
      name: 'switch claims',
      requests: applications.map(({ tag, headers: of }) => get(`/api/v1/tags/${tag}/claims`, of)),
      ceiling: 'one',
    },
  ];
}

/** Each read, as a share of a bare route with one prepared read of as many rows. */
export const reads = (world: World, seconds: number, isWanted: (what: string) => boolean): AsyncGenerator<Row> =>
  besideBare(world, seconds, isWanted, () =>
    readsOf(world).map(({ name, requests, ceiling }) => ({
      what: `GET ${name}`,
      ours: requests,
      ceiling,
      atLeast: 0.5,
    })),
  );
