import { expect, test } from 'vitest'
import { cloneDatabase } from '@masthead/testkit/cluster'
import { runOn } from '@masthead/testkit/database-switch'
import { openPool } from '../kernel/database/pool.ts'
import { checkSchema } from './schema-check.ts'

test('what a database has lost is named, each with its way out', async () => {
  const { url, drop } = await cloneDatabase()
  const pool = openPool(url, { max: 1 })
  const found = async () => [await checkSchema({ pool })].flat()
  expect(await found()).toMatchObject([{ state: 'ok' }])
  await runOn(
    url,
    `drop table account_note; drop index mail_to; drop trigger event_append_only on event; alter table sim disable trigger sim_inserted;
     drop function tell_meters cascade; alter table person drop column password_hash cascade`
  )
  expect((await found()).map(({ state, words, way }) => [state, words, way])).toEqual([
    ['bad', 'The column person.password_hash is missing', 'What it held is in a back-up alone: restore that'],
    ['bad', 'The function tell_meters is missing', 'Make it again as apps/server/db/migrations/0021-gateway-addresses.sql does'],
    [
      'bad',
      'The index mail_to of mail is missing, or was never finished',
      'Make it again as apps/server/db/migrations/0004-teams.sql does',
    ],
    ['bad', 'The table account_note is missing', 'What it held is in a back-up alone: restore that'],
    [
      'bad',
      'The trigger event_append_only of event is missing, or switched off',
      'Make it again as apps/server/db/migrations/0035-closed-accounts.sql does',
    ],
    ...['gateway_address_changed of gateway_address', 'gateway_changed of gateway'].map((trigger) => [
      'bad',
      `The trigger ${trigger} is missing, or switched off`,
      'Make it again as apps/server/db/migrations/0021-gateway-addresses.sql does',
    ]),
    [
      'bad',
      'The trigger sim_inserted of sim is missing, or switched off',
      'Make it again as apps/server/db/migrations/0028-stock-load.sql does',
    ],
  ])
  await pool.end()
  await drop()
})

test('one that a newer release has brought up to date is not compared, as that may have taken something away', async () => {
  const { url, drop } = await cloneDatabase()
  const pool = openPool(url, { max: 1 })
  await runOn(url, `insert into migration (name) values ('9999-of-later.sql'); drop table account_note`)
  expect([await checkSchema({ pool })].flat()).toMatchObject([{ state: 'ok', words: expect.stringMatching(/newer release/) as string }])
  await pool.end()
  await drop()
})
