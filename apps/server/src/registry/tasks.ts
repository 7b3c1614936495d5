import { task, type Task } from '../kernel/jobs/jobs.ts'
import { rankImages } from './attached/rank-images.ts'
import { checkOldest } from './content/check-registry.ts'
import { cleanUp } from './content/clean-up.ts'
import { releasePromised } from './content/reserve.ts'
import { watchDamage } from './content/watch-damage.ts'
import { cleanUpTags } from './retention/clean-up-tags.ts'
import { scanByItself } from './scans/scan-by-itself.ts'

export const registryTasks: Task[] = [
  task(
    'registry.clean_up',
    async (app) => {
      const done = await cleanUp(app)
      if (Object.values(done).some((count) => count > 0)) app.log.info(done, 'the registry was cleaned up')
    },
    '17 * * * *'
  ),
  task('registry.release_promised', releasePromised, '* * * * *'),
  task('registry.rank_images', rankImages, '* * * * *'),
  task('registry.clean_up_tags', cleanUpTags, '40 2 * * *'),
  task('registry.check_oldest', (app) => checkOldest(app), '52 * * * *'),
  task('registry.watch_damage', watchDamage, '*/10 * * * *'),
  task('registry.scan_by_itself', scanByItself, '*/10 * * * *'),
]
