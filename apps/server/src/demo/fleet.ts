import type { AssetType } from '@masthead/contract/assets/asset'
import { luhnDigit } from '@masthead/contract/assets/iccid'
import type { BlockCode, SimState } from '@masthead/contract/assets/sim'
import { newId } from '@masthead/contract/kernel/id'
import { seeded, type Random } from './random.ts'

export type Pattern = 'tracker' | 'meter' | 'camera' | 'router' | 'runaway' | 'silent' | 'standby'
type Visited = { mccmnc: string; rat: string }

/** One asset of the demo with its SIM, and how it behaves on the network. */
export type DemoAsset = {
  asset_id: string
  sim_id: string
  name: string
  type: AssetType
  serial: string
  tags: string[]
  iccid: string
  imsi: string
  msisdn: string
  eid: string | null
  imei: string
  /** Of the device it is in now, by its IMEI: its own, but for one that somebody moved. */
  device: string
  state: SimState
  block: DemoBlock | null
  limit_bytes: number | null
  pattern: Pattern
  apn: string
  route: Visited[]
  /** Bytes of an ordinary day. */
  daily_bytes: number
  created_days_ago: number
}

const MB = 1_000_000
const GB = 1_000_000_000
const on = (rat: string, ...mccmncs: string[]): Visited[] => mccmncs.map((mccmnc) => ({ mccmnc, rat }))

type Family = {
  count: number
  type: AssetType
  name: (i: number) => string
  pattern: Pattern
  tags: string[]
  limit: number | null
  daily: number
  routes: Visited[][]
  first: number
}

const cities = ['rotterdam', 'lyon', 'warsaw', 'gdansk', 'hamburg', 'milan', 'madrid', 'leeds', 'malmo', 'austin', 'toronto', 'osaka']
const city = (i: number) => cities[i % cities.length]!
const padded = (value: number, width: number) => String(value).padStart(width, '0')

const kiosk = (i: number) => `kiosk-${city(i * 5)}-${padded(i, 3)}`
const meter = (i: number) => `meter-${city(Math.floor(i / 20) + 2)}-${i}`
const tracker = (i: number) => `tracker-${city(i * 7)}-${i}`

const families: Family[] = [
  {
    count: 28,
    first: 120,
    type: 'alpon_x4',
    name: (i) => `reefer-truck-${padded(i, 4)}`,
    pattern: 'tracker',
    tags: ['cold-chain', 'eu'],
    limit: GB,
    daily: 24 * MB,
    routes: [
      on('EUTRAN', '204-08', '262-01', '260-06'),
      on('EUTRAN', '208-01', '222-10', '228-01'),
      on('EUTRAN', '234-15', '208-01', '204-08'),
    ],
  },
  {
    count: 12,
    first: 1,
    type: 'axis_gw',
    name: (i) => `depot-${city(i - 1)}-gw${1 + Math.floor((i - 1) / 12)}`,
    pattern: 'router',
    tags: ['gateway'],
    limit: 10 * GB,
    daily: 260 * MB,
    routes: cities.map((_, i) =>
      on(
        'EUTRAN',
        ['204-08', '208-01', '260-06', '260-06', '262-01', '222-10', '214-07', '234-15', '240-01', '310-410', '302-720', '440-10'][i]!
      )
    ),
  },
  {
    count: 36,
    first: 20,
    type: 'core',
    name: kiosk,
    pattern: 'router',
    tags: ['retail'],
    limit: 250 * MB,
    daily: 5.5 * MB,
    routes: [on('EUTRAN', '208-01'), on('EUTRAN', '214-07'), on('EUTRAN', '222-10'), on('EUTRAN', '262-01'), on('EUTRAN', '310-410')],
  },
  {
    count: 80,
    first: 2200,
    type: 'plastic_sim',
    name: meter,
    pattern: 'meter',
    tags: ['metering'],
    limit: 100 * MB,
    daily: 0.6 * MB,
    routes: [on('NB-IoT', '260-06'), on('NB-IoT', '262-01'), on('LTE-M', '260-06'), on('NB-IoT', '240-01'), on('LTE-M', '204-08')],
  },
  {
    count: 16,
    first: 11,
    type: 'alpon_x5_ai',
    name: (i) => `cam-gantry-${i}`,
    pattern: 'camera',
    tags: ['vision'],
    limit: null,
    daily: 310 * MB,
    routes: [on('NR', '240-01'), on('EUTRAN', '262-01'), on('NR', '234-15'), on('NR', '440-10')],
  },
  {
    count: 40,
    first: 100,
    type: 'plastic_sim',
    name: tracker,
    pattern: 'tracker',
    tags: ['logistics'],
    limit: 250 * MB,
    daily: 3.1 * MB,
    routes: [on('LTE-M', '260-06', '262-01', '208-01'), on('LTE-M', '310-410', '302-720'), on('EUTRAN', '440-10'), on('EUTRAN', '724-05')],
  },
  {
    count: 12,
    first: 1,
    type: 'picolte',
    name: (i) => `buoy-${['biscay', 'baltic', 'solent'][i % 3]}-${padded(i, 2)}`,
    pattern: 'meter',
    tags: ['marine'],
    limit: 100 * MB,
    daily: 1.4 * MB,
    routes: [on('LTE-M', '214-07'), on('NB-IoT', '240-01'), on('LTE-M', '234-15')],
  },
  {
    count: 16,
    first: 84,
    type: 'picolte',
    name: (i) => `pico-hive-${padded(i, 4)}`,
    pattern: 'silent',
    tags: [],
    limit: 250 * MB,
    daily: 0,
    routes: [on('EUTRAN', '505-01'), on('EUTRAN', '530-05')],
  },
]

