import type { Reported } from '@masthead/contract/devices/device'
import { EsimProgress } from '@masthead/contract/devices/network/reported'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { type Actor, type AppDb, systemActor, type Tx } from '../../kernel/app.ts'
import { nextRevision, notifyDevice } from '../agent/change-container.ts'
import { encryptNetworkSecrets, findNetworkRow, networkSecretsOf } from './network-rows.ts'

type Row = { account_id: string; device_id: string; seen_at: Date; reported: Reported | null }

/**
 * Deletes what was to be done with an eSIM once its device says that it is done or has failed: an activation code is kept for as long as it is
 * needed, here and on the device, which is asked to check. It says so in each report: what fails here is deleted at the next.
 */
export async function noteEsimEnded({ db, log }: { db: AppDb; log: Logger }, rows: readonly Row[]): Promise<void> {
  const ended = rows.flatMap(({ account_id, device_id, seen_at, reported }) => {
    const esim = reported?.network?.esim as { job?: unknown } | null | undefined
    const job = EsimProgress.safeParse(esim?.job).data
    return job && job.state !== 'running' ? [{ account_id, device_id, seen_at, job }] : []
  })
  if (ended.length === 0) return
  const { rows: found } = await sql<{ account_id: string; asset_id: string; device_id: string }>`
    select n.account_id, n.asset_id, said.device_id
    from unnest(${ended.map(({ account_id }) => account_id)}::text[], ${ended.map(({ device_id }) => device_id)}::text[],
      ${ended.map(({ job }) => job.generation)}::bigint[]) as said (account_id, device_id, generation)
    join device d on d.account_id = said.account_id and d.id = said.device_id
    join device_network n on n.account_id = d.account_id and n.asset_id = d.asset_id
    where (n.esim_job ->> 'generation')::bigint = said.generation`.execute(db)
  for (const { account_id, asset_id, device_id } of found) {
    const { seen_at, job } = ended.find((each) => each.device_id === device_id)!
    // One that fails, as where its secrets cannot be read, holds up no other device.
    await db
      .transaction()
      .execute((tx) => forgetJob(tx, systemActor(account_id, seen_at), { asset_id, job }))
      .catch((err: unknown) => log.warn({ err, asset_id }, 'what a device has done with its eSIM is not deleted yet'))
  }
}

async function forgetJob(tx: Tx, actor: Actor, { asset_id, job }: { asset_id: string; job: EsimProgress }) {
  const { account_id } = actor
  // The lock that each change of what is wanted begins with.
  await nextRevision(tx, actor, asset_id)
  const row = await findNetworkRow(tx, account_id, asset_id)
  if (!row || row.esim_job?.generation !== job.generation) return
  const { esim, apns, ...others } = networkSecretsOf(tx, row)
  const { iccid } = job
  // Of a profile that was added what it is to be used with stays.
  const added = job.state === 'done' && iccid !== undefined && esim?.apn ? { [iccid]: esim.apn } : {}
  const kept = { ...others, apns: { ...apns, ...added } }
  await tx
    .updateTable('device_network')
    .set({ esim_job: null, sealed_secrets: encryptNetworkSecrets(tx, asset_id, JSON.stringify(kept)) })
    .where('account_id', '=', account_id)
    .where('asset_id', '=', asset_id)
    .execute()
  await notifyDevice(tx, actor, asset_id)
}
