-- serves from 0030
-- A gateway whose sessions become another one's: nobody sees it any more, and its row goes once the last of them is moved.
alter table gateway add column joined_into text references gateway;
