-- serves from 0030
-- `reserved`: how large the upload may become before room is asked for again; other uploads have no part of it.
-- `writer`: the process and the request that write to it; `writing_until`: nobody else does before, unless that process is known to be gone.
alter table registry_upload add column reserved bigint not null default 0, add column writer text, add column writing_until timestamptz;
-- Since when it is known that the bytes are not what the digest says: they are given to nobody, and whoever pushes the same replaces them.
alter table registry_blob add column damaged_at timestamptz;
