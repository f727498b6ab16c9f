-- Where the money of each rail enters and leaves the books, in the order of `systemAccount` of src/modules/ledger. What was
-- booked before stays in CLEARING, and is refunded from there.
insert into ledger.account (id, kind, reference, currency, lock_mode) overriding system value
select 10 + row_number() over (order by k.place, c.place), k.kind, lower(k.kind), c.currency, 'deferred'
from unnest(array['CLEARING_GATEWAY', 'CLEARING_TERMINAL', 'CLEARING_INBOUND']) with ordinality k(kind, place),
  unnest(array['NGN', 'FP']) with ordinality c(currency, place);
