import * as ops from '@masthead/contract/devices/operations'
import { getVitals as getVitalsOp } from '@masthead/contract/devices/vitals-operations'
import { read, write, type Route } from '../kernel/http/routes.ts'
import { configureDevice, withdrawConfig } from './change-config.ts'
import { getDevice } from './get-device.ts'
import { getVitals } from './vitals/get-vitals.ts'
import { giveCredentials } from './give-credentials.ts'
import { updateDevice } from './update-device.ts'

export const deviceRoutes: Route[] = [
  read(ops.getDevice, ({ db, actor, params }) => getDevice(db, actor, params.asset_id)),
  read(getVitalsOp, ({ db, actor, params, query }) => getVitals(db, actor, params.asset_id, query)),
  write(ops.enrolDevice, ({ db, actor, params }) => giveCredentials(db, actor, params.asset_id)),
  write(ops.configureDevice, ({ db, actor, params, body }) => configureDevice(db, actor, params.asset_id, body)),
  write(ops.withdrawConfig, ({ db, actor, params }) => withdrawConfig(db, actor, params.asset_id, params.config_id)),
  write(ops.updateDevice, ({ db, actor, params, body }) => updateDevice(db, actor, params.asset_id, body)),
]
