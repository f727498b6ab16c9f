-- Applications that registered before they had settlement wallets get theirs: one in each currency, empty, never below zero.
insert into ledger.account (kind, reference, currency, floor)
select 'APPLICATION', a.id::text, c.currency, 0
from applications.application a cross join unnest(array['NGN', 'FP']) c(currency)
where not a.built_in;
