-- serves from 0030
-- Permissions of their own for what came with others before: who had those keeps what they could do.
update membership set permissions = permissions || '{terminal.files,tunnels.open,support.grant}'
where permissions @> '{terminal.open}' and not permissions && '{terminal.files,tunnels.open,support.grant}';
update invitation set permissions = permissions || '{terminal.files,tunnels.open,support.grant}'
where permissions @> '{terminal.open}' and not permissions && '{terminal.files,tunnels.open,support.grant}';
update api_key set scopes = scopes || '{tunnels.open}' where scopes @> '{terminal.open}' and not scopes @> '{tunnels.open}';
update person set permissions = permissions || '{manage_devices}'
where permissions @> '{backoffice,manage_networks}' and not permissions @> '{manage_devices}';
update person set permissions = permissions || '{manage_support}' where permissions @> '{backoffice}' and not permissions @> '{manage_support}';
