-- serves from 0030
-- runs outside a transaction
-- The list of alerts begins with what is open, the worst first.
create index concurrently if not exists alert_urgency on alert (account_id,
  (case when resolved_at is not null then 0 when acknowledged_at is not null then 1
    when severity = 'critical' then 4 when severity = 'warn' then 3 else 2 end) desc, last_at desc, id desc);
