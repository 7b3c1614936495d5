import { expect, test } from './fixtures.ts'

const command = 'lower-the-drawbridge'

test('a console command unlocks tunnels for the session, and its name is in nothing that was sent', async ({ page, signIn, open }) => {
  const bodies: Promise<string>[] = []
  page.on('response', (response) => {
    if (/\.(js|css)$|\/$/.test(new URL(response.url()).pathname)) bodies.push(response.text())
  })
  await signIn('owner')
  await open('/activities')
  const said = (name: string) => page.evaluate<unknown>(`masthead(${JSON.stringify(name)})`)
  const kept = () => page.evaluate<unknown>(`Object.keys(sessionStorage).includes('masthead-tunnels')`)
  expect(await said('open sesame')).toBe(false)
  expect(await kept()).toBe(false)
  expect(await said(command)).toBe(true)
  const sent = await Promise.all(bodies)
  expect(sent.length).toBeGreaterThan(2)
  expect(sent.filter((text) => text.includes(command) || text.includes('drawbridge'))).toEqual([])
  await page.reload()
  expect(await kept()).toBe(true)
})
