import { task } from '../kernel/jobs/jobs.ts'
import { moveEndedSessions } from './move-gateway.ts'

export const gatewayTasks = [task('move_ended_sessions', moveEndedSessions)]
