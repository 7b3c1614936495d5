import { globSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { isWrite, type Operation } from '@masthead/contract/kernel/operation'
import { isPermission, permissions, staffPermissions, type Permission } from '@masthead/contract/kernel/permission'
import { openProductDatabase } from '@masthead/testkit/product-database'
import { enter } from './backoffice-page.ts'
import { expect, leaveConsole, signInAs, test } from './fixtures.ts'
import { commandOfInstallation } from './tunnel-command.ts'

// The matrix of the server, as people see it: rows of the menu and buttons, for somebody whose rights change from one look to the next.
type MenuEntry = { label: string; permission?: string; everyone?: true; children?: MenuEntry[] }
type MenuGroup = { title: string; entries: MenuEntry[]; backoffice?: boolean }
// The list itself, so that a row that is added is looked for; what it gives to whom is worked out here anew.
const listIn = async <List>(file: string) => (await import(new URL(`../apps/console/src/${file}`, import.meta.url).href)) as List
const { menu } = await listIn<{ menu: MenuGroup[] }>('menu.ts')
const { staffMenu } = await listIn<{ staffMenu: MenuGroup }>('staff-menu.ts')
const db = openProductDatabase(process.env.MASTHEAD_E2E_DATABASE_URL!)
test.afterAll(() => db.destroy())

const everything = Object.keys(permissions)
const password = 'masthead-demo'

/** Somebody with an account of their own, who is also a member of the demo owner's team. The database is asked, not the limit of registrations. */
async function newPerson(page: Page) {
  const name = `right-${crypto.randomUUID().slice(0, 8)}`
  const [account_id, person_id, email] = [`acc_${name}`, `per_${name}`, `${name}@example.test`]
  const owner = await db.selectFrom('person').selectAll().where('email', '=', 'owner@demo.test').executeTakeFirstOrThrow()
  await db.insertInto('account').values({ id: account_id, team_name: name, suspended_at: null, suspended_reason: null }).execute()
  const { password_hash } = owner
  await db.insertInto('person').values({ id: person_id, account_id, email, password_hash, permissions: [] }).execute()
  await db.insertInto('membership').values({ account_id: owner.account_id, person_id, permissions: [], tags: [] }).execute()
  const post = async (path: string, data: object) => {
    const answer = await page.request.post(`/v1/${path}`, { data })
    expect(answer.status(), await answer.text()).toBe(200)
  }
  await signInAs(page, email, password)
  return {
    email,
    act: () => post('auth/switch_account', { team_member_email: owner.email }),
    /** What they may on the team's account from now on. */
    grant: (granted: string[]) => db.updateTable('membership').set({ permissions: granted }).where('person_id', '=', person_id).execute(),
    suspend: () =>
      db.updateTable('account').set({ suspended_at: new Date(), suspended_reason: 'Unpaid' }).where('id', '=', account_id).execute(),
    makeStaff: (staff: string[]) => db.updateTable('person').set({ permissions: staff }).where('id', '=', person_id).execute(),
    [Symbol.asyncDispose]: async () => {
      await db.deleteFrom('membership').where('person_id', '=', person_id).execute()
    },
  }
}

/** The rows that the specification gives (§6): by an entry's permission, else its lowercased name; a parent with any child; a group with any. */
function rowsFor(may: readonly string[], { backoffice = false } = {}): string[] {
  const rowsOf = (entry: MenuEntry): string[] => {
    if (!entry.children) return entry.everyone || may.includes(entry.permission ?? entry.label.toLowerCase()) ? [entry.label] : []
    const below = entry.children.flatMap(rowsOf)
    return below.length > 0 ? [entry.label, ...below] : []
  }
  return [...menu, staffMenu]
    .filter((group) => backoffice || !group.backoffice)
    .flatMap((group) => {
      const rows = group.entries.flatMap(rowsOf)
      return rows.length > 0 ? [group.title, ...rows] : []
    })
}

const sidebar = (page: Page) => page.getByRole('navigation', { name: 'Main' })
const shownRows = (page: Page) => sidebar(page).locator('.sidebar-title, .sidebar-item > span:first-of-type').allTextContents()

async function expectMenu(page: Page, rows: string[]) {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect.poll(() => shownRows(page)).toEqual(rows)
}

test('the menu of a member has the rows of their permissions and no other', async ({ page }) => {
  await using person = await newPerson(page)
  await person.act()
  await page.goto('/#/teams-redirect')
  const { permissions: operator } = await db
    .selectFrom('membership')
    .innerJoin('person', 'person.id', 'membership.person_id')
    .select('membership.permissions')
    .where('email', '=', 'operator@demo.test')
    .executeTakeFirstOrThrow()
  const named = everything.filter((name) => rowsFor([name]).length > rowsFor([]).length)
  const sets = [[], ...named.map((name) => [name]), everything.filter((name) => !named.includes(name)), operator, everything]
  for (const granted of sets) {
    await person.grant(granted)
    await page.reload()
    await test.step(granted.join(', ') || 'nothing', () => expectMenu(page, rowsFor(granted)))
  }
})

test('a member finds in the palette only what they may see', async ({ page, open }) => {
  await using person = await newPerson(page)
  await person.act()
  await person.grant(['overview.view'])
  await open('/')
  await page.getByRole('button', { name: 'Find anything' }).click()
  const found = page.getByRole('group', { name: 'Screens' }).getByRole('option')
  await expect(found.first()).toHaveText('OverviewOperations')
  await expect(found.filter({ hasText: 'ActivitiesAccount' })).toBeVisible()
  await expect(found.filter({ hasText: /Assets|Total Data Usage|Community/ })).toHaveCount(0)
})

test('whoever does not see costs is offered no rule of costs; who does enters it in the currency of the account', async ({
  page,
  open,
}) => {
  await using person = await newPerson(page)
  await person.act()
  const rights = ['notifications.view', 'notifications.edit', 'assets.view']
  await person.grant(rights)
  await open('/notifications?tab=rules')
  const form = page.getByRole('dialog', { name: 'New rule' })
  const cost = page.getByRole('option', { name: /^Cost of a SIM in the month so far/ })
  const choose = async () => {
    await page.getByRole('button', { name: 'New rule' }).click()
    await form.getByRole('button', { name: /^When / }).click()
  }
  await choose()
  await expect(cost).toHaveAttribute('aria-disabled', 'true')
  await expect(form).toContainText('For a rule of costs: you need the permission “See data usage and cost summaries” for this.')
  await person.grant([...rights, 'usage.view'])
  await page.reload()
  await choose()
  await cost.click()
  await expect(form).toContainText('USD')
})

test('whoever may see tunnels and no terminals is refused until these are unlocked, and then sees tunnels alone', async ({
  page,
  open,
}) => {
  await using person = await newPerson(page)
  await person.act()
  await person.grant(['tunnels.open'])
  await page.goto('/#/terminals/tunnels')
  await expect(page).toHaveURL(/teams-redirect/)
  await expect(page.getByText(`“Terminals” needs the permission “${permissions['terminal.open']}”`)).toBeVisible()
  expect(await page.evaluate<unknown>(await commandOfInstallation())).toBe(true)
  await open('/terminals/tunnels')
  await expect(page.getByRole('tab', { name: 'Tunnels' })).toHaveAttribute('aria-selected', 'true')
  for (const name of ['Sessions', 'Support access']) await expect(page.getByRole('tab', { name })).toHaveAttribute('aria-disabled', 'true')
  await expect(page.getByRole('button', { name: 'New tunnel' }).first()).toBeEnabled()
})

test('on one’s own account every row is there, also while it is suspended', async ({ page }) => {
  await using person = await newPerson(page)
  await page.goto('/#/activities')
  await expectMenu(page, rowsFor(everything))
  await person.suspend()
  await page.reload()
  await expect(page.getByText('Your account is suspended.')).toBeVisible()
  await expectMenu(page, rowsFor(everything))
})

test('staff have the backoffice’s rows inside it alone, those of their permissions, and none while they act as a team', async ({
  page,
}) => {
  await using person = await newPerson(page)
  for (const staff of [
    ['backoffice'],
    ...['audit_logs', 'manage_networks'].map((one) => ['backoffice', one]),
    Object.keys(staffPermissions),
  ]) {
    await person.makeStaff(staff)
    await leaveConsole(page)
    await page.goto('/#/activities')
    await expectMenu(page, rowsFor(everything))
    await enter(page)
    await page.goto('/#/masa')
    await expectMenu(page, rowsFor([...everything, ...staff], { backoffice: true }))
  }
  await leaveConsole(page)
  await person.act()
  await person.grant(everything)
  await page.goto('/#/masa')
  await expect(page).toHaveURL(/teams-redirect/)
  await expectMenu(page, rowsFor(everything))
})

/** What changes something: where, the permissions to see the screen and something on it, and the one to press it. */
const buttons: { path: string; menu?: 'Actions for restorable'; button: string; role?: 'link'; sees: Permission[]; may: Permission }[] = [
  { path: '/assets', button: 'Register asset', sees: ['assets.view'], may: 'assets.register' },
  { path: '/assets/active', button: 'Deactivate', sees: ['assets.view'], may: 'assets.edit' },
  { path: '/datapools', button: 'Buy data', sees: ['datapools.view'], may: 'datapools.edit' },
  { path: '/datapools?pool=first', button: 'Add assets', sees: ['datapools.view'], may: 'datapools.edit' },
  { path: '/network-groups', button: 'New group', role: 'link', sees: ['network_groups.view'], may: 'network_groups.edit' },
  { path: '/core-deployments', button: 'New deployment', sees: ['core.view'], may: 'core.edit' },
  { path: '/developer', button: 'Create API key', sees: ['developers.view'], may: 'developers.edit' },
  { path: '/developer?tab=webhooks', button: 'Create webhook', sees: ['developers.view'], may: 'developers.edit' },
  { path: '/notifications', button: 'Acknowledge all', sees: ['notifications.view', 'assets.view'], may: 'notifications.edit' },
  { path: '/profile?tab=team', button: 'Invite', sees: ['profile.view'], may: 'profile.edit' },
  { path: '/billing', button: 'Add card', sees: ['billing.view'], may: 'billing.edit' },
  { path: '/alpon-fleets', button: 'New fleet', sees: ['alpon_fleets.view'], may: 'alpon_fleets.edit' },
  {
    path: '/alpon-fleets/depots/assets',
    menu: 'Actions for restorable',
    button: 'Restore version',
    sees: ['alpon_fleets.view'],
    may: 'alpon_fleets.edit',
  },
  { path: '/registry/robots', button: 'Create robot', sees: ['registry.view'], may: 'registry.edit' },
  { path: '/assets/device/device', button: 'Open terminal', sees: ['assets.view'], may: 'terminal.open' },
  { path: '/account/reports', button: 'Create report', sees: ['reports.view'], may: 'reports.edit' },
]

test('each permission that something to change asks for has its button here', async () => {
  // Each of the calls has such a button in the console: its own test goes through them (write-buttons.test.ts).
  const files = globSync('packages/contract/src/**/*operations.ts', { cwd: new URL('..', import.meta.url).pathname })
  const modules = await Promise.all(
    files.map((file) => import(new URL(`../${file}`, import.meta.url).href) as Promise<Record<string, Partial<Operation> | undefined>>)
  )
  const asked = modules
    .flatMap((exported) => Object.values(exported))
    .flatMap((op) =>
      op?.method && op.access && isWrite(op as Operation) && isPermission(op.access) && !op.access.endsWith('.view') ? [op.access] : []
    )
    // Without the one nobody sees tunnels at all, and the other's buttons are there while support asks: remote-support.e2e.ts.
    .filter((permission) => permission !== 'tunnels.open' && permission !== 'support.grant')
  expect([...new Set(asked)].toSorted()).toEqual([...new Set(buttons.map(({ may }) => may))].toSorted())
})

for (const { path, menu: row, button, role = 'button', sees, may } of buttons) {
  test(`without ${may}, “${button}” is disabled and says so`, async ({ page }) => {
    await using person = await newPerson(page)
    await person.act()
    const active = await db
      .selectFrom('asset')
      .innerJoin('sim', 'sim.asset_id', 'asset.id')
      .innerJoin('person', 'person.account_id', 'asset.account_id')
      .select('asset.id')
      .where('email', '=', 'owner@demo.test')
      .where('sim.state', '=', 'active')
      .executeTakeFirstOrThrow()
    const pool = await db
      .selectFrom('data_pool')
      .innerJoin('person', 'person.account_id', 'data_pool.account_id')
      .select('data_pool.id')
      .where('email', '=', 'owner@demo.test')
      .executeTakeFirstOrThrow()
    const device = await db
      .selectFrom('device')
      .innerJoin('person', 'person.account_id', 'device.account_id')
      .select('device.asset_id')
      .where('email', '=', 'owner@demo.test')
      .where('device.kind', '=', 'agent')
      .where('device.online', '=', true)
      .executeTakeFirstOrThrow()
    // A device that the newest rollout of a fleet is done with.
    const restorable = await db
      .selectFrom('rollout_device')
      .innerJoin('rollout', 'rollout.id', 'rollout_device.rollout_id')
      .innerJoin('fleet', 'fleet.id', 'rollout.fleet_id')
      .innerJoin('asset', 'asset.id', 'rollout_device.asset_id')
      .select(['fleet.id', 'asset.name'])
      .where('fleet.name', '=', 'Depots Europe')
      .whereRef('rollout.version', '=', 'fleet.version')
      .where('rollout_device.state', '=', 'failure')
      .executeTakeFirstOrThrow()
    const pressed = row
      ? page.getByRole('menuitem', { name: new RegExp(`^${button}`) })
      : page.getByRole(role, { name: button, exact: true }).first()
    const unfold = async () => row && page.getByRole('button', { name: row.replace('restorable', restorable.name), exact: true }).click()
    await person.grant(sees)
    const at = path.replace('active', active.id).replace('first', pool.id).replace('depots', restorable.id)
    await page.goto(`/#${at.replace('/device/', `/${device.asset_id}/`)}`)
    await unfold()
    const reason = `You need the permission “${permissions[may]}” for this`
    await expect(pressed).toHaveAttribute('aria-disabled', 'true')
    if (row) await expect(pressed).toContainText(reason)
    else await expect(pressed).toHaveAccessibleDescription(reason)
    await person.grant([...sees, may])
    await page.reload()
    await unfold()
    await expect(pressed).toBeEnabled()
    await expect(pressed).not.toHaveAttribute('aria-disabled', 'true')
  })
}
