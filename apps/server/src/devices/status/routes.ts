import { Readable } from 'node:stream'
import * as ops from '@masthead/contract/devices/status-operations'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import { getAssetId, listStays } from '../../assets/index.ts'
import type { Actor, App } from '../../kernel/app.ts'
import { read, type Answer, type Route } from '../../kernel/http/routes.ts'
import { countStream } from '../../kernel/live/open-streams.ts'
import { whileAllowed } from '../../kernel/live/streams.ts'
import { getAgentDevice } from '../agent/agent-device.ts'
import { getAgentApplication } from '../agent/index.ts'
import { getNetwork } from '../network/network-rows.ts'
import { followProgress } from './follow-progress.ts'
import { getDeviceStatus, getMeasurements, getModem } from './get-status.ts'
import { containerProgress, esimProgress } from './progress.ts'

type Call = { actor: Actor; params: { asset_id: string; name?: string }; query: { wait: number } }
type Follow = (app: App, at: { account_id: string; asset_id: string; name: string }, wait: number) => Promise<AsyncGenerator<string>>

/** Answers with events; who asks for a device that is not there is refused before the first. */
const events =
  (follow: Follow): Answer =>
  async ({ app, reply, stillAllowed }, { actor, params, query }: Call) => {
    const { account_id } = actor
    const asset_id = await getAssetId(app.db, actor, params.asset_id)
    await getAgentDevice(app.db, account_id, asset_id)
    const pieces = await follow(app, { account_id, asset_id, name: params.name ?? '' }, query.wait)
    const counted = countStream(app, actor)
    void reply.type('text/event-stream').header('x-accel-buffering', 'no')
    return Readable.from(counted(whileAllowed(pieces, stillAllowed)))
  }

export const deviceStatusRoutes: Route[] = [
  read(ops.getDeviceStatus, async ({ db, actor, params }) =>
    getDeviceStatus(db, actor.account_id, await getAssetId(db, actor, params.asset_id))
  ),
  read(ops.getMeasurements, async ({ db, actor, params }) =>
    getMeasurements(db, actor.account_id, await getAssetId(db, actor, params.asset_id))
  ),
  read(ops.getModem, async ({ db, actor, params }) => getModem(db, actor.account_id, await getAssetId(db, actor, params.asset_id))),
  read(ops.getLocation, async ({ db, actor, params }) => {
    const { items } = await listStays(db, actor, await getAssetId(db, actor, params.asset_id))
    return { location: items[0] ?? null }
  }),
  {
    op: ops.getContainerProgress,
    answer: events(async ({ db }, { account_id, asset_id, name }, wait) => {
      const look = async () => {
        const application = await getAgentApplication(db, account_id, asset_id)
        return { event: containerProgress(application, name), online: application.device?.online ?? false }
      }
      if ((await look()).event.error === 'AppNotFound') throw new Problem(notFound)
      return followProgress(look, wait)
    }),
  },
  {
    op: ops.getEsimProgress,
    answer: events(({ db }, { account_id, asset_id }, wait) => {
      const look = async () => {
        const network = await getNetwork(db, account_id, asset_id)
        return { event: esimProgress(network), online: network.device?.online ?? false }
      }
      return Promise.resolve(followProgress(look, wait))
    }),
  },
]
