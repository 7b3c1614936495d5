import { accessSync, constants, existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** The Chromium that tests drive: one of the system, else the one that Playwright downloaded. */
export function findBrowser(): string | undefined {
  const paths = (process.env.PATH ?? '').split(delimiter).flatMap((dir) => names.map((name) => join(dir, name)))
  const installed = paths.find(isExecutable)
  if (installed) return installed
  // Loaded only here: it takes half a second.
  const { chromium } = createRequire(import.meta.url)('@playwright/test') as typeof import('@playwright/test')
  const own = chromium.executablePath()
  return existsSync(own) ? own : undefined
}

function isExecutable(path: string) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** How to start it: as root it refuses its sandbox, and a test's browser has nothing to say to its maker. */
export const browserArguments = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
]
