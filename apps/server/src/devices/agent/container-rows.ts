import { sql } from 'kysely'
import type { Application, Container, ContainerSpec } from '@masthead/contract/devices/agent/application'
import { ReportedContainer, withoutLastLines } from '@masthead/contract/devices/agent/container'
import { ReportedState } from '@masthead/contract/devices/agent/messages'
import { anyOf } from '../../assets/index.ts'
import type { Db } from '../../kernel/app.ts'
import type { Keyed } from '../../kernel/secrets/secret-keys.ts'
import { findAgentDevice } from './agent-device.ts'
import { isOwnImage, type OwnHosts } from './own-hosts.ts'

export const containersOf = (db: Db, account_id: string, asset_id: string) =>
  db.selectFrom('container').selectAll().where('account_id', '=', account_id).where('asset_id', '=', asset_id).orderBy('name').execute()
export type ContainerRow = Awaited<ReturnType<typeof containersOf>>[number]

export type Secrets = Record<string, string>
export const encryptSecrets = ({ keys }: Keyed, id: string, secrets: string): string => keys.encrypt(`container ${id}`, secrets)
export const decryptSecrets = ({ keys }: Keyed, id: string, sealed: string): string => keys.decrypt(`container ${id}`, sealed)
export const secretsOf = (db: Keyed, { id, sealed_secrets }: Pick<ContainerRow, 'id' | 'sealed_secrets'>): Secrets =>
  JSON.parse(decryptSecrets(db, id, sealed_secrets)) as Secrets
/** That of a variable, whatever its name is. */
export const secretOf = (secrets: Secrets, name: string): string | undefined => (Object.hasOwn(secrets, name) ? secrets[name] : undefined)

/** The secrets of each container of an asset, by its name. */
export async function secretsByContainer(db: Db & Keyed, account_id: string, asset_id: string): Promise<Record<string, Secrets>> {
  const rows = await containersOf(db, account_id, asset_id)
  return Object.fromEntries(rows.map((row) => [row.name, secretsOf(db, row)]))
}

type Wanted = { containers: ContainerSpec[]; secrets: Record<string, Secrets>; stopped: string[] }

/** What is wanted of many assets, with its secrets, by asset. `stopped`: the names of containers that are not to run. */
export async function wantedOf(db: Db & Keyed, account_id: string, asset_ids: readonly string[]): Promise<Map<string, Wanted>> {
  const rows = await containersOfMany(db, account_id, asset_ids)
  return new Map(
    [...Map.groupBy(rows, ({ asset_id }) => asset_id)].map(([asset_id, own]) => [
      asset_id,
      {
        containers: own,
        secrets: Object.fromEntries(own.map((row) => [row.name, secretsOf(db, row)])),
        stopped: own.filter(({ run }) => run !== 'running').map(({ name }) => name),
      },
    ])
  )
}

const containersOfMany = (db: Db, account_id: string, asset_ids: readonly string[]) =>
  db
    .selectFrom('container')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('asset_id', '=', anyOf(asset_ids))
    .orderBy('name')
    .execute()

function asContainer(row: ContainerRow, reported: ReportedContainer | undefined, newer_digest: string | null): Container {
  const { account_id: _, id: _id, asset_id: _asset, sealed_secrets: _sealed, restart: _restart, ...shown } = row
  return {
    ...shown,
    created_at: row.created_at.toISOString(),
    changed_at: row.changed_at.toISOString(),
    reported: reported ?? null,
    newer_digest,
  }
}

export const revisionOf = async (db: Db, account_id: string, asset_id: string): Promise<number> =>
  (
    await db
      .selectFrom('application')
      .select('revision')
      .where('account_id', '=', account_id)
      .where('asset_id', '=', asset_id)
      .executeTakeFirst()
  )?.revision ?? 0

/** Of containers that run an image of our registry by a tag: the digest that the tag has by now, if it is another. */
async function movedTags(db: Db, hosts: OwnHosts, account_id: string, items: readonly Container[]): Promise<Map<string, string>> {
  const running = items.flatMap(({ name, image, generation, reported }) => {
    const [path = '', digest] = image.slice(image.indexOf('/') + 1).split('@')
    const [repository = '', tag = 'latest'] = path.split(':')
    const is = reported?.digest && reported.generation === generation && digest === undefined && isOwnImage(image, hosts)
    return is ? [{ name, repository, tag, digest: reported.digest! }] : []
  })
  if (running.length === 0) return new Map()
  const tags = await db
    .selectFrom('registry_tag as t')
    .innerJoin('registry_repository as r', (join) => join.onRef('r.account_id', '=', 't.account_id').onRef('r.id', '=', 't.repository_id'))
    .innerJoin('registry_account as a', 'a.account_id', 't.account_id')
    .select(['t.name as tag', 't.digest', sql<string>`a.slug || '/' || r.name`.as('repository')])
    .where('t.account_id', '=', account_id)
    .where('r.name', '=', anyOf([...new Set(running.map(({ repository }) => repository.slice(repository.indexOf('/') + 1)))]))
    .where('t.name', '=', anyOf([...new Set(running.map(({ tag }) => tag))]))
    .execute()
  return new Map(
    running.flatMap(({ name, repository, tag, digest }) => {
      const now = tags.find((each) => each.repository === repository && each.tag === tag)
      return now && now.digest !== digest ? [[name, now.digest] as const] : []
    })
  )
}

