-- serves from 0030
-- Rules block SIMs, and take such blocks off.
alter table alert_rule drop constraint alert_rule_action_check;
alter table alert_rule
  add constraint alert_rule_action_check check (action in ('tell', 'deactivate_sim', 'activate_sim', 'standby_sim', 'block_sim', 'unblock_sim',
    'imei_lock', 'set_limit', 'set_network_group'));
