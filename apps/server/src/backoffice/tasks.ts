import { assetRegistered } from '@masthead/contract/assets/events'
import { accountClosed, accountReopened } from '@masthead/contract/auth/events'
import { accountResumed, accountSuspended, assetGiven, inventoryLoaded, stockAssigned } from '@masthead/contract/backoffice/events'
import { blocksChanged } from '@masthead/contract/signals'
import { blockScope, clearScope, suspendedBlock } from '../assets/service/index.ts'
import type { App } from '../kernel/app.ts'
import { effect } from '../kernel/jobs/effects.ts'
import { task } from '../kernel/jobs/jobs.ts'
import { publish } from '../kernel/live/publish.ts'
import { countQuarantined } from './quarantine/count-quarantined.ts'
import { notifyStaff } from './staff/staff-log.ts'

const simsAtOnce = 500

/**
 * Brings the rows of an account's SIMs in step with its suspension: all of them blocked for it, or none; what they have open is cut with each
 * part. Says nothing where nothing is to do, so it may run at any time, twice, and after it broke off.
 */
async function holdAccount(app: App, account_id: string): Promise<void> {
  for (let changed = simsAtOnce; changed === simsAtOnce;) {
    changed = await app.db.transaction().execute(async (tx) => {
      // Locked, so that a suspension and a resumption never work against each other.
      const { suspended_at, suspended_reason } = await tx
        .selectFrom('account')
        .select(['suspended_at', 'suspended_reason'])
        .where('id', '=', account_id)
        .forShare()
        .executeTakeFirstOrThrow()
      const sims = suspended_at
        ? await blockScope(tx, { account_id }, suspendedBlock({ suspended_at, suspended_reason }), simsAtOnce)
        : await clearScope(tx, { account_id }, 'account_suspended', simsAtOnce)
      return sims.length
    })
  }
  await publish(app.db, account_id, blocksChanged)
  await notifyStaff(app.db)
}

const hold = (app: App, _detail: unknown, { account_id }: { account_id: string }) => holdAccount(app, account_id)

/** New SIMs of a suspended account have no service either. */
const holdNew = async (app: App, _detail: unknown, { account_id }: { account_id: string }) => {
  const account = await app.db.selectFrom('account').select('suspended_at').where('id', '=', account_id).executeTakeFirst()
  if (account?.suspended_at) await holdAccount(app, account_id)
}

export const backofficeTasks = [
  effect('backoffice.hold_account', [accountSuspended, accountResumed, accountClosed, accountReopened], hold),
  effect('backoffice.hold_new_sims', [assetRegistered, inventoryLoaded, stockAssigned, assetGiven], holdNew),
  task('count_quarantined', (app, payload: { quarantine_ids: string[] }) => countQuarantined(app, payload.quarantine_ids)),
]
