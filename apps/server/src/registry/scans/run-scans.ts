import type { App } from '../../kernel/app.ts'
import { repeat } from '../../kernel/jobs/repeat.ts'
import type { Scanner } from '../../kernel/scanner-settings.ts'
import { makePass } from '../protocol/scan-pass.ts'
import type { Asking } from './ask-scanner.ts'
import { claimScans, type ClaimedScan } from './claim-scans.ts'
import { findScanned } from './find-scanned.ts'
import { askForReport, requestScan } from './request-scan.ts'
import { ScanFailed } from './scan-failed.ts'
import { reportTypeFor, whatItIs } from './scanner-says.ts'
import { scanBegun, scanDone, scanGone, scanWaits, scanWentWrong } from './settle-scan.ts'

const checksEvery = 1000 // ms
/** So long a scan may take, and its password counts. */
const longestScan = 30 * 60_000 // ms

/** Goes on with scans until stopped. Without a scanner there is nothing to do. */
export function startScans(app: App): { stop: () => Promise<void> } {
  const { scanner } = app.config.integrations
  if (!scanner) return { stop: async () => {} }
  const stopping = new AbortController()
  const underWay = new Set<Promise<void>>()
  const check = async () => {
    for (const each of await claimScans(app, scanner.atOnce)) {
      const work = goOn(app, scanner, each, { signal: stopping.signal }).finally(() => underWay.delete(work))
      underWay.add(work)
    }
    return false
  }
  const checking = repeat(app, 'scanning images', check, checksEvery)
  return {
    stop: async () => {
      await checking.stop()
      stopping.abort()
      await Promise.all(underWay)
    },
  }
}

/** Does all that is due now and waits for it (tests). Answers how many steps that were. */
export async function scanDue(app: App, asking: Asking = {}): Promise<number> {
  const { scanner } = app.config.integrations
  for (let steps = 0; ;) {
    const claimed = scanner ? await claimScans(app, scanner.atOnce) : []
    if (claimed.length === 0) return steps
    await Promise.all(claimed.map((each) => goOn(app, scanner!, each, asking)))
    steps += claimed.length
  }
}

/** Never throws: what goes wrong here is tried again once its lease has ended. */
async function goOn(app: App, scanner: Scanner, claimed: ClaimedScan, asking: Asking): Promise<void> {
  try {
    await (claimed.scan_id === null ? begin(app, scanner, claimed, asking) : check(app, scanner, claimed, claimed.scan_id, asking))
  } catch (error) {
    if (asking.signal?.aborted) await scanWaits(app, claimed, 0).catch(() => {})
    else if (error instanceof ScanFailed)
      await scanWentWrong(app, claimed, error).catch((why: unknown) =>
        app.log.warn({ err: why }, 'what became of a scan could not be kept')
      )
    else app.log.warn({ err: error, digest: claimed.digest }, 'a scan of an image could not go on and will be tried again')
  }
}

async function begin(app: App, scanner: Scanner, claimed: ClaimedScan, asking: Asking): Promise<void> {
  const { account_id, digest } = claimed
  const found = await findScanned(app.db, account_id, digest)
  if (!found) return scanGone(app, claimed)
  const { media_type, name: repository, repository_id } = found
  const says = await whatItIs(app, scanner, asking)
  const report = reportTypeFor(says, media_type)
  const until = Math.floor((app.clock.now().getTime() + longestScan) / 1000)
  const pass = await makePass(app.db, { account_id, repository_id, digest, until })
  const scan_id = await requestScan(scanner, { repository, digest, media_type, pass, report }, asking)
  await scanBegun(app, claimed, { scan_id, report_type: report.type, begun_with: says.database_at })
}

async function check(app: App, scanner: Scanner, claimed: ClaimedScan, scan_id: string, asking: Asking): Promise<void> {
  const { digest, report_type, begun_at } = claimed
  const answer = await askForReport(scanner, { scan_id, report_type: report_type ?? '', digest }, asking)
  if ('report' in answer) return scanDone(app, claimed, answer.report)
  if (app.clock.now().getTime() - (begun_at?.getTime() ?? 0) > longestScan)
    throw new ScanFailed('failed', `The scanner was not done within ${longestScan / 60_000} minutes`)
  await scanWaits(app, claimed, answer.wait)
}
