import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { notThere, type ReportedContainer } from '@masthead/contract/devices/agent/container'
import { claimDevice } from '@masthead/contract/devices/agent/device-operations'
import { deployContainer, makeClaimCode, stopContainer } from '@masthead/contract/devices/agent/operations'
import { connectWifi, updateNetworkPriority } from '@masthead/contract/devices/network/operations'
import type { House, Person } from '@masthead/testkit/house'
import { addAsset } from '../../assets/test-stock.ts'
import { makeCertificate } from '../broker/own-certificate.ts'

/** A device that was set up by a claim code and with a certificate, with a container that is to run and one that is to be stopped; a code that is still good; and a newer agent. */
export async function putAgent(house: House, owner: Person) {
  const { id: asset_id } = await addAsset(house, owner, { name: 'Truck' })
  const params = { asset_id }
  const { body: first } = await owner.call(makeClaimCode, { params })
  const { cert: certificate } = makeCertificate(['truck'], house.clock.now().getTime())
  const { body: device } = await owner.call(claimDevice, { body: { code: first.code, host_name: 'truck', certificate } })
  for (const name of ['relay', 'idle']) await owner.call(deployContainer, { params, body: { name, image: `acme/${name}:1` } })
  await owner.call(stopContainer, { params: { asset_id, name: 'idle' } })
  await owner.call(updateNetworkPriority, { params, body: { interfaces: ['eth0'] } })
  await owner.call(connectWifi, { params, body: { ssid: 'office', password: 'very-secret' } })
  const { body: second } = await owner.call(makeClaimCode, { params })
  offerAgent(house, '0.2.0')
  const versions = { agent: '0.1.0', os: 'Debian', kernel: '6', engine: null }
  const reported = JSON.stringify({ agent: { versions } })
  await sql`update device set reported = ${reported}::jsonb where id = ${device.device_id}`.execute(house.db)
  return { asset_id, device_id: device.device_id, token: device.token, key: `${device.device_id}:${device.token}`, code: second.code }
}

/** A container as an agent reports it: it waits, and nothing is known of it. */
export const reportedContainer: ReportedContainer = { ...notThere, name: 'relay', state: 'waiting' }

export const offeredSum = 'ab'.repeat(32)

/** The server has this version of the agent from now on. */
export function offerAgent({ app }: Pick<House, 'app'>, version: string): void {
  mkdirSync(app.config.agentDir, { recursive: true })
  writeFileSync(join(app.config.agentDir, 'agent.json'), JSON.stringify({ version, sha256: offeredSum }))
}
