-- The rows that the code names by their ids.

-- The built-in application, whose subjects are the customers: a PayTag is a tag that one of its subjects owns. Its id
-- is `payTagApplicationId` of src/modules/applications.
insert into applications.application (id, name, namespace, status, built_in)
values ('7a79a6f0-0000-4000-8000-000000000001', 'PayTag', 'paytag', 'ACTIVE', true);

-- The system accounts, where money enters and leaves the books, is earned or waits. `systemAccount` of
-- src/modules/ledger computes their ids from this order. Deferred: no posting waits for another here.
insert into ledger.account (id, kind, reference, currency, lock_mode) overriding system value
select row_number() over (order by k.place, c.place), k.kind, lower(k.kind), c.currency, 'deferred'
from unnest(array['CLEARING', 'FEE', 'COMMISSION', 'STAMP_DUTY', 'SUSPENSE']) with ordinality k(kind, place),
  unnest(array['NGN', 'FP']) with ordinality c(currency, place);

-- Ids below 1001 are reserved for system accounts.
alter table ledger.account alter column id restart with 1001;
