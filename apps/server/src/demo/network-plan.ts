import type { App } from '../kernel/app.ts'
import { decryptGatewaySecret } from '../gateways/index.ts'
import { demoFleet } from './fleet.ts'
import { ownerEmail } from './people.ts'
import { demoGateways, gatewayOf } from './seed-demo.ts'

/** What the simulated network needs to know: its gateways and SIMs. It learns the rest over RADIUS. */
export async function networkPlan({ db, config, clock }: App) {
  const rows = await db
    .selectFrom('gateway_address')
    .select(['id', 'address', 'secret', 'coa_port'])
    .where(
      'address',
      'in',
      demoGateways.map(({ address }) => address)
    )
    .execute()
  const gateways = rows.map(({ id, secret, ...at }) => ({
    ...at,
    name: demoGateways.find(({ address }) => address === at.address)!.name,
    secret: decryptGatewaySecret(db, id, secret),
  }))
  // The names and numbers are the same each time; only the SIMs still on the account take part.
  const kept = new Set(
    (
      await db
        .selectFrom('sim')
        .innerJoin('person', 'person.account_id', 'sim.account_id')
        .select('sim.iccid')
        .where('person.email', '=', ownerEmail)
        .execute()
    ).map(({ iccid }) => iccid)
  )
  const sims = demoFleet(clock.now())
    .filter(({ iccid, pattern }) => kept.has(iccid) && pattern !== 'silent')
    .map((asset) => {
      const { imsi, msisdn, imei, iccid, pattern, apn, route, daily_bytes } = asset
      return { imsi, msisdn, imei, iccid, pattern, apn, route, daily_bytes, gateway: gatewayOf(asset).name, home: '204-08' }
    })
  return {
    seed: 20_408,
    speed: config.demoSpeed,
    server: {
      host: config.host === '0.0.0.0' || config.host === '::' ? '127.0.0.1' : config.host,
      auth_port: config.ports.radiusAuth,
      acct_port: config.ports.radiusAcct,
    },
    gateways,
    sims,
  }
}
