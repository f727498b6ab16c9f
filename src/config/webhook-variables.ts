import { addressesOrRanges, addressRanges, choice, integer, matching } from './formats.ts';

/** How webhooks are sent, and what is kept of them. */
export const webhookVariables = {
  WEBHOOK_BACKOFF_BASE_MS: integer(1, 3_600_000).describe(
    'milliseconds between the first and the second attempt; each later wait is four times longer',
  ),
  WEBHOOK_BACKOFF_JITTER: matching(/^(0(\.\d+)?|1(\.0+)?)$/, 'must be a number from 0 to 1')
    .transform(Number)
    .default(0.2)
    .describe('share of each wait by which it varies at random, up or down'),
  WEBHOOK_TIMEOUT_MS: integer(100, 60_000).default(10_000).describe('milliseconds that a receiver has to answer'),
  WEBHOOK_SECRET_OVERLAP_H: integer(0, 720)
    .default(24)
    .describe('hours after a rotation in which the old secret signs too'),
  WEBHOOK_AUTO_PAUSE_AFTER_H: integer(0, 8_760)
    .default(72)
    .describe('hours of failures, without one success, after which a receiver is paused; 0: never'),
  WEBHOOK_RETENTION_D: integer(1, 3_650)
    .default(30)
    .describe('days that bodies and attempts of delivered events are kept'),
  WEBHOOK_FAILED_RETENTION_D: integer(0, 3_650)
    .default(365)
    .describe('days that bodies and attempts of events that failed are kept; 0: for ever'),
  WEBHOOK_PENDING_RETENTION_D: integer(0, 3_650)
    .default(90)
    .describe(
      'days after which an event that waits, for a receiver that is paused or has no URL for example, ends as FAILED; 0: never',
    ),
  WEBHOOK_DELIVERY_RETENTION_D: integer(0, 3_650)
    .default(365)
    .describe('days that a delivery stays as the record after its body and attempts went; 0: for ever'),
  WEBHOOK_ALLOWED_CIDRS: addressRanges.describe('private ranges a webhook may go to; refused in live'),
  WEBHOOK_REPLAY_FAILED: choice('on', 'off').describe(
    'whether what FAILED goes out once more by itself when its receiver has been well for WEBHOOK_WELL_AFTER_S',
  ),
  WEBHOOK_WELL_AFTER_S: integer(1, 86_400)
    .default(600)
    .describe('seconds without a failed attempt after which a receiver counts as well again'),
  WEBHOOK_SOURCE_ADDRESSES: addressesOrRanges
    .default([])
    .describe('addresses or ranges that webhooks are sent from, shown to their receivers; without it none are shown'),
};
