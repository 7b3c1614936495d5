-- serves from 0030
-- When a SIM was last active and ceased to be: it costs its month also where that was between two looks at what SIMs cost. Null where it never did, or a release before did it.
alter table sim add column active_until timestamptz;
