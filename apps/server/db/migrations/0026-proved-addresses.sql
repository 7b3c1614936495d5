-- By what an address was proved: `mail` (a mailed link), `provider`, `staff`, or `before`: whoever had an account when nobody was asked counts as
-- proved, but a provider that says whose the address is knows better.
alter table person
  add column email_proven_by text check (email_proven_by in ('mail', 'provider', 'staff', 'before'));
update person set email_proven_by = 'mail' where email_proven_at is not null;
update person set email_proven_at = now(), email_proven_by = 'before' where email_proven_at is null;
alter table person add constraint person_email_proven check ((email_proven_at is null) = (email_proven_by is null));

-- Where no mail is sent, the secret in the link that the inviting owner hands over. It opens this one invitation, and proves nothing to others:
-- they could invite themselves.
alter table invitation
  add column link_hash bytea,
  add column link_expires_at timestamptz;

-- What whoever was answered could do then: a repetition is answered to whom that is still allowed. Keys belong to people, whose e-mail may change.
alter table idempotency_key add column rights json;
update idempotency_key set scope = split_part(scope, ':', 1) || ':' || person.id
  from person where split_part(scope, ':', 2) = person.email;
