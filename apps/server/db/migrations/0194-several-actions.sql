-- serves from 0030
-- What a rule does besides its action, each another thing of the SIM. Each of its actions on a SIM has a row of its own in the history: `further` are those beside the first.
alter table alert_rule add column more_actions text[] not null default '{}';
alter table alert_rule_firing add column action text, add column further boolean not null default false;

-- As before, of the action of the row itself; rows of before have that of their rule. A worker of the release before takes a further one for the first: it does not finish it.
create or replace function alert_rule_firing_known() returns trigger language plpgsql as $$
begin
  if old.further and old.outcome is null and new.outcome is not null and new.outcome not in ('called_off', 'failed')
      and new.before ->> 'action' is distinct from old.action then
    raise exception 'This Masthead does not know that an alert rule does several things: a worker of the newer release does what is to be done';
  end if;
  if old.outcome is null and new.outcome in ('changed', 'blocked') and new.before #> '{did,blocked}' is null
      and exists (select from alert_rule r where r.account_id = new.account_id and r.id = new.rule_id and coalesce(new.action, r.action) in ('block_sim', 'unblock_sim'))
    or old.undo_left is null and new.undo_left = 'already' and old.before #> '{did,blocked}' is distinct from old.before #> '{before,blocked}' then
    raise exception 'This Masthead does not know that alert rules block SIMs: a worker of the newer release does what is to be done';
  end if;
  if old.outcome is null and new.outcome in ('changed', 'blocked')
      and exists (select from alert_rule r where r.account_id = new.account_id and r.id = new.rule_id and r.silenced_until > new.acted_at) then
    raise exception 'This Masthead does not know that an alert rule is silenced: a worker of the newer release leaves the SIM as it is';
  end if;
  return new;
end $$;
