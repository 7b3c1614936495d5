-- Who may what, and who reads what.

-- Until now everybody in the backoffice managed staff. Whoever held every permission of staff there was does so from now on.
update person set permissions = permissions || '{manage_staff}'
  where permissions @> '{backoffice,audit_logs,manage_networks,manage_datapools}' and not permissions @> '{manage_staff}';

-- A member limited to tags reads, beside what happened to their assets, what happened to no asset: few among many.
create index event_without_asset on event (account_id, category, id) where asset_id is null;
