import { afterAll, beforeAll, expect, test } from 'vitest'
import { getAccount } from '@masthead/contract/account/operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { testSecretKey } from '@masthead/testkit/secret-key'
import { runCommand } from './command.ts'
import { loadConfig } from './kernel/config.ts'
import { startProduct } from './product.ts'

// A newer program has brought the database further than this one knows.
let house: House
beforeAll(async () => {
  house = await openHouse()
  await further('9998-expand.sql', '0033')
})
afterAll(() => house[Symbol.asyncDispose]())

const further = (name: string, serves_from: string) =>
  house.app.pool.query('insert into migration (name, serves_from) values ($1, $2)', [name, serves_from])
const env = () => ({ DATABASE_URL: house.databaseUrl, MASTHEAD_SECRET_KEY: testSecretKey, MASTHEAD_HTTP_PORT: '0', MASTHEAD_ROLES: 'api' })
const ready = async () => {
  const answer = await house.server.inject('/readyz')
  return { status: answer.statusCode, ...answer.json<{ parts: object; words?: string[] }>() }
}
async function command(...words: string[]) {
  const [out, err]: string[][] = [[], []]
  const code = await runCommand(words, { env: env(), say: (text) => out!.push(text), complain: (text) => err!.push(text) })
  return { code, out: out!.join('\n'), err: err!.join('\n') }
}

test('while the schema serves this program, it runs, starts, and works by command', async () => {
  expect(await ready()).toMatchObject({ status: 200, parts: { database: true, schema: true } })
  expect(await command('migrate')).toEqual({
    code: 0,
    out: 'The database is at migration 9998. It serves programs that end at 0033 or later.',
    err: '',
  })
  const product = await startProduct({ config: loadConfig(env()), log: house.app.log, signal: new AbortController().signal })
  expect(product.greeting).toContain('Masthead is ready')
  await product.stop()
})

const words = /^This Masthead is too old .* migration 9999, which serves programs from 9998 on, and this program ends at \d{4}\. Bring/

test('once it serves it no more, one that runs is not ready, in words, and answers what it is asked; none starts', async () => {
  const owner = await house.newOwner()
  await further('9999-contract.sql', '9998')
  await expect
    .poll(ready, { timeout: 10_000 })
    .toMatchObject({ status: 503, parts: { database: true, schema: false }, words: [expect.stringMatching(words)] })
  expect((await owner.call(getAccount)).status).toBe(200)
  expect(await command('migrate', '--alone')).toEqual({ code: 1, out: '', err: expect.stringMatching(words) })
  const start = startProduct({ config: loadConfig(env()), log: house.app.log, signal: new AbortController().signal })
  await expect(start).rejects.toMatchObject({ name: 'StartError', message: expect.stringMatching(words) })
})