const serialPrefix: Record<AssetType, string> = {
  picolte: 'PL',
  plastic_sim: 'PS',
  core: 'CD',
  alpon_x4: 'X4',
  alpon_x5_ai: 'X5',
  axis_gw: 'AG',
}
const tac: Record<AssetType, string> = {
  picolte: '86769804',
  plastic_sim: '35909206',
  core: '86769804',
  alpon_x4: '86406705',
  alpon_x5_ai: '86520006',
  axis_gw: '35456711',
}

function identity(random: Random, type: AssetType, index: number) {
  const body = `8931082017${padded(4_400_000 + index * 37, 8)}`
  const imeiBody = tac[type] + random.digits(6)
  return {
    iccid: body + luhnDigit(body),
    imsi: `20408${padded(1_170_000_000 + index * 91, 10)}`,
    msisdn: `31970102${padded(50_000 + index * 13, 6)}`,
    eid: type.startsWith('alpon') ? `8904903200${padded(index * 7919, 20)}` + random.digits(2) : null,
    imei: imeiBody + luhnDigit(imeiBody),
  }
}

/** What a SIM of the demo may be blocked for: its account has credits, is not suspended, and has neither cost limits nor a rule that blocks, so no SIM says otherwise. */
export type DemoBlock = Exclude<BlockCode, 'account_suspended' | 'balance' | 'cost_cap' | 'rule'>

/** The SIMs whose state is shown as an example; the rest are active (or ready, never seen). */
const stories: Record<string, { state?: SimState; block?: DemoBlock; pattern?: Pattern; limit?: number }> = {
  'reefer-truck-0147': { block: 'data_limit' },
  'reefer-truck-0131': { block: 'pool_exhausted' },
  'cam-gantry-17': { block: 'imei_mismatch' },
  [meter(2211)]: { block: 'staff' },
  [kiosk(36)]: { block: 'asset_off' },
  'cam-gantry-13': { pattern: 'runaway', limit: 10 * GB },
  'buoy-baltic-04': { state: 'standby', pattern: 'standby' },
  'buoy-solent-05': { state: 'standby', pattern: 'standby' },
  'buoy-biscay-06': { state: 'standby', pattern: 'standby' },
}
for (const i of [105, 112, 118, 121, 133]) stories[tracker(i)] = { state: 'inactive', pattern: 'silent' }
for (const i of [2207, 2231, 2262]) stories[meter(i)] = { state: 'inactive', pattern: 'silent' }
for (const i of [44, 51]) stories[kiosk(i)] = { state: 'terminated', pattern: 'silent' }

/** Its SIM was switched off and on again so long ago, to give it a new session. */
export const restartedHoursAgo = 2.1
export const isRestarted = ({ name }: DemoAsset) => name === 'reefer-truck-0135'

const strangeBody = '35332811204417'
/** The device that the SIM of a camera was moved to, which its lock refuses. */
const strangeDevice = strangeBody + luhnDigit(strangeBody)

/** About 240 assets of all types over a dozen countries. */
export function demoFleet(now: Date): DemoAsset[] {
  const random = seeded(20_408)
  let index = 0
  return families.flatMap((family) =>
    Array.from({ length: family.count }, (_, k): DemoAsset => {
      index++
      const name = family.name(family.first + k)
      const story = stories[name] ?? {}
      const pattern = story.pattern ?? family.pattern
      const created_days_ago = family.pattern === 'silent' ? random.whole(3, 30) : random.whole(60, 300)
      const created = now.getTime() - created_days_ago * 86_400_000
      const own = identity(random, family.type, index)
      return {
        asset_id: newId('asset', created),
        sim_id: newId('sim', created),
        name,
        type: family.type,
        serial: `${serialPrefix[family.type]}-24${padded(1 + (index % 12), 2)}-${padded(index * 7, 5)}`,
        tags: family.tags,
        ...own,
        device: story.block === 'imei_mismatch' ? strangeDevice : own.imei,
        state: story.state ?? (family.pattern === 'silent' ? 'ready' : 'active'),
        block: story.block ?? null,
        limit_bytes: story.limit ?? family.limit,
        pattern,
        apn: 'iot.acme',
        route: family.routes[k % family.routes.length]!,
        daily_bytes: Math.round(family.daily * random.wobble(0.8)),
        created_days_ago,
      }
    })
  )
}
