import { ruleMetrics, type RuleMetric } from '@masthead/contract/notifications/rule'
import { openProductDatabase } from '@masthead/testkit/product-database'
import { expect, test } from './fixtures.ts'
import { openAccount } from './new-account.ts'

test('whoever sees some assets alone reads rules, and is told why they leave them to others', async ({ page, signIn, open }) => {
  await signIn('operator')
  await page.request.post('/v1/auth/switch_account', { data: { team_member_email: 'owner@demo.test' } })
  await open('/notifications?tab=rules')
  const add = page.getByRole('button', { name: 'New rule' })
  await expect(add).toHaveAttribute('aria-disabled', 'true')
  await expect(add).toHaveAccessibleDescription(/^Rules watch all assets of the account\./)
  await page.getByRole('link', { name: 'A device is away' }).click()
  for (const name of ['Edit', 'Try it'])
    await expect(page.getByRole('button', { name, exact: true })).toHaveAttribute('aria-disabled', 'true')
})

test('a rule is made, tried, switched on and deleted', async ({ page, open, expectAccessible }) => {
  await openAccount(page, {
    email: `rules-${crypto.randomUUID().slice(0, 8)}@example.test`,
    password: 'correct horse battery',
    team_name: 'Rules',
  })
  await open('/notifications?tab=rules')
  await page.getByRole('button', { name: 'Create your first rule' }).click()
  const form = page.getByRole('dialog', { name: 'New rule' })
  await form.getByRole('button', { name: 'Create rule' }).click()
  await expect(form).toContainText('Enter a name')
  await form.getByRole('textbox', { name: 'Name' }).fill('Too much')
  await form.getByRole('button', { name: /^Then / }).click()
  await page.getByRole('option', { name: 'Notify, and give the SIM a data limit' }).click()
  await form.getByRole('button', { name: /^And / }).click()
  await page.getByRole('option', { name: 'Block the SIM', exact: true }).click()
  await page.keyboard.press('Escape')
  await form.getByLabel('Limit', { exact: true }).fill('2')
  await form.getByRole('button', { name: /^Its action is due / }).click()
  await page.getByRole('option', { name: 'When the next day begins (UTC)' }).click()
  await form.getByRole('button', { name: /^It is done / }).click()
  await page.getByRole('option', { name: 'After 30 minutes' }).click()
  await form.getByRole('button', { name: /^It is taken back / }).click()
  await page.getByRole('option', { name: 'When the next month begins (UTC)' }).click()
  await expectAccessible()
  await form.getByRole('button', { name: 'Create rule' }).click()
  await expect(page.getByRole('heading', { name: 'Too much' })).toBeVisible()
  await expect(page).toHaveURL(/rule=rul_/)
  const does =
    'Notify, and give the SIM a limit of 2 GB a month, and block the SIM 30 minutes after the next day begins (UTC), until the next month begins (UTC).'
  await expect(page.getByText(does)).toBeVisible()
  await page.getByRole('button', { name: 'Try it' }).click()
  await expect(page.getByText('It would not have fired.')).toBeVisible()
  await expectAccessible()
  await page.getByRole('button', { name: 'Switch on' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Switch on' }).click()
  await expect(page.getByRole('button', { name: 'Switch off' })).toBeVisible()
  await page.getByRole('button', { name: 'Actions for Too much' }).click()
  await page.getByRole('menuitem', { name: 'Silence' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^For how long/ })
    .click()
  await page.getByRole('option', { name: /^A day, until/ }).click()
  await expectAccessible()
  await page.getByRole('dialog').getByRole('button', { name: 'Silence', exact: true }).click()
  await expect(page.getByText(/^Silenced until .*: it notifies nobody and changes no SIM\./)).toBeVisible()
  await page.getByRole('button', { name: 'Actions for Too much' }).click()
  await page.getByRole('menuitem', { name: 'End the silence' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End the silence' }).click()
  await expect(page.getByText(/^Silenced until/)).toBeHidden()
  await page.getByRole('button', { name: 'Actions for Too much' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete rule' }).click()
  await expect(page.getByText('No data found')).toBeVisible()
})

test('a rule of each metric is opened, with what it did and what it would have done', async ({ page, open }) => {
  test.slow()
  await openAccount(page, {
    email: `rules-${crypto.randomUUID().slice(0, 8)}@example.test`,
    password: 'correct horse battery',
    team_name: 'Rules',
  })
  const post = async (path: string, data: object) => {
    const answer = await page.request.post(`/v1/${path}`, { data })
    expect(answer.status(), await answer.text()).toBe(200)
    return ((await answer.json()) as { id: string }).id
  }
  const view_id = await post('asset-views', { name: 'All', q: 'type:core', sort: '-usage', columns: [], shared: true })
  for (const metric of Object.keys(ruleMetrics) as RuleMetric[]) {
    const more = { ...(ruleMetrics[metric].where && { countries: ['PL'] }), ...(metric === 'view_count' && { view_id }) }
    const id = await post('notifications/rules', { name: `Rule of ${metric}`, metric, threshold: 1, ...more })
    await open(`/notifications?tab=rules&rule=${id}`)
    await expect(page.getByRole('heading', { name: `Rule of ${metric}` })).toBeVisible()
    await expect(page.getByRole('region', { name: 'History' })).toContainText('No data found')
    await page.getByRole('button', { name: 'Try it' }).click()
    await expect(page.getByText('It would not have fired.')).toBeVisible()
  }
})

test('an edit and a delete say what they call off, and a rule says what it does not find', async ({ page, open, expectAccessible }) => {
  await openAccount(page, {
    email: `rules-${crypto.randomUUID().slice(0, 8)}@example.test`,
    password: 'correct horse battery',
    team_name: 'Rules',
  })
  const data = { name: 'Too much', metric: 'usage_day', threshold: 1e9, action: 'deactivate_sim', after_minutes: 60, scope: 'tag:north' }
  const { id } = (await (await page.request.post('/v1/notifications/rules', { data })).json()) as { id: string }
  const db = openProductDatabase(process.env.MASTHEAD_E2E_DATABASE_URL!)
  const failed_words = 'There is no tag “north”. It was renamed or deleted, or is not there yet'
  const { account_id } = await db
    .updateTable('alert_rule')
    .set({ enabled_at: new Date(), looked_at: new Date(Date.now() + 3_600_000), failed_words })
    .where('id', '=', id)
    .returning('account_id')
    .executeTakeFirstOrThrow()
  const firing = { account_id, rule_id: id, asset_id: 'ast_gone', day: new Date().toISOString().slice(0, 10), value: 2e9, at: new Date() }
  const act_at = new Date(Date.now() + 3_600_000)
  await db
    .insertInto('alert_rule_firing')
    .values([
      ...[1, 2].map((n) => ({ ...firing, id: `fir_${n}`, sim_id: `sim_${n}`, act_at })),
      { ...firing, id: 'fir_3', sim_id: 'sim_3', act_at: firing.at, action: 'set_limit', outcome: 'changed', undo_at: act_at },
    ])
    .execute()
  await db.destroy()
  await open(`/notifications?tab=rules&rule=${id}`)
  await expect(page.getByText(`This rule does not work as it should: ${failed_words}.`)).toBeVisible()
  // What it did while it had another action.
  await expect(page.getByRole('region', { name: 'History' })).toContainText('Give the SIM a data limit')
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const form = page.getByRole('dialog', { name: 'Edit Too much' })
  await expect(form).toContainText('2 actions are to come. They are called off if you change')
  await expectAccessible()
  await form.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Actions for Too much' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(page.getByRole('dialog', { name: 'Delete Too much?' })).toContainText(
    'One SIM is still brought back when the day or month is over'
  )
})

test('the heading and the buttons of a dialog stay while its body scrolls, and hide no field that has the focus', async ({
  page,
  open,
}) => {
  await page.setViewportSize({ width: 360, height: 480 })
  await openAccount(page, {
    email: `rules-${crypto.randomUUID().slice(0, 8)}@example.test`,
    password: 'correct horse battery',
    team_name: 'Rules',
  })
  await open('/notifications?tab=rules')
  await page.getByRole('button', { name: 'Create your first rule' }).click()
  const dialog = page.getByRole('dialog', { name: 'New rule' })
  const send = dialog.getByRole('button', { name: 'Create rule' })
  await expect(send).toBeVisible()
  const scrolled = () => dialog.evaluate((element) => element.scrollTop)
  const hidden: string[] = []
  // What lies between heading and buttons is seen; those themselves are never hidden.
  const look = () =>
    dialog.evaluate((element) => {
      const focused = element.ownerDocument.activeElement!
      if (!focused.closest('[data-body]')) return null
      const { top, bottom } = focused.getBoundingClientRect()
      const under = element.querySelector('h2')!.parentElement!.getBoundingClientRect().bottom
      const above = element.querySelector('[data-body] ~ div')!.getBoundingClientRect().top
      return top < under - 1 || bottom > above + 1 ? focused.textContent || focused.getAttribute('name') || focused.tagName : ''
    })
  let furthest = 0
  for (const key of [...Array<string>(18).fill('Tab'), ...Array<string>(18).fill('Shift+Tab')]) {
    await page.keyboard.press(key)
    const words = await look()
    if (words) hidden.push(`${key}: ${words}`)
    furthest = Math.max(furthest, await scrolled())
    await expect(dialog.getByRole('heading', { name: 'New rule' })).toBeInViewport({ ratio: 1 })
    await expect(send).toBeInViewport({ ratio: 1 })
  }
  expect(furthest).toBeGreaterThan(100)
  expect(hidden).toEqual([])
})