/** What is wanted of an asset's device, and what it reported last. Nothing is said of its fleet, or of tags that moved. */
export async function readApplication(db: Db, account_id: string, asset_id: string): Promise<Application> {
  const [device, rows] = [await findAgentDevice(db, account_id, asset_id), await containersOf(db, account_id, asset_id)]
  return asApplication(device, rows, await revisionOf(db, account_id, asset_id))
}

/** All of it. */
export async function getApplication(db: Db, hosts: OwnHosts, account_id: string, asset_id: string): Promise<Application> {
  const application = await readApplication(db, account_id, asset_id)
  const moved = await movedTags(db, hosts, account_id, application.items)
  const fleet_version = await versionOfFleet(db, account_id, asset_id)
  return {
    ...application,
    fleet_version,
    items: application.items.map((item) => ({ ...item, newer_digest: moved.get(item.name) ?? null })),
  }
}

/** The version that a device gets by its fleet. The pilot gets none: the next one is made on it. */
const versionOfFleet = async (db: Db, account_id: string, asset_id: string): Promise<number | null> =>
  (
    await db
      .selectFrom('fleet_asset')
      .innerJoin('fleet', (join) =>
        join.onRef('fleet.account_id', '=', 'fleet_asset.account_id').onRef('fleet.id', '=', 'fleet_asset.fleet_id')
      )
      .select('fleet.version')
      .where('fleet_asset.account_id', '=', account_id)
      .where('fleet_asset.asset_id', '=', asset_id)
      .where(sql<boolean>`fleet.pilot_asset_id is distinct from fleet_asset.asset_id`)
      .executeTakeFirst()
  )?.version ?? null

/** For whoever may not read logs: what containers printed last is left out. */
export function withoutLogs(application: Application): Application {
  const without = ({ problem, ...reported }: ReportedContainer): ReportedContainer => ({
    ...reported,
    problem: problem && { ...problem, words: withoutLastLines(problem.words) },
  })
  return {
    ...application,
    items: application.items.map(({ reported, ...item }) => ({ ...item, reported: reported && without(reported) })),
    leaving: application.leaving.map(without),
  }
}

/** The same of many assets, by their ids; of those that have an agent. */
export async function getApplications(db: Db, account_id: string, asset_ids: readonly string[]): Promise<Map<string, Application>> {
  if (asset_ids.length === 0) return new Map()
  const devices = await db
    .selectFrom('device')
    .leftJoin('application', (join) =>
      join.onRef('application.account_id', '=', 'device.account_id').onRef('application.asset_id', '=', 'device.asset_id')
    )
    .select(['device.asset_id', 'device.id', 'online', 'since', 'reported', 'reported_at', 'application.revision'])
    .where('device.account_id', '=', account_id)
    .where('device.asset_id', '=', anyOf(asset_ids))
    .where('kind', '=', 'agent')
    .execute()
  const rows = await containersOfMany(db, account_id, asset_ids)
  const byAsset = Map.groupBy(rows, ({ asset_id }) => asset_id)
  return new Map(
    devices.map((device) => [device.asset_id, asApplication(device, byAsset.get(device.asset_id) ?? [], device.revision ?? 0)])
  )
}

type AgentDevice = Omit<NonNullable<Awaited<ReturnType<typeof findAgentDevice>>>, 'certificate_hash' | 'certificate_ends_at'>

/** What a device said, as far as it has the shape of a report: a device may say anything, and an older agent less. */
function readState(said: unknown): Partial<Pick<ReportedState, 'at' | 'revision' | 'versions' | 'host' | 'engine_words' | 'containers'>> {
  const fields = (said ?? {}) as Record<string, unknown>
  const { at, revision, versions, host, engine_words } = ReportedState.shape
  const containers = Array.isArray(fields.containers) ? fields.containers : []
  return {
    at: at.safeParse(fields.at).data,
    revision: revision.safeParse(fields.revision).data,
    versions: versions.safeParse(fields.versions).data,
    host: host.safeParse(fields.host).data,
    engine_words: engine_words.safeParse(fields.engine_words).data,
    containers: containers.flatMap((each) => ReportedContainer.safeParse(each).data ?? []),
  }
}

/** Agents name processors as Node.js does, and images as Go does. */
const otherNames: Record<string, string> = { x64: 'amd64', ia32: '386' }
export const architectureOf = (arch: string | null | undefined): string | null => (arch ? (otherNames[arch] ?? arch) : null)

function asApplication(device: AgentDevice | undefined, rows: readonly ContainerRow[], revision: number): Application {
  const said = readState(device?.reported.agent)
  const there = said.containers ?? []
  return {
    device: device
      ? {
          id: device.id,
          online: device.online,
          since: device.since?.toISOString() ?? null,
          reported_at: said.at ?? null,
          revision,
          reported_revision: said.revision ?? 0,
          engine: said.versions?.engine ?? null,
          architecture: architectureOf(said.host?.arch),
          engine_words: said.engine_words ?? null,
          agent_version: said.versions?.agent ?? null,
        }
      : null,
    items: rows.map((row) =>
      asContainer(
        row,
        there.find(({ name }) => name === row.name),
        null
      )
    ),
    fleet_version: null,
    leaving: there.filter(({ name }) => !rows.some((row) => row.name === name)),
  }
}
