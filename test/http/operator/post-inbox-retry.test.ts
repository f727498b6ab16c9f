import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { unknownPayment } from '../../support/inbound.ts';

const server = useApp();
const retry = (id: string) => server.operate('POST', `/inbox/${id}/retry`, { reason: 'the account is known now' });

describe('200', () => {
  it('has it tried again at once, from the first interval on', async () => {
    const id = await unknownPayment(server);
    expect((await retry(id)).json()).toMatchObject({ id, state: 'RECEIVED', attempts: 0 });
  });
});
