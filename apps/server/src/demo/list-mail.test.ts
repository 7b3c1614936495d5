import { expect, test } from 'vitest'
import { listMail, mostMail } from '@masthead/contract/demo/operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { queueMail } from '../kernel/mail/mail.ts'

const queue = (house: House, to: string) =>
  house.db.transaction().execute((tx) => queueMail(tx, { to, subject: 'Hello', text: '{console}/profile' }, house.clock.now()))
const read = async (person: Person) => (await person.call(listMail)).body
const to = async (person: Person) => (await read(person)).items.map((mail) => mail.to)

/** Makes somebody one of the demo's people. */
async function demoPerson(house: House) {
  const person = await house.newOwner()
  await house.db.updateTable('person').set({ email: 'owner@demo.test' }).where('email', '=', person.email).execute()
  return person
}

test('the demo shows what it would have mailed, newest first', async () => {
  await using house = await openHouse({ config: { demo: true } })
  const owner = await demoPerson(house)
  const stranger = await house.newOwner()
  for (const email of ['owner@demo.test', 'invited@demo.test', stranger.email, 'nobody@example.test']) await queue(house, email)
  expect(await to(owner)).toEqual(['nobody@example.test', 'invited@demo.test', 'owner@demo.test'])
  // Whoever has an account of their own has mail of their own.
  expect(await to(stranger)).toEqual([stranger.email])
  expect((await read(owner)).items[0]!.text).toBe('http://localhost:8080/#/profile')
})

test('of many mails the newest are shown, as many as the screen says', async () => {
  await using house = await openHouse({ config: { demo: true } })
  const owner = await demoPerson(house)
  for (let n = 0; n <= mostMail; n++) await queue(house, `${n}@example.test`)
  expect(await to(owner)).toEqual(Array.from({ length: mostMail }, (_, n) => `${mostMail - n}@example.test`))
})

test('where there is no demo, or mail is sent, none is shown', async () => {
  for (const config of [{ demo: false }, { demo: true, smtpUrl: 'smtp://127.0.0.1:1' }]) {
    await using house = await openHouse({ config })
    const owner = await demoPerson(house)
    await queue(house, 'owner@demo.test')
    expect(await read(owner)).toEqual({ shown: false, items: [] })
  }
})
