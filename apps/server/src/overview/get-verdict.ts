import { sql } from 'kysely'
import type { Reply } from '@masthead/contract/kernel/operation'
import { simStates, type SimStatus } from '@masthead/contract/assets/sim'
import type { getVerdict as promise } from '@masthead/contract/overview/glance-operations'
import type { Actor, Db, ReadDb } from '../kernel/app.ts'
import { countAwaited, countUsual, findJudged, isFed, isNowFor, offNow, shareMoment, type OffState, type WorkHour } from '../usage/index.ts'
import { countAssets } from './overview-queries.ts'
import { readStanding, shareStanding, type Standing } from './standing.ts'

/** Fewer weeks say nothing of what is usual. */
const leastWeeks = 2
const weekMs = 7 * 86_400_000

/**
 * How many of the SIMs that should work do. Each part is kept or as small as what is wrong, so that it is as new with a million SIMs; of a large account those of feeds
 * and those never seen may be counted up to 5 s before.
 */
export async function getVerdict(db: ReadDb, actor: Actor): Promise<Reply<typeof promise>> {
  const awaited = (await isFed(db, actor)) ? await shareMoment(db, actor, ['awaited'], (tx) => countAwaited(tx, actor), isNowFor) : null
  const standing = await shareStanding(db, actor)
  return db.snapshot(async (tx) => readVerdict(tx, actor, { awaited, standing: standing ?? (await readStanding(tx, actor)) }))
}

type Counted = { awaited: Awaited<ReturnType<typeof countAwaited>>; standing: Standing }

async function readVerdict(db: Db, actor: Actor, { awaited, standing }: Counted): Promise<Reply<typeof promise>> {
  const judged = await findJudged(db, actor)
  const unseen = sum(standing.networks.map((network) => network.unseen))
  const unjudged = sum(standing.networks.map((network) => network.unjudged))
  const { rows } = await sql<{ state: OffState; count: number }>`select state, count(*) as count
    from (${offNow(actor, judged ?? sql`null::timestamptz`)}) n group by 1`.execute(db)
  const off = (state: OffState) => rows.find((row) => row.state === state)?.count ?? 0
  const counts = await countAssets(db, actor)
  const countOf = (status: SimStatus) => sum(counts.filter((each) => each.sim_status === status).map(({ count }) => count))
  const should = countOf('active') + off('blocked')
  return {
    at: actor.at.toISOString(),
    judged_until: judged?.toISOString() ?? null,
    should,
    works: judged && Math.max(0, should - off('blocked') - off('refused') - off('silent') - unjudged),
    blocked: off('blocked'),
    refused: off('refused'),
    silent: judged && off('silent'),
    unseen: judged && unjudged,
    usual: judged && usualOf(await countUsual(db, actor, judged), Math.max(0, should - unseen), actor.at),
    awaited: awaited && { sims: awaited.sims, until: awaited.until.toISOString() },
    not_counted: (Object.keys(simStates) as SimStatus[])
      .filter((status) => status !== 'active')
      .map((status) => ({ status, count: countOf(status) }))
      .filter(({ count }) => count > 0),
  }
}

/** The least and the most that worked, of as many SIMs as there are today and were seen: an account that grew is no news. */
function usualOf(hours: readonly WorkHour[], seen: number, at: Date) {
  const known = hours.filter((hour) => hour.should > 0)
  const weeks = new Set(known.map(({ hour }) => Math.round((at.getTime() - hour.getTime()) / weekMs))).size
  if (weeks < leastWeeks) return null
  const shares = known.map((hour) => hour.works / hour.should)
  return { from: Math.floor(Math.min(...shares) * seen), to: Math.ceil(Math.max(...shares) * seen), weeks }
}

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)
