-- Mail that is to be sent; without a mail server it stays here. The text of what was sent is forgotten: it may hold links that are secrets.
create table mail (
  id text primary key,
  to_email text not null,
  subject text not null,
  text text not null,
  created_at timestamptz not null,
  sent_at timestamptz,
  refused_at timestamptz,
  refused_words text
);
create index mail_to on mail (to_email, id);
create index mail_age on mail (created_at);

-- Who asked a member in, and when; `created_at` is when they came.
alter table membership
  add column invited_by text,
  add column invited_at timestamptz;

-- `inviter_id`: the person behind `invited_by` (an e-mail, which may change). What they granted falls when they may no longer grant it.
-- `proof_hash`: of the secret in the mail, which shows that whoever answers reads the mail of that address.
alter table invitation
  add column inviter_id text references person on delete set null,
  add column proof_hash bytea;
create index invitation_inviter on invitation (inviter_id);
create index invitation_expiry on invitation (expires_at);
