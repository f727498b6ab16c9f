import { type Html, html } from '#lib/html.ts';
import { pill } from '#lib/markup.ts';
import { moment, numberText } from '../look/values.ts';

/** A receiver, or one of its endpoints, as far as it says how it is doing. */
export interface Receiver {
  url?: string;
  status: 'ACTIVE' | 'PAUSED';
  pausedAt?: string;
  pausedBy?: 'OPERATOR' | 'OWNER' | 'SYSTEM';
  pauseReason?: string;
  pending: number;
  /** Endpoints within a receiver are told of without it. */
  breaker?: { state: 'CLOSED' | 'OPEN' | 'HALF_OPEN'; failures: number; failingSince?: string; until?: string };
}

const who = { OPERATOR: 'by an operator', OWNER: 'by its owner', SYSTEM: 'by the server itself' } as const;

/** How it is doing, at a glance. */
export function stateOfReceiver({ status, url, breaker }: Receiver): Html {
  if (status === 'PAUSED') return pill('bad', 'Paused');
  if (url === undefined) return pill('wait', 'No address');
  switch (breaker?.state) {
    case 'OPEN':
      return pill('bad', 'Failing');
    case 'HALF_OPEN':
      return pill('wait', 'Being tried');
    default:
      return pill('good', 'Works');
  }
}

/** The same in a sentence: why nothing is sent to it, since when, and what becomes of what waits. */
export function stateInWords({ status, url, pausedAt, pausedBy, pauseReason, pending, breaker }: Receiver): Html {
  if (status === 'PAUSED') {
    return html`Paused${pausedBy !== undefined && html` ${who[pausedBy]}`}${pausedAt !== undefined && html`, ${moment(pausedAt)}`}${
      pauseReason !== undefined && html`: <bdi>${pauseReason}</bdi>`
    }. ${pending === 0 ? 'Nothing waits for it.' : 'What waits goes out when it is resumed.'}`;
  }
  if (url === undefined) return html`Its events are kept until it gives an address.`;
  const { state = 'CLOSED', failures = 0, failingSince, until } = breaker ?? {};
  const since = html`${numberText(failures)} ${failures === 1 ? 'attempt' : 'attempts'} in a row failed${failingSince !== undefined && html`, since ${moment(failingSince)}`}.`;
  switch (state) {
    case 'OPEN':
      return html`${since} Nothing is sent${until !== undefined && html` until ${moment(until)}`}; then one delivery tries it.`;
    case 'HALF_OPEN':
      return html`${since} One delivery tries it now: when it arrives, all others follow.`;
    default:
      return failures === 0 ? html`What happens is sent at once.` : html`It is sent to, though ${since}`;
  }
}
