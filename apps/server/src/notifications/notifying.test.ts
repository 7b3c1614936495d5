import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '@masthead/contract/kernel/id'
import { acknowledgeAlerts, setPreference } from '@masthead/contract/notifications/operations'
import type { Preference } from '@masthead/contract/notifications/preference'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { composeMail, sendDue } from './send-due.ts'
import { newAsset, plainPreference, setBlock } from './test-alerts.ts'

let house: House
beforeAll(async () => void (house = await openHouse()))
afterAll(() => house[Symbol.asyncDispose]())
const want = async (person: Person, changes: Partial<Preference>) => {
  const answer = await person.call(setPreference, { body: { ...plainPreference, ...changes } })
  expect(answer.status, answer.text).toBe(200)
}

/** An owner at a time of the day; `block` makes an alert about a SIM, notifies whom it concerns and sends what is due. */
async function newScene(clock = '2026-11-21T12:00:00Z') {
  house.clock.set(clock)
  const owner = await house.newOwner('Acme')
  const block = async (name: string, code: 'data_limit' | 'imei_mismatch' = 'data_limit', tag_id?: string) => {
    const sim = await newAsset(house, owner, name, tag_id)
    await setBlock(house, owner, sim, code, true)
    await house.settle()
    return sim
  }
  return { owner, block }
}
const mailsTo = (email: string) => house.mails(email)

