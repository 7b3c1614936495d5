import { task } from '../kernel/jobs/jobs.ts'
import { followPools } from './follow-pools.ts'
import { followTags } from './pool-members.ts'
import { renewDuePools } from './renew-pools.ts'

export const poolTasks = [
  task('follow_pools', (app, payload: { account_id: string }) => followPools(app, payload)),
  task('follow_tags', (app, payload: { account_id: string; tag_ids: string[] }) => followTags(app, payload)),
  task('renew_pools', renewDuePools, '* * * * *'),
]
