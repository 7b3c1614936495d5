import type { Tx } from '../kernel/app.ts'
import type { DemoAsset } from './fleet.ts'
import { ownerEmail } from './people.ts'
import { seeded } from './random.ts'

const cities: Record<string, readonly [latitude: number, longitude: number]> = {
  rotterdam: [51.92, 4.48],
  lyon: [45.76, 4.84],
  warsaw: [52.23, 21.01],
  gdansk: [54.35, 18.65],
  hamburg: [53.55, 9.99],
  milan: [45.46, 9.19],
  madrid: [40.42, -3.7],
  leeds: [53.8, -1.55],
  malmo: [55.6, 13],
  austin: [30.27, -97.74],
  toronto: [43.65, -79.38],
  osaka: [34.69, 135.5],
}

/** The owner has said where those stand that stay in one city. */
export async function writeDemoPlaces(tx: Tx, account_id: string, fleet: readonly DemoAsset[], now: Date): Promise<void> {
  const random = seeded(51_920)
  const near = (degrees: number) => Number((degrees + (random.next() - 0.5) * 0.2).toFixed(4))
  const places = fleet.flatMap(({ asset_id, name, created_days_ago, pattern }) => {
    const [, at] = Object.entries(cities).find(([city]) => name.includes(`-${city}`)) ?? []
    if (!at || pattern === 'tracker') return []
    const since = new Date(now.getTime() - created_days_ago * 86_400_000)
    return [{ account_id, asset_id, since, latitude: near(at[0]), longitude: near(at[1]), set_by: ownerEmail }]
  })
  await tx.insertInto('asset_place').values(places).execute()
}
