import type { Directive } from '@masthead/contract/devices/agent/messages'
import { connectAgent, findBare } from './agent-device.ts'
import { expect, test } from './fixtures.ts'
import { openAccount } from './new-account.ts'

test('the agent of a device is updated, and what becomes of it is said', async ({ page, signIn, open, expectAccessible }) => {
  await signIn('owner')
  const { id, name } = await findBare(page, 'last')
  await open(`/assets/${id}/device`)
  await page.getByRole('button', { name: 'Make a claim code' }).click()
  const line = (await page.getByTestId('claim').textContent())!
  const offered = ((await (await page.request.get('/agent/agent.json')).json()) as { version: string }).version
  const { directives, wanted, say, report, end } = await connectAgent(page, line.split(' ').at(-1)!)
  await report(null, 'running', 0, { agent: '0.0.9' })
  const status = page.getByRole('region', { name: 'Status' })
  await expect(status).toContainText('Operational')
  await expect(status.getByRole('list', { name: 'Status of the device' }).getByRole('listitem')).toHaveCount(6)
  const agent = page.getByRole('region', { name: 'Agent' })
  await agent.getByRole('button', { name: 'Read log' }).click()
  const log = page.getByRole('dialog', { name: 'Log of the agent' })
  const asked = () => directives.find((each) => each.command === 'run')
  await expect.poll(() => asked()?.data).toMatchObject({ do: 'logs', container: '@agent' })
  const command = asked() as Extract<Directive, { command: 'run' }>
  const lines = [{ at: new Date().toISOString(), stream: 'stdout' as const, text: 'Wanted: revision 4, 2 containers' }]
  await say(['answer', { id: command.data.id, ok: true, words: null, lines }, 'log'])
  await expect(log).toContainText('Wanted: revision 4, 2 containers')
  await expectAccessible()
  await log.getByRole('button', { name: 'Close', exact: true }).last().click()
  await page.getByRole('tab', { name: 'Application' }).click()
  await expect(page.getByRole('region', { name: 'Containers' })).toBeVisible()
  await expect(agent).toContainText(`newer version there: ${offered}`)
  await expectAccessible()

  await agent.getByRole('button', { name: 'Update' }).click()
  await page
    .getByRole('dialog', { name: `Update the agent of ${name} to ${offered}?` })
    .getByRole('button', { name: 'Update' })
    .click()
  await expect(agent).toContainText(`The device was asked to update its agent to ${offered}`)
  // The change may come live before the answer closes the dialog.
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(agent.getByRole('button', { name: 'Update' })).toBeDisabled()
  await expect.poll(async () => (await wanted()).agent?.version).toBe(offered)
  const { id: wish } = (await wanted()).agent!
  const said = { id: wish, version: offered, words: null, at: new Date().toISOString() }
  await report(null, 'running', 0, { agent: '0.0.9', update: { ...said, state: 'downloading', percent: 40 } })
  await expect(agent).toContainText(`The device downloads version ${offered} of the agent, 40 %.`)
  await report(null, 'running', 0, { agent: offered, update: { ...said, state: 'on_trial' } })
  await expect(agent).toContainText(`Version ${offered} of the agent runs on trial`)
  await expectAccessible()

  const words = `Version ${offered} ended 3 times within its first two minutes. Version 0.0.9 is used again`
  await report(null, 'running', 0, { agent: '0.0.9', update: { ...said, state: 'gone_back', words } })
  await expect(agent.getByRole('alert')).toContainText(words)
  await expectAccessible()
  await agent.getByRole('button', { name: 'Update' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Update' }).click()
  await expect(agent.getByRole('alert')).toHaveCount(0)
  await report(null, 'running', 0, { agent: offered })
  await expect(agent.getByRole('status')).toHaveCount(0)
  await expect(agent).not.toContainText('newer version there')
  await end()
})

test('automatic updates are switched on with a maintenance window, and off again', async ({ page, open, expectAccessible }) => {
  const email = `agents-${crypto.randomUUID().slice(0, 8)}@example.test`
  await openAccount(page, { email, password: 'four lamps on the pier', team_name: 'Weir Works' })
  await open('/profile?tab=account')
  const panel = page.getByRole('region', { name: 'Agent updates' })
  await expect(panel).toContainText('Agents are updated by hand.')
  await expectAccessible()
  await panel.getByRole('button', { name: 'Change' }).click()
  const dialog = page.getByRole('dialog', { name: 'Agent updates' })
  const automatic = dialog.getByRole('checkbox', { name: 'Update agents automatically' })
  await expect(automatic).not.toBeChecked()
  await automatic.check()
  await dialog.getByRole('checkbox', { name: 'Begin updates in a maintenance window only' }).check()
  await dialog.getByRole('checkbox', { name: 'Sun' }).uncheck()
  await dialog.getByRole('textbox', { name: 'From' }).fill('23:15')
  await expectAccessible()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  await expect(panel).toContainText('Agents are updated automatically.')
  await expect(panel).toContainText('Mon to Sat, 23:15 to 05:00')
  await expect(panel).toContainText(`Set by ${email}`)
  await panel.getByRole('button', { name: 'Change' }).click()
  await automatic.uncheck()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(panel).toContainText('Agents are updated by hand.')
  await open('/activities')
  await expect(page.getByRole('main')).toContainText('Switched the automatic updates of agents on, in a maintenance window')
})
