import { describe, expect, it } from 'vitest';
import { pauseReceiver, resumeReceiver } from '#modules/webhooks';
import { useApp } from '../../support/app.ts';

const server = useApp();
const pause = (ownerId: string) => server.operate('POST', `/receivers/${ownerId}/pause`, { reason: 'broken' });

describe('an owner', () => {
  const owner = (ownerId: string) => ({ actor: 'partner', by: 'OWNER', ownerId }) as const;

  it('ends its own pause', async () => {
    const { id } = await server.newPartner();
    await pauseReceiver(server.resources, { ...owner(id), reason: 'ours' });
    expect(await resumeReceiver(server.resources, owner(id))).toMatchObject({ status: 'ACTIVE', pausedBy: null });
  });

  it('does not end what an operator began, nor take its place', async () => {
    const { id } = await server.newPartner();
    await pauseReceiver(server.resources, { ...owner(id), reason: 'ours' });
    await pause(id);
    expect(await pauseReceiver(server.resources, { ...owner(id), reason: 'ours again' })).toMatchObject({
      pausedBy: 'OPERATOR',
      pauseReason: 'broken',
    });
    await expect(resumeReceiver(server.resources, owner(id))).rejects.toMatchObject({
      code: 'RECEIVER_PAUSED_BY_OPERATOR',
    });
  });
});
