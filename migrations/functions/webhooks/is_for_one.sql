-- Disputes are told to those endpoints that name their events, each with an event of its own.
create or replace function webhooks.is_for_one(p_event text) returns boolean language sql immutable as $$
  select p_event in ('webhook.test', 'endpoint.paused', 'endpoint.recovered', 'delivery.failed',
    'dispute.opened', 'dispute.expired', 'dispute.decided',
    'payout.sent', 'payout.successful', 'payout.failed', 'payout.reversed')
$$;
