-- Servers from 0107 on work with it.
-- What becomes of a payout is told to those endpoints alone that name it, as of a dispute.

create or replace function webhooks.is_for_one(p_event text) returns boolean language sql immutable as $$
  select p_event in ('webhook.test', 'endpoint.paused', 'endpoint.recovered', 'delivery.failed',
    'dispute.opened', 'dispute.expired', 'dispute.decided',
    'payout.sent', 'payout.successful', 'payout.failed', 'payout.reversed')
$$;
