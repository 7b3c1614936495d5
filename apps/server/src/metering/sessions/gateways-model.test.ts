import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { encodeReply } from '@masthead/radius/authenticator'
import { codes, decode, type Packet } from '@masthead/radius/packet'
import { putFeed } from '../../feeds/test-feed.ts'
import { putGateway } from '../../gateways/test-gateway.ts'
import { openCounting } from '../index.ts'
import { expectConsistent, openMeteredHouse } from '../test-network.ts'
import { GatewayHistory, kept_since, noon, type Stage } from './test-gateway-history.ts'
import { given, long, steps } from './test-gateway-steps.ts'
import { Rows } from './test-rows.ts'

// Whatever two gateways with the same names, two meters, two feeds, staff and time do in whatever order: sessions, sums, quarantine and cuts are what the
// page says, read slowly. What began before ended sessions were dropped is late where nobody knows it.
const numRuns = Number(process.env.MASTHEAD_HISTORIES ?? 200)
// `npm test` draws the same ones each time; what nobody thought of is for the many of each night.
const seed = process.env.MASTHEAD_HISTORIES === undefined ? 3 : Math.trunc(Math.random() * 2 ** 31)
vi.setConfig({ testTimeout: 36_000_000, hookTimeout: 600_000 })

let stage: Stage
/** Where the second gateway takes Disconnect-Requests. */
const second = createSocket('udp4')
beforeAll(async () => {
  const house = await openMeteredHouse()
  house.clock.set(new Date(noon))
  const meters = [house.meter, await house.startMeter()]
  const address = '127.0.0.8'
  second.bind(0, address)
  await once(second, 'listening')
  const { gateway_id } = await putGateway(house.db, { name: 'Second', address, secret: 'secret', coa_port: second.address().port })
  for (const coa of [house.coa, second])
    coa.on('message', (datagram, from) =>
      coa.send(encodeReply(decode(datagram) as Packet, codes.disconnect_ack, {}, Buffer.from('secret')), from.port, from.address)
    )
  await house.db
    .updateTable('usage_coverage')
    .set({ sessions_since: new Date(kept_since) })
    .execute()
  const feeds = [await putFeed(house.db), await putFeed(house.db)]
  stage = { house, meters, gateways: [house.gateway_id, gateway_id], feeds, counting: openCounting(house.app) }
})
afterAll(async () => {
  second.close()
  await stage.counting.stop()
  await stage.meters[1]!.stop()
  await stage.house[Symbol.asyncDispose]()
})

// A packet whose session time is higher than the kept one is newer, whatever its clock says.
test('a session that a clock set back has end before it began was open when it began, and no feed counts beside it', async () => {
  const packet = {
    do: 'packet',
    gateway: 0,
    nas: 0,
    meter: 0,
    joins: false,
    id: 0,
    another: null,
    by: 'imsi',
    down: 0,
    wide: true,
  } as const
  const history = new GatewayHistory(stage)
  await history.open({ added: [long, long], registered: [long, long, long] }, new Rows())
  await history.play([
    { ...packet, kind: 'start', time: 120, goesOn: false, up: 182, later: 0, ago: 0 },
    { ...packet, kind: 'interim', time: 240, goesOn: false, up: 197, later: 60_000, ago: 'before' },
    { do: 'restart', gateway: 0, nas: 0, meter: 0, kind: 'on', later: 60_000, ago: 0 },
    { do: 'record', feed: 0, card: 0, ago: 0, seconds: 600, bytes: 24, again: false, afterSilence: false },
  ])
  await history.compare()
  await history.close()
})

test(`sessions, sums, quarantine and cuts are what the page says, in ${numRuns} histories`, async () => {
  const rows = new Rows()
  await fc.assert(
    fc.asyncProperty(given, steps, async (before, all) => {
      const history = new GatewayHistory(stage)
      await history.open(before, rows)
      await history.play(all)
      await history.compare()
      await history.close()
    }),
    { numRuns, seed, endOnFailure: process.env.MASTHEAD_SHRINK === undefined }
  )
  await expectConsistent(stage.house)
  const times = Object.fromEntries(rowsOfThePage.map((row) => [row, rows.times.get(row) ?? 0]))
  // The nightly says how often each came, in which histories.
  if (numRuns >= 200) console.log(JSON.stringify({ figure: 'rows of edges §3', histories: numRuns, seed, times }))
  if (numRuns >= 200) expect(Object.entries(times).filter(([, n]) => n === 0)).toEqual([])
})

/** Every row of edges §3 that one session's packets do not decide alone; the others are in `session-model.test.ts`. */
const rowsOfThePage = [
  'known by its number',
  'known by the IMSI in its name',
  'unknown: began before what is kept',
  'unknown: an IMSI that nobody has',
  'unknown: of nobody',
  'open at another gateway',
  'open at another gateway: another SIM’s id',
  'open at another gateway: an id that is over',
  'over at another gateway: it began before that',
  'used again: of nobody',
  'used again, or going on: no SIM is named',
  'goes on after its SIM was released',
  'another SIM: its start ends an open session',
  'another SIM: goes on',
  'another SIM: began after the close',
  'another SIM: while the session is its own',
  ...['before its gateway was added', 'before its SIM was registered', 'while a feed counted'].map((when) => `a baseline: began ${when}`),
  'a baseline: it went on while a feed counted',
  'a baseline: another session while a feed counted',
  ...['Gateway restarted', 'Gateway shut down', 'Cut by Masthead', 'Lost stop'].map((cause) => `live again: ${cause}`),
  ...['of an open one', 'of one believed closed, or stopped', 'its SIM was released', 'not again within 30 s'].map((of) => `a cut: ${of}`),
  ...['on', 'off'].flatMap((kind) =>
    ['closes', 'leaves another name of the gateway', 'leaves another gateway'].map((what) => `${kind}: ${what}`)
  ),
  'silence closes',
  'released',
  ...['counted', 'compared', 'quarantined', 'duplicates', 'another feed counts', 'another feed has been silent for 7 days'].map(
    (what) => `a record: ${what}`
  ),
]
