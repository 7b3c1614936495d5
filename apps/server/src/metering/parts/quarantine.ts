import { quarantineReadings, quarantineSetAside } from '../quarantine.ts'
import type { Part } from './part.ts'

/** What is not counted is kept for staff. */
export const quarantine: Part = {
  after: async ({ quarantined, beforeRecords, setAside }, _, tx) => {
    if (quarantined.length > 0) await quarantineReadings(tx, quarantined)
    if (beforeRecords.length > 0) await quarantineReadings(tx, beforeRecords, 'before_records')
    if (setAside.length > 0) await quarantineSetAside(tx, setAside)
  },
}
