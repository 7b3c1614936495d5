import type { Reply } from '@masthead/contract/kernel/operation'
import { mostPlaced, type getPlaces as promise } from '@masthead/contract/overview/glance-operations'
import { visibleTo } from '../assets/index.ts'
import type { Actor, Db, ReadDb } from '../kernel/app.ts'
import { networksOf } from '../networks/index.ts'
import { isNowFor, shareMoment } from '../usage/index.ts'
import { readStanding, shareStanding } from './standing.ts'

/** Where SIMs are, by the network that they last used data on, and assets by the position that was set. */
export async function getPlaces(db: ReadDb, actor: Actor): Promise<Reply<typeof promise>> {
  const { networks: counts } = (await shareStanding(db, actor)) ?? (await readStanding(db, actor))
  const networks = await networksOf(
    db,
    counts.map(({ mccmnc }) => mccmnc)
  )
  return {
    networks: counts
      .flatMap(({ mccmnc, sims, off }) => (mccmnc === null ? [] : [{ network: networks.get(mccmnc)!, sims, off }]))
      .toSorted((a, b) => b.sims - a.sims || (a.network.mccmnc < b.network.mccmnc ? -1 : 1)),
    unknown: counts.find(({ mccmnc }) => mccmnc === null)?.sims ?? 0,
    ...(await shareMoment(db, actor, ['placed'], (tx) => listPlaced(tx, actor), isNowFor)),
  }
}

async function listPlaced(db: Db, actor: Actor): Promise<Pick<Reply<typeof promise>, 'placed' | 'more_placed'>> {
  const placed = await db
    .selectFrom('asset_place as p')
    .innerJoin('asset', (join) => join.onRef('asset.account_id', '=', 'p.account_id').onRef('asset.id', '=', 'p.asset_id'))
    .select(['p.asset_id', 'asset.name', 'asset.serial', 'p.latitude', 'p.longitude'])
    .where('p.account_id', '=', actor.account_id)
    .where('p.until', 'is', null)
    .where(visibleTo(actor))
    .orderBy('p.asset_id')
    .limit(mostPlaced + 1)
    .execute()
  return { placed: placed.slice(0, mostPlaced), more_placed: placed.length > mostPlaced }
}
