import fc from 'fast-check'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { correctUsage, undoCorrection } from '@masthead/contract/backoffice/correction-operations'
import { enterStaff, type Staff } from '../test-backoffice.ts'
import { openMeteredHouse, readingOf, stored, type MeteredHouse, type TestSim } from '../../metering/test-network.ts'
import { proveRollUps, rebuildRollUps } from '../../usage/roll-ups/rebuild-roll-ups.ts'
import { rollUp } from '../../usage/roll-ups/roll-up.ts'
import { rollUpAll } from '../../usage/roll-ups/test-roll-up-all.ts'
import { expectTotalsAgree } from './test-corrections.ts'

// Whatever comes in whatever order, reports, corrections, undone ones, roll-ups and rebuilds, every total says the same afterwards.
// Each part has a database of its own, because every history compares all that the ones before it left.
const numRuns = 50
const parts = Array.from({ length: Math.ceil(Number(process.env.MASTHEAD_HISTORIES ?? 200) / 4 / numRuns) }, (_, part) => part + 1)
vi.setConfig({ testTimeout: numRuns * 6000 })
const days = ['2026-10-30', '2026-10-31', '2026-11-01', '2026-11-19', '2026-11-20']
const right = { wrong_hours: 0, wrong_days: 0, wrong_months: 0, wrong_account_hours: 0 }

let house: MeteredHouse
let staff: Staff
beforeEach(async () => {
  house = await openMeteredHouse()
  house.clock.set('2026-11-20T12:00:00Z')
  staff = await enterStaff(house)
  await sql`update usage_coverage set records_since = '2026-01-01'`.execute(house.db)
  await sql`update gateway set created_at = '2026-01-01'`.execute(house.db)
  await house.db.insertInto('network').values({ mccmnc: '208-01', name: 'Orange', country: 'FR' }).execute()
})
afterEach(() => house[Symbol.asyncDispose]())

const sim = fc.integer({ min: 0, max: 1 })
const day = fc.constantFrom(...days)
const amount = fc.integer({ min: -6000, max: 3000 })
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('report' as const),
      sim,
      day,
      hour: fc.integer({ min: 1, max: 11 }),
      up: fc.nat(5000),
      down: fc.nat(5000),
      mccmnc: fc.constantFrom('262-01', '208-01'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('correct' as const),
      sim,
      day,
      bytes_up: amount,
      bytes_down: amount,
      mccmnc: fc.constantFrom(undefined, '208-01'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('undo' as const), which: fc.nat(20) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('roll up' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('rebuild' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('at once' as const), sim, day, bytes_up: amount }) }
)
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never

let sessions = 0
const report = (of: TestSim, on: string, hour: number, up: number, down: number, mccmnc: string) =>
  stored(
    house,
    readingOf(house, of, {
      acct_session_id: `m${++sessions}`,
      event_at: Date.parse(`${on}T${String(hour).padStart(2, '0')}:30:00Z`),
      session_time: 600,
      counter_up: up,
      counter_down: down,
      mccmnc,
      rat: 'LTE',
    })
  )

/** The answer of a correction: done, or refused for one of the reasons there are. */
const expected = ['usage_below_zero', 'nothing_counted', 'invalid_request', 'correction_undone']
const check = ({ status, body }: { status: number; body: { code?: string | undefined } }) =>
  expect(status === 200 || expected.includes(body.code!), JSON.stringify(body)).toBe(true)

async function take(one: Step, sims: readonly TestSim[], done: { sim: TestSim; id: string }[]) {
  const correct = async (of: TestSim, given: { day: string; bytes_up: number; bytes_down: number; mccmnc?: string | undefined }) => {
    const answer = await staff.call(correctUsage, { params: { any_asset_id: of.asset_id }, body: { ...given, reason: 'A ticket' } })
    check(answer)
    if (answer.status === 200) done.push({ sim: of, id: answer.body.id })
  }
  switch (one.do) {
    case 'report':
      return void (await report(sims[one.sim]!, one.day, one.hour, one.up, one.down, one.mccmnc))
    case 'correct':
      return correct(sims[one.sim]!, { day: one.day, bytes_up: one.bytes_up, bytes_down: one.bytes_down, mccmnc: one.mccmnc })
    case 'undo': {
      const chosen = done[one.which % Math.max(done.length, 1)]
      if (!chosen) return
      const params = { any_asset_id: chosen.sim.asset_id, correction_id: chosen.id }
      const answer = await staff.call(undoCorrection, { params, body: { reason: 'A mistake' } })
      check(answer)
      if (answer.status === 200) done.push({ sim: chosen.sim, id: answer.body.id })
      return
    }
    case 'roll up':
      return void (await rollUp(house.app))
    case 'rebuild':
      return void (await rebuildRollUps(house.app, '2026-10-30', '2026-11-21'))
    case 'at once':
      // Reports and corrections of both SIMs, and a roll-up, all under way together.
      await Promise.all([
        ...sims.map((of) => report(of, one.day, 6, 700, 50, '262-01')),
        ...sims.map((of) => correct(of, { day: one.day, bytes_up: one.bytes_up, bytes_down: -20 })),
        correct(sims[one.sim]!, { day: one.day, bytes_up: -300, bytes_down: 0 }),
        rollUp(house.app),
      ])
  }
}

test.each(parts)(
  `after any sequence of reports and corrections all totals agree, in ${numRuns} histories: part %i of ${parts.length}`,
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
        const sims = [await house.newSim(), await house.newSim({ limit_bytes: 4000 })]
        await sql`update sim set created_at = '2026-01-01'`.execute(house.db)
        const done: { sim: TestSim; id: string }[] = []
        for (const one of steps) await take(one, sims, done)
        await rollUpAll(house.app)
        await rollUp(house.app)
        await expectTotalsAgree(house)
        expect(await proveRollUps(house.app, '2026-10-30', '2026-11-21')).toMatchObject(right)
        await rebuildRollUps(house.app, '2026-10-30', '2026-11-21')
        await expectTotalsAgree(house)
        // The limit holds by what is counted now.
        const { rows } = await sql`select s.id from sim s join usage_limit l on l.account_id = s.account_id and l.sim_id = s.id
          left join sim_counter c on c.account_id = s.account_id and c.sim_id = s.id
        where (s.blocks <> '[]') <> (c.period_start >= '2026-11-01' and c.bytes_up + c.bytes_down >= l.bytes) is true`.execute(house.db)
        expect(rows).toEqual([])
      }),
      { numRuns, endOnFailure: false }
    )
  }
)
