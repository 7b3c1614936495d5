-- serves from 0030
-- What a scanner is asked to look into, and what it reported last. One for each content of an account, in however many repositories it is.
create table registry_scan (
  account_id text not null references account on delete cascade,
  digest text not null,
  -- asking: a process asks the scanner at this moment; failed: it was given up
  state text not null check (state in ('waiting', 'asking', 'under_way', 'done', 'failed')),
  -- of waiting: not before; of asking and under_way: when it is looked at next
  due_at timestamptz,
  asked_at timestamptz not null,
  -- null: by itself
  asked_by text,
  -- somebody waits for it: it goes before what is scanned again by itself
  urgent boolean not null,
  -- which look at it this is: what an earlier one found out counts no more
  turn integer not null default 0,
  -- that failed, one after the other
  tries integer not null default 0,
  words text,
  failed_at timestamptz,
  -- of what is under way: what the scanner calls it, the type of its report, when it began and of when the database of the scanner was then
  scan_id text,
  report_type text,
  begun_at timestamptz,
  begun_with timestamptz,
  -- of the last report
  done_at timestamptz,
  scanner text,
  database_at timestamptz,
  vulnerabilities integer,
  -- { critical, high, medium, low, unknown }: of all, and of those that are not kept
  counts jsonb,
  beyond jsonb,
  primary key (account_id, digest)
);
create index registry_scan_due on registry_scan (due_at) where due_at is not null;

-- What the last report names, the worst first.
create table registry_scan_vulnerability (
  account_id text not null,
  digest text not null,
  place integer not null,
  id text not null,
  severity text not null check (severity in ('critical', 'high', 'medium', 'low', 'unknown')),
  summary text not null,
  package text not null,
  version text not null,
  fixed_in text,
  primary key (account_id, digest, place),
  foreign key (account_id, digest) references registry_scan on delete cascade
);
