import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { testSecretKey } from '@masthead/testkit/secret-key'

/** What whoever runs the installation is asked to type into the browser's console. */
export async function commandOfInstallation() {
  const env = { ...process.env, DATABASE_URL: process.env.MASTHEAD_E2E_DATABASE_URL, MASTHEAD_SECRET_KEY: testSecretKey }
  const { stdout } = await promisify(execFile)(process.execPath, ['apps/server/src/command.ts', 'tunnels', 'command'], { env })
  return stdout.trim()
}
