import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { DesiredState } from '@masthead/contract/devices/agent/messages'
import { deviceKeyHeader } from '@masthead/contract/devices/agent/device-operations'
import { deviceKeyUnknown } from '@masthead/contract/devices/agent/device-problems'
import { Problem } from '@masthead/contract/kernel/problem'
import type { App } from '../../kernel/app.ts'
import { certificatesOfBrokers } from '../broker/broker-row.ts'
import { hashToken } from '../credentials.ts'
import { desiredNetworkOf, findNetworkRow } from '../network/network-rows.ts'
import { noteSent } from '../network/note-sent.ts'
import { containersOf, revisionOf, secretOf, secretsOf } from './container-rows.ts'
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
  return { ...device, password_hash: device.password_hash }
}

/** What a device is to run, with its secrets. */
export async function getDesiredState(app: App, request: FastifyRequest): Promise<DesiredState> {
  const { account_id, asset_id, id } = await deviceOf(app, request)
  const desired = await app.db.snapshot(async (db) => {
    const rows = await containersOf(db, account_id, asset_id)
    const network = await findNetworkRow(db, account_id, asset_id)
    const state: DesiredState = {
      revision: await revisionOf(db, account_id, asset_id),
      agent: await wantedAgent(db, app.config, account_id, id),
      containers: rows.map((row) => {
        const { name, generation, restart, run, image, ports, volumes, restart_policy, health } = row
        const secrets = secretsOf(app.db, row)
        const environment = row.environment.map((each) => ({ name: each.name, value: each.value ?? secretOf(secrets, each.name) ?? '' }))
        return { name, generation, restart, run, image, ports, volumes, environment, restart_policy, health }
      }),
      network: desiredNetworkOf(app.db, network),
      mqtts_ca: await certificatesOfBrokers(db, app.clock.now()),
    }
    return { state, isNew: network !== undefined && network.sent_generation !== network.generation }
  })
  // Where nothing can be written now the device has it all the same, and it is noted when it asks again.
  if (desired.isNew)
    await noteSent(app, { account_id, asset_id, generation: desired.state.network!.generation }).catch((err: unknown) =>
      app.log.warn({ err, asset_id }, 'that network settings were sent to a device could not be noted')
    )
  return desired.state
}
