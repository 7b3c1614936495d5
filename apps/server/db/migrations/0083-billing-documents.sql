-- serves from 0030
-- Whom documents are made out to.
create table billing_profile (
  account_id text primary key references account on delete cascade,
  company text not null,
  address text not null,
  postal_code text,
  city text not null,
  country text not null,
  tax_id text,
  emails text[] not null,
  changed_at timestamptz not null,
  changed_by text not null
);

-- The last number of a kind in a year, of the whole installation. Locked until the document with the next one is there, so that there are no gaps.
create table billing_number (
  kind text not null check (kind in ('invoice', 'receipt', 'credit_note')),
  year integer not null,
  last integer not null,
  primary key (kind, year)
);

-- What was issued, with all that stands in it: it never changes. `source` is what it is of: a month, a payment, or a transaction of the ledger.
create table billing_document (
  account_id text not null references billing_account,
  id text not null,
  kind text not null check (kind in ('invoice', 'receipt', 'credit_note')),
  year integer not null,
  n integer not null,
  source text not null,
  issued_at timestamptz not null,
  currency text not null,
  title text not null,
  month date,
  net_micros bigint not null,
  tax_micros bigint not null,
  -- "VAT 25 %"
  tax_words text,
  top_up_id text,
  seller text not null,
  recipient jsonb not null,
  lines jsonb not null,
  primary key (account_id, id),
  unique (kind, year, n),
  unique (account_id, kind, source)
);
create trigger billing_document_append_only before update or delete on billing_document for each row execute function refuse_change();
create trigger billing_document_not_truncated before truncate on billing_document for each statement execute function refuse_change();

-- Months that are closed: all that was posted until `through_number` and is of that month or an earlier one has been invoiced.
create table billing_month (
  account_id text not null references billing_account,
  month date not null,
  closed_at timestamptz not null,
  through_number bigint not null,
  document_id text,
  primary key (account_id, month)
);
