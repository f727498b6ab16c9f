-- Servers from 0058 on work with it.
-- Events, and earlier attempts of deliveries, go into a part for each month (0085). What is there becomes the first part as it
-- stands, nothing copied: it needs a constraint that says until when it goes, which is checked beside everything else (0084). It
-- goes three months ahead, so that nothing is refused while those files have not run. An id says when it was given: a month is
-- all ids from the first of one month to that of the next.
do $$
declare
  v_last timestamptz;
  v_until timestamptz;
begin
  select greatest(now(), uuid_extract_timestamp((select id from outbox.event order by id desc limit 1)),
    uuid_extract_timestamp((select id from webhooks.delivery order by id desc limit 1))) into v_last;
  v_until := (date_trunc('month', v_last at time zone 'Africa/Lagos') + interval '3 months') at time zone 'Africa/Lagos';
  execute format('alter table outbox.event add constraint event_until check (id < %L) not valid', webhooks.first_id_at(v_until));
  execute format('alter table webhooks.attempt add constraint attempt_until check (delivery_id < %L) not valid', webhooks.first_id_at(v_until));
end $$;
