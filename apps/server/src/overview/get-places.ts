import type { Reply } from '@masthead/contract/kernel/operation'
import type { getPlaces as promise } from '@masthead/contract/overview/glance-operations'
import type { Actor, Db, ReadDb } from '../kernel/app.ts'
import { networksOf } from '../networks/index.ts'
import { findJudged, shareMoment } from '../usage/index.ts'
import { countByNetwork } from './get-strip.ts'

/** Where SIMs are, by the network that they last used data on. */
export const getPlaces = (db: ReadDb, actor: Actor): Promise<Reply<typeof promise>> =>
  shareMoment(db, actor, ['places', Math.floor(actor.at.getTime() / 5000)], (tx) => readPlaces(tx, actor))

async function readPlaces(db: Db, actor: Actor): Promise<Reply<typeof promise>> {
  const counts = await countByNetwork(db, actor, await findJudged(db, actor))
  const networks = await networksOf(
    db,
    counts.map(({ mccmnc }) => mccmnc)
  )
  return {
    networks: counts
      .flatMap(({ mccmnc, ...count }) => (mccmnc === null ? [] : [{ network: networks.get(mccmnc)!, ...count }]))
      .toSorted((a, b) => b.sims - a.sims || (a.network.mccmnc < b.network.mccmnc ? -1 : 1)),
    unknown: counts.find(({ mccmnc }) => mccmnc === null)?.sims ?? 0,
  }
}
