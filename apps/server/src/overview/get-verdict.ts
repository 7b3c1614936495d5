import { sql } from 'kysely'
import type { Reply } from '@masthead/contract/kernel/operation'
import { simStates, type SimStatus } from '@masthead/contract/assets/sim'
import type { getVerdict as promise } from '@masthead/contract/overview/glance-operations'
import type { Actor, Db, ReadDb } from '../kernel/app.ts'
import { countAwaited, countUsual, findJudged, isFed, offNow, shareMoment, type OffState, type WorkHour } from '../usage/index.ts'
import { countAssets } from './overview-queries.ts'

/** Fewer weeks say nothing of what is usual. */
const leastWeeks = 2
const weekMs = 7 * 86_400_000

/** How many of the SIMs that should work do. Each part is kept or as small as what is wrong, so that it is as new with a million SIMs. */
export async function getVerdict(db: ReadDb, actor: Actor): Promise<Reply<typeof promise>> {
  const awaited = (await isFed(db, actor)) ? await shareMoment(db, actor, ['awaited'], (tx) => countAwaited(tx, actor)) : null
  return db.snapshot((tx) => readVerdict(tx, actor, awaited))
}

async function readVerdict(db: Db, actor: Actor, awaited: Awaited<ReturnType<typeof countAwaited>>): Promise<Reply<typeof promise>> {
  const judged = await findJudged(db, actor)
  const { rows } = await sql<{ state: OffState; count: number }>`select state, count(*) as count
    from (${offNow(actor, judged ?? sql`null::timestamptz`)}) n group by 1`.execute(db)
  const off = (state: OffState) => rows.find((row) => row.state === state)?.count ?? 0
  const counts = await countAssets(db, actor)
  const countOf = (status: SimStatus) => counts.reduce((sum, each) => sum + (each.sim_status === status ? each.count : 0), 0)
  const should = countOf('active') + off('blocked')
  return {
    at: actor.at.toISOString(),
    judged_until: judged?.toISOString() ?? null,
    should,
    works: judged && should - off('blocked') - off('refused') - off('silent'),
    blocked: off('blocked'),
    refused: off('refused'),
    silent: judged && off('silent'),
    usual: judged && usualOf(await countUsual(db, actor, judged), should, actor.at),
    awaited: awaited && { sims: awaited.sims, until: awaited.until.toISOString() },
    not_counted: (Object.keys(simStates) as SimStatus[])
      .filter((status) => status !== 'active')
      .map((status) => ({ status, count: countOf(status) }))
      .filter(({ count }) => count > 0),
  }
}

/** The least and the most that worked, of as many SIMs as there are today: an account that grew is no news. */
function usualOf(hours: readonly WorkHour[], should: number, at: Date) {
  const known = hours.filter((hour) => hour.should > 0)
  const weeks = new Set(known.map(({ hour }) => Math.round((at.getTime() - hour.getTime()) / weekMs))).size
  if (weeks < leastWeeks) return null
  const shares = known.map((hour) => hour.works / hour.should)
  return { from: Math.floor(Math.min(...shares) * should), to: Math.ceil(Math.max(...shares) * should), weeks }
}
