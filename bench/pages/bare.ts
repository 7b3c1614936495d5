import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { build } from 'vite'

/** Builds the page that a screen is compared with: React, one call, a table. Answers the folder that it is in, which the caller removes. */
export async function buildBarePage() {
  const outDir = mkdtempSync(join(tmpdir(), 'masthead-bare-'))
  const root = fileURLToPath(new URL('../bare-page', import.meta.url))
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [react()],
    build: { outDir, emptyOutDir: true, assetsDir: 'static', modulePreload: { polyfill: false } },
  })
  const page = readFileSync(join(outDir, 'index.html'), 'utf8')
  for (const [, name] of page.matchAll(/(static\/[\w.-]+\.js)/g))
    writeFileSync(join(outDir, `${name}.gz`), gzipSync(readFileSync(join(outDir, name!)), { level: 9 }))
  return outDir
}
