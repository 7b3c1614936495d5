-- Ended sessions of before this may have been dropped: what a gateway still tells of that time was counted, or can no longer be told apart
-- from what was. Null: none were dropped.
alter table usage_coverage add column sessions_since timestamptz;
