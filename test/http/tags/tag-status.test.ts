import { describe, expect, it } from 'vitest';
import { mayBecome } from '#lib/state-machine.ts';
import { updateStatus } from '../../../src/modules/tags/store.ts';
import { type TagStatus, tagStatuses, tagTransitions } from '../../../src/modules/tags/tag-status.ts';
import { useApp } from '../../support/app.ts';
import { newSide, setTagStatus } from '../../support/switch.ts';

const server = useApp();

const statusOf = async (handle: string) => {
  const { rows } = await server.owner.query<{ id: string; status: TagStatus; closed: boolean }>(
    'select id, status, closed_at is not null as closed from tags.tag where handle = $1',
    [handle],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('there is no such tag');
  return row;
};
const isAllowed = (from: TagStatus, to: TagStatus) => mayBecome(tagTransitions, from, to);

describe('a tag moves where the table says, and nowhere else', () => {
  it.each(tagStatuses.flatMap((from) => tagStatuses.map((to) => [from, to] as const)))(
    'from %s to %s',
    async (from, to) => {
      const { tag } = await newSide(server);
      if (from !== 'ACTIVE') await setTagStatus(server, tag, from);
      const { id, status } = await statusOf(tag);
      expect(status).toBe(from);
      const { db, clock } = server.resources;
      expect(await db.transaction((tx) => updateStatus(tx, id, to, clock.now()))).toBe(isAllowed(from, to));
      const now = isAllowed(from, to) ? to : from;
      expect(await statusOf(tag)).toEqual({ id, status: now, closed: now === 'CLOSED' });
    },
  );
});
