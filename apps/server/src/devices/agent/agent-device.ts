import { Problem, type ProblemKind } from '@masthead/contract/kernel/problem'
import { runsContainers } from '@masthead/contract/devices/agent/application'
import { ReportedState } from '@masthead/contract/devices/agent/messages'
import { deviceNotEnrolled, onOtherAsset, runsNoAgent } from '@masthead/contract/devices/agent/problems'
import type { Db } from '../../kernel/app.ts'

/** The agent of an asset, if one was set up. */
export const findAgentDevice = (db: Db, account_id: string, asset_id: string) =>
  db
    .selectFrom('device')
    .select(['id', 'online', 'since', 'reported', 'reported_at', 'certificate_hash', 'certificate_ends_at'])
    .where('account_id', '=', account_id)
    .where('asset_id', '=', asset_id)
    .where('kind', '=', 'agent')
    .executeTakeFirst()

export async function getAgentDevice(db: Db, account_id: string, asset_id: string) {
  const device = await findAgentDevice(db, account_id, asset_id)
  if (!device) throw await refusalOf(db, account_id, asset_id, deviceNotEnrolled)
  return device
}

/** The version that an agent said last, as far as it has the shape of a report. `said`: its section of what the device reported. */
export const versionOf = (said: unknown): string | null =>
  ReportedState.shape.versions.safeParse((said as { versions?: unknown } | undefined)?.versions).data?.agent ?? null

/** A problem of an asset, and by its name whether its type runs no agent of ours. */
export async function refusalOf(db: Db, account_id: string, asset_id: string, kind: ProblemKind): Promise<Problem> {
  const asset = await db
    .selectFrom('asset')
    .select('type')
    .where('account_id', '=', account_id)
    .where('id', '=', asset_id)
    .executeTakeFirst()
  return asset && !runsContainers(asset.type) ? new Problem(onOtherAsset(kind), runsNoAgent) : new Problem(kind)
}

export async function assetNameOf(db: Db, account_id: string, asset_id: string): Promise<string> {
  const { name } = await db
    .selectFrom('asset')
    .select('name')
    .where('account_id', '=', account_id)
    .where('id', '=', asset_id)
    .executeTakeFirstOrThrow()
  return name
}
