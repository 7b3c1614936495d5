-- serves from 0030
-- Until then a rule notifies nobody and changes no SIM.
alter table alert_rule add column silenced_until timestamptz;

-- A worker of the release before knows of no silence: what fires at its checks changes no SIM all the same, and it does not do what falls due.
create or replace function alert_rule_firing_waits() returns trigger language plpgsql as $$
declare
  said record;
begin
  select starts, after_minutes, silenced_until into said from alert_rule where account_id = new.account_id and id = new.rule_id;
  if said.silenced_until > new.at then
    new.act_at = null;
    new.outcome = 'silenced';
  elsif said.starts <> 'now' then
    new.act_at = greatest(new.at, (date_trunc(said.starts, new.day::timestamp) + ('1 ' || said.starts)::interval) at time zone 'UTC')
      + make_interval(mins => said.after_minutes);
  end if;
  return new;
end $$;

create or replace function alert_rule_firing_known() returns trigger language plpgsql as $$
begin
  if old.outcome is null and new.outcome in ('changed', 'blocked') and new.before #> '{did,blocked}' is null
      and exists (select from alert_rule r where r.account_id = new.account_id and r.id = new.rule_id and r.action in ('block_sim', 'unblock_sim'))
    or old.undo_left is null and new.undo_left = 'already' and old.before #> '{did,blocked}' is distinct from old.before #> '{before,blocked}' then
    raise exception 'This Masthead does not know that alert rules block SIMs: a worker of the newer release does what is to be done';
  end if;
  if old.outcome is null and new.outcome in ('changed', 'blocked')
      and exists (select from alert_rule r where r.account_id = new.account_id and r.id = new.rule_id and r.silenced_until > new.acted_at) then
    raise exception 'This Masthead does not know that an alert rule is silenced: a worker of the newer release leaves the SIM as it is';
  end if;
  return new;
end $$;
