import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import { newApplication } from '../../support/application.ts';
import { auditOf } from '../../support/audit.ts';
import { moveTag, newTag } from '../../support/tags.ts';

const server = useSharedApp();
const suspend = (tag: string, body?: object) => moveTag(server, tag, 'suspend', body);
const ownedTag = async () => newTag(server, await newApplication(server));
const auditOfTag = async (tag: string) => auditOf(server, (await server.operate('GET', `/tags/${tag}`)).json().id);

describe('200', () => {
  it('suspends it for everybody, and is audited with its reason', async () => {
    const tag = await ownedTag();
    const answer = await suspend(tag, { reason: 'a complaint' });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ tagString: tag, status: 'SUSPENDED' });
    const resolved = (await server.call('GET', `/api/v1/tags/${tag}`)).json();
    expect(resolved.data).toMatchObject({ status: 'SUSPENDED', activeClaims: [] });
    expect(resolved.data).not.toHaveProperty('canonicalOwner');
    expect(await auditOfTag(tag)).toEqual([
      {
        actor: 'operator:root',
        action: 'tag.suspend',
        before: { status: 'ACTIVE', handle: tag },
        after: { status: 'SUSPENDED' },
        reason: 'a complaint',
      },
    ]);
  });
});
