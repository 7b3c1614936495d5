import { createSocket } from 'node:dgram'
import { writeFile } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { sql } from 'kysely'
import { demoPassword, demoPeople } from '../auth/index.ts'
import type { App } from '../kernel/app.ts'
import { insertGateway } from '../gateways/index.ts'
import { addDemoCardToSandbox, writeDemoCard } from './billing/index.ts'
import { addDemoFile } from './cdr-file.ts'
import { planDevices } from './device-plan.ts'
import { networkPlan } from './network-plan.ts'
import { ownerEmail } from './people.ts'
import { demoGateways, seedDemo } from './seed-demo.ts'

/** Fills an empty database with the demo and writes the plan of its simulated network. Null when the database holds something else. */
export async function prepareDemo(app: App): Promise<{ planFile: string; devicesFile: string } | null> {
  const now = app.clock.now()
  const ports = await freeCoaPorts()
  const seeded = await app.db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('masthead.demo'))`.execute(tx)
    const known = await tx.selectFrom('person').select('email').where('email', '=', ownerEmail).executeTakeFirst()
    const other = await tx.selectFrom('account').select('id').limit(1).executeTakeFirst()
    if (!known && other) return null
    const ids = new Map<string, string>()
    for (const [i, { name, address }] of demoGateways.entries()) {
      // Its port for Disconnect-Requests may be taken by another product on this machine.
      const coa_port = ports[i]!
      const there = await tx
        .updateTable('gateway_address')
        .set({ coa_port })
        .where('address', '=', address)
        .returning('gateway_id')
        .executeTakeFirst()
      const id = there?.gateway_id ?? (await insertGateway(tx, { name, address, secret: randomBytes(16).toString('hex'), coa_port }, now))!
      ids.set(name, id)
    }
    if (!known) {
      await seedDemo(tx, now, ids)
      const owner = await tx.selectFrom('person').select('account_id').where('email', '=', ownerEmail).executeTakeFirstOrThrow()
      await writeDemoCard(tx, app.config, owner.account_id, now)
    }
    return known ? 'before' : 'now'
  })
  if (!seeded) return null
  if (seeded === 'now') {
    await addDemoFile(app)
    await addDemoCardToSandbox(app.config, now)
  }
  const planFile = join(app.config.dataDir, 'demo-network.json')
  await writeFile(planFile, JSON.stringify(await networkPlan(app)), { mode: 0o600 })
  return { planFile, devicesFile: await planDevices(app, { isNew: seeded === 'now' }) }
}

const freeCoaPorts = () =>
  Promise.all(
    demoGateways.map(
      ({ address }) =>
        new Promise<number>((resolve, reject) => {
          const socket = createSocket('udp4')
          socket.once('error', reject)
          socket.bind(0, address, () => {
            const { port } = socket.address()
            socket.close(() => resolve(port))
          })
        })
    )
  )

export function demoGreeting(network: boolean): string {
  const width = Math.max(...demoPeople.map(({ email }) => email.length))
  return [
    `The demo is on. Sign in with the password ${demoPassword} as`,
    ...demoPeople.map(({ email, about }) => `  ${email.padEnd(width)}  ${about}`),
    network
      ? 'A simulated network feeds it over RADIUS, simulated devices over MQTT. Stop with Ctrl-C.'
      : 'The simulated network is off (MASTHEAD_DEMO_NETWORK). Stop with Ctrl-C.',
  ].join('\n')
}
