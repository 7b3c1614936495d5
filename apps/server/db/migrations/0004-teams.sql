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
