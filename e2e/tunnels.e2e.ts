import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { testSecretKey } from '@masthead/testkit/secret-key'
import { expect, test } from './fixtures.ts'

/** What whoever runs the installation is told to type into the browser's console. */
async function commandOfInstallation() {
  const env = { ...process.env, DATABASE_URL: process.env.MASTHEAD_E2E_DATABASE_URL, MASTHEAD_SECRET_KEY: testSecretKey }
  const { stdout } = await promisify(execFile)(process.execPath, ['apps/server/src/command.ts', 'tunnels', 'command'], { env })
  return stdout.trim()
}

test('a console command unlocks tunnels for the session, and its name is in nothing that was sent', async ({ page, signIn, open }) => {
  const command = await commandOfInstallation()
  const [, name] = /^masthead\('([\w-]{24})'\)$/.exec(command) ?? []
  expect(name, command).toBeTruthy()
  const bodies: Promise<string>[] = []
  page.on('response', (response) => {
    if (/\.(js|css)$|\/$/.test(new URL(response.url()).pathname)) bodies.push(response.text())
  })
  await signIn('owner')
  await open('/activities')
  const kept = () => page.evaluate<unknown>(`Object.keys(sessionStorage).includes('masthead-tunnels')`)
  expect(await page.evaluate<unknown>(`masthead('open sesame')`)).toBe(false)
  expect(await kept()).toBe(false)
  expect(await page.evaluate<unknown>(command)).toBe(true)
  const sent = await Promise.all(bodies)
  expect(sent.length).toBeGreaterThan(2)
  expect(sent.filter((text) => text.includes(name!))).toEqual([])
  await page.reload()
  expect(await kept()).toBe(true)
})
