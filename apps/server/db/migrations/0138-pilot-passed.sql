-- serves from 0030
-- When the pilot of a rollout had run its version for its time: it may be deleted after that, and takes nothing of the proof with it. Null until then, for
-- rollouts without such a time, and for those whose pilot had by a release that did not write it.
alter table rollout add column pilot_passed_at timestamptz;
