import { goLive, keepReportedImeis } from '../meter-sims.ts'
import type { Part } from './part.ts'

/** What a SIM's row shows of its sessions: that it is in use, and in which device. */
export const sims: Part = {
  after: async ({ live, imeis, at }, _, tx) => {
    if (live.length > 0) await goLive(tx, live, at)
    if (imeis.length > 0) await keepReportedImeis(tx, imeis)
  },
}
