-- serves from 0030
-- In which of the last 720 hours a SIM used data: what is usual of it is read from here, one small row a SIM.
create table sim_sent (
  account_id text not null,
  sim_id text not null,
  -- The last hour with usage. The last bit of `hours` stands for it, each bit before for the hour before.
  until timestamptz not null,
  hours bit(720) not null,
  -- The network with most of that hour.
  mccmnc text not null,
  primary key (account_id, sim_id)
) with (fillfactor = 70);

-- The bits with another hour as the last one.
create function sent_by(hours bit, until timestamptz, at timestamptz) returns bit language sql immutable as $$
  select case when at >= until then hours << least(720, extract(epoch from at - until)::bigint / 3600)::int
    else hours >> least(720, extract(epoch from until - at)::bigint / 3600)::int end
$$;

-- Kept by a trigger, so that whoever writes hours (closing them, a rebuild, the release before) need not know. A SIM that comes first brings what it
-- has already.
create function note_sent_hours() returns trigger language plpgsql as $$
begin
  insert into sim_sent as s (account_id, sim_id, until, hours, mccmnc)
  select account_id, sim_id, until,
    bit_or(set_bit(B'0'::bit(720), 719 - (extract(epoch from until - hour)::bigint / 3600)::int, 1)),
    (array_agg(mccmnc order by hour desc, bytes desc))[1]
  from (
    select *, max(hour) over (partition by account_id, sim_id) as until from (
      select account_id, sim_id, hour, mccmnc, bytes_up::numeric + bytes_down as bytes from added
      union all
      select u.account_id, u.sim_id, u.hour, u.mccmnc, u.bytes_up::numeric + u.bytes_down
      from (select account_id, sim_id, min(hour) as hour from added a where not exists (
          select from sim_sent k where k.account_id = a.account_id and k.sim_id = a.sim_id) group by 1, 2) n
        join usage_hour u on u.account_id = n.account_id and u.sim_id = n.sim_id and u.hour > n.hour - interval '720 hours'
    ) h where bytes > 0
  ) h where hour > until - interval '720 hours'
  group by 1, 2, 3 order by 1, 2
  on conflict (account_id, sim_id) do update set
    until = greatest(s.until, excluded.until),
    hours = sent_by(s.hours, s.until, greatest(s.until, excluded.until)) | sent_by(excluded.hours, excluded.until, greatest(s.until, excluded.until)),
    mccmnc = case when excluded.until >= s.until then excluded.mccmnc else s.mccmnc end;
  return null;
end $$;
create trigger usage_hour_sent after insert on usage_hour referencing new table as added for each statement execute function note_sent_hours();

-- Hours in which a SIM that should work was not as usual, one row for those that follow each other with the same state.
create table sim_lapse (
  account_id text not null,
  sim_id text not null,
  state text not null check (state in ('silent', 'refused', 'blocked')),
  start timestamptz not null,
  until timestamptz not null check (until > start),
  primary key (account_id, sim_id, start)
);
create index sim_lapse_until on sim_lapse (account_id, until);

-- How many SIMs of an account should have worked in an hour, and how many did as usual.
create table account_work_hour (
  account_id text not null,
  hour timestamptz not null,
  should int not null,
  works int not null,
  primary key (account_id, hour)
);

-- Up to which hour the SIMs of an account were judged; within the hour after it, up to which SIM.
create table account_judged (
  account_id text primary key,
  until timestamptz not null,
  after_sim text not null default ''
);
