import type { Reading } from '@masthead/testkit/metered-database'

/** The n-th session of a feed, 300 s, 1,000 bytes up and 5,000 down later with each round. */
export const readingOf = (imsi: string, n: number, round: number): Reading => ({
  kind: 'interim',
  nas: 'feed',
  acct_session_id: String(n),
  gateway_id: 'gtw_bench',
  heard_from: null,
  imsi,
  msisdn: null,
  user_name: null,
  event_at: Date.now(),
  is_timed: true,
  received_at: Date.now(),
  session_time: round * 300,
  counter_up: round * 1000,
  counter_down: round * 5000,
  has_gigawords: false,
  end_cause: null,
  apn: 'iot.example',
  ip: null,
  rat: 'EUTRAN',
  mccmnc: '262-01',
  imei: null,
  cell: null,
})
