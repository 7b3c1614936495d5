import { quarantineReadings, quarantineSetAside } from '../quarantine.ts'
import type { Part } from './part.ts'

/** What is not counted is kept for staff. */
export const quarantine: Part = {
  after: async ({ quarantined, setAside }, _, tx) => {
    if (quarantined.length > 0) await quarantineReadings(tx, quarantined)
    if (setAside.length > 0) await quarantineSetAside(tx, setAside)
  },
}
