import { task } from '../kernel/jobs/jobs.ts'
import { releaseSilentBrokers } from './broker/broker-row.ts'
import { keepAgentsUpdated, wakeAgentRules } from './agent/keep-updated.ts'
import { dropOldVitals, ensureVitalsPartitions } from './vitals/vitals-partitions.ts'

export const deviceTasks = [
  task('devices.wake_agent_rules', wakeAgentRules, '* * * * *'),
  task('devices.keep_agents_updated', keepAgentsUpdated),
  task('devices.release_silent_brokers', releaseSilentBrokers, '* * * * *'),
  task('ensure_vitals_partitions', ({ db, clock }) => ensureVitalsPartitions(db, clock.now()), '12 * * * *'),
  task('drop_old_vitals', (app) => dropOldVitals(app, app.clock.now()), '50 4 * * *'),
]
