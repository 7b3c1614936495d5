import type { ContainerProblem } from '@masthead/contract/devices/agent/container'
import type { Step } from '@masthead/contract/devices/agent/plan'
import { EngineTrouble } from './request.ts'

/** Which of the known problems a failed step is. Docker has 409 for a name or a port that is taken, podman 500 with words. */
export function problemOf(doing: Step['do'], error: unknown): { code: ContainerProblem; words: string } {
  const words = error instanceof Error ? error.message : String(error)
  if (error instanceof EngineTrouble && error.status === 0 && doing !== 'pull') return { code: 'engine_away', words }
  if (doing === 'pull') return { code: 'image_pull_backoff', words }
  if (/port is already allocated|address already in use|port.*in use|ports? are not available/i.test(words))
    return { code: 'port_in_use', words }
  if (doing === 'create' && /name .*(in use|already)/i.test(words)) return { code: 'name_in_use', words }
  return { code: 'failed', words }
}
