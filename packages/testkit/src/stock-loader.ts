import type { Readable } from 'node:stream'
import { loadInventory } from '@masthead/server/backoffice/stock/load-inventory'
import { loadConfig } from '@masthead/server/kernel/config'
import { openApp } from '@masthead/server/open-app'

/** Loads stock as `npm run masthead -- inventory load --account EMAIL --active` does. For figures. */
export async function openStockLoader(databaseUrl: string, account: string) {
  const app = await openApp(loadConfig({ DATABASE_URL: databaseUrl }))
  return { load: (csv: Readable) => loadInventory(app, 'command', csv, { account, active: true }), close: () => app.close() }
}
