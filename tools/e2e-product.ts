import { join } from 'node:path'
import { type RunningProduct, startProduct } from '@masthead/testkit/product'
import { findCardNumbers } from './find-card-numbers.ts'
import { startTestCluster } from './test-cluster.ts'

/**
 * For Playwright: the product as `npm start` runs it, demo and simulated network included; beside it a second API on the same
 * database that serves the console built for history routing. Tests find them by MASTHEAD_E2E_*. Whatever cards they typed, no number of one may be left in a log or a table.
 */
export default async function startForBrowser() {
  const cluster = await startTestCluster()
  const running: RunningProduct[] = []
  const stop = async () => {
    await Promise.all(running.map((product) => product.stop()))
    await cluster.stop()
  }
  const start = async (env: Record<string, string>) => {
    const product = await startProduct({ DATABASE_URL: cluster.url, ...env })
    running.push(product)
    return product
  }
  try {
    const product = await start({ MASTHEAD_DEMO: 'on', MASTHEAD_WEBHOOK_PRIVATE: 'on', MASTHEAD_LOG_LEVEL: 'info' })
    const history = await start({
      MASTHEAD_DEMO: 'off',
      MASTHEAD_ROLES: 'api',
      MASTHEAD_PRIVACY_URL: 'https://legal.example.test/privacy',
      MASTHEAD_COMMUNITY_URL: 'https://forum.example.test/',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_masthead',
      MASTHEAD_CONSOLE_DIR: join(import.meta.dirname, '../apps/console/dist-history'),
    })
    process.env.MASTHEAD_E2E_URL = product.url
    process.env.MASTHEAD_E2E_HISTORY_URL = history.url
    process.env.MASTHEAD_E2E_AUTH_PORT = String(product.authPort)
    process.env.MASTHEAD_E2E_ACCT_PORT = String(product.acctPort)
    process.env.MASTHEAD_E2E_MQTT_PORT = String(product.mqttPort)
    process.env.MASTHEAD_E2E_DATABASE_URL = cluster.url
    return async () => {
      try {
        const found = await findCardNumbers({ databaseUrl: cluster.url, log: running.map(({ output }) => output()).join('') })
        if (found.length > 0) throw new Error(`Numbers of cards are in ${found.join(', ')}`)
      } finally {
        await stop()
      }
    }
  } catch (error) {
    await stop()
    throw error
  }
}
