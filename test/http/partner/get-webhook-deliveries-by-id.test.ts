import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import { partnersWithFailures, seeDeliveries } from '../../support/deliveries.ts';

const server = useSharedApp();

describe('200', () => {
  it('with each attempt', async () => {
    const { partner } = await partnersWithFailures(server);
    const [{ id }] = (await seeDeliveries(server, partner)).json().items;
    const answer = await seeDeliveries(server, partner, `/${id}`);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ id, attempts: [{ number: 1, error: 'status 500', durationMs: 1 }] });
  });
});
