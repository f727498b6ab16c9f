import type { Redis } from 'ioredis';
import { withTimeout } from '#lib/clock.ts';
import { lazyPackage } from '#lib/lazy.ts';
import { type ClosedCounter, type CounterStore, inOrder } from './limit.ts';

const ioredis = lazyPackage<typeof import('ioredis')>('ioredis');

const PREFIX = 'paytag:throttle:';
/** The keys of refusing counters, by when they open again. */
const CLOSED = 'paytag:throttles-closed';
const name = (key: Buffer): string => PREFIX + key.toString('base64url');

/** A call without an answer after this time, or the first without a connection, makes Redis count as down. */
const ANSWER_MS = 500;
const RECONNECT_MAX_MS = 2_000;

/** The same as `store.ts`, on a hash of spent, closed (until), expires (at), name and about. */
const SPEND = `
  local now, cost, points, window = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
  local firstDelay, maxDelay = tonumber(ARGV[5]), tonumber(ARGV[6])
  local held = redis.call('hmget', KEYS[1], 'spent', 'closed', 'expires')
  local spent, closed, expires = tonumber(held[1] or 0), tonumber(held[2] or 0), tonumber(held[3] or 0)
  if expires <= now then spent, closed = 0, 0 end
  if closed > now then return closed - now end
  spent = spent + cost
  if expires <= now or firstDelay > 0 then expires = now + window end
  if spent < points then closed = 0
  elseif firstDelay == 0 then closed = expires
  else closed = now + math.min(firstDelay * 2 ^ math.min(spent - points, 30), maxDelay) end
  redis.call('hset', KEYS[1], 'spent', spent, 'closed', string.format('%.0f', closed), 'expires', string.format('%.0f', expires))
  redis.call('pexpire', KEYS[1], string.format('%.0f', math.max(expires, closed) - now))
  if closed > now and ARGV[7] ~= '' then
    redis.call('hset', KEYS[1], 'name', ARGV[7], 'about', ARGV[8])
    redis.call('zremrangebyscore', KEYS[2], '-inf', now)
    redis.call('zadd', KEYS[2], string.format('%.0f', closed), KEYS[1])
  end
  return 0`;

const GIVE_BACK = `
  local spent = tonumber(redis.call('hget', KEYS[1], 'spent') or 0)
  if spent > 0 then redis.call('hset', KEYS[1], 'spent', math.max(spent - ARGV[1], 0), 'closed', 0) end
  redis.call('zrem', KEYS[2], KEYS[1])
  return 0`;

/** A store with its own connection. */
export interface RedisStore extends CounterStore {
  close(): void;
}

/** Counts in Redis. A call fails at once while Redis is down, and soon when Redis does not answer. */
export function redisStore(url: string): RedisStore {
  const client = new (ioredis().Redis)(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    commandTimeout: ANSWER_MS,
    connectTimeout: 10_000,
    retryStrategy: (times) => Math.min(100 * 2 ** times, RECONNECT_MAX_MS),
  });
  client.on('error', () => undefined); // each failed call reports its own error
  let connecting: Promise<unknown> | undefined;

  async function connected(): Promise<Redis> {
    connecting ??= withTimeout(
      client.connect().catch(() => undefined),
      ANSWER_MS,
    );
    await connecting;
    return client;
  }
  /** Undefined if it has expired, or never refused. */
  async function read(redis: Redis, one: string): Promise<ClosedCounter[]> {
    const [what, about, spent, until] = await redis.hmget(one, 'name', 'about', 'spent', 'closed');
    if (what === null || what === undefined) return [];
    const key = Buffer.from(one.slice(PREFIX.length), 'base64url');
    return [{ key, name: what, about: about || undefined, spent: Number(spent), until: new Date(Number(until)) }];
  }
  return {
    async spend(key, { points, windowMs, firstDelayMs, maxDelayMs, ...what }, cost, nowMs) {
      const redis = await connected();
      const limit = [nowMs, cost, points, windowMs, firstDelayMs, maxDelayMs, what.name ?? '', what.about ?? ''];
      return Number(await redis.eval(SPEND, 2, name(key), CLOSED, ...limit));
    },
    async closedFor(key, nowMs) {
      const redis = await connected();
      const [closed, expires] = await redis.hmget(name(key), 'closed', 'expires');
      return Number(expires ?? 0) > nowMs ? Math.max(0, Number(closed ?? 0) - nowMs) : 0;
    },
    async giveBack(key, cost) {
      const redis = await connected();
      await redis.eval(GIVE_BACK, 2, name(key), CLOSED, cost);
    },
    async reset(key) {
      const redis = await connected();
      await Promise.all([redis.del(name(key)), redis.zrem(CLOSED, name(key))]);
    },
    async closed(nowMs, max, behind) {
      const redis = await connected();
      const from = behind?.until.getTime() ?? '+inf';
      const names = await redis.zrange(CLOSED, from, `(${nowMs}`, 'BYSCORE', 'REV', 'LIMIT', 0, max);
      const found = (await Promise.all(names.map((one) => read(redis, one)))).flat();
      return found.filter((one) => behind === undefined || inOrder(behind, one) < 0).toSorted(inOrder);
    },
    async countClosed(nowMs) {
      return (await connected()).zcount(CLOSED, `(${nowMs}`, '+inf');
    },
    async findClosed(key, nowMs) {
      const [found] = await read(await connected(), name(key));
      return found !== undefined && found.until.getTime() > nowMs ? found : undefined;
    },
    close: () => client.disconnect(),
  };
}
