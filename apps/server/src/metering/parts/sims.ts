import { lockSims } from '../data-limit.ts'
import { seeDevices } from '../../assets/service/index.ts'
import { goLive } from '../meter-sims.ts'
import { simsAtLimits } from './limits.ts'
import type { Part } from './part.ts'

/** What a SIM's row shows of its sessions: that it is in use, and in which device. */
export const sims: Part = {
  after: async ({ live, imeis, at }, answers, tx) => {
    if (live.length + imeis.length === 0) return
    // Those that will be blocked as well: who locks SIMs in two lots may wait for another in a circle.
    await lockSims(tx, [...live, ...imeis, ...simsAtLimits(answers)])
    if (live.length > 0) await goLive(tx, live, at)
    await seeDevices(tx, imeis, at)
  },
}
