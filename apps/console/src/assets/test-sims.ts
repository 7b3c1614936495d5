import type { BlockCode, DataSession, DisconnectOutcome, Sim, SimBlock, SimState } from '@masthead/contract/assets/sim'

export const now = Date.parse('2026-11-21T12:00:00Z')

/** A block of a code, since the day before `now`. */
export const block = (code: BlockCode, clears = 'When staff lift it'): SimBlock => ({
  code,
  since: '2026-11-20T09:00:00Z',
  by: 'system',
  words: `It is ${code}`,
  clears,
})

/** A live session. */
export const session = (over: Partial<DataSession> = {}): DataSession => ({
  id: 'ses_1',
  iccid: '8931082017004430594',
  acct_session_id: 'a1',
  gateway: 'pgw-ams-1',
  apn: 'iot',
  ip: '10.64.12.77',
  rat: 'EUTRAN',
  network: { mccmnc: '204-08', name: 'KPN', country: 'NL' },
  imei: null,
  cell: null,
  started_at: '2026-11-21T06:00:00Z',
  updated_at: '2026-11-21T11:59:00Z',
  ended_at: null,
  end_cause: null,
  silent: false,
  bytes_up: 1,
  bytes_down: 2,
  forbidden: null,
  forbidden_by: null,
  disconnect: null,
  ...over,
})

/** How a gateway answered a Disconnect-Request. */
export const disconnect = (answer: DisconnectOutcome['answer'], words = ''): DisconnectOutcome => ({
  requested_at: '2026-11-21T11:59:30Z',
  answered_at: answer === null || answer === 'timeout' ? null : '2026-11-21T11:59:31Z',
  attempts: 1,
  answer,
  words,
})

/** A SIM in a state, with a limit of 1 GB a month. */
export function sim(state: SimState, over: Partial<Sim> = {}): Sim {
  const blocks = over.blocks ?? []
  const served = ['ready', 'active', 'standby'].includes(state)
  return {
    id: 'sim_1',
    iccid: '8931082017004430594',
    imsi: null,
    imsis: [],
    msisdn: null,
    eid: null,
    imei: '867698041170435',
    imei_lock: { mode: 'off', own: null, imeis: [] },
    test: null,
    state,
    status: blocks.length > 0 && served ? 'blocked' : state,
    state_changed_at: '2026-11-18T12:00:00Z',
    state_changed_by: 'm.vries@acme.example',
    activated_at: null,
    blocks,
    usage: {
      period_start: '2026-11-01T00:00:00Z',
      period_end: '2026-12-01T00:00:00Z',
      period_bytes: 742_000_000,
      bytes_up: 42_000_000,
      bytes_down: 700_000_000,
      limit_bytes: 1_000_000_000,
      limit_period: 'month',
      limit_used_bytes: 742_000_000,
      limit_of: { scope: 'sim', raised: false, usual_bytes: 1_000_000_000 },
    },
    session: null,
    refused: null,
    network_group: { id: 'default', name: 'Default', apn: null },
    data_pool: null,
    ...over,
  }
}
