-- What a person is called, beside the e-mail that they sign in with. Null: they have not told.
alter table person add column name text;
