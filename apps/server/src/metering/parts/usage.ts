import type { Counted } from '../batch-changes.ts'
import { Columns, columnsOf } from './columns.ts'
import { fragment } from './fragment.ts'
import type { Part } from './part.ts'

const of = columnsOf<Counted>()
/** A record of whatever a packet adds. */
export const records = new Columns('record', {
  account_id: of.text(({ live }) => live.account_id),
  sim_id: of.text(({ live }) => live.sim_id),
  session_id: of.text(({ live }) => live.id),
  event_at: of.time(({ reading }) => reading.event_at),
  received_at: of.time(({ reading }) => reading.received_at),
  bytes_up: of.number(({ up }) => up),
  bytes_down: of.number(({ down }) => down),
  mccmnc: of.text(({ reading, live }) => reading.mccmnc ?? live.mccmnc ?? ''),
  rat: of.text(({ reading, live }) => reading.rat ?? live.rat ?? ''),
})

/** The roll-ups take the records. */
export const usage: Part = {
  share: {
    with: { recorded: fragment`insert into usage_record (${records.names}) select ${records.names} from ${records.rows} as r` },
  },
  gather: ({ counted }) => ({ values: records.values(counted.filter(({ up, down }) => up > 0 || down > 0)) }),
}
