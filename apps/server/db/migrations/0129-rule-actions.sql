-- serves from 0030
-- Rules do more to SIMs, for a while or for good, and with the rights of whoever set them up as these are when it is done.
alter table alert_rule drop constraint alert_rule_action_check;
alter table alert_rule
  add constraint alert_rule_action_check check (action in
    ('tell', 'deactivate_sim', 'activate_sim', 'standby_sim', 'imei_lock', 'set_limit', 'set_network_group')),
  -- For set_limit.
  add column limit_bytes bigint,
  add column limit_period text not null default 'month' check (limit_period in ('day', 'month')),
  -- What it did is taken back when the next day or month (UTC) begins.
  add column lasts text not null default 'for_good' check (lasts in ('for_good', 'day', 'month')),
  -- Who saved it or switched it on last, and by which API key.
  add column person_id text,
  add column key_id text;
update alert_rule r set person_id = coalesce(
  (select p.id from person p where lower(p.email) = lower(r.created_by) limit 1),
  (select p.id from person p where p.account_id = r.account_id limit 1));

alter table alert_rule_firing
  -- When what it did is taken back of itself; null as soon as that is settled.
  add column undo_at timestamptz,
  -- Why it was not.
  add column undo_left text;
create index alert_rule_firing_undo on alert_rule_firing (undo_at) where undo_at is not null;
