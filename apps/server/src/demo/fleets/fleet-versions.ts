import type { ContainerSpec } from '@masthead/contract/devices/agent/application'
import { addPastRollout } from '../../alpon-fleets/index.ts'
import { systemActor, type Tx } from '../../kernel/app.ts'
import { buildDemoImage, type DemoImage } from '../images/build-images.ts'
import { ownerEmail } from '../people.ts'

/** The fleet whose devices are simulated, so that what was rolled out to it is reported by them. */
export const demoFleet = 'Depots Europe'
/** The container that one of them cannot run, and its newest image. */
export const failing = {
  container: 'door-sensor',
  tag: '0.5.0-rc1',
  words: 'It exited with code 1 five times in a row: no such option --debounce',
} as const

const day = 86_400_000

/** `registry`: its host, and the name of the account there. */
const container = (registry: string, name: DemoImage, tag: string, more: Partial<ContainerSpec> = {}): ContainerSpec => ({
  name,
  image: `${registry}/${name}:${tag}@${buildDemoImage(name, tag).described.digest}`,
  ports: [],
  volumes: [{ host: `${name}-data`, container: '/data', mode: 'rw' }],
  environment: [{ name: 'REGION', value: 'eu', secret: false }],
  restart_policy: 'always',
  health: null,
  ...more,
})
const everySecond = {
  environment: [
    { name: 'REGION', value: 'eu', secret: false },
    { name: 'BATCH', value: '20', secret: false },
  ],
}

type DemoFleet = {
  registry: string
  account_id: string
  fleet_id: string
  pilot_asset_id: string
  pilot_name: string
  assets: readonly string[]
  fails: string
}

/** Three versions of a fleet: two reached all of its devices, the third was halted because one device could not run it. */
export async function writeDemoRollouts(
  tx: Tx,
  { registry, account_id, fleet_id, pilot_asset_id, pilot_name, assets, fails }: DemoFleet,
  now: Date
) {
  const tracker = (tag: string, more?: Partial<ContainerSpec>) => container(registry, 'gps-tracker', tag, more)
  const sensor = (tag: string) =>
    container(registry, failing.container, tag, { ports: [{ host: 30_080, container: 8080, protocol: 'tcp' }] })
  const owner = (daysAgo: number) => ({
    ...systemActor(account_id, new Date(now.getTime() - daysAgo * day)),
    kind: 'member' as const,
    email: ownerEmail,
  })
  const ordered = [pilot_asset_id, fails, ...assets.filter((id) => id !== pilot_asset_id && id !== fails)]
  const fleet = { id: fleet_id, name: demoFleet }
  const plan = { phases: [20, 50, 100], most_failed_percent: 20, retries: 1, minutes_a_device: 30, window: null }
  const phaseOf = (nth: number) => (nth === 0 ? 0 : nth < Math.ceil(ordered.length / 2) ? 1 : 2)
  const done = (nth: number, asset_id: string) => ({
    asset_id,
    phase: phaseOf(nth),
    state: 'success' as const,
    began: phaseOf(nth) * 12,
    settled: phaseOf(nth) * 12 + 3 + nth,
    attempts: nth === 3 ? 2 : 1,
  })
  const common = { fleet, pilot_name, plan }
  await addPastRollout(tx, owner(34), {
    ...common,
    content: { containers: [sensor('0.4.1'), tracker('1.3.0')], secrets: {} },
    note: 'The first version, as it ran in Malmö for a week',
    state: 'finished',
    startedAfter: 40,
    endedAfter: 45,
    devices: ordered.map((asset_id, nth) => done(nth, asset_id)),
  })
  await addPastRollout(tx, owner(11), {
    ...common,
    content: { containers: [sensor('0.4.2'), tracker('1.4.0', everySecond)], secrets: {} },
    note: 'Positions in batches of 20: less data over cellular',
    state: 'finished',
    startedAfter: 180,
    endedAfter: 52,
    devices: ordered.map((asset_id, nth) => done(nth, asset_id)),
  })
  await addPastRollout(tx, owner(2), {
    ...common,
    content: { containers: [sensor(failing.tag), tracker('1.4.0', everySecond)], secrets: {} },
    note: 'Doors that bounce are counted once',
    state: 'halted',
    startedAfter: 25,
    endedAfter: 31,
    devices: ordered.map((asset_id, nth) => {
      if (nth === 1)
        return {
          asset_id,
          phase: 1,
          state: 'failure',
          attempts: 2,
          error: `${failing.container}: ${failing.words}`,
          began: 12,
          settled: 31,
        }
      return phaseOf(nth) < 2 ? done(nth, asset_id) : { asset_id, phase: 2, state: 'pending' as const }
    }),
  })
}
