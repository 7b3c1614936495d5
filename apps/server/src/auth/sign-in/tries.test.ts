import { expect, test } from 'vitest'
import { openHouse, type House } from '@masthead/testkit/house'
import { cookiesOf, registerPerson, signIn } from '../../account/test-person.ts'
import { networkOf } from '../../kernel/network-of.ts'

const limits = { signInPerAddress: 50, failuresPerEmail: 3, registrationsPerAddress: 100 }
const open = () => openHouse({ config: { trustProxy: 1, limits } })
const email = 'person@example.test'

/** Tries one after the other, by status. */
async function tries(house: House, count: number, password: string | undefined, headers: Record<string, string> = {}, who = email) {
  const statuses: number[] = []
  for (let i = 0; i < count; i++) statuses.push((await signIn(house, who, password, headers)).status)
  return statuses
}
const from = (address: string) => ({ 'x-forwarded-for': address })

test.each([
  ['10.0.0.1', '10.0.0.1'],
  ['::ffff:10.0.0.1', '10.0.0.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::1', '2001:db8:1:2'],
  ['2001:0DB8::1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  [null, 'nowhere'],
])('%s counts as %s', (ip, network) => {
  expect(networkOf(ip)).toBe(network)
})

test('after too many failures further tries wait, the right password too, until the window ends', async () => {
  await using house = await open()
  await registerPerson(house, email)
  expect(await tries(house, 4, 'wrong')).toEqual([400, 400, 400, 429])
  const blocked = await signIn(house, email)
  expect(blocked).toMatchObject({
    status: 429,
    body: { code: 'too_many_requests', detail: 'Too many tries. Wait 5 minutes and try again' },
  })
  expect(blocked.headers['retry-after']).toBe('300')
  house.clock.advance({ minutes: 4, seconds: 30 })
  expect((await signIn(house, email)).headers['retry-after']).toBe('30')
  house.clock.advance({ seconds: 31 })
  expect((await signIn(house, email)).status).toBe(200)
})

test('an e-mail nobody has is limited the same', async () => {
  await using house = await open()
  expect(await tries(house, 4, 'wrong', {}, 'nobody@example.test')).toEqual([400, 400, 400, 429])
})

test('many wrong passwords at once get no more tries than one after the other', async () => {
  await using house = await open()
  await registerPerson(house, email)
  const answers = await Promise.all(Array.from({ length: 12 }, () => signIn(house, email, 'wrong')))
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(3)
})

test('right passwords never use up tries', async () => {
  await using house = await open()
  await registerPerson(house, email)
  expect(await tries(house, 8, undefined)).toEqual(Array(8).fill(200))
  expect(await tries(house, 3, 'wrong')).toEqual([400, 400, 400])
})

test('somebody elsewhere cannot lock a person out', async () => {
  await using house = await open()
  const device = cookiesOf(await registerPerson(house, email)).replace(/masthead_session=[^;]+; /, '')
  expect(device).toMatch(/^masthead_device=/)
  expect(await tries(house, 4, 'wrong', from('10.9.0.1'))).toEqual([400, 400, 400, 429])
  expect((await signIn(house, email, undefined, from('10.9.0.2'))).status).toBe(200)

  // From many addresses: strangers wait, the browser that signed in before does not.
  for (let i = 0; i < 11; i++) await tries(house, 3, 'wrong', from(`10.9.1.${i}`))
  expect((await signIn(house, email, undefined, from('10.9.0.3'))).status).toBe(429)
  expect((await signIn(house, email, undefined, { ...from('10.9.0.3'), cookie: device })).status).toBe(200)
  // It is no way around the limit either, nor worth anything for another e-mail.
  expect(await tries(house, 4, 'wrong', { ...from('10.9.0.4'), cookie: device })).toEqual([400, 400, 400, 429])
  await registerPerson(house, 'other@example.test')
  for (let i = 0; i < 11; i++) await tries(house, 3, 'wrong', from(`10.9.2.${i}`), 'other@example.test')
  expect(await tries(house, 1, undefined, { ...from('10.9.0.5'), cookie: device }, 'other@example.test')).toEqual([429])
})

test('one address has only so many tries a minute, whoever it tries', async () => {
  await using house = await open()
  const statuses = await Promise.all(
    Array.from({ length: 52 }, async (_, i) => (await signIn(house, `p${i}@example.test`, 'wrong', from('2001:db8::1'))).status)
  )
  expect(statuses.filter((status) => status === 429)).toHaveLength(2)
  expect((await signIn(house, 'x@example.test', 'wrong', from('2001:db8::ffff'))).status).toBe(429)
  expect((await signIn(house, 'x@example.test', 'wrong', from('2001:db8:0:1::1'))).status).toBe(400)
  house.clock.advance({ seconds: 61 })
  expect((await signIn(house, 'x@example.test', 'wrong', from('2001:db8::ffff'))).status).toBe(400)
})

test('an address that the visitor made up counts for nothing', async () => {
  await using house = await open()
  await registerPerson(house, email)
  const statuses: number[] = []
  for (let i = 0; i < 4; i++) statuses.push((await signIn(house, email, 'wrong', from(`10.8.0.${i}, 203.0.113.7`))).status)
  expect(statuses).toEqual([400, 400, 400, 429])
})
