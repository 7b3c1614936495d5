import { getPreference, setPreference } from '@masthead/contract/notifications/operations'
import type { Preference } from '@masthead/contract/notifications/preference'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { plainPreference } from './test-alerts.ts'

let house: House
beforeAll(async () => void (house = await openHouse()))
afterAll(() => house[Symbol.asyncDispose]())
const want = async (person: Person, changes: Partial<Preference>) => {
  const answer = await person.call(setPreference, { body: { ...plainPreference, ...changes } })
  expect(answer.status, answer.text).toBe(200)
}

describe('a preference', () => {
  test('is each person’s own on each account, and a change of it stands in the activities', async () => {
    const owner = await house.newOwner('Acme')
    const member = await house.newMember(owner, ['notifications.view'])
    expect((await owner.call(getPreference)).body).toEqual(plainPreference)
    await want(owner, { quiet_from: '22:00', quiet_to: '07:05', timezone: 'Asia/Kolkata', cooldown_minutes: 5 })
    await want(owner, { quiet_from: '22:00', quiet_to: '07:05', timezone: 'Asia/Kolkata', cooldown_minutes: 5 })
    expect((await owner.call(getPreference)).body).toMatchObject({ quiet_from: '22:00', quiet_to: '07:05', timezone: 'Asia/Kolkata' })
    expect((await member.call(getPreference)).body).toEqual(plainPreference)
    expect((await house.events(owner.account_id)).map(({ name }) => name)).toEqual(['notifications.preference_changed'])
  })

  test.each([
    [{ timezone: 'Mars/Olympus' }, 'timezone'],
    [{ quiet_from: '22:00', quiet_to: '22:00' }, 'quiet_to'],
    [{ quiet_from: '22:00' }, 'quiet_to'],
    [{ quiet_from: '25:00', quiet_to: '07:00' }, 'quiet_from'],
    [{ cooldown_minutes: 1441 }, 'cooldown_minutes'],
    [{ mail: ['loud' as never] }, 'mail.0'],
  ])('%o is refused in words', async (changes, field) => {
    const owner = await house.newOwner()
    const { status, body } = await owner.call(setPreference, { body: { ...plainPreference, ...changes } })
    expect([status, Object.keys(body.fields ?? {})]).toEqual([400, [field]])
  })
})
