-- In a new volume, once: Masthead's role, which owns its database and is no superuser. The superuser gets in inside of the container alone.
\getenv password POSTGRES_PASSWORD
create role masthead login password :'password';
create database masthead owner masthead encoding 'UTF8' locale 'C.UTF-8' template template0;
alter role postgres password null;
