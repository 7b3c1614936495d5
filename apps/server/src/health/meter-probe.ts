import { openProbe } from '../kernel/database/probe.ts'
import { type Part, wordsOfPart } from './health.ts'

/** `ask`: its process's answer, undefined where there is none within so many milliseconds. */
type MeterProcess = Part & { ask: (question: string, patience: number) => Promise<string | undefined> }

const patience = 2000 // ms
const silent = 'The meter does not answer'

/** Says why a meter counts nothing, in words; null while it commits what gateways report. It is asked itself: its connections are its own. */
export function openMeterProbe(meter: MeterProcess): () => Promise<string | null> {
  const ask = async () => {
    const words = await meter.ask('why_no_commit', patience)
    return words === undefined ? silent : words || null
  }
  const whyNoCommit = openProbe(ask, { patience, words: () => silent, late: silent })
  return async () => wordsOfPart('The meter', meter) ?? whyNoCommit()
}
