import type { Directive } from '@masthead/contract/devices/agent/messages'
import { connectAgent, findBare } from './agent-device.ts'
import { expect, test } from './fixtures.ts'

test('a device is set up by a claim code, and runs what is deployed on it', async ({ page, signIn, open, expectAccessible }) => {
  await signIn('owner')
  const { id, name } = await findBare(page)
  await open(`/assets/${id}/application`)
  await expect(page.getByRole('tab', { name: 'Application' })).toHaveAttribute('aria-selected', 'true')
  await expectAccessible()
  await page.getByRole('link', { name: 'Set up the device' }).click()
  await expect(page.getByRole('tab', { name: 'Device' })).toHaveAttribute('aria-selected', 'true')
  await page.getByRole('button', { name: 'Make a claim code' }).click()
  const line = (await page.getByTestId('claim').textContent())!
  expect(line).toContain('/agent/install.sh | sudo sh -s -- ')
  expect((await page.request.get('/agent/install.sh')).status()).toBe(200)
  expect((await page.request.get('/agent/masthead-agent.mjs')).status()).toBe(200)

  // From here on as the agent speaks: by the code, MQTT and its key.
  const { directives, wanted, say, report, end } = await connectAgent(page, line.split(' ').at(-1)!)
  await report(null, 'running')
  await expect(page.getByRole('region', { name: 'Another device' })).toBeVisible()
  await expectAccessible()
  await page.getByRole('tab', { name: 'Application' }).click()
  await expect(page.getByText('No containers')).toBeVisible()
  await expectAccessible()

  await page.getByRole('button', { name: 'Deploy container' }).click()
  const deploy = page.getByRole('dialog', { name: `Deploy a container on ${name}` })
  await deploy.getByRole('textbox', { name: 'Container name' }).fill('telemetry-relay')
  await deploy.getByRole('combobox', { name: 'Image and tag' }).fill('acme/telemetry-relay:2.4')
  await deploy.getByRole('textbox', { name: 'Ports' }).fill('80:8080')
  await deploy.getByRole('button', { name: 'Deploy', exact: true }).click()
  await expect(deploy.getByText('Choose a port from 30000 to 32767')).toBeVisible()
  await deploy.getByRole('textbox', { name: 'Ports' }).fill('30512:8080')
  await deploy.getByRole('button', { name: 'Add secret' }).click()
  await deploy.getByRole('textbox', { name: 'Secret 1' }).fill('API_TOKEN')
  await deploy.getByRole('textbox', { name: 'Value 1' }).fill('very-secret')
  await expectAccessible()
  await deploy.getByRole('button', { name: 'Deploy', exact: true }).click()
  const row = page.getByRole('listitem').filter({ hasText: 'telemetry-relay' })
  await expect(row).toContainText('Not reported yet')
  await expect.poll(() => directives.some(({ command }) => command === 'look')).toBe(true)
  expect((await wanted()).containers[0]).toMatchObject({ environment: [{ name: 'API_TOKEN', value: 'very-secret' }] })

  await report({ code: 'image_pull_backoff', words: 'manifest unknown', since: new Date().toISOString(), next_at: null }, 'waiting')
  await expect(row).toContainText('Image cannot be pulled')
  await expect(row).toContainText('manifest unknown')
  await expectAccessible()
  await report(null, 'running')
  await expect(row).toContainText('Running')
  await expect(row).toContainText('30512 → 8080')

  await row.getByRole('button', { name: 'More for telemetry-relay' }).click()
  await page.getByRole('menuitem', { name: 'Read log' }).click()
  const asked = () => directives.find((each) => each.command === 'run')
  await expect.poll(asked).toBeTruthy()
  const command = asked() as Extract<Directive, { command: 'run' }>
  const lines = [{ at: new Date().toISOString(), stream: 'stdout' as const, text: 'relay up, 4 routes' }]
  await say(['answer', { id: command.data.id, ok: true, words: null, lines }, 'log'])
  await expect(page.getByRole('dialog', { name: 'Log of telemetry-relay' })).toContainText('relay up, 4 routes')
  const log = page.getByRole('dialog', { name: 'Log of telemetry-relay' })
  await log.getByRole('button', { name: 'Follow' }).click()
  await expect.poll(() => directives.some((each) => each.command === 'run' && each.data.do === 'follow')).toBe(true)
  const part = (from: number, text: string) => ({
    [`p${from}`]: {
      container: 'telemetry-relay',
      run: '1',
      from,
      skipped: 0,
      lines: [{ at: new Date().toISOString(), stream: 'stdout' as const, text }],
      ended: false,
      words: null,
    },
  })
  await say(['log', part(0, 'route 1 is up'), 'log0'])
  await say(['log', part(1, 'route 2 is up'), 'log1'])
  await expect(log).toContainText('route 1 is up')
  await expect(log).toContainText('route 2 is up')
  await log.getByRole('searchbox').fill('route 2')
  await expect(log.getByRole('log')).not.toContainText('route 1 is up')
  await log.getByRole('searchbox').fill('')
  await log.getByRole('button', { name: 'Pause' }).click()
  await expect(log).toContainText('Paused: the device sends nothing')
  await expect(log).toContainText('route 2 is up')
  await expectAccessible()
  await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).last().click()

  await row.getByRole('button', { name: 'Stop telemetry-relay' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Stop', exact: true }).click()
  await expect.poll(async () => (await wanted()).containers[0]?.run).toBe('stopped')
  await report(null, 'running')
  await expect(row).toContainText('Stopped')
  await row.getByRole('button', { name: 'More for telemetry-relay' }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(page.getByText('Is being removed')).toBeVisible()
  await report(null, 'running')
  await expect(page.getByText('No containers')).toBeVisible()
  await end()
  await expect(page.getByRole('status').filter({ hasText: 'what is shown here is as it was before' })).toBeVisible()
})
