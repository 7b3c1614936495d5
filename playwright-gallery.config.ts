import { defineConfig } from '@playwright/test'
import base from './playwright.config.ts'

// The pieces of the console by themselves, in the gallery: no product, only files.
export default defineConfig({
  ...base,
  testMatch: '**/gallery*.e2e.ts',
  // Beside that of the product's tests, which is emptied when those begin.
  outputDir: `${process.env.MASTHEAD_E2E_RESULTS ?? 'test-results'}-gallery`,
  globalSetup: './tools/e2e-gallery.ts',
  fullyParallel: true,
  // On CI as well: nothing is shared here.
  workers: 2,
  // What fails here fails again: nothing but files stands behind it. A trace of each would cost a third of the time.
  use: { ...base.use, trace: 'off' },
  snapshotPathTemplate: 'e2e/gallery-pictures/{arg}{ext}',
  projects: [{ name: 'gallery', use: { baseURL: process.env.MASTHEAD_E2E_GALLERY_URL, viewport: { width: 960, height: 720 } } }],
})
