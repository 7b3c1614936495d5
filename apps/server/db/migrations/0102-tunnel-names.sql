-- serves from 0030
-- Where a browser reaches the tunnel by a name of its own, while it is open; null without a domain for that.
alter table tunnel add column url text;
