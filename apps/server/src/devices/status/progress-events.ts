import { longestProgress } from '@masthead/contract/devices/status-operations'
import { Problem, tooManyRequests } from '@masthead/contract/kernel/problem'
import { getAssetId } from '../../assets/index.ts'
import type { Actor, App } from '../../kernel/app.ts'
import type { Answer, Route } from '../../kernel/http/routes.ts'
import { countStream } from '../../kernel/live/open-streams.ts'
import { eventStream, whileAllowed } from '../../kernel/live/streams.ts'
import { getAgentDevice } from '../agent/agent-device.ts'
import { readAgentApplication } from '../agent/index.ts'
import { getNetwork } from '../network/network-rows.ts'
import { followProgress } from './follow-progress.ts'
import { containerProgress, esimProgress } from './progress.ts'

type Call = { actor: Actor; params: { asset_id: string; name?: string }; body?: { name?: string }; query: { wait: number } }
type At = { account_id: string; asset_id: string; name: string }
/** How something is with a device now. */
type Look = (app: App, at: At) => Promise<Parameters<typeof followProgress>[0] extends () => infer Seen ? Awaited<Seen> : never>

export const lookAtContainer: Look = async ({ db }, { account_id, asset_id, name }) => {
  const application = await readAgentApplication(db, account_id, asset_id)
  return { event: containerProgress(application, name), online: application.device?.online ?? false }
}
export const lookAtEsim: Look = async ({ db }, { account_id, asset_id }) => {
  const network = await getNetwork(db, account_id, asset_id)
  return { event: esimProgress(network), online: network.device?.online ?? false }
}

/** Answers with events. Whoever asks about a device that is not there is refused before the first; `before` may refuse, too. */
export const events =
  (look: Look, before: (app: App, at: At) => Promise<void> = () => Promise.resolve()): Answer =>
  async ({ app, reply, stillAllowed }, { actor, params, query, body }: Call) => {
    const { account_id } = actor
    const at = { account_id, asset_id: await getAssetId(app.db, actor, params.asset_id), name: params.name ?? body?.name ?? '' }
    await getAgentDevice(app.db, account_id, at.asset_id)
    await before(app, at)
    const counted = countStream(app, actor)
    void reply.headers(eventStream)
    return counted(
      whileAllowed(
        followProgress(() => look(app, at), query.wait),
        stillAllowed
      )
    )
  }

/** A change, whose answer is its progress where the caller accepts events (domain §6.8). Where too many streams are open it is what it is for others. */
export const orEvents = (look: Look, { op, answer }: Route): Route => ({
  op,
  answer: async (outside, call: Call) => {
    const changed = await answer(outside, call as never)
    if (!outside.request.headers.accept?.includes('text/event-stream')) return changed
    return events(look)(outside, { ...call, query: { wait: longestProgress } } as never).catch((error: unknown) => {
      if (error instanceof Problem && error.kind.code === tooManyRequests.code) return changed
      throw error
    })
  },
})
