import { expect, test } from './fixtures.ts'
import { commandOfInstallation } from './tunnel-command.ts'

test('a console command unlocks tunnels for the session, and its name is in nothing that was sent', async ({ page, signIn, open }) => {
  const command = await commandOfInstallation()
  const [, name] = /^masthead\('([\w-]{24})'\)$/.exec(command) ?? []
  expect(name, command).toBeTruthy()
  const loaded = new Set<string>()
  page.on('response', (response) => {
    if (/\.(js|css)$|\/$/.test(new URL(response.url()).pathname)) loaded.add(response.url())
  })
  await signIn('owner')
  await open('/activities')
  const kept = () => page.evaluate<unknown>(`Object.keys(sessionStorage).includes('masthead-tunnels')`)
  expect(await page.evaluate<unknown>(`masthead('open sesame')`)).toBe(false)
  expect(await kept()).toBe(false)
  expect(await page.evaluate<unknown>(command)).toBe(true)
  // Asked for again, as the body of a page that was left cannot be read.
  const sent = await Promise.all([...loaded].map(async (url) => (await page.request.get(url)).text()))
  expect(sent.length).toBeGreaterThan(2)
  expect(sent.filter((text) => text.includes(name!))).toEqual([])
  await page.reload()
  expect(await kept()).toBe(true)
})
