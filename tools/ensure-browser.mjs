// Sees to it that there is a Chromium for the tests: an installed one, else Debian's package when root, else Playwright's download.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { findBrowser } from './browser.ts'

const run = (file, args) =>
  spawnSync(file, args, { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }).status === 0

function bring() {
  if (process.getuid?.() === 0 && existsSync('/etc/debian_version')) {
    console.log("Installing Debian's chromium for the tests")
    const wait = ['-q', '-o', 'DPkg::Lock::Timeout=300']
    const install = () => run('apt-get', [...wait, 'install', '-y', '--no-install-recommends', 'chromium'])
    if (install() || (run('apt-get', [...wait, 'update']) && install())) return
  }
  console.log("Downloading Playwright's Chromium for the tests")
  run(process.execPath, [fileURLToPath(new URL('../node_modules/@playwright/test/cli.js', import.meta.url)), 'install', 'chromium'])
}

if (!findBrowser()) bring()
const browser = findBrowser()
if (!browser) {
  console.error('There is no Chromium for the tests and none could be installed. Install the package "chromium" and start again.')
  process.exit(1)
}
console.log(`Browser for the tests: ${browser}`)
