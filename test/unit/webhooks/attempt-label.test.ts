import { expect, test } from 'vitest';
import { attemptLabel } from '../../../src/modules/webhooks/attempt-label.ts';

test.each([
  [null, 'delivered'],
  ['timeout', 'timeout'],
  ['dns', 'dns'],
  ['refused', 'refused'],
  ['unreachable', 'unreachable'],
  ['reset', 'reset'],
  ['tls', 'tls'],
  ['blocked target', 'blocked'],
  ['status 204', 'status_2xx'],
  ['status 301', 'status_3xx'],
  ['status 429', 'status_4xx'],
  ['status 503', 'status_5xx'],
  ['status 999', 'status_other'],
  ['not http', 'other'],
  ['interrupted', 'other'],
  ['anything else', 'other'],
])('an attempt that ended with %j counts as %s', (error, expected) => {
  expect(attemptLabel(error)).toBe(expected);
});
