import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { HttpReport } from './http-load.ts'
import type { ListLoad, Run } from './list-load-process.ts'

/** A load for the list in a process of its own: what else the caller does, such as loading the meter, is not in its times. */
export async function openListLoad(load: ListLoad) {
  const child = fork(fileURLToPath(new URL('./list-load-process.ts', import.meta.url)), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  const answer = async () => ((await once(child, 'message')) as [HttpReport])[0]
  child.send(load)
  await answer()
  return {
    run: (run: Run): Promise<HttpReport> => {
      child.send(run)
      return answer()
    },
    close: () => void child.kill(),
  }
}
