-- A session is known by its gateway, the name the gateway goes by, and its id: one gateway says nothing of another's sessions. By the id first, so
-- that the same session at another gateway is found with it.
drop index data_session_key;
create unique index data_session_key on data_session (acct_session_id, nas, gateway_id) where not superseded;

alter table data_session
  -- the gateway's address that the newest packet came from
  add column heard_from inet,
  -- an interim of later than this shows that a session believed closed goes on; null: it is open, or its own stop closed it
  add column live_after timestamptz,
  -- { event_at, received_at, session_time, has_gigawords, counter_up, counter_down, delta_up, delta_down }: the last packet, when it told of more
  -- than any link carries. Times are milliseconds since 1970
  add column odd jsonb,
  -- what was told and not counted
  add column uncounted_up bigint not null default 0,
  add column uncounted_down bigint not null default 0,
  -- when the gateway was last to be asked to end it
  add column cut_asked_at timestamptz;
-- Those that no stop of their own closed may go on. What goes on reports within a day.
update data_session set live_after = ended_at
  where not superseded and heard_at > now() - interval '2 days' and end_cause in ('Gateway restarted', 'Gateway shut down', 'Lost stop', 'Cut by Masthead');

-- What keeps a packet from being counted: nobody has its SIM; its session was counted only in part; the session is open at another gateway;
-- the database refused it.
alter table quarantine
  add column kind text not null default 'unknown' check (kind in ('unknown', 'uncounted', 'elsewhere', 'unstorable')),
  -- whose session it is of, where that is known
  add column account_id text,
  add column session_id text;
update quarantine set kind = 'unstorable' where reason like 'The packet could not be stored%';
alter table quarantine
  drop constraint quarantine_nas_acct_session_id_identity_key,
  add constraint quarantine_key unique (gateway_id, nas, acct_session_id, identity, kind);

-- Every batch asks which of its SIMs have a limit or no service; few have.
drop index sim_limited;
create index sim_watched on sim (account_id, id) include (limit_bytes, status)
  where limit_bytes is not null or status not in ('ready', 'active', 'standby');
