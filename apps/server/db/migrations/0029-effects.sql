-- Who listens to the events of an account because somebody there asked for it: `effect` is the job, `names` what it is to hear (`*`: all, `area.*`).
-- What listens to every account is declared beside the event, in the contract. Whoever lets customers listen adds their rows to this view.
create view event_listener as
  select account_id, 'developers.tell_webhooks' as effect, events as names from webhook where disabled_at is null;
