import { dayOf } from '@masthead/contract/kernel/time'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { suspendAccount, updateFeatureFlags } from '@masthead/contract/backoffice/account-operations'
import { importNetworks, listOperatorRates, listOperators, setOperatorRate } from '@masthead/contract/backoffice/network-operations'
import { loadInventory } from '@masthead/contract/backoffice/operations'
import { exportStaffLog } from '@masthead/contract/backoffice/staff-log-operations'
import { listSearchHits } from '@masthead/contract/backoffice/home-operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { loadNetworks } from '../networks/index.ts'
import { enterStaff, type Staff } from './test-backoffice.ts'

let house: House
let ann: Staff
let ben: Staff
beforeAll(async () => {
  house = await openHouse()
  await loadNetworks(house.db)
  ;[ann, ben] = [await enterStaff(house), await enterStaff(house)]
})
afterAll(() => house[Symbol.asyncDispose]())

const effective_from = () => dayOf(house.clock.now().getTime() + 5 * 86_400_000)
const send = (staff: Staff, body: string | Buffer, query: object = {}) =>
  staff.call(importNetworks, { query: { effective_from: effective_from(), ...query }, body } as never)
const changed = { status: 409, body: { code: 'networks_changed' } }

describe('two of staff at one price list', () => {
  test('what was compared is what is taken over, or nothing is', async () => {
    const file = 'mccmnc,zone,cost,price\n262-01,Europe,0.001,0.002\n'
    const { basis } = (await send(ann, file)).body
    expect((await send(ann, file)).body.basis).toBe(basis)
    const rate = { effective_from: effective_from(), zone: 'Europe', cost_micros: 1, price_micros: 2 }
    expect((await ben.call(setOperatorRate, { params: { mccmnc: '262-01' }, body: rate })).status).toBe(200)
    expect(await send(ann, file, { apply: 'true', basis })).toMatchObject(changed)
    // Another file, or another day, is not what was compared either.
    const again = (await send(ann, file)).body.basis
    expect(await send(ann, file.replace('0.002', '0.003'), { apply: 'true', basis: again })).toMatchObject(changed)
    expect((await send(ann, file, { apply: 'true', basis: again })).body).toMatchObject({ applied: true })
  })

  test('a rate that somebody set meanwhile is not overwritten unseen', async () => {
    const params = { mccmnc: '262-02' }
    const rate = { effective_from: effective_from(), zone: 'Europe', cost_micros: 1 }
    const newest = async () => (await ann.call(listOperatorRates, { params })).body.items[0]?.set_at ?? null
    const seen = await newest()
    house.clock.advance({ seconds: 1 })
    const set = (staff: Staff, price_micros: number, known_at: string | null) =>
      staff.call(setOperatorRate, { params, body: { ...rate, price_micros, known_at } })
    expect((await set(ben, 5, seen)).status).toBe(200)
    expect(await set(ann, 6, seen)).toMatchObject({ ...changed, body: { detail: expect.stringContaining(ben.email) } })
    expect((await set(ann, 6, await newest())).status).toBe(200)
  })
})

describe('a file that means harm', () => {
  test.each([
    ['NUL', 'mccmnc,name,country\n999-11,a\u0000b,DE\n'],
    ['a line end within a name', 'mccmnc,name,country\n999-11,"a\nb",DE\n'],
    ['Latin-1', Buffer.from('mccmnc,name,country\n999-11,Telef\xf3nica,ES\n', 'latin1')],
    ['an escape sequence', 'mccmnc,name,country\n999-11,\u001b[31mred,DE\n'],
  ])('%s in networks is named by its line, and nothing is written', async (_, file) => {
    const answer = await send(ann, file, { apply: 'true' })
    expect(answer.body).toMatchObject({
      applied: false,
      failed: 1,
      errors: [{ line: expect.any(Number), words: expect.stringContaining('UTF-8') }],
    })
    expect((await ann.call(listOperators, { query: { search: '999-11' } })).body.items).toEqual([])
  })

  test.each([
    ['UTF-16 without a mark', Buffer.from('mccmnc,name\n999-11,x\n', 'utf16le')],
    ['a binary', Buffer.from([0x50, 0x4b, 3, 4, 0, 0xff, 0xfe, 0])],
    ['one endless line', Buffer.alloc(200_000, 'a')],
    ['too many lines', `mccmnc\n${'999-11\n'.repeat(5001)}`],
    ['a column that is none', '__proto__,mccmnc\nx,999-11\n'],
  ])('%s is refused in words', async (_, file) => {
    expect(await send(ann, file, { apply: 'true' })).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
  })

  test.each([
    ['NUL', Buffer.from('type,serial\nplastic_sim,EVIL\u0000-1\n')],
    ['Latin-1', Buffer.from('type,serial\nplastic_sim,EVIL\xf3-2\n', 'latin1')],
    ['a formula', Buffer.from('type,serial\nplastic_sim,=HYPERLINK("http://evil.test")\n')],
    ['markup', Buffer.from('type,serial\nplastic_sim,<img src=x onerror=alert(1)>\n')],
  ])('%s in stock is told by its line', async (_, file) => {
    const answer = await ann.call(loadInventory, { query: {}, body: file } as never)
    expect(answer).toMatchObject({ status: 200, body: { loaded: 0, failed: 1 } })
  })

  test('what looks like a formula leaves as text', async () => {
    await ann.call(listSearchHits, { query: { search: '=1+2' } })
    const { text } = await ann.call(exportStaffLog)
    expect(text).toContain("'=1+2")
    expect(text).not.toMatch(/(^|,)=1\+2/m)
  })
})

describe('another site’s page', () => {
  test.each(['multipart/form-data; boundary=x', 'application/x-www-form-urlencoded', 'text/plain'])(
    'cannot send a %s form, with or without the headers of a browser',
    async (type) => {
      const payload = '{"reason":"by a form"}'
      const customer = await house.newOwner()
      const url = `/v1/backoffice/accounts/${customer.email}/suspend`
      const staff = { cookie: ann.cookie, 'x-backoffice-token': ann.token, 'content-type': type }
      for (const [headers, status] of [
        [{ ...staff, 'sec-fetch-site': 'cross-site' }, 403],
        [{ ...staff, 'sec-fetch-site': 'same-site' }, 403],
        [{ ...staff, origin: 'null' }, 403],
        [{ ...staff, origin: 'https://evil.test' }, 403],
        [staff, 400],
      ] as const)
        expect((await house.server.inject({ method: 'POST', url, headers, payload })).statusCode).toBe(status)
      const row = await house.db
        .selectFrom('account')
        .select('suspended_at')
        .where('id', '=', customer.account_id)
        .executeTakeFirstOrThrow()
      expect(row.suspended_at).toBeNull()
    }
  )
})

test('of two who suspend or switch at once, both are answered what became of it, and the log has each once', async () => {
  const customer = await house.newOwner()
  const params = { email: customer.email }
  const both = await Promise.all([ann, ben].map((staff) => staff.call(suspendAccount, { params, body: { reason: 'Unpaid' } })))
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  await Promise.all(
    [true, false].map((on, i) => [ann, ben][i]!.call(updateFeatureFlags, { params, body: { network_groups: on, reason: 'A test' } }))
  )
  const names = (await house.events(customer.account_id)).map(({ name }) => name)
  expect(names.filter((name) => name === 'backoffice.account_suspended')).toHaveLength(1)
})
