-- serves from 0030
-- From this hour on it is not judged whether a SIM was silent, as the feed that reports of it has not come so far; null: none waits.
alter table sim_feed add column unjudged_from timestamptz;
