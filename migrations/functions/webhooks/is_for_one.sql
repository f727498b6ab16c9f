-- Whether an event goes to the endpoint that it was written for, and to no other of its owner: what concerns one endpoint alone, and what
-- is written once for each endpoint that names it.
create or replace function webhooks.is_for_one(p_event text) returns boolean language sql immutable as $$
  select p_event in ('webhook.test', 'endpoint.paused', 'endpoint.recovered', 'delivery.failed',
    'dispute.opened', 'dispute.expired', 'dispute.decided',
    'payout.sent', 'payout.successful', 'payout.failed', 'payout.reversed')
$$;
