import { describe, expect, test } from 'vitest';
import { eventBodies } from '#wire/events.ts';
import { blocksOf, documentAt } from '../../support/documents.ts';

const guide = documentAt('src/docs/webhooks.md');
const shapes: Record<string, { parse: (body: unknown) => unknown }> = eventBodies;

describe('the webhooks guide', () => {
  test.each(blocksOf(guide, 'json'))('shows a body as it is sent: %s', (block) => {
    const body: { event: string } = JSON.parse(block);
    expect(shapes[body.event]?.parse(body)).toEqual(body);
  });

  test('names every event, and no other', () => {
    const headings = [...guide.text.matchAll(/^### (\w+\.\w+)$/gm)].map(([, name]) => name);
    const rows = [...guide.text.matchAll(/`([A-Z]+_[A-Z]+)`/g)].map(([, name = '']) => name);
    const events = rows.filter((name) => /^(CONSENT|FEDERATION|TRANSACTION)_/.test(name));
    expect(new Set([...headings, ...events])).toEqual(new Set(Object.keys(eventBodies)));
  });
});
