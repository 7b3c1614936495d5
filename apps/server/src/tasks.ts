import { rolloutTasks } from './alpon-fleets/rollouts/index.ts'
import { eventKinds } from '@masthead/contract/events'
import { backofficeTasks } from './backoffice/tasks.ts'
import { accountTasks } from './account/tasks.ts'
import { cardTasks } from './billing/cards/index.ts'
import { ledgerTasks } from './billing/ledger/index.ts'
import { invoiceTasks } from './billing/invoices/index.ts'
import { paymentTasks } from './billing/payments/index.ts'
import { costLimitTasks } from './billing/cost-limits/index.ts'
import { refillTasks } from './billing/refill/index.ts'
import { tariffTasks } from './billing/tariffs/index.ts'
import { settlingTasks } from './billing/settling/index.ts'
import { assetTasks } from './assets/tasks.ts'
import { bulkTasks } from './assets/bulk/tasks.ts'
import { serviceTasks } from './assets/service/tasks.ts'
import { earlierEffects, type Effect } from './kernel/jobs/effects.ts'
import { teamTasks } from './teams/tasks.ts'
import { notificationTasks } from './notifications/tasks.ts'
import { startJobs, type Jobs, type Task } from './kernel/jobs/jobs.ts'
import type { App } from './kernel/app.ts'
import { mailTasks } from './kernel/mail/mail.ts'
import { meteringTasks } from './metering/tasks.ts'
import { advisoryTasks } from './advisories/tasks.ts'
import { feedTasks } from './feeds/tasks.ts'
import { gatewayTasks } from './gateways/tasks.ts'
import { registryTasks } from './registry/tasks.ts'
import { reportTasks } from './reports/tasks.ts'
import { tagTasks } from './tags/tasks.ts'
import { poolTasks } from './datapools/tasks.ts'
import { deviceTasks } from './devices/tasks.ts'
import { terminalTasks } from './terminal/tasks.ts'
import { tunnelTasks } from './terminal/tunnels/tasks.ts'
import { authTasks } from './auth/tasks.ts'
import { webhookTasks } from './developers/webhooks/tasks.ts'

/** Every job the worker does. */
export const tasks: readonly (Task | Effect)[] = [
  earlierEffects(eventKinds),
  ...rolloutTasks,
  ...assetTasks,
  ...bulkTasks,
  ...cardTasks,
  ...settlingTasks,
  ...ledgerTasks,
  ...paymentTasks,
  ...costLimitTasks,
  ...tariffTasks,
  ...refillTasks,
  ...invoiceTasks,
  ...serviceTasks,
  ...meteringTasks,
  ...poolTasks,
  ...tagTasks,
  ...registryTasks,
  ...reportTasks,
  ...advisoryTasks,
  ...feedTasks,
  ...gatewayTasks,
  ...terminalTasks,
  ...tunnelTasks,
  ...deviceTasks,
  ...backofficeTasks,
  ...authTasks,
  ...accountTasks,
  ...webhookTasks,
  ...mailTasks,
  ...teamTasks,
  ...notificationTasks,
]

/** What ends the service of a SIM whose device is still on the network. */
const endsService = ({ name }: Task) => name === 'cut_session' || name === 'reconcile_service'
const cutsAtOnce = 8

/**
 * Runs every job. Cuts, and what asks for them, have a runner of their own: each cut waits for its gateway, which may not answer, and all else would wait with it; and
 * a cut must not wait for mail, cards and files.
 */
export async function startTasks(app: App): Promise<Jobs> {
  const others = await startJobs(
    app,
    tasks.filter((each) => !endsService(each))
  )
  const cuts = await startJobs(app, tasks.filter(endsService), { concurrency: cutsAtOnce }).catch(async (error: unknown) => {
    await others.stop()
    throw error
  })
  return {
    isUp: () => others.isUp() && cuts.isUp(),
    tooOften: () => Math.max(others.tooOften(), cuts.tooOften()),
    whyIdle: () => others.whyIdle() ?? cuts.whyIdle(),
    stop: async () => void (await Promise.all([others.stop(), cuts.stop()])),
  }
}
