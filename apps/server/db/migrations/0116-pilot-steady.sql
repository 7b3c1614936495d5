-- serves from 0030
-- Of the pilot of a rollout that it runs first: since when the containers that it reports run as they are to, and which ones, so that one that
-- was started again counts from then on.
alter table rollout_device add column steady_since timestamptz, add column steady_of text;
