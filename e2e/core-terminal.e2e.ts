import { enrolCore, runCorePeer } from './core-peer.ts'
import { expect, test } from './fixtures.ts'
import { openWithSims } from './own-sims.ts'

test('a CORE device whose WebRTC is Chromium’s: typed and shown, its size, its end, and what was recorded', async ({ page, open }) => {
  test.setTimeout(120_000)
  const { assets } = await openWithSims(page, 1)
  const [{ id, sim }] = assets as [(typeof assets)[number]]
  await using device = await runCorePeer(await enrolCore(page, sim!.iccid))
  await expect
    .poll(
      async () => ((await (await page.request.get(`/v1/assets/${id}/device`)).json()) as { device: { presence: string } }).device.presence
    )
    .toBe('online')

  await open(`/core-terminal?asset=${id}`)
  await expect(page.getByText('Connected', { exact: true })).toBeVisible({ timeout: 40_000 })
  const screen = page.locator('.xterm-rows')
  await page.keyboard.type('hello\n')
  await expect(screen).toContainText('said: hello')
  // The word by which the protocol asks whether the other side is there, as somebody may type it.
  await page.evaluate(() => {
    const pasted = new DataTransfer()
    pasted.setData('text/plain', 'ping')
    document
      .querySelector('.xterm-helper-textarea')!
      .dispatchEvent(new ClipboardEvent('paste', { clipboardData: pasted, bubbles: true, cancelable: true }))
  })
  await page.keyboard.type('\n')
  await expect(screen).toContainText('said: ping')
  await page.keyboard.type('bytes\n')
  await expect(screen).toContainText('grüße')
  await page.keyboard.type('flood\n')
  await expect(screen).toContainText('said: flood')
  const sizes = async () => (await device.said()).filter((text) => text.startsWith('resize_'))
  const before = (await sizes()).length
  await page.setViewportSize({ width: 900, height: 500 })
  await expect.poll(async () => (await sizes()).length).toBeGreaterThan(before)
  expect(await device.said()).not.toContain('ping')

  await page.keyboard.type('exit\n')
  await expect(page.getByRole('region', { name: 'The session ended' })).toBeVisible({ timeout: 20_000 })
  const session = async () => {
    const { items } = (await (await page.request.get(`/v1/terminal-sessions?asset=${id}`)).json()) as {
      items: { id: string; kind: string; state: string; end_reason: string; recording: string }[]
    }
    return items[0]!
  }
  await expect.poll(session).toMatchObject({ kind: 'core', state: 'ended', end_reason: 'shell_ended', recording: 'kept' })
  const recording = await (await page.request.get(`/v1/terminal-sessions/${(await session()).id}/recording`)).text()
  const shown = recording
    .split('\n')
    .slice(1)
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as [number, string, string])
  const output = shown.flatMap(([, kind, text]) => (kind === 'o' ? text : [])).join('')
  for (const words of ['said: hello', 'grüße', `${'.'.repeat(1019)}299`]) expect(output).toContain(words)
})
