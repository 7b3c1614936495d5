-- serves from 0030
-- Since when what is due of a firing, its action or to take that back, has failed each time. Null: it was not tried, or is settled.
alter table alert_rule_firing add column tried_at timestamptz;