describe('a mail', () => {
  test('gathers what is due, and is sent once', async () => {
    const { owner, block } = await newScene()
    await block('truck')
    await sendDue(house.app)
    expect(await mailsTo(owner.email)).toMatchObject([
      { subject: 'Warning: truck has no service: data limit reached', text: expect.stringMatching(/http:.*\/#\/notifications/) },
    ])
    house.clock.advance({ minutes: 1 })
    await block('van')
    await block('barge', 'imei_mismatch')
    await Promise.all([sendDue(house.app), sendDue(house.app)])
    await sendDue(house.app)
    const mails = await mailsTo(owner.email)
    expect(mails.map(({ subject }) => subject).slice(1)).toEqual([
      'Critical: barge has no service: IMEI does not match, and 1 more on Acme',
    ])
    expect(mails[1]!.text).toMatch(
      /^2 alerts on Acme: 1 critical, 1 warning\.\n\nCritical: barge[^]*\nhttp:\/\/\S+\/#\/assets\/ast_[^]*Warning: van[^]*\nhttp:\/\/\S+\/#\/assets\/ast_/
    )
  })

  test('that cannot be written keeps those of nobody else waiting, and comes once it can', async () => {
    const scenes = [await newScene(), await newScene()]
    for (const which of [0, 1]) {
      const [stuck, other] = [scenes[which]!, scenes[1 - which]!]
      house.clock.advance({ minutes: 120 })
      for (const { block } of scenes) await block(`truck ${newId('asset')}`)
      const counts = async () => [(await mailsTo(stuck.owner.email)).length, (await mailsTo(other.owner.email)).length]
      const [none, some] = await counts()
      await sql`create function refuse_mail() returns trigger language plpgsql as $$ begin raise exception 'stuck'; end $$`.execute(
        house.db
      )
      await sql
        .raw(
          `create trigger refuse_mail before insert on mail for each row when (new.to_email = '${stuck.owner.email}') execute function refuse_mail()`
        )
        .execute(house.db)
      await sendDue(house.app)
      expect(await counts()).toEqual([none, some! + 1])
      await sql`drop function refuse_mail cascade`.execute(house.db)
      await sendDue(house.app)
      expect(await counts()).toEqual([none! + 1, some! + 1])
    }
  })

  test('is not repeated within the cool-down, and then says how often it happened', async () => {
    const { owner, block } = await newScene()
    const sim = await block('truck')
    await sendDue(house.app)
    for (let i = 0; i < 5; i++) {
      house.clock.advance({ minutes: 15 })
      await setBlock(house, owner, sim, 'data_limit', true)
      await house.settle()
      await sendDue(house.app)
    }
    const mails = await mailsTo(owner.email)
    expect(mails).toHaveLength(2)
    expect(mails[1]!.text).toContain('5 times')
  })

  test('goes to those who may know, by what each wants', async () => {
    const { owner, block } = await newScene()
    const { account_id } = owner
    const tag_id = newId('tag')
    await house.db.insertInto('tag').values({ account_id, id: tag_id, name: 'north', color: 'teal' }).execute()
    const rights = ['notifications.view', 'assets.view']
    const [all, limited, blind, silent, left] = await Promise.all([
      house.newMember(owner, rights),
      house.newMember(owner, rights, [tag_id]),
      house.newMember(owner, ['assets.view']),
      house.newMember(owner, rights),
      house.newMember(owner, rights),
    ])
    await want(silent, { mail: [] })
    await want(owner, { muted: ['policy'] })
    await block('hidden')
    await block('theirs', 'data_limit', tag_id)
    const person = await house.db.selectFrom('person').select('id').where('email', '=', left.email).executeTakeFirstOrThrow()
    await house.db.deleteFrom('membership').where('account_id', '=', account_id).where('person_id', '=', person.id).execute()
    await sendDue(house.app)
    expect(await mailsTo(all.email)).toMatchObject([
      { subject: expect.stringMatching(/^Warning: (hidden|theirs) has no service: .*, and 1 more on Acme$/) },
    ])
    expect(await mailsTo(limited.email)).toMatchObject([{ subject: expect.stringContaining('theirs') }])
    for (const each of [owner, blind, silent, left]) expect(await mailsTo(each.email)).toEqual([])
  })

  test('does not come for what somebody has seen to by then', async () => {
    const { owner, block } = await newScene()
    const member = await house.newMember(owner, ['notifications.view', 'notifications.edit', 'assets.view'])
    await block('truck')
    await member.call(acknowledgeAlerts, { body: {} })
    await sendDue(house.app)
    for (const each of [owner, member]) expect(await mailsTo(each.email)).toEqual([])
  })

  test('names fifty and counts the rest', () => {
    const one = {
      severity: 'warn' as const,
      title: 'T',
      words: 'W',
      last_at: new Date(0),
      count: 1,
      resolved_at: null,
      resolved_words: null,
    }
    expect(composeMail(Array(53).fill(one), 'Acme', 'UTC').text).toContain('And 3 more.')
  })

  test('begins with what stands: what is over by then comes last, and says so in the subject', () => {
    const stands = {
      severity: 'warn' as const,
      title: 'van',
      words: 'W',
      link: null,
      last_at: new Date(0),
      count: 1,
      resolved_at: null,
      resolved_words: null,
    }
    const over = { ...stands, severity: 'critical' as const, title: 'truck', resolved_at: new Date(60_000), resolved_words: 'It is back.' }
    const { subject, text } = composeMail([over, stands], 'Acme', 'UTC')
    expect(subject).toBe('Warning: van, and 1 more on Acme')
    expect(text).toMatch(/^2 alerts on Acme: 1 critical, 1 warning\. Over by now: 1\.\n\nWarning: van\n/)
    expect(composeMail([over], 'Acme', 'UTC').subject).toBe('Over: truck')
  })
})

test.each([
  ['Asia/Kolkata', 'Sat 21 Nov 2026, 5:30:00 PM UTC+5:30'],
  ['America/St_Johns', 'Sat 21 Nov 2026, 8:30:00 AM UTC−3:30'],
  ['UTC', 'Sat 21 Nov 2026, 12:00:00 PM UTC'],
])('a mail has the times of %s for who lives there', async (timezone, words) => {
  const { owner, block } = await newScene()
  await want(owner, { timezone })
  await block('truck')
  await sendDue(house.app)
  expect((await mailsTo(owner.email))[0]!.text).toContain(words)
})

describe('quiet hours', () => {
  const night = { quiet_from: '22:00', quiet_to: '07:00' }

  test('hold what is not critical, and end with one mail that says what is over by then', async () => {
    const { owner, block } = await newScene('2026-11-21T22:30:00Z')
    await want(owner, { ...night, timezone: 'Europe/Warsaw' })
    const truck = await block('truck')
    await block('van')
    await block('barge', 'imei_mismatch')
    await sendDue(house.app)
    expect(await mailsTo(owner.email)).toMatchObject([{ subject: expect.stringMatching(/^Critical: .*barge/) }])
    house.clock.advance({ hours: 2 })
    await setBlock(house, owner, truck, 'data_limit', false)
    await house.settle()
    house.clock.set('2026-11-22T05:59:00Z')
    await sendDue(house.app)
    expect(await mailsTo(owner.email)).toHaveLength(1)
    house.clock.set('2026-11-22T06:00:00Z')
    await sendDue(house.app)
    const [, digest] = await mailsTo(owner.email)
    expect(digest!.subject).toMatch(/^Warning: van has no service: .*, and 1 more on Acme$/)
    expect(digest!.text).toContain('Over since Sun 22 Nov 2026, 1:30:00 AM UTC+1: The block was lifted')
  })

  test('hold also what is critical where somebody wants that, and begin for what already waits', async () => {
    const { owner, block } = await newScene('2026-11-21T12:00:00Z')
    await block('barge', 'imei_mismatch')
    await want(owner, { quiet_from: '12:00', quiet_to: '13:00', urgent: false })
    await sendDue(house.app)
    expect(await mailsTo(owner.email)).toEqual([])
    house.clock.advance({ hours: 1 })
    await sendDue(house.app)
    expect(await mailsTo(owner.email)).toHaveLength(1)
  })
})

describe('the mail of the day', () => {
  test('has what happened since the last one; what is critical does not wait for it', async () => {
    const { owner, block } = await newScene('2026-11-21T12:00:00Z')
    await want(owner, { daily_at: '08:30', timezone: 'Europe/Warsaw' })
    await block('truck')
    await block('barge', 'imei_mismatch')
    await sendDue(house.app)
    expect(await mailsTo(owner.email)).toMatchObject([{ subject: expect.stringMatching(/^Critical: .*barge[^,]*$/) }])
    house.clock.set('2026-11-22T07:00:00Z')
    await block('van')
    house.clock.set('2026-11-22T07:29:00Z')
    await sendDue(house.app)
    expect(await mailsTo(owner.email)).toHaveLength(1)
    // A worker that was away for some minutes sends it all the same, and once.
    house.clock.set('2026-11-22T07:42:00Z')
    await sendDue(house.app)
    await sendDue(house.app)
    const mails = await mailsTo(owner.email)
    expect(mails).toHaveLength(2)
    expect(mails[1]!.text).toMatch(/^2 alerts on Acme: 2 warnings\./)
    await block('tram')
    house.clock.set('2026-11-23T07:29:00Z')
    await sendDue(house.app)
    expect(await mailsTo(owner.email)).toHaveLength(2)
    house.clock.set('2026-11-23T07:30:00Z')
    await sendDue(house.app)
    expect((await mailsTo(owner.email))[2]!.subject).toMatch(/^Warning: tram/)
  })

  test('that is wished for later holds what waits, and comes in quiet hours too', async () => {
    const { owner, block } = await newScene('2026-11-21T12:00:00Z')
    await block('truck')
    await want(owner, { daily_at: '13:00', quiet_from: '12:30', quiet_to: '14:00' })
    await sendDue(house.app)
    expect(await mailsTo(owner.email)).toEqual([])
    house.clock.set('2026-11-21T13:00:00Z')
    await sendDue(house.app)
    expect(await mailsTo(owner.email)).toHaveLength(1)
  })
})

test('webhooks are sent one event, when somebody wants that', async () => {
  const { owner, block } = await newScene()
  const member = await house.newMember(owner, ['notifications.view', 'assets.view'])
  const raised = async () => (await house.events(owner.account_id)).filter(({ name }) => name === 'notifications.alert_raised')
  await block('truck')
  expect(await raised()).toEqual([])
  for (const each of [owner, member]) await want(each, { webhook: ['warn'], quiet_from: '11:00', quiet_to: '13:00' })
  const { asset_id } = await block('van')
  expect(await raised()).toMatchObject([{ detail: { severity: 'warn', asset_id, title: expect.stringContaining('van') } }])
})
