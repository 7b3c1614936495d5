import type { Reply } from '@masthead/contract/kernel/operation'
import type { getPlaces as promise } from '@masthead/contract/overview/glance-operations'
import type { Actor, ReadDb } from '../kernel/app.ts'
import { networksOf } from '../networks/index.ts'
import { readStanding, shareStanding } from './standing.ts'

/** Where SIMs are, by the network that they last used data on. */
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
  }
}
