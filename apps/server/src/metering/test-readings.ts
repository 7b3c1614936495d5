import type { Reading } from './reading.ts'
import type { Meter } from './start-meter.ts'
import type { MeteredHouse, TestSim } from './test-network.ts'

/** A report of a SIM's session as the ingest takes it. */
export const readingOf = (house: MeteredHouse, sim: TestSim, changes: Partial<Reading> = {}): Reading => {
  const now = house.clock.now().getTime()
  return {
    kind: 'interim',
    nas: 'pgw-1',
    acct_session_id: 'a1',
    gateway_id: house.gateway_id,
    whole_gateway: false,
    imsi: sim.imsi,
    msisdn: null,
    user_name: null,
    event_at: now,
    received_at: now,
    session_time: 60,
    counter_up: 10,
    counter_down: 0,
    has_gigawords: false,
    end_cause: null,
    apn: null,
    ip: null,
    rat: null,
    mccmnc: null,
    imei: null,
    cell: null,
    ...changes,
  }
}

/** Resolves once a reading is committed, or given up. */
export const stored = (house: MeteredHouse, reading: Reading, meter: Meter = house.meter) =>
  new Promise<boolean>((resolve) => meter.ingest.add(reading, resolve))
