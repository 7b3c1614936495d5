import { connect, createServer, type AddressInfo } from 'node:net'
import { createHash } from 'node:crypto'
import { expect, test } from './fixtures.ts'
import { findSimulated, runDevice } from './terminal-device.ts'
import { commandOfInstallation } from './tunnel-command.ts'

test('a tunnel to a port of a device: hidden until unlocked, opened, used, its connections listed, revoked', async ({
  page,
  signIn,
  open,
  expectAccessible,
}) => {
  test.setTimeout(180_000)
  await signIn('owner')
  await using device = await runDevice(page, 3)
  const echo = createServer((socket) => void socket.on('error', () => {}).pipe(socket))
  await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve))
  const { port } = echo.address() as AddressInfo

  await open('/terminals/tunnels')
  await expect(page.getByRole('tab', { name: 'Sessions' })).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByRole('tab', { name: 'Tunnels' })).toHaveCount(0)
  expect(await page.evaluate<unknown>(await commandOfInstallation())).toBe(true)
  await page.getByRole('tab', { name: 'Tunnels' }).click()
  await page.getByRole('button', { name: 'New tunnel' }).click()
  const form = page.getByRole('dialog', { name: 'Open a tunnel' })
  await form.getByRole('button', { name: 'Open tunnel' }).click()
  await expect(form.getByText('Enter at least one address range')).toBeVisible()
  await expect(form.getByText('Choose the device that it leads to')).toBeVisible()
  await form.getByRole('button', { name: /Device/ }).click()
  await page.getByRole('option', { name: device.name, exact: true }).click()
  await form.getByRole('textbox', { name: 'Port on the device' }).fill(String(port))
  await form.getByRole('textbox', { name: 'From these addresses' }).fill('here')
  await form.getByRole('button', { name: 'Open tunnel' }).click()
  await expect(form.getByText('Enter an address range, like 203.0.113.0/24')).toBeVisible()
  await form.getByRole('textbox', { name: 'From these addresses' }).fill('127.0.0.0/8\n203.0.113.0/24')
  await expectAccessible()
  await form.getByRole('button', { name: 'Open tunnel' }).click()
  const row = page.getByRole('row', { name: new RegExp(`localhost:${port}`) })
  await expect(row).toContainText(/127\.0\.0\.1:\d+/, { timeout: 30_000 })
  const at = Number(/127\.0\.0\.1:(\d+)/.exec(await row.innerText())![1])

  const sent = Buffer.alloc(500_000, 'a tunnel ')
  const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
  const back = await new Promise<Buffer>((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect(at, '127.0.0.1', () => socket.end(sent))
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.on('end', () => resolve(Buffer.concat(chunks)))
    socket.on('error', reject)
  })
  expect(digest(back)).toBe(digest(sent))
  await expect(row).toContainText('1 in all', { timeout: 20_000 })
  await expectAccessible()
  await row.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Connections' }).click()
  const sheet = page.getByRole('dialog', { name: /^Connections to port/ })
  await expect(sheet.getByRole('row', { name: /127\.0\.0\.1/ })).toContainText('Closed')
  await expectAccessible()
  await page.keyboard.press('Escape')
  await row.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Revoke' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click()
  await expect(row).toContainText('It was revoked')
  await expect
    .poll(
      () =>
        new Promise((resolve) => {
          const socket = connect(at, '127.0.0.1', () => socket.end())
          socket.once('error', () => resolve('refused'))
          socket.once('connect', () => resolve('connected'))
        })
    )
    .toBe('refused')
  await page.setViewportSize({ width: 360, height: 740 })
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(360)
  await expectAccessible()
  echo.close()
})

test('a tunnel to a simulated device of the demo leads to its status page at port 80, and to no other port', async ({ page, signIn }) => {
  test.setTimeout(180_000)
  await signIn('owner')
  const { id, container } = await findSimulated(page)
  const openTo = async (port: number) => {
    const answer = await page.request.post(`/v1/assets/${id}/tunnels`, {
      data: { port, address: null, sources: ['127.0.0.0/8'], minutes: 15 },
    })
    expect(answer.ok(), await answer.text()).toBe(true)
    const { id: tunnel } = (await answer.json()) as { id: string }
    const check = async () => ((await (await page.request.get(`/v1/tunnels/${tunnel}`)).json()) as { reached_at: string | null }).reached_at
    await expect.poll(check, { timeout: 40_000 }).toMatch(/:\d+$/)
    return { tunnel, at: (await check())! }
  }
  const web = await openTo(80)
  const answer = await fetch(`http://${web.at}/`)
  expect(answer.status).toBe(200)
  const html = await answer.text()
  expect(html).toContain('This device is simulated')
  expect(html).toContain(container)

  const closed = await openTo(22)
  await expect(fetch(`http://${closed.at}/`)).rejects.toThrow()
  const why = async () => {
    const list = await page.request.get(`/v1/tunnels/${closed.tunnel}/connections`)
    return ((await list.json()) as { items: { words: string | null }[] }).items[0]?.words
  }
  await expect.poll(why, { timeout: 20_000 }).toContain('ECONNREFUSED')
  for (const { tunnel } of [web, closed]) expect((await page.request.post(`/v1/tunnels/${tunnel}/revoke`)).ok()).toBe(true)
})
