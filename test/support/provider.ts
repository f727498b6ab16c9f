import { afterAll, beforeAll, expect } from 'vitest';
import { type ProviderClient, providerClient } from '../../src/providers/http-client.ts';
import { type Receiver, useReceiver } from './receiver.ts';

/** A stand-in for a provider, and the client that speaks with it. */
export interface StandIn {
  readonly receiver: Receiver;
  /** Where it is. */
  readonly origin: string;
  readonly client: ProviderClient;
  /** The parameters of the query of each request so far. */
  readonly queries: readonly Record<string, string>[];
}

/** Whoever says nothing is waited for so long, and whoever answers has it, also on a slow machine. */
export const PROVIDER_TIMEOUT_MS = 4_000;

export function useStandIn(): StandIn {
  const receiver = useReceiver();
  let client: ProviderClient | undefined;
  const origin = () => new URL(receiver.url).origin;
  beforeAll(() => {
    client = providerClient({ origin: origin(), timeoutMs: PROVIDER_TIMEOUT_MS });
  });
  afterAll(() => client?.close());
  return {
    receiver,
    get origin() {
      return origin();
    },
    get client() {
      if (client === undefined) throw new Error('the client lives from beforeAll to afterAll');
      return client;
    },
    get queries() {
      return receiver.requests.map(({ path }) => Object.fromEntries(new URL(path, 'http://x').searchParams));
    },
  };
}

/** What `asked` fails with, once it is sure that nothing a log would show of it holds any of these words. */
export async function failureOf(asked: Promise<unknown>, secrets: readonly string[]): Promise<Error> {
  const error: unknown = await asked.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Error)) throw new Error('it did not fail');
  for (let each: unknown = error; each instanceof Error; each = each.cause) {
    const shown = `${each.message} ${each.stack}`;
    expect(secrets.filter((secret) => shown.includes(secret))).toEqual([]);
  }
  return error;
}
