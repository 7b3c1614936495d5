import { sql } from 'kysely'
import type { FleetVersion } from '@masthead/contract/alpon-fleets/rollout'
import type { Page, PageQuery } from '@masthead/contract/kernel/page'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import type { Viewer } from '../../assets/index.ts'
import type { Content, Secrets } from '../../devices/agent/index.ts'
import { noNetwork, type NetworkContent } from '../../devices/network/index.ts'
import type { Db } from '../../kernel/app.ts'
import { pageByKey } from '../../kernel/http/page-by-key.ts'
import type { Keyed } from '../../kernel/secrets/secret-keys.ts'
import { getFleet } from '../fleet-queries.ts'

export const encryptVersion = ({ keys }: Keyed, id: string, secrets: string): string => keys.encrypt(`fleet_version ${id}`, secrets)
export const decryptVersion = ({ keys }: Keyed, id: string, sealed: string): string => keys.decrypt(`fleet_version ${id}`, sealed)

const columns = ['version', 'containers', 'network', 'changes', 'note', 'pilot_name', 'created_at', 'created_by'] as const
type Row = Omit<FleetVersion, 'created_at'> & { created_at: Date }

export const asVersion = ({ containers, created_at, ...row }: Row): FleetVersion => ({
  ...row,
  containers: containers.map(({ name, image }) => ({ name, image })),
  created_at: created_at.toISOString(),
})

/** Versions name an asset, the pilot: whoever is limited to tags does not get its name. */
export async function listVersions(db: Db, viewer: Viewer, fleet_id: string, query: PageQuery): Promise<Page<FleetVersion>> {
  await getFleet(db, viewer, fleet_id)
  return pageByKey(db, query, {
    name: 'fleet_versions',
    all: db.selectFrom('fleet_version').where('account_id', '=', viewer.account_id).where('fleet_id', '=', fleet_id),
    keys: [{ of: sql.ref('version'), is: 'number' }],
    order: 'desc',
    rows: (page) => page.select(columns),
    items: (rows) => rows.map((row) => asVersion({ ...row, pilot_name: viewer.tags.length > 0 ? '' : row.pilot_name })),
  })
}

const rowOf = (db: Db, account_id: string, fleet_id: string) =>
  db.selectFrom('fleet_version').selectAll().where('account_id', '=', account_id).where('fleet_id', '=', fleet_id)

/** The newest version, if any. */
export const findNewest = (db: Db, account_id: string, fleet_id: string) =>
  rowOf(db, account_id, fleet_id).orderBy('version', 'desc').limit(1).executeTakeFirst()

export async function getVersion(db: Db, account_id: string, fleet_id: string, version: number) {
  const row = await rowOf(db, account_id, fleet_id).where('version', '=', version).executeTakeFirst()
  const words = `The fleet has no version ${version}`
  if (!row) throw new Problem(notFound, words)
  return row
}

/** What devices of a fleet are to run, and how they are to reach the network. */
export type VersionContent = Content & { network?: NetworkContent }

/** No container has this name. */
const ofNetwork = '@network'

type Kept = { id: string; containers: Content['containers']; network: FleetVersion['network']; sealed_secrets: string }

/** What a version says, for devices. */
export function contentOf(db: Keyed, { id, containers, network, sealed_secrets }: Kept): Required<VersionContent> {
  const { [ofNetwork]: own = {}, ...secrets } = JSON.parse(decryptVersion(db, id, sealed_secrets)) as Record<string, Secrets>
  const apn = network?.apn ? { ...network.apn, password: own.apn_password ?? null } : null
  return { containers, secrets, network: network ? { priority: network.priority, apn } : noNetwork }
}

/** The same as it is kept. */
export function keptOf(db: Keyed, id: string, { containers, secrets, network = noNetwork }: VersionContent) {
  const { priority, apn } = network
  const all = apn?.password ? { ...secrets, [ofNetwork]: { apn_password: apn.password } } : secrets
  return {
    containers: JSON.stringify(containers),
    network: priority || apn ? JSON.stringify({ priority, apn: apn && { name: apn.name, user: apn.user } }) : null,
    sealed_secrets: encryptVersion(db, id, JSON.stringify(all)),
  }
}
