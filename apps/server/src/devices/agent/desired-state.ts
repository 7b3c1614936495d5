import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { DesiredState } from '@masthead/contract/devices/agent/messages'
import { deviceKeyHeader } from '@masthead/contract/devices/agent/operations'
import { deviceKeyUnknown } from '@masthead/contract/devices/agent/problems'
import { Problem } from '@masthead/contract/kernel/problem'
import type { App } from '../../kernel/app.ts'
import { hashToken } from '../credentials.ts'
import { containersOf, revisionOf, secretsOf } from './container-rows.ts'
import { wantedAgent } from './update-agent.ts'

/** The device whose key a request brings: its id, a colon and its token. Throws device_key_unknown. */
export async function deviceOf({ db }: App, request: FastifyRequest) {
  const key = request.headers[deviceKeyHeader.toLowerCase()]
  const [, id = '', token = ''] = /^([^:]+):(.+)$/.exec(typeof key === 'string' ? key : '') ?? []
  const device = await db
    .selectFrom('device')
    .select(['account_id', 'id', 'asset_id', 'password_hash'])
    .where('id', '=', id)
    .where('kind', '=', 'agent')
    .where('cut_at', 'is', null)
    .executeTakeFirst()
  if (!device?.password_hash || !timingSafeEqual(hashToken(token), device.password_hash)) throw new Problem(deviceKeyUnknown)
  return device
}

/** What a device is to run, with its secrets. */
export async function getDesiredState(app: App, request: FastifyRequest): Promise<DesiredState> {
  const { account_id, asset_id, id } = await deviceOf(app, request)
  return app.db.snapshot(async (db) => {
    const rows = await containersOf(db, account_id, asset_id)
    return {
      revision: await revisionOf(db, account_id, asset_id),
      agent: await wantedAgent(db, app.config, account_id, id),
      containers: rows.map((row) => {
        const { name, generation, restart, run, image, ports, volumes, restart_policy, health } = row
        const secrets = secretsOf(app.db, row)
        const environment = row.environment.map((each) => ({ name: each.name, value: each.value ?? secrets[each.name] ?? '' }))
        return { name, generation, restart, run, image, ports, volumes, environment, restart_policy, health }
      }),
    }
  })
}
