import { expect, test } from 'vitest'
import { migrationProblems } from './migration-file.ts'

const served = '-- serves from 0031\n'
const outside = `${served}-- runs outside a transaction\n`

test.each([
  ['0028-old.sql', 'select 1;'],
  ['0036-plain.sql', `${served}alter table asset add column site text;\nalter table sim add column site text;`],
  ['0036-plain.sql', '-- serves from 0036\n-- Nobody reads it any more; created concurrently once.\nalter table asset drop column site;'],
  [
    '0036-index.sql',
    `${outside}-- Why; it is so.\ncreate unique index concurrently if not exists asset_site on asset (account_id, site);\n`,
  ],
  ['0036-gone.sql', `${outside}drop index concurrently if exists asset_site;`],
  [
    '0036-fill.sql',
    `${served}-- runs in batches\nupdate asset set site = '' where id in (select id from asset where site is null limit 1000);`,
  ],
  ['0163-held-up.sql', `${served}create index asset_site on asset (account_id, site);`],
  ['0164-new-table.sql', `${served}create table site (id text);\ncreate unique index site_id on site (id);\ncreate index on site (id);`],
  ['0164-parts.sql', `${served}create index session_ended on only data_session (ended_at);`],
  ['0174-constraint.sql', `${served}alter table sim add constraint sim_site check (site <> '');`],
  ['0175-later.sql', `${served}alter table sim add constraint sim_site check (site <> '') not valid;`],
  ['0175-now.sql', `${outside}alter table sim validate constraint sim_site;`],
  ['0175-small.sql', `${served}alter table alert_rule drop constraint a, add constraint a check (b in ('c', 'd'));`],
  ['0164-said.sql', `${served}-- Until now: create index a on b (c);\nselect 1;`],
])('%s says all it must', (name, text) => expect(migrationProblems(name, text)).toEqual([]))

test.each([
  ['select 1;', /does not say which programs it serves/],
  ['-- serves from 0037\nselect 1;', /0036-x\.sql serves from "0037": .* its own at most/],
  ['-- serves from now\nselect 1;', /serves from "now"/],
  [`${served}-- runs at night\nselect 1;`, /runs "at night"/],
  [`${served}create index concurrently if not exists a on b (c);`, /needs "-- runs outside a transaction"/],
  [`${outside}create index concurrently a on b (c);`, /begin "create index concurrently if not exists NAME on"/],
  [`${outside}create index if not exists a on b (c);`, /begin "create index concurrently if not exists NAME on"/],
  [`${outside}drop index concurrently a; drop index concurrently b;`, /several statements/],
  [`${served}-- runs in batches\nupdate a set b = 1; update a set c = 1;`, /several statements/],
])('refuses %j', (text, words) => expect(migrationProblems('0036-x.sql', text)).toEqual([expect.stringMatching(words)]))

test.each([
  'create index asset_site on asset (account_id, site);',
  'create unique index if not exists asset_site\n  on asset (site);',
  'CREATE INDEX ON asset (site);',
  'create table site (id text);\ncreate index site_id on site (id);\ncreate index asset_site on asset (site);',
])('refuses %j, during which no asset can be written', (text) => {
  const words = expect.stringMatching(/^0164-x\.sql makes an index on asset, .* "create index concurrently if not exists NAME on"$/)
  expect(migrationProblems('0164-x.sql', served + text)).toEqual([words])
})

test.each([
  `alter table sim add constraint sim_site check (site <> '');`,
  'alter table only sim\n  add foreign key (account_id, site) references site;',
  `alter table sim add constraint a check (b > 0) not valid, add check (c > 0);`,
])('refuses %j, for which each SIM is read while nobody may write one', (text) => {
  const words = expect.stringMatching(
    /^0175-x\.sql adds a constraint to sim, .* make it "not valid", and validate it in a migration of its own$/
  )
  expect(migrationProblems('0175-x.sql', served + text)).toEqual([words])
})
