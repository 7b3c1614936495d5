-- An account may ask a second factor of everybody who works on it: since when; null: it does not.
alter table account add column second_factor_demanded_at timestamptz;

-- When two factors were last proved in this session: a passkey, or a code beside what came first.
alter table session add column two_factors_at timestamptz;
