import { appNotFound } from '@masthead/contract/devices/agent/problems'
import * as ops from '@masthead/contract/devices/status-operations'
import { Problem } from '@masthead/contract/kernel/problem'
import { getAssetId, listStays } from '../../assets/index.ts'
import { read, type Route } from '../../kernel/http/routes.ts'
import { getOurId } from '../agent/our-type.ts'
import { getDeviceStatus, getMeasurements, getModem } from './get-status.ts'
import { events, lookAtContainer, lookAtEsim } from './progress-events.ts'

const needContainer = async (...asked: Parameters<typeof lookAtContainer>) => {
  if ((await lookAtContainer(...asked)).event.error === 'AppNotFound') throw new Problem(appNotFound)
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
    const { items } = await listStays(db, actor, await getOurId(db, actor, params.asset_id))
    return { location: items[0] ?? null }
  }),
  { op: ops.getContainerProgress, answer: events(lookAtContainer, needContainer) },
  { op: ops.getEsimProgress, answer: events(lookAtEsim) },
]
