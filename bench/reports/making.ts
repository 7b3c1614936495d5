import { peakMemory, residentMemory } from '@masthead/testkit/process-figures'
import { openReportMaker } from '@masthead/testkit/report-maker'

/** What the making of a report took of its process, in MB and seconds. */
export type Taken = { rest_mb: number; peak_mb: number; seconds: number }

const maker = await openReportMaker(process.env.DATABASE_URL!, process.env.MASTHEAD_DATA_DIR!)
const rest_mb = Math.round(residentMemory(process.pid))
const begun = performance.now()
if (!(await maker.makeNext())) throw new Error('No report waits')
const taken: Taken = { rest_mb, peak_mb: peakMemory(process.pid), seconds: (performance.now() - begun) / 1000 }
process.send!(taken)
await maker.close()
process.disconnect()
