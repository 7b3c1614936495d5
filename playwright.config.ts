import { defineConfig } from '@playwright/test'
import { browserArguments, findBrowser } from './tools/browser.ts'

const executablePath = findBrowser()

// A real product stands behind every test: tools/e2e-product.ts starts it and sets the addresses. The pieces of the console are tested
// without one: playwright-gallery.config.ts.
export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.e2e.ts',
  outputDir: process.env.MASTHEAD_E2E_RESULTS ?? 'test-results',
  globalSetup: './tools/e2e-product.ts',
  fullyParallel: false,
  workers: process.env.CI ? 1 : 2,
  forbidOnly: Boolean(process.env.CI),
  // On a machine that does other things as well, a browser may stand still for longer than a test waits. Twice in a row is a fault.
  retries: process.env.CI ? 1 : 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: 'list',
  use: {
    browserName: 'chromium',
    locale: 'en-US',
    timezoneId: 'UTC',
    screenshot: 'only-on-failure',
    // A trace of each test would cost a third of the time: what is tried again has one, and `--trace on` has one of all.
    trace: 'on-first-retry',
    launchOptions: { args: browserArguments, ...(executablePath && { executablePath }) },
  },
  projects: [
    { name: 'console', testIgnore: ['**/history*.e2e.ts', '**/gallery*.e2e.ts'], use: { baseURL: process.env.MASTHEAD_E2E_URL } },
    { name: 'history', testMatch: '**/history*.e2e.ts', use: { baseURL: process.env.MASTHEAD_E2E_HISTORY_URL } },
  ],
})
