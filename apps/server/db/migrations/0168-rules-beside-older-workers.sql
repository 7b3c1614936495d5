-- serves from 0030
-- A worker of the release before takes an action that it does not know for one that deactivates SIMs, holds what it does not know to be taken back already, and knows
-- of no day or month that an action waits for. The database refuses the first two, and puts the third right.
create function alert_rule_firing_waits() returns trigger language plpgsql as $$
declare
  said record;
begin
  select starts, after_minutes into said from alert_rule where account_id = new.account_id and id = new.rule_id;
  if said.starts <> 'now' then
    new.act_at = greatest(new.at, (date_trunc(said.starts, new.day::timestamp) + ('1 ' || said.starts)::interval) at time zone 'UTC')
      + make_interval(mins => said.after_minutes);
  end if;
  return new;
end $$;
create trigger alert_rule_firing_waits before insert on alert_rule_firing for each row when (new.act_at is not null)
  execute function alert_rule_firing_waits();

create function alert_rule_firing_known() returns trigger language plpgsql as $$
begin
  if old.outcome is null and new.outcome in ('changed', 'blocked') and new.before #> '{did,blocked}' is null
      and exists (select from alert_rule r where r.account_id = new.account_id and r.id = new.rule_id and r.action in ('block_sim', 'unblock_sim'))
    or old.undo_left is null and new.undo_left = 'already' and old.before #> '{did,blocked}' is distinct from old.before #> '{before,blocked}' then
    raise exception 'This Masthead does not know that alert rules block SIMs: a worker of the newer release does what is to be done';
  end if;
  return new;
end $$;
create trigger alert_rule_firing_known before update of outcome, undo_left on alert_rule_firing for each row execute function alert_rule_firing_known();
