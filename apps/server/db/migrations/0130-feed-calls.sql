-- serves from 0030
alter table feed
  -- When it last brought records by HTTP, and since when its calls follow each other without a longer pause.
  add column called_at timestamptz,
  add column calls_since timestamptz;
