-- Which API key a webhook was made or turned elsewhere with: it hears no more than that key may see, and ends with it.
alter table webhook add column created_key text;
