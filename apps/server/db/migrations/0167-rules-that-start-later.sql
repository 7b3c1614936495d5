-- serves from 0030
-- Actions of rules follow as the next day or month (UTC) begins.
alter table alert_rule add column starts text not null default 'now' check (starts in ('now', 'day', 'month'));
