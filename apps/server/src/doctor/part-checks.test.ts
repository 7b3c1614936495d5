import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openHouse } from '@masthead/testkit/house'
import { testSecretKey } from '@masthead/testkit/secret-key'
import { startBroker } from '../devices/broker/start-broker.ts'
import { createMetricsServer } from '../health/metrics-server.ts'
import { startMeter } from '../metering/index.ts'
import { doctorNeeds } from '../open-app.ts'
import { examine } from './index.ts'
import { isNearEnd } from './near-end.ts'

const day = 86_400_000
const like = (pattern: RegExp) => expect.stringMatching(pattern) as string
const of = async (about: string, env: NodeJS.ProcessEnv, clock: () => number) =>
  (await examine({ env, ...doctorNeeds, clock })).filter((each) => each.about === about)

test('meter and broker are asked at their ports, by whichever address; those of another process are looked for in the database', async () => {
  await using house = await openHouse()
  const dataDir = mkdtempSync(join(tmpdir(), 'masthead-parts-'))
  const { config, log } = house.app
  const ports = { http: 0, radiusAuth: 0, radiusAcct: 0, mqtt: 0, mqtts: 0 }
  const start = { config: { ...config, dataDir, host: '127.0.0.1', ports }, databaseUrl: house.databaseUrl, log, clock: house.clock }
  const [meter, broker] = [await startMeter(start), await startBroker({ ...start, name: 'edge:1883' })]
  const parts: Record<string, null> = { meter: null, broker: null }
  const own = await createMetricsServer(house.app, { parts: () => parts })
  await own.listen({ host: '127.0.0.1', port: 0 })
  const machine = {
    DATABASE_URL: house.databaseUrl,
    MASTHEAD_SECRET_KEY: testSecretKey,
    MASTHEAD_DATA_DIR: dataDir,
    MASTHEAD_ROLES: 'meter,broker',
    MASTHEAD_METRICS_PORT: String((own.server.address() as AddressInfo).port),
    MASTHEAD_RADIUS_AUTH_PORT: String(meter.ports.auth),
    MASTHEAD_RADIUS_ACCT_PORT: String(meter.ports.acct),
    MASTHEAD_MQTT_PORT: String(broker.ports.mqtt),
    MASTHEAD_MQTTS_PORT: String(broker.ports.mqtts),
  }
  const clock = () => house.clock.now().getTime()
  // No gateway has this address.
  expect(await of('meter', machine, clock)).toMatchObject([{ state: 'ok', words: like(/^It answers RADIUS at 127/) }])
  await meter.refused.save()
  expect(await house.db.selectFrom('refused_sender').select('address').execute()).toEqual([])
  expect(await of('broker', machine, clock)).toMatchObject([
    { state: 'ok', words: `It answers MQTT at 127.0.0.1:${broker.ports.mqtt}` },
    { state: 'ok', words: like(/\(TLS\), with a certificate until \d{4}-\d\d-\d\d, its own$/) },
  ])
  const late = await of('broker', machine, () => clock() + 800 * day)
  expect(late).toMatchObject([{ state: 'ok' }, { state: 'warn', way: like(/should have made another/) }])
  // Devices see the broker's own still.
  const files = { MASTHEAD_TLS_CERT: join(dataDir, 'mqtt-certificate.pem'), MASTHEAD_TLS_KEY: join(dataDir, 'mqtt-certificate.pem') }
  const given = (days: number) => of('broker', { ...machine, ...files }, () => clock() + days * day)
  expect((await given(540))[1]).toMatchObject({ state: 'ok' })
  expect((await given(560))[1]).toMatchObject({ state: 'warn', way: like(/MASTHEAD_TLS_CERT/) })
  const other = createServer((socket) => socket.end('220 something else')).listen(0, '127.0.0.1')
  await once(other, 'listening')
  const otherPort = (other.address() as AddressInfo).port
  const elsewhere = { ...machine, MASTHEAD_RADIUS_ACCT_PORT: String(await freePort()), MASTHEAD_MQTT_PORT: String(otherPort) }
  expect(await of('meter', elsewhere, clock)).toMatchObject([{ state: 'bad', words: like(/\(UDP\): nothing listens$/) }])
  expect((await of('broker', elsewhere, clock))[0]).toMatchObject({ state: 'bad', words: like(/another program$/) })
  delete parts.meter
  delete parts.broker
  expect(await of('meter', machine, clock)).toMatchObject([{ state: 'ok', words: like(/^Another process has it/) }])
  expect(await of('broker', machine, clock)).toMatchObject([{ state: 'ok', words: like(/from edge:1883: doctor/) }])
  await Promise.all([meter.stop(), broker.stop()])
  expect(await of('meter', machine, clock)).toMatchObject([{ state: 'bad', words: 'No meter has the database' }])
  expect(await of('broker', { ...machine, MASTHEAD_ROLES: 'meter' }, clock)).toMatchObject([
    { state: 'warn', words: 'No broker has the database' },
  ])
  await own.close()
  other.close()
  rmSync(dataDir, { recursive: true })
})

/** A UDP port at which nobody listens. */
async function freePort() {
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const { port } = socket.address()
  socket.close()
  return port
}

test.each([
  [90, 31, false],
  [90, 29, true],
  [6, 3, false],
  [6, 1, true],
])('a certificate for %i days with %i left', (life, left, isNear) => {
  expect(isNearEnd({ from: 0, to: life * day }, (life - left) * day)).toBe(isNear)
})
