import { addAssets, createFleet, updateFleet } from '../../alpon-fleets/index.ts'
import { systemActor, type Tx } from '../../kernel/app.ts'
import type { DemoAsset } from '../fleet.ts'
import { demoFleet } from './fleet-versions.ts'
import { ownerEmail } from '../people.ts'

const day = 86_400_000

type DemoFleet = { name: string; daysAgo: number; most?: number; has: (asset: DemoAsset, nth: number) => boolean; hasPilot: boolean }

/** The fleets of the demo, in the order in which they choose among the devices. */
const fleets: readonly DemoFleet[] = [
  { name: 'Cameras', daysAgo: 40, has: ({ type }) => type === 'alpon_x5_ai', hasPilot: true },
  {
    name: demoFleet,
    daysAgo: 75,
    most: 6,
    has: ({ type, route }) => type === 'alpon_x4' && route[0]!.mccmnc.startsWith('2'),
    hasPilot: true,
  },
  { name: 'Depots elsewhere', daysAgo: 20, has: ({ type }, nth) => type === 'alpon_x4' && nth % 2 === 0, hasPilot: false },
]

/** Makes the fleets as people make them. Some devices are left for others. */
export async function writeDemoFleets(tx: Tx, account_id: string, assets: readonly DemoAsset[], now: Date): Promise<void> {
  let left = [...assets]
  for (const { name, daysAgo, has, hasPilot, most = 12 } of fleets) {
    const owner = { ...systemActor(account_id, new Date(now.getTime() - daysAgo * day)), kind: 'member' as const, email: ownerEmail }
    const { id } = await createFleet(tx, owner, { name })
    const mine = left.filter(has).slice(0, most)
    left = left.filter((asset) => !mine.includes(asset))
    if (mine.length === 0) continue
    await addAssets(tx, owner, id, { assets: mine.map(({ asset_id }) => asset_id) })
    if (hasPilot) await updateFleet(tx, owner, id, { pilot_asset_id: mine[0]!.asset_id })
  }
}
