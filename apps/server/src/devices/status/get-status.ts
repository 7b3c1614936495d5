import { ReportedState, Vitals } from '@masthead/contract/devices/agent/messages'
import { containerStatus } from '@masthead/contract/devices/agent/application'
import type * as ops from '@masthead/contract/devices/status-operations'
import type { Reply } from '@masthead/contract/kernel/operation'
import type { Db } from '../../kernel/app.ts'
import { getAgentDevice } from '../agent/agent-device.ts'
import { readAgentApplication } from '../agent/index.ts'
import { isoOf } from '../get-device.ts'
import { getNetwork } from '../network/network-rows.ts'

/** Throws device_not_enrolled. */
export async function getDeviceStatus(db: Db, account_id: string, asset_id: string): Promise<Reply<typeof ops.getDeviceStatus>> {
  const { id } = await getAgentDevice(db, account_id, asset_id)
  const row = await db
    .selectFrom('device')
    .select(['online', 'since', 'last_birth_at', 'last_seen_at', 'reported_at'])
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const { device, items } = await readAgentApplication(db, account_id, asset_id)
  const how = items.map(containerStatus)
  return {
    presence: row.last_birth_at === null ? 'never' : row.online ? 'online' : 'offline',
    since: isoOf(row.since),
    last_seen_at: isoOf(row.last_seen_at),
    reported_at: isoOf(row.reported_at),
    revision: device!.revision,
    reported_revision: device!.reported_revision,
    agent_version: device!.agent_version,
    engine: device!.engine,
    architecture: device!.architecture,
    containers: {
      wanted: items.length,
      as_wanted: how.filter((each) => each === 'right' || each === 'finished').length,
      in_trouble: how.filter((each) => each === 'trouble').length,
    },
  }
}

/** Throws device_not_enrolled. */
export async function getMeasurements(db: Db, account_id: string, asset_id: string): Promise<Reply<typeof ops.getMeasurements>> {
  const { reported } = await getAgentDevice(db, account_id, asset_id)
  const said = reported.agent ?? {}
  const { versions, host, booted_at } = ReportedState.shape
  return {
    vitals: Vitals.safeParse(reported.vitals).data ?? null,
    versions: versions.safeParse(said.versions).data ?? null,
    host: host.safeParse(said.host).data ?? null,
    booted_at: booted_at.safeParse(said.booted_at).data ?? null,
  }
}

/** Throws device_not_enrolled. */
export async function getModem(db: Db, account_id: string, asset_id: string): Promise<Reply<typeof ops.getModem>> {
  await getAgentDevice(db, account_id, asset_id)
  const { reported } = await getNetwork(db, account_id, asset_id)
  return { modem: reported?.modem ?? null, words: reported?.modem_words ?? reported?.words ?? null, reported_at: reported?.at ?? null }
}
