-- When people proved who they are, and that sessions end without use.

-- `proved_at`: the last fresh proof in this session, the sign-in being the first. `vouched_at`: the identity provider signed the person in
-- anew, for a proof of theirs that counts once (`vouched_spent`).
alter table session
  add column proved_at timestamptz,
  add column vouched_at timestamptz,
  add column vouched_spent boolean not null default false;
create index session_seen on session (seen_at);

-- A way to the provider that proves who one is, and neither signs in nor links.
alter table identity_attempt add column proves boolean not null default false;
