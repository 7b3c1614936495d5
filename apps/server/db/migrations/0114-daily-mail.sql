-- serves from 0030
-- One mail a day about alerts in place of one for each: at this minute after midnight in the person's time zone. Null: as they happen.
alter table notification_preference add column daily_at smallint check (daily_at between 0 and 1439);
