import { loadConfig } from '@masthead/server/kernel/config'
import { openApp } from '@masthead/server/open-app'
import { makeNextReport } from '@masthead/server/reports/make-report'

/** Makes reports that wait, as the server does; their files are in `dataDir`. For figures. */
export async function openReportMaker(databaseUrl: string, dataDir: string) {
  const app = await openApp(loadConfig({ DATABASE_URL: databaseUrl, MASTHEAD_DATA_DIR: dataDir }))
  return { makeNext: () => makeNextReport(app), close: () => app.close() }
}
