import type { GroupFields } from '@masthead/contract/network-groups/network-group'
import { systemActor, type Tx } from '../kernel/app.ts'
import { createGroup } from '../network-groups/index.ts'
import type { DemoAsset } from './fleet.ts'
import { ownerEmail } from './people.ts'

const MB = 1_000_000
const day = 86_400_000
const eea = 'AT BE BG HR CY CZ DK EE FI FR DE GR HU IS IE IT LV LI LT LU MT NL NO PT RO SK SI ES SE'.split(' ')

type DemoGroup = { name: string; daysAgo: number; fields: GroupFields; has: (asset: DemoAsset) => boolean }

/** The network groups of the demo. The limit of a group stands in the place of those that its SIMs would have by themselves. */
const groups: readonly DemoGroup[] = [
  {
    name: 'Reefers EU',
    daysAgo: 95,
    fields: {
      limit_bytes: 1000 * MB,
      countries: [...eea, 'CH', 'GB'],
      networks: ['260-01', '260-06'],
      rats: ['EUTRAN', 'NR'],
      apn: 'iot.acme',
      imei_lock: true,
    },
    has: ({ tags }) => tags.includes('cold-chain'),
  },
  {
    name: 'Meters NB',
    daysAgo: 90,
    fields: { limit_bytes: 100 * MB, countries: ['DE', 'NL', 'SE'], networks: ['260-06'], rats: ['LTE-M', 'NB-IoT'], apn: 'iot.acme' },
    has: ({ tags }) => tags.includes('metering'),
  },
  {
    name: 'Kiosks',
    daysAgo: 60,
    fields: { limit_bytes: 250 * MB, on_limit: 'alert', countries: ['DE', 'ES', 'FR', 'IT', 'US'], networks: [] },
    has: ({ tags }) => tags.includes('retail'),
  },
  {
    name: 'Field test',
    daysAgo: 12,
    fields: { limit_bytes: 5000 * MB, countries: ['DE'], networks: [], imei_lock: true },
    has: () => false,
  },
]

/** Makes the groups as people make them; gives the one that an asset's SIM is in, or null: the default one. */
export async function writeDemoGroups(tx: Tx, account_id: string, now: Date): Promise<(asset: DemoAsset) => string | null> {
  const made: { id: string; has: DemoGroup['has'] }[] = []
  for (const { name, daysAgo, fields, has } of groups) {
    const at = new Date(now.getTime() - daysAgo * day)
    const owner = { ...systemActor(account_id, at), kind: 'member' as const, email: ownerEmail }
    made.push({ id: (await createGroup(tx, owner, { name, ...fields })).id, has })
  }
  return (asset) => made.find(({ has }) => has(asset))?.id ?? null
}
