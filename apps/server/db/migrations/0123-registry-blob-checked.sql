-- serves from 0030
-- When the bytes were last read to see that they are what their digest says; null: not since they came.
alter table registry_blob add column checked_at timestamptz;
